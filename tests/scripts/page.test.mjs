// The script of pages without a browser: what it chooses, and how it reads what is packed.
import assert from "node:assert/strict";
import test from "node:test";

import { addressOf, bucketsOf, choiceIn, csvOf, firstChoice, foundOf, parts, rowsOf, waysOf } from "../../rouge_cli/reports/templates/page_choice.js";
import { marksOf, pageOf, piecesOf, shown, textsIn } from "../../rouge_cli/reports/templates/page_data.js";

const data = {
  systems: ["x", "a&b = c"], shown: ["x", "a&b = c"], source: "", metrics: [["ROUGE-1", ["R", "F"]], ["mine", ["S"]]], lower: [0, 1],
  evals: ["d 1", "d+2", "d/3"], fields: [], units: [100_000, 1], texts: [], chunks: [], percent: false,
  scores: [
    [[[50_000, 20_000, null], [40_000, 40_000, 10_000]], [[1, 2, 3]]],
    [[[50_000, 30_000, 10_000], [50_000, 39_000, 10_000]], [[2, 2, 2.5]]],
  ],
  counts: [[null, null], [null, null]], chosen: "ROUGE-1 F",
};
const page = pageOf(data, []);

test("an address brings back what was chosen", () => {
  const choice = { ...firstChoice(page), measure: 2, a: 1, b: 0, sort: "1", ascending: true, contains: "+ %&=#",
    loses: "0.1", wins: "b", low: "-1.5", high: "0.25", lowb: "0", highb: "0.5", from: "2", to: "9", by: "order", bucket: "1", row: 1 };
  const address = addressOf(page, choice);
  assert.equal(address, "#eval=d%2B2&metric=mine&a=a%26b%20%3D%20c&b=x&sort=system%20a%26b%20%3D%20c&order=up"
    + "&contains=%2B%20%25%26%3D%23&loses=0.1&wins=b&low=-1.5&high=0.25&lowb=0&highb=0.5&from=2&to=9&by=order&bucket=1");
  assert.deepEqual(choiceIn(page, address), choice);
  assert.deepEqual(choiceIn(page, addressOf(page, firstChoice(page))), firstChoice(page));
});

test("what an address says of what is not there is passed over", () => {
  const found = choiceIn(page, "#eval=d+9&metric=BLEU&a=nobody&sort=system+nobody&loses=many&by=colour");
  assert.deepEqual(found, { ...firstChoice(page), unknown: "d+9" });
});

test("EVALs are filtered and sorted, those without a score last", () => {
  const rows = (given) => rowsOf(page, { ...firstChoice(page), ...given }, []);
  assert.deepEqual(rows({ measure: 0, sort: "0" }), [0, 1, 2]);
  assert.deepEqual(rows({ measure: 0, sort: "0", ascending: true }), [1, 0, 2]);
  assert.deepEqual(rows({ sort: "eval", ascending: true }), [2, 1, 0]);
  assert.deepEqual(rows({ sort: "difference" }), [1, 2, 0]);
  assert.deepEqual(rows({ loses: "0.09" }), [0]);
  assert.deepEqual(rows({ loses: "0.1" }), []);
  // Of a metric whose lower scores are better, A loses where it has more.
  assert.deepEqual(rows({ measure: 2, loses: "0.4" }), [2]);
  // F of A less B is -0.1, 0.01 and 0.
  assert.deepEqual(["a", "equal", "b"].map((wins) => rows({ wins })), [[1], [2], [0]]);
  assert.deepEqual(rows({ measure: 2, wins: "b" }), [2]);
  // F of A is 0.4, 0.4 and 0.1; R of the last EVAL is unknown.
  assert.deepEqual([{ low: "0.4" }, { high: "0.4" }, { low: "0.05", high: "0.11" }].map(rows), [[0, 1], [2], [2]]);
  assert.deepEqual(rows({ measure: 0, low: "0", high: "1" }), [0, 1]);
  // F of B is 0.5, 0.39 and 0.1.
  assert.deepEqual([{ lowb: "0.39" }, { low: "0.4", highb: "0.5" }, { lowb: "0.1", highb: "0.39" }].map(rows), [[0, 1], [1], [2]]);
  assert.deepEqual(rows({ contains: "D+" }), [1]);
});

test("EVALs with the same key are in one bucket", () => {
  const keys = [5, 1, 1, 1, 1, 1, 2, 3, 4, 9];
  assert.deepEqual(parts(keys.map((_, row) => row), (row) => keys[row]), [[1, 2, 3, 4, 5], [6], [7, 8], [0, 9]]);
  // The edges of five parts of ten are behind 2, 4, 6 and 8, unless the same key goes on there.
  const found = bucketsOf(page, { ...firstChoice(page), measure: 0, by: "order" }, [0, 1, 2], []);
  assert.deepEqual(found.map((one) => one.means), [[0.5, 0.5], [0.2, 0.3], [null, 0.1]]);
  assert.deepEqual(found.map((one) => one.rows), [[0], [1], [2]]);
});

const fields = [
  { name: "topic & <b>", values: ["__proto__", "news"], evals: [1, [0, 1], []] },
  { name: "url", values: Array.from({ length: 101 }, (_, place) => `HTTP://${place}`), evals: [7, 17, []] },
];
const withFields = pageOf({ ...data, fields }, []);

test("EVALs are chosen by a field of the records: a listed value, a part of another, or none", () => {
  const rows = (...where) => rowsOf(withFields, { ...firstChoice(withFields), where }, []);
  assert.deepEqual(rows(null, null), [0, 1, 2]);
  assert.deepEqual(rows("news", null), [0, 1]);
  assert.deepEqual(rows("__proto__", null), [1]);
  assert.deepEqual(rows("new", null), []);
  assert.deepEqual(rows("", null), [2]);
  assert.deepEqual(rows(null, " ://1"), [1]);
  assert.deepEqual(rows("__proto__", "://7"), []);
});

test("an address keeps what is chosen by fields, and passes over values that are not there", () => {
  const first = firstChoice(withFields);
  const choice = { ...first, by: "where.topic & <b>", where: ["", "tp://1=&"] };
  const address = addressOf(withFields, choice);
  assert.equal(address, "#by=where.topic%20%26%20%3Cb%3E&where.topic%20%26%20%3Cb%3E=&where.url=tp%3A%2F%2F1%3D%26");
  assert.deepEqual(choiceIn(withFields, address), choice);
  assert.deepEqual(choiceIn(withFields, "#where.topic%20%26%20%3Cb%3E=sport&where.url=&where.nobody=1&by=where.url"), first);
});

test("a field has a bucket for each value, and those of EVALs without one", () => {
  assert.deepEqual(waysOf(withFields).slice(-1), [["where.topic & <b>", "topic & <b>"]]);
  const choice = { ...firstChoice(withFields), measure: 0, by: "where.topic & <b>" };
  // Recall is .5 and .2 of x, .5, .3 and .1 of the other: the second EVAL has both values.
  assert.deepEqual(bucketsOf(withFields, choice, [0, 1, 2], []), [
    { label: "__proto__", size: 1, rows: [1], means: [0.2, 0.3] },
    { label: "news", size: 2, rows: [0, 1], means: [0.35, 0.4] },
    { label: "(no value)", size: 1, rows: [2], means: [null, 0.1] },
  ]);
  assert.deepEqual(bucketsOf(withFields, choice, [0], []).map((one) => one.label), ["news"]);
});

test("CSV has the fields of the EVALs that are shown", () => {
  assert.equal(csvOf(withFields, firstChoice(withFields), [1]), "text,topic & <b>,url,x ROUGE-1 F,a&b = c ROUGE-1 F,x - a&b = c\n"
    + "d+2,__proto__; news,HTTP://17,0.4,0.39,0.01\n");
});

test("a field of CSV is no formula", () => {
  const odd = pageOf({ ...data, evals: ["-1", "a,\"b\"", "@x"] }, []);
  assert.equal(csvOf(odd, firstChoice(odd), [0, 1, 2]), "text,x ROUGE-1 F,a&b = c ROUGE-1 F,x - a&b = c\n"
    + "'-1,0.4,0.5,-0.1\n\"a,\"\"b\"\"\",0.4,0.39,0.01\n'@x,0.1,0.1,0\n");
});

test("scores are written with the digits of the report", () => {
  const [, measure] = page.measures;
  assert.equal(shown(page, -0.0000001, measure), "0.00000");
  assert.equal(shown(page, -0.5, measure), "\u22120.50000");
  assert.equal(shown(page, 0.5, measure, "+"), "+0.50000");
  assert.equal(shown(page, null, measure), "\u2013");
});

test("packed texts are what they were", () => {
  const heads = [{ m: 1, n: [""], p: [0, 1], s: 1, k: [[], [[[0, 2], ["25", "08"]]]] }];
  const [texts] = textsIn(`${JSON.stringify(heads)}\0one two\0two\u001F three\0the source`);
  assert.deepEqual(texts.peers, [null, { read: "two", tail: " three" }]);
  assert.equal(texts.source, "the source");
  // 5 is 2 + 1 * 3: the first metric counts the word, the second one does not.
  assert.deepEqual(marksOf(texts, 1, 0, 0), { peer: [2, 2], model: [0, 2], tally: null });
  assert.deepEqual(marksOf(texts, 1, 0, 2), { peer: [0, 1], model: [0, 2], tally: null });
  assert.equal(marksOf(texts, 0, 0, 0), null);
  // Behind three metrics the states of the others have letters of their own.
  texts.marks[1][0] = [[0, 1, 2, 4], ["A", "0", "12", "2"], [[5], [6], [7], [8]]];
  assert.deepEqual(marksOf(texts, 1, 0, 2), { peer: [1], model: [0], tally: [7] });
  assert.deepEqual(marksOf(texts, 1, 0, 4), { peer: [1, 2], model: [2], tally: [8] });
});

test("words are where the edges are, or letters and digits", () => {
  assert.deepEqual(piecesOf("It's 4!"), ["", "It", "'", "s", " ", "4", "!"]);
  assert.deepEqual(piecesOf("\u007F\u4E2D\u007F\u007F\u6587\u007F."), ["", "\u4E2D", "", "\u6587", "."]);
});

test("names may be those that every object has", () => {
  const names = ["constructor", "toString", "valueOf", "__proto__", "hasOwnProperty"];
  const of = names.map((_, index) => index);
  const odd = pageOf({
    ...data, systems: names, evals: names, metrics: names.map((name) => [name, ["S"]]), lower: of.map(() => 0), units: of.map(() => 1),
    scores: of.map((system) => of.map((metric) => [of.map((row) => system + metric + row)])),
    counts: of.map(() => of.map(() => null)), fields: names.map((name) => ({ name, values: names, evals: of })), chosen: "valueOf",
  }, []);
  assert.equal(odd.chosen, 2);
  names.forEach((name, index) => {
    const where = of.map((field) => (field === index ? name : null));
    const choice = { ...firstChoice(odd), measure: index, a: index, sort: String(index), by: `where.${name}`, where, row: index };
    assert.deepEqual(choiceIn(odd, addressOf(odd, choice)), choice);
    assert.deepEqual(rowsOf(odd, choice, []), [index]);
    assert.deepEqual(bucketsOf(odd, choice, [index], []), [{ label: name, size: 1, rows: [index], means: of.map((system) => system + 2 * index) }]);
    assert.equal(choiceIn(odd, `#by=${name}&a=x`).by, "");
  });
});

test("n-grams that one system finds are added up", async () => {
  // Of the model "a b a", the first system has all words in its hits, the second one only b.
  const texts = { names: [""], models: [{ read: "a b a", tail: "" }], peers: [], source: "",
    marks: [[[[0], ["8", "222"]]], [[[0], ["8", "020"]]]] };
  const two = { ...page, textsOf: async () => texts };
  assert.deepEqual(await foundOf(two, firstChoice(page), [0, 1]), [[["a", 4]], []]);
  const bigrams = { ...two, data: { ...data, metrics: [["ROUGE-2", ["R", "F"]], ["mine", ["S"]]] } };
  assert.deepEqual(await foundOf(bigrams, firstChoice(page), [0]), [[["a b", 1], ["b a", 1]], []]);
});
