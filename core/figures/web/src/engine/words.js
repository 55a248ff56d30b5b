// Words by our own rules, as `core/records/words.py` has them, from which the patterns come: a run of letters and digits with its
// apostrophes ("don't"), a final 's, a word before another one that has lost its last vowel ("l'"), in scripts
// without spaces a word of the browser's dictionary, or any other visible sign.
// Positions count characters, not UTF-16 units. A character that is newer than the browser's Unicode counts as
// unseen here, until the browser learns it; and a dictionary may be another version than Python's.
/** @typedef {import("./types").Encoded} Encoded */
/** @typedef {import("./trace").Occurrence} Occurrence */
/** @typedef {{ text: string, start: number, end: number }} Word */

import { normalized } from "./normal.js";
import { mayHaveParticle, withParticles } from "./particles.js";
import WRITING from "./writing.json" with { type: "json" };

/** A text without halves of surrogate pairs, which are no characters. @param {string} text */
export const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");

const WORD = new RegExp(WRITING.word, "vy"), IS_UNSPACED = new RegExp(WRITING.unspaced, "vy");
const UNSEEN = /[\s\p{C}]/uy;
// What Python calls a space. JavaScript's \s holds U+FEFF, which is none, and no control characters.
const BLANKS = WRITING.spaces;
export const SPACES = new RegExp(`[${BLANKS}]+`);
// What a tokenizer puts around words.
const AROUND = new RegExp(`[${BLANKS}▁]+`, "g");
const FORMAT = /\p{Cf}/u, INVISIBLE = new RegExp(WRITING.invisible, "gu");
// What would hide a word from a dictionary, and each letter with its signs.
const HIDES = new RegExp(WRITING.hides, "u"), STYLE = new RegExp(WRITING.styles, "gu"), WITH_SIGNS = new RegExp(WRITING.withSigns, "gu");
// Letters in another shape, and points that most texts omit.
const SHAPED = new RegExp(WRITING.shaped, "gu"), POINTS = new RegExp(WRITING.points, "gu");
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const DICTIONARY = new Intl.Segmenter("en", { granularity: "word" }); // whose rules are those of ICU's root
// Characters of a run that are read at a time, since browsers copy a text for each of its words; and up to where the
// words of such a piece count, unless the run ends there.
const { piece: PIECE, sure: SURE, mostElided: MOST_ELIDED } = WRITING;
const NEAR = 64; // UTF-16 units in which most signs end
const ELIDED = new Set(WRITING.elided), STARTS = new Set(WRITING.starts), NEVER = new Set(WRITING.never);
const ENGLISH = new Set(WRITING.english);

/** The words of a text from left to right. @param {string} text @returns {Word[]} */
export function split(text) {
  /** @type {Word[]} */
  const words = [];
  let at = 0, characters = 0;
  while (at < text.length) {
    const { part, of } = partAt(text, at);
    for (const word of of) words.push({ text: word, start: characters, end: characters += lengthOf(word) });
    if (!of.length) characters++;
    at += part.length;
  }
  return words;
}

/** What begins at a place, and the words that it consists of; none if it is unseen. @param {string} text @param {number} at */
function partAt(text, at) {
  WORD.lastIndex = UNSEEN.lastIndex = at;
  const found = WORD.exec(text);
  if (found) return { part: found[0], of: found.groups?.run ? unspaced(found[0]) : apart(found[0]) };
  if (UNSEEN.test(text)) return { part: String.fromCodePoint(text.codePointAt(at) ?? 0), of: [] };
  const sign = signAt(text, at);
  return { part: sign, of: [sign] };
}

/** A word, and the elided words before it. @param {string} word */
function apart(word) {
  const words = [];
  let at = 0;
  for (let before; (before = elided(word, at)); at += before) words.push(word.slice(at, at + before));
  return [...words, word.slice(at)];
}

/** Whether a word is of a script without spaces. @param {string} word */
export function isUnspaced(word) {
  IS_UNSPACED.lastIndex = 0;
  return IS_UNSPACED.test(word);
}

/** What the dictionary makes of a run, in time in proportion to it. @param {string} run */
function segments(run) {
  const words = (/** @type {string} */ text) => Array.from(DICTIONARY.segment(text), ({ segment }) => segment);
  if (run.length <= PIECE) return words(run);
  const characters = [...run], found = [];
  for (let start = 0; start < characters.length;) {
    const more = start + PIECE < characters.length;
    let at = 0;
    for (const word of words(characters.slice(start, start + PIECE).join(""))) {
      const end = at + lengthOf(word);
      if (more && at && end > SURE) break; // what follows may change it
      found.push(word);
      at = end;
    }
    start += at;
  }
  return found;
}

/** The words of a run without spaces. @param {string} run */
function unspaced(run) {
  if (!HIDES.test(run)) return segments(run);
  const letters = run.match(WITH_SIGNS) ?? [], shown = letters.map((one) => normalized("NFC", one.replace(STYLE, "")));
  /** @type {string[]} */
  const words = [];
  let letter = 0, behind = 0, at = 0, word = ""; // `behind`: where the letters so far end in what is shown
  for (const segment of segments(shown.join(""))) {
    at += segment.length;
    while (letter < letters.length && behind + shown[letter].length <= at) {
      word += letters[letter];
      behind += shown[letter++].length;
    }
    if (behind === at && word) { // never between a letter and its signs
      words.push(word);
      word = "";
    }
  }
  return words;
}

/**
 * How many UTF-16 units of a word are an elided word before another one: `core/records/elision.py`.
 * @param {string} word @param {number} at where to begin
 */
function elided(word, at) {
  const here = word.slice(at, at + MOST_ELIDED), first = here.search(/['’]/), before = folded(here.slice(0, first));
  if (first < 1 || !ELIDED.has(before)) return 0;
  const after = here.slice(first + 1), ends = at + here.length === word.length;
  if (!after || (ends && ENGLISH.has(folded(after)))) return 0;
  const [letter] = [...after.normalize("NFD")].map(folded);
  return STARTS.has(letter) && !NEVER.has(before + letter) ? first + 1 : 0;
}

/** Whether a word, as it is split from a text, has lost its last vowel. @param {string} word */
export const isElided = (word) => /['’]$/.test(word) && ELIDED.has(folded(word.slice(0, -1)));

/** The sign that begins at a place, with all that belongs to it. @param {string} text @param {number} at */
function signAt(text, at) {
  for (let size = NEAR; ; size *= 2) {
    const part = text.slice(at, at + size);
    const [{ segment }] = GRAPHEMES.segment(part);
    if (segment.length < part.length || at + size >= text.length) return segment;
  }
}

/** A text without some signs at its ends. An expression with "$" would try each of a row of them as the first of the end. @param {string} text @param {string} signs */
export function trimmed(text, signs) {
  let start = 0, end = text.length;
  while (start < end && signs.includes(text[start])) start++;
  while (end > start && signs.includes(text[end - 1])) end--;
  return text.slice(start, end);
}

/** A text without spaces at its ends, as Python has them. @param {string} text */
export const stripped = (text) => trimmed(text, BLANKS);

/** The number of characters. @param {string} text */
const lengthOf = (text) => [...text].length;

/** One character of a text as Python's `casefold` has it. @param {string} one */
const foldedSign = (one) => (one === "ı" ? one : /\p{sc=Cher}/u.test(one) ? one.toUpperCase() : one.toLowerCase().toUpperCase().toLowerCase());

/** A text in which letters of either case are alike, as Python's `casefold`: "ﬁsh" is "fish". @param {string} text */
export const folded = (text) => (/^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : [...text].map(foldedSign).join(""));

/** A word as MiniLM's tokenizer reads it: without accents, in lower case. @param {string} word */
const normal = (word) => [...normalized("NFD", word).replace(/[\p{Mn}\p{C}\ufffd]/gu, "")].map((one) => one.toLowerCase()).join("").replace(AROUND, "");

/**
 * The form under which a word is found: the same for all spellings that the model reads alike. The only model of a
 * browser is an uncased BERT, whose tokenizer is known.
 * @param {string} word @param {boolean} cased
 * @returns {string}
 */
export function keyOf(word, cased) {
  const parts = word.split(SPACES).filter(Boolean);
  if (parts.length > 1) return parts.map((part) => keyOf(part, cased)).join(" "); // a phrase keeps its spaces
  const read = (cased ? word : normal(word)) || word;
  return normalized("NFC", read.replace(INVISIBLE, "").replaceAll("’", "'") || read);
}

/**
 * A form that also ignores how letters are shaped, and points that most texts omit: ﬁne, full width.
 * @param {string} word @param {boolean} cased
 */
export function looseOf(word, cased) {
  const key = keyOf(word, cased);
  const plain = key.replace(SHAPED, (part) => normalized("NFKC", part)).replace(POINTS, "") || key;
  return normalized("NFC", cased ? plain : folded(plain));
}

/** A word of a text as a screen names it. @param {string} word @param {boolean} cased */
function nameOf(word, cased) {
  const whole = cased || normalized("NFC", word).includes("\u0130") ? word : word.toLowerCase(), signs = [...whole];
  while (signs.length && FORMAT.test(signs[signs.length - 1])) signs.pop();
  const name = signs.join("");
  return name.replace(INVISIBLE, "") ? name : whole;
}

/**
 * The tokens that share a character with `start` to `end`.
 * @param {Pick<Encoded, "starts" | "ends">} encoded @param {number} start @param {number} end
 */
export function tokensOf({ starts, ends }, start, end) {
  const tokens = [];
  for (let i = 0; i < starts.length; i++) if (starts[i] < end && ends[i] > start) tokens.push(i);
  return tokens;
}

/**
 * Every word of a text that reached the model, from left to right.
 * @param {Encoded} encoded @param {boolean} cased @param {Word[]} [words] those of the text
 * @returns {Occurrence[]}
 */
export function occurrences(encoded, cased, words = split(encoded.text)) {
  const end = encoded.leftOut ? encoded.leftOut[0] : encoded.length;
  const count = counting(cased);
  const every = [];
  for (const word of words) {
    if (word.end > end) break;
    const tokens = tokensOf(encoded, word.start, word.end);
    if (!tokens.length) continue;
    every.push({ ...count(word.text), start: word.start, end: word.end, tokens });
  }
  return every;
}

/**
 * Counts words, each among all that a search finds by its name: `core.records.words.Counts`.
 * @param {boolean} cased
 */
function counting(cased) {
  /** @type {Map<string, string>} */
  const names = new Map();
  /** How often each was seen, by the form that a search compares. @type {Map<string, number>} */
  const seen = new Map();
  let joined = false; // whether one so far may have a particle
  return (/** @type {string} */ text) => {
    const key = keyOf(text, cased), form = looseOf(text, cased), word = names.get(key) ?? nameOf(text, cased);
    names.set(key, word);
    let number = seen.get(form) ?? 0;
    if (joined) for (const other of withParticles(form)) number += seen.get(other) ?? 0;
    joined ||= mayHaveParticle(form);
    seen.set(form, (seen.get(form) ?? 0) + 1);
    return { word, number };
  };
}

/**
 * The index of each token's word, among all words of the text; −1 for a special token, and for one without.
 * @param {Encoded} encoded @param {Word[]} [words] those of the text
 */
export function wordIds(encoded, words = split(encoded.text)) {
  const { starts, ends } = encoded;
  let w = 0; // tokens stand in the order of the text
  return Int32Array.from(starts, (start, i) => {
    if (start >= ends[i]) return -1;
    while (w > 0 && words[w - 1].end > start) w--;
    while (w < words.length && words[w].end <= start) w++;
    return w < words.length && words[w].start < ends[i] ? w : -1;
  });
}
