// The layout of all heads' maps in the order of a pattern: line by line, each with its name above.
/** @import { Look, Palette, Place, Shape, WeightScale } from "../types" */
/** @import { HeadOrder } from "./order.js" */
/** @import { Heads, OverviewPlan } from "./maps.js" */
import { widthOf } from "../runtime/shared.js";
import { finished, LARGEST, underHeight, whole, WIDEST } from "./maps.js";

const LETTERS = [0.86, 0.76, 0.71]; // sizes of the names above the maps, relative to other labels
const SMALLER = 0.75; // relative to the largest possible maps, so that names have room
const GAP = 5; // pixels between maps
const NAME_GAP = 3; // pixels between their names

/**
 * @typedef {object} LinesOfMaps
 * @property {number} per how many maps stand in a line
 * @property {number} wide
 * @property {number} high
 */

/**
 * The number of maps in a line for which they are large, each at least `least` pixels wide.
 * @param {HeadOrder} order
 * @param {number} width
 * @param {number} height
 * @param {number} lift pixels above each map
 * @param {number} least
 */
function gridOf({ count, perLayer }, width, height, lift, least) {
  const shape = (/** @type {number} */ per) => {
    const lines = Math.ceil(count / per), high = Math.min(LARGEST, height / lines - lift);
    const wide = Math.min(LARGEST, width / per, Math.max(WIDEST * high, least));
    return { per, wide, high: Math.min(high, WIDEST * wide), size: Math.min(wide, high) };
  };
  /** @type {(LinesOfMaps & { size: number }) | null} */
  let best = null; // first the number of heads in a layer: without much gain, nothing moves
  for (const per of [perLayer, ...Array.from({ length: count }, (_, i) => i + 1)]) {
    const grid = shape(per), fits = width / per >= least && grid.high > GAP + 1;
    if (fits && (!best || grid.size > 1.15 * best.size)) best = grid;
  }
  return best;
}

/**
 * The grid, and how names are written in it: with scores if that leaves the maps large.
 * @param {Heads} picture
 * @param {Look} look
 * @param {number} height
 * @returns {LinesOfMaps & { lift: number, names: { size: number, scored: boolean } | null }}
 */
function namedGrid({ width, order }, look, height) {
  const lift = Math.round(1.4 * LETTERS[0] * look.size); // above each map
  /** @param {number} least @param {number} above */
  const grid = (least, above) => gridOf(order, width - 3, height, above, least);
  const largest = grid(0, lift);
  const all = Array.from({ length: order.count }, (_, i) => i); // including those that are left out
  for (const scored of largest ? [true, false] : []) {
    const texts = new Set(all.map((i) => order.title(i, scored).replace(/\d/g, "0"))); // equally wide, and fewer
    for (const share of LETTERS) {
      const own = { ...look, size: share * look.size };
      const least = Math.max(...[...texts].map((text) => widthOf(text, own, true)));
      const found = grid(Math.ceil(least) + NAME_GAP, lift);
      if (found && largest && found.size >= SMALLER * largest.size) {
        return { ...found, lift, names: { size: own.size, scored } };
      }
    }
  }
  const bare = grid(0, 0) ?? { per: order.perLayer, wide: 2 * GAP, high: 2 * GAP };
  return { ...bare, lift: 0, names: null };
}

/**
 * Like `overviewPlan`; hiding heads does not change the size of the maps, so that none jumps.
 * @param {Heads} picture
 * @param {Look} look
 * @param {WeightScale} scale
 * @param {Palette} palette
 * @param {number} above
 * @param {number} ratio
 * @returns {OverviewPlan}
 */
export function sortedPlan(picture, look, scale, palette, above, ratio) {
  const { most, order } = picture, [snap, down] = whole(ratio);
  const room = most - above - underHeight(picture, look);
  const { per, wide, high, lift, names } = namedGrid(picture, look, room);
  const x = 1, top = snap(above), y = snap(above + lift);
  /** @type {[number, number]} */
  const pitch = [wide, high + lift];
  /** @type {[number, number]} */
  const cell = [down(wide - GAP), down(high - GAP)];
  /** @type {Shape[]} */
  const shapes = [];
  /** @type {(Place | null)[]} */
  const boxes = Array(order.count).fill(null);
  order.heads.forEach((head, at) => {
    const u = snap(x + (at % per) * pitch[0]), v = snap(y + Math.floor(at / per) * pitch[1]);
    boxes[head] = [u, v];
    if (names) shapes.push({
      text: order.title(head, names.scored), x: u + cell[0] / 2, y: v - 0.5 * lift - 2,
      size: names.size, bold: order.follows(head), anchor: "middle", fill: look.ink, part: "name",
      of: head,
    });
  });
  if (!order.heads.length) shapes.push({
    text: order.emptyText, x, y: y + look.size, size: 1.1 * look.size, fill: look.ink, part: "none",
  });
  const shown = Math.max(1, Math.ceil(order.heads.length / per)); // lines
  const right = x + (per - 1) * pitch[0] + cell[0], bottom = y + (shown - 1) * pitch[1] + cell[1];
  return {
    boxes, order: order.heads, per, cell, pitch, lift,
    ...finished(picture, look, scale, palette, ratio, { shapes, boxes, cell, x, top, right, bottom }),
  };
}
