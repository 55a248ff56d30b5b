import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { boxOf, look, meetings, near, partsOf } from "../support.js";
import { cellsAsSvg, paletteOf } from "../../../../core/figures/web/src/draw/cells.js";
import { figure, captionOf, sourcesOf } from "../../../../core/figures/web/src/steps/captions.js";
import { paintedCells, sourceFrames } from "../../../../core/figures/web/src/steps/marks.js";
import { stepsPlan } from "../../../../core/figures/web/src/steps/plan.js";

const numbered = (count) => Array.from({ length: count }, (_, i) => String(i + 1));
const WORDS = ["the", "##bank", "שלום", "<b>", "river"];

/** A picture of matrices: {name, values: rows of numbers, hidden, scale, rows, columns}. */
function pictureOf(kind, all, { width = 1200, budget = 480, size = look.size, ...more } = {}) {
  const matrices = all.map(({ values, hidden = [], scale = "signed" }) => ({
    rows: values.length, columns: values[0].length, values: Float32Array.from(values.flat()), scale,
    hides: new Set(hidden.map(([row, column]) => row * values[0].length + column)),
  }));
  const header = {
    kind, number: 1, detail: "", notes: [], signs: all.slice(1).map(() => "="), titles: [], hue: [0, 0, 0],
    matrices: all.map(({ name, values, scale = "signed", rows, columns }) => ({
      name, rows: rows ?? numbered(values.length), columns: columns ?? numbered(values[0].length), scale, bound: 4, whole: null,
    })), ...more,
  };
  const palettes = header.matrices.map(({ scale }) => paletteOf(scale === "weights" ? { kind: "weights", hue: [0, 0, 0] }
    : { kind: "signed", bound: scale === "none" ? Infinity : 4, light: [[100, 0, 100], [0, 100, 0]] }, look));
  const picture = { header, matrices, width, budget, palettes };
  picture.plan = stepsPlan(picture, { ...look, size }, 30);
  return picture;
}
const says = (picture, row, column) => {
  const { how, value } = captionOf(picture, row, column);
  return `${how} ${value}`;
};

test("a number has four digits behind the point, none that say nothing", () => {
  deepEqual([0, 0.5, -0.25, 1 / 3, 12, 0.000123456, 0.00001, -1.9e-6, 1234567, 2e6].map(figure),
    ["0", "0.5", "−0.25", "0.3333", "12", "0.00012", "1·10⁻⁵", "−1.9·10⁻⁶", "1.2·10⁶", "2·10⁶"]);
});

const A = { name: "x", values: [[1, -2, 0.5], [0, 3, 0]], rows: ["on", "bank"] }, W = { name: "W_Q", values: [[2, 1], [0.5, 0], [4, -1]] };
const BIAS = { name: "b_Q", values: [[0.5, -1]] }, Q = { name: "Q", values: [[3.5, -0.5], [2, -1]], rows: ["on", "bank"] };

test("a cell of a product is written out term by term, with its bias where there is one", () => {
  const plain = pictureOf("product", [A, W, { ...Q, values: [[3, 0.5], [1.5, 0]] }]);
  equal(says(plain, 0, 0), "1 × 2 + (−2) × 0.5 + 0.5 × 4 = 3");
  const biased = pictureOf("product", [A, W, BIAS, Q]);
  equal(says(biased, 0, 1), "1 × 1 + (−2) × 0 + 0.5 × (−1) + bias (−1) = −0.5");
  equal(captionOf(biased, 0, 1).name, "Q [on, 2]");
});

test("terms that are 0 × … are counted and not written out", () => {
  const picture = pictureOf("product", [A, W, BIAS, Q]);
  equal(says(picture, 1, 0), "3 × 0.5 + 2 terms that are 0 × … + bias 0.5 = 2");
  const none = pictureOf("product", [{ name: "x", values: [[0, 0]] }, { name: "W", values: [[1], [2]] }, { name: "y", values: [[0]] }]);
  equal(says(none, 0, 0), "2 terms that are 0 × … = 0");
});

test("of a long sum the first four terms are written out, and what the others come to", () => {
  const values = [Array.from({ length: 12 }, (_, i) => i + 1)], ones = Array.from({ length: 12 }, () => [1]);
  const long = pictureOf("product", [{ name: "x", values }, { name: "W", values: ones }, { name: "y", values: [[78]] }]);
  equal(says(long, 0, 0), "1 × 1 + 2 × 1 + 3 × 1 + 4 × 1 + … (8 more terms: 68) = 78");
  const short = pictureOf("product", [{ name: "x", values: [values[0].slice(0, 8)] }, { name: "W", values: ones.slice(0, 8) }, { name: "y", values: [[36]] }]);
  equal(says(short, 0, 0).match(/×/g).length, 8);
});

const S = { name: "S", values: [[1, 2], [-0.5, 0]] }, HIDDEN = { name: "masked", values: [[1, -1e38], [-0.5, 0]], hidden: [[0, 1]] };

test("each kind of step says how its cells come about", () => {
  equal(says(pictureOf("sum", [S, { name: "P", values: [[1, 1], [1, -1]] }, { name: "r", values: [[2, 3], [0.5, -1]] }]), 1, 1), "0 + (−1) = −1");
  equal(says(pictureOf("scale", [S, { name: "S/√d", values: [[0.5, 1], [-0.25, 0]] }], { number: 0.5, detail: "4" }), 0, 1), "2 / √4 = 2 / 2 = 1");
  equal(says(pictureOf("scale", [S, { name: "x√d", values: [[2, 4], [-1, 0]] }], { number: 2, detail: "4" }), 0, 1), "2 × √4 = 2 × 2 = 4");
  equal(says(pictureOf("activation", [S, { name: "a", values: [[1, 2], [0, 0]] }], { detail: "relu" }), 1, 0), "the larger of 0 and −0.5 = 0");
  equal(says(pictureOf("activation", [S, { name: "a", values: [[0.841345, 1.9545], [-0.1543, 0]] }], { detail: "gelu" }), 0, 0), "1 × Φ(1) = 1 × 0.8413 = 0.8413");
  equal(says(pictureOf("join", [{ name: "Z_1", values: [[1], [2]] }, { name: "Z_2", values: [[3, 4], [5, 6]] }, { name: "Z", values: [[1, 3, 4], [2, 5, 6]] }]), 1, 2),
    "copied from Z_2, column 2: 6");
  equal(says(pictureOf("pieces", [{ name: "id", values: [[101], [7]], scale: "none", columns: ["id"], rows: ["[CLS]", "bank"] }], { notes: ["a mark", "a word"] }), 1, 0),
    "a word; its number in the vocabulary is 7");
});

test("two numbers that were computed apart stand side by side, and none is a sum of the other", () => {
  const two = [{ name: "even", values: [[0.25]] }, { name: "after", values: [[0.125]] }];
  equal(says(pictureOf("compare", two), 0, 0), "even 0.25, after 0.125");
  equal(says(pictureOf("compare", [{ name: "with positions", values: [[0.3568]] }, { name: "without", values: [[1.9e-6]] }]), 0, 0),
    "with positions 0.3568, without 1.9·10⁻⁶");
});

test("a softmax is over what is not hidden, and what is hidden gets 0", () => {
  const shares = { name: "A", values: [[1, 0], [Math.exp(-0.5) / (1 + Math.exp(-0.5)), 1 / (1 + Math.exp(-0.5))]], hidden: [[0, 1]], scale: "weights" };
  const picture = pictureOf("softmax", [HIDDEN, shares]);
  equal(says(picture, 0, 0), "e^1 / (e^1) = 2.7183 / 2.7183 = 1");
  equal(says(picture, 0, 1), "e^−∞ / 2.7183 = 0 / 2.7183 = 0");
  equal(says(picture, 1, 0), "e^(−0.5) / (e^(−0.5) + e^0) = 0.6065 / 1.6065 = 0.3775");
});

test("of a softmax over many tokens the other powers are terms too", () => {
  const picture = pictureOf("softmax", [{ name: "S", values: [Array(10).fill(0)] }, { name: "A", values: [Array(10).fill(0.1)], scale: "weights" }]);
  equal(says(picture, 0, 0), "e^0 / (e^0 + e^0 + e^0 + e^0 + … (6 more terms: 6)) = 1 / 10 = 0.1");
});

test("powers that are too large to be written have the largest number of their row taken off", () => {
  const picture = pictureOf("softmax", [{ name: "S", values: [[100, 101]] }, { name: "A", values: [[0.26894, 0.73106]], scale: "weights" }]);
  equal(says(picture, 0, 0), "e^(100 − 101) / (e^(100 − 101) + e^(101 − 101)) = 0.3679 / 1.3679 = 0.2689");
});

test("a norm is written with the mean and the variance of its row", () => {
  const operands = [{ name: "x", values: [[1, 3]] }, { name: "γ", values: [[2, -1]] }, { name: "β", values: [[0.5, 0]] }];
  const picture = pictureOf("norm", [...operands, { name: "n", values: [[-2 / Math.sqrt(1.25) + 0.5, -1 / Math.sqrt(1.25)]] }], { number: 0.25 });
  equal(says(picture, 0, 0), "mean of the row 2, variance 1: (1 − 2) / √(1 + 0.25) × 2 + 0.5 = −1.2889");
});

test("what is hidden is −∞, and stays so", () => {
  const picture = pictureOf("mask", [S, HIDDEN]);
  ok(says(picture, 0, 1).startsWith("2 ") && says(picture, 0, 1).endsWith(" −∞"));
  ok(says(picture, 1, 0).endsWith(" −0.5"));
});

test("a cell comes from a row and a column, from its own position, or from one of joined matrices", () => {
  const cells = (picture, row, column) => sourcesOf(picture, row, column).map(({ m, row: i, column: j }) => [m, i, j]);
  deepEqual(cells(pictureOf("product", [A, W, BIAS, Q]), 1, 0), [[3, 1, 0], [0, 1, null], [1, null, 0], [2, 0, 0]]);
  // A one-hot row picks a row of the table.
  const table = [{ name: "H", values: [[0, 0, 1], [1, 0, 0]] }, { name: "E", values: [[1, 2], [3, 4], [5, 6]] }, { name: "X", values: [[5, 6], [1, 2]] }];
  deepEqual(cells(pictureOf("product", table), 0, 1), [[2, 0, 1], [0, 0, null], [1, 2, null], [1, 2, 1]]);
  deepEqual(cells(pictureOf("product", [{ name: "H", values: [[0, 1, 1]] }, table[1], { name: "X", values: [[8, 10]] }]), 0, 1), [[2, 0, 1], [0, 0, null], [1, null, 1]]);
  deepEqual(cells(pictureOf("softmax", [HIDDEN, HIDDEN]), 1, 0), [[1, 1, 0], [0, 1, null], [0, 1, 0]]);
  deepEqual(cells(pictureOf("sum", [S, S, S]), 0, 1), [[2, 0, 1], [0, 0, 1], [1, 0, 1]]);
  deepEqual(cells(pictureOf("join", [{ name: "Z_1", values: [[1]] }, { name: "Z_2", values: [[3, 4]] }, { name: "Z", values: [[1, 3, 4]] }]), 0, 2), [[2, 0, 2], [1, 0, 1]]);
});

test("the row, the column and the cell are framed in their matrices", () => {
  const picture = pictureOf("product", [A, W, BIAS, Q]), { boxes } = picture.plan;
  const frames = sourceFrames(picture, boxes, { row: 1, column: 1 }, look).filter(({ part }) => part === "lit");
  const wanted = { 0: [2, 3, 1, null], 1: [3, 2, null, 1], 2: [1, 2, 0, 1], 3: [2, 2, 1, 1] };
  deepEqual(frames.map(({ of }) => of).sort(), [0, 1, 2, 3]);
  for (const { of, rect } of frames) {
    const [rows, columns, row, column] = wanted[of], { x, y, width, height } = boxes[of];
    near(rect, [
      x + (column === null ? 0 : (column * width) / columns) - 1.5, y + (row === null ? 0 : (row * height) / rows) - 1.5,
      (column === null ? width : width / columns) + 2, (row === null ? height : height / rows) + 2,
    ]);
  }
});

test("the numbers stand in their cells where all of a matrix have room, in a colour that is read on it", () => {
  const { plan: { boxes, shapes } } = pictureOf("product", [A, W, BIAS, Q]), numbers = partsOf(shapes, "number");
  deepEqual(numbers.map(({ text }) => text), ["1", "−2", "0.5", "0", "3", "0", "2", "1", "0.5", "0", "4", "−1", "0.5", "−1", "3.5", "−0.5", "2", "−1"]);
  const [first] = numbers, [box] = boxes;
  ok(Math.abs(first.x - box.x - box.width / 6) <= 1 && Math.abs(first.y - box.y - box.height / 4) <= 1);
  const wide = { name: "x", values: Array.from({ length: 16 }, () => Array(384).fill(0.5)) };
  deepEqual(partsOf(pictureOf("sum", [wide, wide]).plan.shapes, "number"), []);
});

test("hidden cells are hatched and read −∞, not by their colour alone", () => {
  const { plan: { shapes } } = pictureOf("mask", [S, HIDDEN]);
  deepEqual(partsOf(shapes, "hidden").map(({ of }) => of), [1]);
  equal(partsOf(shapes, "number").filter(({ text }) => text === "−∞").length, 1);
});

test("what is hidden is painted as paper: no colour of the number that stands for −∞ shows around its hatch", () => {
  const { matrices: [before, masked], palettes: [palette], plan: { boxes: [box] } } = pictureOf("mask", [S, HIDDEN]);
  const fills = (cells) => [...cellsAsSvg(cells, { ...box, gapX: 0, gapY: 0 }, palette).matchAll(/fill="([^"]+)"/g)].map(([, fill]) => fill);
  const low = "rgb(100, 0, 100)"; // the end of the scale below 0
  ok(fills(masked).includes(low));
  ok(!fills(paintedCells(masked)).includes(low));
  deepEqual(paintedCells(before).values, before.values);
  equal(paintedCells(masked).values[2], -0.5);
});

test("a number with an exponent stands in brackets inside of a power", () => {
  const picture = pictureOf("softmax", [{ name: "S", values: [[2e-6, 0]] }, { name: "A", values: [[0.5, 0.5]], scale: "weights" }]);
  ok(says(picture, 0, 0).startsWith("e^(2·10⁻⁶) / "), says(picture, 0, 0));
});

const square = (name, more) => ({ name, values: WORDS.map((_, i) => WORDS.map((__, j) => (i - j) / 2)), rows: WORDS, columns: WORDS, ...more });
const KINDS = {
  product: [{ ...square("x"), columns: numbered(5) }, { ...square("W_Q"), rows: numbered(5), columns: numbered(5) }, { name: "b_Q", values: [[1, 2, 3, 4, 5]] }, { ...square("Q"), columns: numbered(5) }],
  sum: [square("S"), square("P"), square("r")], scale: [square("S"), square("S/√d")], softmax: [square("S"), square("A", { scale: "weights" })],
  norm: [square("x"), { name: "γ", values: [[1, 1, 1, 1, 1]] }, { name: "β", values: [[1, 1, 1, 1, 1]] }, square("n")],
  pieces: [{ name: "id", values: [[101], [2], [3], [4], [102]], rows: WORDS, columns: ["id"], scale: "none" }],
  mask: [square("S"), square("masked", { hidden: [[0, 1], [0, 2], [1, 2]] })], activation: [square("x"), square("a")],
  join: [{ name: "Z_1", values: WORDS.map(() => [1, 2]), rows: WORDS }, { name: "Z_2", values: WORDS.map(() => [3]), rows: WORDS },
    { name: "Z", values: WORDS.map(() => [1, 2, 3]), rows: WORDS }],
  compare: [square("even", { scale: "weights" }), square("after", { scale: "weights" })],
};
for (const [kind, all] of Object.entries(KINDS)) {
  for (const width of [390, 700, 1200]) {
    test(`words of a ${kind} keep clear of each other and inside ${width} pixels`, () => {
      const { plan } = pictureOf(kind, all, { width, detail: { scale: "4", activation: "relu" }[kind] ?? "", notes: kind === "pieces" ? WORDS : [] });
      const shapes = [...plan.shapes.filter(({ part }) => part !== "lower"), ...plan.caption(1, 1)];
      deepEqual(meetings(shapes), []);
      for (const shape of shapes.filter(({ text, turn }) => text && !turn)) {
        const [left, top, right, bottom] = boxOf(shape);
        ok(left >= -1 && top >= -1 && right <= width + 1 && bottom <= plan.high + 1, `${shape.text} ${[left, right, top, bottom]}`);
      }
      const tops = plan.boxes.map(({ y }) => y);
      if (width === 390) deepEqual(tops, [...new Set(tops)].sort((a, b) => a - b)); // one below the other
      if (width === 1200) ok(new Set(tops.map(Math.round)).size <= 2);
    });
  }
}

test("a score is hidden for what the mask is of: later tokens, or padding", () => {
  const matrices = () => [{ name: "S", values: [[1, 2]] }, { name: "masked", values: [[1, 0]], hidden: [[0, 1]] }];
  const later = says(pictureOf("mask", matrices()), 0, 1), padding = says(pictureOf("mask", matrices(), { detail: "padding" }), 0, 1);
  ok(/after the row.* −∞$/.test(later), later);
  ok(/padding.* −∞$/.test(padding), padding);
  const own = says(pictureOf("mask", matrices(), { detail: "padding" }), 0, 0);
  ok(/not masked.* 1$/.test(own) && !own.includes("∞"), own);
});

for (const [kind, all] of Object.entries(KINDS)) {
  test(`words of a ${kind} have their place in front of a class: letters of 26 pixels on a low screen`, () => {
    const { plan } = pictureOf(kind, all, { budget: 380, size: 26, detail: { scale: "4", activation: "relu" }[kind] ?? "" });
    deepEqual(meetings(plan.shapes.filter(({ part }) => part !== "lower")), []);
    ok(plan.boxes.every(({ height }) => height >= 10), "each matrix has some height");
    const lowest = Math.max(...plan.shapes.filter(({ text }) => text).map(({ y, size }) => y + size / 2));
    ok(lowest <= plan.high + 1, `${lowest} of ${plan.high}`); // nothing of the scale is cut off
  });
}
