// The sentences about a model that learns a text: `pages/training/own_text/captions.py`.
/** @import { Copied } from "./copies.js" */
/** @import { Pause } from "./training.js" */
import { percent, plain, sentence } from "../derive/sentences.js";
import { fixed } from "../runtime/shared.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { sentenceAround } from "./copies.js";

const whole = (/** @type {number} */ number) => number.toLocaleString("en-US");

/**
 * Bits a letter of the held-out text beside the 5-gram, and whether the model overfits (Markdown).
 * @param {readonly Pause[]} pauses up to the one that is told @param {number} gram
 */
export function headline(pauses, gram) {
  const pause = pauses[pauses.length - 1], gap = Number(fixed(pause.held, 2)) - Number(fixed(gram, 2));
  const beside = sentence("own-text.beside", { held: fixed(pause.held, 2), gram: fixed(gram, 2) });
  if (!pause.step) return sentence("own-text.before", { beside });
  const kind = Math.abs(gap) < CONSTANTS.same ? "equal" : gap > 0 ? "gram-wins" : "model-wins";
  const verdict = sentence(`own-text.${kind}`, { gap: fixed(Math.abs(gap), 2) });
  const best = pauses.reduce((one, other) => (other.held < one.held ? other : one));
  const reads = sentence("own-text.reads", { bits: fixed(pause.bits, 2) });
  const fits = pause.held - best.held < CONSTANTS.worse || best.bits <= pause.bits;
  const fit = fits ? sentence("own-text.fits", { reads }) : sentence("own-text.overfits", { reads, step: whole(best.step), held: fixed(best.held, 2) });
  return sentence("own-text.after", { step: whole(pause.step), beside, verdict, fit });
}

/** How much of what a model wrote is copied, and where the longest copy is from (Markdown). @param {string} written @param {readonly Copied[]} copies @param {string} text */
export function copiesSaid(written, copies, text) {
  if (!copies.length) return [sentence("own-text.no-copies")];
  const letters = (/** @type {Copied} */ { start, end }) => end - start;
  const share = percent(copies.reduce((sum, one) => sum + letters(one), 0) / written.length);
  const one = copies.reduce((best, other) => (letters(other) > letters(best) ? other : best));
  const source = plain(sentenceAround(text, one.source, one.source + letters(one)).split(/\s+/).filter(Boolean).join(" "));
  return [
    sentence("own-text.copies", { share, count: `${copies.length} stretch${copies.length === 1 ? "" : "es"}` }),
    sentence("own-text.longest", { count: String(letters(one)), from: source }),
  ];
}
