// How much each head follows each of seven patterns, and which heads are alike: `core.measures.attention.patterns`.
/** @import { Trace } from "../engine/trace.js" */
import CONSTANTS from "./constants.json" with { type: "json" };
import TYPICAL_OF_MODELS from "./typical.json" with { type: "json" };
import { range, rounded } from "./numbers.js";
import { written } from "../runtime/shared.js";

const { names: NAMES, thresholds: LIMITS, mostSimilar: MOST_SIMILAR } = CONSTANTS.patterns;
/** The scores of every head in our own sentences, by model. @type {Readonly<Record<string, (number | null)[][][]>>} */
const TYPICAL = TYPICAL_OF_MODELS;
const COUNT = NAMES.length;

/**
 * @typedef {object} PatternScores
 * @property {number[][][]} values (layers, heads, patterns), 0 to 1; NaN if the text has no position for a pattern
 * @property {(number | null)[][]} follows (layers, heads), the pattern that each head follows; null for none
 */

/**
 * How one head scores on a text, from its map; NaN where the text has no position for a pattern.
 * @param {Trace} trace
 * @returns {(map: Float32Array) => number[]}
 */
function scoring({ n, tokens, special }) {
  const separators = range(n).filter((i) => special[i] && i > 0);
  const same = tokens.map((token, i) => (special[i] ? [] : range(n).filter((j) => j !== i && !special[j] && tokens[j] === token)));
  /** The keys that each query attends to if it follows a pattern. @type {number[][][]} */
  const attended = [
    range(n).map((i) => (i ? [i - 1] : [])),
    range(n).map((i) => (i + 1 < n ? [i + 1] : [])),
    range(n).map((i) => [i]),
    range(n).map((i) => (i ? [0] : [])),
    range(n).map(() => separators),
    same,
  ];
  return (map) => [...attended.map((keys) => spent(map, n, keys)), breadth(map, n)];
}

/**
 * The scores of every head on one text.
 * @param {Trace} trace
 * @param {(layer: number, head: number) => Float32Array} weights
 * @param {object} [how]
 * @param {number} [how.only] the one layer whose heads are scored; the others are then empty
 * @param {(map: Float32Array, layer: number, head: number) => void} [how.seen] called with each map on the way
 * @returns {PatternScores}
 */
export function patternScores(trace, weights, { only, seen = () => {} } = {}) {
  const score = scoring(trace);
  const values = range(trace.layers).map((layer) => range(only === undefined || layer === only ? trace.heads : 0).map((head) => {
    const map = weights(layer, head);
    seen(map, layer, head);
    return score(map);
  }));
  return { values, follows: values.map((heads) => heads.map(strongest)) };
}

/**
 * The weight on `keys` of each query, averaged over the queries that have any.
 * @param {Float32Array} map @param {number} n @param {number[][]} keys
 */
function spent(map, n, keys) {
  let sum = 0, rows = 0;
  keys.forEach((of, query) => {
    if (!of.length) return;
    rows++;
    for (const key of of) sum += map[query * n + key];
  });
  return rows ? sum / rows : NaN;
}

/** The entropy of the rows, as a share of the largest possible. @param {Float32Array} map @param {number} n */
function breadth(map, n) {
  if (n < 2) return NaN;
  let sum = 0, rows = 0;
  for (let query = 0; query < n; query++) {
    let entropy = 0, seen = 0;
    for (let key = 0; key < n; key++) {
      const weight = map[query * n + key];
      if (!(weight > 0)) continue;
      entropy -= weight * Math.log(weight);
      seen++;
    }
    if (seen < 2) continue;
    sum += entropy / Math.log(seen);
    rows++;
  }
  return rows ? sum / rows : 0;
}

/** The pattern that exceeds its limit by the largest share of what it could. @param {number[]} scores */
function strongest(scores) {
  const above = scores.map((score, i) => ((Number.isNaN(score) ? -1 : score) - LIMITS[i]) / (1 - LIMITS[i]));
  const best = above.indexOf(Math.max(...above));
  return above[best] >= 0 ? best : null;
}

/** @param {number} score */
const inJson = (score) => (Number.isNaN(score) ? null : rounded(Math.min(score, 1), 4));

/** How the heads of a model score in our own sentences. @param {Trace} trace */
export const typicalOf = ({ model }) => TYPICAL[model];

/**
 * The part of a header with the scores of the heads of some layers, in this text and in our own sentences.
 * @param {PatternScores} scores @param {(number | null)[][][]} typical
 * @param {number} [layer] only this layer
 */
export function patternsHeader({ values }, typical, layer) {
  const of = (/** @type {(number | null)[][][]} */ all) => (layer === undefined ? all : [all[layer]]).flat();
  const here = of(values), usual = of(typical);
  return {
    names: NAMES,
    scores: range(COUNT).map((i) => here.map((scores) => inJson(/** @type {number} */ (scores[i])))),
    typical: range(COUNT).map((i) => usual.map((scores) => scores[i])),
  };
}

export const THRESHOLDS = LIMITS;

/** The note read with each head: the pattern that it follows, or "". @param {PatternScores} scores */
export const notes = ({ values, follows }) => values.flatMap((heads, layer) => heads.map((scores, head) => {
  const follow = follows[layer][head];
  return follow === null ? "" : `${NAMES[follow]} ${written(scores[follow], { digits: 2 })}`;
}));

/**
 * The caption of the heads of a layer below their picture: `core/figures/attention/head_captions.py`.
 * @param {Trace} trace
 * @param {PatternScores} scores
 * @param {number} layer
 * @param {(layer: number, head: number) => Float32Array} weights
 */
export function about(trace, scores, layer, weights) {
  const own = range(trace.heads).map((head) => weights(layer, head));
  const similarity = own.map(() => /** @type {[number, number, number][]} */ ([]));
  const lengths = own.map((map) => Math.sqrt(product(map, map)));
  for (let i = 0; i < trace.layers; i++) {
    for (let j = 0; j < trace.heads; j++) {
      const other = i === layer ? own[j] : weights(i, j), length = Math.sqrt(product(other, other));
      own.forEach((map, head) => {
        if (i === layer && j === head) return;
        const cosine = product(map, other) / (length * lengths[head]);
        similarity[head].push([i, j, Math.min(1, Math.max(0, cosine))]);
      });
    }
  }
  const similar = similarity.map((all) => all.sort((a, b) => b[2] - a[2]).slice(0, MOST_SIMILAR)
    .map(([i, j, near]) => /** @type {[number, number, number]} */ ([i, j, rounded(near, 4)])));
  return { ...patternsHeader(scores, typicalOf(trace), layer), layer, follows: scores.follows[layer], similar, note: "" };
}

/** @param {Float32Array} a @param {Float32Array} b */
function product(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
