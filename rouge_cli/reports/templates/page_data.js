/** The data of the page: scores of all EVALs, and texts, which are unpacked on demand. */

import { make } from "./page_parts.js";

/**
 * @typedef {{ systems: string[], shown: string[], metrics: [string, string[]][], lower: number[], evals: string[],
 *   scores: (number | null)[][][][], counts: ((number | null)[][] | null)[][], units: number[],
 *   texts: number[], chunks: number[], source: string, percent: boolean, chosen: string,
 *   fields: { name: string, values: string[], evals: (number | number[])[] }[] }} Data
 * @typedef {{ read: string, tail: string }} Text
 * @typedef {[number[], string[], number[][]?]} Marks
 * @typedef {{ names: string[], models: Text[], peers: (Text | null)[], marks: Marks[][], source: string }} Texts
 * @typedef {{ metric: number, index: number, letter: string, label: string }} Measure
 * @typedef {ReturnType<typeof fieldOf>} Field
 * @typedef {ReturnType<typeof pageOf>} Page
 */

/** Surrounds each word of texts whose words do not match `WORD`. */
export const EDGE = "\u007F";
const WORD = /([A-Za-z0-9]+)/u;
const FIRST_LETTER = "0".charCodeAt(0);

/** @param {string} packed */
export const unpack = (packed) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
};

/**
 * Parse a chunk.
 * @param {string} plain
 * @returns {Texts[]}
 */
export const textsIn = (plain) => {
  const [heads, ...texts] = plain.split("\0");
  let index = 0;
  const take = () => {
    const [read, tail = ""] = texts[index].split("\u001F");
    index += 1;
    return { read, tail };
  };
  return JSON.parse(heads).map((/** @type {any} */ head) => ({
    names: head.n,
    models: Array.from({ length: head.m }, take),
    peers: head.p.map((/** @type {number} */ has) => (has ? take() : null)),
    marks: head.k,
    source: head.s ? take().read : "",
  }));
};

/**
 * Split a text into alternating separators and words, starting with a separator.
 * @param {string} read
 */
export const piecesOf = (read) => read.split(read.includes(EDGE) ? EDGE : WORD);

/**
 * Return the element of a system's name, which is short where many names share a part.
 * @param {Page} page
 * @param {number} system
 */
export const nameOf = (page, system) => make("span", { title: page.data.systems[system] }, page.data.shown[system]);

/**
 * Return the words of a text.
 * @param {Text} text
 */
export const wordsOf = (text) => piecesOf(text.read).filter((_, index) => index % 2);

/**
 * Return for each word 0 (matches nothing), 1 (matches, does not count) or 2 (counts), and the
 * counts of the pair if the EVAL has several models; null if the metric marks no words.
 * @param {Texts} texts
 * @param {number} system
 * @param {number} model
 * @param {number} metric
 */
export const marksOf = (texts, system, model, metric) => {
  const marks = texts.marks[system]?.[model];
  const index = marks ? marks[0].indexOf(metric) : -1;
  if (!marks || index < 0) return null;
  const divisor = 3 ** (index % 3);
  const states = (/** @type {number} */ side) => Array.from(
    marks[1][Math.floor(index / 3) * 2 + side],
    (letter) => Math.floor((letter.charCodeAt(0) - FIRST_LETTER) / divisor) % 3,
  );
  return { peer: states(0), model: states(1), tally: marks[2]?.[index] ?? null };
};

/** Up to this many values form a list; otherwise, the reader types part of a value. */
const MOST_LISTED = 100;

/**
 * Return a field of the records; `of` has the values of each EVAL.
 * @param {Data["fields"][number]} field
 */
const fieldOf = ({ name, values, evals }) => {
  const of = evals.map((indices) => [indices].flat().map((index) => values[index]));
  return {
    name, values, of,
    isListed: values.length <= MOST_LISTED,
    hasGaps: of.some(({ length }) => length === 0),
    hasSeveral: of.some(({ length }) => length > 1),
  };
};

/**
 * Return the data of the page, with the accessors that the other modules use.
 * @param {Data} data
 * @param {string[]} chunks
 */
export const pageOf = (data, chunks) => {
  /** @type {Map<number, Promise<Texts[]>>} */
  const loaded = new Map();
  /** @type {Map<number, [number, number]>} */
  const home = new Map();
  let packed = 0;
  data.chunks.forEach((size, chunk) => {
    for (let index = 0; index < size; index += 1) {
      home.set(data.texts[packed], [chunk, index]);
      packed += 1;
    }
  });
  /** @type {Measure[]} */
  const measures = data.metrics.flatMap(([name, letters], metric) => letters.map((letter, index) => (
    { metric, index, letter, label: letter === "S" ? name : `${name} ${letter}` })));
  const chosen = Math.max(0, measures.findIndex(({ label }) => label === data.chosen));
  /** @type {(system: number, row: number, measure: Measure) => number | null} */
  const value = (system, row, measure) => {
    const score = data.scores[system][measure.metric][measure.index][row];
    return score === null ? null : score / data.units[measure.metric];
  };
  return {
    data,
    measures,
    fields: data.fields.map(fieldOf),
    chosen,
    nTexts: home.size,
    value,
    /** @type {(a: number, b: number, row: number, measure: Measure) => number | null} */
    difference: (a, b, row, measure) => {
      const [x, y] = [value(a, row, measure), value(b, row, measure)];
      return x === null || y === null ? null : x - y;
    },
    /** @type {(measure: Measure) => number} */
    factor: (measure) => (data.percent && measure.letter !== "S" ? 100 : 1),
    /** @type {(row: number) => Promise<Texts | null>} */
    textsOf: async (row) => {
      const position = home.get(row);
      if (!position) return null;
      const [chunk, index] = position;
      if (!loaded.has(chunk)) {
        loaded.set(chunk, unpack(chunks[chunk]).then(textsIn));
      }
      return (await /** @type {Promise<Texts[]>} */ (loaded.get(chunk)))[index];
    },
  };
};

/**
 * Format a score.
 * @param {Page} page
 * @param {number | null} number
 * @param {Measure} measure
 */
export const shown = (page, number, measure, sign = "") => {
  if (number === null) return "\u2013";
  const factor = page.factor(measure);
  const text = (number * factor).toFixed(factor === 100 ? 3 : 5);
  if (Number(text) === 0) return text.replace("-", "");
  return (number > 0 ? sign : "") + text.replace("-", "\u2212");
};
