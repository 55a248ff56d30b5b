import { test } from "node:test";
import { deepEqual, equal, match } from "node:assert/strict";
import { strokesAsSvg, strokesOf } from "../../../../../core/figures/web/src/layer/lines/strokes.js";
import { look } from "../../support.js";

const COLOURS = { light: ["red", "blue"], dark: ["red", "blue"] };
const PLAN = {
  left: 10, right: 114, y: 5, window: 90, pitch: 20, first: "query", range: (tokens) => [0, tokens.length],
  end: (row) => 15 + 20 * row,
};

/** Head 0 links each of two queries to its own key; head 2, whose line is dashed, the first to the second. */
const ROWS = { 0: [[1, 0], [0, 0.5]], 2: [[0, 1], [0, 0]] };
const level = (on, plan = PLAN, header = {}) => strokesOf({
  focus: () => null, tokens: () => [0, 1],
  layer: {
    header: { colours: COLOURS, root: false, isMean: false, ...header }, state: { on, pin: null, threshold: 0.25, alone: 0 },
    attention: { queries: [0, 1], keys: [0, 1], row: (head, i) => ROWS[head][i] },
  },
}, plan, look);

test("lines of one colour and strength are one stroke, the weakest first", () => {
  const [weak, strong] = level([0]);
  deepEqual([weak.alpha, weak.ends], [0.5, [35, 35]]);
  deepEqual([strong.alpha, strong.ends, strong.stroke, strong.wide, strong.dash], [1, [15, 15], "red", 3, []]);
});

test("heads beside each other have tracks of their own, and from head 3 of two colours on, dashes", () => {
  const dashed = level([0, 2]).find(({ dash }) => dash.length);
  deepEqual([dashed.dash, dashed.ends], [[7, 4], [17, 37]]); // four pixels between two tracks
});

test("lines from words that are not written yet are pale, and drawn below the others", () => {
  const [pale, strong] = level([0], PLAN, { later: 1 });
  deepEqual([pale.alpha, pale.ends], [0.125, [35, 35]]);
  deepEqual([strong.alpha, strong.ends], [1, [15, 15]]);
  deepEqual(level([0], PLAN, { later: 0 }).map(({ alpha }) => alpha), [0.125, 0.25]);
  deepEqual(level([0], PLAN, { later: 2 }).map(({ alpha }) => alpha), [0.5, 1]);
});

test("with the keys on the left, a line begins there", () => {
  const [stroke] = level([2], { ...PLAN, first: "key" });
  deepEqual(stroke.ends, [35, 15]);
});

test("in a file, a line is a curve within the window", () => {
  const svg = strokesAsSvg(level([2]), PLAN);
  match(svg, /<rect x="10" y="5" width="104" height="90"\/>/);
  equal(svg.match(/ d="([^"]*)"/)[1], "M10 15C50 15 74 35 114 35");
});
