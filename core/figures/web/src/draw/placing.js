// Where words go: beside points, above each other, along and under an axis.
/** @import { Look, Place, Room, TextShape } from "../types" */
/** On which side of its point a label stands: −1, 0 or 1 across and down. @typedef {readonly [-1 | 0 | 1, -1 | 0 | 1]} Side */
/**
 * A point with a label that looks for its place.
 * @typedef {object} Label
 * @property {number} x
 * @property {number} y
 * @property {number} r how far its mark reaches
 * @property {number} wide
 * @property {number} high
 * @property {number | string} of
 * @property {readonly Side[]} sides the best before others
 * @property {boolean} [first] whether it comes always before those that are not
 */
/** What a label may not lie on. @typedef {{ box: Room, of?: number | string }} Obstacle */
/** From a point to its label. @typedef {[Place, Place]} Leader */
/** Where a label stands. @typedef {{ cost: number, box: Room, side: Side, leader: Leader | null, way: Place[] }} Found */
import { SAVE_ROOM, fitted, rounded, widthOf, wrapped } from "../runtime/shared.js";

/** @param {Room} a @param {Room} b */
export const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
/** @param {Room} box @param {Place} place */
const holds = ([left, top, right, bottom], [x, y]) => left < x && x < right && top < y && y < bottom;

export const PAD = 2; // pixels that a label's box is wider than the label, at either end
/** @satisfies {Record<string, Side>} */
const SIDES = /** @type {const} */ ({
  E: [1, 0], W: [-1, 0], N: [0, -1], S: [0, 1], NE: [1, -1], SE: [1, 1], SW: [-1, 1], NW: [-1, -1],
});
export const { E, W, N, S, NE, SE, SW, NW } = SIDES;
const CROSSED = 3; // a line under a label is as bad as a side this much later in its list
const SAME = 4; // pixels: points no farther apart stand at one place
const TIERS = 3; // how many lines of text away from its point a label may stand
const TRIES = 6; // those that found no place go first the next time

/**
 * The box of a label on one side of its point, `tier` lines of text farther away than right beside it.
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
 * From a point to a label that stands apart from it; null for one beside it.
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
 * For each label the side of its point where it is clear of all that is `taken` and of the other
 * labels, or null. Where there is no room beside the point, it stands a few
 * lines of text away and is led to by a line.
 * @param {readonly Label[]} labels the most important before others
 * @param {readonly Obstacle[]} taken what belongs to a label's own point is no obstacle to it
 * @param {readonly Place[]} lines points of lines, which a label avoids where it can
 * @param {Room} room the box in which all labels stay
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
 * Each label in turn on the best side that is left.
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
        // What stands at the very place of the point is crossed on the way out of it.
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
 * Where in its box a label's text begins, ends or has its middle: next to its point.
 * @param {Room} box
 * @param {Side} side
 * @returns {{ at: number, anchor: "start" | "middle" | "end" }}
 */
export function anchored([left, , right], [u]) {
  if (u < 0) return { at: right - PAD, anchor: "end" };
  return u ? { at: left + PAD, anchor: "start" } : { at: (left + right) / 2, anchor: "middle" };
}

/**
 * Places along a straight line, close to each other, both ends among them.
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
 * Heights as near as can be to the wanted ones and at least `step` apart, between `top` and `bottom`;
 * null for those after the first so many that there is room for.
 * @param {readonly number[]} wanted
 * @param {number} step
 * @param {number} top
 * @param {number} bottom
 */
export function apart(wanted, step, top, bottom) {
  const most = Math.max(1, Math.floor((bottom - top) / step) + 1);
  const order = [...wanted.keys()].slice(0, most).sort((a, b) => wanted[a] - wanted[b] || a - b);
  /** @type {Neighbours[]} */
  const blocks = []; // of neighbours that touch: their middle is where they want to be on average
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
 * Labels that touch: which, and the sum of the heights that they want.
 * @typedef {{ all: number[], sum: number }} Neighbours
 */

/**
 * The height of the first of them.
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
 * Which labels along an axis to show so that none meets another: all of them; else of the numbers among
 * them the multiples of 2, 5, 10, 20, …, and the last one if it keeps clear; else as many as there is
 * room for, the ends first.
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

export const LINE = 1.3; // a line of text, in sizes of its letters

/**
 * The title under a picture beside its menu's button; `top` is where it begins.
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
 * The names of values at the left of a picture, and the width that they take.
 * @param {readonly string[]} names
 * @param {Look} look
 * @param {number} width
 */
export function namesAtLeft(names, look, width) {
  const texts = names.map((name) => fitted(name, 0.28 * width, look));
  return { texts, wide: Math.max(0, ...texts.map((text) => widthOf(text, look))) };
}
