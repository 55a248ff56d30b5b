// The layout of a line chart: lines, marks, names, the axis; and keyboard navigation.
/** @import { Look, Mark, MarksPlan, Place, Room, Shape, TextShape } from "../types" */
/** @import { LinesHeader } from "../headers" */
import { decimal } from "../runtime/language.js";
import { fitted, mix, tenTo, widthOf } from "../runtime/shared.js";
import { areaOf, markAt } from "../draw/paths.js";
import { lineOf } from "../draw/polylines.js";
import {
  LINE, along, apart, beside, dotted, footOf, namesAtLeft, E, N, NE, NW, S, SE, SW, W,
} from "../draw/placing.js";

const WIDE = 2.5, R = 4.5; // pixels: the width of a line, and half the size of a mark
const reach = (/** @type {string} */ mark) => (mark === "diamond" ? 1.25 * R : R); // or it would look smaller

/**
 * The input of a line chart's layout.
 * @typedef {object} Curves
 * @property {LinesHeader} header
 * @property {Float32Array[]} rows the numbers of each line; then the low and the high end of a band
 * @property {number} width in pixels
 */
/** @typedef {(Place | null)[]} Polyline a point for each step; null is a gap */

/**
 * The complete layout.
 * @param {Curves} curves
 * @param {Look} look
 * @returns {MarksPlan}
 */
export function linesPlan({ header, rows, width }, look) {
  const { size } = look, { height } = header, count = header.steps.length;
  const guides = namesAtLeft(header.guides.map(([, name]) => name), look, width);
  const ends = header.lines.map(({ label }) => fitted(label, 0.3 * width, look, true));
  // What is a single point has its name beside it, not at the end of a line that it has not.
  const alone = header.lines.map((_, i) => count > 1 && rows[i].filter((value) => !Number.isNaN(value)).length === 1);
  // So has a line that ends before another: at the edge, its name would stand where the other one ends.
  const lasts = header.lines.map((_, i) => rows[i].findLastIndex((value) => !Number.isNaN(value)));
  const early = header.lines.map((_, i) => !alone[i] && lasts[i] < count - 1 && lasts.includes(count - 1));
  const longest = Math.max(0, ...ends.map((text, i) => (alone[i] || early[i] ? 0 : widthOf(text, look, true))));
  const left = guides.wide + (guides.wide ? 8 : 1), right = width - (longest ? longest + 11 : 1);
  const foot = footOf(header.axis, look, { width, height }, (left + right) / 2);
  const top = (header.unit ? 2 : 0.75) * size, bottom = foot.top - 1.75 * size;
  const inset = R + 5, pitch = (right - left - 2 * inset) / Math.max(1, count - 1);
  const x = (/** @type {number} */ step) => (count > 1 ? left + inset + step * pitch : (left + right) / 2);
  const [low, high] = header.bounds, share = (bottom - top - 2 * inset) / (high - low);
  const y = (/** @type {number} */ value) => bottom - inset - (value - low) * share;
  /** @type {(row: Float32Array) => Polyline} */
  const polylineOf = (row) => Array.from(row, (value, i) => (Number.isNaN(value) ? null : [x(i), y(value)]));
  const polylines = rows.map(polylineOf), lines = polylines.slice(0, header.lines.length);
  const [lower, upper] = polylines.slice(header.lines.length); // of a band

  /** @type {Shape[]} */
  const shapes = [];
  if (header.band !== null) shapes.push({
    path: areaOf(upper, lower), fill: mix(look.paper, look.ink, 0.11), part: "band",
  });
  if (header.unit) shapes.push({ text: header.unit, x: 1, y: 0.7 * size, size, fill: look.muted, part: "unit" });
  header.guides.forEach(([value], i) => shapes.push(
    { path: lineOf([[left, y(value)], [right, y(value)]]), stroke: mix(look.paper, look.ink, 0.22), part: "guide" },
    { text: guides.texts[i], x: left - 7, y: y(value), size, anchor: "end", fill: look.muted, part: "guide" },
  ));
  lines.forEach((line, i) => shapes.push(
    { path: lineOf(line), stroke: header.lines[i].colour, wide: WIDE, part: "line", of: i },
  ));
  shapes.push(...marksOf(header, lines, look), ...nameOfBand(header, polylines, look, [left, top, right, bottom]));
  const middles = header.ticks.map((tick, i) => {
    const half = widthOf(tick, look) / 2;
    return Math.max(half, Math.min(x(i), width - 1 - half)); // otherwise the last one would be cut off
  });
  for (const i of along(middles, header.ticks, look)) shapes.push({
    text: header.ticks[i], x: middles[i], y: bottom + 0.75 * size, size, anchor: "middle",
    fill: look.ink, part: "tick",
  });
  /** @type {[number, number, number, number][]} single points and the names beside them: the middle, half the width, half the height */
  const taken = lines.flatMap((line, i) => (alone[i] ? line.filter((point) => point !== null).map(([px, py]) => [px, py, R, R]) : []));
  const named = lines.flatMap((line, i) => {
    const last = line.findLast(Boolean);
    if (!ends[i] || !last) return [];
    if (!alone[i] && !early[i]) return [{ i, height: last[1] }];
    const half = widthOf(ends[i], look, true) / 2, away = R + 0.75 * size;
    const at = Math.max(left + half, Math.min(last[0] + (early[i] ? half : 0), right - half));
    if (early[i]) taken.push(...lines.flatMap(pointsAlong).map(([px, py]) => /** @type {[number, number, number, number]} */ ([px, py, WIDE, WIDE])));
    // Above its point, else below it, else further away: two points at one step have their own names.
    const free = [-away, away, -away - LINE * size, away + LINE * size].map((dy) => last[1] + dy).find((to) => to - size / 2 >= 0 && to + size / 2 <= bottom
      && taken.every(([px, py, wide, tall]) => Math.abs(px - at) >= half + wide || Math.abs(py - to) >= size / 2 + tall)) ?? last[1] - away;
    taken.push([at, free, half, size / 2]);
    shapes.push({
      text: ends[i], x: at, y: free, size,
      anchor: "middle", bold: true, halo: look.paper, fill: header.lines[i].colour, part: "end", of: i,
    });
    return [];
  });
  apart(named.map(({ height: wanted }) => wanted), LINE * size, top, bottom).forEach((nameY, k) => {
    const { i } = named[k];
    if (nameY !== null) shapes.push({
      text: ends[i], x: right + 5, y: nameY, size, bold: true, fill: header.lines[i].colour, part: "end", of: i,
    });
  });
  return {
    shapes: [...shapes, ...foot.shapes], bar: foot.bar, end: width,
    area: [left, top, right - left, bottom - top],
    marks: lines.flat().map((point) => point && { x: point[0], y: point[1], r: R }),
  };
}

/**
 * The marks of all lines; if all begin at one point, that point has a single mark.
 * @param {LinesHeader} header
 * @param {Polyline[]} lines
 * @param {Look} look
 */
function marksOf(header, lines, look) {
  /** @type {Shape[]} */
  const shapes = [], { steps, start } = header;
  header.lines.forEach(({ mark, colour }, i) => lines[i].forEach((point, step) => {
    const shared = start !== null && step === 0;
    if (point && mark !== "none" && !shared) {
      shapes.push(markAt(point, reach(mark), mark, colour, look, { part: "mark", of: i * steps.length + step }));
    }
  }));
  const first = start === null ? null : lines.map(([point]) => point).find(Boolean);
  if (first) shapes.push(markAt(first, R + 3, "diamond", header.startColour, look, { part: "start" }));
  return shapes;
}

/**
 * The name of the band, on it or just beside it, where no curve runs.
 * @param {LinesHeader} header
 * @param {Polyline[]} polylines the lines, and both ends of the band
 * @param {Look} look
 * @param {Room} room
 * @returns {TextShape[]}
 */
function nameOfBand(header, polylines, look, room) {
  if (header.band === null) return [];
  const lines = polylines.slice(0, -2), [low, top] = polylines.slice(-2);
  const high = LINE * look.size, text = fitted(header.band, 0.6 * (room[2] - room[0]), look);
  const wide = widthOf(text, look);
  /** @type {{ box: Room }[]} */
  const taken = lines.flatMap(pointsAlong).map(([x, y]) => ({ box: [x - 6, y - 6, x + 6, y + 6] }));
  const name = { text, size: look.size, fill: look.muted, part: "band" };
  const candidates = top.flatMap((upper, i) => {
    const lower = low[i];
    if (!upper || !lower) return [];
    const [x, y] = upper;
    return [
      { x, y: (y + lower[1]) / 2, r: -3 - high / 2, sides: [N] },
      { x, y, r: 0, sides: [N, NE, NW, E, W] },
      { x, y: lower[1], r: 0, sides: [S, SE, SW, E, W] },
    ];
  });
  for (const candidate of candidates) {
    const [label] = beside([{ ...candidate, wide, high, of: "band" }], taken, [], room, 1);
    if (label) {
      const [l, t, r, b] = label.box;
      return [{ ...name, x: (l + r) / 2, y: (t + b) / 2, anchor: "middle" }];
    }
  }
  return [{ ...name, x: room[0] + 4, y: room[1] + high / 2, halo: look.paper }];
}

/**
 * Closely spaced points along a line.
 * @param {Polyline} line
 * @returns {Place[]}
 */
function pointsAlong(line) {
  return line.flatMap((point, i) => {
    const next = line[i + 1];
    return point ? (next ? dotted(point, next) : [point]) : [];
  });
}

/**
 * The last number of the first line that has any; lines have `count` steps each.
 * @param {Float32Array} values
 * @param {number} count
 */
export function lastPoint(values, count) {
  const line = Math.floor(values.findIndex((value) => !Number.isNaN(value)) / count);
  const own = values.subarray(line * count, (line + 1) * count);
  return line * count + own.findLastIndex((value) => !Number.isNaN(value));
}

/**
 * A power of 10 with three significant digits: 0.0123, 12.3, 1.23·10⁻⁷. The number itself may be too small
 * for a double, such as 10⁻⁴⁰⁰.
 * @param {number} exponent
 */
export function powerOfTen(exponent) {
  const plain = (10 ** exponent).toPrecision(3);
  if (exponent >= -3 && exponent < 3 && !plain.includes("e")) return decimal(plain);
  let whole = Math.floor(exponent), mantissa = (10 ** (exponent - whole)).toFixed(2);
  if (mantissa === "10.00") [whole, mantissa] = [whole + 1, "1.00"];
  return `${decimal(mantissa)}·${tenTo(whole)}`;
}

/**
 * Left and Right skip gaps; Up and Down go to the nearest line at this step.
 * @param {{ marks: (Mark | null)[], values: Float32Array, count: number }} chart `count` steps
 * @param {number | null} here
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey">} event
 * @returns {number | null}
 */
export function nextPoint({ marks, values, count }, here, { key, ctrlKey }) {
  if (here === null || ctrlKey) return null;
  const drawn = [...marks.keys()].filter((i) => marks[i]);
  const own = drawn.filter((i) => Math.floor(i / count) === Math.floor(here / count));
  if (key === "Home") return own[0];
  if (key === "End") return own[own.length - 1];
  const height = (/** @type {number} */ i) => marks[i]?.y ?? NaN; // only for those that are drawn
  const level = drawn.filter((i) => i % count === here % count && (i === here || values[i] !== values[here]))
    .sort((a, b) => height(a) - height(b) || a - b);
  /** @type {Readonly<Record<string, readonly [number[], number]>>} */
  const ways = { ArrowLeft: [own, -1], ArrowRight: [own, 1], ArrowUp: [level, -1], ArrowDown: [level, 1] };
  if (!(key in ways)) return null;
  const [list, by] = ways[key];
  return list[list.indexOf(here) + by] ?? here;
}
