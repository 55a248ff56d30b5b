// The words whose senses we have labelled, and the two ends of each: `core/examples/ends.py`.
import CONSTANTS from "./constants.json" with { type: "json" };
import { SPACES, folded } from "../engine/words.js";
import { sameWord } from "./inflections.js";

/**
 * The two ends of a word's axis.
 * @typedef {object} Ends
 * @property {readonly [string, string]} names at −1 and at +1
 * @property {readonly string[]} low words and sentences of the end at −1
 * @property {readonly string[]} high those of the end at +1
 * @property {boolean} proposed whether the sentences themselves proposed them
 * @property {boolean} guessed whether a model chose them among the meanings of a dictionary
 * @property {boolean} unsure whether it is too unsure of them for a verdict
 */

/** @type {Readonly<Record<string, { names: string[], low: string[], high: string[] }>>} */
const ENDS = CONSTANTS.ends;

/** The labelled word of which this is a form; null for others. @param {string} word */
export const knownWord = (word) => Object.keys(ENDS).find((one) => sameWord(one, word)) ?? null;

/**
 * All that is known about a word's two senses; null for an unknown word.
 * @param {string} word
 * @param {readonly string[]} texts that must not serve as their own reference
 * @returns {Ends | null}
 */
export function knownEnds(word, texts) {
  const own = knownWord(word);
  if (own === null) return null;
  const here = texts.map(inOneLine), { names, low, high } = ENDS[own];
  const others = (/** @type {string[]} */ items) => items.filter((item) => !item.includes(" ") || !here.includes(inOneLine(item)));
  return { names: [names[0], names[1]], low: others(low), high: others(high), proposed: false, guessed: false, unsure: false };
}

/** @param {string} text */
const inOneLine = (text) => folded(text.split(SPACES).filter(Boolean).join(" "));
