// The layout of all heads' maps by position: layers × heads.
/** @import { Look, Palette, Place, Plan, Shape, TextShape, WeightScale } from "../types" */
/** @import { OverviewHeader } from "../headers" */
/** @import { HeadOrder } from "./order.js" */
/** @import { Missing } from "./pixels.js" */
import { m } from "../runtime/language.js";
import { thinned, widthOf, wrapped } from "../runtime/shared.js";
import { leftOut } from "../draw/leftout.js";
import { legendHeight, legendOf } from "../draw/cells.js";

export const WIDEST = 1.6; // the largest ratio of a map's sides
export const LARGEST = 170; // pixels of a map
const TIP = 84; // pixels below the maps: the height of a head's tooltip
const APART = 8; // pixels between layers that take several lines
const GROUPS = 5; // pixels between heads that share keys and values, and the next ones
const STACKS = 3, GUTTER = 22; // the most stacks of layers beside each other, and the pixels between two

/**
 * The input of the maps' layout.
 * @typedef {object} Heads
 * @property {OverviewHeader} header
 * @property {HeadOrder} order
 * @property {number} token the index of the chosen one among the selectable tokens; -1 for none
 * @property {number | null} framed a head
 * @property {Missing | null} missing
 * @property {number} width in pixels
 * @property {number} most pixels of height
 */

/**
 * The layout of the maps.
 * @typedef {object} Maps
 * @property {(Place | null)[]} boxes the top left corner of each head's map; null if it is left out
 * @property {readonly number[]} order the heads that are shown
 * @property {number} per the number of maps in a line
 * @property {[number, number]} cell the size of a map
 * @property {[number, number]} pitch from one map to the next
 * @property {number} lift pixels above a map that belong to it: its name
 * @property {number} foot the bottom of the picture
 */
/** @typedef {Plan & Maps} OverviewPlan */

/**
 * @typedef {object} Breaks
 * @property {number} per the number of maps in a line
 * @property {number} lines the lines of each layer
 * @property {number} apart pixels between layers
 * @property {number} wide
 * @property {number} high
 */

/**
 * How to break the heads of a layer into lines so that maps are as large as possible.
 * @param {number} layers
 * @param {number} heads
 * @param {number} width
 * @param {number} height
 * @param {number} most lines of a layer
 * @returns {Breaks}
 */
function broken(layers, heads, width, height, most) {
  /** @param {number} lines @returns {Breaks & { least: number }} */
  const into = (lines) => {
    const per = Math.ceil(heads / lines), apart = lines > 1 ? APART : 0;
    const wide = Math.min(LARGEST, width / per), high = Math.min(LARGEST,
      (height - apart * layers) / (layers * lines));
    return { per, lines, apart, wide, high, least: Math.min(wide, high) };
  };
  let best = into(1);
  for (let lines = 2; lines <= Math.min(most, heads); lines++) {
    const other = into(lines);
    if (other.least > 1.15 * best.least) best = other;
  }
  const { wide, high } = best;
  return { ...best, wide: Math.min(wide, WIDEST * high), high: Math.min(high, WIDEST * wide) };
}

/**
 * A model of many layers and few heads fills the width if its layers stand in several stacks beside each other.
 * @param {{ count: number, heads: number, width: number, height: number, taken: number }} given `taken`: by the names
 *   and the gaps of each stack
 * @returns {Breaks & { stacks: number, each: number }} `each`: the most layers of a stack
 */
function stacked({ count, heads, width, height, taken }) {
  /** @param {number} stacks */
  const into = (stacks) => {
    const each = Math.ceil(count / stacks), room = (width - GUTTER * (stacks - 1)) / stacks - taken;
    return { ...broken(each, heads, room, height, stacks > 1 ? 1 : 4), stacks: Math.ceil(count / each), each };
  };
  const least = (/** @type {Breaks} */ { wide, high }) => Math.min(wide, high);
  let best = into(1);
  for (let stacks = 2; stacks <= Math.min(STACKS, count); stacks++) {
    const other = into(stacks);
    if (least(other) > 1.15 * least(best)) best = other;
  }
  return best;
}

/**
 * Rounds to whole device pixels: to the nearest, and down to at least one.
 * @param {number} ratio
 * @returns {[(x: number) => number, (x: number) => number]}
 */
export const whole = (ratio) => [(x) => Math.round(x * ratio) / ratio,
  (x) => Math.max(1, Math.floor(x * ratio)) / ratio];

/**
 * @param {Heads} picture
 * @param {Look} look
 * @param {WeightScale} scale
 * @param {Palette} palette
 * @param {number} above pixels above the maps
 * @param {number} ratio device pixels per page pixel
 * @returns {OverviewPlan}
 */
export function overviewPlan(picture, look, scale, palette, above, ratio) {
  const { header, width, order, most } = picture, { size } = look, { heads, layers } = header;
  const count = layers.length, [snap, down] = whole(ratio);
  const narrow = width < 520, start = m("Layer {number}", { number: "" });
  const names = narrow ? layers.map((name) => (name.startsWith(start) ? name.slice(start.length) : name)) : layers;
  /** @param {number} from @param {number} to */
  const range = (from, to) => (from + 1 === to ? `${to}` : `${from + 1}–${to}`);
  /** @param {readonly string[]} texts @param {boolean} bold */
  const widest = (texts, bold) => Math.max(...texts.map((text) => widthOf(text, look, bold)));
  const numbers = Math.round(1.7 * size), under = underHeight(picture, look),
    name = Math.ceil(widest([...names, m("layer")], true)) + 9;
  const { group } = header, apartFor = (/** @type {number} */ each) => (group > 1 && each % group === 0 ? GROUPS : 0);
  const gaps = apartFor(heads) * (Math.ceil(heads / group) - 1);
  const breaks = (/** @type {number} */ taken) => stacked({ count, heads, width, taken: taken + gaps + 3,
    height: most - above - numbers - under });
  let left = name, shape = breaks(left);
  if (shape.lines > 1) { // the heads of each line are named beside it
    left += Math.ceil(widest([range(heads - 2, heads), m("head")], false)) + 8;
    shape = breaks(left);
  }
  const { per, lines, apart, stacks, each } = shape, many = lines > 1, gap = shape.wide > 34 ? 5 : 3;
  /** @type {[number, number]} */
  const pitch = [shape.wide, shape.high];
  /** @type {[number, number]} */
  const cell = [down(shape.wide - gap), down(shape.high - gap)];
  const between = apartFor(per), across = (width - GUTTER * (stacks - 1)) / stacks + GUTTER;
  const x = snap(left), y = snap(above + numbers);
  /** @type {(i: number) => Place} */
  const cornerOf = (i) => {
    const layer = Math.floor(i / heads) % each, at = (i % heads) % per, line = layer * lines + Math.floor((i % heads) / per);
    const stack = Math.floor(i / heads / each) * across;
    return [snap(x + stack + at * pitch[0] + between * Math.floor(at / group)), snap(y + line * pitch[1] + layer * apart)];
  };
  const boxes = Array.from({ length: count * heads }, (_, i) => cornerOf(i));
  /** @type {Shape[]} */
  const shapes = [];
  const small = { size: 0.92 * size, fill: look.muted };
  const middle = above + numbers / 2 - 1;
  /** @type {(stack: number) => Pick<TextShape, "x" | "anchor">} */
  const beside = (stack) => ({ x: x + stack * across - 7, anchor: "end" });
  for (let stack = 0; stack < stacks; stack++) {
    shapes.push({ ...small, ...beside(stack), text: narrow && !many ? m("layer") : m("head"), y: middle, part: "axis" });
  }
  if (many) shapes.push({ ...small, text: m("layer"), x: 0, y: middle, part: "axis" });
  for (let layer = 0; layer < count; layer++) {
    const ys = [], by = beside(Math.floor(layer / each));
    for (let first = 0; first < heads; first += per) ys.push(cornerOf(layer * heads + first)[1] + cell[1] / 2);
    shapes.push({ ...(many ? { x: 0 } : by), text: names[layer], y: ys[0], size, bold: true, fill: look.ink,
      part: "row", of: layer });
    if (many) ys.forEach((height, line) => shapes.push({
      ...small, ...by, text: range(line * per, Math.min(heads, (line + 1) * per)), y: height, part: "heads",
    }));
  }
  if (!many) for (let stack = 0; stack < stacks; stack++) {
    for (const i of thinned(heads, pitch[0], 1.9 * size, [])) shapes.push({
      text: String(i + 1), x: cornerOf(stack * each * heads + i)[0] + cell[0] / 2, y: middle, size, fill: look.ink,
      anchor: "middle", part: "column", of: i,
    });
    if (between) for (let first = 0; first < heads; first += group) { // a line above the heads that share
      const [from] = cornerOf(stack * each * heads + first), [to] = cornerOf(stack * each * heads + first + group - 1);
      shapes.push({ path: `M${from} ${y - 3}H${to + cell[0]}`, stroke: look.muted, wide: 1.5, part: "group", of: first / group });
    }
  }
  const bottom = Math.max(...boxes.map(([, v]) => v)) + cell[1], right = Math.max(...boxes.map(([u]) => u)) + cell[0];
  return {
    boxes, order: order.heads, per: heads, cell, pitch, lift: 0,
    ...finished(picture, look, scale, palette, ratio, { shapes, boxes, cell, x, top: y, right, bottom }),
  };
}

/**
 * Everything below the maps, the frame of the chosen head, and the bounding box of all maps.
 * @param {Heads} picture
 * @param {Look} look
 * @param {WeightScale} scale
 * @param {Palette} palette
 * @param {number} ratio
 * @param {Pick<Maps, "boxes" | "cell"> & { shapes: Shape[], x: number, top: number, right: number, bottom: number }} maps
 * @returns {Plan & Pick<Maps, "foot">}
 */
export function finished(picture, look, scale, palette, ratio,
  { shapes, boxes, cell, x, top, right, bottom }) {
  const { header, width, framed } = picture, [rows, columns] = header.maps, [snap] = whole(ratio);
  const corner = framed === null ? null : boxes[framed];
  if (framed !== null && corner) {
    const [u, v] = corner;
    /** @type {[number, number, number, number]} */
    const rect = [u - 2.5, v - 2.5, cell[0] + 5, cell[1] + 5];
    shapes.push({ rect, stroke: look.paper, wide: 3 });
    shapes.push({ rect, stroke: look.ink, wide: 2, part: "chosen", of: framed });
  }
  const cells = (/** @type {number} */ n) => Math.max(1, Math.ceil(n - 1e-9));
  const notes = notesOf(picture, look, [cells(rows / (cell[1] * ratio)), cells(columns / (cell[0] * ratio))]);
  const legend = legendOf(scale, palette, look, width, x, bottom + 12, notes, header.number);
  return {
    shapes: [...shapes, ...legend.shapes], bar: legend.bar, end: Math.max(right, legend.end),
    foot: Math.ceil(bottom + Math.max(12 + legendHeight(look, 1 + notes.length), TIP)),
    area: [x - 1, top - 1, snap(right - x + 2), snap(bottom - top + 2)],
  };
}

/**
 * The space that the legend below the maps takes.
 * @param {Heads} picture
 * @param {Look} look
 */
export const underHeight = (picture, look) =>
  legendHeight(look, 1 + notesOf(picture, look, [1, 1]).length) + 12;

/**
 * Remarks on the maps, one per line: how many cells a dot stands for, what is left out.
 * @param {Heads} picture
 * @param {Look} look
 * @param {[number, number]} shared how many rows and columns of a map share a dot
 */
function notesOf({ header, width, token, order, missing }, look, shared) {
  const { block, pool } = header, cells = block.map((n, axis) => n * shared[axis]), notes = [];
  if (token < 0 && cells.some((n) => n > 1)) {
    const most = shared[0] * shared[1] > 1, of = { cells: cells.join("×") };
    if (pool === "max") notes.push(most ? m("each dot is the strongest of up to {cells} cells", of) : m("each dot is the strongest of {cells} cells", of));
    else notes.push(most ? m("each dot is the mean of up to {cells} cells", of) : m("each dot is the mean of {cells} cells", of));
  }
  if (header.withoutSpecial) { // describes these numbers, whatever a visitor has requested since
    notes.push(m("{what} left out, each row rescaled to 1 over the tokens shown", { what: leftOut(header) }));
  }
  if (header.group > 1) {
    notes.push(m("{count} heads below one line share their keys and values", { count: header.group }));
  }
  notes.push(...header.captions);
  if (missing?.some) notes.push(header.withoutSpecial
    ? m("hatched rows: without {what}, nothing is left of them", { what: leftOut(header) }) : m("hatched rows: they are missing"));
  return [...notes, ...order.notes].flatMap((text) => wrapped(text, width, look, 2));
}
