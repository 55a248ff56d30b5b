// The decoder of a recipe, `core.transformer` with the parts of Llama, in jax-js: RMSNorm before each sub-layer, rotary
// positions whose halves turn together, attention to what stands before, gated feed-forward networks with SiLU, and one
// table for input and output. Its gradient is jax-js's own. A function of jax-js takes over what it is given: `.ref`
// keeps it. Letters in the shapes as in `core.transformer`: B L M D H K F V.
/** @import { Array as JaxArray } from "@jax-js/jax" */
/** @import { Random } from "./random.js" */
/** @import { Recipe } from "./recipe.js" */
import { defaultDevice, init, jit, nn, numpy as np, tree, valueAndGrad } from "@jax-js/jax";
import { ORDER, PARTS, shapes } from "./shapes.js";

const EPS = 1e-5, BASE = 10_000, HIDDEN = -1e9;

/** @typedef {{ query: JaxArray, key: JaxArray, value: JaxArray, output: JaxArray, attentionNorm: JaxArray, outputNorm: JaxArray, inner: JaxArray, outer: JaxArray, gate: JaxArray }} Layer */
/** The numbers of a model, or as many about each of them. @typedef {{ table: JaxArray, norm: JaxArray, layers: Layer[] }} Weights */
/** @typedef {{ shape: number[], numbers: Float32Array<ArrayBuffer> }} Tensor */

/** Starts the engine: WebAssembly, on one thread wherever pages share no memory. */
export async function start() {
  if (!(await init("wasm")).includes("wasm")) throw new Error("This browser has no WebAssembly.");
  defaultDevice("wasm");
}


/**
 * The first weights, which torch draws from the same generator: matrices from Xavier's uniform distribution, the table
 * from N(0, 1/d_model), norms of ones (`core.transformer.initialise`).
 * @param {Recipe} recipe @param {number} vocabulary @param {Random} random
 * @returns {Record<string, Tensor>}
 */
export function firstWeights(recipe, vocabulary, random) {
  return Object.fromEntries(Object.entries(shapes(recipe, vocabulary)).map(([name, shape]) => {
    const [rows, columns] = shape;
    const numbers = shape.length === 1 ? new Float32Array(rows).fill(1)
      : name.startsWith("embeddings") ? random.normal(rows * columns, columns ** -0.5)
      : random.uniform(rows * columns, Math.sqrt(6 / (rows + columns)));
    return [name, { shape, numbers }];
  }));
}

/** @param {Readonly<Record<string, Tensor>>} tensors by their names @param {number} layers @returns {Weights} */
export function put(tensors, layers) {
  const of = (/** @type {string} */ name) => np.array(tensors[`${name}.weight`].numbers).reshape(tensors[`${name}.weight`].shape);
  return {
    table: of("embeddings.tokens"), norm: of("stack.norm"),
    layers: Array.from({ length: layers }, (_, i) =>
      /** @type {Layer} */ (Object.fromEntries(ORDER.map((part) => [part, of(`stack.layers.${i}.${PARTS[part]}`)])))),
  };
}

/** The inverse of `put`. @param {Weights} weights @returns {Promise<Record<string, Tensor>>} */
export async function taken({ table, norm, layers }) {
  /** @type {[string, JaxArray][]} */
  const all = [["embeddings.tokens", table], ["stack.norm", norm],
    ...layers.flatMap((layer, i) => ORDER.map((part) => /** @type {[string, JaxArray]} */ ([`stack.layers.${i}.${PARTS[part]}`, layer[part]])))];
  return Object.fromEntries(await Promise.all(all.map(async ([name, one]) =>
    [`${name}.weight`, { shape: [...one.shape], numbers: new Float32Array(await one.ref.data()) }])));
}

/** @param {JaxArray} x @param {JaxArray} gain */
function rmsNorm(x, gain) {
  const mean = np.mean(np.square(x.ref), -1, { keepdims: true });
  return x.mul(np.reciprocal(np.sqrt(mean.add(EPS)))).mul(gain);
}

/** x · Wᵀ @param {JaxArray} x @param {JaxArray} weight */
const linear = (x, weight) => np.matmul(x, np.transpose(weight));

/**
 * What depends on the places of tokens alone: cosines and sines of the turns, (L, K/2) each, and what hides the tokens
 * behind, (L, L).
 * @typedef {{ cos: JaxArray, sin: JaxArray, hides: JaxArray }} Places
 */

/** @param {number} L @param {number} K @returns {Places} */
function placesOf(L, K) {
  const half = K / 2, angles = new Float32Array(L * half);
  for (let l = 0; l < L; l++) {
    for (let p = 0; p < half; p++) angles[l * half + p] = l * Math.fround(1 / Math.fround(BASE ** Math.fround((2 * p) / K)));
  }
  return {
    cos: np.array(angles.map(Math.cos)).reshape([L, half]), sin: np.array(angles.map(Math.sin)).reshape([L, half]),
    hides: np.array(Float32Array.from({ length: L * L }, (_, i) => (i % L > Math.floor(i / L) ? HIDDEN : 0))).reshape([L, L]),
  };
}

/** Queries or keys, (B, H, L, K), each pair of numbers turned by its position. @param {JaxArray} x @param {Places} places used up */
function turned(x, { cos, sin, hides }) {
  const [first, second] = np.split(x, 2, -1);
  hides.dispose();
  return np.concatenate([first.ref.mul(cos.ref).sub(second.ref.mul(sin.ref)), first.mul(sin).add(second.mul(cos))], -1);
}

export class Decoder {
  /** @param {Recipe} recipe @param {number} vocabulary */
  constructor(recipe, vocabulary) {
    this.recipe = recipe;
    this.vocabulary = vocabulary;
    this.#gradient = jit(valueAndGrad((/** @type {Weights} */ weights, /** @type {JaxArray} */ rows, /** @type {JaxArray} */ ids,
      /** @type {JaxArray} */ next, /** @type {Places} */ places) => this.#loss(weights, rows, ids, next, places), { argnums: [0, 1] }));
    this.#surprise = jit((/** @type {Weights} */ weights, /** @type {JaxArray} */ ids, /** @type {JaxArray} */ next, /** @type {Places} */ places) =>
      this.#loss({ ...weights, table: weights.table.ref }, weights.table, ids, next, places));
    this.#last = jit((/** @type {Weights} */ weights, /** @type {JaxArray} */ ids, /** @type {JaxArray} */ at, /** @type {Places} */ places) => {
      const final = this.#final(weights, weights.table.ref, ids, places, { at });
      return linear(final, weights.table);
    });
  }

  #gradient;
  #surprise;
  #last;
  /** By their length. @type {Map<number, Places>} */
  #places = new Map();

  /** @param {number} L @returns {Places} */
  #at(L) {
    const known = this.#places.get(L) ?? placesOf(L, this.recipe.width / this.recipe.heads);
    this.#places.set(L, known);
    return tree.ref(known);
  }

  /**
   * The output of the stack, normed: (B · L, D), or (1, D).
   * @param {Weights} weights all but the table are used up
   * @param {JaxArray} rows the table that ids are looked up in, (V, D)
   * @param {JaxArray} ids (B, L)
   * @param {Places} places
   * @param {object} [how]
   * @param {JaxArray} [how.at] (1,): of a single text, the token that is asked for; the last layer computes no other
   * @param {JaxArray[]} [how.kept] gets the weights of each layer, (B, H, L, L)
   */
  #final({ norm, layers }, rows, ids, places, { at, kept } = {}) {
    const [B, L] = ids.shape, { width: D, heads: H } = this.recipe, K = D / H;
    const heads = (/** @type {JaxArray} */ x) => np.transpose(x.reshape([B, -1, H, K]), [0, 2, 1, 3]);
    let x = np.take(rows, ids.reshape([B * L]), 0), own = tree.ref(places);
    for (const [i, layer] of layers.entries()) {
      const read = rmsNorm(x.ref, layer.attentionNorm), key = turned(heads(linear(read.ref, layer.key)), tree.ref(places));
      const value = heads(linear(read.ref, layer.value));
      let asks = read;
      if (at && i === layers.length - 1) {
        const alone = (/** @type {JaxArray} */ all) => np.take(all, at.ref, 0);
        [asks, x] = [alone(read), alone(x)];
        own = tree.map(alone, own);
      }
      const query = turned(heads(linear(asks, layer.query)), tree.ref(own));
      const scores = np.matmul(query, np.transpose(key, [0, 1, 3, 2])).mul(K ** -0.5).add(own.hides.ref);
      const attention = nn.softmax(scores, -1);
      kept?.push(attention.ref);
      const mixed = np.transpose(np.matmul(attention, value), [0, 2, 1, 3]).reshape([-1, D]);
      x = x.add(linear(mixed, layer.output));
      const input = rmsNorm(x.ref, layer.outputNorm), inner = linear(input.ref, layer.inner);
      x = x.add(linear(nn.silu(linear(input, layer.gate)).mul(inner), layer.outer));
    }
    tree.dispose([places, own]);
    at?.dispose();
    return rmsNorm(x, norm);
  }

  /**
   * The mean surprise at the next token, in nats. The table is given twice: its gradient as rows and as the last matrix
   * would else be one sum, which jax-js computes slowly.
   * @param {Weights} weights @param {JaxArray} rows @param {JaxArray} ids (B, L) @param {JaxArray} next (B, L) @param {Places} places
   */
  #loss(weights, rows, ids, next, places) {
    const count = ids.shape[0] * ids.shape[1], final = this.#final(weights, rows, ids, places);
    const logs = nn.logSoftmax(linear(final, weights.table), -1);
    return logs.mul(nn.oneHot(next.reshape([count]), this.vocabulary)).sum().mul(-1 / count);
  }

  /**
   * @param {Int32Array} windows (B, L + 1) @param {number} B
   * @returns {[JaxArray, JaxArray, Places]} ids and next ids, (B, L) each
   */
  #given(windows, B) {
    const L = windows.length / B - 1;
    const from = (/** @type {number} */ first) =>
      np.array(Int32Array.from({ length: B * L }, (_, i) => windows[Math.floor(i / L) * (L + 1) + (i % L) + first]), { dtype: np.int32 }).reshape([B, L]);
    return [from(0), from(1), this.#at(L)];
  }

  /**
   * The mean surprise at the next token of each window, in nats, and its gradient.
   * @param {Weights} weights stay @param {Int32Array} windows (B, L + 1), row by row @param {number} B
   * @returns {{ loss: JaxArray, gradient: Weights }}
   */
  gradient(weights, windows, B) {
    const [loss, [gradient, rows]] = this.#gradient(tree.ref(weights), weights.table.ref, ...this.#given(windows, B));
    return { loss, gradient: { ...gradient, table: gradient.table.add(rows) } };
  }

  /** The mean surprise alone. @param {Weights} weights stay @param {Int32Array} windows @param {number} B */
  async surprise(weights, windows, B) {
    return (await this.#surprise(tree.ref(weights), ...this.#given(windows, B)).data())[0];
  }

  /** The logits behind the last of these tokens, at most a window of them. @param {Weights} weights stay @param {readonly number[]} ids */
  async logits(weights, ids) {
    const { window } = this.recipe, padded = new Int32Array(window); // what stands behind is not seen
    padded.set(ids);
    const at = np.array(Int32Array.of(ids.length - 1), { dtype: np.int32 });
    const made = this.#last(tree.ref(weights), np.array(padded, { dtype: np.int32 }).reshape([1, window]), at, this.#at(window));
    return /** @type {Float32Array} */ (await made.data());
  }

  /** The attention on some tokens, (layers, heads, L, L). @param {Weights} weights stay @param {readonly number[]} ids */
  async attention(weights, ids) {
    /** @type {JaxArray[]} */
    const kept = [], own = tree.ref(weights), given = np.array(Int32Array.from(ids), { dtype: np.int32 }).reshape([1, ids.length]);
    this.#final(own, own.table, given, this.#at(ids.length), { kept }).dispose();
    const all = /** @type {Float32Array[]} */ (await Promise.all(kept.map((one) => one.data())));
    const made = new Float32Array(all.length * all[0].length);
    all.forEach((one, i) => made.set(one, i * one.length));
    return made;
  }
}

