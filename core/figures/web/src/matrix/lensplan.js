// The layout of what each layer would say: a column for each token, a row for each layer, a word in each cell.
/** @import { Box, Look, Palette, RGB, Shape } from "../types" */
/** @import { LensHeader } from "../headers" */
/** @import { PartPlan, View } from "../runtime/scrolling" */
import { m } from "../runtime/language.js";
import { fitted, widthOf, wrapped } from "../runtime/shared.js";
import { legendHeight, legendOf } from "../draw/cells.js";
import { SCROLLBAR } from "../draw/written.js";

export const MOST_ROWS = 33; // in view; more scroll
const LEAST_ROWS = 3; // also where a page has hardly any room
const ROW = 1.32, HEAD = 1.6; // heights, in multiples of the letters
const NARROW = 5, WIDE = 9; // widths of a column, in multiples of the letters
const PHONE = 480, ON_PHONE = 4; // pixels below which so many columns are in view
const GAP = 8, PAD = 3, FOOT = 8; // pixels

/** The input of the layout; values are (rows · columns). @typedef {{ header: LensHeader, values: ArrayLike<number>, width: number }} Lens */
/**
 * @typedef {object} LensCells
 * @property {readonly [number, number]} first row and column in view
 * @property {readonly [number, number]} shown how many rows and columns are in view
 * @property {(i: number) => Box | null} box of a cell; null where it is out of view
 * @property {(x: number, y: number) => number | null} at the cell at a place of the picture
 */
/** @typedef {PartPlan & LensCells} LensPlan */

/**
 * The complete layout.
 * @param {Lens} lens @param {Look} look @param {Palette} palette @param {View} view
 * @param {number} room pixels of height that the page has for it
 * @param {boolean} whole whether it is for a file, which holds all cells
 * @returns {LensPlan}
 */
export function lensPlan({ header, values, width }, look, palette, view, room = Infinity, whole = false) {
  const { rows, columns, labels, firm, chosen, scale } = header, { size } = look;
  const pitch = Math.round(ROW * size), names = Math.ceil(HEAD * size);
  const left = Math.ceil(Math.max(...rows.map((name) => widthOf(name, look)))) + GAP;
  const own = (scale.notes ?? []).flatMap((text) => wrapped(text, width - 4, look, 4));
  // The scale stands above: below 31 layers, nobody would see what a colour means.
  const aboveOf = (/** @type {number} */ lines) => legendHeight(look, 1 + lines) + FOOT;

  // Where columns are out of view, a line says which are in view.
  const fits = Math.floor((room - names - aboveOf(own.length + 1) - FOOT - SCROLLBAR) / pitch);
  const down = whole ? rows.length : Math.min(rows.length, Math.max(LEAST_ROWS, Math.min(MOST_ROWS, fits)));
  const sight = width - left - (down < rows.length ? SCROLLBAR : 0);
  const least = width < PHONE ? Math.floor(sight / Math.min(ON_PHONE, columns.length)) : NARROW * size;
  const wide = Math.floor(Math.max(least, Math.min(WIDE * size, sight / columns.length)));
  const across = whole ? columns.length : Math.max(1, Math.min(columns.length, Math.floor(sight / wide)));
  const bar = across < columns.length ? SCROLLBAR : 0;
  const high = down * pitch, long = across * wide;

  const count = columns.length;
  const want = view.reveal === null ? null : [Math.floor(view.reveal / count), view.reveal % count];
  /** @param {number} offset @param {number} step @param {number} all @param {number} inView @param {number | undefined} at */
  const begin = (offset, step, all, inView, at) => {
    let from = Math.round(offset / step);
    if (at !== undefined) from = Math.min(at, Math.max(at - inView + 1, from));
    return Math.max(0, Math.min(all - inView, from));
  };
  const row = begin(view.top, pitch, rows.length, down, want?.[0]);
  const column = begin(view.left, wide, count, across, want?.[1]);
  const parts = { from: column + 1, to: column + across, all: count };
  const hint = across < count ? wrapped(m("Tokens {from}–{to} of {all}: the others are a swipe or a scroll to the side.", parts), width - 4, look, 2) : [];
  const texts = [...hint, ...own], above = aboveOf(texts.length), top = above + names;
  const area = /** @type {Box} */ ([left, top, long + (down < rows.length ? SCROLLBAR : 0), high + bar]);
  /** @param {number} i @returns {Box | null} */
  const boxOf = (i) => {
    const r = Math.floor(i / count) - row, c = (i % count) - column;
    return r < 0 || c < 0 || r >= down || c >= across ? null : [left + c * wide, top + r * pitch, wide, pitch];
  };

  /** @type {Shape[]} */
  const shapes = [];
  for (let c = column; c < column + across; c++) {
    shapes.push({
      text: fitted(columns[c], wide - 2 * PAD, look, true), x: left + (c - column + 0.5) * wide, y: above + names / 2, size,
      anchor: "middle", bold: true, fill: look.ink, part: "column", of: c,
    });
  }
  for (let r = row; r < row + down; r++) {
    shapes.push({
      text: rows[r], x: left - GAP / 2, y: top + (r - row + 0.5) * pitch, size: 0.92 * size, anchor: "end", fill: look.muted,
      part: "row", of: r,
    });
    for (let c = column; c < column + across; c++) {
      const i = r * count + c, bold = firm[i] === "1", under = palette.colours[palette.at(values[i])];
      const [x, y] = [left + (c - column) * wide, top + (r - row) * pitch];
      shapes.push({ rect: [x, y, wide - 1, pitch - 1], fill: under, part: "cell", of: i });
      shapes.push({
        text: fitted(labels[i], wide - 1 - 2 * PAD, look, bold), x: x + wide / 2, y: y + pitch / 2, size, anchor: "middle", bold,
        fill: clearer(look, under), part: "word", of: i,
      });
    }
  }
  const frame = chosen === null ? null : boxOf(chosen);
  if (frame) {
    const [x, y, w, h] = frame;
    shapes.push({ rect: [x - 0.5, y - 0.5, w, h], stroke: look.ink, wide: 2, part: "chosen", of: chosen ?? 0 });
  }
  const legend = legendOf(scale, palette, look, Math.max(width, left + long), 2, 0, texts, header.number);
  return {
    shapes: [...shapes, ...legend.shapes], bar: legend.bar, end: legend.end, area,
    content: [across < count ? count * wide + area[2] - long : 0, down < rows.length ? rows.length * pitch + area[3] - high : 0],
    offset: [column * wide, row * pitch], high: Math.ceil(top + high + bar + FOOT),
    first: [row, column], shown: [down, across], box: boxOf,
    at: (px, py) => {
      const r = Math.floor((py - top) / pitch), c = Math.floor((px - left) / wide);
      return r < 0 || c < 0 || r >= down || c >= across ? null : (row + r) * count + column + c;
    },
  };
}

/** Of paper and ink, what has more contrast on a colour (WCAG 2.2). @param {Look} look @param {RGB} under */
function clearer({ paper, ink }, under) {
  const contrast = (/** @type {RGB} */ letters) => {
    const [low, high] = [luminance(letters), luminance(under)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  return contrast(paper) > contrast(ink) ? paper : ink;
}

/** @param {RGB} parts */
function luminance(parts) {
  const [r, g, b] = parts.map((part) => (part > 10 ? ((part / 255 + 0.055) / 1.055) ** 2.4 : part / 3294.6));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * The cell that a key leads to; null for a key that leads nowhere.
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey">} event @param {number} here @param {number} rows @param {number} columns
 */
export function nextCell({ key, ctrlKey }, here, rows, columns) {
  const row = Math.floor(here / columns), column = here % columns;
  /** @type {Readonly<Record<string, readonly [number, number]>>} */
  const to = {
    ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
    PageUp: [row - 10, column], PageDown: [row + 10, column],
    Home: [ctrlKey ? 0 : row, 0], End: [ctrlKey ? rows - 1 : row, columns - 1],
  };
  if (!to[key] || (ctrlKey && key !== "Home" && key !== "End")) return null;
  const within = (/** @type {number} */ i, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, i));
  return within(to[key][0], rows) * columns + within(to[key][1], columns);
}
