/** The choice of EVALs and their order, and its form in the address; independent of the page. */

import { marksOf, shown, wordsOf } from "./page_data.js";

/**
 * @typedef {import("./page_data.js").Page} Page
 * @typedef {import("./page_data.js").Texts} Texts
 * @typedef {{ measure: number, a: number, b: number, sort: string, ascending: boolean,
 *   contains: string, loses: string, wins: string, low: string, high: string, lowb: string, highb: string, from: string, to: string,
 *   by: string, bucket: string, where: (string | null)[],
 *   row: number | null, unknown: string }} Choice
 * @typedef {{ text: string, nWords: number, rarity: number }} Facts
 * @typedef {{ label: string, size: number, means: (number | null)[], rows?: number[] }} Bucket
 */

export const BY = [
  ["", "nothing"], ["length", "length of the reference"], ["rarity", "rarity of the reference's words"],
  ["order", "place in the input"], ["place", "place in the reference"],
  ["only", "n-grams that one system finds"],
];
const N_BUCKETS = 5;
/** Who has the better score: A, neither, or B. */
export const OUTCOMES = ["", "a", "equal", "b"];
const MOST_FOUND = 20;
/** Prefix of record fields in an address. */
export const WHERE = "where.";
export const NO_VALUE = "(no value)";
const FORMULA = /^(\s*[=+\-@]|[\t\r])/u;

/**
 * Return the initial choice.
 * @param {Page} page
 * @returns {Choice}
 */
export const firstChoice = (page) => ({
  measure: page.chosen, a: 0, b: Math.min(1, page.data.systems.length - 1), sort: "", ascending: false,
  contains: "", loses: "", wins: "", low: "", high: "", lowb: "", highb: "", from: "", to: "", by: "", bucket: "",
  where: page.fields.map(() => null), row: null, unknown: "",
});

/**
 * Return the criteria for buckets of EVALs, with labels; each value of a field is a bucket.
 * @param {Page} page
 * @returns {[string, string][]}
 */
export const waysOf = (page) => [
  ...BY.map(([by, label]) => /** @type {[string, string]} */ ([by, label])),
  ...page.fields.filter((field) => field.isListed)
    .map(({ name }) => /** @type {[string, string]} */ ([WHERE + name, name])),
];

/**
 * Tell whether an EVAL has a value, or contains it if values are not listed; "" means no value.
 * @param {import("./page_data.js").Field} field
 * @param {number} row
 * @param {string} wanted
 */
const isOf = (field, row, wanted) => {
  const values = field.of[row];
  if (wanted === "") return values.length === 0;
  if (field.isListed) return values.includes(wanted);
  return values.some((value) => value.toLowerCase().includes(wanted.trim().toLowerCase()));
};

/**
 * Encode the difference from the initial choice as the fragment of an address.
 * @param {Page} page
 * @param {Choice} choice
 */
export const addressOf = (page, choice) => {
  const { data, measures } = page;
  const first = firstChoice(page);
  const named = choice.row === null ? choice.unknown : data.evals[choice.row];
  const parts = [
    ["eval", named],
    ["metric", choice.measure === first.measure ? "" : measures[choice.measure].label],
    ["a", choice.a === first.a ? "" : data.systems[choice.a]],
    ["b", choice.b === first.b ? "" : data.systems[choice.b]],
    ["sort", /^\d+$/u.test(choice.sort) ? `system ${data.systems[Number(choice.sort)]}` : choice.sort],
    ["order", choice.sort && choice.ascending ? "up" : ""],
    ["contains", choice.contains], ["loses", choice.loses], ["wins", choice.wins],
    ["low", choice.low], ["high", choice.high], ["lowb", choice.lowb], ["highb", choice.highb],
    ["from", choice.from], ["to", choice.to], ["by", choice.by], ["bucket", choice.bucket],
  ];
  const settings = parts.filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  page.fields.forEach(({ name }, index) => {
    const wanted = choice.where[index];
    if (wanted !== null) settings.push(`${encodeURIComponent(WHERE + name)}=${encodeURIComponent(wanted)}`);
  });
  return settings.length ? `#${settings.join("&")}` : "#evals";
};

/**
 * Decode the choice in an address; parts that are missing or invalid keep their initial value.
 * @param {Page} page
 * @param {string} hash
 * @returns {Choice}
 */
export const choiceIn = (page, hash) => {
  const { data, measures } = page;
  // A plus sign in an ID is literal, not a blank as in forms.
  const settings = new URLSearchParams(hash.slice(1).replaceAll("+", "%2B"));
  const choice = firstChoice(page);
  const indexIn = (/** @type {string[]} */ names, /** @type {string} */ name, /** @type {number} */ other) => {
    const index = names.indexOf(settings.get(name) ?? "");
    return index < 0 ? other : index;
  };
  choice.measure = indexIn(measures.map(({ label }) => label), "metric", choice.measure);
  choice.a = indexIn(data.systems, "a", choice.a);
  choice.b = indexIn(data.systems, "b", choice.b);
  const sort = settings.get("sort") ?? "";
  const sorted = data.systems.indexOf(sort.replace(/^system /u, ""));
  if (sort === "eval" || sort === "difference") choice.sort = sort;
  else if (sort.startsWith("system ") && sorted >= 0) choice.sort = String(sorted);
  choice.ascending = settings.get("order") === "up";
  choice.contains = settings.get("contains") ?? "";
  for (const name of /** @type {const} */ (["loses", "low", "high", "lowb", "highb", "from", "to"])) choice[name] = number(settings.get(name));
  choice.wins = OUTCOMES.includes(settings.get("wins") ?? "") ? settings.get("wins") ?? "" : "";
  choice.by = waysOf(page).some(([name]) => name === settings.get("by")) ? settings.get("by") ?? "" : "";
  choice.bucket = choice.by ? number(settings.get("bucket")) : "";
  choice.where = page.fields.map((field) => {
    const wanted = settings.get(WHERE + field.name);
    const isThere = field.isListed ? field.values.includes(wanted ?? "") || (wanted === "" && field.hasGaps)
      : wanted?.trim();
    return isThere ? wanted : null;
  });
  const named = settings.get("eval");
  if (named !== null) {
    const row = data.evals.indexOf(named);
    if (row < 0) choice.unknown = named;
    else choice.row = row;
  }
  return choice;
};

/** @param {string | null} text */
const number = (text) => (text !== null && text.trim() !== "" && Number.isFinite(Number(text)) ? text.trim() : "");

/**
 * Tell whether choosing EVALs requires their texts.
 * @param {Choice} choice
 */
export const needsFacts = (choice) => choice.contains.trim() !== "" || choice.from !== ""
  || choice.to !== "" || choice.by === "length" || choice.by === "rarity";

/**
 * Read all texts; return the searchable text, length and rarity of each EVAL.
 * @param {Page} page
 * @returns {Promise<(Facts | null)[]>}
 */
export const readFacts = async (page) => {
  /** @type {Map<string, number>} */
  const frequency = new Map();
  let total = 0;
  const read = await Promise.all(page.data.evals.map(async (_, row) => {
    const texts = await page.textsOf(row);
    if (texts === null) return null;
    const words = texts.models.flatMap((model) => wordsOf(model)).map((word) => word.toLowerCase());
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    total += words.length;
    const all = [...texts.models, ...texts.peers.flatMap((peer) => peer ?? [])];
    return { words, nModels: texts.models.length, text: all.map((text) => text.read + text.tail).join("\n").replaceAll("\u007F", "").toLowerCase() };
  }));
  return read.map((content) => {
    if (content === null) return null;
    const { words, nModels, text } = content;
    const bits = words.reduce((sum, word) => sum - Math.log2((frequency.get(word) ?? 1) / total), 0);
    return {
      text,
      nWords: Math.round(words.length / Math.max(1, nModels)),
      rarity: words.length ? bits / words.length : 0,
    };
  });
};

/**
 * Return the chosen EVALs in order; `facts` may be empty if no texts are needed.
 * @param {Page} page
 * @param {Choice} choice
 * @param {(Facts | null)[]} facts
 */
export const rowsOf = (page, choice, facts) => {
  const { data } = page;
  const measure = page.measures[choice.measure];
  const query = choice.contains.trim().toLowerCase();
  let rows = data.evals.map((_, row) => row);
  if (query) {
    rows = rows.filter((row) => data.evals[row].toLowerCase().includes(query) || facts[row]?.text.includes(query));
  }
  // Scores have five decimals; the difference of two has more because of rounding.
  const gain = (/** @type {number} */ row) => (
    (data.lower[measure.metric] ? -1 : 1) * (page.difference(choice.a, choice.b, row, measure) ?? NaN));
  const outcome = (/** @type {number} */ by) => (by > 1e-9 ? "a" : by < -1e-9 ? "b" : Number.isNaN(by) ? "" : "equal");
  if (choice.loses !== "") rows = rows.filter((row) => -gain(row) - Number(choice.loses) / page.factor(measure) > 1e-9);
  if (choice.wins !== "") rows = rows.filter((row) => outcome(gain(row)) === choice.wins);
  const ranges = /** @type {const} */ ([[choice.a, choice.low, choice.high], [choice.b, choice.lowb, choice.highb]]);
  for (const [system, from, below] of ranges.filter((range) => range[1] !== "" || range[2] !== "")) {
    const [low, high] = [Number(from || -Infinity), Number(below || Infinity)];
    rows = rows.filter((row) => {
      const score = (page.value(system, row, measure) ?? NaN) * page.factor(measure);
      return low <= score && score < high;
    });
  }
  page.fields.forEach((field, index) => {
    const wanted = choice.where[index];
    if (wanted !== null) rows = rows.filter((row) => isOf(field, row, wanted));
  });
  if (choice.from !== "") rows = rows.filter((row) => (facts[row]?.nWords ?? -1) >= Number(choice.from));
  if (choice.to !== "") rows = rows.filter((row) => (facts[row]?.nWords ?? Infinity) <= Number(choice.to));
  if (choice.sort === "" || (choice.sort === "eval" && !choice.ascending)) return rows;
  if (choice.sort === "eval") return rows.toReversed();
  const key = choice.sort === "difference"
    ? (/** @type {number} */ row) => page.difference(choice.a, choice.b, row, measure)
    : (/** @type {number} */ row) => page.value(Number(choice.sort), row, measure);
  const sign = choice.ascending ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || a - b;
    return sign * (x - y) || a - b;
  });
};

/** @param {(number | null)[]} numbers */
const mean = (numbers) => {
  const known = numbers.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
};

/**
 * Split EVALs into parts of about the same size; those with the same key stay together.
 * @param {number[]} rows
 * @param {(row: number) => number} key
 * @returns {number[][]}
 */
export const parts = (rows, key) => {
  const sorted = rows.toSorted((a, b) => key(a) - key(b) || a - b);
  /** @type {number[][]} */
  const buckets = [];
  let now = -1;
  sorted.forEach((row, index) => {
    const wanted = Math.floor((index * N_BUCKETS) / sorted.length);
    const last = buckets.at(-1)?.at(-1);
    if (wanted > now && (last === undefined || key(last) !== key(row))) {
      buckets.push([]);
      now = wanted;
    }
    buckets.at(-1)?.push(row);
  });
  return buckets;
};

/**
 * Return the mean score of each system in each bucket of the visible EVALs.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 * @param {(Facts | null)[]} facts
 * @returns {Bucket[]}
 */
export const bucketsOf = (page, choice, rows, facts) => {
  const measure = page.measures[choice.measure];
  const bucket = (/** @type {string} */ label, /** @type {number[]} */ part) => ({
    label,
    size: part.length,
    rows: part,
    means: page.data.systems.map((_, system) => mean(part.map((row) => page.value(system, row, measure)))),
  });
  const field = page.fields.find(({ name }) => WHERE + name === choice.by);
  if (field) {
    return [...field.values, ""].map((value) => bucket(value || NO_VALUE, rows.filter((row) => isOf(field, row, value))))
      .filter(({ size }) => size > 0);
  }
  const known = choice.by === "order" ? rows : rows.filter((row) => facts[row] !== null);
  const key = {
    length: (/** @type {number} */ row) => facts[row]?.nWords ?? 0,
    rarity: (/** @type {number} */ row) => facts[row]?.rarity ?? 0,
  }[choice.by] ?? ((/** @type {number} */ row) => row);
  const label = (/** @type {number[]} */ part) => {
    const [low, high] = [key(part[0]), key(part.at(-1) ?? 0)];
    if (choice.by === "order") return `Texts ${low + 1} to ${high + 1}`;
    if (choice.by === "length") return low === high ? `${low} words` : `${low} to ${high} words`;
    return `${low.toFixed(2)} to ${high.toFixed(2)} bits`;
  };
  return parts(known, key).map((part) => bucket(label(part), part));
};

/**
 * Return the share of words that belong to a hit, for each fifth of the models.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 * @returns {Promise<Bucket[]>}
 */
export const placesOf = async (page, choice, rows) => {
  const { systems } = page.data;
  const { metric } = page.measures[choice.measure];
  const hits = Array.from({ length: N_BUCKETS }, () => systems.map(() => 0));
  const sizes = Array.from({ length: N_BUCKETS }, () => systems.map(() => 0));
  const all = await Promise.all(rows.map((row) => page.textsOf(row)));
  for (const texts of all.flatMap((evalTexts) => evalTexts ?? [])) {
    systems.forEach((_, system) => texts.models.forEach((__, model) => {
      const states = marksOf(texts, system, model, metric)?.model ?? [];
      states.forEach((state, word) => {
        const bucket = Math.floor((word * N_BUCKETS) / states.length);
        hits[bucket][system] += Number(state === 2);
        sizes[bucket][system] += 1;
      });
    }));
  }
  return hits.map((counts, bucket) => ({
    label: `${["first", "second", "third", "fourth", "last"][bucket]} fifth`,
    size: Math.max(...sizes[bucket]),
    means: counts.map((count, system) => (sizes[bucket][system] ? count / sizes[bucket][system] : null)),
  }));
};

/**
 * Return the n-grams of models that count for A alone and for B alone, the most frequent first. A
 * metric without n-grams has words.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 * @returns {Promise<[string, number][][]>}
 */
export const foundOf = async (page, choice, rows) => {
  const { metric } = page.measures[choice.measure];
  const n = Number(/^ROUGE-(\d)$/u.exec(page.data.metrics[metric][0])?.[1] ?? 1);
  const all = await Promise.all(rows.map((row) => page.textsOf(row)));
  /** @type {Map<string, number>[]} */
  const counts = [new Map(), new Map()];
  for (const texts of all.flatMap((evalTexts) => evalTexts ?? [])) {
    texts.models.forEach((text, model) => {
      const states = [choice.a, choice.b].map((system) => marksOf(texts, system, model, metric)?.model ?? []);
      const words = wordsOf(text).map((word) => word.toLowerCase());
      for (let start = 0; start + n <= words.length; start += 1) {
        const [a, b] = states.map((marks) => marks.slice(start, start + n).every((state) => state === 2) && marks.length > 0);
        const gram = words.slice(start, start + n).join(" ");
        if (a !== b) counts[a ? 0 : 1].set(gram, (counts[a ? 0 : 1].get(gram) ?? 0) + 1);
      }
    });
  }
  return counts.map((side) => [...side].toSorted((x, y) => y[1] - x[1]).slice(0, MOST_FOUND));
};

/** @param {string | number} value */
const cell = (value) => {
  // A spreadsheet would evaluate such a text as a formula.
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * Format the visible EVALs as CSV: fields, scores in the metric, and A minus B.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 */
export const csvOf = (page, choice, rows) => {
  const { data } = page;
  const measure = page.measures[choice.measure];
  const written = (/** @type {number | null} */ score) => (
    score === null ? "" : Number(shown(page, score, measure).replace("\u2212", "-")));
  const hasPairs = data.systems.length > 1;
  const head = ["text", ...page.fields.map(({ name }) => name), ...data.systems.map((name) => `${name} ${measure.label}`)];
  if (hasPairs) head.push(`${data.systems[choice.a]} - ${data.systems[choice.b]}`);
  const lines = rows.map((row) => {
    const cells = data.systems.map((_, system) => written(page.value(system, row, measure)));
    if (hasPairs) cells.push(written(page.difference(choice.a, choice.b, row, measure)));
    return [data.evals[row], ...page.fields.map(({ of }) => of[row].join("; ")), ...cells];
  });
  return [head, ...lines].map((line) => `${line.map(cell).join(",")}\n`).join("");
};
