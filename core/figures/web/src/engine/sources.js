// What each token of a text adds to the position of a word after each layer: the sum behind a vector along a direction,
// with attention weights, norms and gates held as they were in this run (`core/attribution/adjoint.py`).
/** @typedef {import("./decoder").Decoder} Decoder */
/** @typedef {import("./types").SourcesAsked} SourcesAsked */
/** @typedef {() => boolean | Promise<boolean>} GoesOn whether somebody still waits */
import { inner } from "../derive/numbers.js";

const ROWS = 2048; // 12 MB in the widest part of a layer

/**
 * (layers × n): what each token's learned vector adds to the mean of the word's vectors after each layer, along a direction
 * there. Tokens behind the word add nothing, and are not read. Null if it was given up.
 * @param {Decoder} decoder @param {number[]} ids the whole text
 * @param {SourcesAsked} asked @param {GoesOn} [goesOn] @param {number} [rows] of gradients that pass a layer at once
 * @returns {Promise<?Float32Array>}
 */
export async function sources(decoder, ids, { tokens, directions }, goesOn = () => true, rows = ROWS) {
  const { layers, size } = decoder.shape, n = Math.max(...tokens) + 1, wide = n * size, none = new Float32Array(size);
  if (!(await decoder.read(ids.slice(0, n), goesOn))) return null;
  let slopes = new Float32Array(0); // of the last layer first
  for (let layer = layers - 1; layer >= 0; layer--) {
    const before = new Float32Array(slopes.length + wide), each = Math.max(1, Math.floor(rows / n)) * wide;
    before.set(slopes);
    const along = directions.subarray(layer * size, (layer + 1) * size).map((x) => x / tokens.length);
    for (const token of tokens) before.set(along, slopes.length + token * size);
    for (let from = 0; from < before.length; from += each) {
      if (!(await goesOn())) return null;
      before.set((await decoder.back(layer, before.subarray(from, from + each), none)).before, from);
    }
    slopes = before;
  }
  const first = decoder.input(0), out = new Float32Array(layers * ids.length), row = (/** @type {Float32Array} */ of, /** @type {number} */ i) => of.subarray(i * size, (i + 1) * size);
  for (let layer = 0; layer < layers; layer++) {
    for (let i = 0; i < n; i++) out[layer * ids.length + i] = inner(row(slopes, (layers - 1 - layer) * n + i), row(first, i));
  }
  return out;
}
