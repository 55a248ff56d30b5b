// The layout of a cloud of points, how they are painted, and the legend of their groups.
/** @import { CloudHeader } from "../headers" */
/** @import { CloudState } from "../states" */
/** @import { Look, Mark, Place, Plan, Room, Shape, TextShape } from "../types" */
/** @import { Obstacle, Side } from "../draw/placing" */
/** @typedef {CloudHeader["groups"][number]} Group */
/** Points, and the group of each. @typedef {{ header: CloudHeader, groups: Uint8Array }} Grouped */
/** All points have a place. @typedef {Plan & { marks: Mark[] }} CloudPlan */
import { drawShapes, paint } from "../draw/scene.js";
import { markAt } from "../draw/paths.js";
import { BAR, frameOf } from "./planeframe.js";
import { PAD, anchored, beside, E, N, NE, NW, S, SE, SW, W } from "../draw/placing.js";
import { fitted, penOf, widthOf, wrapped } from "../runtime/shared.js";

/** The radius for up to so many points. @type {readonly (readonly [number, number])[]} */
const SIZES = [[60, 6], [500, 4.5], [3000, 3.2]];
const SMALLEST = 2.6;
const NAME_LINES = 2; // of the name of a point, at most
const SOLID = 500; // up to so many points are painted opaque
const ROW = 1.35; // in multiples of the letter size: a line of the legend

/** @param {number} count */
const radiusOf = (count) => SIZES.find(([most]) => count <= most)?.[1] ?? SMALLEST;
/** @param {Group} group @param {Look} look */
export const colourOf = (group, look) => (look.dark ? group.dark : group.light);

/**
 * The legend in lines that fit the picture's width, without empty groups.
 * @param {{ header: CloudHeader, width: number, counts: number[] }} picture
 * @param {Look} look
 */
function legendOfGroups({ header, width, counts }, look) {
  const { size } = look, top = BAR * size;
  /** @type {Shape[]} */
  const shapes = [];
  let x = 0, line = 0;
  header.groups.forEach((group, i) => {
    if (!counts[i] || !group.name) return;
    const text = fitted(`${group.name} (${counts[i].toLocaleString("en")})`, 0.6 * width, look);
    const wide = 1.3 * size + widthOf(text, look) + 1.2 * size;
    if (x && x + wide > width) [x, line] = [0, line + 1];
    const y = top + (line + 0.5) * ROW * size;
    const about = { part: "key", of: i };
    shapes.push(markAt([x + 0.5 * size, y], 0.42 * size, group.mark, colourOf(group, look), look, about));
    shapes.push({ text, x: x + 1.3 * size, y, size, fill: look.ink, part: "group", of: i });
    x += wide;
  });
  return { shapes, high: shapes.length ? (line + 1) * ROW * size : 0 };
}

/**
 * @param {Grouped & { width: number, counts: number[], state: CloudState }} picture
 * @param {Look} look
 * @param {Float32Array} at the coordinates to draw, 2 numbers for each point, possibly on their way
 * @param {Float32Array} then the final coordinates
 * @param {boolean} saved whether to write the depth in place of the slider
 * @returns {CloudPlan}
 */
export function cloudOf(picture, look, at, then, saved = false) {
  const { header, groups, state } = picture, { size } = look;
  const key = legendOfGroups(picture, look), { room, spot, shapes, foot } = frameOf(picture, look, key.high);
  const r = radiusOf(groups.length);
  const [x, y] = spot(0, 0), [right, up] = spot(1, 1);
  /** @type {Mark[]} */
  const marks = [];
  for (let i = 0; i < groups.length; i++) {
    marks.push({ x: x + at[2 * i] * (right - x), y: y + at[2 * i + 1] * (up - y), r });
  }
  shapes.push(...key.shapes, ...foot.shapes);
  /** @type {Shape[]} */
  const front = [];
  if (state.chosen !== null) front.push(...chosenShapes(marks[state.chosen], look, state.chosen));
  const spotThen = (/** @type {number} */ i) => spot(then[2 * i], then[2 * i + 1]);
  if (header.names) front.push(...namesOfPoints(header.names, look, marks, spotThen, room));
  if (saved) front.push({
    text: header.moments[state.depth], x: 0, y: (BAR * size) / 2, size, bold: true, fill: look.ink, part: "moment",
  });
  return {
    shapes: [...shapes, ...front], marks, bar: foot.bar, end: picture.width,
    area: [room[0], room[1], room[2] - room[0], room[3] - room[1]],
  };
}

/**
 * A ring around the chosen point.
 * @param {Mark} mark
 * @param {Look} look
 * @param {number} of
 * @returns {Shape[]}
 */
function chosenShapes({ x, y, r }, look, of) {
  const ring = markAt([x, y], r + 4.5, "ring", look.ink, look, { part: "chosen", of });
  return [{ ...ring, fill: undefined, wide: 2 }];
}

/**
 * @param {readonly string[]} names
 * @param {Look} look
 * @param {readonly Mark[]} marks the current points
 * @param {(i: number) => Place} spotThen the final positions
 * @param {Room} room
 * @returns {TextShape[]}
 */
function namesOfPoints(names, look, marks, spotThen, room) {
  const high = 1.15 * look.size, ends = marks.map((_, i) => spotThen(i));
  /** @type {Side[]} */
  const sides = [N, E, W, S, NE, NW, SE, SW];
  /** @type {Obstacle[]} */
  const taken = ends.map(([x, y], of) => {
    const { r } = marks[of];
    return { box: [x - r - 1, y - r - 1, x + r + 1, y + r + 1], of };
  });
  const texts = names.map((name) => linesOfName(name, 0.3 * (room[2] - room[0]), look));
  const wide = (/** @type {number} */ i) => Math.max(...texts[i].map((line) => widthOf(line, look))) + 2 * PAD;
  const labels = ends.map(([x, y], of) => ({ x, y, r: marks[of].r, of, sides, wide: wide(of), high: high * texts[of].length }));
  return beside(labels, taken, [], room, 1).flatMap((place, i) => {
    if (!place) return [];
    const { box, side } = place, [x, y] = ends[i], { at, anchor } = anchored(box, side);
    const middle = (box[1] + box[3]) / 2 + marks[i].y - y, first = middle - (high * (texts[i].length - 1)) / 2;
    return texts[i].map((text, line) => ({
      text, x: at + marks[i].x - x, y: first + high * line, size: look.size, anchor, fill: look.muted, halo: look.paper, part: "name", of: i,
    }));
  });
}

/**
 * The name of a point in whole words, in as many lines as it may have. Where a sentence has no room, its number stands
 * alone: the list and the pointer have the rest.
 * @param {string} name @param {number} most pixels @param {Look} look
 */
function linesOfName(name, most, look) {
  const lines = wrapped(name, most, look, NAME_LINES), number = name.slice(0, name.indexOf(". "));
  if (lines.join(" ") === name.trim().split(/\s+/).join(" ")) return lines;
  return [number && !Number.isNaN(Number(number)) ? number : fitted(name, most, look)];
}

/**
 * A small mark has a thinner edge; otherwise its colour would not be visible.
 * @param {Place} place
 * @param {number} r
 * @param {Group} group
 * @param {Look} look
 */
function smallMark(place, r, group, look) {
  const shape = markAt(place, r, group.mark, colourOf(group, look), look);
  return { ...shape, wide: shape.wide * Math.min(1, r / 6) };
}

/**
 * The pixels of each group's mark, as lists of [offset from its corner, red, green, blue, opacity of 256].
 * @param {Grouped} points
 * @param {Look} look
 * @param {number} ratio
 * @param {number} across pixels of a line of the image
 */
function stampsOf({ header, groups }, look, ratio, across) {
  const r = radiusOf(groups.length), half = Math.ceil((r + 1.5) * ratio), wide = 2 * half;
  const solid = groups.length > SOLID ? 0.8 : 1;
  const pen = penOf(new OffscreenCanvas(wide, wide), { willReadFrequently: true });
  const pixels = header.groups.map((group) => {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, wide, wide);
    pen.scale(ratio, ratio);
    drawShapes(pen, [smallMark([half / ratio, half / ratio], r, group, look)], look.font);
    const { data } = pen.getImageData(0, 0, wide, wide), found = [];
    for (let i = 0; i < wide * wide; i++) {
      const share = Math.round((data[4 * i + 3] * solid * 256) / 255);
      if (share) found.push(4 * (Math.floor(i / wide) * across + (i % wide)), ...data.slice(4 * i, 4 * i + 3), share);
    }
    return Int32Array.from(found);
  });
  return { pixels, half };
}

/**
 * All points as an image of the picture's area: ten times as fast as drawing so many marks on a canvas.
 * @param {Grouped} points
 * @param {CloudPlan} plan
 * @param {Look} look
 * @param {number} ratio
 */
export function imageOfPoints({ header, groups }, plan, look, ratio) {
  const [left, top, width, height] = plan.area, across = Math.round(width * ratio), down = Math.round(height * ratio);
  const image = new ImageData(across, down), { data } = image, [red, green, blue] = look.paper;
  new Uint32Array(data.buffer).fill(((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0);
  const { pixels, half } = stampsOf({ header, groups }, look, ratio, across);
  for (let i = 0; i < groups.length; i++) {
    const { x, y } = plan.marks[i], list = pixels[groups[i]];
    const u = Math.round((x - left) * ratio) - half, v = Math.round((y - top) * ratio) - half;
    const corner = 4 * (v * across + u);
    for (let k = 0; k < list.length; k += 5) {
      const at = corner + list[k], share = list[k + 4];
      data[at] += ((list[k + 1] - data[at]) * share) >> 8;
      data[at + 1] += ((list[k + 2] - data[at + 1]) * share) >> 8;
      data[at + 2] += ((list[k + 3] - data[at + 2]) * share) >> 8;
    }
  }
  return image;
}

/**
 * The same as SVG: one path for the points of each group.
 * @param {Grouped} points
 * @param {CloudPlan} plan
 * @param {Look} look
 */
export function pointsAsSvg({ header, groups }, plan, look) {
  const marked = header.groups.map((group, g) => {
    const own = plan.marks.filter((_, i) => groups[i] === g);
    if (!own.length) return "";
    const shapes = own.map(({ x, y, r }) => smallMark([x, y], r, group, look));
    const { fill, stroke, wide } = shapes[0];
    return `<path d="${shapes.map(({ path }) => path).join("")}" fill="${paint(fill)}" stroke="${paint(stroke)}"`
      + ` stroke-width="${wide}" data-part="mark" data-of="${g}"/>`;
  });
  return `<g${groups.length > SOLID ? ' opacity="0.8"' : ""}>${marked.join("")}</g>`;
}
