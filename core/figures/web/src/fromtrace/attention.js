// The attention of a trace, as the pictures need it: each head's map, computed once, with or without special
// tokens. At 512 tokens, all maps take 75 MB: they are then computed again for each picture.
/** @import { Trace } from "../engine/trace.js" */
import { range } from "./numbers.js";

const MOST_KEPT = 8_000_000; // weights, 32 MB

/** @type {WeakMap<Trace, (layer: number, head: number) => Float32Array>} */
const known = new WeakMap();

/**
 * A function that returns a head's weights, (n × n); equal calls return one array.
 * @param {Trace} trace
 */
export function weightsOf(trace) {
  const found = known.get(trace);
  if (found) return found;
  /** @type {Map<number, Float32Array>} */
  const maps = new Map(), keeps = trace.layers * trace.heads * trace.n ** 2 <= MOST_KEPT;
  const weights = (/** @type {number} */ layer, /** @type {number} */ head) => {
    const at = layer * trace.heads + head, map = maps.get(at) ?? trace.matrix(layer, head);
    if (keeps) maps.set(at, map);
    return map;
  };
  known.set(trace, weights);
  return weights;
}

/** The tokens of the text, without those that the model's template added. @param {Trace} trace */
export const ownTokens = (trace) => range(trace.n).filter((i) => !trace.special[i]);

/** The tokens that the template added. @param {Trace} trace */
export const addedTokens = (trace) => range(trace.n).filter((i) => trace.special[i]);

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

/**
 * The mean of several maps, each row over those that have it.
 * @param {Iterable<Float32Array>} maps
 * @param {number} n
 */
export function meanOfMaps(maps, n) {
  const sum = new Float64Array(n * n), counts = new Float64Array(n);
  for (const map of maps) {
    for (let row = 0; row < n; row++) {
      if (Number.isNaN(map[row * n])) continue;
      counts[row]++;
      for (let i = row * n; i < (row + 1) * n; i++) sum[i] += map[i];
    }
  }
  return Float32Array.from(sum, (x, i) => x / counts[Math.floor(i / n)]);
}
