// The layout of a bar chart: names, bars, numbers, and the scale below them.
/** @import { Box, Look, NumberFormat, PathShape, Plan, Shape, TextShape } from "../types" */
/** @import { BarsHeader } from "../headers" */
import { decimal, m } from "../runtime/language.js";
import { fitted, grouped, mix, raised, widthOf, written } from "../runtime/shared.js";
import { footOf } from "../draw/placing.js";
import { SCROLLBAR, roundedUp } from "../draw/written.js";

const PITCH = [1.55, 2.1]; // of a row, in multiples of the letter size
const DENSE = 1.25; // of rows that all fit only so
const BAR_OF_ROW = 0.56; // the height of a bar
const WIDEST = [900, 60]; // pixels; letters, if these are more: in front of a class
const OUT = 2.5; // pixels by which an outline extends above and below its bar
const SCALE = 1.9; // in multiples of the letter size: the numbers below the bars
const DIGITS = 4; // significant digits of a number that is read aloud
const FROM_BAR = 6, FROM_NAME = 9; // pixels between a number and its bar, between a name and its bar

/**
 * The input of a bar chart's layout.
 * @typedef {object} Bars
 * @property {BarsHeader} header
 * @property {Float32Array} values of each row, then of the others
 * @property {Float32Array | null} others
 * @property {number} width in pixels
 */

/**
 * @typedef {object} Rows
 * @property {number} content height of all rows in pixels
 * @property {number} window height of the visible rows in pixels
 * @property {number} pitch pixels from row to row
 * @property {number} offset pixels that are scrolled out of view
 * @property {(i: number) => number} middle the height of a row's middle
 * @property {(value: number) => number} x the position of a number
 * @property {(i: number) => Box | null} box around a row; null if it is out of view
 * @property {(i: number) => boolean} holds whether a row is in view
 */
/** @typedef {Plan & Rows} BarsPlan */

/**
 * A number with so many significant digits, however small it is.
 * @param {number} value
 * @param {Pick<NumberFormat, "plus">} format
 */
export function precisely(value, { plus }) {
  if (value === 0) return "0";
  const size = Math.abs(value), text = size < 10 ** DIGITS ? size.toPrecision(DIGITS) : size.toFixed(0);
  return decimal((value < 0 ? "−" : plus ? "+" : "") + raised(text));
}

/**
 * A number as the picture writes it: counts in groups of three digits.
 * @param {number} value
 * @param {Pick<BarsHeader, "kind" | "number">} header
 * @param {number} [digits] after the point
 */
function numberOf(value, { kind, number }, digits = number.digits) {
  return kind === "counts" ? grouped(value) : written(value, { ...number, digits });
}

/**
 * A number at its bar; what is below the last digit says so, and does not read as nothing or as more.
 * @param {number} value
 * @param {BarsHeader} header
 */
function atBar(value, header) {
  const last = 10 ** -header.number.digits, part = header.kind === "weights" || header.kind === "amounts";
  const less = part && value > 0 && value < last;
  return less ? `<${numberOf(last, header)}` : numberOf(value, header);
}

/**
 * Divides the height between the rows and what is below them.
 * @param {BarsHeader} header
 * @param {Look} look
 * @param {number} width
 * @param {number} top
 */
function down(header, look, width, top) {
  const count = header.labels.length, { size } = look, { height } = header;
  const low = (/** @type {string} */ title) => SCALE * size + height - footOf(title, look, { width, height }, 0).top;
  const room = (/** @type {string} */ title) => Math.max(PITCH[1] * size, height - top - low(title));
  const scrolls = DENSE * size * count > room(header.unit) + 1;
  /** @param {number} from @param {number} to visible rows, from 1 */
  const title = (from, to) =>
    (scrolls ? m("{unit}; rows {from}–{to} of {all}", { unit: header.unit, from, to, all: count }) : header.unit);
  const longest = title(count, count), most = room(longest);
  const pitch = Math.max((scrolls ? PITCH[0] : DENSE) * size, Math.min(PITCH[1] * size, most / count));
  const content = pitch * count, window = Math.min(most, content);
  return { scrolls, title, pitch, content, window, height: top + window + low(longest) };
}

/**
 * Divides the width between the names, the bars, and the numbers beyond their ends.
 * @param {Bars} bars
 * @param {Look} look
 * @param {number} whole
 */
function across({ header, values }, look, whole) {
  const { labels, chosen, beside = [] } = header, count = labels.length;
  const signed = header.kind === "signed" && !(header.fromZero && values.every((value) => value >= 0));
  const names = labels.map((text, i) => fitted(text, 0.3 * whole, look, i === chosen));
  const texts = Array.from(values.subarray(0, count), (value) => atBar(value, header));
  const widest = (/** @type {string[]} */ all) =>
    Math.ceil(Math.max(...all.map((text, i) => widthOf(text, look, i === chosen))));
  const room = widest([...names, ...beside.map((text) => fitted(text, 0.3 * whole, look, false))]);
  const number = widest(texts) + FROM_BAR + 4, edge = room + 3;
  const left = edge + FROM_NAME + (signed ? number : 0), wide = Math.max(20, whole - left - number);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const end = header.most !== null && largest <= header.most * (1 + 1e-6) ? header.most : roundedUp(largest);
  const zero = left + (signed ? wide / 2 : 0), share = (signed ? wide / 2 : wide) / end;
  const x = (/** @type {number} */ value) => zero + value * share;
  return { names, texts, edge, left, wide, end, zero, share, signed, x };
}
/** @typedef {ReturnType<typeof across>} Columns */

/**
 * The complete layout.
 * @param {Bars} bars
 * @param {Look} look
 * @param {(window: number, content: number, pitch: number) => number} scrolled the pixels out of view above
 * @returns {BarsPlan}
 */
export function barsPlan(bars, look, scrolled) {
  const { header, others, width } = bars, { size } = look, { labels, names, chosen, groups } = header;
  const top = Math.round((others || groups ? 2 : 0.4) * size), most = Math.min(width, Math.max(WIDEST[0], WIDEST[1] * size));
  const rows = down(header, look, most - SCROLLBAR, top);
  const bar = rows.scrolls ? SCROLLBAR : 0, whole = most - Math.max(2, bar);
  const { pitch, content, window } = rows, bottom = top + window;
  const offset = scrolled(window, content, pitch), columns = across(bars, look, whole);
  const middle = (/** @type {number} */ i) => top + (i + 0.5) * pitch - offset;
  const holds = (/** @type {number} */ i) => middle(i) >= top + 0.4 * size && middle(i) <= bottom - 0.4 * size;
  /** @param {number} i @returns {Box} */
  const boxOf = (i) => {
    const from = Math.max(top, middle(i) - pitch / 2);
    const to = Math.min(bottom, middle(i) + pitch / 2);
    return [1, from, whole - 2, to - from];
  };
  const shown = [...labels.keys()].filter(holds), shapes = scaleOf(columns, header, look, top, bottom);
  if (names) shapes.push(...legendAt(columns, header, names, look, whole));
  else if (groups) shapes.push(...groupsAt(columns, groups, look, whole));
  for (const i of shown) shapes.push(...rowOf(bars, columns, look, i, middle(i), BAR_OF_ROW * pitch));
  const { zero, left, wide, x } = columns;
  shapes.push({ rect: [zero - 0.5, top, 1, window], fill: look.muted, part: "zero" });
  if (chosen !== null && holds(chosen)) {
    shapes.push({ rect: boxOf(chosen), stroke: look.muted, wide: 1, part: "chosen", of: chosen });
  }
  const title = rows.title(shown[0] + 1, shown[shown.length - 1] + 1);
  const foot = footOf(title, look, { width: whole, height: rows.height }, left + wide / 2);
  return {
    shapes: [...shapes, ...foot.shapes], bar: foot.bar, end: whole,
    area: [0, top, whole + bar, window],
    content, window, pitch, offset, middle, x, box: (i) => (holds(i) ? boxOf(i) : null), holds,
  };
}

/**
 * One row: its bar, the outline of the other number, its own number beside both, its name.
 * @param {Bars} bars
 * @param {Columns} columns
 * @param {Look} look
 * @param {number} i
 * @param {number} y its middle
 * @param {number} high
 * @returns {Shape[]}
 */
function rowOf({ header, values, others }, columns, look, i, y, high) {
  const { names, texts, edge, zero, share } = columns, { size } = look;
  const value = values[i], other = others ? others[i] : 0, sign = value < 0 ? -1 : 1;
  const [low, up] = header.signed[look.dark ? "dark" : "light"], long = Math.abs(value) * share;
  const plain = header.kind === "signed" ? (sign < 0 ? low : up) : header.hue;
  /** @type {Shape[]} */
  const shapes = [{
    rect: [sign < 0 ? zero - long : zero, y - high / 2, long, high],
    fill: header.groups ? header.groups.colours[header.groups.of[i]] : plain, part: "bar", of: i,
  }];
  if (others) shapes.push(outlineAt([zero, y - high / 2, other * share, high], look, { part: "other", of: i }));
  /** @type {Omit<TextShape, "text">} */
  const name = { x: edge, y, size, fill: look.ink, bold: i === header.chosen, anchor: "end", part: "label", of: i };
  const outline = sign * other * share, need = long + FROM_BAR + widthOf(texts[i], look, name.bold) + 4;
  const past = (outline > long - 4 && outline < need ? Math.max(long, outline) : long) + FROM_BAR;
  /** @type {TextShape} */
  const number = {
    ...name, text: texts[i], x: zero + sign * past, anchor: sign < 0 ? "end" : "start", part: "number",
    halo: look.paper,
  };
  shapes.push(number, { ...name, text: names[i] });
  return shapes;
}

/**
 * @param {Box} box
 * @param {Look} look
 * @param {{ part: string, of?: number }} more
 * @returns {PathShape}
 */
function outlineAt([x, y, wide, high], look, more) {
  const tall = high + 2 * OUT;
  const path = `M${x} ${y - OUT}h${wide}v${tall}h${-wide}z`;
  return { path, stroke: mix(look.paper, look.ink, 0.75), wide: 1.25, ...more };
}

/**
 * Grid lines at round numbers, with the numbers below.
 * @param {Columns} columns
 * @param {BarsHeader} header
 * @param {Look} look
 * @param {number} top
 * @param {number} bottom
 * @returns {Shape[]}
 */
function scaleOf({ zero, share, end, signed }, header, look, top, bottom) {
  const { size } = look, fine = Math.max(0, 1 - Math.floor(Math.log10(end)));
  const room = (widthOf(numberOf(end, header, fine), look) + 2.4 * size) / share;
  const need = header.kind === "counts" ? Math.max(1, room) : room; // nothing between two counts
  const unit = 10 ** Math.floor(Math.log10(need));
  const step = unit * ([1, 2, 5].find((n) => n * unit >= need * (1 - 1e-9)) ?? 10);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const after = Math.floor(end / step + 1e-9), before = signed ? after : 0;
  return Array.from({ length: before + after + 1 }, (_, k) => (k - before) * step).flatMap((value) => {
    const x = zero + value * share;
    return [
      { rect: [x - 0.5, top, 1, bottom - top + 4], fill: look.line, part: "grid" },
      {
        text: value === 0 ? "0" : numberOf(value, header, digits),
        x, y: bottom + 0.95 * size, size: 0.92 * size,
        anchor: "middle", fill: look.muted, part: "tick",
      },
    ];
  });
}

/**
 * The legend for bars and outlines.
 * @param {Columns} columns
 * @param {BarsHeader} header
 * @param {readonly string[]} names
 * @param {Look} look
 * @param {number} whole
 */
function legendAt({ left }, header, names, look, whole) {
  const { size } = look, y = 0.85 * size, high = 0.75 * size, long = 1.5 * size;
  const both = header.signed[look.dark ? "dark" : "light"];
  const texts = names.map((text) => fitted(text, 0.5 * whole - long - 2 * size, look));
  const need = texts.reduce((sum, text) => sum + long + 6 + widthOf(text, look), 1.6 * size);
  /** @type {Shape[]} */
  const shapes = [];
  let x = Math.round(Math.max(1, Math.min(left, whole - need)));
  texts.forEach((text, k) => {
    const top = y - high / 2;
    if (k) shapes.push(outlineAt([x, top, long, high], look, { part: "key" }));
    else if (header.kind !== "signed") shapes.push({ rect: [x, top, long, high], fill: header.hue, part: "key" });
    else both.forEach((fill, half) => shapes.push(
      { rect: [x + (half * long) / 2, top, long / 2, high], fill, part: "key" }));
    shapes.push({ text, x: x + long + 6, y, size, fill: look.muted, part: "legend" });
    x += long + 6 + widthOf(text, look) + 1.6 * size;
  });
  return shapes;
}

/**
 * The legend for bars of several groups.
 * @param {Columns} columns
 * @param {NonNullable<BarsHeader["groups"]>} groups
 * @param {Look} look
 * @param {number} whole
 */
function groupsAt({ left }, { names, colours }, look, whole) {
  const { size } = look, y = 0.85 * size, high = 0.75 * size, apart = 1.2 * size;
  const texts = names.map((text) => fitted(text, whole / names.length - high - 5 - apart, look));
  const need = texts.reduce((sum, text) => sum + high + 5 + widthOf(text, look) + apart, -apart);
  /** @type {Shape[]} */
  const shapes = [];
  let x = Math.round(Math.max(1, Math.min(left, whole - need)));
  texts.forEach((text, k) => {
    shapes.push(
      { rect: [x, y - high / 2, high, high], fill: colours[k], part: "key" },
      { text, x: x + high + 5, y, size, fill: look.muted, part: "legend" },
    );
    x += high + 5 + widthOf(text, look) + apart;
  });
  return shapes;
}
