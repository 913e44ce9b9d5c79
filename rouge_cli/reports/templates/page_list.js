/** The list of EVALs, and the table of their buckets. */

import { WHERE, foundOf, placesOf } from "./page_choice.js";
import { nameOf, shown } from "./page_data.js";
import { $, make, putBar } from "./page_parts.js";

/**
 * @typedef {import("./page_data.js").Page} Page
 * @typedef {import("./page_choice.js").Choice} Choice
 * @typedef {import("./page_choice.js").Facts} Facts
 */

export const PER_PAGE = 100;
const MOST_COLUMNS = 4;

/**
 * Return the systems shown as columns: all, or the two compared ones.
 * @param {Page} page
 * @param {Choice} choice
 */
const columnsOf = (page, choice) => {
  const systems = page.data.systems.map((_, system) => system);
  return systems.length <= MOST_COLUMNS ? systems : [...new Set([choice.a, choice.b])];
};

/**
 * Label a system, with A or B if it is compared.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number} system
 */
const named = (page, choice, system) => {
  const tags = page.data.systems.length > 1
    ? [["A", choice.a], ["B", choice.b]].filter(([, compared]) => compared === system) : [];
  return [...tags.map(([tag]) => make("span", { className: `tag ${tag}` }, String(tag))),
    nameOf(page, system)];
};

/**
 * Render a page of the list.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 * @param {number} start
 * @param {{ link: (row: number) => string, order: (name: string) => void }} actions
 */
export const drawList = (page, choice, rows, start, actions) => {
  const measure = page.measures[choice.measure];
  const heading = (/** @type {string} */ name, /** @type {(Node | string)[]} */ label, /** @type {string} */ side) => {
    const button = make("button", { type: "button" }, ...label);
    button.addEventListener("click", () => actions.order(name));
    const cell = make("th", { scope: "col", className: side, "data-name": name }, button);
    const isUp = name === "eval" ? !choice.ascending : choice.ascending;
    if (choice.sort === name) cell.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    return cell;
  };
  const columns = columnsOf(page, choice);
  const hasPairs = page.data.systems.length > 1;
  const heads = [heading("eval", ["Text"], "l"),
    ...columns.map((system) => heading(String(system), named(page, choice, system), "r"))];
  if (hasPairs) heads.push(heading("difference", ["A \u2212 B"], "r"));
  $("list").tHead.replaceChildren(make("tr", {}, ...heads));
  const isShare = page.data.units[measure.metric] > 1;
  const listed = rows.slice(start, start + PER_PAGE);
  const stop = choice.row !== null && listed.includes(choice.row) ? choice.row : listed[0];
  const lines = listed.map((row) => {
    // One stop of the tab key: the arrows go from there.
    const link = make("a", { href: actions.link(row), tabIndex: row === stop ? 0 : -1 }, page.data.evals[row]);
    const line = make("tr", { "data-row": row }, make("th", { scope: "row", className: "l" }, link));
    for (const system of columns) {
      const score = page.value(system, row, measure);
      const cell = make("td", { className: "r" }, shown(page, score, measure));
      if (isShare && score !== null) putBar(cell, score);
      line.append(cell);
    }
    if (hasPairs) {
      const difference = page.difference(choice.a, choice.b, row, measure);
      line.append(make("td", { className: "r" }, shown(page, difference, measure, "+")));
    }
    if (row === choice.row) line.setAttribute("aria-current", "true");
    return line;
  });
  $("list").tBodies[0].replaceChildren(...lines);
};

const CAPTIONS = {
  length: "Mean score by the number of words of the reference.",
  rarity: "Mean score by how rare the words of the reference are: the mean of \u2212log\u2082 of the share that a word has in all references of this page.",
  order: "Mean score by the place of the text in the input.",
  place: "Share of the words of the reference that are part of a hit, by where they stand in it.",
};

/**
 * Render the table of buckets of the visible EVALs.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 * @param {import("./page_choice.js").Bucket[]} buckets
 * @param {(bucket: number) => string} link
 */
export const drawBuckets = async (page, choice, rows, buckets, link) => {
  const measure = page.measures[choice.measure];
  const { systems } = page.data;
  const box = $("buckets");
  box.hidden = choice.by === "";
  if (choice.by === "") return;
  const isPlace = choice.by === "place";
  if (choice.by === "only") {
    box.replaceChildren(await tableOfFound(page, choice, rows));
    return;
  }
  const drawn = isPlace ? await placesOf(page, choice, rows) : buckets;
  const hasPairs = !isPlace && systems.length > 1;
  const heads = [isPlace ? "Part of the reference" : "Bucket", isPlace ? "Words" : "Texts",
    ...systems.map((_, system) => nameOf(page, system)), ...(hasPairs ? ["A \u2212 B", "95% interval"] : [])];
  const isShare = isPlace || page.data.units[measure.metric] > 1;
  const body = drawn.map(({ label, size, means, rows: part }, bucket) => {
    const cells = means.map((mean) => {
      const text = isPlace && mean !== null ? `${(100 * mean).toFixed(1)}%` : shown(page, mean, measure);
      const cell = make("td", { className: "r" }, text);
      if (isShare && mean !== null) putBar(cell, mean);
      return cell;
    });
    const head = part ? make("a", { href: link(bucket) }, label) : label;
    const texts = hasPairs && part ? differenceIn(page, choice, part) : [];
    return make("tr", {}, make("th", { scope: "row", className: "l" }, head), make("td", { className: "r" }, String(size)),
      ...cells, ...texts.map((text) => make("td", { className: "r" }, text)));
  });
  const field = page.fields.find(({ name }) => WHERE + name === choice.by);
  const about = !field ? CAPTIONS[/** @type {keyof typeof CAPTIONS} */ (choice.by)]
    : `Mean score by ${field.name}.${field.hasSeveral ? " A text whose records differ in it counts under each of its values." : ""}`;
  const caption = `${about} ${measure.label}, of the texts that are listed.${
    hasPairs ? " The interval is that of the normal distribution, of this bucket alone." : ""}`;
  box.replaceChildren(tableOf(caption, heads, body));
};

/**
 * @param {string} caption
 * @param {(Node | string)[]} heads
 * @param {Node[]} body
 */
const tableOf = (caption, heads, body) => make("table", {}, make("caption", {}, caption),
  make("thead", {}, make("tr", {}, ...heads.map((head, column) => make("th", { scope: "col", className: column ? "r" : "l" }, head)))),
  make("tbody", {}, ...body));

/**
 * Return the mean of A less B, and its interval.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 */
const differenceIn = (page, choice, rows) => {
  const measure = page.measures[choice.measure];
  const values = rows.map((row) => page.difference(choice.a, choice.b, row, measure)).filter((value) => value !== null);
  const n = values.length;
  if (n === 0) return ["\u2013", "\u2013"];
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const error = 1.96 * Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) / n);
  const bounds = n > 1 ? [mean - error, mean + error].map((bound) => shown(page, bound, measure, "+")) : [];
  return [shown(page, mean, measure, "+"), bounds.length ? `[${bounds.join(", ")}]` : "\u2013"];
};

/**
 * Make the table of the n-grams of models that A finds and B does not, and the other way round.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 */
const tableOfFound = async (page, choice, rows) => {
  const measure = page.measures[choice.measure];
  const sides = await foundOf(page, choice, rows);
  const name = page.data.metrics[measure.metric][0];
  const body = Array.from({ length: Math.max(...sides.map(({ length }) => length)) }, (_, rank) => make("tr", {},
    ...sides.flatMap((side) => [make("td", { className: "l" }, side[rank]?.[0] ?? ""), make("td", { className: "r" }, String(side[rank]?.[1] ?? ""))])));
  return tableOf(`What A alone and B alone find in the references, and how often, in ${name}, of the texts that are listed; the most frequent ones.`,
    ["Only A", "times", "Only B", "times"], body);
};
