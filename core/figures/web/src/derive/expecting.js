// What a model expects next, and how a text surprised it, in sentences (Markdown): `pages/next_word/captions.py` and
// `pages/next_word/writing.py`.
import { decimal } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { aloud, spelled } from "./labels.js";
import { listed, percent, plain, sentence } from "./sentences.js";
import { trimmed } from "../engine/words.js";
import { fixed, grouped } from "../runtime/shared.js";

const { sure: SURE, leans: LEANS, mostNamed: MOST_NAMED, mostStops: MOST_STOPS } = CONSTANTS.nextWord;

/**
 * The likeliest tokens at one position, the largest probability first.
 * @typedef {object} Top
 * @property {readonly number[]} ids
 * @property {readonly string[]} tokens their names in the tokenizer
 * @property {readonly string[]} texts as they are written in a text
 * @property {readonly number[]} probabilities at temperature 1
 */
/**
 * How surprised a model is by each token of a text: `core/records/score.py`.
 * @typedef {object} Score
 * @property {string} text
 * @property {readonly string[]} tokens
 * @property {ArrayLike<number>} starts
 * @property {ArrayLike<number>} ends
 * @property {Float32Array} bits NaN for a token before which nothing stands
 * @property {ArrayLike<number>} ranks how many tokens were likelier; −1 for such a token
 * @property {readonly (readonly string[])[]} likeliest what was expected at each, as it is written in a text
 * @property {readonly ArrayLike<number>[]} probabilities of these
 */

/**
 * What comes next, and how sure the model is.
 * @param {Top} top @param {ReadonlySet<number>} ends the tokens that end a text @param {boolean} [ended] whether one stands last
 */
export function headline(top, ends, ended = false) {
  if (ended) return sentence("next-word.ended", { others: others(top, 0, ends) });
  const share = top.probabilities[0], said = { share: percent(share), word: named(top, 0, ends) };
  if (ends.has(top.ids[0])) return sentence("next-word.ends", said);
  if (share >= SURE) return sentence("next-word.sure", said);
  if (share >= LEANS) return sentence("next-word.leans", { ...said, others: others(top, 1, ends) });
  return sentence("next-word.open", { others: others(top, 0, ends) });
}

/** @param {Top} top @param {number} start @param {ReadonlySet<number>} ends */
const others = (top, start, ends) => listed(top.ids.slice(start, start + MOST_NAMED).map((_, i) =>
  sentence("next-word.one", { word: named(top, start + i, ends), share: percent(top.probabilities[start + i]) })));

/** @param {Top} top @param {number} place @param {ReadonlySet<number>} ends */
function named({ ids, texts, tokens }, place, ends) {
  if (ends.has(ids[place])) return sentence("next-word.end");
  const name = texts[place] || tokens[place], bare = trimmed(name, " ");
  return quoted(spelled(bare || name));
}

/** A token in a sentence: punctuation in quotation marks, a space or a break in words. @param {string} token */
export function quoted(token) {
  if (aloud(token) !== token) return plain(aloud(token));
  const word = plain(token);
  return /[\p{L}↵␣]/u.test(token) ? word : sentence("next-word.quoted", { word });
}

/** What the model expected where a token of a text stands: "river 31 %, the 12 %". @param {Score} score @param {number} place */
export function expected({ likeliest, probabilities, ranks }, place) {
  const names = likeliest[place].slice(0, MOST_NAMED), rank = ranks[place];
  if (!names.length) return sentence("next-word.nothing-before");
  const words = names.map((name, i) => `${apart(spelled(name || sentence("next-word.special")))} ${percent(probabilities[place][i])}`).join(", ");
  const here = rank ? sentence("next-word.place", { place: grouped(rank + 1) }) : sentence("next-word.likeliest");
  return sentence("next-word.expected", { here, words });
}

/** A token in a list, as plain text: signs in quotation marks, else a comma separates commas. @param {string} word */
const apart = (word) => (/[\p{L}\p{N}↵␣“”]/u.test(word) ? word : sentence("next-word.quoted", { word }));

/**
 * How surprised the model is by the whole text; behind the first token, an attention sink, what it expects says little.
 * @param {Score} score @param {number} count tokens at its end that are the model's own
 * @param {number} vocabulary how many tokens the model knows; 0 for one whose first token is as any other
 * @param {(text: string) => string} [hidden] the text of a token as this screen shows it
 */
export function surprised({ text, tokens, starts, ends, bits, ranks }, count, vocabulary, hidden = (said) => said) {
  const found = tokens.map((_, i) => i).filter((i) => ranks[i] >= 0);
  if (!found.length) return "";
  const [second, ...later] = found, alone = vocabulary > 0 && second > 0 && later.length > 0;
  const most = (alone ? later : found).reduce((best, i) => (bits[i] > bits[best] ? i : best));
  const called = (/** @type {number} */ i) => {
    const name = hidden([...text].slice(starts[i], ends[i]).join("")) || tokens[i];
    return quoted(spelled(trimmed(name, " ") || name));
  };
  const mean = (/** @type {readonly number[]} */ some) => decimal(fixed(some.reduce((sum, i) => sum + bits[i], 0) / some.length, 2));
  let said = sentence("next-word.surprise", { word: called(most), bits: decimal(fixed(bits[most], 1)), mean: mean(found) });
  const blind = Math.log2(vocabulary);
  if (alone && bits[second] > Math.min(blind, bits[most])) {
    const guess = bits[second] > blind ? sentence("next-word.surprise.guess", { count: grouped(vocabulary), blind: decimal(fixed(blind, 1)) }) : "";
    said = sentence("next-word.surprise.second", { said, word: called(second), bits: decimal(fixed(bits[second], 1)), guess, rest: mean(later) });
  }
  return count > 1 ? sentence("next-word.surprise.own", { said, count: String(count) }) : said;
}

/** What a reader should know of a text that ends in a space; "" for any other. @param {string} typed @param {number} written tokens behind it */
export const trailing = (typed, written) => (!written && typed.endsWith(" ") ? sentence("next-word.space") : "");

/** The stop words in the box: with "|" between them, ↵ for a line break and ␣ for a space. @param {string} typed */
export function stops(typed) {
  const words = typed.split("|").map((one) => trimmed(one, " ").replaceAll("↵", "\n").replaceAll("␣", " "));
  return [...new Set(words.filter(Boolean))].slice(0, MOST_STOPS);
}

/** @param {number} count */
export const counted = (count) => sentence(count === 1 ? "next-word.token" : "next-word.tokens", { count: String(count) });

/**
 * Why the text ends.
 * @param {readonly string[]} words the stop words @param {readonly { token: string, added: string, probability: number }[]} done what was written
 */
export function whyEnded(words, done) {
  const added = done.map((one) => one.added).join(""), found = words.filter((one) => added.includes(one));
  if (found.length) {
    const quotes = found.map((one) => sentence("next-word.quoted", { word: plain(one.replaceAll("\n", "↵")) }));
    return sentence("next-word.stopped.words", { words: listed(quotes), tokens: counted(done.length) });
  }
  const { token, probability } = done[done.length - 1];
  return sentence("next-word.stopped.end", { token, share: percent(probability) });
}
