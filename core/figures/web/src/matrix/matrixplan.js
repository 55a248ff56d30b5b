// The layout of a matrix with named rows and columns: labels, frames, signs, the scale.
/** @import { Look, Palette, Run, Shape, TextShape } from "../types" */
/** @import { MatrixHeader } from "../headers" */
/** @import { GridPlan } from "../runtime/grid.js" */
import { m } from "../runtime/language.js";
import { fitted, light, thinned, widthOf, wrapped, written } from "../runtime/shared.js";
import { SPARE, legendHeight, legendOf } from "../draw/cells.js";

const SLANT = (60 * Math.PI) / 180;
const LEAST_LETTERS = 12; // pixels
const ROW = 1.04; // the least height of a row, in multiples of its letters: no two names touch
const LONGEST = [104, 190]; // pixels of a label at the usual type size, if there is room
const ROOMY = 40; // pixels of a column: beyond that, the names of the rows may have the width
const FEW = 32; // with at most so many columns, cells may be much wider than high
const BESIDE = 16; // the room for a scale beside the rows, in multiples of the letter size
const THIN = 5; // pixels: a frame around a lower row would cover it, or its neighbours
const MOST_BY_NUMBER = 9; // texts whose columns have their numbers
const ALIKE = 12; // numbers that differ by no more have one label
const MOST_NUMBERS = 36; // cells that say their number themselves

/**
 * The parts of a matrix that are drawn; `width` is in pixels.
 * @typedef {object} MatrixOf
 * @property {Pick<MatrixHeader, "rows" | "columns" | "scale" | "marked" | "number" | "height">} header
 * @property {ArrayLike<number>} values
 * @property {number} columns
 * @property {number} width
 */

/**
 * The complete layout.
 * @param {MatrixOf} matrix
 * @param {Look} look
 * @param {Palette} palette
 * @param {number} ratio device pixels per page pixel
 * @returns {GridPlan}
 */
export function matrixPlan({ header, values, columns, width }, look, palette, ratio) {
  const { size } = look, count = header.rows.length, total = header.height;
  const [least, largest] = LONGEST.map((pixels) => (pixels * size) / 12.8);
  // The height of a slanted label, and how far the last one extends to the right.
  const longest = Math.max(least, Math.min(largest, 0.3 * total, (0.2 * width - size) / Math.cos(SLANT)));
  const marked = { rows: new Set(header.marked.rows), columns: new Set(header.marked.columns) };
  /** @param {readonly string[]} names @param {number} most @param {Set<number>} bold */
  const cut = (names, most, bold) => names.map((name, i) => fitted(name, most, look, bold.has(i)));
  // A few long texts beside themselves: above, their numbers leave the room to the cells.
  const byNumber = columns === count && columns <= MOST_BY_NUMBER
    && header.columns.every((name, i) => name === header.rows[i] && widthOf(name, look) > longest / 2)
    && header.columns.some((name, i) => fitted(name, longest, look, marked.columns.has(i)) !== name);
  const numberedRows = byNumber ? header.rows.map((name, i) => `${i + 1} ${name}`) : header.rows;
  const above = byNumber ? header.columns.map((_, i) => String(i + 1)) : header.columns;
  const rowNames = cut(numberedRows, Math.min(largest, Math.max(0.28 * width, width - ROOMY * columns)), marked.rows);
  const columnNames = cut(above, longest, marked.columns);
  /** @param {readonly string[]} names @param {Set<number>} bold */
  const long = (names, bold) => names.map((name, i) => widthOf(name, look, bold.has(i)));
  const columnWidths = long(columnNames, marked.columns), widest = Math.max(...columnWidths);
  const left = Math.ceil(Math.max(...long(rowNames, marked.rows))) + 9;
  // Where rows are thin, a short name of the only marked one stands on the right: on the left it would hide others.
  const [only, ...others] = header.marked.rows;
  const named = count * THIN > total && only !== undefined && !others.length ? widthOf(rowNames[only], look, true) : 0;
  const beyond = named > 0 && named <= 4 * size ? Math.ceil(named) + 10 : 0;

  // Numbers in a row are read also where some are left out: they never slant, where cells have theirs.
  const counted = header.number.least !== undefined && header.columns.every((name) => /^[0-9]+$/.test(name));
  // Columns: flat labels if they fit, otherwise slanted ones, which extend to the right.
  const most = columns <= FEW ? 72 : Math.max((2 * total) / count, total / columns);
  let right = 3, pitch = 0, flat = false;
  for (let i = 0; i < 3; i++) {
    pitch = Math.min(most, (width - left - right) / columns);
    flat = counted || widest + Math.min(10, widest / 2) <= pitch; // single letters need less between them
    const lean = columnWidths.map((w, c) => (c + 0.5 - columns) * pitch + w * Math.cos(SLANT) + size);
    right = Math.max(beyond, flat ? 3 : Math.min(0.2 * width, Math.max(3, ...lean)));
  }
  const snap = (/** @type {number} */ pixels) => (ratio === Infinity ? pixels : Math.round(pixels * ratio) / ratio);
  const top = snap(flat ? 1.7 * size : Math.max(5.2 * size, widest * Math.sin(SLANT) + 1.1 * size));
  const x = snap(left), wide = snap(pitch * columns);

  // Rows: the space between the labels above and the legend below.
  const [title, ...more] = wrapped(header.scale.title, 0.94 * width - 4, look, 3);
  const own = (header.scale.notes ?? []).flatMap((text) => wrapped(text, 0.94 * width - 4, look, 3));
  const notes = [...more, ...own];
  const under = legendHeight(look, 1 + notes.length), aside = x + wide + right + size;
  let room = total - top - under - 14;
  // Where rows are named only if the scale stands beside them, and there is room, it does not stand below.
  const beside = room > 0 && room / count < ROW * size && (room + under) / count >= 0.73 * size && aside + BESIDE * size <= width
    && [title, ...notes].every((text) => aside + SPARE * widthOf(text, look) <= width);
  if (beside) room += under;
  const perX = Math.ceil(columns / (wide * ratio)), perY = () => Math.ceil(count / (room * ratio));
  if (perX > 1 || perY() > 1) {
    room -= legendHeight(look, 2) - legendHeight(look, 1);
    notes.push(m("each dot is the strongest of {rows}×{columns} cells", { rows: perY(), columns: perX }));
  }
  const high = snap(Math.min(room, 40 * count));
  const step = high / count, y = top;

  /** @type {Shape[]} */
  const shapes = [{ rect: [x - 0.5, y - 0.5, wide + 1, high + 1], stroke: look.line }];
  /**
   * @param {string} text
   * @param {boolean} bold
   * @param {Pick<TextShape, "x" | "y" | "anchor" | "turn" | "part"> & { size?: number }} where
   */
  const label = (text, bold, where) => shapes.push({
    size, ...where, text, bold, fill: bold ? header.marked.colour : look.ink,
  });
  // Large letters shrink a little before any row goes without its name.
  const narrower = step / ROW, letters = narrower < size && narrower >= Math.max(LEAST_LETTERS, 0.7 * size) ? narrower : size;
  for (const i of thinned(count, step, ROW * letters, beyond ? [] : header.marked.rows, rowNames)) {
    label(rowNames[i], !beyond && marked.rows.has(i),
      { x: x - 7, y: y + (i + 0.5) * step, anchor: "end", part: "row", size: letters });
  }
  const need = counted ? widest + 6 : flat ? 0 : (1.12 * size) / Math.sin(SLANT);
  for (const i of thinned(columns, pitch, need, header.marked.columns, columnNames)) {
    const middle = x + (i + 0.5) * pitch;
    label(columnNames[i], marked.columns.has(i), flat
      ? { x: middle, y: y - 0.9 * size, anchor: "middle", part: "column" }
      : { x: middle + 0.2 * size, y: y - 0.55 * size, turn: -60, part: "column" });
  }
  // Of many cells, the marked rows alone have their numbers: they are what is asked about.
  const numbered = values.length > MOST_NUMBERS ? marked.rows : null;
  const cells = { x, y, pitch, step }, digits = Math.min(2, header.number.digits);
  const { least: atLeast } = header.number;
  const said = atLeast === undefined ? numbers(values, columns, look, palette, cells, digits, numbered) : shares(values, columns, look, palette, cells, atLeast);
  shapes.push(...said);
  if (header.scale.kind === "signed" && ((numbered && atLeast === undefined) || !said.length)) {
    shapes.push(...signs(values, columns, look, palette, cells, said.length ? marked.rows : new Set()));
  }
  for (const [from, to] of runsIn(header.marked.rows)) {
    const begins = y + from * step, tall = (to - from) * step, { colour } = header.marked;
    if (step >= THIN) {
      shapes.push({ rect: [x - 1, begins - 1, wide + 1.5, tall + 1.5], stroke: colour, wide: 2 });
    } else { // a frame would cover the row, or its neighbours: a mark at each end
      if (beyond) label(rowNames[from], true, { x: x + wide + 9, y: y + ((from + to) / 2) * step, part: "row", size: letters });
      for (const end of [x - 6, x + wide + 1]) shapes.push({ rect: [end, begins - 0.5, 5, tall + 1], fill: colour });
    }
  }
  if (header.marked.framed && pitch >= 5) {
    for (const [from, to] of runsIn(header.marked.columns)) {
      shapes.push({
        rect: [x + from * pitch - 1, y - 1, (to - from) * pitch + 1.5, high + 1.5],
        stroke: header.marked.colour, wide: 2, part: "column frame",
      });
    }
  }
  const legend = legendOf({ ...header.scale, title }, palette, look, width, beside ? aside : x, beside ? y : y + high + 12, notes, header.number);
  shapes.push(...legend.shapes);
  const gap = Math.min(pitch, step) >= 7 ? 1 : 0;
  return {
    x, y, width: wide, height: high, gapX: gap, gapY: gap, gapColour: look.line, shapes,
    bar: legend.bar, end: Math.max(x + wide, legend.end), foot: beside ? y + Math.max(high, under) : 0,
  };
}

/**
 * Consecutive marked rows.
 * @param {readonly number[]} rows
 */
function runsIn(rows) {
  /** @type {Run[]} */
  const runs = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last?.[1] === row) last[1] += 1;
    else runs.push([row, row + 1]);
  }
  return runs;
}

/**
 * What stands in a cell, in the colour that is seen on it.
 * @param {string} text
 * @param {number} shade
 * @param {Look} look
 * @param {Palette} palette
 * @param {{ x: number, y: number }} middle
 * @returns {Shape}
 */
function inCell(text, shade, look, palette, middle) {
  const under = light(palette.colours[shade]);
  const fill = Math.abs(light(look.paper) - under) > Math.abs(light(look.ink) - under) ? look.paper : look.ink;
  return { text, size: 0.9 * look.size, anchor: "middle", fill, ...middle };
}

/**
 * The numbers themselves, where the cells are large enough for all of them.
 * @param {ArrayLike<number>} values
 * @param {number} columns
 * @param {Look} look
 * @param {Palette} palette
 * @param {{ x: number, y: number, pitch: number, step: number }} cells their origin, and the width and height of each
 * @param {number} digits the decimals of each
 * @param {?ReadonlySet<number>} rows those that have numbers; null for all
 */
function numbers(values, columns, look, palette, { x, y, pitch, step }, digits, rows) {
  /** @type {Shape[]} */
  const shapes = [];
  if (step < 1.4 * look.size) return shapes;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]) || (rows && !rows.has(Math.floor(i / columns)))) continue;
    const text = written(values[i], { digits });
    if (0.9 * widthOf(text, look) + 6 > pitch) return [];
    const middle = { x: x + ((i % columns) + 0.5) * pitch, y: y + (Math.floor(i / columns) + 0.5) * step };
    shapes.push(inCell(text, palette.at(values[i]), look, palette, middle));
  }
  return shapes;
}

/**
 * The larger numbers, without decimals: one in each cell; where cells are too narrow, one for neighbours that are alike.
 * @param {ArrayLike<number>} values
 * @param {number} columns
 * @param {Look} look
 * @param {Palette} palette
 * @param {{ x: number, y: number, pitch: number, step: number }} cells their origin, and the width and height of each
 * @param {number} least the least number that is written, of either sign
 */
function shares(values, columns, look, palette, { x, y, pitch, step }, least) {
  /** @type {Shape[]} */
  const shapes = [];
  if (step < 1.2 * look.size) return shapes;
  const large = (/** @type {number} */ i) => Math.abs(values[i]) >= least; // a missing number is not
  const said = (/** @type {number} */ value) => written(value, { digits: 0 });
  const fits = (/** @type {string} */ text, /** @type {number} */ count) => 0.9 * widthOf(text, look) + 4 <= count * pitch;
  const each = Array.from({ length: values.length }, (_, i) => i).every((i) => !large(i) || fits(said(values[i]), 1));
  for (let i = 0; i < values.length; i++) {
    if (!large(i)) continue;
    const start = i, end = start - (start % columns) + columns - 1;
    let [low, high] = [values[i], values[i]];
    while (!each && i < end && large(i + 1) && Math.max(high, values[i + 1]) - Math.min(low, values[i + 1]) <= ALIKE) {
      i += 1;
      [low, high] = [Math.min(low, values[i]), Math.max(high, values[i])];
    }
    const [one, other] = [said(low), said(high)], text = one === other ? one : `${one}${low < 0 ? "…" : "–"}${other}`;
    const middle = { x: x + (((start % columns) + (i % columns)) / 2 + 0.5) * pitch, y: y + (Math.floor(i / columns) + 0.5) * step };
    if (fits(text, i - start + 1)) shapes.push(inCell(text, palette.at(values[start]), look, palette, middle));
  }
  return shapes;
}

/**
 * The sign of each larger number, if there is room: not everyone can distinguish purple and green.
 * @param {ArrayLike<number>} values
 * @param {number} columns
 * @param {Look} look
 * @param {Palette} palette
 * @param {{ x: number, y: number, pitch: number, step: number }} cells their origin, and the width and height of each
 * @param {ReadonlySet<number>} rows those without signs, which have their numbers
 */
function signs(values, columns, look, palette, { x, y, pitch, step }, rows) {
  /** @type {Shape[]} */
  const shapes = [];
  if (Math.min(pitch, step) < 1.2 * look.size) return shapes;
  for (let i = 0; i < values.length; i++) {
    const shade = palette.at(values[i]); // for a missing number, the middle
    if (palette.strength(shade) < 13 || rows.has(Math.floor(i / columns))) continue;
    const middle = { x: x + ((i % columns) + 0.5) * pitch, y: y + (Math.floor(i / columns) + 0.5) * step };
    shapes.push(inCell(values[i] < 0 ? "−" : "+", shade, look, palette, middle));
  }
  return shapes;
}
