// What a visitor has chosen in the pictures of a layer; the header says what it is at first.
export const LADDER = ["lines", "head", "token", "product"];

/** Makes a state fit a layer of so many heads and tokens. */
export function fitting(state, { heads, queries, keys, thresholds }) {
  state.on = state.on.filter((head) => head < heads);
  if (state.head >= heads) state.head = 0;
  if (state.query >= queries.length) state.query = null;
  if (state.key >= keys.length) state.key = null;
  if (thresholds.includes(state.threshold)) return;
  const off = (value) => Math.abs(value - state.threshold);
  state.threshold = thresholds.reduce((best, value) => (off(value) < off(best) ? value : best));
}

const nearest = (shown, i) => shown.reduce((best, j) =>
  (Math.abs(j - i) < Math.abs(best - i) ? j : best), shown[0]);

/** The query that is chosen,
  or the nearest that is shown; the first that is not special if none was. */
export function queryOf({ exact, state: { query }, header }) {
  if (query !== null) return nearest(exact.queries, query);
  const special = new Set(header.special[0]);
  return exact.queries.find((i) => !special.has(i)) ?? exact.queries[0];
}

/** The key that is chosen, or the nearest that is shown; the strongest of the query if none was. */
export function keyOf({ exact, state: { key, head }, query }) {
  if (key !== null) return nearest(exact.keys, key);
  const row = exact.row(head, query);
  return exact.keys[row.reduce((best, weight, c) => (weight > row[best] ? c : best), 0)];
}
