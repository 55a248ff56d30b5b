// Marks and areas as SVG paths.
/** @import { Colour, Look, PathShape, Place } from "../types" */
/** @typedef {"circle" | "square" | "diamond" | "left" | "right" | "up" | "down"} Filled */
/** @typedef {"ring" | "frame" | "gem"} Hollow */
/** @typedef {Filled | Hollow} MarkName */
/** @typedef {PathShape & Required<Pick<PathShape, "fill" | "stroke" | "wide">>} MarkShape */
import { unbroken, written } from "./polylines.js";

const polygon = (/** @type {readonly Place[]} */ places) => `M${places.map(written).join("L")}z`;

// No mark extends farther than `r` pixels from its centre, horizontally or vertically.
/** @type {Readonly<Record<Filled, (x: number, y: number, r: number) => string>>} */
const MARKS = {
  circle: (x, y, r) => `M${written([x - r, y])}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  square: (x, y, r) => polygon(around(x, y, 0.9 * r, [[-1, -1], [1, -1], [1, 1], [-1, 1]])),
  diamond: (x, y, r) => polygon(around(x, y, r, [[0, -1], [1, 0], [0, 1], [-1, 0]])),
  left: (x, y, r) => polygon(around(x, y, r, [[-1, 0], [1, -1], [1, 1]])),
  right: (x, y, r) => polygon(around(x, y, r, [[1, 0], [-1, 1], [-1, -1]])),
  up: (x, y, r) => polygon(around(x, y, r, [[0, -1], [1, 0.9], [-1, 0.9]])),
  down: (x, y, r) => polygon(around(x, y, r, [[0, 1], [1, -0.9], [-1, -0.9]])),
};
/** @type {Readonly<Partial<Record<MarkName, Filled>>>} */
const OPEN = { ring: "circle", left: "left", right: "right", frame: "square", gem: "diamond" };
/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {readonly Place[]} corners
 * @returns {Place[]}
 */
const around = (x, y, r, corners) => corners.map(([u, v]) => [x + r * u, y + r * v]);

/**
 * A mark as a shape: filled, with an edge in the page's colour that separates it from what is below, or
 * open.
 * @param {Place} place
 * @param {number} r half its width
 * @param {MarkName} mark
 * @param {Colour} colour
 * @param {Look} look
 * @param {Pick<PathShape, "part" | "of">} [more]
 * @returns {MarkShape}
 */
export function markAt([x, y], r, mark, colour, look, more) {
  const outline = OPEN[mark], path = MARKS[outline ?? /** @type {Filled} */ (mark)](x, y, r); // open: an outline
  return outline
    ? { path, fill: look.paper, stroke: colour, wide: /^(ring|frame|gem)$/.test(mark) ? 2.2 : 1.5, ...more }
    : { path, fill: colour, stroke: look.paper, wide: 1.2, ...more };
}

/**
 * The area between two lines with gaps at the same steps.
 * @param {readonly (Place | null)[]} upper
 * @param {readonly (Place | null)[]} lower
 */
export function areaOf(upper, lower) {
  const both = (/** @type {number} */ i) => upper[i] && lower[i];
  const ends = (/** @type {readonly (Place | null)[]} */ places) => unbroken(places.map((place, i) => (both(i) ? place : null)));
  const below = ends(lower);
  return ends(upper).map((part, i) => polygon([...part, ...below[i].reverse()])).join("");
}
