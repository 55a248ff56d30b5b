// Lines as SVG paths. Null is a gap.
/** @import { Place } from "../types" */

/** @param {number} x */
export const n = (x) => +x.toFixed(2);
/** @param {Place} place */
export const to = ([x, y]) => `${n(x)} ${n(y)}`;

/**
 * The parts of a line between its gaps.
 * @param {readonly (Place | null)[]} places
 */
export function whole(places) {
  const parts = [];
  /** @type {Place[]} */
  let part = [];
  for (const place of [...places, null]) {
    if (place) part.push(place);
    else if (part.length) {
      parts.push(part);
      part = [];
    }
  }
  return parts;
}

/**
 * A line with gaps; a part of one place alone is a dot.
 * @param {readonly (Place | null)[]} places
 */
export const lineOf = (places) =>
  whole(places).map((part) => `M${(part.length > 1 ? part : [part[0], part[0]]).map(to).join("L")}`).join("");
