/** One EVAL: its scores, and its texts side by side with matches marked. */

import { marksOf, nameOf, piecesOf, shown, wordsOf } from "./page_data.js";
import { chips, make } from "./page_parts.js";

/**
 * @typedef {import("./page_data.js").Page} Page
 * @typedef {import("./page_data.js").Text} Text
 * @typedef {import("./page_data.js").Texts} Texts
 * @typedef {import("./page_choice.js").Choice} Choice
 * @typedef {NonNullable<ReturnType<typeof marksOf>>} PairMarks
 */

/** @param {number | null | undefined} number */
const count = (number) => (number === null || number === undefined ? "\u2013"
  : Number.isInteger(number) ? String(number) : number.toFixed(5));

/**
 * Render a text; `classOf` returns the class of a marked word, or an empty string. Neighbours with
 * the same class share a mark, since marks would cut letters that are joined.
 * @param {Text} text
 * @param {(word: number) => string} classOf
 */
const marked = (text, classOf) => {
  const element = make("p", { className: "text", dir: "auto" });
  const pieces = piecesOf(text.read);
  /** @type {string[]} */
  const classes = [];
  pieces.forEach((piece, index) => {
    // The vowel am of Thai and Lao is part of the letter before it.
    const isPart = index > 1 && pieces[index - 1] === "" && /^[\u0E33\u0EB3]/u.test(piece);
    if (index % 2) classes.push(isPart ? classes[classes.length - 1] : classOf((index - 1) / 2));
  });
  let now = "";
  /** @type {HTMLElement} */
  let box = element;
  pieces.forEach((piece, index) => {
    const mark = index % 2 ? classes[(index - 1) / 2] : "";
    const continues = index % 2 === 0 && now && !piece.trim() && index + 1 < pieces.length && classes[index / 2] === now;
    if (!continues && mark !== now) {
      box = mark ? make("mark", { className: mark }) : element;
      if (mark) element.append(box);
      now = mark;
    }
    box.append(mark ? make("span", {}, piece) : piece);
  });
  if (text.tail) element.append(make("span", { className: "cut", title: "cut off by the limit" }, text.tail));
  return element;
};

/**
 * Return the class of a word of a peer.
 * @param {PairMarks | null} marks
 * @param {string} side
 */
const inPeer = (marks, side) => (/** @type {number} */ word) => (
  ["", "clipped", `counts ${side}`][marks?.peer[word] ?? 0]);

/**
 * Return the class of a word of the model, from its status for both peers; with `differs` words
 * that count for both have none.
 * @param {(PairMarks | null)[]} sides
 * @param {boolean} differs
 */
const inModel = (sides, differs) => (/** @type {number} */ word) => {
  const states = sides.map((marks) => marks?.model[word] ?? 0);
  const counting = ["a", "b"].filter((_, side) => states[side] === 2);
  if (differs && counting.length !== 1) return "";
  if (counting.length) return `counts ${counting.join(" ")}`;
  return states.includes(1) ? "clipped" : "";
};

/**
 * Describe the counts and scores of a peer and a model.
 * @param {Page} page
 * @param {number} row
 * @param {number} system
 * @param {number} metric
 * @param {number[] | null} tally
 */
const told = (page, row, system, metric, tally) => {
  const [name, letters] = page.data.metrics[metric];
  const counts = page.data.counts[system][metric];
  const [hit, model, peer, isCounted, ...values] = tally
    ?? [...(counts ?? []).map((column) => column[row]), 1,
      ...["R", "P", "F"].map((letter) => page.value(system, row, { metric, index: letters.indexOf(letter), letter, label: "" }))];
  const scores = ["R", "P", "F"].map((letter, index) => (
    `${letter}\u00A0${shown(page, values[index] ?? null, { metric, index, letter, label: "" })}`));
  return `${name}: hit ${count(hit)}, reference count ${count(model)}, prediction count ${count(peer)}; ${scores.join(", ")}${
    isCounted ? "" : " \u2013 the score is that of another reference"}`;
};

/**
 * Make the table of all metrics.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number} row
 */
const scoresOf = (page, choice, row) => {
  const { data, measures } = page;
  const { letter } = measures[choice.measure];
  const pair = data.systems.length > 1 ? [choice.a, choice.b] : [choice.a];
  /** @type {(Node | string)[]} */
  const heads = ["Metric", ...pair.map((system) => nameOf(page, system))];
  if (pair.length > 1) heads.push("A \u2212 B");
  const lines = data.metrics.map((_, metric) => {
    const candidates = measures.filter((candidate) => candidate.metric === metric);
    const measure = candidates.find((candidate) => candidate.letter === letter)
      ?? candidates.find((candidate) => candidate.letter === "F") ?? candidates[0];
    const cells = pair.map((system) => shown(page, page.value(system, row, measure), measure));
    if (pair.length > 1) cells.push(shown(page, page.difference(choice.a, choice.b, row, measure), measure, "+"));
    return make("tr", {}, make("th", { scope: "row", className: "l" }, measure.label),
      ...cells.map((text) => make("td", { className: "r" }, text)));
  });
  const head = make("tr", {}, ...heads.map((text, column) => make("th", { scope: "col", className: column ? "r" : "l" }, text)));
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines));
  return make("div", { className: "scroll", role: "region", tabIndex: 0, "aria-label": "Scores of this text" }, table);
};

/**
 * Show the texts side by side: A, the model, B.
 * @param {Page} page
 * @param {Choice} choice
 * @param {Texts} texts
 * @param {{ row: number, model: number, metric: number | undefined, differs: boolean }} asked
 */
const sidesOf = (page, choice, texts, { row, model, metric, differs }) => {
  const hasPairs = page.data.systems.length > 1 && choice.a !== choice.b;
  const pair = hasPairs ? [choice.a, choice.b] : [choice.a];
  const marks = pair.map((system) => (metric === undefined ? null : marksOf(texts, system, model, metric)));
  const words = wordsOf(texts.models[model]);
  const only = onlyOf(words, marks);
  const side = (/** @type {string} */ name, /** @type {(Node | string)[]} */ ...content) => (
    make("div", { className: `side ${name}`, "data-side": name }, ...content));
  const peers = pair.map((system, index) => {
    const letter = "ab"[index];
    const head = make("h4", {}, ...(hasPairs ? [make("span", { className: `tag ${letter.toUpperCase()}` }, letter.toUpperCase())] : []),
      nameOf(page, system));
    const text = texts.peers[system];
    if (text === null) return side(letter, head, make("p", { className: "note" }, "This system has no text here."));
    const pairMarks = marks[index];
    const counts = pairMarks && metric !== undefined
      ? [make("p", { className: "count told" }, told(page, row, system, metric, pairMarks.tally))] : [];
    const written = wordsOf(text);
    const length = `${written.length} words, ${words.length ? (written.length / words.length).toFixed(2) : "\u2013"} of the reference`;
    const alone = new Set(only[index].map((word) => word.toLowerCase()));
    const inOwn = inPeer(pairMarks, letter);
    const classOf = (/** @type {number} */ word) => (differs && !alone.has(written[word].toLowerCase()) ? "" : inOwn(word));
    const alonePart = hasPairs && only[index].length
      ? [make("p", { className: "count" }, make("b", {}, `Only ${letter.toUpperCase()} finds: `), only[index].join(", "))] : [];
    return side(letter, head, make("p", { className: "count" }, length), ...counts, ...alonePart, marked(text, classOf));
  });
  const name = texts.models.length > 1 && texts.names[model] ? `Reference ${texts.names[model]}` : "Reference";
  const middle = side("model", make("h4", {}, name), 
    make("p", { className: "count" }, `${words.length} words`), marked(texts.models[model], inModel(marks, differs)));
  return make("div", { className: "sides" }, peers[0], middle, ...peers.slice(1));
};

/**
 * Return the words of the model that count for one system alone, each once.
 * @param {string[]} words
 * @param {(PairMarks | null)[]} marks
 * @returns {string[][]}
 */
const onlyOf = (words, marks) => marks.map((of, side) => {
  const other = marks[1 - side];
  return [...new Set(words.filter((_, word) => of?.model[word] === 2 && other?.model[word] !== 2))];
});

/** @param {boolean} hasPairs */
const legendOf = (hasPairs) => {
  const line = (/** @type {string} */ name, /** @type {string} */ text) => (
    make("li", {}, make("mark", { className: name }, "word"), ` ${text}`));
  const lines = hasPairs
    ? [line("counts a", "part of a hit of A"), line("counts b", "of B"), line("counts a b", "of both")]
    : [line("counts a", "part of a hit")];
  return make("ul", { className: "legend" }, ...lines, line("clipped", "matches, but is clipped"));
};

/**
 * Highlight the word under the pointer in all texts.
 * @param {HTMLElement} panel
 */
export const followWords = (panel) => {
  panel.addEventListener("pointerover", (event) => {
    const mark = /** @type {Element} */ (event.target).closest(".side mark span");
    for (const twin of panel.querySelectorAll(".twin")) twin.classList.remove("twin");
    if (mark === null) return;
    const word = mark.textContent?.toLowerCase();
    for (const other of panel.querySelectorAll(".side mark span")) {
      if (other.textContent?.toLowerCase() === word) other.classList.add("twin");
    }
  });
};

/**
 * Return the content of an EVAL below its heading.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number} row
 * @param {{ model: number, differs: boolean, choose: (name: "marks" | "model" | "differs", option: number) => void,
 *   whereLink: (field: number, value: string) => string }} asked
 */
export const evalOf = async (page, choice, row, { model, differs, choose, whereLink }) => {
  const { data, measures } = page;
  /** @type {HTMLElement[]} */
  const parts = [scoresOf(page, choice, row)];
  const values = page.fields.flatMap(({ name, of, isListed }, field) => (of[row].length
    ? [make("span", {}, make("b", {}, name), ...of[row].flatMap((value, index) => [index ? "; " : " ",
      isListed ? make("a", { href: whereLink(field, value) }, value) : value]))] : []));
  if (values.length) parts.unshift(make("p", { className: "of-record" }, ...values));
  const texts = await page.textsOf(row);
  if (texts === null) {
    return [...parts, make("p", { className: "note" }, "The prediction and the reference of this text are not in this file.")];
  }
  const chosenModel = model in texts.models ? model : 0;
  const metrics = data.metrics.map((_, metric) => metric).filter((metric) => (
    [choice.a, choice.b].some((system) => texts.marks[system]?.[chosenModel]?.[0].includes(metric))));
  const { metric } = measures[choice.measure];
  const now = metrics.includes(metric) ? metric : metrics.at(0);
  if (metrics.length > 1) {
    parts.push(chips("marks", "Marks of", metrics.map((option) => [option, data.metrics[option][0]]), now ?? 0, (option) => choose("marks", option)));
  }
  if (texts.models.length > 1) {
    parts.push(chips("model", "Reference",
      texts.models.map((_, index) => [index, texts.names[index] || String(index + 1)]), chosenModel, (option) => choose("model", option)));
  }
  const hasPairs = data.systems.length > 1 && choice.a !== choice.b;
  if (metrics.length && hasPairs) {
    parts.push(chips("differs", "Show", [[0, "all marks"], [1, "different only"]], Number(differs), (option) => choose("differs", option)));
  }
  if (metrics.length) parts.push(legendOf(data.systems.length > 1));
  if (texts.models.length) parts.push(sidesOf(page, choice, texts, { row, model: chosenModel, metric: now, differs: differs && hasPairs }));
  if (texts.source) {
    parts.push(make("details", { className: "source", open: true }, make("summary", {}, `Source (${data.source})`),
      make("p", { className: "text", dir: "auto" }, texts.source)));
  }
  return parts;
};
