// Tables that are sorted and curves that are read off, without a browser.
import assert from "node:assert/strict";
import test from "node:test";

import { compareCells, powerAt, readingOf } from "../../rouge_cli/reports/templates/page_tables.js";

test("cells are sorted by the numbers that they begin with, those without any last", () => {
  const sorted = (cells, isNumber, sign) => cells.toSorted((left, right) => compareCells(left, right, isNumber, sign));
  const cells = ["10 of 12", "\u22120.33", "-", "2.5 (+1.5)", "-1.00"];
  assert.deepEqual(sorted(cells, true, 1), ["-1.00", "\u22120.33", "2.5 (+1.5)", "10 of 12", "-"]);
  assert.deepEqual(sorted(cells, true, -1), ["10 of 12", "2.5 (+1.5)", "\u22120.33", "-1.00", "-"]);
  assert.deepEqual(sorted(["doc 10", "doc 2", "Doc 1"], false, 1), ["Doc 1", "doc 2", "doc 10"]);
  assert.deepEqual(sorted(["doc 10", "doc 2"], false, -1), ["doc 10", "doc 2"]);
});

test("a power is read on the line between two sizes", () => {
  const points = [[10, 0.2], [20, 0.6], [40, 0.7]];
  // A quarter of the way from 20 to 40: 0.6 + 0.1 / 4.
  assert.deepEqual([10, 20, 25, 40].map((n) => Number(powerAt(points, n).toFixed(9))), [0.2, 0.6, 0.625, 0.7]);
});

test("a reading says whether it was simulated", () => {
  const points = [[10, 0.2], [20, 0.6], [40, 0.7]];
  const sentence = "With {n} texts, $& is found";
  assert.equal(readingOf(sentence, points, 10), "With 10 texts, $& is found with a power of 0.200 (simulated).");
  // 0.6 + 0.1 * 6 / 20.
  assert.equal(readingOf(sentence, points, 26), "With 26 texts, $& is found with a power of about 0.63 (on the line between 20 and 40).");
});
