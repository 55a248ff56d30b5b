// The layout of a shaded text: its lines, the shade behind each piece, what the shades mean.
/** @import { Box, Look, Palette, RGB, Shape } from "../types" */
/** @import { KindScale, ShadedHeader } from "../headers" */
/** @import { PartPlan, View } from "../runtime/scrolling" */
/** @import { Item } from "./lines" */
import { m } from "../runtime/language.js";
import { mix, SAVE_ROOM, widthOf } from "../runtime/shared.js";
import { legendHeight, legendOf, paletteOf } from "../draw/cells.js";
import { SCROLLBAR } from "../draw/written.js";
import { linesOf } from "./lines.js";

export const MOST_LINES = 12; // in view; more scroll
const LEAST_LINES = 3; // also where a page has hardly any room
const LETTERS = 1.15; // the size of the letters, in multiples of the page's small ones
const PITCH = 1.8, SHADE = 1.42; // of a line and of the shade in it, in multiples of its letters
const TOP = 4, BELOW = 12, FOOT = 8; // pixels
const LEAST_HIGH = 116; // so that a tooltip has room
const CONTRAST = 4.5; // of letters and what is behind them, at least
const WRITTEN = () => m("underlined: written by the model");
const BLACK = /** @type {RGB} */ ([0, 0, 0]), WHITE = /** @type {RGB} */ ([255, 255, 255]);

/**
 * The input of the layout.
 * @typedef {{ header: ShadedHeader, values: Float32Array, width: number }} Shaded
 */
/**
 * @typedef {object} Pieces
 * @property {number} pitch pixels from line to line
 * @property {number} first the first line in view
 * @property {number} shown how many lines are in view
 * @property {number} lines how many there are
 * @property {(x: number, y: number) => number | null} at the piece at a place of the picture
 * @property {(i: number) => Box[]} boxes of a piece, where it is in view
 * @property {(i: number) => number} lineOf the line on which a piece begins
 * @property {(i: number, by: number) => number} beside the piece as far to the right as this one, lines away
 */
/** @typedef {PartPlan & Pieces} ShadedPlan */

/** The luminance of a colour, 0 to 1, as WCAG defines it. @param {RGB} colour */
function luminance(colour) {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, 1 to 21. @param {RGB} one @param {RGB} other */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The colour of letters on a shade: the page's own if that can be read. @param {RGB} shade @param {Look} look */
export function inkOn(shade, { ink }) {
  if (contrast(ink, shade) >= CONTRAST) return ink;
  return contrast(BLACK, shade) > contrast(WHITE, shade) ? BLACK : WHITE; // at least 4.58
}

/**
 * The complete layout.
 * @param {Shaded} shaded
 * @param {Look} look
 * @param {View} view
 * @param {number} room pixels that the page has for it; Infinity for a file, which holds every line
 * @param {boolean} whole whether it is one
 * @returns {ShadedPlan}
 */
export function shadedPlan({ header, values, width }, look, view, room = Infinity, whole = false) {
  const { pieces, sides, left, scale, firstWritten } = header, size = LETTERS * look.size;
  const letters = { font: look.font, size }, pitch = Math.round(PITCH * size);
  const notes = [...scale.notes ?? [], ...(firstWritten === null ? [] : [WRITTEN()])];
  const kinds = scale.kind === "kinds" ? kindsOf(scale, look, width, notes) : null;
  const foot = BELOW + (kinds?.high ?? legendHeight(look, 1 + notes.length)) + FOOT;
  const most = whole ? Infinity : Math.max(LEAST_LINES, Math.min(MOST_LINES, Math.floor((room - TOP - foot) / pitch)));
  let lines = linesOf(pieces, sides, left, width - 2, letters);
  const scrolls = lines.length > most;
  if (scrolls) lines = linesOf(pieces, sides, left, width - SCROLLBAR - 2, letters);
  const items = lines.flat(), shown = Math.min(lines.length, most), content = lines.length * pitch;
  const starts = startsOf(items, pieces.length);
  const top = scrolledTo(view, starts, pitch, shown * pitch, content), first = Math.round(top / pitch);
  const y = (/** @type {number} */ line) => TOP + (line - first + 0.5) * pitch;
  const seen = (/** @type {Item} */ { line }) => line >= first && line < first + shown;
  /** @param {Item} item @returns {Box} */
  const boxOf = ({ x, wide, line }) => [x + 1, y(line) - (SHADE * size) / 2, wide, SHADE * size];
  const palette = scale.kind === "kinds" ? { colours: coloursOf(scale, look), at: Math.round } : paletteOf(scale, look), bottom = TOP + shown * pitch, visible = items.filter(seen);
  const shapes = visible.flatMap((item) => shapesOf(item, values[item.of], boxOf(item), palette, look, size, firstWritten));
  const boxes = (/** @type {number} */ i) => framesOf(visible, i).map(boxOf);
  for (const i of scale.kind === "kinds" ? scale.framed : []) {
    for (const rect of boxes(i)) shapes.push({ rect, stroke: mix(look.paper, look.ink, 0.6), part: "frame", of: i });
  }
  if (header.chosen !== null) {
    for (const [x, above, wide, high] of boxes(header.chosen)) {
      shapes.push({ rect: [x - 1, above - 1, wide + 2, high + 2], stroke: look.ink, wide: 2, part: "chosen", of: header.chosen });
    }
  }
  const title = shown < lines.length ? m("{title}; lines {first}–{last} of {all}", { title: scale.title, first: first + 1, last: first + shown, all: lines.length }) : scale.title;
  const legend = scale.kind === "kinds" || !("strength" in palette) ? kindsOf(/** @type {KindScale} */ ({ ...scale, title }), look, width, notes, bottom + BELOW)
    : legendOf({ ...scale, title }, palette, look, width, 1, bottom + BELOW, notes, header.number);
  const at = (/** @type {number} */ x, /** @type {number} */ above) => {
    const line = first + Math.floor((above - TOP) / pitch);
    return visible.find((item) => item.line === line && x >= item.x + 1 && x < item.x + 1 + item.wide)?.of ?? null;
  };
  return {
    shapes: [...shapes, ...legend.shapes], bar: legend.bar, end: Math.min(width, Math.max(legend.end, 0)),
    area: [0, TOP, width, shown * pitch], content: [0, content], offset: [0, top],
    high: Math.ceil(Math.max(whole ? 0 : Math.min(LEAST_HIGH, room), bottom + foot)), pitch, first, shown, lines: lines.length,
    at, boxes, lineOf: (i) => starts[i]?.line ?? 0, beside: (i, by) => besideOf(lines, starts[i], by),
  };
}

/** The shade of each kind. @param {KindScale} scale @param {Look} look */
const coloursOf = (scale, look) => scale[look.dark ? "dark" : "light"].map((colour) => mix(look.paper, colour, look.dark ? 0.45 : 0.3));

/**
 * What the shades of kinds mean: a square and a name for each, in as many lines as they need.
 * @param {KindScale} scale @param {Look} look @param {number} width @param {readonly string[]} notes @param {number} [y] its top
 */
function kindsOf(scale, look, width, notes, y = 0) {
  const { size } = look, line = Math.round(1.5 * size), shades = coloursOf(scale, look);
  /** @type {Shape[]} */
  const shapes = [];
  let x = 1, row = 0, end = 0;
  const put = (/** @type {string} */ text, /** @type {Partial<Shape>} */ square) => {
    const wide = 1.6 * size + widthOf(text, look) + size;
    if (x > 1 && x + wide > width - SAVE_ROOM) [x, row] = [1, row + 1];
    const middle = y + (row + 0.5) * line;
    shapes.push(/** @type {Shape} */ ({ rect: [x, middle - size / 2, size, size], ...square }));
    shapes.push({ text, x: x + 1.4 * size, y: middle, size, fill: look.muted, part: "note" });
    [x, end] = [x + wide, Math.max(end, x + wide)];
  };
  scale.names.forEach((name, i) => put(name, { fill: shades[i], part: "kind", of: i }));
  if (scale.framed.length) put(scale.frame, { stroke: mix(look.paper, look.ink, 0.6), part: "kind" });
  for (const text of notes) shapes.push({ text, x: 1, y: y + (++row + 0.5) * line, size, fill: look.muted, part: "note" });
  return { shapes, bar: y, end: end + SAVE_ROOM, high: (row + 1) * line };
}

/** The first part of each piece, of its letters if it has any. @param {readonly Item[]} items @param {number} count */
function startsOf(items, count) {
  /** @type {Item[]} */
  const starts = Array(count);
  const inOrder = items.toSorted((a, b) => a.line - b.line);
  for (const item of inOrder) if (item.kind !== "space") starts[item.of] ??= item;
  for (const item of inOrder) starts[item.of] ??= item;
  return starts;
}

/**
 * The pixels out of view above; a piece that is to be in view is.
 * @param {View} view @param {readonly Item[]} starts @param {number} pitch @param {number} window @param {number} content
 */
function scrolledTo({ top, reveal }, starts, pitch, window, content) {
  if (reveal !== null && starts[reveal]) {
    const from = starts[reveal].line * pitch;
    top = Math.max(from + pitch - window, Math.min(top, from));
  }
  return Math.max(0, Math.min(top, content - window));
}

/** What of a piece is framed: its letters, or its spaces if it has none. @param {readonly Item[]} items @param {number} i */
function framesOf(items, i) {
  const own = items.filter(({ of }) => of === i), written = own.filter(({ kind }) => kind !== "space");
  return written.length ? written : own;
}

/**
 * @param {readonly (readonly Item[])[]} lines @param {Item} from @param {number} by
 * @returns {number}
 */
function besideOf(lines, from, by) {
  const line = Math.max(0, Math.min(lines.length - 1, from.line + by));
  if (line === from.line) return from.of;
  const far = (/** @type {Item} */ { x, wide }) => Math.abs(x + wide / 2 - from.x - from.wide / 2);
  const own = lines[line].filter(({ kind }) => kind !== "space"), all = own.length ? own : lines[line];
  return all.toSorted((a, b) => far(a) - far(b))[0]?.of ?? from.of;
}

/**
 * A part of a piece: its shade, its letters, and the line below what the model has written.
 * @param {Item} item @param {number} value @param {Box} box @param {Pick<Palette, "colours" | "at">} palette @param {Look} look
 * @param {number} size @param {number | null} firstWritten
 * @returns {Shape[]}
 */
function shapesOf({ of, kind, text, wide }, value, box, palette, look, size, firstWritten) {
  const [x, above, , high] = box, shade = palette.colours[palette.at(value)], number = !Number.isNaN(value);
  /** @type {Shape[]} */
  const shapes = [];
  if (kind !== "space" && number) shapes.push({ rect: [x, above, Math.max(1, wide - 1), high], fill: shade, part: "shade", of });
  if (kind !== "space") {
    const ink = number ? inkOn(shade, look) : look.ink;
    shapes.push({ text, x: x + wide / 2, y: above + high / 2, size, fill: ink, anchor: "middle", part: kind === "break" ? "break" : "piece", of });
  }
  if (firstWritten !== null && of >= firstWritten) {
    shapes.push({ rect: [x, above + high, wide, 2], fill: mix(look.paper, look.ink, 0.8), part: "written", of });
  }
  return shapes;
}
