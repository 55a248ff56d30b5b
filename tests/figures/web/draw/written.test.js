import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { called, exactly, inSight, largest, partOf, roundedUp, shortly, stepped, weighed } from "../../../../core/figures/web/src/draw/written.js";

test("a weight is never written as nothing where it is something", () => {
  deepEqual([0, 0.004, 0.25, NaN].map(shortly), ["0.00", "<0.01", "0.25", "missing"]);
  deepEqual([0.25, NaN].map(exactly), ["0.2500", "missing"]);
  deepEqual([0, 0.00042, 0.25].map(weighed), ["0.0000", "0.000420", "0.2500"]);
});

test("a token that stands twice has its number, from 1", () => {
  deepEqual(["bank", "on", "bank"].map((_, i, all) => called(all, i)), ["bank (1)", "on", "bank (3)"]);
});

test("the largest come first, of equal ones the earlier; what is missing never", () => {
  deepEqual(largest([0.1, NaN, 0.5, 0.5, 0.3], 3), [2, 3, 4]);
});

test("a scale ends at the next number of two digits", () => {
  deepEqual([0.0123, 0.12, 0.999, 3, 17.2, 0, NaN].map(roundedUp), [0.013, 0.12, 1, 3, 18, 1, 1]);
});

test("keys lead through a list and no farther than its ends", () => {
  const to = (key, at, more) => stepped({ key, ...more }, at, 25, 10);
  deepEqual([to("ArrowDown", 3), to("ArrowUp", 0), to("PageDown", 3), to("PageDown", 20), to("Home", 7), to("End", 7)], [4, 0, 13, 24, 0, 24]);
  deepEqual([to("ArrowRight", 3), to("Home", 7, { ctrlKey: true }), to("a", 7)], [null, null, null]);
});

test("which rows of a long list are in sight", () => {
  const list = { y: 0, window: 50, middle: (i) => 10 * i + 5 - 20 };
  deepEqual(inSight(list, [0, 20], { size: 10 }), [2, 3, 4, 5, 6]);
  equal(partOf([2, 3, 4], 20), ", 3–5 of 20");
  equal(partOf([0, 1], 2), "");
});
