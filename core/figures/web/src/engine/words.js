// Words by our own rules, as `core.records.words` has them in Python: a run of letters and digits with its
// apostrophes ("don't"), a final 's, one Chinese or Japanese character, or any other visible sign.
// Positions count characters, not UTF-16 units. A character that is newer than the browser's Unicode counts as
// unseen here, until the browser learns it.
/** @typedef {import("./types").Encoded} Encoded */
/** @typedef {import("./trace").Occurrence} Occurrence */
/** @typedef {{ text: string, start: number, end: number }} Word */

/** A text without halves of surrogate pairs, which are no characters. @param {string} text */
export const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");

const CJK = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]`;
// The end of a word of letters. \b would let a Chinese character continue an English word.
const END = String.raw`(?![[\p{L}\p{N}\p{M}_]--${CJK}])`;
const LETTER = String.raw`(?:(?!${CJK})[\p{L}\p{N}_][[\p{M}\p{Cf}]--\u200b]*)`;
const WORD = new RegExp(
  String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]\p{M}*` // Chinese, Japanese: by character
  + String.raw`|['’]s${END}` // the final 's of a word
  + String.raw`|${LETTER}+(?:(?!['’]s${END})['’]${LETTER}+)*`, // don't
  "ivy");
const UNSEEN = /[\s\p{C}]/uy;
const FORMAT = /\p{Cf}/gu, ONE_FORMAT = /^\p{Cf}$/u;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const NEAR = 64; // UTF-16 units in which most signs end

/** The words of a text from left to right. @param {string} text @returns {Word[]} */
export function split(text) {
  /** @type {Word[]} */
  const words = [];
  let at = 0, characters = 0;
  while (at < text.length) {
    WORD.lastIndex = at;
    UNSEEN.lastIndex = at;
    let found = WORD.exec(text)?.[0];
    const word = found !== undefined || !UNSEEN.test(text);
    found ??= word ? signAt(text, at) : String.fromCodePoint(text.codePointAt(at) ?? 0);
    const count = lengthOf(found);
    if (word) words.push({ text: found, start: characters, end: characters + count });
    at += found.length;
    characters += count;
  }
  return words;
}

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

/** A word without invisible signs at its end. @param {string} word */
function visible(word) {
  const signs = [...word];
  while (signs.length && ONE_FORMAT.test(signs[signs.length - 1])) signs.pop();
  return signs.join("");
}

/** The number of characters. @param {string} text */
const lengthOf = (text) => [...text].length;

/** A text in which letters of either case are alike, as Python's `casefold`. @param {string} text */
const folded = (text) => [...text].map((one) => one === "ı" ? one : one.toLowerCase().toUpperCase().toLowerCase()).join("");

/**
 * The form under which a word is found: the same for all spellings that do not differ on screen.
 * @param {string} word @param {boolean} cased
 */
export function keyOf(word, cased) {
  const same = word.replace(FORMAT, "").normalize("NFC").replaceAll("’", "'");
  return cased ? same : folded(same).normalize("NFC");
}

/**
 * The tokens that share a character with `start` to `end`.
 * @param {Pick<Encoded, "starts" | "ends">} encoded @param {number} start @param {number} end
 */
function tokensOf({ starts, ends }, start, end) {
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
  /** @type {Map<string, number>} */
  const counts = new Map();
  const every = [];
  for (const word of words) {
    if (word.end > end) break;
    const tokens = tokensOf(encoded, word.start, word.end);
    if (!tokens.length) continue;
    const key = keyOf(word.text, cased), number = counts.get(key) ?? 0;
    counts.set(key, number + 1);
    const name = visible(cased ? word.text : word.text.toLowerCase());
    every.push({ word: name, number, start: word.start, end: word.end, tokens });
  }
  return every;
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

/**
 * The occurrences of a phrase, one whole word or several in a row, each with its tokens; they do not overlap.
 * @param {Encoded} encoded @param {string} phrase @param {boolean} cased
 * @returns {Omit<Occurrence, "word" | "number">[]}
 */
export function findAll(encoded, phrase, cased) {
  const words = split(encoded.text), every = [];
  const end = encoded.leftOut ? encoded.leftOut[0] : encoded.length;
  for (const [i, j] of placesOf(words, phrase, cased)) {
    const start = words[i].start, last = words[j].end;
    if (last > end) break;
    const tokens = tokensOf(encoded, start, last);
    if (tokens.length) every.push({ start, end: last, tokens });
  }
  return every;
}

/** The phrase that was sought last: a list of contexts asks for one in each of its lines. @type {{ text: string, words: Word[] }} */
let sought = { text: "", words: [] };

/** @param {string} text */
function phraseOf(text) {
  if (text !== sought.text) sought = { text, words: split(text) };
  return sought.words;
}

/**
 * Where a phrase stands among the words of a text: its first and its last word each time; they do not overlap. It
 * takes time in proportion to the text, however long the phrase is (Knuth, Morris, Pratt 1977).
 * @param {readonly Word[]} words @param {string} phrase @param {boolean} cased
 * @returns {[number, number][]}
 */
export function placesOf(words, phrase, cased) {
  const parts = phraseOf(phrase);
  if (!parts.length || parts.length > words.length) return [];
  const wanted = parts.map((word) => keyOf(word.text, cased));
  /** Of each beginning of the phrase, how much of it is also its end. */
  const again = new Int32Array(wanted.length);
  for (let i = 1, n = 0; i < wanted.length; i++) {
    while (n && wanted[i] !== wanted[n]) n = again[n - 1];
    again[i] = wanted[i] === wanted[n] ? ++n : 0;
  }
  /** @type {[number, number][]} */
  const places = [];
  let n = 0;
  words.forEach(({ text }, i) => {
    const key = keyOf(text, cased);
    while (n && key !== wanted[n]) n = again[n - 1];
    if (key === wanted[n]) n++;
    if (n < wanted.length) return;
    places.push([i + 1 - n, i]);
    n = 0;
  });
  return places;
}
