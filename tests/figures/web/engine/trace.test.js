// A trace's weights, worked out by hand; its vectors; and its text, cut by characters.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { Trace } from "../../../../core/figures/web/src/engine/trace.js";
import { logSums } from "../../../../core/figures/web/src/engine/session.js";

const layers = 2, heads = 3, n = 5, headSize = 7, size = 11;
const numbers = (length, seed) => Float32Array.from({ length }, (_, i) => Math.sin(seed + i * 1.7));
const rows = layers * heads * n;
const q = numbers(rows * headSize, 1), k = numbers(rows * headSize, 2), scale = headSize ** -0.5;

/** The softmax of each row, in the plainest way. */
function weightsOf(layer, head, query) {
  const row = (i) => ((layer * heads + head) * n + i) * headSize;
  const scores = Array.from({ length: n }, (_, key) => {
    let sum = 0;
    for (let x = 0; x < headSize; x++) sum += q[row(query) + x] * k[row(key) + x];
    return sum * scale;
  });
  const sum = scores.reduce((all, score) => all + Math.exp(score), 0);
  return scores.map((score) => Math.exp(score) / sum);
}

const most = [], at = [];
for (let layer = 0; layer < layers; layer++) for (let head = 0; head < heads; head++) for (let i = 0; i < n; i++) {
  const weights = weightsOf(layer, head, i), largest = Math.max(...weights);
  most.push(largest);
  at.push(BigInt(weights.indexOf(largest)));
}
const parts = {
  text: "a🎣bé", ids: new Int32Array(n), tokens: ["[CLS]", "a", "🎣", "b", "[SEP]"], starts: new Int32Array(n),
  ends: new Int32Array(n), special: [true, false, false, false, true], wordIds: new Int32Array(n), words: [],
  leftOut: null, model: "m", cased: false, layers, heads, size, headSize, scale,
  learned: numbers(n * size, 3), hidden: numbers((layers + 1) * n * size, 4), q, k,
  logSums: logSums(q, k, Float32Array.from(most), at, n, headSize, scale),
};
const trace = new Trace(parts);

test("any weight is the softmax of the scores", () => {
  for (let layer = 0; layer < layers; layer++) for (let head = 0; head < heads; head++) for (let i = 0; i < n; i++) {
    const wanted = weightsOf(layer, head, i), row = trace.row(layer, head, i);
    const matrix = trace.matrix(layer, head).subarray(i * n, (i + 1) * n);
    wanted.forEach((weight, key) => {
      for (const got of [trace.weight(layer, head, i, key), row[key], matrix[key]]) {
        assert.ok(Math.abs(got - weight) < 1e-6, `${got} is not ${weight}`);
      }
    });
  }
});

test("one layer's queries, keys and log-sums", () => {
  const { q: queries, k: keys, logSums: sums } = trace.layer(1);
  assert.deepEqual([queries.length, keys.length, sums.length], [rows / 2 * headSize, rows / 2 * headSize, rows / 2]);
  assert.equal(queries[0], q[rows / 2 * headSize]);
});

test("vectors are those of their layer and token", () => {
  assert.deepEqual(trace.hiddenOf(2, 3), parts.hidden.subarray((2 * n + 3) * size, (2 * n + 4) * size));
  assert.deepEqual(trace.learnedOf(4), parts.learned.subarray(4 * size));
});

test("a text is cut by characters, not by halves of them", () => {
  assert.equal(trace.slice(1, 3), "🎣b");
});

test("arrays that do not fit are refused", () => {
  assert.throws(() => new Trace({ ...parts, hidden: parts.hidden.subarray(1) }), RangeError);
});
