import { test } from "node:test";
import { deepEqual } from "node:assert/strict";
import { look, meetings, near, partsOf } from "../support.js";
import { paletteOf } from "../../../../core/figures/web/src/draw/cells.js";
import { KIND, sinusoids } from "../../../../core/figures/web/src/matrix/places.js";
import { stripsPlan } from "../../../../core/figures/web/src/matrix/strips.js";

const packed = (header, numbers) => {
  const head = new TextEncoder().encode(JSON.stringify(header)), bytes = new Uint8Array(4 + head.length + numbers.byteLength);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  bytes.set(new Uint8Array(numbers.buffer), 4 + head.length);
  return bytes;
};
const names = (count) => Array.from({ length: count }, (_, i) => String(i));

test("sinusoids are grown from the rates of their pairs, an odd last column with a sine alone", () => {
  const header = { rows: names(3), columns: names(5), waves: { base: "9" }, dtype: "float64", of: ["position", "dimension"], marked: { rows: [], columns: [] } };
  const { values } = sinusoids(packed(header, Float64Array.of(1, 0.5, 0.25)));
  const row = (p) => [Math.sin(p), Math.cos(p), Math.sin(p / 2), Math.cos(p / 2), Math.sin(p / 4)];
  near([...values], [...row(0), ...row(1), ...row(2)], 1e-7);
  deepEqual(KIND.name(header, 2, 3).join(""), "PE(2, 3) = cos(2 / 9^(2/5))");
});

test("numbers that are sent are taken as they are, and named by position and dimension", () => {
  const header = { rows: names(2), columns: names(2), waves: null, dtype: "float32", of: ["position", "dimension"], marked: { rows: [], columns: [] } };
  deepEqual([...sinusoids(packed(header, Float32Array.of(0.5, -1, 2, 0.25))).values], [0.5, -1, 2, 0.25]);
  deepEqual(KIND.name(header, 1, 0).join(""), "position 1, dimension 0");
  deepEqual([KIND.rowsOfTable(header), KIND.rowsOfTable({ ...header, marked: { rows: [1], columns: [] } })], [[0, 1], [1]]);
});

const SCALE = { kind: "signed", bound: 1, digits: 2, title: "value", notes: [], light: [[100, 0, 100], [0, 100, 0]] };

test("strips stand one above the other, each with its name, over round numbers of their dimensions", () => {
  for (const [columns, width, ticks] of [[7, 900, [0, 1, 2, 3, 4, 5, 6]], [383, 900, [0, 50, 100, 150, 200, 250, 300, 350]], [383, 390, [0, 100, 200, 300]]]) {
    const header = { rows: ["in A", "in B", "learned"], colours: ["blue", null, "grey"], scale: SCALE, number: { digits: 4 }, height: 220 };
    const plan = stripsPlan({ header, columns, width }, look, paletteOf(SCALE, look), 1), labels = partsOf(plan.shapes, "row");
    deepEqual(labels.map(({ text, fill }) => [text, fill]), [["in A", "blue"], ["in B", look.ink], ["learned", "grey"]]);
    near(labels.map(({ y }) => y), [0, 1, 2].map((i) => plan.y + ((i + 0.5) * plan.height) / 3 - 4));
    const shown = partsOf(plan.shapes, "column");
    deepEqual(shown.map(({ text }) => Number(text)), ticks);
    near(shown.map(({ x }) => x), ticks.map((i) => plan.x + ((i + 0.5) * plan.width) / columns));
    deepEqual(meetings(plan.shapes), []);
  }
});
