import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { boxOf, look, night, partsOf } from "../support.js";
import { paletteOf } from "../../../../core/figures/web/src/draw/cells.js";
import { MOST_ROWS, lensPlan, nextCell } from "../../../../core/figures/web/src/matrix/lensplan.js";

const VIEW = { left: 0, top: 0, reveal: null };

function planOf({ rows = 4, columns = 3, width = 600, view = VIEW, room = Infinity, whole = false, chosen = null, page = look, words } = {}) {
  const count = rows * columns;
  const header = {
    rows: Array.from({ length: rows }, (_, r) => String(rows - r)), rowNames: Array.from({ length: rows }, (_, r) => `layer ${rows - r}`),
    columns: Array.from({ length: columns }, (_, c) => `␣t${c}`), labels: words ?? Array.from({ length: count }, (_, i) => `␣w${i}`),
    firm: "01".repeat(count).slice(0, count), notes: Array(count).fill(""), chosen, number: { digits: 4 }, height: 200,
    scale: { kind: "weights", root: false, hue: [222, 46, 130], title: "probability" },
  };
  const values = Float32Array.from({ length: count }, (_, i) => i / (count - 1));
  return { ...lensPlan({ header, values, width }, page, paletteOf(header.scale, page), view, room, whole), values };
}

test("each cell has its word on the colour of its probability, from 0 to 1", () => {
  for (const page of [look, night]) {
    const { shapes, values } = planOf({ page }), cells = partsOf(shapes, "cell"), words = partsOf(shapes, "word");
    equal(cells.length, 12);
    deepEqual(words.map(({ text, bold }) => [text, bold]), [...values.keys()].map((i) => [`␣w${i}`, i % 2 === 1]));
    deepEqual(cells[0].fill, page.paper);
    const palette = paletteOf({ kind: "weights", hue: [222, 46, 130] }, page);
    deepEqual(cells[11].fill, palette.colours[255]);
    words.forEach((word, i) => {
      const [x, y, wide, high] = cells[i].rect, [left, top, right, bottom] = boxOf(word);
      ok(left >= x && right <= x + wide && top >= y - 1 && bottom <= y + high + 1);
    });
  }
});

test("long words, of any script, are cut to their cells", () => {
  const words = Array(12).fill("Donaudampfschifffahrt😀שלום");
  for (const width of [358, 900]) {
    const { shapes } = planOf({ width, words }), cells = partsOf(shapes, "cell");
    partsOf(shapes, "word").forEach((word, i) => ok(boxOf(word)[2] <= cells[i].rect[0] + cells[i].rect[2]));
  }
});

test("31 layers of 14 tokens need no scrolling at 940 pixels; 64 tokens scroll with the names of the layers in view", () => {
  const small = planOf({ rows: 31, columns: 14, width: 940 });
  deepEqual([small.shown, small.content], [[31, 14], [0, 0]]);
  ok(small.high < 560);
  const large = planOf({ rows: 31, columns: 64, width: 940, view: { left: 1e5, top: 0, reveal: null } });
  equal(large.first[1] + large.shown[1], 64);
  equal(partsOf(large.shapes, "row").length, 31);
  equal(partsOf(large.shapes, "column").at(-1).text, "␣t63");
  ok(large.content[0] > large.area[2]);
});

test("on a phone, four tokens are in view, at first the last ones", () => {
  const { shown, first, area } = planOf({ rows: 31, columns: 14, width: 358, view: { left: 0, top: 0, reveal: 13 } });
  deepEqual([shown[1], first[1]], [4, 10]);
  ok(area[0] + area[2] <= 358);
});

test("more layers than there is room for scroll below the names of the tokens", () => {
  const { shown, shapes, first } = planOf({ rows: 60, columns: 3, view: { left: 0, top: 0, reveal: 59 * 3 } });
  deepEqual([shown[0], first[0]], [MOST_ROWS, 60 - MOST_ROWS]);
  equal(partsOf(shapes, "column").length, 3);
  equal(planOf({ rows: 60, columns: 3, room: 10 }).shown[0], 3);
});

test("the pointer finds the cell that is drawn there, also where it is scrolled", () => {
  const plan = planOf({ rows: 60, columns: 64, view: { left: 700, top: 300, reveal: null } });
  for (const cell of partsOf(plan.shapes, "cell")) {
    const [x, y, wide, high] = cell.rect;
    equal(plan.at(x + wide / 2, y + high / 2), cell.of);
    deepEqual(plan.box(cell.of).slice(0, 2), [x, y]);
  }
  equal(plan.at(1, 1), null);
  equal(plan.box(0), null);
});

test("the scale stands above the cells", () => {
  const { shapes } = planOf({ rows: 31, columns: 5 }), top = Math.min(...partsOf(shapes, "cell").map(({ rect }) => rect[1]));
  ok(partsOf(shapes, "note").every(({ y }) => y < top));
  ok(partsOf(shapes, "column").every(({ y }) => y < top));
});

test("a file has all cells", () => {
  const { shapes } = planOf({ rows: 60, columns: 64, whole: true });
  equal(partsOf(shapes, "cell").length, 60 * 64);
});

test("the chosen cell is framed, where it is in view", () => {
  const plan = planOf({ chosen: 7 });
  equal(partsOf(plan.shapes, "chosen").length, 1);
  equal(partsOf(planOf({ rows: 60, columns: 64, chosen: 60 * 64 - 1 }).shapes, "chosen").length, 0);
});

test("keys go from cell to cell, and stop at the edges", () => {
  const to = (key, here, ctrlKey = false) => nextCell({ key, ctrlKey }, here, 31, 14);
  deepEqual([to("ArrowUp", 20), to("ArrowDown", 20), to("ArrowLeft", 20), to("ArrowRight", 20)], [6, 34, 19, 21]);
  deepEqual([to("ArrowUp", 3), to("ArrowLeft", 14), to("ArrowRight", 27), to("PageDown", 3), to("PageUp", 30)], [3, 14, 27, 143, 2]);
  deepEqual([to("Home", 20), to("End", 20), to("End", 20, true), to("Home", 20, true), to("x", 20), to("ArrowUp", 20, true)], [14, 27, 433, 0, null, null]);
});

test("where columns are out of view, a line below says which are in view", () => {
  const notes = (plan) => partsOf(plan.shapes, "note").map(({ text }) => text).join(" ");
  const phone = planOf({ rows: 31, columns: 14, width: 358, view: { left: 0, top: 0, reveal: 13 } });
  ok(notes(phone).includes("Tokens 11–14 of 14"), notes(phone));
  ok(phone.box(13) !== null && phone.box(0) === null);
  equal(notes(planOf({ rows: 31, columns: 14, width: 940 })), "probability");
  equal(notes(planOf({ rows: 31, columns: 14, width: 358, whole: true })), "probability");
});
