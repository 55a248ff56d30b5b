// The arithmetic of a map of words: what is seen of it, which words lie inside a lasso, where names have room.
/** @import { Box, Room } from "../types" */
export const WHOLE = 1000; // a lasso's corners are in so many parts of the map
export const FINE = 100_000; // the middle of a view is in so many parts
export const MOST_ZOOM = 64;
const MOST_CORNERS = 40;

/** The left, lower, right and upper end. @typedef {readonly [number, number, number, number]} Bounds */
/** The middle, in shares of the bounds, and the magnification. @typedef {{ x: number, y: number, zoom: number }} View */

/** @type {View} */
export const ALL = { x: 0.5, y: 0.5, zoom: 1 };

/**
 * A view as a state holds it; null for the whole map.
 * @param {View} view
 * @returns {[number, number, number] | null}
 */
export function packed({ x, y, zoom }) {
  if (zoom === 1 && x === 0.5 && y === 0.5) return null;
  return [Math.round(x * FINE), Math.round(y * FINE), Math.round(zoom * 100)];
}

/** @param {readonly number[] | null} state @returns {View} */
export const unpacked = (state) => (state ? { x: state[0] / FINE, y: state[1] / FINE, zoom: state[2] / 100 } : ALL);

/** A view within the map. @param {View} view @returns {View} */
export function held({ x, y, zoom }) {
  const by = Math.min(MOST_ZOOM, Math.max(1, zoom)), half = 0.5 / by;
  const within = (/** @type {number} */ at) => Math.min(1 - half, Math.max(half, at));
  return { x: within(x), y: within(y), zoom: by };
}

/**
 * From numbers to pixels of a box, with the same scale on both axes: u = x · scale + left, v = top − y · scale.
 * @param {Bounds} bounds
 * @param {Box} box
 * @param {View} view
 */
export function scaleOf([left, bottom, right, top], [x, y, width, height], view) {
  const scale = view.zoom * Math.min(width / (right - left), height / (top - bottom));
  const middle = [left + view.x * (right - left), bottom + view.y * (top - bottom)];
  return { scale, left: x + width / 2 - middle[0] * scale, top: y + height / 2 + middle[1] * scale };
}

/**
 * The view in which a pixel stays where it is while the magnification changes.
 * @param {Bounds} bounds
 * @param {Box} box
 * @param {View} view
 * @param {readonly [number, number]} at pixels
 * @param {number} by
 */
export function zoomed(bounds, box, view, [u, v], by) {
  const zoom = Math.min(MOST_ZOOM, Math.max(1, view.zoom * by)), [left, bottom, right, top] = bounds;
  const was = scaleOf(bounds, box, view), is = scaleOf(bounds, box, { ...view, zoom });
  const x = (u - was.left) / was.scale, y = (was.top - v) / was.scale;
  const off = [x - (u - is.left) / is.scale, y - (is.top - v) / is.scale];
  return held({ x: view.x + off[0] / (right - left), y: view.y + off[1] / (top - bottom), zoom });
}

/**
 * The corners of a lasso in parts of the map, x and y in turn; not too many for a link. Null for a mere click.
 * @param {readonly (readonly [number, number])[]} line numbers of the map
 * @param {Bounds} bounds
 */
export function lassoOf(line, [left, bottom, right, top]) {
  const every = Math.max(1, Math.ceil(line.length / MOST_CORNERS));
  const within = (/** @type {number} */ share) => Math.min(WHOLE, Math.max(0, Math.round(share * WHOLE)));
  const corners = line.filter((_, i) => i % every === 0)
    .flatMap(([x, y]) => [within((x - left) / (right - left)), within((y - bottom) / (top - bottom))]);
  return corners.length < 6 ? null : corners;
}

/**
 * Whether a position lies inside a closed line, by the even–odd rule; the same as `core.figures.word_map.inside`.
 * @param {readonly number[]} lasso
 * @param {number} x in parts of the map
 * @param {number} y
 */
export function isInside(lasso, x, y) {
  let found = false;
  for (let i = 0, j = lasso.length - 2; i < lasso.length; j = i, i += 2) {
    const ax = lasso[i], ay = lasso[i + 1], bx = lasso[j], by = lasso[j + 1];
    if ((ay > y) !== (by > y) && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) found = !found;
  }
  return found;
}

/**
 * The pixels of a mark, as pairs of an offset from its middle in an image and its opacity of 256.
 * @param {number} radius in pixels of the image
 * @param {number} across pixels of a line of the image
 * @param {number} opacity 0 to 1
 */
export function stampOf(radius, across, opacity) {
  const reach = Math.ceil(radius), found = [];
  for (let v = -reach; v <= reach; v++) {
    for (let u = -reach; u <= reach; u++) {
      const share = Math.round(256 * opacity * Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(u, v))));
      if (share) found.push(4 * (v * across + u), share);
    }
  }
  return { reach, pixels: Int32Array.from(found) };
}

/**
 * The pixels of such a mark that are covered by more than so much, as offsets in whole pixels.
 * @param {Int32Array} pixels of `stampOf`
 * @param {number} least of 256
 */
export const solidOf = (pixels, least) =>
  Int32Array.from({ length: pixels.length / 2 }, (_, i) => i).filter((i) => pixels[2 * i + 1] > least).map((i) => pixels[2 * i] / 4);

/** The points of one map among those of all: the first of its words, and their number.
 * @typedef {{ at: Float32Array, of: Uint8Array, from: number, count: number }} Points */

/**
 * Marks with sharp edges, each in one colour: those of the first words are painted last and lie in front. Of words
 * that are searched, `bits` says which; only those with `wanted` are painted.
 * @param {Uint32Array} whole the image, a number for each pixel
 * @param {number} across pixels of a line of the image
 * @param {Points} points
 * @param {{ scale: number, left: number, top: number }} place from numbers to pixels of the image
 * @param {readonly [number, number, number, number]} room the pixels in which the middle of a mark may lie: left, top, right, bottom
 * @param {Int32Array} stamp the pixels of a mark, as offsets from its middle
 * @param {Uint32Array} tints of each group
 * @param {{ bits: Uint8Array, wanted: number } | null} chosen
 */
export function stamped(whole, across, { at, of, from, count }, { scale, left, top }, [x0, y0, x1, y1], stamp, tints, chosen) {
  const wide = stamp.length, l = x0 - 0.5, r = x1 + 0.5, t = y0 - 0.5, b = y1 + 0.5;
  for (let i = count - 1; i >= 0; i--) {
    if (chosen && chosen.bits[i] !== chosen.wanted) continue;
    const k = from + i, x = left + at[2 * k] * scale, y = top - at[2 * k + 1] * scale;
    if (!(x >= l && x < r && y >= t && y < b)) continue; // a word that this map lacks has no number
    const middle = ((y + 0.5) | 0) * across + ((x + 0.5) | 0), tint = tints[of[k]];
    for (let p = 0; p < wide; p++) whole[middle + stamp[p]] = tint;
  }
}

/** A colour as a number of an image. @param {readonly number[]} rgb */
export const pixelOf = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

/**
 * Names that have room above their points, those first that come first.
 * @param {Iterable<{ of: number, x: number, y: number, wide: number }>} candidates
 * @param {number} high
 * @param {Room} room
 * @param {number} most
 */
export function named(candidates, high, [left, top, right, bottom], most) {
  /** @type {{ of: number, x: number, y: number, box: Room }[]} */
  const found = [];
  for (const { of, x, y, wide } of candidates) {
    if (found.length >= most) break;
    const from = Math.min(Math.max(x - wide / 2, left), right - wide), over = y - high - 3 >= top ? y - high - 3 : y + 3;
    /** @type {Room} */
    const box = [from - 3, over, from + wide + 3, over + high];
    if (from < left || box[3] > bottom) continue;
    if (found.some((one) => box[0] < one.box[2] && one.box[0] < box[2] && box[1] < one.box[3] && one.box[1] < box[3])) continue;
    found.push({ of, x: from + wide / 2, y: over + high / 2, box });
  }
  return found;
}
