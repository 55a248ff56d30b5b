// The layout of a trajectory: the path on the left, the map of one layer beside it, both with the same
// vertical scale, so that a word is at the same height in both.
/** @import { Look, Mark, MarksPlan, Place, Room, Shape } from "../types" */
/** @import { SignedPairs, TrajectoryHeader } from "../headers" */
import { m } from "../runtime/language.js";
import { SAVE_ROOM, fitted, mix, thinned, widthOf, written } from "../runtime/shared.js";
import { lineOf } from "../draw/polylines.js";
import { markAt } from "../draw/paths.js";
import { alonePaths } from "./captions.js";

const WIDE = 640; // pixels: from here on, the map is beside the path, otherwise below it
const HIGH = 15.5; // the height of the path, in multiples of the letter size
const LOW = 12.5; // the same on a phone, and the height of the map there
const MOST_LINES = 3; // of the name of an end
const MARK = 7, DOT = 3, NAMED = 5, ARROW = 4.5; // pixels
const GUESSED = 0.22; // of the ink, in the marks of ends that a model guessed

/**
 * A mark that can be pointed at: the word in a sentence at a depth, the word alone, or the word in a frame of one
 * of the ends.
 * @typedef {Mark & { depth: number } & ({ side: number, alone?: undefined, point?: undefined }
 *   | { alone: number, side?: undefined, point?: undefined } | { point: number, side?: undefined, alone?: undefined })} TrajectoryMark
 */
/** @typedef {MarksPlan & { marks: TrajectoryMark[] }} TrajectoryPlan */
/** @typedef {readonly [number, number]} Bounds the smallest and the largest number drawn */

const AROUND = 5.4; // what stands above and below the path, in multiples of the letter size
const STACKED = 10.9; // the same of both pictures, where one is below the other

/**
 * The height in pixels: in front of a class, as high as there is room for.
 * @param {number} size
 * @param {number} width
 * @param {number} most the height of all of it in front of a class; elsewhere without end
 */
function pathHigh(size, width, most) {
  const wide = width >= WIDE;
  if (most < Infinity) return wide ? Math.max(4 * size, most - AROUND * size) : Math.max(9 * size, (most - STACKED * size) / 2);
  return Math.min((wide ? HIGH : LOW) * size, Math.max(9 * size, 0.22 * innerHeight));
}

/**
 * @param {TrajectoryHeader} data
 * @param {Look} look
 * @param {number} width
 * @param {number} [most] as in `pathHigh`
 */
export function heightOf(data, look, width, most = Infinity) {
  const { size } = look, high = pathHigh(size, width, most);
  return width >= WIDE ? high + AROUND * size : 2 * high + STACKED * size;
}

/** @param {number} from @param {number} to @param {number} share */
const between = (from, to, share) => from + (to - from) * share;

/**
 * The value of a point at a depth between two layers; before the first layer, all points coincide.
 * @param {readonly number[]} values
 * @param {number} at
 */
function atDepth(values, at) {
  const low = Math.floor(at), high = Math.ceil(at), value = (/** @type {number} */ d) => (d < 1 ? 0 : values[d - 1]);
  return between(value(low), value(high), at - low);
}

/**
 * The colour of a contribution at a depth: the larger, the more saturated.
 * @param {Pick<TrajectoryHeader, "signed" | "maxima">} header
 * @param {Look} look
 * @param {number} value
 * @param {number} depth
 */
export function shadeOf({ signed, maxima }, look, value, depth) {
  const [negative, positive] = signed[look.dark ? "dark" : "light"];
  const share = Math.min(1, Math.abs(value) / maxima[depth - 1]);
  return mix(look.paper, value < 0 ? negative : positive, 0.35 + 0.65 * share);
}

/**
 * The smallest and the largest of all numbers, including those of the map, with a margin; without those of layers in which
 * the two ends hardly differ, whose unit is tiny.
 * @param {TrajectoryHeader} header
 * @returns {Bounds}
 */
function boundsOf({ sides, map, close = [] }) {
  const seen = (/** @type {readonly number[]} */ values) => values.filter((_, i) => !close.includes(i + 1));
  const along = [...sides.flatMap(({ position, alone }) => [...seen(position), ...seen(alone)]), ...map.points.flatMap((point) => seen(point.along))];
  const least = Math.min(-1.15, ...along), most = Math.max(1.15, ...along), room = 0.06 * (most - least);
  return [least - room, most + room];
}

/**
 * The height of a number in a picture; what is beyond the picture stands at its edge.
 * @param {Bounds} bounds @param {number} top @param {number} bottom
 */
const heightIn = ([least, most], top, bottom) => (/** @type {number} */ value) =>
  between(bottom, top, (Math.min(Math.max(value, least), most) - least) / (most - least));

/**
 * A small text in the page's muted colour.
 * @param {string} text @param {number} x @param {number} y @param {Look} look @param {string} part @param {"start" | "middle" | "end"} [anchor]
 * @returns {import("../types").TextShape}
 */
const noteAt = (text, x, y, { size, muted }, part, anchor = "middle") => ({ text, x, y, size: 0.9 * size, anchor, fill: muted, part });

/** Where a number is beyond the picture: "up", "down", or "" if it is within. @param {Bounds} bounds @param {number} value @returns {"up" | "down" | ""} */
const outside = ([least, most], value) => (value > most ? "up" : value < least ? "down" : "");

/**
 * Where the name of an end stands: at its height, or a line away from 0, where the path goes so far that it would lie on
 * the name of the other end.
 * @param {number} value 1 or −1
 * @param {(value: number) => number} up
 * @param {number} size of the letters
 */
const nameAt = (value, up, size) => up(0) - value * Math.max(1.1 * size, up(0) - up(1));

/**
 * The complete layout.
 * @param {TrajectoryHeader} data
 * @param {Look} look
 * @param {{ at: number, depth?: number, width: number, top: number, most?: number, underlined?: boolean }} where
 *   `at`: a depth, or between two; `depth`: the one that is named; `width`, `top`: in pixels; `most`: as in `pathHigh`;
 *   `underlined`: whether the sentences, whose underlines the legend explains, stand above
 * @returns {TrajectoryPlan}
 */
export function trajectoryPlan(data, look, { at, depth: after = Math.round(at), width, top, most = Infinity, underlined = true }) {
  const { size } = look, wide = width >= WIDE, { sides, ends, layers } = data;
  const bounds = boundsOf(data), high = pathHigh(size, width, most);
  /** @type {[number, string][]} */
  const names = [[1, ends.high], [0, ""], [-1, ends.low]];
  const number = widthOf(" −1", look, true);
  const gutter = Math.min((wide ? 0.24 : 0.29) * width, 1.2 * size + number + Math.max(...names.map(([, name]) => widthOf(name, look, true))));
  const alone = alonePaths(data);
  const named = MARK + 6 + Math.max(...[...sides, ...alone].map(({ name }) => widthOf(`${name} −0.00`, look, true)));
  const end = gutter + (wide ? Math.round((width - gutter) * 0.6) : width - gutter);
  /** @type {Room} */
  const room = [gutter, top + 0.5 * size, end - named, top + 0.5 * size + high];
  const up = heightIn(bounds, room[1], room[3]);
  const right = (/** @type {number} */ depth) => between(room[0] + 1.2 * size, room[2] - 0.8 * size, depth / layers);
  const [upper, lower, ...guides] = groundOf(data, look, room, up);
  const shapes = [upper, lower, ...paleOf(data, look, room, right), ...guides];
  /** @type {TrajectoryMark[]} */
  const marks = [];
  for (const [value, name] of names) {
    if (name) shapes.push(...endOf(name, value, look, { x: room[0] - 8, y: nameAt(value, up, size), width: gutter - size, apart: up(-1) - up(1), guessed: data.guessed }));
    else shapes.push(noteAt("0", room[0] - 8, up(0), look, "middle", "end"));
  }
  const judged = data.judged ?? layers;
  const crossing = [...sides, ...alone].map(({ position }) => (/** @type {number} */ depth) => up(atDepth(position, depth)));
  const unclear = at < judged - 1 ? [] : unclearOf(data, look, { room, up, x: right, crossing });
  shapes.push(...unclear.slice(0, 1));
  shapes.push(...ticksOf(data, look, room, right));
  const now = sides.map(({ position }) => atDepth(position, at));
  /** @type {Place} */
  const start = [right(0), up(0)];
  const first = 1 + Math.max(0, ...(data.close ?? []));
  /** @param {readonly number[]} position */
  const pathOf = (position) => {
    // Where the two ends hardly differ, the tiny unit makes any number large: no path is drawn there.
    const reached = Math.floor(at + 1e-9), path = first > 1 ? [] : [start];
    for (let depth = first; depth <= reached; depth++) path.push([right(depth), up(position[depth - 1])]);
    if (at > reached && at > first) path.push([right(at), up(atDepth(position, at))]);
    return path;
  };
  alone.forEach(({ position }, i) => {
    const path = pathOf(position);
    if (path.length > 1) shapes.push({ path: lineOf(path), stroke: data.learned, wide: 1.8, dash: [6, 3], part: "alone", of: i });
    for (let depth = 1; depth <= at; depth++) {
      const x = right(depth), y = up(position[depth - 1]), arrow = outside(bounds, position[depth - 1]);
      if (arrow && depth < at && depth >= first) shapes.push(markAt([x, y], ARROW, arrow, data.learned, look, { part: "beyond" }));
      marks.push({ x, y, r: NAMED, alone: i, depth });
    }
  });
  sides.forEach((side, i) => {
    const path = pathOf(side.position);
    const dashed = first > 1 ? [] : path.slice(0, 2), rest = path.slice(first > 1 ? 0 : 1);
    // After the layer of the verdict: where the word goes. The names stand at the edge.
    const later = judged < layers && at >= judged ? side.position.flatMap((value, depth) => (depth + 1 > at ? [/** @type {Place} */ ([right(depth + 1), up(value)])] : [])) : [];
    if (later.length) shapes.push({ path: lineOf(later), stroke: side.colour, wide: 1.2, dash: [1, 4], part: "later", of: i });
    if (dashed.length > 1) shapes.push({ path: lineOf(dashed), stroke: side.colour, wide: 1.8, dash: [3, 4], part: "start", of: i });
    if (rest.length > 1) shapes.push({ path: lineOf(rest), stroke: side.colour, wide: 2.6, part: "line", of: i });
    for (let depth = 1; depth <= layers; depth++) {
      const x = right(depth), y = up(side.position[depth - 1]);
      const arrow = outside(bounds, side.position[depth - 1]);
      if (depth < at && depth >= first) shapes.push(markAt([x, y], arrow ? ARROW : DOT, arrow || side.shape, side.colour, look, { part: arrow ? "beyond" : "dot", of: i }));
      if (depth <= at) marks.push({ x, y, r: NAMED, side: i, depth });
    }
  });
  shapes.push(markAt(start, MARK, "ring", data.learned, look, { part: "learned" }));
  marks.push({ x: start[0], y: start[1], r: MARK, side: 0, depth: 0 });
  shapes.push(...unclear.slice(1)); // its numbers are read above the paths that cross them
  if (at > 0) shapes.push(...headsOf(data, look, { now, x: right(at), edge: judged < layers && at >= judged ? right(layers) : right(at), up, at, room }));
  /** @type {Room} */
  const box = wide
    ? [end + size, room[1], width - 1, room[3]]
    : [gutter, room[3] + 3.4 * size, width - 1, room[3] + 3.4 * size + high];
  const map = mapOf(data, look, { box, at, after, now, bounds, wide });
  shapes.push(...map.shapes);
  marks.push(...map.marks);
  const foot = box[3] + 2.9 * size;
  const key = underlined ? keyOf(data, look, { after, y: foot + 0.4 * size, width: wide ? width - SAVE_ROOM : width }) : [];
  shapes.push(...key);
  return { shapes, marks, bar: foot + (wide || !key.length ? 0 : 2 * size), end: width,
    area: [0, room[1] - 4, width, foot - room[1]] };
}

/**
 * The name of an end with its number, in as many lines as it needs and there is room for, three at most.
 * @param {string} name @param {number} value
 * @param {Look} look
 * @param {{ x: number, y: number, width: number, apart: number, guessed?: boolean }} where `apart`: how far it is to the
 *   other end; `guessed`: it is a guess
 * @returns {Shape[]}
 */
function endOf(name, value, look, { x, y, width, apart, guessed = false }) {
  const { size } = look, number = value < 0 ? "−1" : "+1", wide = widthOf(" −1", look, true), room = width - wide;
  const lines = broken(name, room, look, Math.min(MOST_LINES, Math.floor(apart / (1.1 * size))));
  /** @param {string} text @param {number} i @returns {Shape} */
  const line = (text, i) => ({ text, x: x - wide, y: y + (i - (lines.length - 1) / 2) * 1.1 * size, size, anchor: "end", bold: !guessed,
    fill: guessed ? look.muted : look.ink, part: "end" });
  return [
    ...lines.map(line),
    noteAt(number, x, y, look, "endnumber", "end"),
  ];
}

/**
 * A name in lines, each as long as it fits; the last is cut.
 * @param {string} name @param {number} room @param {Look} look @param {number} most lines
 */
function broken(name, room, look, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of name.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && (widthOf(longer, look, true) <= room || lines.length >= most)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => fitted(line, room, look, true));
}

/**
 * The two sides, in the colours of contributions to them but paler than any mark, and a line at each end.
 * @param {{ signed: SignedPairs }} header
 * @param {Look} look
 * @param {Room} room
 * @param {(value: number) => number} up
 * @returns {Shape[]}
 */
function groundOf({ signed }, look, [left, top, right, bottom], up) {
  const [low, high] = signed[look.dark ? "dark" : "light"].map((full) => mix(look.paper, full, 0.07));
  const middle = Math.min(bottom, Math.max(top, up(0)));
  /** @param {number} value @param {number[]} [dash] */
  const line = (value, dash) => ({ path: lineOf([[left, up(value)], [right, up(value)]]),
    stroke: mix(look.paper, look.ink, 0.25), dash, part: "guide" });
  return [
    { rect: [left, top, right - left, middle - top], fill: high, part: "high" },
    { rect: [left, middle, right - left, bottom - middle], fill: low, part: "low" },
    line(1, [1, 4]), line(0), line(-1, [1, 4]),
  ];
}

/**
 * The layers in which the two ends hardly differ: there, no side has a colour.
 * @param {TrajectoryHeader} header @param {Look} look @param {Room} room @param {(depth: number) => number} x
 * @returns {Shape[]}
 */
function paleOf({ close = [] }, look, [left, top, , bottom], x) {
  if (!close.length) return [];
  return [{ rect: [left, top, x(Math.max(...close) + 0.5) - left, bottom - top], fill: look.paper, part: "pale" }];
}

/**
 * Where a word is given no side after the layer of the verdict.
 * @param {TrajectoryHeader} header @param {Look} look
 * @param {{ room: Room, up: (value: number) => number, x: (depth: number) => number, crossing: ((depth: number) => number)[] }} where
 *   `crossing`: the height of each path at a depth
 * @returns {Shape[]}
 */
function unclearOf({ unclear, layers, judged = layers }, look, { room: [, top, edge, bottom], up, x, crossing }) {
  if (!unclear) return [];
  const left = x(judged - 0.5), right = judged < layers ? x(judged + 0.5) : edge, size = 0.9 * look.size, part = "unclear", middle = up(0);
  /** @param {string} text @param {number} y @returns {Shape} */
  const said = (text, y) => ({ ...noteAt(text, left - 4, y, look, part, "end"), halo: look.paper });
  const pitch = x(1) - x(0), apart = Math.max(0.6 * size, middle - up(unclear));
  /** Whether no path runs through a text. @param {string} text @param {number} y */
  const isPathless = (text, y) => [1, 0.75, 0.5, 0.25, 0].every((share) => {
    const depth = Math.max(1, judged - 0.5 - (share * widthOf(text, look)) / pitch);
    return crossing.every((path) => Math.abs(path(depth) - y) > 0.7 * size);
  });
  /** Whether neither a path runs through a text, nor the middle line. @param {string} text @param {number} y @param {number} sign */
  const isFree = (text, y, sign) => sign * (middle - y) >= 0.5 * size && y > top + 0.6 * size && y < bottom - 0.6 * size && isPathless(text, y);
  // A number stands at its edge; where a path crosses it there, on the side away from the path.
  /** @param {number} sign */
  const placed = (sign) => [0, 1, -1, 1.6].map((step) => middle - sign * (apart + step * size)).find((y) => isFree("−0.00", y, sign));
  const high = placed(1), low = placed(-1), number = (/** @type {number} */ value) => written(value, { digits: 2 });
  const both = high !== undefined && low !== undefined, sign = high !== undefined || low === undefined ? 1 : -1;
  const one = (sign > 0 ? high : low) ?? middle - apart;
  // Its name stands in the middle, else between the middle and a number, else beyond one, else before it.
  const beyond = one - sign * 1.1 * size, isRoomy = both && apart > size && widthOf(m("not clear"), look) < pitch;
  /** @param {number} away from the middle, in either direction */
  const aside = (away) => [1, -1].map((to) => (isFree(m("not clear"), middle - to * away, to) ? middle - to * away : undefined)).find((y) => y !== undefined);
  const near = isRoomy && apart > 2.4 * size ? aside(apart / 2) : undefined;
  const far = both ? [[high, 1], [low, -1]].map(([y, to]) => [y - to * 1.1 * size, to]).find(([y, to]) => isFree(m("not clear"), y, to))?.[0] : isFree(m("not clear"), beyond, sign) ? beyond : undefined;
  const numbers = both ? [high, low] : [one], first = isRoomy && isPathless(m("not clear"), middle) ? middle : undefined;
  // Nor may it run into a number, which a path may have moved towards the middle.
  const named = [first, near, far].find((y) => y !== undefined && numbers.every((other) => Math.abs(other - y) >= size)) ?? null;
  /** @type {Shape[]} */
  const band = [{ rect: [left, up(unclear), right - left, up(-unclear) - up(unclear)], fill: mix(look.paper, look.ink, 0.12), part }];
  if (named === null && isFree(`${m("not clear")} ±0.00`, one, sign)) return [...band, said(`${m("not clear")} ±${number(unclear)}`, one)];
  return [
    ...band, ...(named === null ? [] : [said(m("not clear"), named)]),
    ...(both ? [said(number(unclear), high), said(number(-unclear), low)] : [said(`±${number(unclear)}`, one)]),
  ];
}

/**
 * @param {TrajectoryHeader} header
 * @param {Look} look
 * @param {Room} room
 * @param {(depth: number) => number} x
 * @returns {Shape[]}
 */
function ticksOf({ layers, close = [], two }, look, [left, , right, bottom], x) {
  const { size } = look, pitch = x(1) - x(0);
  const shown = thinned(layers + 1, pitch, widthOf(String(layers), look) + 0.6 * size, [0, layers]);
  /** @type {Shape[]} */
  const ticks = shown.map((depth) => ({ text: String(depth), x: x(depth), y: bottom + 0.9 * size, size,
    anchor: "middle", fill: look.ink, part: "tick" }));
  const y = bottom + 2.1 * size;
  // Below the circle at which the paths begin: what it is.
  const wide = (/** @type {string} */ text) => 0.9 * widthOf(text, look), short = m("after layer"), origin = m("↑ one learned vector");
  const isNamed = !two && wide(origin) + size + wide(short) < right - left, begins = isNamed ? left + wide(origin) + size : x(0);
  const longer = m("after layer · pale: the ends hardly differ yet, no result"), title = close.length && wide(longer) < right - begins ? longer : short;
  return [...ticks, noteAt(title, (begins + right) / 2, y, look, "title"), ...(isNamed ? [noteAt(origin, left, y, look, "origin", "start")] : [])];
}

/**
 * The current marks of the two sides and of the word alone, with their names, moved apart if they would overlap.
 * @param {TrajectoryHeader} data
 * @param {Look} look
 * @param {{ now: number[], x: number, edge: number, up: (value: number) => number, at: number, room: Room }} where `now`: the
 *   position of each side; `edge`: where the marks would be to which the names are beside
 * @returns {Shape[]}
 */
function headsOf(data, look, { now, x, edge, up, at, room }) {
  const { size } = look, whole = Number.isInteger(at), alone = alonePaths(data);
  const values = [...now, ...alone.map(({ position }) => atDepth(position, at))], ys = values.map(up);
  const placed = movedApart(ys, 1.25 * size, [room[1], room[3]]);
  const names = [...data.sides, ...alone].map(({ name }, i) => (whole ? `${name} ${written(values[i], { digits: 2 })}` : name));
  /** @param {number} i @param {import("../types").Colour} fill @param {boolean} bold @param {string} part @returns {Shape} */
  const named = (i, fill, bold, part) => ({ text: names[i], x: edge + MARK + 4, y: placed[i], size, bold, fill, halo: look.paper,
    part, of: part === "name" ? i : i - now.length });
  return [
    ...alone.flatMap((_, i) => [
      markAt([x, ys[now.length + i]], NAMED, "ring", data.learned, look, { part: "alonemark", of: i }),
      named(now.length + i, look.muted, false, "alonename"),
    ]),
    ...data.sides.flatMap((side, i) => [
      markAt([x, ys[i]], MARK, side.shape, side.colour, look, { part: "mark", of: i }),
      named(i, side.colour, true, "name"),
    ]),
  ];
}

/**
 * Heights at least so far from each other, in the same order, as near to the given ones as that allows.
 * @param {readonly number[]} heights
 * @param {number} apart
 * @param {readonly [number, number]} within the least and the greatest, where there is room for all
 */
export function movedApart(heights, apart, [least, greatest]) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b] || a - b);
  /** Members in a row about their mean. @param {number[]} members */
  const grouped = (members) => {
    const mean = members.reduce((sum, i) => sum + heights[i], 0) / members.length, half = 0.5 * (members.length - 1) * apart;
    return { members, top: Math.max(least, Math.min(greatest - 2 * half, mean - half)) };
  };
  /** @type {ReturnType<typeof grouped>[]} */
  const groups = [];
  for (const i of order) {
    let group = grouped([i]);
    // Groups that would touch become one.
    for (let last = groups.at(-1); last && group.top - last.top < last.members.length * apart; last = groups.at(-1)) {
      groups.pop();
      group = grouped([...last.members, ...group.members]);
    }
    groups.push(group);
  }
  const placed = [...heights];
  for (const { members, top } of groups) members.forEach((i, k) => { placed[i] = top + k * apart; });
  return placed;
}

/**
 * One layer, including the direction across its axis: the word in the frames of both ends, and in the two
 * sentences.
 * @param {TrajectoryHeader} data
 * @param {Look} look
 * @param {{ box: Room, at: number, after: number, now: number[], bounds: Bounds, wide: boolean }} where
 */
function mapOf(data, look, { box, at, after, now, bounds, wide }) {
  const { size } = look, { sides, ends, map } = data;
  /** @type {TrajectoryMark[]} */
  const marks = [];
  const [left, top, right, bottom] = box;
  const seen = (/** @type {readonly number[]} */ values) => values.filter((_, i) => !data.close?.includes(i + 1)).map(Math.abs);
  const most = 1.08 * Math.max(0.5, ...map.sides.flatMap(seen), ...map.points.flatMap(({ across }) => seen(across)));
  const up = heightIn(bounds, top, bottom);
  const x = (/** @type {number} */ v) => between(left + 10, right - 10, (Math.min(Math.max(v, -most), most) + most) / (2 * most));
  const shapes = groundOf(data, look, box, up);
  if (!wide) for (const [value, name] of /** @type {[number, string][]} */ ([[1, ends.high], [-1, ends.low]])) {
    shapes.push(...endOf(name, value, look, { x: left - 8, y: nameAt(value, up, size), width: left - size, apart: up(-1) - up(1), guessed: data.guessed }));
  }
  const grey = mix(look.paper, look.ink, data.guessed ? GUESSED : 0.5), depth = Math.max(1, after);
  map.points.forEach(({ along, across, high }, i) => {
    const u = x(atDepth(across, at)), v = up(atDepth(along, at));
    shapes.push(markAt([u, v], 4.5, high ? "up" : "down", grey, look, { part: "frame", of: i }));
    if (at >= 1) marks.push({ x: u, y: v, r: 4.5, point: i, depth });
  });
  shapes.push(markAt([x(0), up(0)], at ? 4 : MARK, "ring", data.learned, look, { part: "maplearned" }));
  sides.forEach((side, i) => { // above the ring, near which a name may stand
    const u = x(atDepth(map.sides[i], at)), v = up(now[i]);
    if (at > 0) {
      shapes.push(
        { path: lineOf([[x(0), up(0)], [u, v]]), stroke: side.colour, wide: 1.4, dash: [3, 4], part: "path", of: i },
        markAt([u, v], MARK, side.shape, side.colour, look, { part: "mapmark", of: i }),
        { text: side.name, x: u + MARK + 4, y: v, size, bold: true, fill: side.colour, halo: look.paper,
          part: "mapname", of: i },
      );
    }
  });
  const title = after ? m("map of layer {layer}", { layer: after }) : data.two ? m("no axis yet") : m("all one vector");
  const high = bottom + 0.9 * size, free = (right - left - size) / 0.9 - widthOf(title, look), guess = data.guessed ? m(", a guess") : "";
  const about = [m("▲▼ the word beside its two ends{guess}", { guess }), m("▲▼ beside its ends")].find((text) => widthOf(text, look) <= free);
  shapes.push({ ...noteAt(title, left, high, look, "maptitle", "start"), fill: look.ink });
  if (about) shapes.push(noteAt(about, right, high, look, "mapabout", "end"));
  shapes.push(noteAt(fitted(m("left–right: whatever else differs"), right - left, look), (left + right) / 2, high + 1.2 * size, look, "across"));
  return { shapes, marks };
}

/**
 * An entry of the legend: a text, and the colour before it.
 * @typedef {{ text: string, colour: import("../types").Colour | null }} Entry
 */

/** The width of a row of the legend. @param {readonly Entry[]} entries @param {Look} look */
const lengthOfRow = (entries, look) => entries.reduce((sum, { text, colour }) => sum + 0.95 * widthOf(text, look) + (colour ? 3.3 : 0.9) * look.size, 0);

/**
 * The legend, a row.
 * @param {Pick<TrajectoryHeader, "ends" | "signed">} data @param {Look} look @param {number} width
 * @returns {Entry[]}
 */
function rowOf({ ends: { low, high }, signed }, look, width) {
  const [negative, positive] = signed[look.dark ? "dark" : "light"];
  const both = [{ text: high, colour: positive }, { text: low, colour: negative }];
  const first = { text: m("moved towards"), colour: null }, row = [first, ...both];
  return lengthOfRow(row, look) < width ? row : [first, ...both.map((one) => ({ ...one, text: fitted(one.text, (width - 16 * look.size) / 2, look) }))];
}

/**
 * The legend of underlines and bars: their colours. How much a word adds is said where it is pointed at.
 * @param {TrajectoryHeader} data
 * @param {Look} look
 * @param {{ after: number, y: number, width: number }} where `after`: the depth that is named
 */
function keyOf(data, look, { after, y, width }) {
  /** @type {Shape[]} */
  const shapes = [];
  if (!after || !data.sides.some(({ adds }) => adds)) return shapes;
  const { size } = look;
  let from = 0;
  for (const { text, colour } of rowOf(data, look, width)) {
    if (colour) {
      shapes.push({ rect: [from, y - 2.5, 1.6 * size, 5], fill: colour, part: "key" });
      from += 2.4 * size;
    }
    shapes.push(noteAt(text, from, y, look, "keytext", "start"));
    from += 0.95 * widthOf(text, look) + 0.9 * size;
  }
  return shapes;
}
