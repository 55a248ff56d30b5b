// What each token of a text adds to the position of a word after each layer: the sum behind a vector along a direction,
// with attention weights, norms and gates held as they were in this run (`core/attribution/adjoint.py`).
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
  sums.forEach((_, at) => { sums[at] = inner(row(slopes, (layers - 1 - Math.floor(at / n)) * n + at % n), row(first, at % n)); });
  return { sums, biases };
}
