// The attention of a trace, as the pictures need it: each head's map, computed once, with or without special
// tokens. Maps are large, 75 MB for all of a text of 512 tokens: some are kept, and those of one text alone.
/** @import { Trace } from "../engine/trace.js" */
import { range } from "./numbers.js";

const MOST_KEPT = 8_000_000; // weights, 32 MB

/** The text whose maps are kept. @type {WeakRef<Trace> | null} */
let latest = null;
/** By layer and head, those asked for last at the end. @type {Map<number, Float32Array>} */
let keptMaps = new Map();

/**
 * A function that returns a head's weights, (n × n), which nobody changes.
 * @param {Trace} trace
 */
export function weightsOf(trace) {
  const { heads, n } = trace, kept = Math.floor(MOST_KEPT / Math.max(1, n ** 2));
  return (/** @type {number} */ layer, /** @type {number} */ head) => {
    if (latest?.deref() !== trace) [latest, keptMaps] = [new WeakRef(trace), new Map()];
    const at = layer * heads + head, map = keptMaps.get(at) ?? trace.matrix(layer, head);
    keptMaps.delete(at);
    keptMaps.set(at, map);
    if (keptMaps.size > kept) keptMaps.delete(keptMaps.keys().next().value ?? at);
    return map;
  };
}

/** The tokens of the text, without those that the model's template added, and without a sink. @param {Trace} trace */
export const ownTokens = ({ apart }) => range(apart.length).filter((i) => !apart[i]);

/** The tokens that the template added, or the sink. @param {Trace} trace */
export const addedTokens = ({ apart }) => range(apart.length).filter((i) => apart[i]);

/**
 * A map among some tokens, each row rescaled to 1 over them; a row of which nothing is left is NaN.
 * @param {Float32Array} map (n × n)
 * @param {number} n
 * @param {readonly number[]} tokens
 */
export function rescaled(map, n, tokens) {
  const out = new Float32Array(tokens.length ** 2);
  tokens.forEach((query, row) => {
    let rest = 0;
    for (const key of tokens) rest += map[query * n + key];
    tokens.forEach((key, column) => {
      out[row * tokens.length + column] = rest > 0 ? map[query * n + key] / rest : NaN;
    });
  });
  return out;
}

/** The mean of several maps (n × n), each row over those that have it. */
export class MeanOfMaps {
  /** @param {number} n */
  constructor(n) {
    this.n = n;
    this.sum = new Float64Array(n * n);
    this.counts = new Float64Array(n);
  }

  /** @param {Float32Array} map */
  add(map) {
    const { n, sum, counts } = this;
    for (let row = 0; row < n; row++) {
      if (Number.isNaN(map[row * n])) continue;
      counts[row]++;
      for (let i = row * n; i < (row + 1) * n; i++) sum[i] += map[i];
    }
  }

  get mean() {
    const { n, counts } = this;
    return Float32Array.from(this.sum, (x, i) => x / counts[Math.floor(i / n)]);
  }
}
