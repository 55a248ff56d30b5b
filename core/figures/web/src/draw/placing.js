// The placement of words: beside points, above each other, along and below an axis.
/** @import { Look, Place, Room, TextShape } from "../types" */
/**
 * The side of its point on which a label is: −1, 0 or 1 to the right and down.
 * @typedef {readonly [-1 | 0 | 1, -1 | 0 | 1]} Side
 */
/**
 * A point with a label to be placed.
 * @typedef {object} Label
 * @property {number} x
 * @property {number} y
 * @property {number} r the radius of its mark
 * @property {number} wide
 * @property {number} high
 * @property {number | string} of
 * @property {readonly Side[]} sides the best first
 * @property {boolean} [first] whether it is always placed before the others
 */
/** What a label must not cover. @typedef {{ box: Room, of?: number | string }} Obstacle */
/** From a point to its label. @typedef {[Place, Place]} Leader */
/** The place of a label. @typedef {{ cost: number, box: Room, side: Side, leader: Leader | null, way: Place[] }} Found */
import { SAVE_ROOM, fitted, rounded, widthOf, wrapped } from "../runtime/shared.js";

/** @param {Room} a @param {Room} b */
export const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
/** @param {Room} box @param {Place} place */
const holds = ([left, top, right, bottom], [x, y]) => left < x && x < right && top < y && y < bottom;

export const PAD = 2; // pixels by which a label's box is wider than the label, at either end
/** @satisfies {Record<string, Side>} */
const SIDES = /** @type {const} */ ({
  E: [1, 0], W: [-1, 0], N: [0, -1], S: [0, 1], NE: [1, -1], SE: [1, 1], SW: [-1, 1], NW: [-1, -1],
});
export const { E, W, N, S, NE, SE, SW, NW } = SIDES;
const CROSSED = 3; // a line under a label costs as much as a side this much later in its list
const SAME = 4; // pixels: points no farther apart count as one place
const TIERS = 3; // the most lines of text between a label and its point
const TRIES = 6; // labels without a place go first in the next try

/**
 * The box of a label on one side of its point, `tier` lines of text farther away than the nearest position.
 * @param {Label} label
 * @param {Side} side
 * @param {number} tier
 * @returns {Room}
 */
function onSide({ x, y, r, wide, high }, [u, v], tier) {
  const away = u && v ? 0.7 * r + 1 : r + 3, farther = tier * 1.2 * high; // a corner of its box is empty
  const left = x + u * (v && tier ? 0 : away - PAD + (v ? 0 : farther)) + ((u - 1) / 2) * wide;
  const top = y + v * (farther + (u ? away - 1 : away)) + ((v - 1) / 2) * high;
  return [left, top, left + wide, top + high];
}

/**
 * The line from a point to a label at a distance; null for one right beside it.
 * @param {Label} label
 * @param {Side} side
 * @param {Room} box
 * @param {number} tier
 * @returns {Leader | null}
 */
function leaderOf({ x, y, r }, [u, v], [left, top, right, bottom], tier) {
  if (!tier) return null;
  return v
    ? [[x, y + v * (r + 1)], [x, v < 0 ? bottom : top]]
    : [[x + u * (r + 1), y], [u < 0 ? right : left, y]];
}

/**
 * For each label, the side of its point where it avoids everything that is `taken` and the other labels, or
 * null. If there is no room beside the point, the label is a few lines of text away, with a line leading to
 * it.
 * @param {readonly Label[]} labels the most important first
 * @param {readonly Obstacle[]} taken a label's own point is not an obstacle to it
 * @param {readonly Place[]} lines points of lines, which a label avoids if possible
 * @param {Room} room the box that contains all labels
 * @param {number} tiers
 */
export function beside(labels, taken, lines, room, tiers = TIERS) {
  let order = [...labels.keys()], most = -1;
  /** @type {(Found | null)[]} */
  let best = [];
  for (let i = 0; i < TRIES && most < labels.length; i++) {
    const found = inOrder(order.map((k) => labels[k]), taken, lines, room, tiers);
    const placed = found.filter(Boolean).length;
    if (placed > most) {
      most = placed;
      best = labels.map((_, k) => found[order.indexOf(k)]);
    }
    const first = (/** @type {number} */ k) => (labels[k].first ? 0 : found[order.indexOf(k)] ? 2 : 1);
    order = order.toSorted((a, b) => first(a) - first(b));
  }
  return best;
}

/**
 * Places each label in turn on the best remaining side.
 * @param {readonly Label[]} labels
 * @param {readonly Obstacle[]} taken
 * @param {readonly Place[]} lines
 * @param {Room} room
 * @param {number} tiers
 */
function inOrder(labels, taken, lines, room, tiers) {
  const full = [...taken];
  /** @type {Place[]} */
  const led = [];
  return labels.map((label) => {
    const at = (/** @type {Room} */ [left, top, right, bottom]) =>
      Math.hypot((left + right) / 2 - label.x, (top + bottom) / 2 - label.y) < SAME;
    /** @type {Found | null} */
    let best = null;
    for (let tier = 0; tier < tiers && !best; tier++) {
      for (const [rank, side] of label.sides.entries()) {
        const box = onSide(label, side, tier), leader = leaderOf(label, side, box, tier);
        if (box[0] < room[0] || box[1] < room[1] || box[2] > room[2] || box[3] > room[3]) continue;
        const others = full.filter(({ of }) => of !== label.of);
        if (others.some((other) => meet(box, other.box)) || led.some((place) => holds(box, place))) continue;
        const way = leader ? dotted(...leader) : [];
        // A leader crosses obstacles at the very place of the point.
        if (others.some(({ box: other }) => !at(other) && way.some((place) => holds(other, place)))) continue;
        const cost = rank + CROSSED * lines.filter((place) => holds(box, place)).length;
        if (!best || cost < best.cost) best = { cost, box, side, leader, way };
      }
    }
    if (best) {
      full.push({ box: best.box });
      led.push(...best.way);
    }
    return best;
  });
}

/**
 * The text anchor of a label within its box, on the side next to its point.
 * @param {Room} box
 * @param {Side} side
 * @returns {{ at: number, anchor: "start" | "middle" | "end" }}
 */
export function anchored([left, , right], [u]) {
  if (u < 0) return { at: right - PAD, anchor: "end" };
  return u ? { at: left + PAD, anchor: "start" } : { at: (left + right) / 2, anchor: "middle" };
}

/**
 * Closely spaced places along a straight line, including both ends.
 * @param {Place} from
 * @param {Place} to
 * @returns {Place[]}
 */
export function dotted(from, to) {
  const count = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 5) || 1;
  const at = (/** @type {0 | 1} */ axis, /** @type {number} */ k) => from[axis] + ((to[axis] - from[axis]) * k) / count;
  return Array.from({ length: count + 1 }, (_, k) => [at(0, k), at(1, k)]);
}

/**
 * Heights as near as possible to the wanted ones and at least `step` apart, between `top` and `bottom`;
 * null for those at the end for which there is no room.
 * @param {readonly number[]} wanted
 * @param {number} step
 * @param {number} top
 * @param {number} bottom
 */
export function apart(wanted, step, top, bottom) {
  const most = Math.max(1, Math.floor((bottom - top) / step) + 1);
  const order = [...wanted.keys()].slice(0, most).sort((a, b) => wanted[a] - wanted[b] || a - b);
  /** @type {Neighbours[]} */
  const blocks = []; // of adjacent labels: their centre is the mean of the wanted heights
  for (const i of order) {
    let block = { all: [i], sum: wanted[i] };
    const meets = (/** @type {Neighbours} */ before) => start(before, step, top, bottom)
      + before.all.length * step > start(block, step, top, bottom) - 1e-9;
    for (let before = blocks.at(-1); before && meets(before); before = blocks.at(-1)) {
      blocks.pop();
      block = { all: [...before.all, ...block.all], sum: before.sum + block.sum };
    }
    blocks.push(block);
  }
  /** @type {(number | null)[]} */
  const found = wanted.map(() => null);
  for (const block of blocks) {
    block.all.forEach((i, k) => { found[i] = start(block, step, top, bottom) + k * step; });
  }
  return found;
}

/**
 * Adjacent labels: their indices, and the sum of their wanted heights.
 * @typedef {{ all: number[], sum: number }} Neighbours
 */

/**
 * The height of the first one.
 * @param {Neighbours} block
 * @param {number} step
 * @param {number} top
 * @param {number} bottom
 */
function start({ all, sum }, step, top, bottom) {
  const first = sum / all.length - ((all.length - 1) * step) / 2;
  return Math.max(top, Math.min(first, bottom - (all.length - 1) * step));
}

/**
 * Which labels of an axis to show without overlaps: all; otherwise, for numbers, the multiples of 2, 5, 10,
 * 20, …, and the last one if there is room; otherwise as many as fit, the ends first.
 * @param {readonly number[]} middles
 * @param {readonly string[]} texts
 * @param {Look} look
 * @param {number} gap
 */
export function along(middles, texts, look, gap = 4) {
  const half = texts.map((text) => (widthOf(text, look) + gap) / 2);
  const clear = (/** @type {number} */ i, /** @type {number} */ j) =>
    Math.abs(middles[i] - middles[j]) >= half[i] + half[j];
  const free = (/** @type {number[]} */ kept) => kept.every((i, k) => !k || clear(i, kept[k - 1]));
  const named = [...texts.keys()].filter((i) => texts[i]);
  if (free(named)) return named;
  const numbers = texts.map((text) => Number(text.replaceAll(",", "")));
  const most = Math.max(...numbers.filter((number) => !Number.isNaN(number)));
  for (let by = 2; 2 * by <= most; by = rounded(1.01 * by)) {
    const kept = named.filter((i) => Number.isNaN(numbers[i]) || numbers[i] % by === 0);
    if (!free(kept)) continue;
    const last = named[named.length - 1];
    return kept.includes(last) || !clear(last, kept[kept.length - 1]) ? kept : [...kept, last];
  }
  /** @type {number[]} */
  const shown = [];
  for (const i of new Set([named[0], named[named.length - 1], ...named])) {
    if (shown.every((j) => clear(i, j))) shown.push(i);
  }
  return shown;
}

export const LINE = 1.3; // the height of a line of text, in multiples of its letter size

/**
 * The title below a picture, beside the button of its menu; `top` is its top.
 * @param {string} title
 * @param {Look} look
 * @param {{ width: number, height: number }} picture
 * @param {number} middle
 */
export function footOf(title, look, { width, height }, middle) {
  const { size } = look, most = width - SAVE_ROOM - 6, texts = wrapped(title, most, look, 2);
  const last = height - 0.95 * size, first = last - (texts.length - 1) * LINE * size;
  const half = Math.max(...texts.map((text) => widthOf(text, look))) / 2;
  const x = Math.max(half, Math.min(middle, most - half));
  /** @type {TextShape[]} */
  const shapes = texts.map((text, i) => ({
    text, x, y: first + i * LINE * size, size, anchor: "middle", fill: look.muted, part: "title",
  }));
  return { shapes, bar: last - 0.85 * size, top: first - 0.65 * size };
}

/**
 * The names of values at the left of a picture, and their width.
 * @param {readonly string[]} names
 * @param {Look} look
 * @param {number} width
 */
export function namesAtLeft(names, look, width) {
  const texts = names.map((name) => fitted(name, 0.28 * width, look));
  return { texts, wide: Math.max(0, ...texts.map((text) => widthOf(text, look))) };
}
