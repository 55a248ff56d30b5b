// The pixels of the small maps of all heads.
/** @import { Look, Palette, RGB } from "../types" */
/** @import { OverviewHeader } from "../headers" */
/** @import { OverviewPlan } from "./maps.js" */
import { mix } from "../runtime/shared.js";
import { shares } from "../draw/cells.js";
import { hatchColour } from "../draw/hatch.js";

const APART_BY = 5; // pixels between two hatching lines

/**
 * The missing rows of the heads: a bit for each query of each head, from which follow the missing rows of
 * each map.
 */
export class Missing {
  /** Whether a head that exists lacks a row. */
  some = false;

  /**
   * @param {Pick<OverviewHeader, "layers" | "heads" | "queries" | "missingHeads" | "block">} header
   * @param {Uint8Array} bits
   * @param {number} rows of a map
   */
  constructor({ layers, heads, queries, missingHeads, block: [high] }, bits, rows) {
    const count = layers.length * heads;
    this.queries = queries;
    this.rows = rows;
    this.bits = bits;
    /** For each row of each map, whether all of its queries are missing. */
    this.blocks = new Uint8Array(count * rows);
    for (let head = 0; head < count; head++) {
      for (let r = 0; r < rows; r++) {
        let all = true;
        for (let i = r * high; i < Math.min((r + 1) * high, queries); i++) {
          const gone = this.row(head, i);
          all &&= gone;
          this.some ||= gone && !missingHeads.includes(head);
        }
        this.blocks[head * rows + r] = Number(all);
      }
    }
  }

  /** @param {number} head @param {number} query */
  row(head, query) {
    const bit = head * this.queries + query;
    return Boolean(this.bits[bit >> 3] & (1 << (bit & 7)));
  }

  /**
   * Whether all rows of a map in a range are missing; the end is exclusive.
   * @param {number} head
   * @param {number} from
   * @param {number} to
   */
  between(head, from, to) {
    return this.blocks.subarray(head * this.rows + from, head * this.rows + to).every(Boolean);
  }

  /** @param {number} head */
  whole(head) {
    return this.between(head, 0, this.rows);
  }
}

/**
 * The pixels of all maps.
 * @param {{ header: OverviewHeader, maps: Uint8Array, missing: Missing | null }} picture `maps`: those of all heads, 0 to 255
 * @param {Pick<OverviewPlan, "order" | "boxes" | "cell" | "area">} plan
 * @param {Palette} palette
 * @param {Look} look
 * @param {{ width: number, height: number }} size in pixels of the device
 * @param {number} ratio
 * @param {((head: number) => number | null) | null} flat the single colour of a map, by index; null if missing
 */
export function mapsOf({ header, maps, missing }, plan, palette, look, { width, height }, ratio, flat) {
  const image = new ImageData(width, height), out = new Uint32Array(image.data.buffer);
  const word = (/** @type {RGB} */ [r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  const colours = Uint32Array.from(palette.colours, word), edge = word(mix(look.paper, look.ink, 0.16));
  const paper = word(look.paper), line = word(hatchColour(look)), apart = Math.round(APART_BY * ratio);
  const [rows, columns] = header.maps, [left, top] = plan.area;
  const wide = Math.round(plan.cell[0] * ratio), high = Math.round(plan.cell[1] * ratio);
  const across = shares(columns, wide), down = shares(rows, high);
  const pool = header.pool === "max" ? strongestOf : meanOf, pooled = wide < columns || high < rows;
  for (const head of plan.order) {
    const corner = plan.boxes[head];
    if (!corner) continue;
    const u = Math.round((corner[0] - left) * ratio), v = Math.round((corner[1] - top) * ratio);
    for (let i = -1; i <= high; i++) {
      out.fill(edge, Math.max(0, (v + i) * width + u - 1), (v + i) * width + u + wide + 1);
    }
    const hatched = (/** @type {number} */ i) => { // slanted lines, as over missing cells elsewhere
      for (let j = 0, at = (v + i) * width + u; j < wide; j++, at++) {
        out[at] = (j + apart * high - i) % apart < ratio ? line : paper;
      }
    };
    if (flat) {
      const colour = flat(head);
      for (let i = 0; i < high; i++) {
        const at = (v + i) * width + u;
        if (colour === null) hatched(i);
        else out.fill(colours[colour], at, at + wide);
      }
      continue;
    }
    const map = maps.subarray(head * rows * columns, (head + 1) * rows * columns);
    const gone = (/** @type {number} */ r) => missing !== null && missing.between(head, r, r + 1);
    for (let i = 0, before = -1; i < high; i++) {
      if (missing?.between(head, down.from[i], down.to[i])) {
        hatched(i);
        continue;
      }
      const at = (v + i) * width + u;
      if (before >= 0 && down.from[before] === down.from[i] && down.to[before] === down.to[i]) {
        out.copyWithin(at, (v + before) * width + u, (v + before) * width + u + wide);
        continue;
      }
      before = i;
      if (pooled) {
        for (let j = 0; j < wide; j++) {
          const block = { top: down.from[i], bottom: down.to[i], left: across.from[j], right: across.to[j] };
          out[at + j] = colours[pool(map, columns, block, header.scale.root === true, gone)];
        }
      } else {
        for (let j = 0, row = down.from[i] * columns; j < wide; j++) out[at
          + j] = colours[map[row + across.from[j]]];
      }
    }
  }
  return image;
}

/**
 * Rows and columns of a map; the ends are exclusive.
 * @typedef {{ top: number, bottom: number, left: number, right: number }} Block
 */

/**
 * @param {Uint8Array} map
 * @param {number} columns
 * @param {Block} block
 */
function strongestOf(map, columns, { top, bottom, left, right }) {
  let best = 0;
  for (let r = top; r < bottom; r++) {
    for (let c = left; c < right; c++) if (map[r * columns + c] > best) best = map[r * columns + c];
  }
  return best;
}

/**
 * The mean of weights, without missing rows.
 * @param {Uint8Array} map
 * @param {number} columns
 * @param {Block} block
 * @param {boolean} root whether the numbers are the roots of the weights
 * @param {(row: number) => boolean} gone
 */
function meanOf(map, columns, { top, bottom, left, right }, root, gone) {
  let sum = 0, count = 0;
  for (let r = top; r < bottom; r++) {
    if (gone(r)) continue;
    for (let c = left; c < right; c++) sum += root ? map[r * columns + c] ** 2 : map[r * columns + c];
    count += right - left;
  }
  return Math.round(root ? Math.sqrt(sum / count) : sum / count);
}
