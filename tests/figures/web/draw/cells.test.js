import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { look, night } from "../support.js";
import { cellsAsSvg, imageOfCells, legendOf, paletteOf, shares } from "../../../../core/figures/web/src/draw/cells.js";

const HUE = [55, 105, 155];
const WEIGHTS = { kind: "weights", root: false, hue: HUE, title: "weight" };
const SIGNED = { kind: "signed", bound: 2, digits: 2, light: [[100, 0, 100], [0, 100, 0]], dark: [[200, 0, 200], [0, 200, 0]], title: "difference" };

test("weights have colours from paper to the hue, by their root where it is asked for", () => {
  const linear = paletteOf(WEIGHTS, look), root = paletteOf({ ...WEIGHTS, root: true }, look);
  deepEqual([0, 0.2, 1, 1.5, NaN].map(linear.at), [0, 51, 255, 255, 0]);
  deepEqual([0, 0.04, 0.25, 1].map(root.at), [0, 51, 128, 255]);
  deepEqual([0, 51, 255].map((i) => linear.colours[i]), [[255, 255, 255], [215, 225, 235], HUE]);
  equal(paletteOf({ ...WEIGHTS, most: 0.5 }, look).at(0.25), 128);
});

test("on a dark page the hue is reached at 0.4, and a tint of it at the end", () => {
  const { colours } = paletteOf(WEIGHTS, night);
  deepEqual([0, 51, 102, 255].map((i) => colours[i]), [[0, 0, 0], [28, 53, 78], HUE, [175, 195, 215]]);
});

test("signed numbers go from one colour over paper to the other, and no farther than the bound", () => {
  for (const page of [look, night]) {
    const { at, colours, strength } = paletteOf(SIGNED, page), [low, high] = SIGNED[page.dark ? "dark" : "light"];
    deepEqual([-5, -2, -1, 0, NaN, 1, 2, 5].map(at), [0, 0, 64, 127, 127, 191, 254, 254]);
    deepEqual([0, 127, 254].map((i) => colours[i]), [low, page.paper, high]);
    deepEqual([0, 127, 254].map(strength), [127, 0, 127]);
  }
});

test("cells share pixels out: one cell each, or several on one pixel", () => {
  deepEqual(shares(2, 5), { from: Int32Array.of(0, 0, 0, 1, 1), to: Int32Array.of(1, 1, 1, 2, 2) });
  deepEqual(shares(5, 2), { from: Int32Array.of(0, 2), to: Int32Array.of(2, 5) });
  for (const [count, pixels] of [[7, 100], [100, 7], [512, 311]]) {
    const { from, to } = shares(count, pixels);
    equal(from[0], 0);
    equal(to.at(-1), count); // no cell is left out, and none is past the last
    if (pixels < count) for (let p = 1; p < pixels; p++) equal(from[p], to[p - 1]);
  }
});

const reds = (image) => Array.from({ length: image.width * image.height }, (_, i) => image.data[4 * i]);
const WHITE_TO_BLACK = { ...WEIGHTS, hue: [0, 0, 0] };

test("each cell has the colour of its number in all of its pixels", () => {
  const palette = paletteOf(WHITE_TO_BLACK, look), values = Float32Array.of(0, 0.2, 0.4, 1);
  const plan = { width: 3, height: 2, gapX: 0, gapY: 0, gapColour: look.line };
  deepEqual(reds(imageOfCells({ values, rows: 2, columns: 2 }, plan, palette, 1)), [255, 255, 204, 153, 153, 0]);
  const gaps = { ...plan, width: 4, height: 4, gapX: 1, gapY: 1 };
  deepEqual(reds(imageOfCells({ values, rows: 2, columns: 2 }, gaps, palette, 1)),
    [255, 232, 204, 232, ...Array(4).fill(232), 153, 232, 0, 232, ...Array(4).fill(232)]);
});

test("where cells share a pixel, the strongest of them is shown, of either sign", () => {
  const plan = { width: 2, height: 1, gapX: 0, gapY: 0, gapColour: look.line }, rows = 3, columns = 4;
  const values = Float32Array.of(0.1, 0, 0, 0.2, 0, 0.6, 0, 0, 0, 0, 0.4, 0);
  deepEqual(reds(imageOfCells({ values, rows, columns }, plan, paletteOf(WHITE_TO_BLACK, look), 1)), [102, 153]);
  const signed = paletteOf({ ...SIGNED, bound: 1, light: [[0, 0, 0], [0, 100, 0]] }, look);
  const some = Float32Array.of(0.1, 0, 0, 0.9, -0.95, 0, 0, 0, 0, 0, -1, 0);
  deepEqual(reds(imageOfCells({ values: some, rows, columns }, plan, signed, 1)), [12, 0]);
});

test("an SVG has every cell, neighbours of one colour as one", () => {
  const plan = { x: 5, y: 7, width: 30, height: 20, gapX: 0, gapY: 0, gapColour: look.line };
  const picture = { values: Float32Array.of(0, 1, 1, 0, 0, 0), rows: 2, columns: 3 };
  const text = cellsAsSvg(picture, plan, paletteOf(WHITE_TO_BLACK, look));
  equal(text, '<g transform="translate(5 7) scale(10 10)" shape-rendering="crispEdges">'
    + '<path fill="rgb(255, 255, 255)" d="M0 0h1v1h-1zM0 1h3v1h-3z"/><path fill="rgb(0, 0, 0)" d="M1 0h2v1h-2z"/></g>');
});

const numbers = (scale) => {
  const { shapes } = legendOf(scale, paletteOf(scale, look), look, 600, 20, 0, ["a note"], { digits: 4, plus: false });
  const texts = shapes.filter(({ text, part }) => text && part !== "note");
  return texts.map(({ text, x }) => [text, x]);
};

test("a scale has its numbers where their colours are", () => {
  deepEqual(numbers(WEIGHTS), [["0", 20], ["0.25", 60], ["0.5", 100], ["0.75", 140], ["1", 180]]);
  deepEqual(numbers({ ...WEIGHTS, root: true }).filter(([, x]) => x % 10 === 0), [["0", 20], ["0.25", 100], ["1", 180]]);
  deepEqual(numbers({ ...WEIGHTS, most: 0.05 }), [["0", 20], ["0.0500", 180]]);
  deepEqual(numbers(SIGNED), [["−2", 20], ["0", 100], ["2", 180]]);
});
