// A decoder of a few layers without feed-forward networks, `core.transformer` with the paper's parts but for norms that
// stand first and rotary positions, in jax-js. A function of jax-js takes over what it is given: `.ref` keeps it. Letters in
// the shapes as in `core.transformer`: B L M D H K V.
/** @import { Array as JaxArray } from "@jax-js/jax" */
/** @import { Tensor } from "../owntext/decoder.js" */
/** @import { Random } from "../owntext/random.js" */
/** @import { Batch } from "./letters.js" */
import { jit, nn, numpy as np, tree, valueAndGrad } from "@jax-js/jax";
import { LENGTH } from "./letters.js";

const EPS = 1e-5, BASE = 10_000, HIDDEN = -1e9;
const PARTS = ["query", "key", "value", "output"];

/** `core.tasks.Recipe`, as its `to_dict` writes it. @typedef {{ n_decoder_layers: number, n_heads: number, d_model: number, steps: number, batch: number, learning_rate: number, warm_up: number, decay: string, seed: number }} Recipe */
/** Each tensor by its name in `core.transformer`. @typedef {Record<string, JaxArray>} Weights */

/** The shape of each tensor, in the order in which torch fills them. @param {Recipe} recipe @param {number} V */
export function shapes({ n_decoder_layers: layers, d_model: D }, V) {
  /** @type {Record<string, number[]>} */
  const made = { "embeddings.tokens.weight": [V, D] };
  for (let i = 0; i < layers; i++) {
    const layer = `stack.layers.${i}`;
    for (const part of PARTS) Object.assign(made, { [`${layer}.attention.${part}.weight`]: [D, D], [`${layer}.attention.${part}.bias`]: [D] });
    Object.assign(made, { [`${layer}.attention_norm.weight`]: [D], [`${layer}.attention_norm.bias`]: [D] });
  }
  return { ...made, "stack.norm.weight": [D], "stack.norm.bias": [D], "output.weight": [V, D], "output.bias": [V] };
}

/** The first numbers, which torch draws from the same generator: `core.transformer.initialise`. @param {Recipe} recipe @param {number} V @param {Random} random @returns {Record<string, Tensor>} */
export function firstWeights(recipe, V, random) {
  return Object.fromEntries(Object.entries(shapes(recipe, V)).map(([name, shape]) => {
    const [rows, columns] = shape;
    const numbers = shape.length === 1 ? new Float32Array(rows).fill(name.includes("norm.weight") ? 1 : 0)
      : name.startsWith("embeddings") ? random.normal(rows * columns, columns ** -0.5)
      : random.uniform(rows * columns, Math.sqrt(6 / (rows + columns)));
    return [name, { shape, numbers }];
  }));
}

/** @param {Readonly<Record<string, Tensor>>} tensors @returns {Weights} */
export const put = (tensors) => Object.fromEntries(Object.entries(tensors).map(([name, { shape, numbers }]) => [name, np.array(numbers).reshape(shape)]));

/** The inverse of `put`. @param {Weights} weights used up @returns {Promise<Record<string, Tensor>>} */
export async function taken(weights) {
  return Object.fromEntries(await Promise.all(Object.entries(weights).map(async ([name, one]) => [name, { shape: [...one.shape], numbers: new Float32Array(await one.data()) }])));
}

/** Cosines and sines of the turns, (L, K/2, 1) each, and what hides the tokens behind, (L, L). @param {number} L @param {number} K */
function placesOf(L, K) {
  const half = K / 2, angles = Float64Array.from({ length: L * half }, (_, i) => Math.floor(i / half) / BASE ** ((2 * (i % half)) / K));
  const made = (/** @type {(angle: number) => number} */ of) => np.array(Float32Array.from(angles, of)).reshape([L, half, 1]);
  return {
    cos: made(Math.cos), sin: made(Math.sin),
    hides: np.array(Float32Array.from({ length: L * L }, (_, i) => (i % L > Math.floor(i / L) ? HIDDEN : 0))).reshape([L, L]),
  };
}
/** @typedef {ReturnType<typeof placesOf>} Places */

/** @param {JaxArray} x @param {JaxArray} gain @param {JaxArray} bias */
function layerNorm(x, gain, bias) {
  const centred = x.ref.sub(np.mean(x, -1, { keepdims: true })), variance = np.mean(np.square(centred.ref), -1, { keepdims: true });
  return centred.mul(np.reciprocal(np.sqrt(variance.add(EPS)))).mul(gain).add(bias);
}

/** Queries or keys, (B, H, L, K): each pair of neighbouring numbers turned by its position. @param {JaxArray} x @param {Places} places used up */
function turned(x, { cos, sin, hides }) {
  const { shape } = x, pairs = [...shape.slice(0, -1), shape[3] / 2], [first, second] = np.split(x.reshape([...pairs, 2]), 2, -1);
  hides.dispose();
  return np.concatenate([first.ref.mul(cos.ref).sub(second.ref.mul(sin.ref)), first.mul(sin).add(second.mul(cos))], -1).reshape(shape);
}

export class Net {
  /** @param {Recipe} recipe @param {number} V the size of the vocabulary */
  constructor(recipe, V) {
    this.recipe = recipe;
    this.V = V;
    this.#gradient = jit(valueAndGrad((/** @type {Weights} */ weights, /** @type {JaxArray} */ ids, /** @type {JaxArray} */ wanted, /** @type {Places} */ places) =>
      this.#loss(weights, ids, wanted, places)));
    this.#read = jit((/** @type {Weights} */ weights, /** @type {JaxArray} */ ids, /** @type {Places} */ places) => {
      const kept = /** @type {JaxArray[]} */ ([]);
      return [this.#logits(weights, ids, places, kept), ...kept];
    });
  }

  #gradient;
  #read;
  /** By their length. @type {Map<number, Places>} */
  #places = new Map();

  /** @param {number} L @returns {Places} */
  #at(L) {
    const known = this.#places.get(L) ?? placesOf(L, this.recipe.d_model / this.recipe.n_heads);
    this.#places.set(L, known);
    return tree.ref(known);
  }

  /**
   * The logits of the next token behind each, (B · L, V).
   * @param {Weights} weights used up @param {JaxArray} ids (B, L) @param {Places} places @param {JaxArray[]} [kept] gets the weights of each layer, (B, H, L, L)
   */
  #logits(weights, ids, places, kept) {
    const [B, L] = ids.shape, { d_model: D, n_heads: H, n_decoder_layers: layers } = this.recipe, K = D / H;
    const linear = (/** @type {JaxArray} */ x, /** @type {string} */ name) => np.matmul(x, np.transpose(weights[`${name}.weight`])).add(weights[`${name}.bias`]);
    const norm = (/** @type {JaxArray} */ x, /** @type {string} */ name) => layerNorm(x, weights[`${name}.weight`], weights[`${name}.bias`]);
    const heads = (/** @type {JaxArray} */ x) => np.transpose(x.reshape([B, L, H, K]), [0, 2, 1, 3]);
    let x = np.take(weights["embeddings.tokens.weight"], ids.reshape([B * L]), 0).mul(Math.sqrt(D));
    for (let i = 0; i < layers; i++) {
      const own = `stack.layers.${i}.attention`, read = norm(x.ref, `${own}_norm`);
      const query = turned(heads(linear(read.ref, `${own}.query`)), tree.ref(places)), key = turned(heads(linear(read.ref, `${own}.key`)), tree.ref(places));
      const value = heads(linear(read, `${own}.value`));
      const attention = nn.softmax(np.matmul(query, np.transpose(key, [0, 1, 3, 2])).mul(K ** -0.5).add(places.hides.ref), -1);
      kept?.push(attention.ref);
      x = x.add(linear(np.transpose(np.matmul(attention, value), [0, 2, 1, 3]).reshape([B * L, D]), `${own}.output`));
    }
    tree.dispose(places);
    return linear(norm(x, "stack.norm"), "output");
  }

  /** The weighted mean of −log p(label), in nats. @param {Weights} weights @param {JaxArray} ids @param {JaxArray} wanted (B · L, V): the weight of each label at its token @param {Places} places */
  #loss(weights, ids, wanted, places) {
    return nn.logSoftmax(this.#logits(weights, ids, places), -1).mul(wanted).sum().mul(-1);
  }

  /** The loss of a batch, and its gradient. @param {Weights} weights stay @param {Batch} batch @returns {{ loss: JaxArray, gradient: Weights }} */
  gradient(weights, { count, reads, labels, counts }) {
    const wanted = new Float32Array(labels.length * this.V), all = counts.reduce((sum, one) => sum + one, 0);
    counts.forEach((one, i) => { wanted[i * this.V + labels[i]] = one / all; });
    const ids = np.array(reads, { dtype: np.int32 }).reshape([count, LENGTH]);
    const [loss, gradient] = this.#gradient(tree.ref(weights), ids, np.array(wanted).reshape([labels.length, this.V]), this.#at(LENGTH));
    return { loss, gradient };
  }

  /**
   * The logits behind each token, (B · L, V), and the weights of each layer, (B, H, L, L).
   * @param {Weights} weights stay @param {Int32Array<ArrayBuffer>} ids (B, L) @param {number} B
   * @returns {Promise<{ logits: Float32Array, attention: Float32Array[] }>}
   */
  async read(weights, ids, B) {
    const L = ids.length / B, made = /** @type {JaxArray[]} */ (this.#read(tree.ref(weights), np.array(ids, { dtype: np.int32 }).reshape([B, L]), this.#at(L)));
    const [logits, ...attention] = /** @type {Float32Array[]} */ (await Promise.all(made.map((one) => one.data())));
    return { logits, attention };
  }
}
