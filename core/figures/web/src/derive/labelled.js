// The words whose senses we have labelled, and the two ends of each: `core/examples/ends.py`.
import KNOWN from "./ends.json" with { type: "json" };
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

/** @type {Readonly<Record<string, { names: string[], words: string[][], sentences: string[][], causal: string[][] }>>} */
const ENDS = KNOWN;

/** The labelled word of which this is a form; null for others. @param {string} word @param {boolean} cased */
export const knownWord = (word, cased) => Object.keys(ENDS).find((one) => sameWord(one, word, cased)) ?? null;

/**
 * All that is known about a word's two senses; null for an unknown word.
 * @param {string} word
 * @param {readonly string[]} texts that must not serve as their own reference
 * @param {{ cased: boolean, causal: boolean }} reads how its model reads; one that reads from left to right needs the cue before the word
 * @returns {Ends | null}
 */
export function knownEnds(word, texts, { cased, causal }) {
  const own = knownWord(word, cased);
  if (own === null) return null;
  const here = texts.map(inOneLine), { names, words, sentences, causal: cueFirst } = ENDS[own];
  const [low, high] = (causal ? cueFirst : sentences).map((some, end) => [...words[end], ...some.filter((one) => !here.includes(inOneLine(one)))]);
  return { names: [names[0], names[1]], low, high, proposed: false, guessed: false, unsure: false };
}

/** @param {string} text */
const inOneLine = (text) => folded(text.split(SPACES).filter(Boolean).join(" "));
