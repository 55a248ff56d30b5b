// What an embedded page of Next word shows before it has a model: plain bars (`core/figures/bars.py`).
/** @import { BarsHeader } from "../headers" */
/** @import { NextwordState } from "../states" */
/** @import { Made } from "../derive/packed.js" */
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { spelled } from "../derive/labels.js";
import { floats } from "../derive/packed.js";
import { shaped } from "../derive/sampling.js";
import { HUE } from "../derive/scales.js";
import { sentence as words } from "../derive/sentences.js";

const { shown: SHOWN, bars: { row: ROW, around: AROUND } } = CONSTANTS.nextWord; // rows, pixels
const SIGNED = /** @type {BarsHeader["signed"]} */ (/** @type {unknown} */ (CONSTANTS.style.signed));

/**
 * The likeliest next tokens and all others as plain bars, as they would be drawn: a picture of a few hundred bytes.
 * @param {Float32Array} logits of all tokens, the largest first
 * @param {readonly string[]} texts the first of them as they are written in a text
 * @param {NextwordState} sampling @param {string} sentence
 * @returns {Made<BarsHeader>}
 */
export function likeliestBars(logits, texts, sampling, sentence) {
  const { probabilities, kept, mass } = shaped(logits, sampling), shown = Math.min(SHOWN, texts.length);
  const values = Float32Array.from({ length: shown }, (_, i) => (i < kept ? probabilities[i] / mass : 0));
  const rest = Math.max(0, 1 - values.reduce((sum, value) => sum + value, 0));
  /** @type {BarsHeader} */
  const header = {
    labels: [...texts.slice(0, shown).map(spelled), words("embed.others")], unit: "probability", kind: "weights", hue: HUE, signed: SIGNED, fromZero: false,
    names: null, notes: [], chosen: null, most: null, number: { digits: 3, plus: false }, height: ROW * (shown + 1) + AROUND, dtype: "float32",
    sentence, file: "polysee-next-word",
  };
  return { module: "bars", header, payload: floats([Float32Array.of(...values, rest)]) };
}
