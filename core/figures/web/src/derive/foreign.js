// Whether a text seems to be in a language other than English: `core/measures/foreign.py`.
/** @import { Trace } from "../engine/trace.js" */
import CONSTANTS from "./constants.json" with { type: "json" };
import { normalized } from "../engine/normal.js";
import { folded, isElided, split, trimmed } from "../engine/words.js";

const { least: LEAST, several: SEVERAL, withOne: WITH_ONE, withOnePerhaps: WITH_ONE_PERHAPS, withNone: WITH_NONE } = CONSTANTS.foreign;
const LANGUAGES = CONSTANTS.foreign.languages.map((words) => new Set(words));
const AMBIGUOUS = new Set(CONSTANTS.foreign.ambiguous), ENDINGS = new Set(CONSTANTS.foreign.endings);
const FUNCTION_WORDS = new Set(CONSTANTS.functionWords);

/** Whether a word carries meaning: it has a letter, and is not a function word. @param {string} word */
export const isContent = (word) => !isElided(word) && /\p{L}/u.test(word) && !FUNCTION_WORDS.has(trimmed(folded(word), "'’"));

/**
 * A guess, for a warning.
 * @param {Trace} trace
 */
export function looksForeign(trace) {
  const read = trace.text.replace(/\S+/gu, withoutAddress);
  const words = split(read).filter(({ text }) => /\p{L}/u.test(text));
  if (2 * words.filter(({ text }) => !/[a-z]/.test(normalized("NFD", folded(text)))).length > words.length) return true;
  if (words.length < LEAST) return false;
  const there = new Set(words.flatMap(({ text }) => partsOf(text)));
  const english = both(there, FUNCTION_WORDS), most = both(there, likeliest(there)[0]);
  const another = ofAnother(most), more = most.size - english.size;
  if (another.size && (more >= SEVERAL || (isWithin(english, most) && most.size > SEVERAL))) return true;
  if (english.size && !another.size) return false;
  // A name can be in any language; in an English sentence, a capitalised word may be a name.
  const lowered = new Map(words.filter(({ text }, i) => !i || text === folded(text)).map((word) => [folded(word.text), word]));
  const cut = [...lowered.values()].filter(({ start, end }) => isCut(trace, start, end)).length;
  const share = (/** @type {number} */ least) => cut >= least * lowered.size;
  if (another.size && (more > 0 || isWithin(english, most))) return cut > 0 && share(WITH_ONE);
  if (english.size) return false;
  if (most.size) return cut > 0 && share(most.size > 1 ? WITH_ONE : WITH_ONE_PERHAPS);
  return cut > 1 && share(WITH_NONE);
}

/**
 * The function words of a text in its own language, if that is not English.
 * @param {Trace} trace
 * @returns {Set<string>}
 */
export function smallWords(trace) {
  const parts = new Map(trace.words.map(({ word }) => [word, partsOf(word)]));
  const languages = likeliest(new Set([...parts.values()].flat()));
  const small = [...parts].filter(([, of]) => of.length && languages.some((language) => of.every((part) => language.has(part))));
  const sure = small.filter(([, of]) => ofAnother(new Set(of)).size === new Set(of).size);
  const all = small.length > sure.length && looksForeign(trace) ? small : sure;
  return new Set(all.map(([word]) => word));
}

/** A run of signs without spaces; as many spaces if it is an address. @param {string} run */
const withoutAddress = (run) => (/:\/\/|www\.|[@#]/u.test(run) ? " ".repeat([...run].length) : run);

/** @param {string} word */
const partsOf = (word) => folded(word).split(/['’]/).filter(Boolean);
/** @param {Set<string>} a @param {Set<string>} b */
const both = (a, b) => new Set([...a].filter((one) => b.has(one)));
/** @param {Set<string>} a @param {Set<string>} b */
const isWithin = (a, b) => [...a].every((one) => b.has(one));

/** The languages with the most of these words, English considered last. @param {Set<string>} there */
function likeliest(there) {
  const has = LANGUAGES.map((small) => {
    const found = both(there, small);
    return [ofAnother(found).size, found.size];
  });
  const most = has.reduce((best, one) => (one[0] > best[0] || (one[0] === best[0] && one[1] > best[1]) ? one : best));
  return LANGUAGES.filter((_, i) => has[i][0] === most[0] && has[i][1] === most[1]);
}

/** The small words that are not English words. @param {Set<string>} small */
const ofAnother = (small) => new Set([...small].filter((word) =>
  !FUNCTION_WORDS.has(word) && !AMBIGUOUS.has(word) && ([...word].length > 1 || word.charCodeAt(0) > 127)));

/** Whether the model splits a word, other than into a known word with an English ending. @param {Trace} trace @param {number} start @param {number} end */
function isCut({ tokens, starts, ends }, start, end) {
  const pieces = tokens.filter((_, i) => starts[i] < end && ends[i] > start);
  return pieces.length > 1 && !(pieces.length === 2 && ENDINGS.has(pieces[1]));
}
