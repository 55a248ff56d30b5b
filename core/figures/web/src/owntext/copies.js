// Which part of a text a sentence of a model comes from: `core/own_text/copies.py`. Places count UTF-16 units.

export const LEAST = 15; // letters of a copy
const REPEATED = 30; // letters of a stretch that no text says twice by chance, as it does a phrase of 15
const NOISE = "·"; // stands on a screen for what a model wrote that is no letter
const NO_LETTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/; // eslint-disable-line no-control-regex
const ENDS = [..."\n.!?"], LONGEST = 200;

/**
 * What a model wrote with a sign for what is no letter, and for those beyond ASCII that it never read.
 * @param {string} written @param {string} text "" if it is not known
 */
export const readable = (written, text) => Array.from(written, (one) => (NO_LETTERS.test(one) || (text && !text.includes(one) && (one > "~" || one === "\r" || one === "\t")) ? NOISE : one)).join("");

/** @typedef {{ start: number, end: number, source: number }} Copied a stretch, and where it first begins in the text */

/**
 * The longest stretches of what a model wrote that stand in its text, from left to right.
 * @param {string} written @param {string} text
 */
export function copied(written, text) {
  /** @type {Copied[]} */
  const found = [];
  for (let i = 0; i + LEAST <= written.length;) {
    let source = text.indexOf(written.slice(i, i + LEAST));
    if (source < 0) {
      i++;
      continue;
    }
    let low = LEAST, high = written.length - i;
    while (low < high) { // a beginning of a copy is a copy
      const middle = (low + high + 1) >> 1, at = text.indexOf(written.slice(i, i + middle));
      if (at >= 0) [low, source] = [middle, at];
      else high = middle - 1;
    }
    found.push({ start: i, end: i + low, source });
    i += low;
  }
  return found;
}

/**
 * How much of the end of a text, from 0 to 1, stands word for word in what a model reads of it, in stretches of 30 letters or more.
 * @param {string} end @param {string} read
 */
export function repeated(end, read) {
  const stretches = new Set(), known = new Set();
  for (let i = 0; i + REPEATED <= end.length; i++) stretches.add(end.slice(i, i + REPEATED));
  for (let j = 0; j + REPEATED <= read.length; j++) {
    const one = read.slice(j, j + REPEATED);
    if (stretches.has(one)) known.add(one);
  }
  let letters = 0, behind = 0;
  for (let i = 0; i + REPEATED <= end.length; i++) {
    if (!known.has(end.slice(i, i + REPEATED))) continue;
    letters += i + REPEATED - Math.max(i, behind);
    behind = i + REPEATED;
  }
  return letters / Math.max(1, end.length);
}

const ofWords = (/** @type {string} */ text) => text.split(/[^\p{L}'’]+/u).filter(Boolean);

/**
 * Of what a model wrote, from 0 to 1: the signs that its text has, the words that are words of the text (the last may be
 * cut off, and is left out), and what stands in the text.
 * @param {string} written @param {string} text
 */
export function learnedShare(written, text) {
  const signs = new Set(text), all = [...written], known = new Set(ofWords(text)), words = ofWords(written).slice(0, -1);
  const share = (/** @type {readonly string[]} */ some, /** @type {ReadonlySet<string>} */ among) => some.filter((one) => among.has(one)).length / Math.max(1, some.length);
  const letters = copied(written, text).reduce((sum, { start, end }) => sum + [...written.slice(start, end)].length, 0);
  return { letters: share(all, signs), words: share(words, known), copied: letters / Math.max(1, all.length) };
}

/** The sentence or sentences of a text in which a stretch stands. @param {string} text @param {number} start @param {number} end */
export function sentenceAround(text, start, end) {
  const left = start ? Math.max(...ENDS.map((sign) => text.lastIndexOf(sign, start - 1))) + 1 : 0;
  const rights = ENDS.map((sign) => text.indexOf(sign, Math.max(start, end - 1))).filter((at) => at >= 0);
  const around = text.slice(left, Math.min(...rights, text.length - 1) + 1).trim();
  return around.length <= LONGEST ? around : `${around.slice(0, LONGEST - 1).trimEnd()}…`;
}
