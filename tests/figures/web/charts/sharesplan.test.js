import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { cornersOf, look, near, partsOf } from "../support.js";
import { widthOf } from "../../../../core/figures/web/src/runtime/shared.js";
import { nextShare, sharesPlan } from "../../../../core/figures/web/src/charts/sharesplan.js";

const GROUP = { light: "blue", dark: "cyan", mark: "circle" };
const header = (groups) => ({
  rows: [{ name: "1990", total: 1234 }, { name: "2005", total: 2 }], counts: [], chosen: 1, axis: "share", height: 130,
  groups: Array.from({ length: groups }, (_, i) => ({ ...GROUP, name: `Group ${i + 1}` })),
});
const VALUES = Float32Array.of(0.75, 0.3, 0.95, 0.25, 0.05, 0.7, 0, 0, 0.6, NaN, NaN, NaN);

test("a mark stands at its share, and its line at both ends of the interval", () => {
  const plan = sharesPlan({ header: header(2), values: VALUES, width: 500 }, look), [zero, , one] = partsOf(plan.shapes, "tick");
  const x = (share) => zero.x + share * (one.x - zero.x);
  near(plan.marks[0].x, x(0.75), 1e-3);
  const [interval] = partsOf(plan.shapes, "interval");
  near(cornersOf(interval.path).map(([at]) => at), [x(0.3), x(0.95)], 0.02);
  equal(plan.marks[3], null, "a gap");
  equal(partsOf(plan.shapes, "mark").length, 3);
  deepEqual(partsOf(plan.shapes, "count").map(({ text }) => text), ["1,234", "2"]);
});

test("where there is no room for all groups the chosen one stays, and the axis says so", () => {
  const eight = Float32Array.from({ length: 48 }, (_, i) => [0.5, 0.2, 0.8][i % 3]);
  const plan = sharesPlan({ header: { ...header(8), chosen: 7 }, values: eight, width: 330 }, look);
  const shown = partsOf(plan.shapes, "group").map(({ of }) => of);
  ok(shown.length < 8 && shown.includes(7));
  ok(partsOf(plan.shapes, "axis")[0].text.includes(String(8 - shown.length)));
  ok(plan.marks.filter(Boolean).every(({ x, r }) => x - r >= 0 && x + r <= 330));
});

test("the title of the axis gives way to what has no room, and to the menu", () => {
  const eight = Float32Array.from({ length: 48 }, (_, i) => [0.5, 0.2, 0.8][i % 3]), axis = "share of the lines of each chapter";
  for (const [width, groups] of [[330, 8], [330, 1], [500, 8], [900, 8]]) {
    const plan = sharesPlan({ header: { ...header(groups), axis }, values: eight, width }, look);
    const [{ text, x }] = partsOf(plan.shapes, "axis"), left = groups - partsOf(plan.shapes, "group").length;
    if (left) ok(text.includes(String(left)), `${width}: ${text}`);
    if (!left || width === 900) ok(text.includes(axis), `${width}: ${text}`);
    const half = widthOf(text, look) / 2;
    ok(x - half >= 0 && x + half <= width - 60, `${width}: ${x}`);
  }
});

test("keys go through values and groups, over gaps", () => {
  const marks = [1, 1, 1, null].map((one) => one && {});
  equal(nextShare(marks, 2, null, "ArrowDown"), 0);
  equal(nextShare(marks, 2, 0, "ArrowRight"), 1);
  equal(nextShare(marks, 2, 1, "ArrowRight"), 1);
  equal(nextShare(marks, 2, 1, "ArrowDown"), 1);
  equal(nextShare(marks, 2, 0, "ArrowDown"), 2);
  equal(nextShare(marks, 2, 0, "End"), 2);
  equal(nextShare(marks, 2, 0, "a"), null);
});
