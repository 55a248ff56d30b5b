import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { near } from "../support.js";
import { Attention } from "../../../../core/figures/web/src/layer/attention.js";
import { MEAN } from "../../../../core/figures/web/src/layer/state.js";

const { E, exp, log, tanh } = Math;

/** A header of so many queries and keys; `more` in the place of what is usual. */
const headed = (n, m, more) => ({
  heads: 1, missingHeads: [], queries: Array(n).fill("a"), keys: Array(m).fill("b"), special: [[], []], sink: "",
  causal: false, mask: null, ...more,
});
const INNER = { kind: "inner", d: 2, scale: 1, bias: null, biases: 0, softcap: null, empty: [] };

// Two queries and three keys of one head: q·k is 1, 0, 2 and 0, 4, 2.
const Q = [1, 0, 0, 2], K = [1, 0, 0, 2, 2, 1];
const SUMS = [log(E + 1 + E ** 2), log(1 + E ** 4 + E ** 2)];
const attention = (more = {}, sums = SUMS, rest = []) =>
  new Attention(headed(2, 3, { ...INNER, ...more }), Float32Array.from([...Q, ...K, ...sums, ...rest]));

test("weights are the softmax of q·k, rows and columns alike", () => {
  const one = attention();
  deepEqual([0, 1, 2].map((j) => one.product(0, 0, j)), [1, 0, 2]);
  const row = [E, 1, E ** 2].map((x) => x / (E + 1 + E ** 2));
  near([...one.row(0, 0)], row);
  near([0, 1, 2].map((j) => one.weight(0, 0, j)), row);
  near([...one.column(0, 1)], [one.weight(0, 0, 1), one.weight(0, 1, 1)]);
  near([...one.matrix(0, "weights")], [...one.row(0, 0), ...one.row(0, 1)]);
  deepEqual([...one.matrix(0, "scores")], [1, 0, 2, 0, 4, 2]);
  near([...one.row(0, 1)].reduce((sum, weight) => sum + weight), 1);
});

test("a pair is shown element by element", () => {
  const [q, k, product] = attention().elementwise(0, 0, 2);
  deepEqual([[...q], [...k], [...product]], [[1, 0], [2, 1], [2, 0]]);
});

test("products are scaled, squeezed, and then a bias is added", () => {
  const one = attention({ scale: 0.5, softcap: 3, bias: "keys", biases: 1 }, SUMS, [0, 1, -1]);
  near(one.score(0, 1, 1), 3 * tanh(2 / 3) + 1);
  near(one.matrix(0, "scores")[5], 3 * tanh(1 / 3) - 1);
});

test("a bias is sent by distance, by key, or as it is; for all heads or for each", () => {
  const byDistance = attention({ bias: "diagonals", biases: 1 }, SUMS, [-1, 0, 1, 2]); // from key 0 at query 1 on
  const whole = attention({ bias: "full", biases: 1 }, SUMS, [0, 1, 2, -1, 0, 1]);
  const found = [byDistance, whole].map((one) => [0, 1].flatMap((i) => [0, 1, 2].map((j) => one.bias(0, i, j))));
  deepEqual(found, [[0, 1, 2, -1, 0, 1], [0, 1, 2, -1, 0, 1]]);
  const two = new Attention(headed(1, 1, { ...INNER, heads: 2, d: 1, bias: "keys", biases: 2 }),
    Float32Array.from([1, 1, 1, 1, 0, 0, 7, 9]));
  deepEqual([0, 1].map((head) => two.bias(head, 0, 0)), [7, 9]);
  equal(attention().bias(0, 0, 0), 0);
  deepEqual([two.biased, attention().biased], [true, false]);
});

test("what is masked has the weight 0, and spans say where", () => {
  const one = attention({ mask: { from: [0, 1], to: [2, 3] } }, [log(E + 1), log(E ** 4 + E ** 2)]);
  near([...one.row(0, 0)], [E / (E + 1), 1 / (E + 1), 0]);
  deepEqual(one.maskedSpans, [[[2, 3]], [[0, 1]]]);
  equal(one.weight(0, 0, 2), 0);
  equal(one.matrix(0, "scores")[2], 0);
});

test("where special tokens are hidden, rows are scaled to 1 over the others", () => {
  const one = attention({ special: [[1], [0]] });
  const before = one.weight(0, 0, 0);
  one.show(false);
  deepEqual([one.queries, one.keys, one.hidden, one.whole], [[0], [1, 2], [0], false]);
  near([...one.row(0, 0)], [1 / (1 + E ** 2), E ** 2 / (1 + E ** 2)]);
  near(one.hiddenShare(0, 0), before);
  near(exp(one.score(0, 0, 2) - one.logSum(0, 0)), one.weight(0, 0, 2)); // as the picture of one product says it
  one.show(true);
  near(one.weight(0, 0, 0), before);
  equal(one.hiddenShare(0, 0), 0);
});

test("of a layer of special tokens alone, all are shown", () => {
  const one = attention({ special: [[0, 1], []] });
  one.show(false);
  deepEqual([one.whole, one.queries, one.hidden], [true, [0, 1], []]);
});

test("a sink takes its share before the keys do", () => {
  const one = attention({ sink: "the sink" }, [log(2 * (E + 1 + E ** 2)), SUMS[1]], [0.5, 0]);
  near([...one.row(0, 0)].reduce((sum, weight) => sum + weight), 0.5);
  equal(one.sinkWeight(0, 0), 0.5);
});

// (heads, queries, keys): head 1 has no second row, head 2 is none.
const WEIGHTS = [0.5, 0.5, 0.25, 0.75, 0.1, 0.9, NaN, NaN, NaN, NaN, NaN, NaN];
const given = (more = {}, values = WEIGHTS) =>
  new Attention(headed(2, 2, { kind: "weights", heads: 3, missingHeads: [2], bare: false, ...more }), Float32Array.from(values));

test("a mean is that of the heads that have the row", () => {
  const one = given();
  near([...one.row(MEAN, 0)], [0.3, 0.7]);
  near([...one.row(MEAN, 1)], [0.25, 0.75]);
  near(one.weight(MEAN, 0, 1), 0.7);
  deepEqual([0, 1, 2, MEAN].map((head) => one.missing(head, 1)), [false, true, true, false]);
  ok([...one.row(1, 1)].every(Number.isNaN));
  deepEqual([one.present, one.hasScores(0)], [[0, 1], false]);
  const lost = given({}, WEIGHTS.map((weight, i) => (i % 4 > 1 ? NaN : weight)));
  equal(lost.missing(MEAN, 1), true);
  ok([...lost.row(MEAN, 1)].every(Number.isNaN));
});

test("what is sent for hidden special tokens is shown then", () => {
  const bare = [0, 1, NaN, NaN, 0, 1, NaN, NaN, NaN, NaN, NaN, NaN];
  const one = given({ bare: true, special: [[], [0]] }, [...WEIGHTS, ...bare]);
  equal(one.weight(0, 0, 1), 0.5);
  one.show(false);
  deepEqual([[...one.row(0, 0)], one.missing(0, 1)], [[1], true]);
  near(one.hiddenShare(0, 0), 0.5); // as the model has it
});

test("packed weights are unpacked: in steps, as they are, or apart", () => {
  // One row of four keys: the first as it is; of the others 2 and 3 steps of 0.1, and half of the largest.
  const bytes = new Uint8Array(8 + 4 + 2 + 3);
  new Float32Array(bytes.buffer, 0, 3).set([0.5, 0.1, 0.25]); // its largest, its step, the exact one
  bytes.set(new Uint8Array(Uint16Array.of(32768).buffer), 12);
  bytes.set([2, 255, 3], 14);
  const header = headed(1, 4, { kind: "weights", bare: false, apart: 1, exact: [0], dtype: "uint8" });
  near([...new Attention(header, bytes).row(0, 0)], [0.25, 0.2, 0.25, 0.3], 1e-5);
});

test("a layer without attention has no rows", () => {
  const one = new Attention(headed(2, 3, { kind: "none" }), new Float32Array());
  equal(one.missing(0, 0), true);
  ok([...one.row(0, 1)].every(Number.isNaN));
});
