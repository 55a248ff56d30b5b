// The word by which two sentences are compared, and which of its occurrences: `core/comparison/word.py` and
// `core/measures/senses/shared_word.py`.
/** @import { Trace } from "../engine/trace.js" */
import { fitsOf, isPhrase, occurrenceSpans, unquoted } from "../engine/finding.js";
import { folded } from "../engine/words.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { knownWord } from "./labelled.js";
import { isContent, smallWords } from "./foreign.js";
import { sameAs, sameWord } from "./inflections.js";
import { cosine, mean, rounded } from "./numbers.js";

/**
 * One occurrence of a word in a text.
 * @typedef {object} Chosen
 * @property {string} word
 * @property {number} number from 0
 * @property {number} start its first character
 * @property {number} end the character after its last one
 * @property {number[]} tokens
 */

/** The tokens that share a character with `start` to `end`. @param {Trace} trace @param {number} start @param {number} end */
export const tokensIn = ({ starts, ends, tokens }, start, end) =>
  tokens.flatMap((_, i) => (starts[i] < end && ends[i] > start ? [i] : []));

/** Whether the model knows none of these tokens. @param {Trace} trace @param {readonly number[]} at */
export const allUnknown = ({ tokens }, at) => at.every((i) => CONSTANTS.unknown.includes(tokens[i]));

/**
 * A word of the text that the model does not know at all; null if there is none: `core/records/unknown.py`.
 * @param {Trace} trace @param {string} word only where a search finds this; "" for every word
 */
export function unknownWord(trace, word) {
  const unknown = trace.words.filter(({ tokens }) => allUnknown(trace, tokens));
  if (!word) return unknown[0]?.word ?? null;
  const starts = new Set(occurrenceSpans(trace.text, word, trace.cased).map(([start]) => start));
  return unknown.find(({ start }) => starts.has(start))?.word ?? null;
}

/**
 * The occurrences to choose from: every word with tokens, without punctuation, and the phrases that were typed.
 * @param {Trace} trace
 * @param {readonly string[]} typed
 * @returns {Chosen[]}
 */
export function occurrences(trace, typed) {
  const listed = trace.words.filter(({ word, tokens }) => /[\p{L}\p{N}]/u.test(word) && !allUnknown(trace, tokens));
  const end = trace.leftOut ? trace.leftOut[0] : [...trace.text].length;
  const phrases = [...new Set(typed)].filter((one) => isPhrase(unquoted(one)));
  return [...listed, ...phrases.flatMap((word) => occurrenceSpans(trace.text, word, trace.cased)
    .map(([start, stop]) => ({ word, start, end: stop, tokens: tokensIn(trace, start, stop) }))
    .filter((one) => one.end <= end && one.tokens.length)
    .map((one, number) => ({ ...one, number })))];
}

/**
 * The chosen occurrences in A and in B; null where there is none. A word that occurs in neither sentence is
 * replaced by the best that they share.
 * @param {readonly [readonly Chosen[], readonly Chosen[]]} there
 * @param {readonly [string, string]} words the word in A, and in B; "" there for the same
 * @param {readonly [number, number]} numbers of the occurrences, from 0
 * @param {() => readonly (readonly [string, string])[]} shared
 * @param {boolean} [cased] whether the model distinguishes upper and lower case
 * @returns {[Chosen | null, Chosen | null]}
 */
export function settle([a, b], [word, other], numbers, shared, cased = false) {
  const first = found(a, word, numbers[0], cased), second = found(b, other || word, numbers[1], cased);
  if (!first && !second) {
    for (const [one, two] of shared()) {
      const both = /** @type {const} */ ([found(a, one, 0, cased), found(b, two, 0, cased)]);
      if (both[0] && both[1]) return [...both];
    }
  }
  return [first, second];
}

/**
 * Tests of whether another word is this one, the strictest first.
 * @param {string} word @param {boolean} cased
 * @returns {((other: string) => boolean)[]}
 */
function tests(word, cased) {
  const sought = folded(word);
  return [fitsOf(word, cased), fitsOf(unquoted(word), cased), (other) => folded(other) === sought, sameAs(word, cased)];
}

/** Whether a word that is shown is the one that was wanted. @param {string} shown @param {string} wanted @param {boolean} cased */
export const isForm = (shown, wanted, cased) => tests(wanted, cased).some((fits) => fits(shown));

/** @param {readonly Chosen[]} there @param {string} word @param {number} number @param {boolean} cased */
function found(there, word, number, cased) {
  const named = there.find((one) => one.word === word && one.number === number);
  if (named) return named;
  for (const fits of tests(word, cased)) {
    const matches = there.filter((one) => fits(one.word));
    if (matches.length) return matches[Math.min(number, matches.length - 1)];
  }
  return null;
}

/**
 * The content words that two sentences share, best first: a word whose senses we know, then the one whose two
 * vectors differ most.
 * @param {Trace} a @param {Trace} b
 */
export function sharedWords(a, b) {
  const others = content(b);
  return content(a).flatMap((first) => {
    const second = others.find(({ word }) => sameWord(word, first.word, a.cased));
    if (!second) return [];
    const difference = 1 - cosine(lastVector(a, first.tokens), lastVector(b, second.tokens));
    return [{ a: first, b: second, known: knownWord(first.word, a.cased), difference }];
  }).sort((x, y) => Number(x.known === null) - Number(y.known === null)
    || rounded(y.difference, 6) - rounded(x.difference, 6) || (x.a.word < y.a.word ? -1 : 1));
}

/**
 * For each sentence, its own content word that is most similar to the shared one; null if one has none.
 * @param {Trace} a @param {Trace} b @param {Chosen} atA @param {Chosen} atB
 */
export function proposedEnds(a, b, atA, atB) {
  const there = [content(a), content(b)];
  const best = [a, b].map((trace, i) => {
    const own = there[i].filter(({ word }) => !there[1 - i].some((other) => sameWord(word, other.word, trace.cased)));
    const at = lastVector(trace, [atA, atB][i].tokens);
    const near = own.map(({ tokens }) => cosine(at, lastVector(trace, tokens)));
    return own[near.indexOf(Math.max(...near))]?.word ?? null;
  });
  return best[0] === null || best[1] === null ? null : { a: best[0], b: best[1] };
}

/** The content words of a text that the model knows, each at its first occurrence. @param {Trace} trace */
function content(trace) {
  const small = smallWords(trace), first = new Map(trace.words.toReversed().map((one) => [one.word, one]));
  return trace.words.filter((one) => first.get(one.word) === one).filter(({ word, tokens }) => isContent(word) && !small.has(word) && !allUnknown(trace, tokens));
}

/** @param {Trace} trace @param {readonly number[]} tokens */
const lastVector = (trace, tokens) => mean(tokens.map((token) => trace.hiddenOf(trace.layers, token)));
