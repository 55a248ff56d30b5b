// What is said of heads: with one of them, of the keys, and once more for those who do not see them.
import { light, written } from "../runtime/shared.js";

const TABLE_ROWS = 20;

/** What is read with a head, after its name. */
export function headSaid(picture, i) {
  const { header, token, tokens, order } = picture, said = [], note = header.notes[i];
  if (picture.gone(i)) return goneSaid(header, i);
  if (token >= 0) {
    said.push(`${picture.what} “\u2068${tokens[token]}\u2069” ${picture.number(picture.share(i))}`);
  } else if (!note) said.push(`strongest weight ${written(header.strongest[i], header.number)}`);
  if (note && !(order.sorted && note.startsWith(order.by))) said.push(note); // said once is enough
  if (order.sorted) said.push(order.said(i));
  return said.join("; ");
}

/** Why a head has nothing to show. */
function goneSaid({ absent, heads }, i) {
  if (!absent.includes(i)) return "missing, nothing is left without special tokens";
  const first = i - (i % heads), layer = Array.from({ length: heads }, (_, head) => first + head);
  return layer.every((head) => absent.includes(head)) ? "no attention in this layer"
    : "this layer has no such head";
}

export const keysSaid = ({ order: { sorted }, choosing }) => (sorted
  ? "Left and Right go through the heads in their order, Up and Down the lines, Home and End to the "
    + "ends of a line, with Control to the first and the last head."
  : "Left and Right go through the heads of a layer, Up and Down the layers, Home and End to the "
    + "first and the last head.") + (choosing ? " Enter opens a head." : "");

/** The caption, the names of the columns and the rows, see `Life.tabulate`. */
export function headTable(picture) {
  const { header, token, count, order } = picture, { layers, heads, notes, strongest } = header;
  const size = (i) => (token < 0 ? strongest[i] : picture.share(i)); // null or NaN: missing
  const what = token < 0 ? "strongest weight" : picture.scale().title, noted = notes.length > 0;
  const shown = order.sorted ? order.heads : [...order.heads].sort((a, b) =>
    (size(b) || 0) - (size(a) || 0) || a - b);
  const top = shown.slice(0, TABLE_ROWS), less = top.length < shown.length;
  const first = less ? `; the first ${top.length}` : "", some = less ? `${top.length} of ${count}`
    : `All ${count}`;
  const scores = (i) => (order.sorted ? order.both(i) : []);
  return [
    order.sorted ? order.caption + first : `${some} heads, by ${what}`,
    ["layer", "head", ...scores(0).map(([where]) => `${order.by} ${where}`), what,
      ...(noted ? ["pattern"] : [])],
    top.map((i) => [layers[Math.floor(i / heads)], String((i % heads) + 1),
      ...scores(i).map(([, score]) => score), picture.number(size(i)), ...(noted ? [notes[i]] : [])]),
  ];
}

/** The numbers on the cells, where there is room. */
export function sharesOn(picture, { boxes, cell: [wide, high], order }, palette, look) {
  const size = Math.min(look.size, 0.36 * wide, 0.6 * high);
  if (size < 8) return [];
  return order.filter((i) => !Number.isNaN(picture.share(i))).map((i) => {
    const [x, y] = boxes[i], value = picture.share(i), under = palette.colours[palette.at(value)];
    const apart = (colour) => Math.abs(light(colour) - light(under));
    return {
      text: picture.number(value), x: x + wide / 2, y: y + high / 2, size, anchor: "middle",
      part: "share", fill: apart(look.paper) > apart(look.ink) ? look.paper : look.ink, of: i,
    };
  });
}
