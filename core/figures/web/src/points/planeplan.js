// The layout of a picture of moving points: trails, marks and names in their frame.
/** @import { PointHeader } from "../headers" */
/** @import { Look, MarksPlan, Place, Room, Shape } from "../types" */
/** @import { Found, Obstacle, Side } from "../draw/placing" */
/** @import { Plane } from "./plane" */
import { fitted, mix, widthOf } from "../runtime/shared.js";
import { markAt } from "../draw/paths.js";
import { lineOf } from "../draw/polylines.js";
import { BAR, frameOf } from "./planeframe.js";
import { PAD, anchored, beside, dotted, E, N, NE, NW, S, SE, SW, W } from "../draw/placing.js";

const REACH = { circle: 6, square: 6, diamond: 7, ring: 5.5, left: 4.5, right: 4.5 }; // pixels
/** @type {Readonly<Record<string, readonly Side[]>>} */
const SIDES = {
  left: [W, NW, SW, N, S, E, NE, SE],
  right: [E, NE, SE, N, S, W, NW, SW],
  else: [N, E, W, S, NE, NW, SE, SW],
};

/** The position of each point; null if it has none. @typedef {readonly (Place | null)[]} Spots */

/**
 * The complete layout.
 * @param {Plane} picture
 * @param {Look} look
 * @param {Float32Array} at the coordinates to draw, (points, 2), possibly on their way to those of the depth
 * @param {boolean} saved whether to write the depth in place of the slider
 * @returns {MarksPlan}
 */
export function planeOf(picture, look, at, saved = false) {
  const { header, state: { depth } } = picture, { points, moments } = header;
  const { room, shapes, foot, spot } = frameOf(picture, look);
  const spots = (/** @type {Float32Array} */ places) => points.map((_, i) =>
    (Number.isNaN(places[2 * i]) ? null : spot(places[2 * i], places[2 * i + 1])));
  const now = spots(at), then = spots(picture.placesAt(depth)), first = spots(picture.placesAt(0));
  const before = Array.from({ length: depth }, (_, d) => spots(picture.placesAt(d)));
  const r = points.map(({ mark }) => REACH[mark]);
  const drawn = [...points.keys()].sort((a, b) => Number(points[a].bold ?? 0) - Number(points[b].bold ?? 0));
  for (const i of drawn) {
    if (points[i].trail) shapes.push(...trailOf(before.map((places) => places[i]), now[i], points[i], i));
    const from = first[i], to = now[i];
    if (points[i].dashed && from && to) {
      shapes.push({ path: lineOf([from, to]), stroke: points[i].colour, wide: 1.8, dash: [6, 5], part: "dashed", of: i });
    }
  }
  for (const i of drawn) {
    const { mark, colour } = points[i], place = now[i];
    if (place) shapes.push(markAt(place, r[i], mark, colour, look, { part: "mark", of: i }));
  }
  shapes.push(...namesOf(header, look, { now, then, first, before, r, room }), ...foot.shapes);
  if (saved) {
    shapes.push({
      text: moments[depth], x: 0, y: (BAR * look.size) / 2, size: look.size, bold: true, fill: look.ink,
      part: "moment",
    });
  }
  return {
    shapes, bar: foot.bar, end: picture.width,
    area: [room[0], room[1], room[2] - room[0], room[3] - room[1]],
    marks: now.map((place, i) => place && { x: place[0], y: place[1], r: r[i] }),
  };
}

/**
 * @param {Spots} places the earlier ones
 * @param {Place | null} now
 * @param {PointHeader} point
 * @param {number} of
 */
function trailOf(places, now, { colour }, of) {
  const dots = places.filter((place) => place !== null).map((place) => lineOf([place])).join("");
  /** @type {Shape[]} */
  const shapes = [{ path: lineOf([...places, now]), stroke: colour, wide: 1.2, part: "trail", of }];
  if (dots) shapes.push({ path: dots, stroke: colour, wide: 4.5, part: "dots", of });
  return shapes;
}

/**
 * Names beside the points, placed for the points' final positions, and moving with them.
 * @param {{ points: readonly PointHeader[] }} header
 * @param {Look} look
 * @param {{ now: Spots, then: Spots, first: Spots, before: Spots[], r: number[], room: Room }} where
 */
function namesOf({ points }, look, { now, then, first, before, r, room }) {
  const { size } = look;
  /** @type {Place[]} */
  const lines = [];
  /** @type {Obstacle[]} */
  const taken = [];
  const far = then.map((place, i) => Math.max(...then.map((other, j) =>
    (place && other && Math.hypot(place[0] - other[0], place[1] - other[1]) < 1 ? r[j] : r[i]))));
  points.forEach((point, i) => {
    const place = then[i];
    if (!place) return;
    const [x, y] = place, reach = r[i] + 1;
    taken.push({ box: [x - reach, y - reach, x + reach, y + reach], of: i });
    const from = first[i];
    if (point.dashed && from) lines.push(...dotted(from, place));
    if (point.trail) {
      const way = [...before.map((places) => places[i]), place].filter((one) => one !== null);
      way.slice(1).forEach((end, k) => lines.push(...dotted(way[k], end)));
    }
  });
  const named = points.flatMap((point, i) => {
    const end = then[i], here = now[i];
    return end && here ? [{ point, i, end, here }] : [];
  }).sort((a, b) => Number(b.point.bold ?? 0) - Number(a.point.bold ?? 0) || a.i - b.i);
  const texts = points.map(({ name, bold }) => fitted(name, 0.3 * (room[2] - room[0]), look, bold));
  const found = beside(named.map(({ point, i, end: [x, y] }) => ({
    x, y, r: far[i], of: i, first: point.bold, sides: SIDES[point.mark] ?? SIDES.else,
    wide: widthOf(texts[i], look, point.bold) + 2 * PAD, high: 1.15 * size,
  })), taken, lines, room);
  return named.flatMap(({ point, i, end, here }, k) => {
    const place = found[k];
    return place ? nameAt(point, texts[i], place, [here[0] - end[0], here[1] - end[1]], look, i) : [];
  });
}

/**
 * A name and its leader.
 * @param {PointHeader} point
 * @param {string} text
 * @param {Found} place
 * @param {Place} by the offset of its point from the final position
 * @param {Look} look
 * @param {number} of
 * @returns {Shape[]}
 */
function nameAt({ bold, colour }, text, { box, side, leader }, by, look, of) {
  /** @param {Place} place @returns {Place} */
  const moved = ([left, top]) => [left + by[0], top + by[1]];
  const { at, anchor } = anchored(box, side), [x, y] = moved([at, (box[1] + box[3]) / 2]);
  /** @type {Shape} */
  const name = {
    text, x, y, size: look.size, bold, anchor, fill: bold ? colour : look.muted, halo: look.paper, part: "name", of,
  };
  const stroke = mix(look.paper, look.ink, 0.4);
  return leader ? [{ path: lineOf(leader.map(moved)), stroke, part: "leader", of }, name] : [name];
}
