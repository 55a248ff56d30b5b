// Where everything of a line chart stands: lines, marks, names, the axis; and where keys lead.
import { fitted, mix, widthOf } from "../runtime/shared.js";
import { areaOf, markAt } from "../draw/paths.js";
import { lineOf } from "../draw/polylines.js";
import { LINE, along, apart, beside, dotted, footOf, namesAtLeft, E, N, NE, NW, S, SE, SW, W } from "../draw/placing.js";

const WIDE = 2.5, R = 4.5; // pixels: of a line, and of half a mark
const reach = (mark) => (mark === "diamond" ? 1.25 * R : R); // or it would seem smaller than the others

/** Where everything stands. */
export function linesPlan({ header, rows, width }, look) {
  const { size } = look, { height } = header, count = header.steps.length;
  const guides = namesAtLeft(header.guides.map(([, name]) => name), look, width);
  const ends = header.lines.map(({ label }) => fitted(label, 0.3 * width, look, true));
  const longest = Math.max(...ends.map((text) => widthOf(text, look, true)));
  const left = guides.wide + (guides.wide ? 8 : 1), right = width - (longest ? longest + 11 : 1);
  const foot = footOf(header.axis, look, { width, height }, (left + right) / 2);
  const top = 0.75 * size, bottom = foot.top - 1.75 * size;
  const inset = R + 5, pitch = (right - left - 2 * inset) / Math.max(1, count - 1);
  const x = (step) => (count > 1 ? left + inset + step * pitch : (left + right) / 2);
  const [low, high] = header.bounds, share = (bottom - top - 2 * inset) / (high - low);
  const y = (value) => bottom - inset - (value - low) * share;
  const places = rows.map((row) => [...row].map((value, i) => (Number.isNaN(value) ? null : [x(i), y(value)])));
  const lines = places.slice(0, header.lines.length);

  const shapes = [];
  if (header.band !== null) shapes.push({
    path: areaOf(places.at(-1), places.at(-2)), fill: mix(look.paper, look.ink, 0.11), part: "band",
  });
  header.guides.forEach(([value], i) => shapes.push(
    { path: lineOf([[left, y(value)], [right, y(value)]]), stroke: mix(look.paper, look.ink, 0.22), part: "guide" },
    { text: guides.texts[i], x: left - 7, y: y(value), size, anchor: "end", fill: look.muted, part: "guide" },
  ));
  lines.forEach((line, i) => shapes.push(
    { path: lineOf(line), stroke: header.lines[i].colour, wide: WIDE, part: "line", of: i },
  ));
  shapes.push(...marksOf(header, lines, look), ...nameOfBand(header, places, look, [left, top, right, bottom]));
  const middles = header.ticks.map((tick, i) => {
    const half = widthOf(tick, look) / 2;
    return Math.max(half, Math.min(x(i), width - 1 - half)); // or the last one would be cut
  });
  for (const i of along(middles, header.ticks, look)) shapes.push({
    text: header.ticks[i], x: middles[i], y: bottom + 0.75 * size, size, anchor: "middle",
    fill: look.ink, part: "tick",
  });
  const ending = lines.flatMap((line, i) => (ends[i] && line.some(Boolean) ? [[i, line.findLast(Boolean)[1]]] : []));
  apart(ending.map(([, at]) => at), LINE * size, top, bottom).forEach((at, k) => {
    const [i] = ending[k];
    if (at !== null) shapes.push({
      text: ends[i], x: right + 5, y: at, size, bold: true, fill: header.lines[i].colour, part: "end", of: i,
    });
  });
  return {
    shapes: [...shapes, ...foot.shapes], bar: foot.bar, end: width,
    area: [left, top, right - left, bottom - top],
    marks: lines.flat().map((place) => place && { x: place[0], y: place[1], r: R }),
  };
}

/** The marks of all lines; where all begin at one point, one for all. */
function marksOf(header, lines, look) {
  const shapes = [], { steps, start } = header;
  header.lines.forEach(({ mark, colour }, i) => lines[i].forEach((place, step) => {
    const shared = start !== null && step === 0;
    if (place && mark !== "none" && !shared) {
      shapes.push(markAt(place, reach(mark), mark, colour, look, { part: "mark", of: i * steps.length + step }));
    }
  }));
  const first = start !== null && lines.find((line) => line[0]);
  if (first) shapes.push(markAt(first[0], R + 3, "diamond", header.startColour, look, { part: "start" }));
  return shapes;
}

/** The name of the band on it, or just beside it, where no curve runs. */
function nameOfBand(header, places, look, room) {
  if (header.band === null) return [];
  const high = LINE * look.size, text = fitted(header.band, 0.6 * (room[2] - room[0]), look);
  const wide = widthOf(text, look), [low, top] = places.slice(-2);
  const taken = places.slice(0, -2).flatMap(between).map(([x, y]) => ({ box: [x - 6, y - 6, x + 6, y + 6] }));
  const name = { text, size: look.size, fill: look.muted, part: "band" }, tries = [];
  top.forEach((place, i) => place && low[i] && tries.push(
    { x: place[0], y: (place[1] + low[i][1]) / 2, r: -3 - high / 2, sides: [N] },
    { x: place[0], y: place[1], r: 0, sides: [N, NE, NW, E, W] },
    { x: place[0], y: low[i][1], r: 0, sides: [S, SE, SW, E, W] },
  ));
  for (const place of tries) {
    const [found] = beside([{ ...place, wide, high, of: "band" }], taken, [], room, 1);
    if (found) {
      const [l, t, r, b] = found.box;
      return [{ ...name, x: (l + r) / 2, y: (t + b) / 2, anchor: "middle" }];
    }
  }
  return [{ ...name, x: room[0] + 4, y: room[1] + high / 2, halo: look.paper }];
}

/** Places along a line, close to each other. */
function between(line) {
  return line.flatMap((place, i) => (place ? (line[i + 1] ? dotted(place, line[i + 1]) : [place]) : []));
}

/** The last number of the first line that has one; lines have `count` steps each. */
export function lastPoint(values, count) {
  const line = Math.floor(values.findIndex((value) => !Number.isNaN(value)) / count);
  return line * count + values.subarray(line * count, (line + 1) * count).findLastIndex((value) => !Number.isNaN(value));
}

/** Left and right over gaps; up and down to the line that is next at this step. */
export function nextPoint({ marks, values, count }, here, { key, ctrlKey }) {
  if (here === null || ctrlKey) return null;
  const drawn = [...marks.keys()].filter((i) => marks[i]);
  const own = drawn.filter((i) => Math.floor(i / count) === Math.floor(here / count));
  if (key === "Home") return own[0];
  if (key === "End") return own.at(-1);
  const level = drawn.filter((i) => i % count === here % count && (i === here || values[i] !== values[here]))
    .sort((a, b) => marks[a].y - marks[b].y || a - b);
  const ways = { ArrowLeft: [own, -1], ArrowRight: [own, 1], ArrowUp: [level, -1], ArrowDown: [level, 1] };
  const [list, by] = ways[key] ?? [];
  return list ? list[list.indexOf(here) + by] ?? here : null;
}
