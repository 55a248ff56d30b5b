import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { boxOf, look, meetings, near, night, partsOf } from "../support.js";
import { barsPlan, precisely } from "../../../../core/figures/web/src/charts/barsplan.js";

const CHANCES = [0.4, 0.2, 0.125, 0.05, 0.0005], BEFORE = [0.1, 0.3, 0.125, 0.5, 0], MOVED = [1.5, -0.75, 0, -3, 0.001];
const SIGNED = { light: [[100, 0, 100], [0, 100, 0]], dark: [[200, 0, 200], [0, 200, 0]] };

function planOf({ values = CHANCES, others = null, width = 600, top = 0, page = look, ...more } = {}) {
  const header = {
    labels: values.map((_, i) => `word${i}`), unit: "probability", kind: "weights", hue: [55, 105, 155], signed: SIGNED, names: others && ["after", "before"],
    chosen: null, most: null, number: { digits: 3, plus: false }, height: 260, ...more,
  };
  const view = { header, values: Float32Array.from([...values, ...(others ?? [])]), others: others && Float32Array.from(others), width };
  return barsPlan(view, page, () => top);
}
const rectsOf = (plan, part) => partsOf(plan.shapes, part).map(({ rect }) => rect);

for (const width of [390, 1440]) {
  test(`bars are as long as their numbers, from one zero, at ${width} pixels`, () => {
    const plan = planOf({ width }), bars = rectsOf(plan, "bar"), numbers = partsOf(plan.shapes, "number"), names = partsOf(plan.shapes, "label");
    deepEqual(partsOf(plan.shapes, "bar").map(({ of }) => of), [0, 1, 2, 3, 4]);
    bars.forEach(([x, y, wide, high], i) => {
      near(x, plan.x(0));
      near(x + wide, plan.x(CHANCES[i]), 1e-3);
      near(wide / bars[0][2], CHANCES[i] / 0.4, 1e-6);
      near(y + high / 2, plan.middle(i));
      near(boxOf(numbers[i])[0], x + wide + 6);
      ok(boxOf(names[i])[2] < x - 4);
      near([numbers[i].y, names[i].y], [plan.middle(i), plan.middle(i)]);
    });
    ok(bars[0][2] > 0.4 * Math.min(width, 900));
    deepEqual(numbers.map(({ text }) => text), ["0.400", "0.200", "0.125", "0.050", "<0.001"]);
    deepEqual(partsOf(plan.shapes, "title").map(({ text }) => text), ["probability"]);
    deepEqual(meetings(plan.shapes), []);
  });
}

test("rows that nearly fit are set closer, and do not scroll", () => {
  for (const count of [6, 8, 9, 10, 14]) {
    const page = { ...look, size: 20 }, values = Array.from({ length: count }, (_, i) => (i + 1) / count), plan = planOf({ values, page, height: 320 });
    const titles = partsOf(plan.shapes, "title").map(({ text }) => text).join(" "), whole = plan.content <= plan.window;
    equal(whole, !titles.includes("rows"));
    equal(rectsOf(plan, "bar").length === count, whole);
    ok(plan.pitch >= (whole ? 1.25 : 1.55) * page.size - 1e-6);
    deepEqual(meetings(plan.shapes), []);
    if (count === 9) ok(whole && plan.pitch < 1.55 * page.size);
    if (count === 14) ok(!whole);
  }
});

test("a scale that is fixed ends where it is told, or farther where a number is larger", () => {
  const fixed = planOf({ most: 1 }), last = partsOf(fixed.shapes, "tick").at(-1);
  near([last.x, Number(last.text)], [fixed.x(1), 1]);
  near((rectsOf(fixed, "bar")[0][2]) / (fixed.x(1) - fixed.x(0)), 0.4, 1e-6);
  ok(planOf({ most: 0.3 }).x(0.4) <= 600 - 30);
});

for (const page of [look, night]) {
  test(`signed bars go to the side of their sign, ${page.dark ? "on a dark page" : "on a light one"}`, () => {
    const plan = planOf({ values: MOVED, kind: "signed", number: { digits: 3, plus: true }, page });
    const [low, high] = SIGNED[page.dark ? "dark" : "light"], numbers = partsOf(plan.shapes, "number");
    near(rectsOf(plan, "zero")[0][0] + 0.5, plan.x(0));
    partsOf(plan.shapes, "bar").forEach(({ rect: [x, , wide], fill }, i) => {
      near([x, x + wide], [plan.x(0), plan.x(MOVED[i])].sort((a, b) => a - b), 1e-3);
      deepEqual(fill, MOVED[i] < 0 ? low : high);
      near(MOVED[i] < 0 ? boxOf(numbers[i])[2] + 6 : boxOf(numbers[i])[0] - 6, MOVED[i] < 0 ? x : x + wide);
    });
    deepEqual(numbers.map(({ text }) => text), ["+1.500", "−0.750", "0.000", "−3.000", "+0.001"]);
    const ticks = partsOf(plan.shapes, "tick").map(({ text }) => Number(text.replace("−", "-")));
    near(ticks, ticks.toReversed().map((tick) => -tick));
    equal(Math.max(...ticks), 3);
  });
}

for (const [kind, values, others, chosen, number] of [
  ["weights", CHANCES, BEFORE, 1, { digits: 3, plus: false }], ["signed", MOVED, [-0.5, -1.5, 0.5, 1, 2], 3, { digits: 3, plus: true }],
]) {
  for (const width of [390, 1440]) {
    test(`other ${kind} are outlines around the bars, named in a legend, at ${width} pixels`, () => {
      const plan = planOf({ values, others, kind, chosen, number, width }), bars = rectsOf(plan, "bar");
      const outlines = partsOf(plan.shapes, "other"), numbers = partsOf(plan.shapes, "number");
      equal(outlines.length, values.length);
      outlines.forEach(({ path, fill, of }, i) => {
        const [, x, y, wide, high] = path.match(/^M(\S+) (\S+)h(\S+)v(\S+)h/).map(Number);
        deepEqual([of, fill], [i, undefined]);
        near([x, x + wide], [plan.x(0), plan.x(others[i])], 1e-3);
        near([y, high], [bars[i][1] - 2.5, bars[i][3] + 5]);
        const [left, , right] = boxOf(numbers[i]); // no line runs through a number
        for (const edge of [x, x + wide]) ok(edge <= left - 1 || edge >= right + 1);
      });
      deepEqual(partsOf(plan.shapes, "legend").map(({ text }) => text), ["after", "before"]);
      const [framed] = partsOf(plan.shapes, "chosen");
      equal(framed.of, chosen);
      ok(framed.rect[1] < bars[chosen][1] && framed.rect[1] + framed.rect[3] > bars[chosen][1] + bars[chosen][3]);
      deepEqual(partsOf(plan.shapes, "label").map(({ bold }) => bold), values.map((_, i) => i === chosen));
      deepEqual(meetings(plan.shapes), []);
    });
  }
}

test("rows that have no room are scrolled to, and the title says which are in sight", () => {
  const values = Array.from({ length: 50 }, (_, i) => 0.9 ** i), pitch = planOf({ values }).pitch;
  near(planOf({ values }).content, 50 * pitch);
  for (const from of [0, 7, 38]) {
    const plan = planOf({ values, top: from * pitch }), rows = partsOf(plan.shapes, "bar").map(({ of }) => of);
    equal(rows[0], from);
    deepEqual(rows, rows.map((_, i) => from + i));
    deepEqual(partsOf(plan.shapes, "title").map(({ text }) => text), [`probability; rows ${from + 1}–${rows.at(-1) + 1} of 50`]);
    ok(plan.holds(from) && !plan.holds(from - 1) && plan.box(from - 1) === null);
    for (const [, y, , high] of rectsOf(plan, "bar")) ok(y >= plan.area[1] - 1 && y + high <= plan.area[1] + plan.area[3] + 1);
  }
});

test("numbers that are read have four digits that count, and their sign where it matters", () => {
  const read = (plus, ...values) => values.map((value) => precisely(value, { plus }));
  deepEqual(read(false, 0.4321, 0.0006789, 0.0123456, 0, 12345.6), ["0.4321", "0.0006789", "0.01235", "0", "12346"]);
  deepEqual(read(true, 1.5, -0.75, 0, -3, 0.00125, 1e-7), ["+1.500", "−0.7500", "0", "−3.000", "+0.001250", "+1.000·10⁻⁷"]);
});

const WINDOWS = [14, 512, 8192, 1_000_000];
for (const width of [260, 390, 1440]) {
  test(`counts are written in groups of three digits, at their bars and below, at ${width} pixels`, () => {
    const plan = planOf({ values: WINDOWS, kind: "counts", unit: "tokens", number: { digits: 0, plus: false }, width });
    deepEqual(partsOf(plan.shapes, "number").map(({ text }) => text), ["14", "512", "8,192", "1,000,000"]);
    const ticks = partsOf(plan.shapes, "tick").map(({ text, x }) => [Number(text.replaceAll(",", "")), x]);
    ok(ticks.length > 1 && ticks.every(([value, x]) => Math.abs(plan.x(value) - x) < 1e-6));
    deepEqual(meetings(plan.shapes), []);
  });
}

test("no tick stands between two counts", () => {
  for (const values of [[1, 1], [2, 1], [3, 1, 1], [0, 0]]) {
    const plan = planOf({ values, kind: "counts", number: { digits: 0, plus: false }, width: 1440 });
    const ticks = partsOf(plan.shapes, "tick").map(({ text }) => text);
    ok(ticks.every((text) => /^\d+$/.test(text)), ticks.join());
    equal(new Set(ticks).size, ticks.length);
  }
});

test("amounts begin at the left in one colour, and what rounds to nothing is not nothing", () => {
  const plan = planOf({ values: [13.7, 2.04, 0, 0.01], kind: "amounts", number: { digits: 1, plus: false } });
  deepEqual(partsOf(plan.shapes, "number").map(({ text }) => text), ["13.7", "2.0", "0.0", "<0.1"]);
  equal(new Set(partsOf(plan.shapes, "bar").map(({ fill }) => String(fill))).size, 1);
  ok(partsOf(plan.shapes, "bar").every(({ rect }) => Math.abs(rect[0] - plan.x(0)) < 1e-6));
});

test("signed bars begin at the left where that is wished and none is below zero", () => {
  const both = planOf({ values: [0.5, 0.25], kind: "signed", most: 1 });
  const one = planOf({ values: [0.5, 0.25], kind: "signed", most: 1, fromZero: true });
  ok(one.x(0) < both.x(0) && one.x(1) - one.x(0) > 1.8 * (both.x(1) - both.x(0)));
  deepEqual(partsOf(one.shapes, "bar").map(({ fill }) => fill), [SIGNED.light[1], SIGNED.light[1]]);
  ok(partsOf(one.shapes, "tick").every(({ text }) => !text.includes("−")));
  near(planOf({ values: [0.5, -0.25], kind: "signed", most: 1, fromZero: true }).x(0), planOf({ values: [0.5, -0.25], kind: "signed", most: 1 }).x(0));
});

test("bars of several groups have a colour each, and a legend above them", () => {
  const groups = { names: ["wild verb", "other word"], colours: ["blue", "grey"], of: [0, 1, 0] };
  for (const width of [260, 390, 1440]) {
    const plan = planOf({ values: [0.6, 0.5, -0.25], kind: "signed", groups, width });
    deepEqual(partsOf(plan.shapes, "bar").map(({ fill }) => fill), ["blue", "grey", "blue"]);
    deepEqual(partsOf(plan.shapes, "key").map(({ fill }) => fill), groups.colours);
    deepEqual(partsOf(plan.shapes, "legend").map(({ text }) => text), groups.names);
    deepEqual(meetings(plan.shapes), []);
  }
});

test("pictures beside each other have one scale, however long their labels are", () => {
  const short = { values: [0.5], labels: ["a"], most: 1 }, long = { values: [0.25], labels: ["invested (office)"], most: 1 };
  const beside = ["a", "invested (office)"], scaleOf = (more) => { const plan = planOf(more); return [plan.x(0), plan.x(1)]; };
  near(scaleOf({ ...short, beside }), scaleOf({ ...long, beside }));
  ok(scaleOf(short)[0] < scaleOf(long)[0]);
});
