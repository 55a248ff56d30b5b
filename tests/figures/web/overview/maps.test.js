import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { boxOf, look, meetings, partsOf } from "../support.js";
import { paletteOf } from "../../../../core/figures/web/src/draw/cells.js";
import { HeadOrder } from "../../../../core/figures/web/src/overview/order.js";
import { sharesOn } from "../../../../core/figures/web/src/overview/captions.js";
import { mapsOf, Missing } from "../../../../core/figures/web/src/overview/pixels.js";
import { overviewPlan } from "../../../../core/figures/web/src/overview/maps.js";
import { sortedPlan } from "../../../../core/figures/web/src/overview/mapsinorder.js";

const SCALE = { kind: "weights", root: false, hue: [0, 0, 0], title: "weight" };
const PALETTE = paletteOf(SCALE, look);

function pictureOf({ layers = 2, heads = 3, side = 2, width = 600, most = 400, pattern = null, threshold = 0, ...more }) {
  const count = layers * heads, scores = Array.from({ length: count }, (_, i) => (i * 7 % count) / count);
  const header = {
    layers: Array.from({ length: layers }, (_, i) => `Layer ${i + 1}`), heads, group: 1, maps: [side, side], block: [1, 1], pool: "max",
    scale: SCALE, withoutSpecial: false, captions: [], number: { digits: 2, plus: false }, notes: [],
    patterns: { names: ["itself"], scores: [scores], typical: null, thresholds: [0.5] }, ...more,
  };
  const order = new HeadOrder(header, { pattern, typical: false, threshold });
  return { header, width, most, order, token: -1, framed: null, missing: null, count };
}
const planOf = (picture, ratio = 1, above = 40) =>
  (picture.order.sorted ? sortedPlan : overviewPlan)(picture, look, SCALE, PALETTE, above, ratio);

test("maps stand in lines of their layers, numbered above and named beside", () => {
  const plan = planOf(pictureOf({})), [wide, high] = plan.cell;
  plan.boxes.forEach(([x, y], i) => {
    equal(y, plan.boxes[i - (i % 3)][1]);
    if (i >= 3) equal(x, plan.boxes[i - 3][0]);
    if (i % 3) ok(x >= plan.boxes[i - 1][0] + wide);
    if (i >= 3) ok(y >= plan.boxes[i - 3][1] + high);
  });
  const rows = partsOf(plan.shapes, "row"), columns = partsOf(plan.shapes, "column");
  deepEqual(rows.map(({ text, of }) => [text, of]), [["Layer 1", 0], ["Layer 2", 1]]);
  deepEqual(columns.map(({ text }) => text), ["1", "2", "3"]);
  rows.forEach((label, layer) => equal(label.y, plan.boxes[3 * layer][1] + high / 2));
  columns.forEach((label, head) => equal(label.x, plan.boxes[head][0] + wide / 2));
  ok(rows.every((label) => boxOf(label)[2] < plan.boxes[0][0]));
});

for (const [width, least] of [[360, 22], [980, 40]]) {
  test(`the 72 heads of a small model are readable at ${width} pixels`, () => {
    const plan = planOf(pictureOf({ layers: 6, heads: 12, width, most: width < 700 ? 900 : 560 }));
    ok(Math.min(...plan.cell) >= least, `${plan.cell}`);
    ok(Math.max(...plan.boxes.map(([x]) => x)) + plan.cell[0] <= width);
    deepEqual(meetings(plan.shapes), []);
    const rows = partsOf(plan.shapes, "row").map(({ text }) => text);
    deepEqual(rows, Array.from({ length: 6 }, (_, i) => `${width > 520 ? "Layer " : ""}${i + 1}`));
    for (const shape of plan.shapes.filter(({ text }) => text)) {
      const [left, , right, bottom] = boxOf(shape);
      ok(left >= -1 && right <= width + 1 && bottom <= plan.foot, shape.text);
    }
  });
}

test("in order, maps stand line by line, each under its own name, and keep their size whatever is left out", () => {
  const whole = planOf(pictureOf({ layers: 3, heads: 5, pattern: 0 })), few = planOf(pictureOf({ layers: 3, heads: 5, pattern: 0, threshold: 0.5 }));
  deepEqual(few.cell, whole.cell);
  few.order.forEach((head, i) => deepEqual(few.boxes[head], whole.boxes[whole.order[i]]));
  equal(few.boxes.filter(Boolean).length, 7);
  const names = partsOf(whole.shapes, "name");
  equal(names.length, 15);
  deepEqual(meetings(whole.shapes), []);
  names.forEach((label, i) => {
    const [x, y] = whole.boxes[whole.order[i]];
    equal(label.of, whole.order[i]);
    equal(label.x, x + whole.cell[0] / 2);
    ok(boxOf(label)[3] <= y);
    equal(label.bold, i <= 6);
    if (i) {
      const [before, above] = whole.boxes[whole.order[i - 1]];
      ok(y > above || (y === above && x > before));
    }
  });
});

for (const width of [360, 390, 1440]) {
  test(`names of 72 heads are readable and apart at ${width} pixels`, () => {
    const plan = planOf(pictureOf({ layers: 6, heads: 12, width, most: width < 700 ? 1100 : 560, pattern: 0 }));
    const names = partsOf(plan.shapes, "name");
    equal(names.length, 72);
    ok(Math.min(...plan.cell) >= 28, `${plan.cell}`);
    deepEqual(meetings(names), []);
    ok(names.every((name) => boxOf(name)[0] >= -1 && boxOf(name)[2] <= width + 1));
  });
}

test("where no head is left a sentence stands in their place", () => {
  const plan = planOf(pictureOf({ pattern: 0, threshold: 0.99 }));
  deepEqual(partsOf(plan.shapes, "none").map(({ text }) => text), ["No head scores 0.99 or more."]);
});

test("the chosen head is framed around its own map", () => {
  const plan = planOf({ ...pictureOf({}), framed: 4 }), [frame] = partsOf(plan.shapes, "chosen");
  const [x, y] = plan.boxes[4], [wide, high] = plan.cell;
  deepEqual([frame.of, frame.rect], [4, [x - 2.5, y - 2.5, wide + 5, high + 5]]);
});

const notesOf = (plan) => partsOf(plan.shapes, "note").map(({ text }) => text).filter((text) => text.startsWith("each dot"));

test("what a dot stands for is said: pooled by Python, by the screen, by both, or not at all", () => {
  deepEqual(notesOf(planOf(pictureOf({}))), []);
  deepEqual(notesOf(planOf(pictureOf({ block: [2, 2] }))), ["each dot is the strongest of 2×2 cells"]);
  deepEqual(notesOf(planOf(pictureOf({ block: [2, 2], pool: "mean" }))), ["each dot is the mean of 2×2 cells"]);
  const [said] = notesOf(planOf(pictureOf({ layers: 6, heads: 12, side: 96, width: 500 })));
  ok(/^each dot is the strongest of up to \d+×\d+ cells$/.test(said), said);
});

/** The reds of one head's map, row by row, where each cell has whole pixels. */
function painted(picture, maps, plan, flat = null, ratio = 1) {
  const [left, top, wide, high] = plan.area, size = { width: Math.round(wide * ratio), height: Math.round(high * ratio) };
  const image = mapsOf({ ...picture, maps }, plan, PALETTE, look, size, ratio, flat);
  return (head, x, y) => {
    const u = Math.round((plan.boxes[head][0] - left) * ratio) + x, v = Math.round((plan.boxes[head][1] - top) * ratio) + y;
    return image.data[4 * (v * size.width + u)];
  };
}

const ONE = { order: [0], boxes: [[1, 1]], cell: [2, 2], area: [0, 0, 4, 4] };

test("each dot has the colour of its own weight", () => {
  const picture = pictureOf({}), plan = planOf(picture);
  const maps = Uint8Array.from({ length: 6 * 4 }, (_, i) => 10 * i), at = painted(picture, maps, plan);
  const [wide, high] = plan.cell;
  for (let head = 0; head < 6; head++) {
    deepEqual([[0, 0], [wide - 1, 0], [0, high - 1], [wide - 1, high - 1]].map(([x, y]) => at(head, x, y)),
      [0, 1, 2, 3].map((i) => 255 - 10 * (4 * head + i)));
  }
});

test("where cells share a dot, it is the strongest of them, or their mean", () => {
  const maps = Uint8Array.from([10, 20, 0, 0, 30, 40, 0, 200, 0, 0, 100, 100, 0, 80, 100, 100]);
  const all = (picture) => [[0, 0], [1, 0], [0, 1], [1, 1]].map(([x, y]) => 255 - painted(picture, maps, ONE)(0, x, y));
  const header = { layers: 1, heads: 1, side: 4 };
  deepEqual(all(pictureOf(header)), [40, 200, 80, 100]);
  deepEqual(all(pictureOf({ ...header, pool: "mean" })), [25, 50, 20, 100]);
  const rooted = pictureOf({ ...header, pool: "mean", scale: { ...SCALE, root: true } }); // the mean of the weights, not of their roots
  deepEqual(all(rooted), [27, 100, 40, 100]);
});

test("a chosen token gives each head one colour, and its number where it has room", () => {
  const picture = pictureOf({}), plan = planOf(picture), at = painted(picture, new Uint8Array(24), plan, (i) => 40 * i);
  for (let head = 0; head < 6; head++) deepEqual([[0, 0], [9, 5]].map(([x, y]) => at(head, x, y)), Array(2).fill(255 - 40 * head));
  const shown = { ...picture, share: (i) => (i === 5 ? NaN : i / 5), number: (value) => value.toFixed(2) };
  const shares = sharesOn(shown, plan, PALETTE, look);
  deepEqual(shares.map(({ text, of }) => [text, of]), [["0.00", 0], ["0.20", 1], ["0.40", 2], ["0.60", 3], ["0.80", 4]]);
  deepEqual(shares.map(({ fill }) => fill[0]), [0, 0, 0, 255, 255]); // dark on light, light on dark
  deepEqual(sharesOn(shown, { ...plan, cell: [12, 12] }, PALETTE, look), []);
});

test("missing rows are hatched, and are no part of a mean", () => {
  const header = { layers: 1, heads: 2, queries: 4, missingHeads: [1], block: [1, 1], side: 4, pool: "mean", hasMissingRows: true };
  const bits = Uint8Array.of(0b11110010); // row 1 of the first head, all of the second
  const picture = pictureOf(header), missing = new Missing(picture.header, bits, 4);
  deepEqual([0, 1, 2, 3].map((row) => missing.row(0, row)), [false, true, false, false]);
  deepEqual([missing.whole(0), missing.whole(1), missing.some], [false, true, true]);
  deepEqual([missing.between(0, 0, 2), missing.between(0, 1, 2)], [false, true]);
  const maps = Uint8Array.from({ length: 32 }, () => 100);
  maps.fill(0, 4, 8); // what is missing is sent as nothing
  const own = { ...picture, missing };
  deepEqual([[0, 0], [1, 0]].map(([x, y]) => 255 - painted(own, maps, ONE)(0, x, y)), [100, 100]);
  const second = { ...ONE, order: [1], boxes: [null, [1, 1]], cell: [12, 12], area: [0, 0, 14, 14] }, at = painted(own, maps, second);
  const reds = Array.from({ length: 12 }, (_, x) => at(1, x, 3));
  deepEqual([...new Set(reds)].sort(), [184, 255]); // lines on paper
});

test("a pooled row is missing where all of its rows are", () => {
  const header = { layers: 1, heads: 1, queries: 5, missingHeads: [], block: [2, 2] }, rows = 3;
  const blocks = (bits) => [...new Missing({ ...header, layers: [""] }, Uint8Array.of(bits), rows).blocks];
  deepEqual(blocks(0b00001), [0, 0, 0]);
  deepEqual(blocks(0b01100), [0, 1, 0]);
  deepEqual(blocks(0b10000), [0, 0, 1]); // the last has one row alone
});

test("the layers of a narrow model stand in stacks beside each other, and fill the width", () => {
  const plan = planOf(pictureOf({ layers: 30, heads: 9, group: 3, width: 945, most: 918 }), 1, 80), [wide, high] = plan.cell;
  const lefts = plan.boxes.map(([x]) => x), tops = plan.boxes.map(([, y]) => y);
  ok(Math.max(...lefts) + wide > 900 && Math.max(...lefts) + wide <= 945);
  ok(Math.min(wide, high) >= 36, `${wide} × ${high}`);
  equal(tops[15 * 9], tops[0]);
  ok(lefts[15 * 9] > lefts[8] + wide);
  deepEqual(meetings(plan.shapes), []);
  equal(partsOf(plan.shapes, "row").length, 30);
  equal(partsOf(plan.shapes, "column").length, 18);
  equal(partsOf(plan.shapes, "group").length, 6);
  const apart = (i) => lefts[i + 1] - lefts[i];
  ok(apart(2) > apart(1) + 3 && apart(5) > apart(4) + 3);
});

test("on a phone, the same model keeps one stack, and its groups", () => {
  const plan = planOf(pictureOf({ layers: 30, heads: 9, group: 3, width: 358, most: 1100 }), 1, 120);
  ok(plan.boxes.every(([x]) => x + plan.cell[0] <= 358));
  equal(new Set(plan.boxes.map(([x]) => x)).size, 9);
  equal(partsOf(plan.shapes, "group").length, 3);
  ok(Math.min(...plan.cell) >= 18, `${plan.cell}`);
});

test("the groups of heads need no stacks, and heads of their own need no lines", () => {
  equal(partsOf(planOf(pictureOf({ layers: 6, heads: 12, width: 945, most: 560 })).shapes, "group").length, 0);
  const plan = planOf(pictureOf({ layers: 6, heads: 12, group: 4, width: 945, most: 560 }));
  equal(partsOf(plan.shapes, "group").length, 3);
  equal(new Set(plan.boxes.map(([, y]) => y)).size, 6);
});
