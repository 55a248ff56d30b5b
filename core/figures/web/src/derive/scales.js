// The colour scale of attention weights: `core/figures/scales.py`.
/** @import { RGB, WeightScale } from "../types" */
import CONSTANTS from "./constants.json" with { type: "json" };

const { linearUpTo: LINEAR_UP_TO, titles: [LINEAR, ROOT] } = CONSTANTS.scale;

/** Whether the weights of so many tokens are coloured by their square root. @param {number} count */
export const isRoot = (count) => count > LINEAR_UP_TO;

/** @type {RGB} */
export const HUE = /** @type {[number, number, number]} */ (CONSTANTS.style.hue);

/** @param {number} count @returns {WeightScale} */
export const weightScale = (count) => ({
  kind: "weights", root: isRoot(count), hue: HUE, title: isRoot(count) ? ROOT : LINEAR,
});
