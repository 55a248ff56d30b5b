// Arithmetic that traces and axes share, in 64-bit floats over 32-bit numbers, as in Python.
import { fixed } from "../runtime/shared.js";
import CONSTANTS from "./constants.json" with { type: "json" };

/**
 * The inner product of two vectors of one width.
 * @param {ArrayLike<number>} a @param {ArrayLike<number>} b
 */
export function inner(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** @param {ArrayLike<number>} a */
export const lengthOf = (a) => Math.sqrt(inner(a, a));

/**
 * The cosine similarity of two vectors; 0 if one has no direction.
 * @param {ArrayLike<number>} a @param {ArrayLike<number>} b
 */
export function cosine(a, b) {
  const both = lengthOf(a) * lengthOf(b);
  return both ? inner(a, b) / both : 0;
}

/**
 * The mean of some vectors of one width.
 * @param {readonly ArrayLike<number>[]} vectors
 */
export function mean(vectors) {
  const sum = new Float64Array(vectors[0].length);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] += vector[i];
  return sum.map((x) => x / vectors.length);
}

/**
 * A number in JSON with as many digits as a 32-bit float has.
 * @param {number} x
 */
export const seven = (x) => Number(Math.fround(x).toPrecision(CONSTANTS.digits));

/**
 * A number with so many decimals, half of a unit to the even side: Python's `round`.
 * @param {number} x
 * @param {number} digits
 */
export const rounded = (x, digits) => Math.sign(x) * Number(fixed(Math.abs(x), digits));

/** @param {number} count */
export const range = (count) => [...Array(count).keys()];
