// What the model that speaks gives to a lesson's key, from records whose numbers can be checked by hand.
import { test } from "node:test";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { Trace } from "../../../../core/figures/web/src/engine/trace.js";
import { NoAnswer, canCompute, evaluate } from "../../../../core/figures/web/src/static/expressions.js";
import { GivenUp, Spoken, bitsOfHalf, copyingHeads, placeOf, ranked, shareOf } from "../../../../core/figures/web/src/static/spoken.js";

const layers = 2, heads = 3, headSize = 1, size = 2, near = (/** @type {number} */ x, /** @type {number} */ wanted) => equal(x.toFixed(6), wanted.toFixed(6));

/** A text in letters; in head 2 of layer 2, each token attends to the one `back` before it. @param {string} text @param {number} [back] */
function traceOf(text, back = 1) {
  const n = text.length, q = new Float32Array(layers * heads * n * n), k = q.slice(), logSums = new Float32Array(layers * heads * n), span = 50;
  for (let row = 0; row < layers * heads * n; row++) {
    const at = row % n, chosen = Math.floor(row / n) === 4 ? at - back : -1;
    k[row * n + at] = 1;
    if (chosen >= 0) q[row * n + chosen] = span;
    logSums[row] = chosen >= 0 ? span : Math.log(at + 1);
  }
  const letters = [...text];
  return new Trace({
    text, ids: Int32Array.from(letters, (_, i) => i), tokens: letters, starts: Int32Array.from(letters, (_, i) => i), ends: Int32Array.from(letters, (_, i) => i + 1),
    special: letters.map(() => false), wordIds: Int32Array.from(letters, (_, i) => i), words: [], leftOut: null, model: "m", cased: true, causal: true, group: 1,
    layers, heads, size, headSize: n, scale: 1, learned: new Float32Array(n * size), hidden: new Float32Array((layers + 1) * n * size), q, k, logSums,
  });
}

/** A model that answers each question with `made`, and remembers what it was asked. @param {Record<string, (...asked: any[]) => any>} made */
function speaking(made) {
  const asked = /** @type {any[]} */ ([]), kinds = ["trace", "expect", "why", "score", "changed", "patched", "sink", "write"];
  const engine = { manifest: { shape: { layers, heads, kvHeads: 1, headSize, vocabulary: 4 } }, stop() { asked.push("stop"); }, ...Object.fromEntries(kinds.map((kind) => [kind, async (/** @type {any[]} */ ...of) => {
    asked.push([kind, ...of.filter((one) => typeof one !== "function")]);
    return made[kind](...of);
  }])) };
  const answer = async (/** @type {() => any} */ question) => question();
  return { asked, speaks: /** @type {any} */ ({ engine, ask: answer, aside: answer }) };
}
/** @param {any} speaks @param {any} [how] */
const records = (speaks, how) => {
  const spoken = new Spoken(speaks, { "2.7": { text: "zabab", controls: [] } }, how);
  return /** @type {any} */ ({ traceOf: (/** @type {string} */ text) => spoken.trace(text), comparer: null, vocabulary: 4, spoken });
};
const logits = Float32Array.from([0, Math.log(2), Math.log(4), 0]); // shares 1/8, 1/4, 1/2, 1/8

test("shares, places, halves, and the order of heads", () => {
  near(shareOf(logits, 2), 0.5);
  near(shareOf(logits, 2, 0.5), 16 / 22);
  equal(placeOf(logits, 1), 2);
  equal(placeOf(logits, 0), 3);
  near(bitsOfHalf([NaN, 1, 2, 3, 5], 2, 1), 1.5);
  near(bitsOfHalf([NaN, 1, 2, 3, 5], 2, 2), 4);
  deepEqual(ranked([[1, 3], [3, 2]]), [[0, 1], [1, 0], [1, 1], [0, 0]]);
});

test("heads that copy attend to what followed the same token", () => {
  const induction = copyingHeads(traceOf("zabcabc", 2), 3), previous = copyingHeads(traceOf("zabcabc"), 3), duplicate = copyingHeads(traceOf("zabcabc", 3), 3);
  near(induction.induction[1][1], 1);
  near(previous.previous[1][1], 1);
  near(duplicate.duplicate[1][1], 1);
  near(previous.duplicate[1][1], 0);
  near(induction.induction[0][0], (1 / 5 + 1 / 6 + 1 / 7) / 3);
});

test("a lead, as it is and without a word or a head", async () => {
  const { asked, speaks } = speaking({ changed: () => ({ logits, ids: [2, 1], lengths: [], bits: null }), trace: traceOf }), pair = { text: "abc", word: "x", other: "y" };
  near(await evaluate({ lead: pair }, records(speaks), {}), Math.log(2));
  await evaluate({ "lead without word": { ...pair, by: 2 } }, records(speaks), {});
  await evaluate({ "lead without head": { ...pair, layer: 2, head: 3 } }, records(speaks), {});
  const words = ["x", "y"], same = { words, scored: false, more: [] };
  deepEqual(asked, [
    ["changed", "abc", { ...same, changes: null }], ["trace", "abc"], ["changed", "abc", { ...same, changes: { cuts: [[2, 1]] } }],
    ["changed", "abc", { ...same, changes: { ablated: [[1, 2]] } }],
  ]);
  await evaluate({ lead: pair }, records(speaks), {}); // it is known
  equal(asked.length, 4);
  await rejects(evaluate({ "lead without head": { ...pair, layer: 3, head: 1 } }, records(speaks), {}), NoAnswer);
});

test("what a state of another text brings back", async () => {
  const { speaks } = speaking({ trace: traceOf, patched: () => ({ first: 1, a: 5, b: 1, leads: [[5, 1], [4, 1], [1, 5]] }) });
  const of = (/** @type {number} */ at, /** @type {number} */ layer) => evaluate({ "comes back": { text: "abc", "other text": "adc", word: "x", other: "y", at, layer } }, records(speaks), {});
  equal(await of(2, 1), 0.75);
  equal(await of(3, 2), 1);
  equal(await of(1, 0), 0); // it is the same in both
});

test("a part as the paper had it, and the first token as a sink", async () => {
  const { asked, speaks } = speaking({
    expect: () => ({ top: { ids: [2], texts: [" c"] } }), trace: traceOf, sink: () => ({ attention: [0.5, 0.7], written: [1, 2], otherWritten: [4, 5] }),
    changed: (_, { changes }) => ({ logits: changes ? logits.toReversed() : logits, ids: [], lengths: [1, 2, 30], bits: null }),
  }), own = records(speaks), text = "abc";
  near(await evaluate({ "next probability": { text } }, own, {}), 0.5);
  near(await evaluate({ "probability with part": { text, part: "norm" } }, own, {}), 0.25);
  equal(await evaluate({ "place with part": { text, part: "mask but first" } }, own, {}), 2);
  equal(await evaluate({ "state length": { text, part: "order" } }, own, {}), 30);
  equal(await evaluate({ "state length": { text, layer: 0 } }, own, {}), 1);
  equal(await evaluate({ keeps: {} }, own, {}), 4);
  equal(await evaluate({ keeps: { part: "heads" } }, own, {}), 12);
  near(await evaluate({ "to the first": { text } }, own, {}), 0.6);
  near(await evaluate({ "from the first": { text } }, own, {}), 0.25);
  await evaluate({ "probability without the first": { text } }, own, {});
  deepEqual(asked.at(-1)[2].changes, { cuts: [[1, 0], [2, 0]] });
  deepEqual(asked.filter(([kind]) => kind === "changed").map(([,, { changes }]) => changes?.part), [undefined, "norm", "mask but first", "order", undefined]);
});

test("random words, said twice", async () => {
  const { asked, speaks } = speaking({ trace: (/** @type {string} */ text) => traceOf(text), score: () => ({ bits: [NaN, 9, 7, 3, 1] }), changed: () => ({ bits: [NaN, 9, 7, 8, 4] }) });
  const of = (/** @type {object} */ more) => evaluate({ surprise: { words: 2, seed: 7, ...more } }, records(speaks), {});
  equal(await of({ half: 1 }), 8);
  equal(await of({ half: 2 }), 2);
  equal(await of({ half: 2, without: 1 }), 6);
  deepEqual(asked.at(-1), ["changed", "zabab", { words: [], changes: { ablated: [[1, 1]] }, scored: true, more: [] }]);
  deepEqual(await evaluate({ "copying head": { words: 2, seed: 7, kind: "previous" } }, records(speaks), {}), [2, 2]);
  await rejects(evaluate({ surprise: { words: 3, seed: 7, half: 1 } }, records(speaks), {}), NoAnswer); // not of the folder
});

test("bits a word: of a text, and of what stands behind its beginning", async () => {
  const { speaks } = speaking({ score: () => ({ bits: [NaN, 3, 4, 6], ranks: [-1, 0, 0, 0], starts: [0, 1, 3, 5], ends: [1, 3, 5, 7] }) });
  const own = { text: "a b c d" };
  near(await evaluate({ "bits a word": own }, records(speaks), {}), 13 / 3);
  near(await evaluate({ "bits a word": { ...own, behind: "a b " } }, records(speaks), {}), 10 / 2);
});

test("a question that another one has ended is asked again; nobody waits, and it is not", async () => {
  let times = 0;
  const { speaks } = speaking({ changed: () => (times++ ? { logits, ids: [2, 1] } : null) }), gone = new AbortController(), tree = { lead: { text: "a", word: "x", other: "y" } };
  near(await evaluate(tree, records(speaks), {}), Math.log(2));
  equal(times, 2);
  const other = speaking({ changed: () => {
    gone.abort();
    return null;
  } });
  await rejects(evaluate(tree, records(other.speaks, { signal: gone.signal }), {}), GivenUp);
  deepEqual(other.asked.map(([kind]) => kind), ["changed", "s"]); // the model is told to stop
  equal(canCompute(tree), true);
  await rejects(evaluate(tree, /** @type {any} */ ({ spoken: null }), {}), NoAnswer);
});
