// Which forms of a word are one word: `core/records/inflections.py`.
import KNOWN from "./known.json" with { type: "json" };
import { stems } from "../engine/finding.js";
import { split } from "../engine/words.js";

const { least: LEAST } = KNOWN.inflections;
/** @type {Readonly<Record<string, string>>} */
const IRREGULAR = KNOWN.inflections.irregular;
const ENDING = 3; // letters by which two forms may differ in length

/** A word without the difference between upper and lower case. @param {string} word */
export const folded = (word) => word.toLowerCase().replaceAll("ß", "ss");

/**
 * Whether two words are one, but for upper and lower case, for singular and plural, and for their particles.
 * @param {string} one @param {string} other
 */
export function sameWord(one, other) {
  const a = folded(one), b = folded(other);
  if (a === b) return true;
  const singulars = singularsOf(b);
  if (singularsOf(a).some((form) => singulars.includes(form))) return true;
  if (/^[\0-\x7f]*$/.test(a) || /^[\0-\x7f]*$/.test(b)) return false;
  const others = stems(b);
  return stems(a).some((stem) => others.includes(stem));
}

/**
 * The first word of a text that is `word` in another form; undefined if there is none.
 * @param {string} text @param {string} word
 */
export function formOf(text, word) {
  if (word.length > 3 * text.length + ENDING) return undefined; // a letter in lower case has at most three
  const sought = folded(word), singulars = singularsOf(sought);
  return split(text).find((one) => {
    const other = folded(one.text);
    return other === sought || singularsOf(other).some((form) => singulars.includes(form));
  });
}

/** What a word may be the plural of, and itself. @param {string} word */
function singularsOf(word) {
  if (Object.hasOwn(IRREGULAR, word)) return [word, IRREGULAR[word]];
  const found = [word];
  if (word.endsWith("s") && !/(ss|us|is)$/.test(word)) found.push(word.slice(0, -1));
  if (/(ses|xes|zes|ches|shes)$/.test(word)) found.push(word.slice(0, -2));
  if (word.endsWith("ies")) found.push(`${word.slice(0, -3)}y`);
  return found.filter((one) => one === word || [...one].length >= LEAST);
}
