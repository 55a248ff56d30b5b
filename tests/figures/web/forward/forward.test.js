import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { look, partsOf } from "../support.js";
import { paletteOf } from "../../../../core/figures/web/src/draw/cells.js";
import { LOWEST, boundOf, edited, normed, product, softmax, tableCell } from "../../../../core/figures/web/src/forward/compute.js";
import { columnsOf, linesOf, mapPlan } from "../../../../core/figures/web/src/forward/map.js";
import { cellPlan, termsOf } from "../../../../core/figures/web/src/forward/terms.js";

const numbers = (rows) => ({ rows: rows.length, columns: rows[0].length, values: Float64Array.from(rows.flat()) });
const near = (got, wanted) => wanted.forEach((value, i) => ok(Math.abs(got[i] - value) < 1e-12, `${got[i]} is not ${value}`));

test("products, softmax and norms are those of hand arithmetic", () => {
  near(product(numbers([[1, 2]]), numbers([[3, 4], [5, 6]]), numbers([[0.5, -1]])).values, [13.5, 15]);
  near(softmax(numbers([[0, Math.log(3)], [5, LOWEST]])).values, [0.25, 0.75, 1, 0]);
  near(softmax(numbers([[1000, 1000]])).values, [0.5, 0.5]); // no overflow
  near(normed(numbers([[1, 3]]), numbers([[2, 10]]), numbers([[0, 1]]), 0).values, [-2, 11]);
  near(normed(numbers([[4, 4]]), numbers([[2, 10]]), numbers([[0, 1]]), 1e-5).values, [0, 1]); // no 0/0
});

const query = { tables: { W_Q: numbers([[1, 2, 3, 4], [5, 6, 7, 8]]), b_1: numbers([[1, 2]]) }, head: 1, heads: 2 };

test("a cell of an operand is a cell of its table: of the second head, two columns further on", () => {
  deepEqual(tableCell("query", { m: 1, row: 1, column: 0 }, query), { table: "W_Q", row: 1, column: 2 });
  deepEqual(tableCell("inner", { m: 2, row: 0, column: 1 }, query), { table: "b_1", row: 0, column: 1 });
  equal(tableCell("query", { m: 0, row: 0, column: 0 }, query), null); // x is computed
  equal(tableCell("scores", { m: 1, row: 0, column: 0 }, query), null);
});

test("an edit changes one number, of float32 as in Python, and leaves the model before it alone", () => {
  const after = edited(query, { table: "W_Q", row: 0, column: 1 }, 0.1);
  deepEqual([...after.tables.W_Q.values], [1, Math.fround(0.1), 3, 4, 5, 6, 7, 8]);
  equal(query.tables.W_Q.values[1], 2);
  equal(after.tables.b_1, query.tables.b_1);
});

test("colours end at a number of two digits, whatever a mask hides", () => {
  deepEqual([[[0, 0]], [[1.21, -0.3]], [[0.0301, 0]], [[3, LOWEST]], [[-12.01, 5]]].map((rows) => boundOf(numbers(rows))), [1, 1.3, 0.031, 3, 13]);
});

const block = (from, columns = 3, scale = "signed") => ({ from, columns,
  result: { name: "x", rows: ["the", "bank"], columns: Array.from({ length: Math.min(columns, 48) }, (_, i) => String(i + 1)), scale, bound: 1, hidden: [], whole: null } });
// pieces → x → Q, K, V → scores (of Q and K) → mix (of scores and V) → residual (of x and mix)
const BLOCKS = [block([], 1, "none"), block([0]), block([1]), block([1]), block([1]), block([2, 3]), block([5, 4]), block([1, 6])];
const TITLES = ["pieces", "x", "Q", "K", "V", "scores", "mix", "residual"];

test("what reads the same results stands in one column, and so does what reads nothing here", () => {
  deepEqual(columnsOf(BLOCKS), [[0], [1], [2, 3, 4], [5], [6], [7]]);
  deepEqual(columnsOf([block([]), block([0]), block([]), block([]), block([1, 2])]), [[0], [1, 2, 3], [4]]); // a decoder's keys of the source
});

test("lines are of nearly one length", () => {
  const columns = columnsOf(BLOCKS);
  deepEqual(linesOf(columns, 2000).map((line) => line.length), [6]);
  deepEqual(linesOf(columns, 104 * 4 + 90).map((line) => line.length), [3, 3]);
  deepEqual(linesOf(columns, 100).map((line) => line.length), [2, 2, 2]);
});

const planned = (width, more = {}) => mapPlan({ blocks: BLOCKS, ids: [3, 10], titles: TITLES, width, top: 40, step: 5, row: 1, ...more }, look);

for (const width of [390, 700, 1200]) {
  test(`blocks and arrows of ${width} pixels stay inside and apart`, () => {
    const { areas, arrows, boxes, shapes, high } = planned(width);
    for (const [x, y, wide, tall] of areas) ok(x >= 0 && y >= 40 && x + wide <= width && y + tall <= high);
    areas.forEach(([x, y, wide, tall], i) => areas.slice(i + 1).forEach(([u, v, broad, long]) =>
      ok(x + wide <= u || u + broad <= x || y + tall <= v || v + long <= y)));
    deepEqual(arrows.map(({ from, to }) => [from, to]), [[0, 1], [1, 2], [1, 3], [1, 4], [2, 5], [3, 5], [5, 6], [4, 6], [1, 7], [6, 7]]);
    for (const { path } of arrows) for (const x of path.match(/(?<=H)[\d.]+/g) ?? []) ok(x >= 0 && x <= width, path);
    equal(partsOf(shapes, "lit").length, boxes.length); // the token's row, in every block
    deepEqual(partsOf(shapes, "here").map(({ of }) => of), [5]);
    deepEqual(partsOf(shapes, "id").map(({ text }) => text), ["3", "10"]);
  });
}

test("of more tokens than have room, the first block shows the number of the chosen one, never nothing", () => {
  for (const count of [2, 6, 7, 20, 64]) {
    const rows = Array.from({ length: count }, (_, i) => `word ${i}`), ids = rows.map((_, i) => 30000 + i);
    const blocks = BLOCKS.map((one) => ({ ...one, result: { ...one.result, rows } }));
    for (const row of [0, 1, count - 1]) {
      const { boxes: [box], shapes } = mapPlan({ blocks, ids, titles: TITLES, width: 1200, top: 40, step: 5, row }, look), shown = partsOf(shapes, "id");
      ok(shown.some(({ text }) => text === String(ids[row])), `${row} of ${count}`);
      ok(shown.length === 1 || shown.length === count);
      for (const [i, { y, size }] of shown.slice(1).entries()) ok(y - shown[i].y >= 1.2 * size, `${y} below ${shown[i].y}`); // none touches another
      for (const { y, size } of shown) ok(size >= 7 && y - size / 2 >= box.y - 1 && y + size / 2 <= box.y + box.height + 1, `${y} in ${box.y}, ${box.height}`);
    }
  }
});

test("arrows that skip blocks run on tracks of their own", () => {
  const runs = planned(1200).arrows.map(({ path }) => path.match(/V([\d.]+)H/)?.[1]).filter(Boolean);
  equal(runs.length, 2);
  equal(new Set(runs).size, 2);
});

test("a block that is cut says so", () => {
  const note = (blocks) => partsOf(planned(1200, { blocks }).shapes, "note")[0].text;
  ok(!note(BLOCKS).includes("48"));
  ok(note([...BLOCKS.slice(0, 7), block([1, 6], 384)]).includes("48"));
});

/** A step: {name, values: rows of numbers, hidden}. */
function stepOf(kind, all, more = {}) {
  const matrices = all.map(({ values, hidden = [] }) => ({ rows: values.length, columns: values[0].length, values: Float32Array.from(values.flat()),
    hides: new Set(hidden.map(([row, column]) => row * values[0].length + column)) }));
  const named = (count) => Array.from({ length: count }, (_, i) => String(i + 1));
  const header = { kind, number: 0, detail: "", notes: [], signs: [], hue: [0, 0, 0], ...more, matrices: all.map(({ name, values, scale = "signed" }) => ({
    name, rows: named(values.length), columns: named(values[0].length), scale, bound: 4, hidden: [], whole: null })) };
  return { header, matrices };
}
const valuesOf = (lines) => lines.map(({ values }) => values.map((value) => Number(value.toFixed(6))));

test("a product's cell: the row, the column, and their products", () => {
  const step = stepOf("product", [{ name: "x", values: [[1, 2], [3, 4]] }, { name: "W", values: [[5, 6], [7, 8]] }, { name: "y", values: [[19, 22], [43, 50]] }]);
  const lines = termsOf(step, 1, 0);
  deepEqual(valuesOf(lines), [[3, 4], [5, 7], [15, 28]]);
  deepEqual(lines.map(({ picked }) => picked), [null, null, null]);
});

test("a softmax's cell: scores, powers, shares; what is masked has no power", () => {
  const step = stepOf("softmax", [{ name: "S", values: [[0, Math.log(3), 9]], hidden: [[0, 2]] }, { name: "A", values: [[0.25, 0.75, 0]], scale: "weights" }]);
  const lines = termsOf(step, 0, 1);
  deepEqual(valuesOf(lines.slice(1)), [[0.333333, 1, 0], [0.25, 0.75, 0]]);
  deepEqual(lines.map(({ picked }) => picked), [1, 1, 1]);
  deepEqual([...lines[0].hides], [2]);
});

test("a norm's cell: minus the mean, by the standard deviation, times γ plus β", () => {
  const step = stepOf("norm", [{ name: "r", values: [[1, 3]] }, { name: "γ", values: [[2, 10]] }, { name: "β", values: [[0, 1]] }, { name: "n", values: [[-2, 11]] }]);
  deepEqual(valuesOf(termsOf(step, 0, 1)), [[1, 3], [-1, 1], [-1, 1], [-2, 11]]);
});

test("joined heads: the cell of the head that it comes from; a sum: the same cell of each", () => {
  const join = stepOf("join", [{ name: "Z_1", values: [[1]] }, { name: "Z_2", values: [[3, 4]] }, { name: "Z", values: [[1, 3, 4]] }]);
  const lines = termsOf(join, 0, 2);
  deepEqual(valuesOf(lines), [[3, 4], [1, 3, 4]]);
  deepEqual(lines.map(({ picked }) => picked), [1, 2]);
  deepEqual(valuesOf(termsOf(stepOf("sum", [{ name: "x", values: [[1, 2]] }, { name: "O", values: [[5, 6]] }, { name: "r", values: [[6, 8]] }]), 0, 1)), [[2], [6], [8]]);
});

for (const width of [390, 1200]) {
  test(`the lines of a cell stay inside ${width} pixels, of 384 terms too`, () => {
    const many = Array.from({ length: 384 }, (_, i) => i / 384), ones = many.map(() => [1]);
    const step = stepOf("product", [{ name: "x", values: [many] }, { name: "W", values: ones }, { name: "y", values: [[191.5]] }]);
    const paletteIn = ({ bound }) => paletteOf({ kind: "signed", bound, light: [[100, 0, 100], [0, 100, 0]] }, look);
    const { boxes, high } = cellPlan(step, { row: 0, column: 0 }, { width, top: 10, paletteOf: paletteIn }, look);
    equal(boxes.length, 3);
    for (const { x, y, width: wide, height } of boxes) ok(x + wide <= width && y + height < high);
  });
}
