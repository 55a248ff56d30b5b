// Where the two columns of tokens stand, and the lines between them.
/** @import { Look, Run } from "../../types" */
/** @import { Layer } from "../layer.js" */
/** @import { LevelRoom, Side, TokenThing } from "../types" */
/** @import { LinesLevel } from "./level.js" */
import { footHigh, SCROLLBAR } from "../../draw/written.js";
import { SAVE_ROOM, fitted, widthOf, wrapped } from "../../runtime/shared.js";
import { note } from "./captions.js";

/**
 * The names of both columns, shortened for a width and a font.
 * @typedef {object} ColumnNames
 * @property {string} look the width and the font
 * @property {number[]} of the queries
 * @property {Record<Side, Record<number, string>>} names
 * @property {Record<Side, number>} wide the width of the widest of each column
 */

/**
 * The token with the longest name.
 * @typedef {object} LongestName
 * @property {number[]} of the queries among which, and among whose keys, it is the longest
 * @property {TokenThing} thing
 */

/**
 * The words below, line by line, and the height that they need.
 * @typedef {object} Footnotes
 * @property {string[]} texts
 * @property {number} foot
 */

/**
 * The layout of the columns and the lines.
 * @typedef {object} LinesPlan
 * @property {number} y the top of the window
 * @property {number} window how high it is
 * @property {number} pitch of the rows of a column
 * @property {number} content how high the longer column is
 * @property {boolean} bars whether there are bars for the share that goes to hidden tokens
 * @property {number} offset how far the columns are scrolled
 * @property {number} left the start of the lines
 * @property {number} right their end
 * @property {Side} first the column on the left
 * @property {Side} last the column on the right
 * @property {Record<Side, Record<number, string>>} names the shortened names of both columns
 * @property {Record<Side, number>} wide the width of the widest name of each column
 * @property {string[]} texts the words below
 * @property {number} foot the top of these words
 * @property {(tokens: number[]) => Run} range which rows of a column are in the window
 * @property {(row: number) => number} middle of a row
 * @property {(row: number) => number} end the end of a line at a row; if it is out of view, the nearest corner
 */

const ZONE = [70, 460]; // pixels between the columns
const OUT = 14; // pixels beyond the window
const PITCH = [1.5, 2.3]; // lines of text, in multiples of the letter size
export const SHARE_WIDE = 40, SHARE_GAP = 10; // pixels: a bar for hidden tokens, and its distance from a name
const APART = [4, 0.7]; // pixels between the lines of two heads, at most; and of all heads together, relative to a row

/**
 * The distance between the lines of two heads: on the same path, the last one would hide the others.
 * @param {LinesPlan} plan
 * @param {number[]} on
 */
export const apartOf = ({ pitch }, { length }) => Math.min(APART[0], (APART[1] * pitch) / length);

/**
 * Where the names of a column end, and in which direction the zone of lines is.
 * @param {LinesPlan} plan
 * @param {Side} side
 * @returns {{ x: number, anchor: "start" | "end", inner: number, towards: number }}
 */
export const sideways = (plan, side) => (side === plan.first
  ? { x: plan.left - 8, anchor: "end", inner: plan.left + 6, towards: 1 }
  : { x: plan.right + 8, anchor: "start", inner: plan.right - 6, towards: -1 });

/** The number of tokens in the longer column. @param {Layer} layer */
const longer = ({ attention: { queries, keys } }) => Math.max(queries.length, keys.length);

/**
 * The preferred height of everything.
 * @param {Layer} layer
 * @param {Look} look
 * @param {number} foot the height of the words below
 */
export const heightOf = (layer, { size }, foot) => (1.8 + PITCH[1] * longer(layer)) * size + foot + 1;

/**
 * @param {LinesLevel} level
 * @param {Look} look
 * @param {LevelRoom} room
 * @param {ColumnNames} columns
 * @param {Footnotes} notes
 * @returns {LinesPlan}
 */
export function planned(level, { size }, { top, width, height }, { names, wide }, { texts, foot }) {
  const { layer } = level, { header, attention } = layer;
  const y = Math.round(top + 1.8 * size), window = Math.round(height - (y - top) - foot);
  const count = longer(layer), pitch = Math.max(PITCH[0] * size, Math.min(PITCH[1] * size, window / count));
  const content = pitch * count, scrolls = content > window + 1;
  const { side, i } = /** @type {TokenThing} */ (layer.linked.thing ?? layer.here);
  const offset = layer.scroll.within(window, content, pitch, level.tokens(side).indexOf(i));
  /** @type {[Side, Side]} */
  const [first, last] = header.rtl ? ["key", "query"] : ["query", "key"];
  const bars = attention.whole ? 0 : SHARE_WIDE + SHARE_GAP; // beyond the names of the queries
  const free = width - wide.query - wide.key - 24 - bars - (scrolls ? SCROLLBAR : 0);
  const zone = Math.max(ZONE[0], Math.min(ZONE[1], free)), margin = Math.max(0, (free - zone) / 2);
  const before = first === "query" ? bars : 0;
  const left = Math.round(margin + before + wide[first] + 12), right = Math.round(left + zone);
  const shown = Math.min(window, content);
  return {
    y, window: shown, pitch, content, bars: bars > 0, offset, left, right, first, last, names, wide, texts,
    range: (tokens) => [Math.max(0, Math.floor(offset / pitch)),
      Math.min(tokens.length, Math.ceil((offset + shown) / pitch))],
    middle: (row) => y + (row + 0.5) * pitch - offset,
    end: (row) => Math.max(y - OUT, Math.min(y + shown + OUT, y + (row + 0.5) * pitch - offset)),
    foot: y + shown + 12,
  };
}

/**
 * The names of both columns, shortened to the available width; those from before, if they still fit.
 * @param {Layer} layer
 * @param {Look} look
 * @param {number} width
 * @param {?ColumnNames} before
 * @returns {ColumnNames}
 */
export function namesFor({ header, attention: { queries, keys } }, look, width, before) {
  const same = `${width} ${look.size} ${look.font}`;
  if (before?.look === same && before.of === queries) return before;
  // Each column may take what the other leaves of both.
  const most = 0.27 * width, need = (/** @type {number[]} */ tokens, /** @type {readonly string[]} */ all) =>
    Math.min(most, Math.max(...tokens.map((i) => widthOf(all[i], look, true))));
  const cut = (/** @type {number[]} */ tokens, /** @type {readonly string[]} */ all, /** @type {number} */ other) =>
    Object.fromEntries(tokens.map((i) => [i, fitted(all[i], 2 * most - other, look)]));
  const widest = (/** @type {Record<number, string>} */ names) =>
    Math.max(...Object.values(names).map((text) => widthOf(text, look, true)));
  const query = cut(queries, header.queries, need(keys, header.keys));
  const key = cut(keys, header.keys, need(queries, header.queries));
  return { look: same, of: queries, names: { query, key }, wide: { query: widest(query), key: widest(key) } };
}

/**
 * The token with the longest name; the one from before, if the tokens are the same.
 * @param {LinesLevel} level
 * @param {?LongestName} before
 * @returns {LongestName}
 */
export function longestName(level, before) {
  const of = level.tokens("query");
  if (before?.of === of) return before;
  const all = [...of.map((i) => level.thing("query", i)), ...level.tokens("key").map((i) => level.thing("key", i))];
  const long = (/** @type {TokenThing} */ thing) => level.name(thing).length;
  return { of, thing: all.reduce((best, thing) => (long(thing) > long(best) ? thing : best)) };
}

/**
 * The words below; their height allows for the longest name, so that nothing moves.
 * @param {LinesLevel} level
 * @param {Look} look
 * @param {number} width
 * @param {TokenThing} longest
 * @returns {Footnotes}
 */
export function footnotes(level, look, width, longest) {
  const lines = (/** @type {?TokenThing} */ focus) => wrapped(note(level, focus), width - SAVE_ROOM - 8, look, 7);
  const texts = lines(level.focus());
  const length = Math.max(texts.length, lines(longest).length, lines(null).length);
  return { texts, foot: footHigh({ length }, look) };
}
