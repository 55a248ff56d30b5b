import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { look, meetings, near, night, partsOf } from "../support.js";
import { MOST_LINES, contrast, inkOn, shadedPlan } from "../../../../core/figures/web/src/writing/shadedplan.js";

const PIECES = ["When", " Mary", " went", " to", " the", " st", "ore", ",", " she", "\n", "said"];
const BITS = [NaN, 8, 4, 1, 0, 6, 2, 0.5, 12, 3, 5];
const WEIGHTS = { kind: "weights", root: false, hue: [222, 46, 130], most: 10, title: "bits", notes: [] };
const SIGNED = { kind: "signed", bound: 4, digits: 2, light: [[118, 42, 131], [27, 120, 55]], dark: [[207, 146, 238], [116, 208, 138]], title: "logit", notes: [] };
const VIEW = { left: 0, top: 0, reveal: null };

function planOf({ pieces = PIECES, values = BITS, width = 600, page = look, view = VIEW, room = Infinity, whole = false, ...more } = {}) {
  const header = {
    pieces, labels: pieces, sides: "l".repeat(pieces.length), left: false, unit: "bits", scale: WEIGHTS, number: { digits: 2, plus: false },
    notes: [], firstWritten: null, chosen: null, height: 200, ...more,
  };
  return shadedPlan({ header, values: Float32Array.from(values), width }, page, view, room, whole);
}
const long = (count) => ({ pieces: Array.from({ length: count }, (_, i) => ` word${i}`), values: Array.from({ length: count }, (_, i) => i % 10) });

for (const [width, page] of [[390, look], [390, night], [900, look], [900, night]]) {
  test(`a shade is as strong as its number, on a ${page.dark ? "dark" : "light"} page of ${width} pixels`, () => {
    const plan = planOf({ width, page }), shades = new Map(partsOf(plan.shapes, "shade").map(({ of, fill }) => [of, fill]));
    deepEqual([...shades.keys()].sort((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]); // the first piece has no number
    deepEqual(shades.get(4), page.paper);
    if (!page.dark) near(shades.get(2), page.paper.map((paper, i) => paper + 0.4 * (WEIGHTS.hue[i] - paper)), 1.5);
    deepEqual(shades.get(8), planOf({ width, page, values: BITS.map((bit) => (bit === 12 ? 10 : bit)) }).shapes.find(({ part, of }) => part === "shade" && of === 8).fill);
    const far = (of) => contrast(shades.get(of), page.paper);
    for (const [more, less] of [[1, 5], [5, 2], [2, 6], [6, 3], [3, 7], [7, 4]]) ok(far(more) > far(less));
    deepEqual(meetings(plan.shapes), []);
    ok(plan.shapes.every((shape) => !shape.rect || (shape.rect[0] >= -2 && shape.rect[0] + shape.rect[2] <= width + 2)));
  });
}

test("letters can be read on every shade of every scale, on pages of many colours", () => {
  near(contrast([255, 255, 255], [0, 0, 0]), 21);
  near(contrast([119, 119, 119], [255, 255, 255]), 4.48, 0.01);
  const pages = [look, night, { ...look, ink: [38, 42, 48] }, { ...night, paper: [14, 17, 23], ink: [232, 234, 237] }, { ...night, paper: [32, 64, 96] }];
  for (const page of pages) {
    for (const scale of [WEIGHTS, SIGNED]) {
      const values = Array.from({ length: 101 }, (_, i) => (scale === SIGNED ? (i - 50) / 12.5 : i / 10)), pieces = values.map(() => " x");
      const plan = planOf({ pieces, values, scale, page, whole: true }), shades = partsOf(plan.shapes, "shade"), letters = partsOf(plan.shapes, "piece");
      equal(shades.length, 101);
      shades.forEach(({ fill }, i) => ok(contrast(fill, letters[i].fill) >= 4.5, `${fill} on ${letters[i].fill}`));
    }
  }
  deepEqual(inkOn([255, 255, 255], { ink: [38, 42, 48] }), [38, 42, 48]);
});

test("what the model has written is underlined, and the legend says so", () => {
  const plan = planOf({ firstWritten: 5 }), lines = partsOf(plan.shapes, "written");
  deepEqual([...new Set(lines.map(({ of }) => of))], [5, 6, 7, 8, 9, 10]);
  const under = ([x, y, wide, high], [left, top, far]) => left === x && top === y + high && far >= wide;
  for (const { of, rect } of partsOf(plan.shapes, "shade")) equal(lines.some((line) => line.of === of && under(rect, line.rect)), of >= 5);
  ok(partsOf(plan.shapes, "note").some(({ text }) => text.includes("written by the model")));
  equal(partsOf(planOf().shapes, "written").length, 0);
  ok(!partsOf(planOf().shapes, "note").some(({ text }) => text.includes("model")));
});

test("the chosen piece is framed, on each of the lines that it takes", () => {
  const plan = planOf({ chosen: 6 }), [frame] = partsOf(plan.shapes, "chosen"), [box] = plan.boxes(6);
  ok(frame.rect[0] < box[0] && frame.rect[0] + frame.rect[2] > box[0] + box[2]);
  equal(partsOf(planOf({ pieces: ["a", "b".repeat(200)], values: [1, 2], chosen: 1, width: 300 }).shapes, "chosen").length, 4);
});

test("every piece is found at its place, with the space before it", () => {
  const plan = planOf({ width: 300 });
  for (const i of PIECES.keys()) {
    for (const [x, y, wide, high] of plan.boxes(i)) equal(plan.at(x + wide / 2, y + high / 2), i);
  }
  const [[x, y]] = plan.boxes(1);
  equal(plan.at(x - 2, y + 5), 1);
  equal(plan.at(299, y + 5), null);
});

test("a text grows to twelve lines, and then scrolls by whole lines, as its legend says", () => {
  const heights = [10, 40, 70].map((count) => planOf({ ...long(count) }).high);
  ok(heights[0] < heights[1] && heights[1] < heights[2]);
  equal(planOf({ ...long(600) }).high, planOf({ ...long(300) }).high);
  const plan = planOf({ ...long(600) }), title = (of) => partsOf(of.shapes, "note")[0].text;
  equal(plan.shown, MOST_LINES);
  equal(title(plan), `bits; lines 1–12 of ${plan.lines}`);
  const later = planOf({ ...long(600), view: { ...VIEW, top: 7.4 * plan.pitch } });
  equal(later.first, 7);
  equal(title(later), `bits; lines 8–19 of ${plan.lines}`);
  const inside = ({ shapes, area: [, top, , high] }) => partsOf(shapes, "shade").every(({ rect: [, y, , tall] }) => y >= top - 1 && y + tall <= top + high + 1);
  ok(inside(plan) && inside(later));
  const end = planOf({ ...long(600), view: { ...VIEW, top: 1e9 } });
  equal(end.first, plan.lines - MOST_LINES);
  equal(planOf({ ...long(600), view: { ...VIEW, reveal: 599 } }).first, end.first);
  ok(planOf({ ...long(600), view: { ...VIEW, reveal: 300 } }).boxes(300).length === 1);
  ok(planOf({ ...long(600), room: 200 }).shown < MOST_LINES);
  ok(planOf({ ...long(600), room: 300 }).high <= 300);
});

test("a file holds every line", () => {
  const plan = planOf({ ...long(600), whole: true });
  equal(partsOf(plan.shapes, "piece").length, 600);
  ok(plan.high > plan.lines * plan.pitch);
  equal(partsOf(plan.shapes, "note")[0].text, "bits");
});

test("keys reach every piece, and the line above the piece that stands nearest", () => {
  const plan = planOf({ ...long(60), width: 300 });
  for (const i of [20, 33, 47]) {
    for (const by of [-1, 1]) {
      const there = plan.beside(i, by), middle = ([x, , wide]) => x + wide / 2;
      equal(plan.lineOf(there), plan.lineOf(i) + by);
      ok(Math.abs(middle(plan.boxes(there)[0]) - middle(plan.boxes(i)[0])) < 50);
    }
  }
  equal(plan.lineOf(plan.beside(30, -999)), 0);
  equal(plan.lineOf(plan.beside(30, 999)), plan.lines - 1);
});

test("signed numbers take the colour of their sign, and stand about the middle", () => {
  const plan = planOf({ pieces: ["a", " b", " c"], values: [-4, 0, 4], scale: SIGNED });
  deepEqual(partsOf(plan.shapes, "shade").map(({ fill }) => fill), [SIGNED.light[0], look.paper, SIGNED.light[1]]);
});

test("kinds have colours that can be read, frames, and a legend that names each", () => {
  const scale = {
    kind: "kinds", names: ["template", "system", "user"], title: "", notes: [], framed: [0, 3], frame: "a special token",
    light: [[140, 140, 140], [200, 100, 240], [0, 130, 170]], dark: [[120, 120, 120], [190, 100, 230], [40, 150, 190]],
  };
  const kinds = PIECES.map((_, i) => i % 3);
  for (const page of [look, night]) {
    for (const width of [300, 900]) {
      const plan = planOf({ values: kinds, scale, page, width, unit: "written by" }), shades = partsOf(plan.shapes, "shade");
      equal(shades.length, PIECES.length);
      equal(new Set(shades.map(({ fill }) => String(fill))).size, 3);
      const letters = new Map([...partsOf(plan.shapes, "piece"), ...partsOf(plan.shapes, "break")].map((one) => [one.of, one]));
      for (const { of, fill } of shades) ok(contrast(fill, letters.get(of).fill) >= 4.5);
      deepEqual(partsOf(plan.shapes, "frame").map(({ of }) => of), [0, 3]);
      deepEqual(partsOf(plan.shapes, "note").map(({ text }) => text), [...scale.names, scale.frame]);
      const squares = partsOf(plan.shapes, "kind");
      squares.slice(0, 3).forEach(({ fill, of }) => deepEqual(fill, shades.find((one) => kinds[one.of] === of).fill));
      deepEqual(meetings(plan.shapes), []);
      ok(plan.high >= Math.max(...squares.map(({ rect }) => rect[1] + rect[3])));
    }
  }
  equal(partsOf(planOf({ values: kinds, scale: { ...scale, framed: [] } }).shapes, "frame").length, 0);
});
