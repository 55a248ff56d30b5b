// What a visitor has chosen in the pictures of a layer; the header says what it is at first.
import { STATES, TYPES } from "../runtime/schema.js";

export const { level: { enum: LEVELS } } = STATES.layer;
export const MEAN = TYPES.headOrMean.minimum; // in the place of a head, below all heads: the mean of them

/** Whether special tokens are shown: where it is not chosen, everywhere but in the lines. */
export const showsSpecial = ({ special, level }) => special ?? level !== "lines";

/** Makes a state fit a layer of so many heads and tokens. */
export function fitting(state, { heads, gone, queries, keys, thresholds, averaged, kind }) {
  const is = (head) => head >= 0 && head < heads && (kind === "none" || !gone.includes(head));
  const several = (kind === "none" ? heads : heads - gone.length) > 1;
  const mean = several && state.on.includes(MEAN);
  if (averaged) state.on = [0]; // there is nothing to choose
  state.on = mean ? [MEAN] : state.on.filter(is);
  if (!is(state.head) && !(state.head === MEAN && several)) {
    state.head = Math.max(0, [...Array(heads).keys()].findIndex(is));
  }
  if (state.query >= queries.length) state.query = null;
  if (state.key >= keys.length) state.key = null;
  if (state.pin && state[state.pin] === null) state.pin = null;
  for (const what of ["threshold", "alone"]) {
    const off = (value) => Math.abs(value - state[what]);
    state[what] = thresholds.reduce((best, value) => (off(value) < off(best) ? value : best));
  }
}

const nearest = (shown, i) => shown.reduce((best, j) =>
  (Math.abs(j - i) < Math.abs(best - i) ? j : best), shown[0]);

/** The first token that the picture beside has as well: the same one there; undefined if none is. */
function bothHave(shown, special, numbers) {
  const own = shown.filter((i) => !special.includes(i) && (numbers?.[i] ?? null) !== null);
  return own.sort((a, b) => numbers[a] - numbers[b])[0];
}

/**
 * The query that is chosen, or the nearest that is shown; the first that is not special if none was,
 * and beside another picture the first that it has too: both show the same.
 */
export function queryOf({ exact, state: { query }, header: { special: [special], link } }) {
  const { queries } = exact, beside = bothHave(queries, special, link?.queries);
  if (query !== null && (beside === undefined || queries.includes(query))) return nearest(queries, query);
  return beside ?? queries.find((i) => !special.includes(i)) ?? queries[0];
}

/**
 * The key that is chosen, or the nearest that is shown; the strongest of the query if none was, and
 * beside another picture, whose strongest is another one, the first that both have.
 */
export function keyOf({ exact, state: { key, head }, query, header: { special: [, special], link } }) {
  const { keys } = exact, beside = bothHave(keys, special, link?.keys);
  if (key !== null && (beside === undefined || keys.includes(key))) return nearest(keys, key);
  if (beside !== undefined) return beside;
  const row = exact.row(head, query);
  return keys[row.reduce((best, weight, c) => (weight > row[best] ? c : best), 0)];
}
