// The first token of a text against all others, layer by layer: `core/measures/attention/sink.py`.
/** @typedef {import("./decoder").Decoder} Decoder */
/** @typedef {() => boolean | Promise<boolean>} GoesOn */
import { dot } from "../attention/products.js";
import { lengthOf, range } from "../derive/numbers.js";
import { EngineError } from "./errors.js";

/**
 * @typedef {object} Sink
 * @property {number[]} norm (layers + 1) the length of the first token's vector, before the first layer and behind each
 * @property {number[]} others (layers + 1) the mean of the others' lengths
 * @property {number[]} attention (layers) the share of the others' attention that goes to it
 * @property {number[]} written (layers) the length of what a head writes from it, the mean over heads and rows
 * @property {number[]} otherWritten (layers) the same of what it writes from all others together
 */

/**
 * Null if it was given up.
 * @param {Decoder} decoder @param {number[]} ids @param {GoesOn} [goesOn]
 * @returns {Promise<Sink | null>}
 */
export async function sinkOf(decoder, ids, goesOn = () => true) {
  if (ids.length < 2) throw new EngineError("TextRefused", "A sink is measured on at least two tokens.");
  if (!(await decoder.read(ids, goesOn))) return null;
  const { layers, size } = decoder.shape, found = /** @type {Sink} */ ({ norm: [], others: [], attention: [], written: [], otherWritten: [] });
  for (let layer = 0; layer <= layers; layer++) {
    const states = layer < layers ? decoder.input(layer) : decoder.output(layers - 1);
    const [own, ...others] = range(ids.length).map((token) => lengthOf(states.subarray(token * size, (token + 1) * size)));
    found.norm.push(own);
    found.others.push(others.reduce((sum, one) => sum + one, 0) / others.length);
    if (layer === layers) break;
    if (!(await goesOn())) return null;
    const { attention, written, otherWritten } = await ofLayer(decoder, layer, ids.length);
    found.attention.push(attention);
    found.written.push(written);
    found.otherWritten.push(otherWritten);
  }
  return found;
}

/** The means over the heads of a layer, and over all tokens but the first. @param {Decoder} decoder @param {number} layer @param {number} n */
async function ofLayer(decoder, layer, n) {
  const { heads, kvHeads, size, headSize: d } = decoder.shape, { q, kv } = decoder.attended(layer), out = await decoder.weight(layer, "attn_output.weight");
  const wide = heads * d, rows = heads * (n - 1), sums = { attention: 0, written: 0, otherWritten: 0 }, row = new Float32Array(size);
  for (let head = 0; head < heads; head++) {
    const shared = Math.floor((head * kvHeads) / heads), at = (/** @type {number} */ token, /** @type {number} */ which) => ((2 * token + which) * kvHeads + shared) * d;
    const written = (/** @type {Float32Array} */ mixed) => {
      for (let i = 0; i < size; i++) row[i] = dot(out, i * wide + head * d, mixed, 0, d);
      return lengthOf(row);
    };
    const first = written(kv.subarray(at(0, 1), at(0, 1) + d));
    for (let query = 1; query < n; query++) {
      const scores = range(query + 1).map((key) => dot(q, query * wide + head * d, kv, at(key, 0), d) * d ** -0.5), most = Math.max(...scores);
      const raised = scores.map((score) => Math.exp(score - most)), all = raised.reduce((sum, one) => sum + one, 0), mixed = new Float32Array(d);
      for (let key = 1; key <= query; key++) for (let i = 0; i < d; i++) mixed[i] += (raised[key] / all) * kv[at(key, 1) + i];
      sums.attention += raised[0] / all / rows;
      sums.written += (raised[0] / all) * first / rows;
      sums.otherWritten += written(mixed) / rows;
    }
  }
  return sums;
}
