// The largest difference between the numbers of two pictures of one kind, which two engines have computed.
import { unpack } from "../runtime/shared.js";

// Not numbers of the model: what a visitor has chosen, the room on the page, and what only the server adds.
const LEFT_OUT = new Set(["state", "height", "autoplay", "adds", "maxima", "patterns", "notes", "id", "link"]);
const LEVELS = 255; // of a colour, where a number is sent as one byte

/**
 * The largest difference; NaN if the two pictures do not show the same things.
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
export function differenceOf(one, other) {
  const [a, b] = [one, other].map((bytes) => unpack(bytes));
  return Math.max(between(a.header, b.header), betweenValues(a.values, b.values));
}

/** @param {unknown} one @param {unknown} other @returns {number} */
function between(one, other) {
  if (typeof one === "number" && typeof other === "number") return Math.abs(one - other);
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return NaN;
    return one.reduce((most, item, i) => Math.max(most, between(item, other[i])), 0);
  }
  if (one && other && typeof one === "object" && typeof other === "object") {
    const there = new Map(Object.entries(other));
    return Object.entries(one).reduce((most, [name, value]) => (
      LEFT_OUT.has(name) || !there.has(name) ? most : Math.max(most, between(value, there.get(name)))), 0);
  }
  return typeof one === typeof other && (typeof one !== "string" || one === other) ? 0 : differs(one, other);
}

/** Labels may differ, numbers may not be missing. @param {unknown} one @param {unknown} other */
const differs = (one, other) => (typeof one === "number" || typeof other === "number" ? NaN : 0);

/** @param {ArrayLike<number>} one @param {ArrayLike<number>} other */
function betweenValues(one, other) {
  if (one.length !== other.length) return NaN;
  const scale = one instanceof Uint8Array ? LEVELS : 1;
  let most = 0;
  for (let i = 0; i < one.length; i++) {
    const gap = Math.abs(one[i] - other[i]);
    if (gap > most) most = gap;
  }
  return most / scale;
}
