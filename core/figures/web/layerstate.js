// What a visitor has chosen in the pictures of a layer; the header says what it is at first.
import { rgb } from "./shared.js";
import { namesOfHeads } from "./words.js";

export const LADDER = ["lines", "head", "token", "product"];
export const MEAN = -1; // in the place of a head: the mean of all
export const NO_SCORES = "A mean of heads has no scores of its own: choose a head.";
export const ONE_HEAD = "A product belongs to one head: choose a head above.";

/** Makes a state fit a layer of so many heads and tokens. */
export function fitting(state, { heads, queries, keys, thresholds, averaged }) {
  const mean = heads > 1 && state.on.includes(MEAN);
  if (averaged) state.on = [0]; // there is nothing to choose
  state.on = mean ? [MEAN] : state.on.filter((head) => head >= 0 && head < heads);
  if (state.head >= heads || (state.head === MEAN && heads === 1)) state.head = 0;
  if (state.query >= queries.length) state.query = null;
  if (state.key >= keys.length) state.key = null;
  if (state.pin && state[state.pin] === null) state.pin = null;
  if (thresholds.includes(state.threshold)) return;
  const off = (value) => Math.abs(value - state.threshold);
  state.threshold = thresholds.reduce((best, value) => (off(value) < off(best) ? value : best));
}

/** "head 3", "mean of 12 heads". */
export const nameOfHead = (head, { heads }) =>
  (head === MEAN ? `mean of ${heads} heads` : `head ${head + 1}`);

/** The same of those that draw lines. */
export const nameOfThose = (on, header) =>
  (on.includes(MEAN) ? nameOfHead(MEAN, header) : namesOfHeads(on));

/** A layer with its place: "Decoder, Layer 3"; then what of it, which a mean of all has not. */
const titled = ({ place, layer, averaged }, what) =>
  [...(place ? [place] : []), layer, ...(averaged ? [] : [what])].join(", ");

/** A head with its layer, as a caption names it: "Layer 3, head 3"; of a mean of all, its name. */
export const titleOf = (head, header) => titled(header, nameOfHead(head, header));

/** The same of those that draw lines. */
export const titleOfThose = (on, header) => titled(header, nameOfThose(on, header));

/** A token where it does not stand in its place: with its number, if another one reads the same. */
export function called(names, i) {
  const name = names[i];
  return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${i + 1})`;
}

/** What is done where special tokens are hidden; of a mean, before it is taken. */
export const scaledWords = (mean) => `special tokens left out, ${
  mean ? "each head’s rows scaled to 1, then averaged" : "each row scaled to 1"}`;

/** The colour of a head's lines; the mean is no head and has the letters' colour. */
export function colourOfHead(head, { colours, averaged }, look) {
  const all = colours[look.dark ? "dark" : "light"];
  return head === MEAN || averaged ? rgb(look.ink) : all[head % all.length];
}

/** Whether its lines are dashed: there are more heads than colours. */
export const isDashed = (head, { colours: { light } }) => head % (2 * light.length) >= light.length;

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
