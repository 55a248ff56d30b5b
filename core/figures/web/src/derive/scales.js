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

const { light: LIGHT, dark: DARK } = /** @type {import("../headers").SignedPairs} */ (/** @type {unknown} */ (CONSTANTS.style.signed));

/**
 * The scale of signed numbers, all of which lie within it; or some of them, `within`.
 * @param {Float32Array} values @param {string} title @param {Float32Array} within @returns {import("../types").SignedScale}
 */
export function signedScale(values, title, within = values) {
  const most = within.reduce((end, x) => Math.max(end, Math.abs(x)), 0), unit = 10 ** (Math.floor(Math.log10(most)) - 1);
  const bound = most ? Number((Math.ceil(most / unit - 1e-6) * unit).toPrecision(6)) : 1;
  const beyond = values.filter((x) => Math.abs(x) > bound * (1 + 1e-6)).length;
  const notes = beyond ? [`${beyond} number${beyond === 1 ? "" : "s"} beyond ±${bound} drawn in the strongest colour`] : [];
  return { kind: "signed", bound, digits: Math.max(2, 1 - Math.floor(Math.log10(bound))), light: LIGHT, dark: DARK, title, notes };
}
