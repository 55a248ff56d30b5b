// One cell from close up: the numbers that it is computed from, one line for each stage of the sum.
/** @import { Cells, CellsBox, Look, Palette, Plan, Shape } from "../types" */
/** @import { MatrixOfStep, StepsHeader } from "../headers" */
/** @import { Matrix, Step } from "../steps/captions.js" */
import * as language from "../runtime/language.js";
import { fitted, widthOf } from "../runtime/shared.js";
import { figure, pairOf } from "../steps/captions.js";
import { labelShapes, numberShapes } from "../steps/marks.js";
import { CIRCLE } from "../steps/drawings.js";
import { CAPTION_SIZE, captionShapes } from "../steps/plan.js";
import { boundOf } from "./compute.js";

const CELL = [76, 34]; // pixels of a cell, at most
const LONGEST = 190; // pixels of a line's name, at most
const SPACE = 16; // pixels between two lines, in which the names of the columns stand above the first

/**
 * Numbers beside one another.
 * @typedef {object} Line
 * @property {string} name what they are
 * @property {number[]} values
 * @property {"none" | "weights" | "signed"} scale
 * @property {number | null} picked the number that belongs to the cell alone; null where all do
 * @property {ReadonlySet<number>} hides those that a mask hides
 */
/** @typedef {Plan & { boxes: CellsBox[], high: number, lines: Line[], palettes: Palette[] }} CellPlan */

/** @param {Matrix} one @param {number} row */
const rowOf = ({ values, columns }, row) => [...values.subarray(row * columns, (row + 1) * columns)];
/** @param {Matrix} one @param {number} column */
const columnOf = ({ values, columns, rows }, column) => Array.from({ length: rows }, (_, r) => values[r * columns + column]);

/**
 * The lines of a cell of a step's result.
 * @param {Step} step
 * @param {number} row
 * @param {number} column
 * @returns {Line[]}
 */
export function termsOf({ header, matrices }, row, column) {
  const { kind, matrices: about, number } = header, last = matrices.length - 1, [a, b] = matrices;
  /** @type {(name: string, values: number[], picked?: number | null, m?: number, hides?: ReadonlySet<number>) => Line} */
  const line = (name, values, picked = null, m = 0, hides = new Set()) => ({ name, values, picked, hides, scale: about[m].scale });
  const of = (/** @type {number} */ m) => language.m("{matrix}, row {row}", { matrix: about[m].name, row: about[m].rows[row] });
  if (kind === "product") {
    const left = rowOf(a, row), right = columnOf(b, column);
    return [line(of(0), left), line(language.m("{matrix}, column {column}", { matrix: about[1].name, column: about[1].columns[column] }), right, null, 1),
      { ...line(language.m("their products, added up"), left.map((x, k) => x * right[k])), scale: "signed" }];
  }
  if (kind === "softmax") {
    const scores = rowOf(a, row), hides = new Set([...scores.keys()].filter((k) => a.hides.has(row * a.columns + k)));
    const most = Math.max(...scores.filter((_, k) => !hides.has(k)));
    const powers = scores.map((x, k) => (hides.has(k) ? 0 : Math.exp(x - most)));
    return [line(of(0), scores, column, 0, hides), { ...line(language.m("e to the power of (score − {number})", { number: figure(most) }), powers, column), scale: "weights" },
      line(language.m("÷ their sum, {number}", { number: figure(powers.reduce((x, y) => x + y, 0)) }), rowOf(matrices[last], row), column, last)];
  }
  if (kind === "norm") {
    const own = rowOf(a, row), mean = own.reduce((x, y) => x + y, 0) / own.length;
    const variance = own.reduce((x, y) => x + (y - mean) ** 2, 0) / own.length, root = Math.sqrt(variance + number);
    return [line(of(0), own, column), line(language.m("− their mean, {number}", { number: figure(mean) }), own.map((x) => x - mean), column),
      line(language.m("÷ their standard deviation, {number}", { number: figure(root) }), own.map((x) => (x - mean) / root), column),
      line("· γ + β", rowOf(matrices[last], row), column, last)];
  }
  if (kind === "rms") {
    const own = rowOf(a, row), mean = own.reduce((x, y) => x + y * y, 0) / own.length, root = Math.sqrt(mean + number);
    return [line(of(0), own, column), line(language.m("their squares"), own.map((x) => x * x), column),
      line(language.m("÷ √(their mean, {number})", { number: figure(mean) }), own.map((x) => x / root), column),
      line("· γ", rowOf(matrices[last], row), column, last)];
  }
  if (kind === "rotation") {
    const { first, second, a: x, b: y, angle } = pairOf({ header, matrices }, row, column), at = Number(column !== first);
    const result = rowOf(matrices[last], row);
    return [line(language.m("{matrix}, {first} and {second}", { matrix: about[0].name, first: first + 1, second: second + 1 }), [x, y]),
      line(language.m("cos and sin of {angle}", { angle: figure(angle) }), [Math.cos(angle), Math.sin(angle)]),
      line(language.m("{matrix}, turned", { matrix: about[last].name }), [result[first], result[second]], at, last)];
  }
  if (kind === "share") {
    const x = a.values[row * a.columns + column];
    return [line(of(0), [x]), line(language.m("ln of the whole sum"), [b.values[row]], null, 1),
      line(of(last), [matrices[last].values[row * a.columns + column]], null, last)];
  }
  if (kind === "join") {
    let which = 0, at = column;
    while (at >= matrices[which].columns) at -= matrices[which++].columns;
    return [line(of(which), rowOf(matrices[which], row), at, which), line(of(last), rowOf(matrices[last], row), column, last)];
  }
  // The same cell of every operand, and what becomes of it.
  return matrices.map((one, m) => line(of(m), [one.values[row * one.columns + column]], null, m,
    new Set(one.hides.has(row * one.columns + column) ? [0] : [])));
}

/**
 * The complete layout.
 * @param {Step} step
 * @param {{ row: number, column: number }} cell
 * @param {{ width: number, top: number, paletteOf(one: { scale: MatrixOfStep["scale"], bound: number }): Palette }} given
 * @param {Look} look
 * @returns {CellPlan}
 */
export function cellPlan(step, { row, column }, { width, top, paletteOf }, look) {
  const lines = termsOf(step, row, column), { size } = look;
  const room = Math.ceil(Math.min(LONGEST, width / 2.6, Math.max(...lines.map(({ name }) => widthOf(name, look))))) + 10;
  const most = Math.max(...lines.map(({ values }) => values.length)), across = Math.min(CELL[0], (width - room - 4) / most);
  /** @type {Shape[]} */
  const shapes = [];
  /** @type {CellsBox[]} */
  const boxes = [];
  /** @type {Palette[]} */
  const palettes = [];
  let y = top + 1.6 * size;
  lines.forEach((line, i) => {
    const count = line.values.length, box = { x: room, y, width: across * count, height: CELL[1], gapX: across >= 7 ? 1 : 0, gapY: 0,
      gapColour: look.line };
    const numbers = { rows: 1, columns: count, values: Float32Array.from(line.values), hides: new Set(line.hides) };
    const seen = line.values.map((value, k) => (line.hides.has(k) ? 0 : value));
    const bound = boundOf({ rows: 1, columns: count, values: Float64Array.from(seen) });
    const palette = paletteOf({ scale: line.scale, bound });
    /** @type {MatrixOfStep} */
    const about = { name: line.name, rows: [""], columns: columnNames(step.header, line, i), scale: line.scale, bound, hidden: [], whole: null };
    const alone = { header: /** @type {StepsHeader} */ ({ ...step.header, matrices: [about] }), matrices: [numbers], palettes: [palette] };
    boxes.push(box);
    palettes.push(palette);
    shapes.push({ text: fitted(line.name, room - 10, look), x: room - 8, y: y + CELL[1] / 2, size, anchor: "end", fill: look.muted, part: "line", of: i });
    if (!i && count > 1) shapes.push(...labelShapes(about, box, across, CELL[1], 0, look));
    shapes.push(...numberShapes(alone, 0, box, across, CELL[1], look));
    if (line.picked !== null) {
      shapes.push({ rect: [box.x + line.picked * across - 1.5, y - 1.5, Math.max(across, 3) + 2, CELL[1] + 3], stroke: look.ink, wide: 2, part: "lit", of: i });
    }
    y += CELL[1] + SPACE;
  });
  const line = 1.5 * size * CAPTION_SIZE, caption = captionShapes(step, look, { width, top: y, lines: 5 }, row, column);
  const said = caption.filter(({ part }) => part === "cell" || part === "said").length;
  const bar = Math.round(y + Math.max(said * line, said < caption.length ? CIRCLE : 0) + 14);
  return {
    lines, boxes, palettes, shapes: [...shapes, ...caption], area: [0, top, width, y - top], bar, end: width, high: Math.ceil(bar + 30),
  };
}

/**
 * The names of a line's columns: those of the numbers that are added up, or of the row.
 * @param {StepsHeader} header
 * @param {Line} line
 * @param {number} i
 */
function columnNames({ matrices }, { values }, i) {
  const { columns } = matrices[Math.min(i, matrices.length - 1)];
  return columns.length === values.length ? columns : values.map((_, k) => String(k + 1));
}

/** A line as cells, without what a mask hides. @param {Line} line @returns {Cells} */
export const cellsOf = ({ values, hides }) => ({
  rows: 1, columns: values.length, values: values.map((value, k) => (hides.has(k) ? NaN : value)),
});
