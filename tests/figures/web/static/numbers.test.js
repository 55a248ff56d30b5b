// The numbers of the folder's pictures as tables and files; the app's columns.
import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { csvOf, inert, linesTable, positionsTable } from "../../../../core/figures/web/src/static/numbers.js";

test("positions have a row for each layer and two columns for each sentence, one for the word alone", () => {
  const sides = [{ name: "A", position: [1, -0.5, 0.25], alone: [7, 8, 9] }, { name: "B", position: [2, 3, 5], alone: [4, 6, 0] }];
  const table = positionsTable({ sides });
  deepEqual(table.columns, ["A: position", "A: alone", "B: position", "B: alone"]);
  deepEqual(table.rows[1], { name: "Layer 2", numbers: [-0.5, 8, 3, 6] });
  equal(table.rows.length, 3);
});

test("lines have a row for each step and a column for each line; the payload may begin anywhere", () => {
  const numbers = Float32Array.of(9, 1, 2, 3, 4, 5, 6), bytes = new Uint8Array(numbers.buffer).subarray(4);
  const table = linesTable({ header: { lines: [{ name: "A and B" }, { name: "A, alone" }], steps: ["learned", "Layer 1", "Layer 2"] }, payload: bytes });
  deepEqual(table.rows.map((row) => row.numbers), [[1, 4], [2, 5], [3, 6]]);
  equal(csvOf(table), 'after,A and B,"A, alone"\nlearned,1,4\nLayer 1,2,5\nLayer 2,3,6\n');
});

test("a file has nine digits, as the app's", () => {
  equal(csvOf({ columns: ["a"], rows: [{ name: "x", numbers: [1 / 3] }] }), "after,a\nx,0.333333333\n");
});

test("no cell is a formula, as in the app's files", () => {
  const cells = JSON.parse(readFileSync(new URL("../../../spreadsheet.json", import.meta.url), "utf8"));
  for (const [cell, expected] of cells) equal(inert(cell), expected);
  equal(csvOf({ columns: ["=1+1"], rows: [{ name: "@x", numbers: [-0.5] }] }, "-y"), "'-y,'=1+1\n'@x,-0.5\n");
});
