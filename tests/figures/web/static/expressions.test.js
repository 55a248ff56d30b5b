// The keys of lessons in the tab, on a trace whose numbers can be checked by hand.
import { test } from "node:test";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { Trace } from "../../../../core/figures/web/src/engine/trace.js";
import { NoAnswer, answerOf, canCompute, evaluate, sinusoid, written } from "../../../../core/figures/web/src/static/expressions.js";

const layers = 2, heads = 3, n = 5, headSize = 1, size = 2;
/** "a b a" between two special tokens; the vector of token i after layer l is (i, l). */
function traceOf(text = "a b a") {
  const hidden = new Float32Array((layers + 1) * n * size), q = new Float32Array(layers * heads * n), k = q.slice(), logSums = q.slice();
  for (let l = 0; l <= layers; l++) for (let i = 0; i < n; i++) hidden.set([i, l], (l * n + i) * size);
  // Head 2 of layer 2 gives everything to token 3, the "b"; all others share alike.
  for (let row = 0; row < q.length; row++) {
    q[row] = 1;
    const own = Math.floor(row / n) === 4;
    k[row] = own && row % n === 2 ? 50 : 0;
    logSums[row] = own ? 50 : Math.log(n);
  }
  return Promise.resolve(new Trace({
    text, ids: Int32Array.from([101, 7, 8, 7, 102]), tokens: ["[CLS]", "a", "b", "a", "[SEP]"], starts: Int32Array.from([0, 0, 2, 4, 0]),
    ends: Int32Array.from([0, 1, 3, 5, 0]), special: [true, false, false, false, true], wordIds: Int32Array.from([-1, 0, 1, 2, -1]), words: [],
    leftOut: null, model: "m", cased: false, layers, heads, size, headSize, scale: 1, learned: Float32Array.from([0, 0, 3, 4, 0, 2, 3, 4, 0, 0]), hidden, q, k, logSums,
  }));
}
const records = /** @type {any} */ ({ traceOf, comparer: null, vocabulary: 99 });
const names = { t: "a b a", w: "b" };
/** @param {any} tree */
const value = (tree) => evaluate(tree, records, names);
const text = "{t}";

test("what a model reads: tokens, ids, pieces, positions, the vocabulary", async () => {
  deepEqual(await value({ tokens: { text } }), ["[CLS]", "a", "b", "a", "[SEP]"]);
  deepEqual(await value({ ids: { text } }), [101, 7, 8, 7, 102]);
  deepEqual(await value({ pieces: { text, word: "{w}" } }), ["b"]);
  equal(await value({ position: { text, word: "a:2" } }), 4);
  equal(await value({ position: { text, word: 5 } }), 5);
  equal(await value({ vocabulary: {} }), 99);
});

test("vectors, and the three measures between them", async () => {
  const a = { learned: { text, word: "a" } }, b = { learned: { text, word: "b" } };
  deepEqual(await value(a), [3, 4]);
  equal(await value({ length: { of: a } }), 5);
  equal(await value({ dot: { a, b } }), 8);
  equal(await value({ cosine: { a, b } }), 0.8);
  equal((await value({ distance: { a, b } })).toFixed(12), Math.sqrt(13).toFixed(12));
  deepEqual(await value({ vector: { text, word: "b", layer: 0 } }), [2, 0]);
  deepEqual(await value({ vector: { text, word: "b" } }), [2, 2]);
  deepEqual(await value({ sentence: { text } }), [2, 2]);
});

test("attention: one head that attends to b, and the strongest of all", async () => {
  equal(await value({ weight: { text, from: "a", to: "b", layer: 2, head: 2 } }), 1);
  const plain = await value({ weights: { text, from: "a", layer: 1, head: 1 } });
  plain.forEach((/** @type {number} */ one) => equal(one.toFixed(6), "0.200000"));
  deepEqual(await value({ "strongest head": { text, from: "a", to: "b" } }), [2, 2]);
  deepEqual(await value({ "strongest head": { text, from: "a", to: "b", layer: 1 } }), [1, 1]);
  deepEqual(await value({ scores: { text, from: "a", layer: 2, head: 2 } }), [0, 0, 50, 0, 0]);
  equal((await value({ entropy: { of: { list: { 1: 0.5, 2: 0.5, 3: 0 } } } })).toFixed(6), Math.LN2.toFixed(6));
});

test("waves begin with sin(p) and cos(p), and later pairs turn more slowly", () => {
  const row = sinusoid(3, 4);
  deepEqual(row.slice(0, 2), [Math.sin(3), Math.cos(3)]);
  equal(row[2].toFixed(6), Math.sin(3 / 100).toFixed(6));
});

test("lists and logic count from 1, and only the wanted branch is computed", async () => {
  const list = { list: { 1: 4, 2: 9, 3: 9 } };
  equal(await value({ item: { of: list, at: 1 } }), 4);
  equal(await value({ argmax: { of: list } }), 2);
  equal(await value({ argmin: { of: list } }), 1);
  equal(await value({ "count above": { of: list, least: 4 } }), 2);
  equal(await value({ if: { condition: { "<": { x: 1, other: 2 } }, then: "{w}", else: { item: { of: list, at: 7 } } } }), "b");
  equal(await value({ "!=": { a: { list: { 1: 1 } }, b: { list: { 1: 1 } } } }), false);
  equal(await value({ "=": { a: true, b: 1 } }), false);
});

for (const [what, tree] of /** @type {[string, any][]} */ ([
  ["a word that is not there", { learned: { text, word: "c" } }], ["an occurrence that is not there", { learned: { text, word: "a:3" } }],
  ["a layer too many", { vector: { text, word: "a", layer: 3 } }], ["a head too many", { weight: { text, from: "a", to: "b", layer: 1, head: 4 } }],
  ["an entry too many", { item: { of: { list: {} }, at: 1 } }], ["no number", { number: { digits: "1e9" } }], ["a division by 0", { "/": { x: 1, by: 0 } }],
  ["the largest of nothing", { max: { of: { list: {} } } }], ["no finite number", { sqrt: { x: -1 } }], ["a name that nothing has", { value: { name: "x" } }],
])) test(`no answer: ${what}`, () => rejects(value(tree), NoAnswer));

test("what a tab cannot give is known before it is asked for", () => {
  equal(canCompute({ if: { condition: true, then: { tokens: { text } }, else: 1 } }), true);
  for (const tree of [{ "step row": { text, step: "norm", word: "a" } }, { "without head": {} }, { weight: { text, second: "b", from: "a", to: "b" } }, { max: { of: { "position row": { place: 1 } } } }]) {
    equal(canCompute(tree), false);
  }
});

test("numbers in a reveal are written as in the app", async () => {
  deepEqual([0.125, -0.001, -1.5, 3, 0.5].map((one) => written(one)), ["0.13", "0.00", "−1.50", "3", "0.50"]);
  deepEqual([written(0.378, "%"), written(0.37849, ":3"), written([1, 0.5]), written(true)], ["38 %", "0.378", "1, 0.50", "yes"]);
  const near = [0, 1e-6, 0.004, 1, 0.9999, 0.996, -0.02];
  deepEqual(near.map((one) => written(one, "%")), ["0 %", "less than 0.1 %", "0.4 %", "100 %", "more than 99.9 %", "99.6 %", "−2 %"]);
  deepEqual([30522, -1234567, 7, 999, 1000, 2.5, -0.4].map((one) => written(one, ":,")), ["30,522", "−1,234,567", "7", "999", "1,000", "3", "0"]);
  const step = { values: /** @type {[string, any][]} */ ([["c", { cosine: { a: { learned: { text, word: "a" } }, b: { learned: { text, word: "b" } } } }], ["wide", { "*": { 1: 300, 2: 101 } }]]), key: { value: { name: "c" } }, reveal: "It is {key} or {c:3}, {t}; {wide:,}." };
  deepEqual(await answerOf(step, records, names, (one) => `<${one}>`), { key: "0.80", value: 0.8, reveal: "It is <0.80> or <0.800>, <a b a>; <30,300>." });
});
