import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { near } from "../../support.js";
import { Attention } from "../../../../../core/figures/web/src/layer/attention.js";
import { LinesLevel } from "../../../../../core/figures/web/src/layer/lines/level.js";
import { FEW, hiddenShare, isMissing, leavesOut, linesToDraw, strongestOf } from "../../../../../core/figures/web/src/layer/lines/weights.js";

const HEADER = {
  kind: "weights", heads: 2, missingHeads: [], queries: ["a", "b", "c"], keys: ["v", "w"], special: [[], [0]], sink: "",
  causal: false, mask: null, bare: false,
};
// Two heads of three queries and two keys; the last row of both is missing.
const WEIGHTS = [0.75, 0.25, 0, 1, NaN, NaN, 0.5, 0.5, 0.125, 0.875, NaN, NaN];

/** The level of a layer with these choices. */
function level(state = {}, pointed = null, special = true) {
  const attention = new Attention(HEADER, Float32Array.from(WEIGHTS));
  attention.show(special);
  const chosen = { on: [0, 1], pin: null, threshold: 0.5, alone: 0.25, ...state };
  return new LinesLevel({ attention, header: HEADER, state: chosen, pointed, linked: { thing: null } });
}
const rows = (from, to) => ({ range: (tokens) => [from, Math.min(to, tokens.length)] });

test("of all tokens in view, the lines from the threshold on are drawn, the weakest first", () => {
  deepEqual(linesToDraw(level(), rows(0, 3)), [[1, 0, 0, 0.5], [1, 0, 1, 0.5], [0, 0, 0, 0.75], [1, 1, 1, 0.875], [0, 1, 1, 1]]);
  deepEqual(linesToDraw(level({ on: [0] }), rows(0, 1)), [[0, 0, 0, 0.75]]);
  deepEqual(linesToDraw(level({ on: [] }), rows(0, 3)), []);
});

test("a query out of view has a line to a key in view", () => {
  deepEqual(linesToDraw(level({ on: [0] }), rows(1, 2)), [[0, 1, 1, 1]]);
  deepEqual(linesToDraw(level({ on: [0], threshold: 0.25 }), rows(1, 2)), [[0, 0, 1, 0.25], [0, 1, 1, 1]]);
});

test("one token keeps its own lines, from a threshold of its own", () => {
  const key = { side: "key", i: 0 };
  deepEqual(linesToDraw(level({}, key), rows(0, 3)), [[1, 1, 0, 0.125], [1, 0, 0, 0.5], [0, 0, 0, 0.75]]);
  deepEqual(linesToDraw(level({ pin: "key" }, key), rows(0, 3)), [[1, 0, 0, 0.5], [0, 0, 0, 0.75]]);
});

test("the strongest weights of a token are those of all heads with lines", () => {
  deepEqual(strongestOf(level(), { side: "key", i: 1 }, 2), [
    { head: 0, other: { side: "query", i: 1 }, weight: 1 }, { head: 1, other: { side: "query", i: 1 }, weight: 0.875 },
  ]);
});

test("a row is missing if no head with lines has it", () => {
  deepEqual([0, 1, 2].map((i) => isMissing(level().layer, i)), [false, false, true]);
  equal(isMissing(level({ on: [] }).layer, 2), false);
});

test("what goes to hidden tokens is averaged over the heads", () => {
  near(hiddenShare(level({}, null, false).layer, 0), (0.75 + 0.5) / 2);
  near(hiddenShare(level({ on: [1] }, null, false).layer, 1), 0.125);
});

test("of many lines the strongest few are drawn, until all are asked for, by a tick or by a threshold", () => {
  const count = 10, each = Array.from({ length: count }, (_, i) => i), many = { ...HEADER, root: false, heads: 1, queries: each.map(String), keys: each.map(String), special: [[], []] };
  // No two weights are equal, and each row adds up to less than 1, as with a sink.
  const weights = Float32Array.from({ length: count ** 2 }, (_, i) => 0.06 + (i * 37 % 101) / 3000);
  const attention = new Attention(many, weights);
  attention.show(true);
  const drawn = (state) => linesToDraw(new LinesLevel({ attention, header: many, pointed: null, linked: { thing: null },
    state: { on: [0], pin: null, threshold: 0.05, alone: 0, all: null, ...state } }), rows(0, count));
  const few = drawn({}), all = drawn({ all: true });
  equal(all.length, count ** 2);
  equal(few.length, FEW);
  deepEqual(few, all.slice(-FEW));
  const least = few[0][3];
  equal([...weights].filter((weight) => weight > least).length, FEW - 1);
  equal(drawn({ threshold: 0 }).length, count ** 2); // a link of somebody who chose a threshold
  equal(drawn({ threshold: 0, all: false }).length, FEW);
  equal(drawn({ threshold: 0.09, all: false }).length, [...weights].filter((weight) => weight >= Math.fround(0.09)).length);
});

test("lines are left out only where there are more than a few", () => {
  const { layer } = level({ all: null, threshold: 0.05 });
  layer.header = { ...HEADER, root: false };
  equal(leavesOut(layer), false); // of two heads of three queries
  const count = 7, names = Array.from({ length: count }, String), many = { ...HEADER, root: false, heads: 1, queries: names, keys: names, special: [[], []] };
  const attention = new Attention(many, new Float32Array(count ** 2).fill(1 / count));
  attention.show(true);
  const of = (state) => leavesOut({ attention, header: many, state: { on: [0], threshold: 0.05, all: null, ...state } });
  deepEqual([of({}), of({ all: true }), of({ on: [] }), of({ threshold: 0.2 }), of({ threshold: 0.2, all: false })], [true, false, false, false, false]);
});
