/** The list of EVALs, and the table of their buckets. */

import { WHERE, bucketsOf, placesOf } from "./page_choice.js";
import { shown } from "./page_data.js";
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
    page.data.systems[system]];
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
  const heads = [heading("eval", ["EVAL"], "l"),
    ...columns.map((system) => heading(String(system), named(page, choice, system), "r"))];
  if (hasPairs) heads.push(heading("difference", ["A \u2212 B"], "r"));
  $("list").tHead.replaceChildren(make("tr", {}, ...heads));
  const isShare = page.data.units[measure.metric] > 1;
  const lines = rows.slice(start, start + PER_PAGE).map((row) => {
    const link = make("a", { href: actions.link(row) }, page.data.evals[row]);
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
  length: "Mean score by the number of words of the model.",
  rarity: "Mean score by how rare the words of the model are: the mean of \u2212log\u2082 of the share that a word has in all models of this page.",
  order: "Mean score by the place of the EVAL in the input.",
  place: "Share of the words of the model that are part of a hit, by where they stand in it.",
};

/**
 * Render the table of buckets of the visible EVALs.
 * @param {Page} page
 * @param {Choice} choice
 * @param {number[]} rows
 * @param {(Facts | null)[]} facts
 */
export const drawBuckets = async (page, choice, rows, facts) => {
  const measure = page.measures[choice.measure];
  const box = $("buckets");
  box.hidden = choice.by === "";
  if (choice.by === "") return;
  const isPlace = choice.by === "place";
  const buckets = isPlace ? await placesOf(page, choice, rows) : bucketsOf(page, choice, rows, facts);
  const head = make("tr", {}, ...[isPlace ? "Part of the model" : "Bucket", isPlace ? "Words" : "EVALs"]
    .map((text, column) => make("th", { scope: "col", className: column ? "r" : "l" }, text)),
  ...page.data.systems.map((name) => make("th", { scope: "col", className: "r" }, name)));
  const isShare = isPlace || page.data.units[measure.metric] > 1;
  const body = buckets.map(({ label, size, means }) => make("tr", {}, make("th", { scope: "row", className: "l" }, label),
    make("td", { className: "r" }, String(size)),
    ...means.map((mean) => {
      const text = isPlace && mean !== null ? `${(100 * mean).toFixed(1)}%` : shown(page, mean, measure);
      const cell = make("td", { className: "r" }, text);
      if (isShare && mean !== null) putBar(cell, mean);
      return cell;
    })));
  const field = page.fields.find(({ name }) => WHERE + name === choice.by);
  const about = !field ? CAPTIONS[/** @type {keyof typeof CAPTIONS} */ (choice.by)]
    : `Mean score by ${field.name}.${field.hasSeveral ? " An EVAL whose records differ in it counts under each of its values." : ""}`;
  const caption = `${about} ${measure.label}, of the EVALs that are listed.`;
  box.setAttribute("aria-label", "Buckets");
  box.replaceChildren(make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body)));
};
