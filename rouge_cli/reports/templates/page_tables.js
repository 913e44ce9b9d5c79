/** Sortable tables, and power curves whose values can be read off. */

import { appendSvg, make } from "./page_parts.js";

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

/**
 * Add a cursor to a drawing; return functions that move it and find sizes.
 * @param {SVGSVGElement} svg
 * @param {number[]} plot left, top, width and height
 * @param {number} most the size at the right end
 */
const cursorIn = (svg, [left, top, width, height], most) => {
  const line = appendSvg(svg, "line", { class: "cursor", y1: top, y2: top + height });
  const dot = appendSvg(svg, "circle", { class: "cursor", r: 5 });
  return {
    move: (/** @type {number} */ n, /** @type {number} */ power) => {
      const x = String(left + width * n / most);
      for (const [element, name] of /** @type {const} */ ([[line, "x1"], [line, "x2"], [dot, "cx"]])) element.setAttribute(name, x);
      dot.setAttribute("cy", String(top + height * (1 - power)));
    },
    sizeAt: (/** @type {PointerEvent} */ event) => {
      const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
      return Math.round(most * (x - left) / width);
    },
  };
};

/** @param {HTMLElement} box */
const makeReadable = (box) => {
  /** @type {[[string, string, Point[], number, number], number[]]} */
  const [[axis, sentence, points, start, most], plot] = JSON.parse(box.dataset.curve ?? "");
  if (points.length < 2) return;
  const cursor = cursorIn(/** @type {SVGSVGElement} */ (box.querySelector("svg")), plot, most);
  const [min, max] = [points[0][0], points[points.length - 1][0]];
  const slider = make("input", { type: "range", min, max, step: 1 });
  slider.value = String(start);
  slider.setAttribute("aria-label", `${axis}: ${box.dataset.label}`);
  const output = make("output");
  const show = () => {
    output.textContent = readingOf(sentence, points, slider.valueAsNumber);
    cursor.move(slider.valueAsNumber, powerAt(points, slider.valueAsNumber));
  };
  slider.addEventListener("input", show);
  const follow = (/** @type {PointerEvent} */ event) => {
    if (event.type === "pointermove" && event.pointerType === "touch") return;
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
