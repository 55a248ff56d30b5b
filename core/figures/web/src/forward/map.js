// The map of the whole layer: a block for each step, an arrow for each result that another step reads.
/** @import { Box, CellsBox, Look, Plan, Shape, TextShape } from "../types" */
/** @import { BlockOfStep } from "../headers" */
import { m } from "../runtime/language.js";
import { fitted, mix, widthOf, wrapped } from "../runtime/shared.js";

const COLUMN = 104, GUTTER = 30; // pixels: the narrowest column of blocks, and the gap between two
const LANE = 9, TRACK = 5; // pixels above each line of blocks, and for each arrow that runs there
const CELL = [17, 10]; // pixels of a cell, at most
const ID = [38, 14]; // pixels of a token's number
const TALLEST = 46, TALLEST_IDS = 84, SPACE = 7; // pixels of a block's cells, and between two blocks of a column
const AWAY = 9; // pixels from a block to where its arrow turns
const HEAD = 5; // pixels of an arrow's head
const MOST_NOTE = 3; // lines below the map
const LONGEST = 74; // pixels of the token's name

/** An arrow from one step to another that reads its result. @typedef {{ from: number, to: number, path: string }} Arrow */
/**
 * @typedef {object} Layout
 * @property {CellsBox[]} boxes the cells of each block
 * @property {Box[]} areas the area of each block with its title, for the pointer
 * @property {Arrow[]} arrows
 * @property {number} high the height of the picture
 */
/** @typedef {Plan & Layout} MapPlan */

/**
 * The blocks of each column, in order. Steps that read the same results share a column, one below the other; a
 * step that reads no other step joins the column before it.
 * @param {readonly Pick<BlockOfStep, "from">[]} blocks
 */
export function columnsOf(blocks) {
  /** @type {number[][]} */
  const columns = [];
  blocks.forEach(({ from }, i) => {
    const last = columns[columns.length - 1];
    const beside = last && !from.some((one) => last.includes(one))
      && (!from.length || from.join() === blocks[i - 1].from.join());
    if (beside) last.push(i);
    else columns.push([i]);
  });
  return columns;
}

/**
 * The columns, broken into lines of nearly the same length that fit the room.
 * @param {readonly number[][]} columns
 * @param {number} room pixels
 */
export function linesOf(columns, room) {
  const most = Math.max(2, Math.floor((room + GUTTER) / (COLUMN + GUTTER)));
  const count = Math.ceil(columns.length / most), each = Math.ceil(columns.length / count);
  return Array.from({ length: count }, (_, i) => columns.slice(i * each, (i + 1) * each));
}

/**
 * The complete layout.
 * @param {object} given
 * @param {readonly BlockOfStep[]} given.blocks
 * @param {readonly string[]} given.titles
 * @param {ArrayLike<number>} given.ids the numbers of the first block
 * @param {number} given.width pixels
 * @param {number} given.top pixels
 * @param {number} given.step the highlighted step
 * @param {number} given.row the token whose row is highlighted
 * @param {Look} look
 * @returns {MapPlan}
 */
export function mapPlan({ blocks, titles, ids, width, top, step, row }, look) {
  const { size } = look, title = 1.6 * size;
  const names = blocks.map(({ result }) => result.rows[row] ?? "");
  const right = 2 * AWAY; // where arrows leave the last column
  const left = Math.ceil(Math.min(LONGEST, Math.max(...names.map((name) => widthOf(name, look, true))))) + 8;
  const lines = linesOf(columnsOf(blocks), width - left - right);
  const most = Math.max(...lines.map((line) => line.length));
  const across = (width - left - right - (most - 1) * GUTTER) / most;
  /** @type {CellsBox[]} */
  const boxes = [];
  /** @type {Box[]} */
  const areas = [];
  /** @type {number[]} The line of each block. */
  const lineOf = [];
  /** @type {number[]} The place of its column. */
  const placeOf = [];
  /** @type {number[]} */
  const lanes = [];
  /** @type {TextShape[]} */
  const texts = [];
  const highOf = (/** @type {number} */ i) => {
    const { rows, scale } = blocks[i].result;
    return scale === "none" ? Math.min(TALLEST_IDS, rows.length * ID[1]) : Math.min(TALLEST, rows.length * CELL[1]);
  };
  const tallOf = (/** @type {readonly number[]} */ column) =>
    column.reduce((sum, i) => sum + title + highOf(i), 0) + (column.length - 1) * SPACE;
  // An arrow runs above a line if it skips blocks of it, or comes from a line before it.
  lines.forEach((line, l) => line.forEach((column, c) => column.forEach((i) => { [lineOf[i], placeOf[i]] = [l, c]; })));
  /** @type {Map<string, { lane: number, track: number }>} */
  const tracks = new Map(), used = lines.map(() => 0);
  blocks.forEach(({ from }, to) => from.forEach((one) => {
    if (lineOf[one] === lineOf[to] && placeOf[to] - placeOf[one] === 1) return;
    const lane = lineOf[one] === lineOf[to] ? lineOf[to] : lineOf[one] + 1;
    tracks.set(`${one}-${to}`, { lane, track: used[lane]++ });
  }));
  let y = top;
  lines.forEach((line, l) => {
    lanes.push(y + TRACK / 2);
    y += LANE + TRACK * used[l];
    const tall = Math.max(...line.map(tallOf));
    line.forEach((column, c) => {
      const x = left + c * (across + GUTTER), room = c === line.length - 1 ? width - x : across + GUTTER / 3;
      let at = y + (tall - tallOf(column)) / 2;
      for (const i of column) {
        const { rows, columns, scale } = blocks[i].result, high = highOf(i);
        const wide = Math.min(across, columns.length * (scale === "none" ? ID[0] : CELL[0])), gap = Math.min(wide / columns.length, high / rows.length) >= 6 ? 1 : 0;
        boxes[i] = { x, y: at + title, width: wide, height: high, gapX: gap, gapY: gap, gapColour: look.line };
        areas[i] = [x - 4, at - 2, across + 8, title + high + 6];
        texts.push({
          text: fitted(`${i + 1}. ${titles[i]}`, room, look, i === step), x, y: at + title / 2 - 2, size, bold: i === step,
          fill: i === step ? look.ink : look.muted, part: "block", of: i,
        });
        at += title + high + SPACE;
      }
    });
    y += tall + SPACE;
  });
  const arrows = blocks.flatMap(({ from }, to) => from.map((one) => ({ from: one, to, path: route(one, to) })));

  /** @param {number} from @param {number} to */
  function route(from, to) {
    const a = boxes[from], b = boxes[to], [x, end] = [a.x + a.width + 2, b.x - 3];
    const [start, goal] = [a, b].map((box) => box.y + box.height / 2);
    const long = tracks.get(`${from}-${to}`);
    if (!long) {
      const half = (end - x) / 2;
      return `M${p(x)} ${p(start)}C${p(x + half)} ${p(start)} ${p(end - half)} ${p(goal)} ${p(end)} ${p(goal)}`;
    }
    // To a later line: through the gap above it; further on in the same line: over what is between.
    const lane = lanes[long.lane] + TRACK * long.track;
    return `M${p(x)} ${p(start)}H${p(x + AWAY)}V${p(lane)}H${p(end - AWAY)}V${p(goal)}H${p(end)}`;
  }

  /** Where many tokens leave no room for their numbers, that of the chosen one stands alone. @type {Box | null} */
  let chosen = null;
  const rowsOfIds = blocks[0].result.scale === "none";
  if (rowsOfIds) {
    const box = boxes[0], down = box.height / ids.length, letters = Math.min(0.85 * size, 0.8 * down), fits = letters >= 7, small = fits ? letters : 0.85 * size;
    const high = Math.min(1.3 * small, box.height), middle = (/** @type {number} */ r) => box.y + (r + 0.5) * down;
    if (!fits && row < ids.length) chosen = [box.x - 1, Math.max(box.y, Math.min(box.y + box.height - high, middle(row) - high / 2)), box.width + 2, high];
    for (let r = 0; r < ids.length; r++) {
      if (!fits && r !== row) continue;
      const at = chosen ? chosen[1] + high / 2 : middle(r);
      texts.push({ text: String(ids[r]), x: box.x + box.width / 2, y: at, size: small, anchor: "middle", fill: look.ink, part: "id" });
    }
  }
  const dim = mix(look.paper, look.ink, 0.35);
  const shapes = /** @type {Shape[]} */ (arrows.flatMap(({ from, to, path }) => {
    const lit = to === step, stroke = lit ? look.ink : dim, b = boxes[to], x = b.x - 1, at = b.y + b.height / 2;
    const head = `M${p(x)} ${p(at)}l${-HEAD} ${-HEAD * 0.7}v${1.4 * HEAD}z`;
    return [{ path, stroke, wide: lit ? 1.8 : 1, part: "arrow", of: `${from}-${to}` }, { path: head, fill: stroke }];
  }));
  if (chosen) shapes.push({ rect: chosen, fill: look.paper });
  shapes.push(...texts);
  boxes.forEach((box, i) => {
    const { rows } = blocks[i].result;
    if (i === step) shapes.push({ rect: [box.x - 3.5, box.y - 3.5, box.width + 7, box.height + 7], stroke: look.ink, wide: 2.4, part: "here", of: i });
    else shapes.push({ rect: [box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1], stroke: dim, wide: 1 });
    if (row >= rows.length) return;
    const down = box.height / rows.length, whole = i === 0 && rowsOfIds, rect = whole && chosen ? chosen : /** @type {Box} */ ([box.x - 1, box.y + row * down - (whole ? 0 : 1), box.width + 2, Math.max(down, 2) + (whole ? 0 : 1)]);
    if (!whole || chosen) shapes.push({ rect, stroke: look.paper, wide: 3 }); // else it would cut the numbers above and below
    shapes.push({ rect, stroke: look.ink, wide: 1.5, part: "lit", of: i });
    if (placeOf[i] === 0 && rows.length > 1) {
      shapes.push({ text: fitted(names[i], left - 8, look, true), x: box.x - 7, y: box.y + (row + 0.5) * down, size, bold: true,
        anchor: "end", fill: look.ink, part: "token", of: i });
    }
  });
  const cut = blocks.some(({ columns, result }) => columns > result.columns.length);
  const wide = cut ? m(" Wide blocks show their first {count} columns.", { count: Math.max(...blocks.map(({ result }) => result.columns.length)) }) : "";
  const blocksSay = m("Each block is a step’s result: one row for each token, coloured by its numbers."), note = blocksSay + wide;
  const bar = Math.round(y + 2), room = width - 110; // right of it is the button that saves
  const said = wrapped(note, room, look, MOST_NOTE);
  said.forEach((text, i) => shapes.push({ text, x: 2, y: bar + (0.8 + 1.3 * i) * size, size: 0.95 * size, fill: look.muted, part: "note" }));
  return {
    boxes, areas, arrows, shapes, area: [0, top, width, y - top], bar, end: width, high: Math.ceil(bar + (0.7 + 1.3 * said.length) * size + 8),
  };
}

/** @param {number} value */
const p = (value) => value.toFixed(1);
