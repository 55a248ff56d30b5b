// One text through one layer of a decoder alone, and from the last layer to the next token: the steps of
// `core/walkthroughs/steps/decoder_alone.py`, from the model's own weights.
/** @import { Matrix, Step } from "./record.js" */
import { ACTIVATIONS, cellwise, columnsOf, filled, headSteps, joinStep, matrix, mixed, pickedRows, product, products, rms, softmax, sumOf, turned } from "./record.js";
import { range } from "../../derive/numbers.js";

/**
 * What the steps are made of; a text of n tokens.
 * @typedef {object} DecoderPass
 * @property {number[]} ids
 * @property {string[]} tokens their names
 * @property {(ids: number[]) => Float32Array} table rows of the word-embedding table
 * @property {import("../types").DecoderShape} shape
 * @property {Readonly<Record<string, Float32Array>>} weights of the layer, by llama.cpp's names, in our order of rows
 * @property {Float32Array} x (n × size) what the layer reads
 * @property {Float32Array} last (n × size) what the last layer writes
 * @property {Float32Array} gamma of the final norm
 * @property {{ ids: number[], names: string[], logits: Float32Array }} next the tokens that are shown, and the logits of the
 *   whole vocabulary behind each token, (n × vocabulary)
 */

/**
 * The angles by which each pair of a query or key turns, (n × d/2). The rates are rounded to 32 bits, as the model's are.
 * @param {number} n @param {number} d @param {number} theta
 */
export function anglesOf(n, d, theta) {
  const rates = filled(d / 2, (i) => theta ** ((-2 * i) / d));
  return filled((n * d) / 2, (i) => Math.floor(i / (d / 2)) * rates[i % (d / 2)]);
}

/** The weights of one head. @param {Float32Array} weight @param {number} head @param {number} d @param {number} width */
const ofHead = (weight, head, d, width) => ({ weight: weight.subarray(head * d * width, (head + 1) * d * width), bias: null });

/**
 * @param {DecoderPass} pass
 * @param {{ head: number, block: number, isLast: boolean }} shown from 0; whether the layer is the last one
 * @returns {Step[]}
 */
export function decoderSteps(pass, { head, block, isLast }) {
  const { ids, tokens, shape, weights, x } = pass, { size, heads, kvHeads, headSize: d, normEps: eps } = shape, n = tokens.length;
  const shared = heads / kvHeads, own = Math.floor(head / shared), groups = shared > 1 ? { heads, shared: kvHeads, head } : undefined;
  const named = (/** @type {string} */ name, /** @type {Float32Array} */ values) => matrix(name, values, tokens);
  const X = named("x", x), N = named("n", rms(x, weights["attn_norm.weight"], eps));
  const angles = anglesOf(n, d, shape.theta);
  /** @type {(letter: "q" | "k" | "v") => Float32Array} */
  const all = (letter) => products(N.values, weights[`attn_${letter}.weight`], size);
  const [q, k, v] = [all("q"), all("k"), all("v")];
  const rows = (/** @type {Float32Array} */ of, /** @type {number} */ count, /** @type {number} */ at) => columnsOf(of, count * d, at * d, (at + 1) * d);
  const Q = named("Q", rows(q, heads, head)), K = named("K", rows(k, kvHeads, own)), V = named("V", rows(v, kvHeads, own));
  const queries = range(heads).map((i) => turned(rows(q, heads, i), angles, d)), keys = range(kvHeads).map((i) => turned(rows(k, kvHeads, i), angles, d));
  const turnedQ = named("Q′", queries[head]), turnedK = named("K′", keys[own]), theta = matrix("m·θ", angles, tokens);
  const every = range(heads).map((i) => {
    const at = Math.floor(i / shared), scores = products(queries[i], keys[at], d).map((one, cell) => (cell % n > Math.floor(cell / n) ? -Infinity : one * d ** -0.5));
    return mixed(softmax(scores, n), rows(v, kvHeads, at), n);
  });
  const join = joinStep(every, tokens, groups), O = named("O", products(join.result.values, weights["attn_output.weight"], heads * d));
  const R = named("r", sumOf(x, O.values)), again = named("n′", rms(R.values, weights["ffn_norm.weight"], eps));
  const wide = (/** @type {string} */ part) => products(again.values, weights[`ffn_${part}.weight`], size);
  const G = named("g", wide("gate")), U = named("u", wide("up")), S = named("s", G.values.map(ACTIVATIONS.silu));
  const A = named("a", cellwise(S.values, U.values, (a, b) => a * b)), out = named("o", products(A.values, weights["ffn_down.weight"], A.columns.length));
  const Y = named("y", sumOf(R.values, out.values));
  const linear = (/** @type {string} */ part) => ({ weight: weights[`${part}.weight`], bias: null });
  const normed = (/** @type {string} */ name, /** @type {Matrix} */ given, /** @type {string} */ part, /** @type {Matrix} */ result) =>
    ({ name, kind: "rms", operands: [given, matrix("γ", weights[part], 1)], result, number: eps });
  return /** @type {Step[]} */ ([
    ...pickedRows(ids, tokens, pass.table, shape, "x"),
    normed("pre-norm", X, "attn_norm.weight", N),
    { ...product("query", N, ofHead(weights["attn_q.weight"], head, d, size), ["W_Q", "b_Q"], Q), groups },
    { ...product("key", N, ofHead(weights["attn_k.weight"], own, d, size), ["W_K", "b_K"], K), groups },
    { ...product("value", N, ofHead(weights["attn_v.weight"], own, d, size), ["W_V", "b_V"], V), groups },
    { name: "turn-query", kind: "rotation", operands: [Q, theta], result: turnedQ, detail: "halves" },
    { name: "turn-key", kind: "rotation", operands: [K, theta], result: turnedK, detail: "halves" },
    ...headSteps({ q: turnedQ, k: { ...turnedK, name: "K′ᵀ" }, v: V, head, causal: true, groups }),
    join,
    product("output", join.result, linear("attn_output"), ["W_O", "b_O"], O, block),
    { name: "residual", kind: "sum", operands: [X, O], result: R },
    normed("pre-norm2", R, "ffn_norm.weight", again),
    product("gate", again, linear("ffn_gate"), ["W_gate", "b_gate"], G, block),
    { name: "opened", kind: "activation", operands: [G], result: S, detail: "silu" },
    product("up", again, linear("ffn_up"), ["W_up", "b_up"], U, block),
    { name: "gated", kind: "times", operands: [S, U], result: A },
    product("outer", A, linear("ffn_down"), ["W_down", "b_down"], out, block),
    { name: "residual2", kind: "sum", operands: [R, out], result: Y },
    ...predictionSteps(pass, isLast ? Y : named(`y_${shape.layers}`, pass.last)),
  ]);
}

/**
 * From the output of the last layer to the probabilities of the next token.
 * @param {DecoderPass} pass @param {Matrix} last
 * @returns {Step[]}
 */
function predictionSteps({ tokens, shape, gamma, table, next, last: rows }, last) {
  const n = tokens.length, wide = shape.vocabulary, shown = next.ids.length, final = matrix("f", rms(rows, gamma, shape.normEps), tokens);
  const sums = filled(n, (row) => {
    const own = next.logits.subarray(row * wide, (row + 1) * wide), most = own.reduce((a, b) => Math.max(a, b));
    return most + Math.log(own.reduce((sum, x) => sum + Math.exp(x - most), 0));
  });
  const own = filled(n * shown, (i) => next.logits[Math.floor(i / shown) * wide + next.ids[i % shown]]), whole = /** @type {[number, number]} */ ([n, wide]);
  const E = table(next.ids), turnedE = filled(E.length, (i) => E[(i % shown) * shape.size + Math.floor(i / shown)]);
  const logits = matrix("ℓ", own, tokens, next.names, { whole });
  const chances = own.map((x, i) => Math.exp(x - sums[Math.floor(i / shown)]));
  return [
    { name: "final-norm", kind: "rms", operands: [last, matrix("γ", gamma, 1)], result: final, number: shape.normEps },
    { name: "logits", kind: "product", operands: [final, matrix("Eᵀ", turnedE, shape.size, next.names, { whole: [shape.size, wide] })], result: logits },
    {
      name: "next", kind: "share", operands: [logits, matrix("ln Σ", sums, tokens, ["ln Σ"])], detail: String(wide),
      result: matrix("P", chances, tokens, next.names, { weights: true, whole }),
    },
  ];
}

/** The largest difference of two arrays. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const apart = (a, b) => range(a.length).reduce((most, i) => Math.max(most, Math.abs(a[i] - b[i])), 0);
