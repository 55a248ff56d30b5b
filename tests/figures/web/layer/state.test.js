import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import CONSTANTS from "../../../../core/figures/web/src/derive/constants.json" with { type: "json" };
import { LEVELS, MEAN, chosenKey, chosenQuery, USUAL, fitState, showsAll, showsSpecial } from "../../../../core/figures/web/src/layer/state.js";

const HEADER = {
  kind: "inner", heads: 4, missingHeads: [1], queries: ["[CLS]", "a", "b"], keys: ["[CLS]", "a", "b", "c"],
  special: [[0], [0]], thresholds: [0, 0.1, 0.5], isMean: false,
};
const STATE = {
  level: "lines", on: [0, 2], head: 2, query: null, key: null, pin: null, threshold: 0.1, alone: 0, special: null,
  view: "weights", sort: "place",
};
const fitted = (state, header = {}) => {
  const one = { ...STATE, ...state };
  fitState(one, { ...HEADER, ...header });
  return one;
};

test("a state that fits stays as it is", () => deepEqual(fitted({}), STATE));

test("heads that the layer does not have are not chosen", () => {
  deepEqual(fitted({ on: [0, 1, 9], head: 1 }), { ...STATE, on: [0], head: 0 });
  deepEqual(fitted({ on: [1], head: 0 }, { missingHeads: [0] }), { ...STATE, on: [1], head: 1 });
  // Of a layer without attention all could be: they are chosen again in the next one.
  deepEqual(fitted({ on: [1], head: 1 }, { kind: "none", missingHeads: [0, 1, 2, 3] }), { ...STATE, on: [1], head: 1 });
});

test("a mean is chosen alone, and only of several heads", () => {
  deepEqual(fitted({ on: [0, MEAN], head: MEAN }), { ...STATE, on: [MEAN], head: MEAN });
  deepEqual(fitted({ on: [MEAN], head: MEAN }, { missingHeads: [0, 1, 2] }), { ...STATE, on: [], head: 3 });
  deepEqual(fitted({ on: [MEAN], head: MEAN }, { heads: 1, missingHeads: [], isMean: true }), { ...STATE, on: [0], head: 0 });
});

test("tokens of another text are chosen no more, and thresholds are the nearest there are", () => {
  deepEqual(fitted({ query: 3, key: 3, pin: "query" }), { ...STATE, key: 3 });
  deepEqual(fitted({ threshold: 0.4, alone: 0.05 }), { ...STATE, threshold: 0.5 }); // of two as near, the first
});

test("special tokens are shown unless it is said, but for the lines", () => {
  deepEqual(LEVELS.map((level) => showsSpecial({ level, special: null })), [false, true, true, true]);
  deepEqual([true, false].map((special) => showsSpecial({ level: "lines", special })), [true, false]);
});

const attention = (queries, keys) => ({ queries, keys, row: () => Float32Array.of(0.1, 0.2, 0.6, 0.1).slice(0, keys.length) });

test("where nothing is chosen, the first query that is not special and its strongest key are shown", () => {
  const one = attention([0, 1, 2], [0, 1, 2, 3]);
  equal(chosenQuery(one, STATE, HEADER), 1);
  equal(chosenKey(one, STATE, HEADER, 1), 2);
  equal(chosenQuery(one, { ...STATE, query: 0 }, HEADER), 0);
});

test("of what is hidden, the nearest that is shown is chosen", () => {
  const one = attention([1, 2], [2, 3]);
  equal(chosenQuery(one, { ...STATE, query: 0 }, HEADER), 1);
  equal(chosenKey(one, { ...STATE, key: 0 }, HEADER, 1), 2);
});

test("beside another picture, the first token that both have is shown", () => {
  const header = { ...HEADER, link: { group: "pair", queries: [0, null, 1], keys: [0, 3, null, 2] } };
  const one = attention([0, 1, 2], [0, 1, 2, 3]);
  equal(chosenQuery(one, STATE, header), 2);
  equal(chosenKey(one, STATE, header, 2), 3); // its number there is the lowest
  equal(chosenQuery(attention([1, 2], [1]), { ...STATE, query: 0 }, header), 2); // what is hidden is not nearest
});

test("all lines are drawn for who says so, or has chosen a threshold", () => {
  const shows = (all, threshold, root) => showsAll({ all, threshold }, { root });
  deepEqual([shows(null, 0.05, false), shows(null, 0.1, true), shows(null, 0.1, false), shows(null, 0.05, true)], [false, false, true, true]);
  deepEqual([shows(true, 0.05, false), shows(false, 0.2, false)], [true, false]);
  deepEqual(USUAL, [CONSTANTS.layer.short, CONSTANTS.layer.long]);
});
