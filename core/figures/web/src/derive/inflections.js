// Which forms of a word are one word: `core/records/inflections.py`.
import CONSTANTS from "./constants.json" with { type: "json" };
import { stems } from "../engine/particles.js";
import { folded, looseOf, split } from "../engine/words.js";

const { least: LEAST, longest: LONGEST, ending: ENDING, noPlural: NO_PLURAL, es: ES } = CONSTANTS.inflections;
/** @type {Readonly<Record<string, string>>} */
const IRREGULAR = CONSTANTS.inflections.irregular;

/** The long word that was read last. */
let long = { word: "", cased: false, read: "" };

/**
 * A word without what its model does not distinguish, nor a search; case never matters here.
 * @param {string} word @param {boolean} cased whether the model distinguishes upper and lower case
 */
export function asRead(word, cased) {
  const read = () => (cased ? folded(looseOf(word, true)) : looseOf(word, false));
  if (word.length <= LONGEST) return read();
  if (word !== long.word || cased !== long.cased) long = { word, cased, read: read() }; // each line of a long end asks for it
  return long.read;
}

/**
 * Whether two words are one, but for their spelling, for singular and plural, and for their particles.
 * @param {string} one @param {string} other @param {boolean} cased
 */
export const sameWord = (one, other, cased) => sameAs(other, cased)(one);

/**
 * The test of whether another word is the same; a long word is looked at once for many.
 * @param {string} word @param {boolean} cased
 * @returns {(other: string) => boolean}
 */
export function sameAs(word, cased) {
  const sought = asRead(word, cased);
  return (other) => same(asRead(other, cased), sought);
}

/** @param {string} a @param {string} b both as `asRead` returns them */
function same(a, b) {
  if (a === b || Math.max(a.length, b.length) > LONGEST) return a === b;
  const singulars = singularsOf(b);
  if (singularsOf(a).some((form) => singulars.includes(form))) return true;
  if (/^[\0-\x7f]*$/.test(a) || /^[\0-\x7f]*$/.test(b)) return false;
  const others = stems(b);
  return stems(a).some((stem) => others.includes(stem));
}

/**
 * The first word of a text that is `word` in another form; undefined if there is none.
 * @param {string} text @param {string} word @param {boolean} cased
 */
export function formOf(text, word, cased) {
  const sought = asRead(word, cased);
  if (sought.length > 3 * text.length + ENDING) return undefined; // a letter in lower case has at most three
  return split(text).find((one) => same(asRead(one.text, cased), sought));
}

/** What a word may be the plural of, and itself. @param {string} word */
function singularsOf(word) {
  if (Object.hasOwn(IRREGULAR, word)) return [word, IRREGULAR[word]];
  const found = [word];
  const ends = (/** @type {string[]} */ endings) => endings.some((ending) => word.endsWith(ending));
  if (word.endsWith("s") && !ends(NO_PLURAL)) found.push(word.slice(0, -1));
  if (ends(ES)) found.push(word.slice(0, -2));
  if (word.endsWith("ies")) found.push(`${word.slice(0, -3)}y`);
  return found.filter((one) => one === word || [...one].length >= LEAST);
}
