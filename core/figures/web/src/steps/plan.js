// The layout of a step: the matrices side by side, or one below the other on a phone.
/** @import { CellsBox, Look, Plan, Shape, TextShape } from "../types" */
/** @import { MatrixOfStep, StepsHeader } from "../headers" */
/** @import { Matrix, Step } from "./captions.js" */
/** @import { ColouredStep } from "./marks.js" */
import { m } from "../runtime/language.js";
import { fitted, grouped, widthOf, wrapped } from "../runtime/shared.js";
import {
  labelShapes, labelsHigh, leansBy, legendShapes, noteShapes, numberShapes, numbered,
} from "./marks.js";
import { captionOf, figure } from "./captions.js";
import { CIRCLE, groupShapes, groupsHigh, turnShapes } from "./drawings.js";

const NARROW = 620; // pixels: in narrower pictures, the matrices are one below the other
const CELL = [60, 26], ID_CELL = 84; // pixels of a cell, at most
export const CAPTION_SIZE = 1.12;
const LONGEST_ROW = 80; // pixels of a row's name
// Kinds, with their numbers of matrices, whose third one, a single row, is below the second.
/** @type {Readonly<Partial<Record<StepsHeader["kind"], number>>>} */
const FOLDED = { product: 4, norm: 4 };
const FOLDED_ROOM = 24; // pixels of the matrix above a folded one, at least
const STACKED_CELLS = 150, STACKED_JOINED = 64; // pixels for the cells of one matrix on a phone, at most

/**
 * The input of a step's layout.
 * @typedef {ColouredStep & { width: number, budget: number }} DrawnStep in pixels: the width, the height that there is
 */
/**
 * @typedef {object} Boxes
 * @property {CellsBox[]} boxes of the matrices
 * @property {(row: number, column: number) => Shape[]} caption how a cell of the result was computed
 * @property {number} high the height of the picture
 */
/** @typedef {Plan & Boxes} StepsPlan */

/**
 * Whether a matrix shows the names of its rows: only if the first one does not already.
 * @param {readonly MatrixOfStep[]} about
 * @param {number} i
 * @param {boolean} stacked
 */
function namedRows(about, i, stacked) {
  const { rows } = about[i];
  if (rows.length === 1 && (numbered(rows) || !(stacked || i === 0))) return false;
  return stacked || !i || JSON.stringify(rows) !== JSON.stringify(about[0].rows);
}

/**
 * Distributes `room` among widths: none gets more than it wants, and large ones get equal shares.
 * @param {readonly number[]} wanted
 * @param {number} room
 */
function shared(wanted, room) {
  let left = room, open = wanted.map((_, i) => i);
  const got = wanted.map(() => 0);
  while (open.length) {
    const each = left / open.length, small = open.filter((i) => wanted[i] <= each);
    for (const i of small.length ? small : open) {
      got[i] = small.length ? wanted[i] : each;
      left -= got[i];
    }
    open = small.length ? open.filter((i) => !small.includes(i)) : [];
  }
  return got;
}

/**
 * Joined matrices get one half of the room, their result the other.
 * @param {StepsHeader["kind"]} kind
 * @param {readonly number[]} wanted
 * @param {number} room
 */
function sharedBy(kind, wanted, room) {
  if (kind !== "join") return shared(wanted, room);
  const parts = shared(wanted.slice(0, -1), room / 2);
  return [...parts, Math.min(wanted[wanted.length - 1], room / 2)];
}

/**
 * The complete layout.
 * @param {DrawnStep} step
 * @param {Look} look
 * @param {number} top the top of the matrices
 * @returns {StepsPlan}
 */
export function stepsPlan(step, look, top) {
  const { header, matrices, width, budget } = step, about = header.matrices, { size } = look;
  const sharing = header.groups ? groupShapes(header.groups, { top: top + 2, width }, header.hue, look) : [];
  top += groupsHigh(header.groups, look);
  const stacked = width < NARROW, line = 1.3 * size, last = about.length - 1;
  /** @type {Shape[]} */
  const shapes = [...sharing];
  const sum = (/** @type {readonly number[]} */ all) => all.reduce((a, b) => a + b, 0);
  const folded = !stacked && FOLDED[header.kind] === about.length ? 2 : -1; // below the one before it
  const titles = about.map((one, i) => titleOf(one, matrices[i]));
  const signs = header.signs.map((sign, i) => (i + 1 === folded ? 0 : sign ? widthOf(sign, look, true) + 14 : 8));
  const left = about.map((one, i) => (i !== folded && namedRows(about, i, stacked)
    ? Math.ceil(Math.min(LONGEST_ROW, Math.max(...one.rows.map((name) => widthOf(name, look))))) + 7 : 0));
  const wanted = matrices.map(({ columns }, i) => (i === folded ? 0
    : Math.max(columns * (header.kind === "pieces" ? ID_CELL : CELL[0]), titleWidth(titles[i], look))));
  const fit = (/** @type {number} */ lean) => sharedBy(header.kind, wanted, width - 4 - lean - sum(left) - sum(signs));
  let widths = stacked ? wanted.map((want, i) => Math.min(want, width - left[i] - 6)) : fit(0);
  const leaning = leansBy(about[last], widths[last], look); // slanted names extend to the right
  if (!stacked) widths = fit(leaning);
  if (folded > 0) [left[folded], widths[folded]] = [left[1], widths[1]];
  const slants = about.map((one, i) => labelsHigh(one, widths[i] / matrices[i].columns, look));
  const head = 2.5 * line, slant = Math.max(...slants), turns = header.kind === "rotation";
  const captionHigh = Math.max((stacked ? 7 : 3) * 1.5 * size, turns ? CIRCLE * (stacked ? 1.6 : 1) : 0) + 10;
  const below = folded > 0 ? CELL[1] + line + 12 : 0; // the height of the folded one
  const most = stacked ? (header.kind === "join" ? STACKED_JOINED : STACKED_CELLS)
    : Math.max(60, below + FOLDED_ROOM, budget - top - head - slant - 2 * line - 34 - captionHigh - 8);
  const tall = Math.min(most, CELL[1] * Math.max(about[0].rows.length, about[last].rows.length));
  /** @type {CellsBox[]} */
  const boxes = [];
  let x = 2, y = top;
  about.forEach((one, i) => {
    const sign = header.signs[i - 1], rows = one.rows.length;
    const high = Math.min(most - (i === folded - 1 ? below : 0), rows * CELL[1]);
    if (i && stacked) {
      if (sign) shapes.push(signShape(sign, 4, y + line / 2, "start", look));
      y += sign ? line + 2 : 4;
      x = 2;
    } else if (i && i !== folded) {
      const gap = i - 1 === folded ? signs[i - 1] + signs[i - 2] : signs[i - 1];
      if (sign) shapes.push(signShape(sign, x + gap / 2, top + head + slant + tall / 2, "middle", look));
      x += gap;
    }
    const start = i === folded ? boxes[1].y + boxes[1].height + 9 : y, above = i === folded ? line + 3
      : head + (stacked ? slants[i] : slant);
    if (i === folded) x = boxes[1].x - left[i];
    const box = { x: x + left[i], y: start + above, width: widths[i], height: high, gapX: 0, gapY: 0,
      gapColour: look.line };
    const across = box.width / matrices[i].columns, down = high / rows;
    if (Math.min(across, down) >= 7) box.gapX = box.gapY = 1;
    boxes.push(box);
    if (i === folded && sign) titles[i].before = `${sign} `;
    if (!stacked && titleWidth(titles[i], look) > box.width + signs[i] + 6) titles[i].shape = "";
    shapes.push(...titleShapes(titles[i], stacked ? 2 : box.x, start, look, i === folded),
      ...(i === folded ? [] : labelShapes(one, box, across, down, left[i], look)),
      ...numberShapes(step, i, box, across, down, look),
      ...(header.kind === "pieces" ? noteShapes(header.notes, box, down, width, look) : []));
    if (stacked) y = box.y + high + 6;
    else x = box.x + box.width;
  });
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const legend = legendShapes(step, look, bottom + 10 + captionHigh, width);
  return {
    boxes, shapes: [...shapes, ...legend.shapes],
    caption: (row, column) => captionShapes(step, look, {
      width, top: bottom + 10, lines: stacked ? 6 : turns ? 4 : 2 }, row, column),
    area: [0, top + head, width, bottom - top - head],
    bar: legend.bar, end: width, high: Math.ceil(legend.bar + Math.max(30, 12 + 1.1 * size)),
  };
}

/**
 * The operator between two matrices.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {TextShape["anchor"]} anchor
 * @param {Look} look
 * @returns {TextShape}
 */
const signShape = (text, x, y, anchor, look) => ({
  text, x, y, size: 1.2 * look.size, anchor, fill: look.ink, bold: true, part: "sign",
});

/** @typedef {ReturnType<typeof titleOf>} Title */
/**
 * "W_Q 384×32" with a subscript Q, and the number at which its colours end.
 * @param {MatrixOfStep} one
 * @param {Matrix} matrix
 */
function titleOf(one, { rows, columns }) {
  const [name, lower = ""] = one.name.split("_");
  const more = { signed: `±${figure(one.bound)}`, weights: m("0 to 1"), none: "" }[one.scale];
  const by = (/** @type {readonly number[]} */ ...sizes) => sizes.map(grouped).join("×");
  const whole = one.whole ? m(" of {size}", { size: by(...one.whole) }) : "";
  return { before: "", name, lower, shape: `${by(rows, columns)}${whole}`, more };
}

/** @param {Title} title @param {Look} look */
const titleWidth = ({ name, lower, shape }, look) => widthOf(name, look, true) * 1.15
  + widthOf(lower, look, true) * 0.9 + widthOf(shape, look) + 14;

/**
 * @param {Title} title
 * @param {number} x
 * @param {number} y
 * @param {Look} look
 * @param {boolean} inLine whether the bound is after it instead of below
 */
function titleShapes({ before, name, lower, shape, more }, x, y, look, inLine) {
  const { size } = look, line = 1.3 * size, middle = y + line / 2, start = x;
  /** @type {TextShape[]} */
  const shapes = [];
  /**
   * @param {string} text
   * @param {number} share of the size of letters
   * @param {boolean} bold
   * @param {string} part
   * @param {number} down pixels
   */
  const put = (text, share, bold, part, down = 0) => {
    shapes.push({ text, x, y: middle + down, size: share * size, bold, part, fill: bold ? look.ink : look.muted });
    x += widthOf(text, look, bold) * share + (bold ? 1 : 6);
  };
  put(before + name, 1.15, true, "name");
  if (lower) put(lower, 0.9, true, "lower", 0.3 * size);
  x += 5;
  if (shape) put(shape, 0.95, false, "shape");
  if (!more) return shapes;
  if (inLine) put(more, 0.9, false, "bound");
  else shapes.push({ text: more, x: start, y: y + 1.5 * line, size: 0.9 * size, fill: look.muted, part: "bound" });
  return shapes;
}

/**
 * How a cell of the result was computed, below the matrices.
 * @param {Step} step
 * @param {Look} look
 * @param {{ width: number, top: number, lines: number }} room `lines`: the most lines of the derivation
 * @param {number} row
 * @param {number} column
 * @returns {Shape[]}
 */
export function captionShapes(step, look, { width, top, lines }, row, column) {
  const { name, how, value } = captionOf(step, row, column), { size } = look, line = 1.5 * size;
  const turns = step.header.kind === "rotation", x = turns ? CIRCLE + 22 : 2; // beside the pair that turns
  const most = (width - x - 2) / CAPTION_SIZE;
  if (turns && width < NARROW) lines += 2;
  const texts = wrapped(`${how} ${value}`, most, look, lines);
  const own = { x, size: CAPTION_SIZE * size, fill: look.ink };
  const circle = turns ? turnShapes(step, row, column, { left: 2, top }, look) : [];
  return [...circle, { ...own, text: fitted(name, most, look, true), y: top + line / 2, bold: true, part: "cell" },
    ...texts.map((text, i) => ({ ...own, text, y: top + (i + 1.5) * line, part: "said" }))];
}
