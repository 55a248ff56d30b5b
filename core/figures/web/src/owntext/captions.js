// The sentences about a model that learns a text: `pages/training/own_text/captions.py`.
/** @import { Copied } from "./copies.js" */
/** @import { Pause } from "./training.js" */
import { listed, percent, plain, sentence } from "../derive/sentences.js";
import { decimal } from "../runtime/language.js";
import { fixed, grouped } from "../runtime/shared.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { learnedShare, readable, repeated, sentenceAround } from "./copies.js";
import { parted } from "./recipe.js";

const { knows: KNOWS, letters: LETTERS, known: KNOWN, copied: COPIED, byHeart: BY_HEART, memory: MEMORY } = CONSTANTS.can;
const two = (/** @type {number} */ bits) => decimal(fixed(bits, 2));

/**
 * What the model can do after so many steps (Markdown).
 * @param {Pause} pause @param {string} text what it learns
 */
export function headline(pause, text) {
  return pause.step ? sentence("own-text.after", { step: grouped(pause.step), does: does(pause, text) }) : sentence("own-text.before");
}

/**
 * Bits a letter of the held-out text beside the 5-gram, and whether the model overfits (Markdown).
 * @param {readonly Pause[]} pauses up to the one that is told @param {number} gram @param {string} text what it learns
 */
export function numbers(pauses, gram, text) {
  const pause = pauses[pauses.length - 1], gap = Number(fixed(pause.held, 2)) - Number(fixed(gram, 2));
  const beside = sentence("own-text.beside", { held: two(pause.held), gram: two(gram) });
  const [read, held] = parted(text), share = repeated(held, read);
  const memory = share < MEMORY ? "" : ` ${sentence("own-text.memory", { share: percent(share) })}`;
  if (!pause.step) return sentence("own-text.numbers.before", { beside }) + memory;
  const kind = Math.abs(gap) < CONSTANTS.same ? "equal" : gap > 0 ? "gram-wins" : "model-wins";
  const verdict = sentence(`own-text.${kind}`, { gap: two(Math.abs(gap)) });
  const best = overfits(pauses), reads = sentence("own-text.reads", { bits: two(pause.bits) });
  const fit = best ? sentence("own-text.overfits", { reads, step: grouped(best.step), held: two(best.held) }) : sentence("own-text.fits", { reads });
  return sentence("own-text.numbers", { beside, verdict, fit }) + memory;
}

/** The pause from which on the last one has overfitted; null if it has not. @param {readonly Pause[]} pauses */
function overfits(pauses) {
  const last = pauses[pauses.length - 1], best = pauses.reduce((one, other) => (other.held < one.held ? other : one));
  return last.held - best.held < CONSTANTS.worse || best.bits <= last.bits ? null : best;
}

/** What the model does by now, by what it writes. @param {Pause} pause @param {string} text */
function does({ bits, sample }, text) {
  const shares = learnedShare(sample, text), copies = shares.copied >= COPIED;
  if (!copies && bits < KNOWS) return sentence("own-text.does.stumbles", { bits: two(bits), share: percent(shares.words) });
  const which = copies ? (shares.copied >= BY_HEART ? "copies" : "stretches") : shares.words >= KNOWN ? "words" : "letters";
  return sentence(`own-text.does.${which}`, { share: percent(copies ? shares.copied : shares.words) });
}

/** In which order it was first able to do what; "" for nothing. @param {readonly Pause[]} pauses up to the one that is told @param {string} text */
export function order(pauses, text) {
  const least = /** @type {const} */ ([["letters", LETTERS], ["words", KNOWN], ["copied", COPIED]]);
  const shares = pauses.map(({ sample }) => learnedShare(sample, text));
  const reached = least.map(([what, share]) => ({ what, at: shares.findIndex((one, i) => pauses[i].step > 0 && one[what] >= share) }));
  for (const i of [1, 0]) { // stretches hold words, and words hold letters: neither comes before what it holds
    const holder = reached[i + 1].at;
    if (holder >= 0 && (reached[i].at < 0 || reached[i].at > holder)) reached[i].at = holder;
  }
  const first = reached.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at);
  const told = [...new Set(first.map(({ at }) => at))].map((at) => {
    const those = first.filter((one) => one.at === at).map(({ what }) => sentence(`own-text.order.${what}`));
    return sentence(those.length > 1 ? "own-text.order.together" : "own-text.order.one", { what: listed(those), step: grouped(pauses[at].step) });
  });
  return told.length ? sentence("own-text.order", { order: told.reduce((one, other) => sentence("own-text.order.then", { first: one, next: other })) }) : "";
}

/** What a visitor may do with a model that has learned (Markdown). @param {readonly Pause[]} pauses @param {string} text */
export function tryNext(pauses, text) {
  const last = pauses[pauses.length - 1];
  if (learnedShare(last.sample, text).copied >= BY_HEART) return sentence("own-text.next-by-heart");
  if (last.bits < KNOWS) return sentence("own-text.next-stumbles");
  return overfits(pauses) ? sentence("own-text.next-overfits") : sentence("own-text.next");
}

/** What it wrote at a pause (Markdown). @param {Pause} pause @param {string} text */
export const paused = ({ step, held, sample }, text) => sentence("own-text.pause", { step: grouped(step), bits: two(held), said: plain(readable(sample.slice(0, 110), text)) });

/** How much of what a model wrote is copied, and where the longest copy is from (Markdown). @param {string} written @param {readonly Copied[]} copies @param {string} text */
export function copiesSaid(written, copies, text) {
  const noise = readable(written, text) === written ? "" : ` ${sentence("own-text.noise")}`;
  if (!copies.length) return [sentence("own-text.no-copies") + noise];
  const letters = (/** @type {Copied} */ { start, end }) => end - start;
  const share = percent(copies.reduce((sum, one) => sum + letters(one), 0) / written.length);
  const one = copies.reduce((best, other) => (letters(other) > letters(best) ? other : best));
  const source = plain(sentenceAround(text, one.source, one.source + letters(one)).split(/\s+/).filter(Boolean).join(" "));
  return [
    (copies.length === 1 ? sentence("own-text.one-copy", { share }) : sentence("own-text.copies", { share, count: String(copies.length) })) + noise,
    sentence("own-text.longest", { count: String(letters(one)), from: source }),
  ];
}
