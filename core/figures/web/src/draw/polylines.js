// Lines as SVG paths. Null is a gap.
/** @import { Place } from "../types" */

/** Rounds to hundredths of a pixel. @param {number} x */
export const hundredths = (x) => +x.toFixed(2);
/** A place in the syntax of SVG paths. @param {Place} place */
export const written = ([x, y]) => `${hundredths(x)} ${hundredths(y)}`;

/**
 * The parts of a line between gaps.
 * @param {readonly (Place | null)[]} places
 */
export function unbroken(places) {
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
 * A line with gaps; a part with a single place is a dot.
 * @param {readonly (Place | null)[]} places
 */
export const lineOf = (places) =>
  unbroken(places).map((part) => `M${(part.length > 1 ? part : [part[0], part[0]]).map(written).join("L")}`).join("");
