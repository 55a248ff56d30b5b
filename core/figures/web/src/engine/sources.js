// What each token of a text adds to the position of a word after each layer: the sum behind a vector along a direction,
// with attention weights, norms and gates held as they were in this run (`core/attribution/adjoint.py`).
/** @typedef {import("./decoder").Decoder} Decoder */
/** @typedef {import("./types").SourcesAsked} SourcesAsked */
/** @typedef {import("./types").SourcesOf} SourcesOf */
/** @typedef {() => boolean | Promise<boolean>} GoesOn whether somebody still waits */
import { inner } from "../derive/numbers.js";

const ROWS = 2048; // 12 MB in the widest part of a layer

/**
 * A text that a model has read, and the way back through its layers.
 * @typedef {object} Pass
 * @property {number} layers
 * @property {number} size
 * @property {Float32Array} first (n × size), what the first layer reads
 * @property {(layer: number, slopes: Float32Array) => Promise<{ before: Float32Array, biases?: Float32Array }>} back the
 *   gradients with respect to what a layer, from 0, reads, given those with respect to what it writes, (g × n × size); and what
 *   its biases add, (g), if it has any
 */

/**
 * What each token's vector before the first layer adds to the mean of the word's vectors after each layer, along a direction
 * there, and what the biases add. Null if it was given up.
 * @param {Pass} pass @param {SourcesAsked} asked @param {GoesOn} [goesOn] @param {number} [rows] of gradients that pass a layer at once
 * @returns {Promise<?SourcesOf>}
 */
export async function sourcesOf({ layers, size, first, back }, { tokens, directions }, goesOn = () => true, rows = ROWS) {
  const wide = first.length, n = wide / size, biases = new Float32Array(layers);
  let slopes = new Float32Array(0); // of the last layer first
  for (let layer = layers - 1; layer >= 0; layer--) {
    const before = new Float32Array(slopes.length + wide), each = Math.max(1, Math.floor(rows / n)) * wide;
    before.set(slopes);
    const along = directions.subarray(layer * size, (layer + 1) * size).map((x) => x / tokens.length);
    for (const token of tokens) before.set(along, slopes.length + token * size);
    for (let from = 0; from < before.length; from += each) {
      if (!(await goesOn())) return null;
      const made = await back(layer, before.subarray(from, from + each));
      before.set(made.before, from);
      made.biases?.forEach((x, i) => { biases[layers - 1 - from / wide - i] += x; });
    }
    slopes = before;
  }
  const sums = new Float32Array(layers * n), row = (/** @type {Float32Array} */ of, /** @type {number} */ i) => of.subarray(i * size, (i + 1) * size);
  for (let layer = 0; layer < layers; layer++) {
    for (let i = 0; i < n; i++) sums[layer * n + i] = inner(row(slopes, (layers - 1 - layer) * n + i), row(first, i));
  }
  return { sums, biases };
}

/**
 * The same of a decoder, which has no biases. Tokens behind the word add nothing, and are not read.
 * @param {Decoder} decoder @param {number[]} ids the whole text
 * @param {SourcesAsked} asked @param {GoesOn} [goesOn] @param {number} [rows]
 * @returns {Promise<?SourcesOf>}
 */
export async function sources(decoder, ids, asked, goesOn = () => true, rows = ROWS) {
  const { layers, size } = decoder.shape, n = Math.max(...asked.tokens) + 1, none = new Float32Array(size);
  if (!(await decoder.read(ids.slice(0, n), goesOn))) return null;
  const back = (/** @type {number} */ layer, /** @type {Float32Array} */ slopes) => decoder.back(layer, slopes, none);
  const found = await sourcesOf({ layers, size, first: decoder.input(0), back }, asked, goesOn, rows);
  if (!found) return null;
  const sums = new Float32Array(layers * ids.length);
  for (let layer = 0; layer < layers; layer++) sums.set(found.sums.subarray(layer * n, (layer + 1) * n), layer * ids.length);
  return { ...found, sums };
}
