import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { look } from "../support.js";
import { hatching, missingHatch, runsOf } from "../../../../core/figures/web/src/draw/hatch.js";

const PLAN = { x: 100, y: 50, width: 70, height: 35 };
const ends = (path) => path.slice(1).split("M").map((line) => line.split("L").map((end) => end.split(" ").map(Number)));

test("neighbours for which it is so are one run", () => {
  deepEqual(runsOf(7, (i) => [0, 1, 4, 6].includes(i)), [[0, 2], [4, 5], [6, 7]]);
  deepEqual(runsOf(3, () => false), []);
});

test("slanted lines cover what is masked and nothing else", () => {
  const [shape] = hatching([[[0, 10]], [], [[5, 10]], [], []], 10, PLAN, look, "masked"); // cells of 7 × 7
  equal(shape.part, "masked");
  for (const [[fromX, fromY], [toX, toY]] of ends(shape.path)) {
    equal(fromX + fromY, toX + toY); // down and to the left
    const first = toY <= 57;
    ok(first || (fromY >= 64 && toY <= 71 && toX >= 135), shape.path);
    ok(fromX <= 170 && toX >= 100);
  }
  deepEqual(ends(shape.path)[0], [[107, 50], [100, 57]]);
});

test("what is missing is hatched the other way, and all that is there not at all", () => {
  const values = Float32Array.from({ length: 50 }, (_, i) => (i >= 10 && i < 20 ? NaN : 0.5));
  const [shape] = missingHatch(values, 5, 10, PLAN, look);
  equal(shape.part, "missing");
  for (const [[fromX, fromY], [toX, toY]] of ends(shape.path)) {
    equal(fromX - fromY, toX - toY);
    ok(fromY >= 57 && toY <= 64);
  }
  deepEqual(missingHatch(values.map(() => 1), 5, 10, PLAN, look), []);
});
