// The labels of a step: names, numbers, frames, the scales.
/** @import { Box, Cells, CellsBox, Look, Palette, Shape, TextShape } from "../types" */
/** @import { MatrixOfStep, StepsHeader } from "../headers" */
/** @import { Matrix, Step } from "./captions.js" */
import * as language from "../runtime/language.js"; // `m` is a matrix here
import { SAVE_ROOM, fitted, light, mix, thinned, widthOf } from "../runtime/shared.js";
import { figure, sourcesOf } from "./captions.js";

const MOST_NUMBERS = 600; // the most numbers written in the cells of one matrix
const LEAN = (60 * Math.PI) / 180;
const LONGEST_NAME = 76; // pixels

/** @typedef {Step & { palettes: readonly Palette[] }} ColouredStep `palettes`: of each matrix */
/** The sides of a box of cells. @typedef {Pick<CellsBox, "x" | "y" | "width" | "height">} Rectangle */

/** Whether these labels are numbers rather than names. @param {readonly string[]} names */
export const numbered = (names) => names.every((name) => /^\d+$/.test(name));

/**
 * A number inside a cell.
 * @param {number} value
 * @param {MatrixOfStep["scale"]} kind
 */
function brief(value, kind) {
  const size = Math.abs(value);
  if (kind === "none") return String(value);
  if (kind === "weights" && value > 0 && value < 0.005) return language.decimal("<0.01");
  if (size && size < 1e-4) return figure(value);
  if (size >= 1e5) return figure(value).replace(/[.,]\d/, "");
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const text = size.toFixed(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  if (Number(text) === 0) return "0";
  return (value < 0 ? "−" : "") + language.decimal(text);
}

/**
 * The height of the column names.
 * @param {MatrixOfStep} one
 * @param {number} across pixels of a column
 * @param {Look} look
 */
export function labelsHigh(one, across, look) {
  const flat = (numbered(one.columns) || one.columns.length === 1 ? 1.1 : 1.3) * look.size;
  return isFlat(one, across, look) ? flat : widestOf(one, look) * Math.sin(LEAN) + 0.9 * look.size;
}

/** @param {MatrixOfStep} one @param {Look} look */
const widestOf = (one, look) => Math.max(...one.columns.map((name) => widthOf(fitted(name, LONGEST_NAME, look), look)));

/** Whether column names lie: all fit, or even leaning not all would. @param {MatrixOfStep} one @param {number} across @param {Look} look */
const isFlat = (one, across, look) => one.columns.length === 1 || widestOf(one, look) + 4 <= across
  || (numbered(one.columns) && 1.15 * look.size > across);

/**
 * How far the name of the last column extends to the right.
 * @param {MatrixOfStep} one
 * @param {number} width
 * @param {Look} look
 */
export function leansBy(one, width, look) {
  const across = width / one.columns.length, high = labelsHigh(one, across, look);
  if (high <= 1.3 * look.size) return 0;
  const last = widthOf(fitted(one.columns[one.columns.length - 1], LONGEST_NAME, look), look);
  return Math.max(0, last * Math.cos(LEAN) + 0.9 * look.size - across / 2);
}

/**
 * The names of the rows and of the columns.
 * @param {MatrixOfStep} one
 * @param {Rectangle} box
 * @param {number} across pixels of a column
 * @param {number} down pixels of a row
 * @param {number} room pixels for the names of the rows; 0 for none
 * @param {Look} look
 */
export function labelShapes(one, box, across, down, room, look) {
  const { size } = look, small = 0.9 * size;
  /** @type {TextShape[]} */
  const shapes = [];
  const text = { fill: look.muted, part: "label" };
  const rows = room ? thinned(one.rows.length, down, 1.12 * size, [], one.rows) : [];
  for (const r of rows) {
    const named = fitted(one.rows[r], room - 6, look);
    shapes.push({ ...text, text: named, x: box.x - 5, y: box.y + (r + 0.5) * down, size, anchor: "end" });
  }
  const digits = numbered(one.columns), names = one.columns.map((name) => fitted(name, LONGEST_NAME, look));
  const widest = widestOf(one, look), flat = isFlat(one, across, look);
  let free = -Infinity; // the end of the number before it
  for (const c of thinned(names.length, across, flat ? widest + 3 : 1.15 * size, [], names)) {
    let x = box.x + (c + 0.5) * across;
    if (digits && flat) { // not beyond its own matrix, because another one may begin just behind it
      const half = (0.9 * widthOf(names[c], look)) / 2;
      x = Math.max(box.x + half, Math.min(x, box.x + box.width - half));
      if (x - half < free) continue;
      free = x + half + 2;
    }
    const name = { ...text, text: names[c], y: box.y - 0.62 * size, size: digits ? small : size };
    shapes.push(flat ? { ...name, x, anchor: "middle" } : { ...name, x: x - 2, turn: -60 });
  }
  return shapes;
}

/**
 * The numbers inside the cells that have room, and the marks of hidden ones.
 * @param {ColouredStep} step
 * @param {number} m the index of the matrix
 * @param {Rectangle} box
 * @param {number} across pixels of a column
 * @param {number} down pixels of a row
 * @param {Look} look
 */
export function numberShapes({ matrices, header, palettes }, m, box, across, down, look) {
  const { values, columns, hides } = matrices[m], kind = header.matrices[m].scale;
  /** @type {Shape[]} */
  const shapes = [];
  const small = 0.94 * look.size;
  const few = values.length <= MOST_NUMBERS ? [...values] : [];
  const texts = few.map((value, i) => (hides.has(i) ? "−∞" : brief(value, kind)));
  const fits = texts.length && down >= 1.15 * small
    && Math.max(...texts.map((text) => widthOf(text, look))) * 0.94 + 3 <= across;
  values.forEach((value, i) => {
    const left = box.x + (i % columns) * across, top = box.y + Math.floor(i / columns) * down;
    if (hides.has(i)) {
      shapes.push({ rect: [left, top, across - 1, down - 1], fill: look.line });
      const step = Math.max(4, Math.min(across, down) / 3);
      const path = hatch(left, top, across - 1, down - 1, step);
      shapes.push({ path, stroke: look.muted, wide: 0.8, part: "hidden", of: i });
    }
    if (!fits) return;
    const under = hides.has(i) ? look.line : palettes[m].colours[palettes[m].at(value)];
    const onPaper = Math.abs(light(look.paper) - light(under)) > Math.abs(light(look.ink) - light(under));
    const hiddenWeight = hides.has(i) && kind === "weights";
    shapes.push({ text: hiddenWeight ? "0" : texts[i], size: small, anchor: "middle",
      x: left + (across - 1) / 2, y: top + (down - 1) / 2,
      fill: onPaper ? look.paper : look.ink, part: "number", of: i,
      ...(hides.has(i) && { halo: look.line }) });
  });
  return shapes;
}

/**
 * The cells of a matrix as they are painted: what a mask hides has no number, and thus the colour of
 * paper, which the hatch then covers. The number that stands for −∞ would show between its lines.
 * @param {Matrix} matrix
 * @returns {Cells}
 */
export const paintedCells = ({ rows, columns, values, hides }) => ({
  rows, columns, values: hides.size ? values.map((value, i) => (hides.has(i) ? NaN : value)) : values,
});

/**
 * The note beside each row.
 * @param {readonly string[]} notes
 * @param {Rectangle} box
 * @param {number} down pixels of a row
 * @param {number} width of the picture
 * @param {Look} look
 * @returns {TextShape[]}
 */
export function noteShapes(notes, box, down, width, look) {
  const x = box.x + box.width + 14, most = width - x - 2;
  return thinned(notes.length, down, 1.12 * look.size, []).map((row) => ({
    text: fitted(notes[row], most, look), x, y: box.y + (row + 0.5) * down,
    size: look.size, fill: look.muted, part: "of",
  }));
}

/**
 * Slanted lines across a cell.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} step
 */
function hatch(x, y, width, height, step) {
  let path = "";
  for (let d = step; d < width + height; d += step) {
    const [fromX, fromY] = d < height ? [x, y + d] : [x + d - height, y + height];
    const [toX, toY] = d < width ? [x + d, y] : [x + width, y + d - width];
    path += `M${fromX.toFixed(1)} ${fromY.toFixed(1)}L${toX.toFixed(1)} ${toY.toFixed(1)}`;
  }
  return path;
}

/**
 * Frames around the sources of a cell.
 * @param {Step} step
 * @param {readonly Rectangle[]} boxes of the matrices
 * @param {{ row: number, column: number }} cell
 * @param {Look} look
 */
export function sourceFrames(step, boxes, { row, column }, look) {
  const { matrices } = step;
  /** @type {Shape[]} */
  const shapes = [];
  for (const source of sourcesOf(step, row, column)) {
    const box = boxes[source.m], { rows, columns } = matrices[source.m];
    const across = box.width / columns, down = box.height / rows;
    const x = source.column === null ? box.x : box.x + source.column * across;
    const y = source.row === null ? box.y : box.y + source.row * down;
    const wide = source.column === null ? box.width : across;
    const high = source.row === null ? box.height : down;
    /** @type {Box} */
    const rect = [x - 1.5, y - 1.5, Math.max(wide, 3) + 2, Math.max(high, 3) + 2];
    shapes.push({ rect, stroke: look.paper, wide: 4 },
      { rect, stroke: look.ink, wide: 2, part: "lit", of: source.m });
  }
  return shapes;
}

/**
 * The colour scales in use.
 * @param {{ header: StepsHeader, palettes: readonly Palette[] }} step
 * @param {Look} look
 * @param {number} y
 * @param {number} width
 */
export function legendShapes({ header, palettes }, look, y, width) {
  /** @type {Shape[]} */
  const shapes = [], { size } = look, kinds = [...new Set(header.matrices.map(({ scale }) => scale))];
  let x = 2;
  for (const kind of kinds.filter((one) => one !== "none")) {
    const { colours } = palettes[header.matrices.findIndex(({ scale }) => scale === kind)];
    const title = kind === "weights" ? language.m("weight") : language.m("full colour at the ± of each matrix");
    const text = fitted(title, width - 4, look);
    shapes.push({ text, x, y: y + 0.6 * size, size: 0.9 * size, fill: look.muted, part: "note" });
    const wide = 96, top = Math.round(y + 1.35 * size);
    for (let i = 0; i < wide / 2; i++) {
      const fill = colours[Math.round((i / (wide / 2 - 1)) * (colours.length - 1))];
      shapes.push({ rect: [x + 2 * i, top, 2, 9], fill });
    }
    shapes.push({ rect: [x - 0.5, top - 0.5, wide + 1, 10], stroke: mix(look.paper, look.ink, 0.3) });
    const [low, middle, high] = kind === "weights" ? ["0", "", "1"] : ["−", "0", "+"];
    const end = { y: top + 11 + 0.6 * size, size: 0.9 * size, fill: look.muted };
    shapes.push({ ...end, text: low, x, anchor: "start" }, { ...end, text: middle, x: x + wide / 2, anchor: "middle" },
      { ...end, text: high, x: x + wide, anchor: "end" });
    x += Math.max(wide, Math.min(widthOf(title, look), width - SAVE_ROOM - wide)) + 24;
  }
  return { shapes, bar: Math.round(y + 1.35 * size) };
}
