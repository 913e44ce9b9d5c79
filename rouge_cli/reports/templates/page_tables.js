/** Sortable tables, and power curves whose values can be read off. */

import { make } from "./page_parts.js";

/**
 * @typedef {[number, number]} Point a size, and the power of a study of this size
 */

/**
 * Compare two cells by their leading numbers, or else as text.
 * Cells without a number come last in either direction.
 * @param {string} left
 * @param {string} right
 * @param {boolean} isNumber
 * @param {number} sign 1: ascending, -1: descending
 */
export const compareCells = (left, right, isNumber, sign) => {
  if (!isNumber) return sign * left.localeCompare(right, "en", { numeric: true });
  const [first, second] = [left, right].map((text) => parseFloat(text.replace("\u2212", "-")));
  if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
  return sign * (first - second);
};

/**
 * Return the power at size `n` by linear interpolation.
 * @param {Point[]} points with ascending sizes
 * @param {number} n between the first size and the last
 */
export const powerAt = (points, n) => {
  const end = Math.max(1, points.findIndex(([size]) => size >= n));
  const [[from, low], [to, high]] = points.slice(end - 1, end + 1);
  return low + (high - low) * (n - from) / (to - from);
};

/**
 * Describe a value read off a curve.
 * @param {string} sentence with {n} for the size
 * @param {Point[]} points
 * @param {number} n
 */
export const readingOf = (sentence, points, n) => {
  const end = points.findIndex(([size]) => size >= n);
  const power = powerAt(points, n);
  const read = points[end][0] === n ? `${power.toFixed(3)} (simulated)`
    : `about ${power.toFixed(2)} (on the line between ${points[end - 1][0]} and ${points[end][0]})`;
  return `${sentence.replace("{n}", () => String(n))} with a power of ${read}.`;
};

/** @param {HTMLTableElement} table */
const makeSortable = (table) => {
  const heads = [...table.tHead?.rows[table.tHead.rows.length - 1].cells ?? []];
  for (const [column, head] of heads.entries()) {
    const button = make("button", { type: "button" }, ...head.childNodes);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const text = (/** @type {HTMLTableRowElement} */ row) => row.cells[column].textContent ?? "";
      const rows = [...table.tBodies[0].rows];
      rows.sort((left, right) => compareCells(text(left), text(right), head.className === "r", sign));
      table.tBodies[0].append(...rows);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    });
    head.append(button);
  }
};

const SVG = "http://www.w3.org/2000/svg";

/**
 * Add a cursor to a drawing; return functions that move it and find sizes. Null if the
 * drawing lacks the points of the curve.
 * @param {Element} box
 * @param {Point[]} points
 */
const cursorIn = (box, points) => {
  const marks = /** @type {SVGGraphicsElement[]} */ ([...box.querySelectorAll("svg path[transform][fill='#0066b3']")]);
  const plot = /** @type {SVGGraphicsElement | null} */ (marks[0]?.parentNode ?? null);
  if (plot === null || marks.length !== points.length) return null;
  const [start, end] = [marks[0], marks[marks.length - 1]].map((mark) => mark.transform.baseVal[0].matrix.e);
  const [first, last] = [points[0][0], points[points.length - 1][0]];
  const { height } = /** @type {SVGGraphicsElement} */ (plot.firstElementChild).getBBox();
  const line = document.createElementNS(SVG, "line");
  const dot = document.createElementNS(SVG, "circle");
  for (const element of [line, dot]) element.setAttribute("class", "cursor");
  plot.append(line, dot);
  const set = (/** @type {Element} */ element, /** @type {Record<string, number>} */ values) => {
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
  };
  return {
    move: (/** @type {number} */ n, /** @type {number} */ power) => {
      const x = start + (end - start) * (n - first) / (last - first);
      set(line, { x1: x, x2: x, y1: 0, y2: height });
      set(dot, { cx: x, cy: height * (1 - power), r: 5 });
    },
    sizeAt: (/** @type {PointerEvent} */ event) => {
      const matrix = plot.getScreenCTM();
      if (matrix === null) return first;
      const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      return Math.round(first + (last - first) * (x - start) / (end - start));
    },
  };
};

/** @param {HTMLElement} box */
const makeReadable = (box) => {
  /** @type {[string, string, Point[], number]} */
  const [axis, sentence, points, start] = JSON.parse(box.dataset.curve ?? "");
  if (points.length < 2) return;
  const cursor = cursorIn(box, points);
  const [min, max] = [points[0][0], points[points.length - 1][0]];
  const slider = make("input", { type: "range", min, max, step: 1 });
  slider.value = String(start);
  slider.setAttribute("aria-label", `${axis}: ${box.dataset.label}`);
  const output = make("output");
  const show = () => {
    output.textContent = readingOf(sentence, points, slider.valueAsNumber);
    cursor?.move(slider.valueAsNumber, powerAt(points, slider.valueAsNumber));
  };
  slider.addEventListener("input", show);
  const follow = (/** @type {PointerEvent} */ event) => {
    if (cursor === null || event.type === "pointermove" && event.pointerType === "touch") return;
    slider.value = String(cursor.sizeAt(event));
    show();
  };
  for (const name of /** @type {const} */ (["pointermove", "pointerdown"])) {
    /** @type {HTMLElement} */ (box.firstElementChild).addEventListener(name, follow);
  }
  box.append(make("div", { className: "reading" }, slider, output));
  show();
};

if (typeof document !== "undefined") {
  for (const table of document.querySelectorAll(".sortable")) makeSortable(/** @type {HTMLTableElement} */ (table));
  for (const box of document.querySelectorAll(".curve")) makeReadable(/** @type {HTMLElement} */ (box));
}
