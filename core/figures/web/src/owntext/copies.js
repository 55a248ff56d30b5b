// Which part of a text a sentence of a model comes from: `core/own_text/copies.py`. Places count UTF-16 units.

export const LEAST = 15; // letters of a copy
const ENDS = [..."\n.!?"], LONGEST = 200;

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

/** The sentence or sentences of a text in which a stretch stands. @param {string} text @param {number} start @param {number} end */
export function sentenceAround(text, start, end) {
  const left = start ? Math.max(...ENDS.map((sign) => text.lastIndexOf(sign, start - 1))) + 1 : 0;
  const rights = ENDS.map((sign) => text.indexOf(sign, Math.max(start, end - 1))).filter((at) => at >= 0);
  const around = text.slice(left, Math.min(...rights, text.length - 1) + 1).trim();
  return around.length <= LONGEST ? around : `${around.slice(0, LONGEST - 1).trimEnd()}…`;
}
