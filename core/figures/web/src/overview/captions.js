// The captions of heads: for one head, for the keyboard, and for screen readers.
/** @import { Look, Palette, TextShape } from "../types" */
/** @import { OverviewHeader } from "../headers" */
/** @import { Overview } from "./overview.js" */
/** @import { OverviewPlan } from "./maps.js" */
import { m } from "../runtime/language.js";
import { light, written } from "../runtime/shared.js";
import { leftOut } from "../draw/leftout.js";

const TABLE_ROWS = 20;

/**
 * The text read with a head, after its name.
 * @param {Overview} picture
 * @param {number} i
 */
export function headCaption(picture, i) {
  const { header, token, tokens, order } = picture, parts = [], note = header.notes[i], { ranking } = order;
  if (picture.gone(i)) return absenceOf(header, i);
  if (token >= 0) {
    const word = m("“{word}”", { word: `\u2068${tokens[token]}\u2069` });
    parts.push(`${picture.measure} ${word} ${picture.number(picture.share(i))}`);
  } else if (!note) parts.push([m("strongest weight"), written(header.strongest[i] ?? NaN, header.number)].join(" "));
  if (note && !(ranking && note.startsWith(ranking.pattern))) parts.push(note); // not twice
  if (ranking) parts.push(order.scoreCaption(i));
  return parts.join("; ");
}

/**
 * Why a head has nothing to show.
 * @param {OverviewHeader} header
 * @param {number} i
 */
function absenceOf(header, i) {
  const { missingHeads, heads } = header;
  if (!missingHeads.includes(i)) return m("missing: without {what}, nothing is left", { what: leftOut(header) });
  const first = i - (i % heads), layer = Array.from({ length: heads }, (_, head) => first + head);
  return layer.every((head) => missingHeads.includes(head)) ? m("no attention in this layer")
    : m("this layer has no such head");
}

/** @param {Overview} picture */
export const keysHelp = ({ order: { sorted }, choosing }) => (sorted
  ? m("Left and Right go through the heads in order, Up and Down through the lines, Home and End to the "
    + "ends of a line, or with Control to the first and the last head.")
  : m("Left and Right go through the heads of a layer, Up and Down through the layers, Home and End to "
    + "the first and the last head.")) + (choosing ? m(" Enter opens a head.") : "");

/**
 * The caption, the names of the columns and the rows, see `Picture.tabulate`.
 * @param {Overview} picture
 * @returns {[string, string[], string[][]]}
 */
export function headTable(picture) {
  const { header, token, count, order } = picture, { layers, heads, notes, strongest } = header, { ranking } = order;
  const size = (/** @type {number} */ i) => (token < 0 ? strongest[i] : picture.share(i)); // null or NaN: missing
  const measure = token < 0 ? m("strongest weight") : picture.scale().title, noted = notes.length > 0;
  const all = ranking ? order.heads : [...order.heads].sort((a, b) =>
    (size(b) || 0) - (size(a) || 0) || a - b);
  const shown = all.slice(0, TABLE_ROWS), fewer = shown.length < all.length;
  const first = fewer ? m("; the first {count}", { count: shown.length }) : "", some = fewer
    ? m("{count} of {all} heads, by {measure}", { count: shown.length, all: count, measure }) : m("All {count} heads, by {measure}", { count, measure });
  return [
    ranking ? order.caption + first : some,
    [m("layer"), m("head"), ...order.scoresOf(0).map(([texts]) => `${ranking?.pattern} ${texts}`), measure,
      ...(noted ? [m("pattern")] : [])],
    shown.map((i) => [layers[Math.floor(i / heads)], String((i % heads) + 1),
      ...order.scoresOf(i).map(([, score]) => score), picture.number(size(i)), ...(noted ? [notes[i]] : [])]),
  ];
}

/**
 * The numbers on the cells, if there is room.
 * @param {Overview} picture
 * @param {OverviewPlan} plan
 * @param {Palette} palette
 * @param {Look} look
 * @returns {TextShape[]}
 */
export function sharesOn(picture, { boxes, cell: [wide, high], order }, palette, look) {
  const size = Math.min(look.size, 0.36 * wide, 0.6 * high);
  if (size < 8) return [];
  return order.flatMap((i) => {
    const box = boxes[i], value = picture.share(i);
    if (!box || Number.isNaN(value)) return [];
    const under = light(palette.colours[palette.at(value)]);
    const onPaper = Math.abs(light(look.paper) - under) > Math.abs(light(look.ink) - under);
    return [{
      text: picture.number(value), x: box[0] + wide / 2, y: box[1] + high / 2, size, anchor: "middle",
      part: "share", fill: onPaper ? look.paper : look.ink, of: i,
    }];
  });
}
