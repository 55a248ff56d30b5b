// The layout of the next word: a bar for each likely token and one for all others, and the stretch on which one is drawn.
/** @import { Box, Look, PathShape, Plan, Shape, TextShape } from "../types" */
/** @import { NextwordHeader } from "../headers" */
/** @import { Shaped } from "../derive/sampling.js" */
import { decimal, m } from "../runtime/language.js";
import { hatchColour, hatching } from "../draw/hatch.js";
import { footOf } from "../draw/placing.js";
import { fitted, grouped, mix, widthOf, written } from "../runtime/shared.js";

const ROW = 1.85, BAR = 0.84; // of a row and of its bar, in letters
const DENSE = { row: 1.2, least: 3 }; // of a row, and how many words keep a bar, where the room is bounded
const STRETCH = 1.5, AROUND = 1.5; // of the stretch and of what is above and below it, in letters
const SCALES = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01]; // where the scale of the bars may end
const FROM_NAME = 9, FROM_BAR = 6; // pixels
const WIDEST = [900, 60]; // pixels; letters, if these are more: in front of a class

/**
 * The input of the layout.
 * @typedef {object} NextWord
 * @property {NextwordHeader} header
 * @property {Float64Array} own the model's own probabilities, at temperature 1
 * @property {Shaped} shape what is drawn from
 * @property {number | null} drawn the place, by probability, of the token that would be drawn; null if none is
 * @property {number} width in pixels
 */
/**
 * A row of the picture. The last is that of all other tokens.
 * @typedef {object} Row
 * @property {string} name
 * @property {number} own its probability in the model
 * @property {number} left the probability with which it would be drawn
 * @property {number} cut the share of it that was cut, at this temperature
 * @property {number} places how many tokens it stands for
 */
/** @typedef {Plan & { rows: Row[], box: (i: number) => Box, under: (y: number) => number | null, end01: number, below: number }} NextWordPlan `below`: where controls below the bars begin */

/**
 * What the rows show.
 * @param {Pick<NextWord, "header" | "own" | "shape">} next
 * @param {number} most how many words have a bar of their own
 * @returns {Row[]}
 */
export function rowsOf({ header, own, shape: { probabilities, kept, mass } }, most = header.shown) {
  const shown = Math.min(most, own.length);
  const rows = Array.from({ length: shown }, (_, i) => ({
    name: header.labels[i], own: own[i], left: i < kept ? probabilities[i] / mass : 0, cut: i < kept ? 0 : probabilities[i], places: 1,
  }));
  const others = own.length - shown;
  if (!others) return rows;
  const sum = (/** @type {Float64Array} */ all, /** @type {number} */ from) => all.subarray(Math.max(shown, from)).reduce((total, p) => total + p, 0);
  const before = rows.reduce((total, { left }) => total + left, 0);
  return [...rows, {
    name: m("{count} others", { count: grouped(others) }), own: sum(own, 0), left: kept > shown ? Math.max(0, 1 - before) : 0, cut: sum(probabilities, kept), places: others,
  }];
}

/**
 * A share in percent, which never reads as nothing or as all when it is not: 92.1 %, <0.1 %. One decimal always:
 * these stand below each other.
 * @param {number} share
 */
export function percent(share) {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  if (share < 1 && share >= 0.9995) return ">99.9 %";
  return `${written(100 * share, { digits: 1 })} %`;
}

/**
 * The complete layout. Where the room is bounded, as in front of a class, rows stand closer, and the numbers
 * at the bars stand for a scale below them; if that is not enough, the least likely words are counted among
 * the others.
 * @param {NextWord} next
 * @param {Look} look
 * @param {number} top pixels of controls above the bars
 * @param {number} room pixels of all, with the controls
 * @param {number} gap pixels of controls below the bars
 * @returns {NextWordPlan}
 */
export function nextWordPlan(next, look, top, room = Infinity, gap = 0) {
  const most = Math.min(next.header.shown, next.own.length), { size } = look;
  const whole = laidOut(next, look, top, most, ROW, false, gap);
  if (heightOf(whole, size) <= room) return whole;
  const dense = laidOut(next, look, top, most, DENSE.row, true, gap), over = heightOf(dense, size) - room;
  const count = dense.rows.length;
  if (over <= 0) return laidOut(next, look, top, most, Math.min(ROW, DENSE.row - (over + 1) / (count * size)), true, gap);
  const words = count - 1 - Math.ceil(over / (DENSE.row * size)); // one row is that of the others
  return laidOut(next, look, top, Math.min(most, Math.max(DENSE.least, words)), DENSE.row, true, gap);
}

/** The height of all, with the bar that saves it. @param {Plan} plan @param {number} size */
export const heightOf = ({ bar }, size) => Math.ceil(bar + 1.9 * size);

/**
 * @param {NextWord} next @param {Look} look @param {number} top
 * @param {number} most words with a bar
 * @param {number} pitch the height of a row, in letters
 * @param {boolean} dense whether the bars go without a scale below them
 * @param {number} gap see `nextWordPlan`
 * @returns {NextWordPlan}
 */
function laidOut(next, look, top, most, pitch, dense, gap) {
  const { header, shape, drawn } = next, { size } = look, whole = Math.min(next.width, Math.max(WIDEST[0], WIDEST[1] * size)) - 2;
  const rows = rowsOf(next, most), high = pitch * size, from = top + 0.3 * size;
  const texts = rows.map(({ left, cut }) => (cut && !left ? "cut" : percent(left)));
  const names = rows.map(({ name }) => fitted(name, 0.34 * whole, look));
  const edge = Math.ceil(Math.max(...names.map((name) => widthOf(name, look, true)))) + 3, zero = edge + FROM_NAME;
  const wide = Math.max(40, whole - zero - FROM_BAR - Math.ceil(Math.max(...texts.map((text) => widthOf(text, look, true)))) - 4);
  const largest = Math.max(...rows.flatMap(({ own, left, cut }) => [own, left, cut]));
  const end01 = SCALES.findLast((end) => end >= largest - 1e-9) ?? 1, x = (/** @type {number} */ p) => zero + (p / end01) * wide;
  const middle = (/** @type {number} */ i) => from + (i + 0.5) * high, bottom = from + rows.length * high;
  /** @type {Shape[]} */
  const shapes = [];
  for (const value of [0, 0.25, 0.5, 0.75, 1].map((part) => part * end01)) {
    shapes.push({ rect: [x(value) - 0.5, from, 1, bottom - from + (dense ? 0 : 4)], fill: look.line, part: "grid" });
    if (!dense) shapes.push({ text: percentTick(value), x: x(value), y: bottom + 0.95 * size, size: 0.92 * size, anchor: "middle", fill: look.muted, part: "tick" });
  }
  for (const [i, row] of rows.entries()) {
    const y = middle(i), bar = BAR * size;
    shapes.push({ rect: [zero, y - bar / 2, Math.max(0, x(row.left) - zero), bar], fill: header.hue, part: "bar", of: i });
    if (row.cut > 0) shapes.push(...cutAt([x(row.left), y - bar / 2, (row.cut / end01) * wide, bar], look, i));
    shapes.push(outlineAt([zero, y - bar / 2, (row.own / end01) * wide, bar], look, i));
    const is = drawn !== null && (drawn === i || (i === most && drawn >= most));
    const past = Math.max(x(row.left), x(row.own), x(row.left + row.cut)) + FROM_BAR;
    /** @type {TextShape} */
    const name = { text: names[i], x: edge, y, size, fill: row.left ? look.ink : look.muted, bold: is, anchor: "end", part: "label", of: i };
    /** @type {TextShape} */
    const number = { ...name, text: texts[i], x: past, anchor: "start", part: "number", halo: look.paper };
    shapes.push(number, name);
  }
  shapes.push({ rect: [zero - 0.5, from, 1, bottom - from], fill: look.muted, part: "zero" });
  const below = bottom + (dense ? 0.4 : 2.1) * size;
  let low = below + gap;
  if (drawn !== null && header.number !== null) {
    shapes.push(...stretchOf(next, look, [zero, low + AROUND * size, wide, STRETCH * size], edge));
    low += (2 * AROUND + STRETCH + (dense ? -1 : 0.4)) * size;
  }
  const title = [
    shape.kept < next.own.length ? m("{count} of {all} tokens can be drawn; hatched: cut", { count: grouped(shape.kept), all: grouped(next.own.length) })
      : m("all {count} tokens can be drawn", { count: grouped(next.own.length) }),
    m("outline: the model at temperature 1"),
  ].join(" · ");
  const foot = footOf(title, look, { width: whole, height: low + 3.1 * size }, zero + wide / 2);
  return {
    shapes: [...shapes, ...foot.shapes], bar: foot.bar, end: whole, area: [0, from, whole + 2, bottom - from], rows, end01, below,
    box: (i) => [1, from + i * high, whole - 2, high],
    under: (y) => (y >= 0 && y < rows.length * high ? Math.floor(y / high) : null),
  };
}

/** A number of the scale: 2.5 %. @param {number} share */
const percentTick = (share) => (share ? `${decimal(String(Number((100 * share).toPrecision(3))))} %` : "0");

/**
 * What was cut: a frame, and hatching.
 * @param {Box} box @param {Look} look @param {number} of
 * @returns {Shape[]}
 */
function cutAt([x, y, width, height], look, of) {
  if (width < 0.5) return [];
  return [
    { rect: [x, y, width, height], stroke: hatchColour(look), wide: 1, part: "cut", of },
    ...hatching([[[0, 1]]], 1, { x, y, width, height }, look, "masked").map((one) => ({ ...one, part: "hatch", of })),
  ];
}

/**
 * The model's own probability: an end in ink, above and below its bar.
 * @param {Box} box @param {Look} look @param {number} of
 * @returns {PathShape}
 */
const outlineAt = ([x, y, wide, high], look, of) => ({
  path: `M${x} ${y - 2}h${wide}v${high + 4}h${-wide}z`, stroke: mix(look.paper, look.ink, 0.75), wide: 1.1, part: "own", of,
});

/**
 * The stretch from 0 to 1: each token that can be drawn covers its probability, and the number that fell names one.
 * @param {NextWord} next @param {Look} look @param {Box} box @param {number} edge
 * @returns {Shape[]}
 */
function stretchOf({ header, shape: { probabilities, kept, mass }, drawn }, look, [x, y, wide, high], edge) {
  const { size } = look, at = /** @type {number} */ (header.number), place = /** @type {number} */ (drawn);
  /** @type {Shape[]} */
  const shapes = [];
  let sum = 0;
  for (let i = 0; i < kept && (probabilities[i] / mass) * wide >= 1.5; i++) {
    const own = (probabilities[i] / mass) * wide;
    shapes.push({ rect: [x + sum, y, own, high], fill: mix(look.paper, header.hue, i === place ? 1 : i % 2 ? 0.3 : 0.55), part: "share", of: i });
    const name = header.labels[i];
    if (name && widthOf(name, look) < own - 8) {
      shapes.push({ text: name, x: x + sum + own / 2, y: y + high / 2, size, anchor: "middle", fill: look.ink, halo: look.paper, part: "share name", of: i });
    }
    sum += own;
  }
  const left = wide - sum;
  if (left > 0.5) shapes.push({ rect: [x + sum, y, left, high], fill: mix(look.paper, header.hue, 0.12), part: "share", of: "rest" });
  const tip = x + at * wide, said = `${written(at, { digits: 4 })} → ${header.labels[place] ?? m("place {place}", { place: grouped(place + 1) })}`;
  const half = widthOf(said, look, true) / 2, middle = Math.max(x + half, Math.min(tip, x + wide - half));
  return [
    ...shapes,
    { rect: [x, y, wide, high], stroke: look.muted, wide: 1, part: "stretch" },
    { path: `M${tip} ${y - 1}l-5 -8h10z`, fill: look.ink, part: "dice" },
    { rect: [tip - 0.5, y, 1, high], fill: look.ink, part: "dice" },
    { text: said, x: middle, y: y - 8 - 0.75 * size, size, bold: true, anchor: "middle", fill: look.ink, part: "drawn" },
    { text: m("dice"), x: edge, y: y + high / 2, size, anchor: "end", fill: look.muted, part: "label" },
    { text: "0", x, y: y + high + 0.8 * size, size: 0.92 * size, anchor: "middle", fill: look.muted, part: "tick" },
    { text: "1", x: x + wide, y: y + high + 0.8 * size, size: 0.92 * size, anchor: "middle", fill: look.muted, part: "tick" },
  ];
}
