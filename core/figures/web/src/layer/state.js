// The choices of a visitor in the picture of a layer; the header contains the initial ones.
/** @import { Attention } from "./attention.js" */
/** @import { LayerHeader } from "../headers" */
/** @import { LayerState } from "../states" */
/** @import { LevelName } from "./types" */
import { STATES, TYPES } from "../runtime/schema.js";

export const LEVELS = /** @type {LevelName[]} */ (STATES.layer.level.enum);
export const MEAN = TYPES.headOrMean.minimum; // the index of the mean of all heads

/**
 * Whether special tokens are shown: by default, everywhere but in the lines.
 * @param {Pick<LayerState, "special" | "level">} state
 */
export const showsSpecial = ({ special, level }) => special ?? level !== "lines";

/** The threshold with which the lines open; the second for a long text. */
export const USUAL = [0.05, 0.1];

/**
 * Whether all lines from the threshold on are drawn: by default, only for a visitor who has chosen a threshold.
 * @param {Pick<LayerState, "all" | "threshold">} state
 * @param {Pick<LayerHeader, "root">} header
 */
export const showsAll = ({ all, threshold }, { root }) => all ?? threshold !== USUAL[Number(root)];

/**
 * Makes a state fit a layer of so many heads and tokens.
 * @param {LayerState} state
 * @param {LayerHeader} header
 */
export function fitState(state, { heads, missingHeads, queries, keys, thresholds, isMean, kind }) {
  const is = (/** @type {number} */ head) => head >= 0 && head < heads && (kind === "none" || !missingHeads.includes(head));
  const several = (kind === "none" ? heads : heads - missingHeads.length) > 1;
  const mean = several && state.on.includes(MEAN);
  if (isMean) state.on = [0]; // there is no choice
  state.on = mean ? [MEAN] : state.on.filter(is);
  if (!is(state.head) && !(state.head === MEAN && several)) {
    state.head = Math.max(0, [...Array(heads).keys()].findIndex(is));
  }
  if (state.query !== null && state.query >= queries.length) state.query = null;
  if (state.key !== null && state.key >= keys.length) state.key = null;
  if (state.pin && state[state.pin] === null) state.pin = null;
  state.threshold = nearest(thresholds, state.threshold);
  state.alone = nearest(thresholds, state.alone);
}

/**
 * The nearest of some numbers; of two equally near, the first.
 * @param {readonly number[]} numbers
 * @param {number} wanted
 */
const nearest = (numbers, wanted) => numbers.reduce((best, number) =>
  (Math.abs(number - wanted) < Math.abs(best - wanted) ? number : best), numbers[0]);

/**
 * The first visible token that a linked picture has as well; undefined if there is none.
 * @param {number[]} shown
 * @param {readonly number[]} special
 * @param {readonly (number | null)[]} [numbers] the number of each token in the group of pictures
 */
function firstInBoth(shown, special, numbers = []) {
  const number = (/** @type {number} */ i) => numbers[i] ?? Infinity;
  return shown.filter((i) => !special.includes(i) && number(i) < Infinity).sort((a, b) => number(a) - number(b))[0];
}

/**
 * The chosen query, or the nearest visible one. By default, the first that is not special; with a linked
 * picture, the first that it has too, so that both show the same.
 * @param {Attention} attention
 * @param {LayerState} state
 * @param {LayerHeader} header
 */
export function chosenQuery({ queries }, { query }, { special: [special], link }) {
  const both = firstInBoth(queries, special, link?.queries);
  if (query !== null && (both === undefined || queries.includes(query))) return nearest(queries, query);
  return both ?? queries.find((i) => !special.includes(i)) ?? queries[0];
}

/**
 * The chosen key, or the nearest visible one. By default, the strongest of the query; with a linked picture
 * that has another strongest key, the first that both have.
 * @param {Attention} attention
 * @param {LayerState} state
 * @param {LayerHeader} header
 * @param {number} query
 */
export function chosenKey(attention, { key, head }, { special: [, special], link }, query) {
  const { keys } = attention, both = firstInBoth(keys, special, link?.keys);
  if (key !== null && (both === undefined || keys.includes(key))) return nearest(keys, key);
  if (both !== undefined) return both;
  const row = attention.row(head, query);
  return keys[row.reduce((best, weight, c) => (weight > row[best] ? c : best), 0)];
}
