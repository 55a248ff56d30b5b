import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { boxOf, cornersOf, look, meetings, near, partsOf } from "../support.js";
import { linesPlan, nextPoint, lastPoint, powerOfTen } from "../../../../core/figures/web/src/charts/linesplan.js";

const A = [-0.6, -0.5, 0.1, 0.25, 0.75], B = [-0.6, -0.5, -0.7, -0.8, -0.75];

function planOf({ values = [A, B], band = null, width = 600, ...more } = {}) {
  const count = values[0].length, lines = (band ? values.slice(0, -2) : values);
  const header = {
    lines: lines.map((_, i) => ({ name: `Sentence ${"ABC"[i]}`, label: "ABC"[i], colour: ["blue", "orange", "green"][i], mark: ["circle", "square", "diamond"][i] })),
    steps: Array.from({ length: count }, (_, i) => `Layer ${i}`), ticks: Array.from({ length: count }, (_, i) => String(i)), axis: "after layer",
    guides: [[-1, "money −1"], [0, "halfway 0"], [1, "river +1"]], bounds: [-1, 1], start: null, startColour: "grey", band, unit: "", height: 300, ...more,
  };
  return linesPlan({ header, rows: values.map((row) => Float32Array.from(row)), width }, look);
}
/** Where a number is drawn, by the guides. */
function heightIn(plan) {
  const [low, middle] = partsOf(plan.shapes, "guide").filter(({ text }) => text).map(({ y }) => y);
  return (value) => middle + (middle - low) * value;
}
const ticksOf = (plan) => partsOf(plan.shapes, "tick").map(({ x }) => x);

for (const width of [440, 1440]) {
  test(`each number stands at its step and its height, at ${width} pixels`, () => {
    const plan = planOf({ width }), y = heightIn(plan), x = ticksOf(plan);
    x.slice(2).forEach((_, i) => near(x[i + 2] - x[i + 1], x[1] - x[0]));
    ok(y(1) < y(0));
    [A, B].forEach((values, line) => {
      const corners = cornersOf(partsOf(plan.shapes, "line")[line].path);
      near(corners, values.map((value, i) => [x[i], y(value)]), 0.01);
      near(plan.marks.slice(5 * line, 5 * line + 5).map((mark) => [mark.x, mark.y]), values.map((value, i) => [x[i], y(value)]), 1e-3);
    });
    deepEqual(partsOf(plan.shapes, "mark").map(({ of, fill }) => [of, fill]),
      [...Array(5).keys()].map((i) => [i, "blue"]).concat([...Array(5).keys()].map((i) => [5 + i, "orange"])));
    deepEqual(meetings(plan.shapes), []);
  });
}

test("marks differ by their shape and not by colour alone", () => {
  const marks = partsOf(planOf().shapes, "mark");
  equal(marks[0].path.match(/a/g).length, 2); // a circle
  equal(marks[5].path.match(/L/g).length, 3); // a square
});

test("where all lines begin at one point it is one mark", () => {
  const plan = planOf({ start: "learned" }), y = heightIn(plan), [start, ...others] = partsOf(plan.shapes, "start");
  deepEqual([others.length, start.fill], [0, "grey"]);
  near(cornersOf(start.path.replace("z", "")).reduce((sum, [, height]) => sum + height / 4, 0), y(-0.6), 0.01);
  deepEqual(partsOf(plan.shapes, "mark").map(({ of }) => of), [1, 2, 3, 4, 6, 7, 8, 9]);
});

test("lines are named at their ends, apart where they end close to each other", () => {
  const plan = planOf(), y = heightIn(plan), ends = partsOf(plan.shapes, "end");
  deepEqual(ends.map(({ text, fill, bold }) => [text, fill, bold]), [["A", "blue", true], ["B", "orange", true]]);
  near(ends.map((end) => end.y), [y(0.75), y(-0.75)], 1e-3);
  ok(ends.every(({ x }) => x > ticksOf(plan).at(-1)));
  const close = partsOf(planOf({ values: [[0, 0.5], [0, 0.51], [0, 0.49]] }).shapes, "end").map((end) => end.y);
  near(close.toSorted((a, b) => a - b).map((height, i, all) => height - all[0] - 13 * i), [0, 0, 0]);
  near(close.toSorted((a, b) => a - b)[1], heightIn(planOf({ values: [[0, 0.5], [0, 0.51], [0, 0.49]] }))(0.5), 0.5);
});

test("two lines of one point each have their names apart from both points, near, far or equal", () => {
  for (const other of [0.5, 0.52, 0.44, 0.3, -0.9]) for (const step of [0, 4]) {
    const at = (value) => A.map((_, i) => (i === step ? value : NaN)), plan = planOf({ values: [at(0.5), at(other)], width: 300 });
    const [first, second] = partsOf(plan.shapes, "end"), marks = plan.marks.filter(Boolean);
    ok(Math.abs(first.y - second.y) >= first.size || Math.abs(first.x - second.x) >= 12, `${other}: ${first.y}, ${second.y}`);
    for (const { y, size } of [first, second]) for (const mark of marks) ok(Math.abs(y - mark.y) >= size / 2 + 2, `${other}: ${y}, ${mark.y}`);
  }
});

test("a line that ends before another has its name where it ends, clear of both", () => {
  for (const width of [300, 600]) {
    const values = [A, [-0.6, -0.5, 0.1, NaN, NaN]], plan = planOf({ values, width });
    const early = partsOf(plan.shapes, "end").find(({ of }) => of === 1), late = partsOf(plan.shapes, "end").find(({ of }) => of === 0);
    const x = ticksOf(plan), y = heightIn(plan), [left, top, right, bottom] = boxOf(early);
    ok(late.x > x[4] && right < x[4] && Math.abs(early.x - x[2]) < x[1] - x[0]);
    for (const mark of plan.marks.filter(Boolean)) ok(!(left < mark.x && mark.x < right && top < mark.y && mark.y < bottom));
    ok(Math.abs(early.y - y(0.1)) < 3 * early.size);
  }
  const both = planOf({ values: [[0, 0.5, NaN], [0, 0.25, NaN]] }); // of two that both end early, as a training that goes on
  ok(partsOf(both.shapes, "end").every((end) => end.x > ticksOf(both)[2]));
});

test("guides stand at their numbers, named at the left", () => {
  const plan = planOf(), names = partsOf(plan.shapes, "guide").filter(({ text }) => text);
  deepEqual(names.map(({ text }) => text), ["money −1", "halfway 0", "river +1"]);
  ok(names.every((name) => boxOf(name)[2] < ticksOf(plan)[0]));
});

test("a gap is a gap: in the line, in its marks, in the keys", () => {
  const values = [[NaN, 0.25, 0.5, NaN, 0.125, NaN], [0.5, NaN, NaN, 0, 0.5, 0.75], [-0.75, -0.5, -0.5, 0, 0.5, 0.7]];
  const plan = planOf({ values });
  deepEqual(partsOf(plan.shapes, "line").map(({ path }) => path.match(/M/g).length), [2, 2, 1]); // a lone point among them
  deepEqual(partsOf(plan.shapes, "mark").map(({ of }) => of), [1, 2, 4, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
  ok(!JSON.stringify(plan.shapes).includes("NaN"));
  const flat = Float32Array.from(values.flat()), from = lastPoint(flat, 6, 3);
  equal(from, 4);
  const keys = ["ArrowLeft", "ArrowDown", "Home", "ArrowUp", "ArrowUp", "End", "ArrowDown"];
  let here = from;
  const walked = keys.map((key) => { here = nextPoint({ marks: plan.marks, values: flat, count: 6 }, here, { key }); return here; });
  deepEqual(walked, [2, 14, 12, 6, 6, 11, 17]);
  equal(nextPoint({ marks: plan.marks, values: flat, count: 6 }, 4, { key: "a" }), null);
  equal(lastPoint(Float32Array.of(NaN, NaN, 0.5, NaN), 2, 2), 2); // of the first line that has a number
});

test("up and down skip what stands at the same number", () => {
  const plan = planOf(), flat = Float32Array.from([...A, ...B]);
  equal(nextPoint({ marks: plan.marks, values: flat, count: 5 }, 1, { key: "ArrowDown" }), 1); // both are at −0.5
  equal(nextPoint({ marks: plan.marks, values: flat, count: 5 }, 4, { key: "ArrowDown" }), 9);
  equal(nextPoint({ marks: plan.marks, values: flat, count: 5 }, 9, { key: "ArrowUp" }), 4);
});

test("a band lies behind, with its gap, and its name keeps clear of the marks", () => {
  const low = [-0.9, -0.9, NaN, -0.9, -0.9], high = [0.5, 0.5, NaN, 0.5, 0.5];
  const plan = planOf({ values: [A, B, low, high], band: "bank in 40 sentences" }), y = heightIn(plan);
  const [band] = plan.shapes, name = partsOf(plan.shapes, "band").find(({ text }) => text);
  equal(band.part, "band");
  equal(band.path.match(/M/g).length, 2);
  const heights = band.path.split(/[MLz]/).filter(Boolean).map((corner) => Number(corner.split(" ")[1]));
  near([Math.min(...heights), Math.max(...heights)], [y(0.5), y(-0.9)], 0.01);
  equal(name.text, "bank in 40 sentences");
  const [left, top, right, bottom] = boxOf(name);
  ok(plan.marks.every(({ x, y: height }) => !(left < x && x < right && top < height && height < bottom)));
});

test("a number on a logarithmic scale has three digits that count", () => {
  const written = (number) => powerOfTen(Math.log10(number));
  deepEqual([1, 0.5, 0.0123456, 0.001, 123.456, 999].map(written), ["1.00", "0.500", "0.0123", "0.00100", "123", "999"]);
  deepEqual([1.2345e-7, 4.5e12, 1000, 999.9, 9.999e-5].map(written), ["1.23·10⁻⁷", "4.50·10¹²", "1.00·10³", "1.00·10³", "1.00·10⁻⁴"]);
  equal(powerOfTen(-400.5), "3.16·10⁻⁴⁰¹"); // smaller than a double
});

test("what the numbers count stands above their axis, and nothing meets it", () => {
  for (const width of [390, 1440]) {
    const plan = planOf({ unit: "steps", width }), [unit] = partsOf(plan.shapes, "unit");
    equal(unit.text, "steps");
    ok(boxOf(unit)[3] <= plan.area[1]);
    deepEqual(meetings(plan.shapes), []);
  }
  equal(partsOf(planOf().shapes, "unit").length, 0);
});
