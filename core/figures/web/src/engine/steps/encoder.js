// One text through one layer of MiniLM: the steps of `core/walkthroughs/steps/layer.py`, from the model's own weights.
/** @import { Step } from "./record.js" */
import { range } from "../../derive/numbers.js";
import { ACTIVATIONS, columnsOf, headSteps, joinStep, layerNorm, matrix, mixed, pickedRows, product, products, softmax, sumOf } from "./record.js";

/** What the weights of BERT are called in its file, before ".weight" and ".bias". */
export const EMBEDDINGS = { table: "embeddings.word_embeddings", position: "embeddings.position_embeddings", segment: "embeddings.token_type_embeddings", norm: "embeddings.LayerNorm" };
export const LAYER = {
  q: "attention.self.query", k: "attention.self.key", v: "attention.self.value", output: "attention.output.dense", norm: "attention.output.LayerNorm",
  inner: "intermediate.dense", outer: "output.dense", norm2: "output.LayerNorm",
};

/** Weights and biases by the keys of `LAYER`. @typedef {Record<keyof typeof LAYER, { weight: Float32Array, bias: Float32Array }>} LayerWeights */
/**
 * What the steps are made of; a text of n tokens.
 * @typedef {object} EncoderPass
 * @property {number[]} ids
 * @property {string[]} tokens their names
 * @property {(ids: number[]) => Float32Array} table rows of the word-embedding table
 * @property {Float32Array} positions (n × size)
 * @property {Float32Array} segment (size) the row that every token of one text gets
 * @property {{ weight: Float32Array, bias: Float32Array }} norm of the embeddings
 * @property {{ size: number, heads: number, headSize: number, normEps: number, vocabulary: number }} shape
 * @property {LayerWeights} weights
 * @property {Float32Array} x (n × size) what the layer reads
 */

/**
 * @param {EncoderPass} pass @param {{ head: number, block: number }} shown from 0
 * @returns {Step[]}
 */
export function encoderSteps(pass, { head, block }) {
  const { tokens, shape, weights, x } = pass, { size, heads, headSize: d, normEps: eps } = shape, n = tokens.length;
  const named = (/** @type {string} */ name, /** @type {Float32Array} */ values) => matrix(name, values, tokens);
  const X = named("x", x), of = (/** @type {"q" | "k" | "v"} */ part) => products(x, weights[part].weight, size, weights[part].bias);
  const [q, k, v] = [of("q"), of("k"), of("v")], rows = (/** @type {Float32Array} */ all, /** @type {number} */ at) => columnsOf(all, size, at * d, (at + 1) * d);
  const ofHead = (/** @type {"q" | "k" | "v"} */ part) => ({
    weight: weights[part].weight.subarray(head * d * size, (head + 1) * d * size), bias: weights[part].bias.subarray(head * d, (head + 1) * d),
  });
  const Q = named("Q", rows(q, head)), K = named("K", rows(k, head)), V = named("V", rows(v, head));
  const every = range(heads).map((i) => mixed(softmax(products(rows(q, i), rows(k, i), d).map((one) => one * d ** -0.5), n), rows(v, i), n));
  const join = joinStep(every, tokens), O = named("O", products(join.result.values, weights.output.weight, size, weights.output.bias));
  const R = named("r", sumOf(x, O.values)), N = named("n", layerNorm(R.values, weights.norm.weight, weights.norm.bias, eps));
  const inner = named("u", products(N.values, weights.inner.weight, size, weights.inner.bias)), active = named("a", inner.values.map(ACTIVATIONS.gelu));
  const outer = named("o", products(active.values, weights.outer.weight, inner.columns.length, weights.outer.bias));
  const again = named("r", sumOf(N.values, outer.values)), Y = named("y", layerNorm(again.values, weights.norm2.weight, weights.norm2.bias, eps));
  return [
    ...embeddingSteps(pass),
    product("query", X, ofHead("q"), ["W_Q", "b_Q"], Q), product("key", X, ofHead("k"), ["W_K", "b_K"], K), product("value", X, ofHead("v"), ["W_V", "b_V"], V),
    ...headSteps({ q: Q, k: { ...K, name: "Kᵀ" }, v: V, head, causal: false }),
    join,
    product("output", join.result, weights.output, ["W_O", "b_O"], O, block),
    { name: "residual", kind: "sum", operands: [X, O], result: R },
    normed("norm", R, weights.norm, N, eps),
    product("inner", N, weights.inner, ["W_1", "b_1"], inner, block),
    { name: "activation", kind: "activation", operands: [inner], result: active, detail: "gelu" },
    product("outer", active, weights.outer, ["W_2", "b_2"], outer, block),
    { name: "residual2", kind: "sum", operands: [N, outer], result: again },
    normed("norm2", again, weights.norm2, Y, eps),
  ];
}

/** From tokens to what the first layer reads. @param {EncoderPass} pass @returns {Step[]} */
function embeddingSteps({ ids, tokens, table, positions, segment, norm, shape }) {
  const n = tokens.length, picked = pickedRows(ids, tokens, table, shape, "learned"), learned = picked[1].result;
  const segments = new Float32Array(positions.length);
  for (let i = 0; i < n; i++) segments.set(segment, i * segment.length);
  const total = matrix("sum", sumOf(sumOf(learned.values, segments), positions), tokens);
  return [
    ...picked,
    { name: "position", kind: "sum", operands: [learned, matrix("segment", segments, tokens), matrix("position", positions, tokens)], result: total },
    normed("embedded", total, norm, matrix("x", layerNorm(total.values, norm.weight, norm.bias, shape.normEps), tokens), shape.normEps),
  ];
}

/**
 * @param {string} name @param {import("./record.js").Matrix} given @param {{ weight: Float32Array, bias: Float32Array }} norm
 * @param {import("./record.js").Matrix} result @param {number} eps @returns {Step}
 */
const normed = (name, given, { weight, bias }, result, eps) =>
  ({ name, kind: "norm", operands: [given, matrix("γ", weight, 1), matrix("β", bias, 1)], result, number: eps });
