import { test } from "node:test";
import { deepEqual, equal, match } from "node:assert/strict";
import { HeadOrder, fitState, nextHead, positionsOf } from "../../../../core/figures/web/src/overview/order.js";
import { headCaption, headTable } from "../../../../core/figures/web/src/overview/captions.js";

const HEADER = {
  layers: ["Layer 1", "Layer 2"], heads: 3, notes: [], tokens: ["a", "b", "c", "d"], queryTokens: null, positions: null,
  strongest: [0.125, 0.25, 0.375, null, 0.625, 0.75], number: { digits: 2, plus: false }, missingHeads: [],
  patterns: {
    names: ["the token before", "the same token"], thresholds: [0.3, 0.5],
    scores: [[0.11, 0.93, 0.47, 0.05, 0.59, 0.3], [null, null, 0.83, null, null, null]],
    typical: [[0.3, 0.59, 0.05, 0.47, 0.93, 0.11], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]],
  },
};
const STATE = { token: null, direction: "to", pattern: 0, typical: false, threshold: 0 };
const orderOf = (more) => new HeadOrder(HEADER, { ...STATE, ...more });
const titles = (order, scored = true) => order.heads.map((i) => order.title(i, scored));

test("heads stand by place, or in order of their scores, here or usually", () => {
  deepEqual(orderOf({ pattern: null }).heads, [0, 1, 2, 3, 4, 5]);
  deepEqual(titles(orderOf()), ["1·2 0.93", "2·2 0.59", "1·3 0.47", "2·3 0.30", "1·1 0.11", "2·1 0.05"]);
  deepEqual(titles(orderOf({ typical: true }), false), ["2·2", "1·2", "2·1", "1·1", "2·3", "1·3"]);
});

test("heads below the least score are left out", () => {
  deepEqual(orderOf({ threshold: 0.35 }).heads, [1, 4, 2]);
  equal(orderOf({ threshold: 0.35 }).countText, "3 of 6 heads");
  deepEqual(orderOf({ threshold: 0.3 }).heads, [1, 4, 2, 5]); // 0.30 is not below 0.30
});

test("a head without a score is last, of several the first of them first, and goes before all others", () => {
  deepEqual(titles(orderOf({ pattern: 1 })), ["1·3 0.83", "1·1 –", "1·2 –", "2·1 –", "2·2 –", "2·3 –"]);
  deepEqual(orderOf({ pattern: 1, threshold: 0.05 }).heads, [2]);
});

test("a head follows a pattern from its threshold on", () => {
  const order = orderOf();
  deepEqual(order.heads.map((i) => order.follows(i)), [true, true, true, true, false, false]);
  equal(orderOf({ pattern: 1 }).follows(0), false);
});

test("which heads are shown is said: all by place, or by which scores, from which on", () => {
  equal(orderOf({ pattern: null }).caption, "all 6 heads by position");
  equal(orderOf({ threshold: 0.35 }).caption, "3 of 6 heads, in order of “the token before” in this text, from 0.35");
  equal(orderOf({ typical: true }).caption, "6 of 6 heads, in order of “the token before” usually");
});

test("where no head is left it is said why", () => {
  const few = orderOf({ threshold: 0.95 });
  deepEqual([few.heads, few.emptyText, few.notes], [[], "No head scores 0.95 or more.", []]);
  const none = new HeadOrder({ ...HEADER, patterns: { ...HEADER.patterns, scores: [Array(6).fill(null)] } }, { ...STATE, threshold: 0.5 });
  deepEqual(none.heads, []);
  match(none.emptyText, /^This text .*“the token before”/);
});

test("a choice that makes no sense here is none", () => {
  const fitted = (change, header = HEADER) => {
    const state = { ...STATE, ...change };
    fitState(state, header);
    return state;
  };
  deepEqual(fitted({ token: 4, pattern: 2 }), { ...STATE, pattern: null });
  deepEqual(fitted({ token: 3, typical: true }), { ...STATE, token: 3, typical: true });
  equal(fitted({ typical: true }, { ...HEADER, patterns: { ...HEADER.patterns, typical: null } }).typical, false);
  equal(fitted({ pattern: 0 }, { ...HEADER, patterns: null }).pattern, null);
});

test("tokens are numbered by their positions in the whole text", () => {
  deepEqual(positionsOf(HEADER, "to"), [0, 1, 2, 3]);
  deepEqual(positionsOf({ ...HEADER, queryTokens: ["x", "y"] }, "from"), [0, 1]);
  deepEqual(positionsOf({ ...HEADER, positions: [[1, 2], [3, 4]] }, "from"), [1, 2]);
  deepEqual(positionsOf({ ...HEADER, positions: [[1, 2], [3, 4]] }, "to"), [3, 4]);
});

const walked = (here, keys, order, per) => keys.map((key) => {
  const event = typeof key === "string" ? { key, ctrlKey: false } : { key: key[0], ctrlKey: true };
  here = nextHead({ here, plan: { order: order.heads, per }, order }, event) ?? here;
  return here;
});

test("by place, keys move within a layer and from layer to layer", () => {
  const keys = [["Home"], "ArrowLeft", "End", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "Home", ["End"], "ArrowUp"];
  deepEqual(walked(4, keys, orderOf({ pattern: null }), 3), [0, 0, 2, 2, 5, 5, 4, 3, 5, 2]);
});

test("in order, keys move along it, over the ends of lines", () => {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowDown", "Home", "End", "ArrowRight", "ArrowUp", ["Home"], ["End"]];
  deepEqual(walked(1, keys, orderOf(), 4), [1, 4, 2, 2, 1, 5, 0, 1, 1, 3]);
  deepEqual(walked(1, ["a", ["ArrowRight"]], orderOf(), 4), [1, 1]);
  equal(nextHead({ here: null, plan: { order: [], per: 4 }, order: orderOf({ threshold: 1 }) }, { key: "ArrowRight" }), null);
});

const pictureOf = (more, header = {}) => {
  const own = { ...HEADER, ...header };
  return {
    header: own, token: -1, tokens: HEADER.tokens, count: 6, measure: "mean weight on", order: new HeadOrder(own, { ...STATE, ...more }),
    gone: (i) => own.strongest[i] === null, share: (i) => [0.5, 0.25, 0.125, NaN, 0.0625, 0][i],
    number: (value) => (value === null || Number.isNaN(value) ? "missing" : value.toFixed(2)), scale: () => ({ title: "mean weight on “b”" }),
  };
};

test("a head is read with its strongest weight, its pattern, its scores; and with its share of a token", () => {
  const strongest = pictureOf({ pattern: null });
  equal(headCaption(strongest, 4), "strongest weight 0.62"); // 0.625, as every screen rounds it
  equal(headCaption(pictureOf({}), 4), "strongest weight 0.62; the token before 0.59 in this text, 0.93 usually");
  const noted = pictureOf({}, { notes: ["", "the token before 0.93", "itself 0.40", "", "", ""] });
  equal(headCaption(noted, 1), "the token before 0.93 in this text, 0.59 usually"); // once is enough
  equal(headCaption(noted, 2), "itself 0.40; the token before 0.47 in this text, 0.05 usually");
  equal(headCaption({ ...strongest, token: 1 }, 1), "mean weight on “\u2068b\u2069” 0.25");
});

test("of a head with nothing to show it is said why", () => {
  match(headCaption(pictureOf({ pattern: null }), 3), /^missing\b/);
  equal(headCaption(pictureOf({ pattern: null }, { missingHeads: [3] }), 3), "this layer has no such head");
  equal(headCaption(pictureOf({ pattern: null }, { missingHeads: [3, 4, 5] }), 3), "no attention in this layer");
});

test("the table of heads has the strongest first, or those that are shown in their order", () => {
  const [caption, names, rows] = headTable(pictureOf({ pattern: null }));
  equal(caption, "All 6 heads, by strongest weight");
  deepEqual(names, ["layer", "head", "strongest weight"]);
  deepEqual(rows.map(([layer, head, weight]) => `${layer} ${head} ${weight}`), [
    "Layer 2 3 0.75", "Layer 2 2 0.63", "Layer 1 3 0.38", "Layer 1 2 0.25", "Layer 1 1 0.13", "Layer 2 1 missing",
  ]);
  const [, columns, few] = headTable(pictureOf({ threshold: 0.35 }));
  deepEqual(columns, ["layer", "head", "the token before in this text", "the token before usually", "strongest weight"]);
  deepEqual(few, [["Layer 1", "2", "0.93", "0.59", "0.25"], ["Layer 2", "2", "0.59", "0.93", "0.63"], ["Layer 1", "3", "0.47", "0.05", "0.38"]]);
  const [chosen, , shares] = headTable({ ...pictureOf({ pattern: null }), token: 1 });
  equal(chosen, "All 6 heads, by mean weight on “b”");
  deepEqual(shares.map(([, , share]) => share), ["0.50", "0.25", "0.13", "0.06", "missing", "0.00"]);
});

test("of many heads the table has twenty, and says so", () => {
  const many = pictureOf({ pattern: null }, {
    heads: 12, strongest: Array.from({ length: 24 }, (_, i) => i / 24),
  });
  const [caption, , rows] = headTable({ ...many, count: 24 });
  equal(caption, "20 of 24 heads, by strongest weight");
  equal(rows.length, 20);
});
