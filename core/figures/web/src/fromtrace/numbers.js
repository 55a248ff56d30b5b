// Arithmetic that traces and axes share, in 64-bit floats over 32-bit numbers, as in Python.
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
export function rounded(x, digits) {
  const near = Number(x.toFixed(digits)), unit = 10 ** digits, size = Math.abs(x) * unit;
  if ((2 * size) % 2 !== 1) return near;
  // The product may itself be rounded: whether a 5 alone is left over is what the digits say.
  const left = Math.abs(x).toFixed(100).split(".")[1].slice(digits);
  if (left !== "5".padEnd(left.length, "0")) return near;
  const below = Math.floor(size);
  return Math.sign(x) * Number(((below + (below % 2)) / unit).toFixed(digits));
}

/** @param {number} count */
export const range = (count) => [...Array(count).keys()];
