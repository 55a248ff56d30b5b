// What Plotly is given: each point once in the trace of its group, ways, notes, one scale for all directions.
import assert from "node:assert/strict";
import test from "node:test";
import { inLines, layoutOf, notesOf, plain, signOf, tracesOf } from "../../../../core/figures/web/src/points/spaceplot.js";
import { cameraOf } from "../../../../core/figures/web/src/points/camera.js";
import { look, near, night } from "../support.js";

const NAN = NaN;
const places = [
  [0, 0, 0, 1, 1, 1, NAN, NAN, NAN, 2, 3, 5],
  [0, 0, 1, 1, 2, 3, 4, 4, 4, 2, 3, 7],
].map((numbers) => Float32Array.from(numbers));
const header = {
  groups: [{ name: "a", light: "#111", dark: "#eee", mark: "circle" }, { name: "b", light: "#222", dark: "#ddd", mark: "frame" }],
  texts: [["", "zero", ""], ["On the ", "bank", "."], ["", "<b>", ""], ["", "three", ""]],
  names: ["zero", "bank", "<b>", "three"], bold: [3], trails: [1, 2], numbered: false,
  titles: ["PCA 1: 50 %", "a title of several words", "<i>"], middle: [1, 2, 3], halves: [4, 2, 0.1],
};
const points = (more = {}) => ({
  header, groups: Uint8Array.from([0, 1, 1, 0]), at: places[1], placesAt: (depth) => places[depth], state: { depth: 1, chosen: null }, lit: null, ...more,
});

test("a group is one trace with its mark and its colour for the page; a point without a place is left out", () => {
  const all = tracesOf(points(), look), [a, b] = all.slice(-2);
  assert.deepEqual([a.of, b.of], [[0, 3], [1, 2]]);
  assert.deepEqual([...b.trace.z], [3, 4]);
  assert.deepEqual([a.trace.marker.symbol, b.trace.marker.symbol], ["circle", "square-open"]);
  assert.deepEqual([a.trace.marker.color, tracesOf(points(), night).at(-2).trace.marker.color], ["#111", "#eee"]);
  assert.deepEqual(tracesOf(points({ at: places[0], state: { depth: 0, chosen: null } }), look).at(-1).of, [1]);
});

test("of many points the first two groups are no circles, all groups differ, and the signs say the same", () => {
  const marks = ["circle", "square", "diamond", "up", "ring", "frame", "gem", "down"];
  const groups = marks.map((mark) => ({ name: mark, light: "#111", dark: "#eee", mark }));
  const made = (count) => {
    const of = Uint8Array.from({ length: count }, (_, i) => i % 8);
    const many = points({ header: { ...header, groups, names: null, trails: [] }, groups: of, at: new Float32Array(3 * count) });
    return tracesOf(many, look).map(({ trace }) => trace.marker.symbol);
  };
  const [few, many] = [made(500), made(501)];
  for (const all of [few, many]) assert.equal(new Set(all).size, 8);
  assert.deepEqual(few.slice(0, 2), ["circle", "square"]);
  assert.deepEqual(many.slice(0, 2), ["square", "diamond"]);
  assert.deepEqual([500, 501].map((count) => signOf(groups[0], count)), ["●", "■"]);
});

test("a way leads through the places so far, and says of each dot its depth", () => {
  const [line, bank, , late] = tracesOf(points(), look);
  assert.deepEqual([line.trace.mode, line.trace.x], ["lines", [1, 1]]);
  assert.deepEqual([bank.of, bank.depths, bank.trace.x, bank.trace.z], [[1, 1], [0, 1], [1, 1], [1, 3]]);
  assert.deepEqual([late.depths, late.trace.y], [[1], [4]]); // it had no place at first
});

test("names are bold where they are important, and no tag", () => {
  const [a, b] = tracesOf(points(), look).slice(-2);
  assert.deepEqual(a.trace.text, ["zero", "<b>three</b>"]);
  assert.deepEqual(b.trace.text, ["bank", plain("<b>")]);
  assert(!/<[a-z/]/i.test(plain("</b> <i>x")));
  assert.equal(tracesOf(points({ header: { ...header, names: null } }), look).at(-1).trace.text, undefined);
});

test("the chosen point and the one that keys have reached are pointed at, once where they are one", () => {
  assert.deepEqual(notesOf(points(), look), []);
  const [chosen, lit] = notesOf(points({ state: { depth: 1, chosen: 1 }, lit: 2 }), look);
  assert.deepEqual([chosen.x, chosen.y, chosen.z, chosen.text], [1, 2, 3, "<b>On the bank.</b>"]);
  assert.equal(lit.text, "&lt;b&gt;");
  assert.equal(notesOf(points({ state: { depth: 1, chosen: 1 }, lit: 1 }), look).length, 1);
  assert.deepEqual(notesOf(points({ at: places[0], state: { depth: 0, chosen: 2 } }), look), []);
  const [numbered] = notesOf(points({ header: { ...header, numbered: true }, lit: 3 }), look);
  assert.equal(numbered.text, "4");
});

test("all directions have one scale, the thinnest enough room for its title, which is whole", () => {
  const { scene, width } = layoutOf(points(), look, cameraOf(null), { width: 300, height: 200 });
  const spans = ["xaxis", "yaxis", "zaxis"].map((axis) => scene[axis].range[1] - scene[axis].range[0]);
  const { x, y, z } = scene.aspectratio;
  near([x / spans[0], y / spans[0]], [y / spans[1], (y * spans[1]) / spans[0] / spans[1]]);
  near([x / spans[0], y / spans[1]], [z / spans[2], z / spans[2]]);
  assert(spans[2] > 0.4 * spans[0]);
  near(["xaxis", "yaxis", "zaxis"].map((axis) => (scene[axis].range[0] + scene[axis].range[1]) / 2), [1, 2, 3]);
  assert.equal(scene.xaxis.title.text, "PCA 1: 50 %");
  assert.equal(scene.yaxis.title.text, "a title of<br>several words");
  assert.equal(inLines("<i>"), plain("<i>"));
  assert.equal(width, 300);
});
