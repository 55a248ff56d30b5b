// Positions of 2017: waves, the same for each model.
import { range } from "../derive/numbers.js";

/** Sines and cosines in turn: the paper's positions. @param {number} place @param {number} width @param {number} [base] */
export const sinusoid = (place, width, base = 10000) =>
  range(width).map((i) => (i % 2 ? Math.cos : Math.sin)(place / base ** ((2 * Math.floor(i / 2)) / width)));
