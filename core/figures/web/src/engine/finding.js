// Finding a word or a phrase in a text: `core/records/finding.py`. A whole word; a star stands for any letters.
/** @typedef {import("./types").Encoded} Encoded */
/** @typedef {import("./trace").Occurrence} Occurrence */
/** @typedef {import("./words").Word} Word */
/** @typedef {(word: string) => boolean} Fits */
/** @typedef {[start: number, end: number]} Span */

import WRITING from "./writing.json" with { type: "json" };
import { withParticles } from "./particles.js";
import { isElided, isUnspaced, keyOf, looseOf, split, stripped, tokensOf, trimmed } from "./words.js";

export { stems, withParticles } from "./particles.js";

const { star: STAR, mostItems: MOST_ITEMS, room: ROOM, longer: LONGER } = WRITING, QUOTES = new Set(WRITING.quotes);
const MOST_UNITS = 0xd000; // different words of a phrase: each becomes one UTF-16 unit

/**
 * The first character of each occurrence of one whole word, or of several in a row, and the one after its last. They
 * do not overlap.
 * @param {string} text @param {string} phrase @param {boolean} cased
 * @returns {Span[]}
 */
export function occurrenceSpans(text, phrase, cased) {
  if (phrase.length > ROOM + LONGER * text.length) return [];
  const words = split(text);
  for (const search of searches(phrase, cased, /^[\0-\x7f]*$/.test(text + phrase))) {
    const found = search(words);
    if (found.length) return found;
  }
  return [];
}

/**
 * `occurrenceSpans` in a text with its tokens: those that reached the model.
 * @param {Encoded} encoded @param {string} phrase @param {boolean} cased
 * @returns {Omit<Occurrence, "word" | "number">[]}
 */
export function findAll(encoded, phrase, cased) {
  const last = encoded.leftOut ? encoded.leftOut[0] : encoded.length;
  return occurrenceSpans(encoded.text, phrase, cased).filter(([, end]) => end <= last)
    .map(([start, end]) => ({ start, end, tokens: tokensOf(encoded, start, end) })).filter(({ tokens }) => tokens.length);
}

/** Whether a phrase has a star that stands for letters. @param {string} phrase */
export const hasStar = (phrase) => phrase.includes(STAR) && itemsOf(phrase).some(({ starred }) => starred);

/** Whether a phrase is more than one word, perhaps with stars. @param {string} phrase */
export const isPhrase = (phrase) => itemsOf(phrase).length > 1;

/**
 * The test of whether another word is the one that is sought.
 * @param {string} word @param {boolean} cased
 * @returns {Fits}
 */
export function fitsOf(word, cased) {
  if (hasStar(word)) {
    const fits = itemsOf(word).map((item) => fitsItem(item, cased));
    return (other) => fits.length === 1 && fits[0](other);
  }
  const loose = looseOf(word, cased), forms = withParticles(loose).add(loose);
  return (other) => forms.has(looseOf(other, cased));
}

/** A phrase without the quotation marks around it, if it has any. @param {string} phrase */
export function unquoted(phrase) {
  const typed = [...stripped(phrase)], inner = typed.slice(1, -1).join("");
  return typed.length > 2 && QUOTES.has(typed[0] + typed[typed.length - 1]) && split(inner).length ? inner : phrase;
}

/** @param {string} phrase @param {boolean} cased @param {boolean} plain whether both texts are ASCII */
function* searches(phrase, cased, plain) {
  yield* readings(phrase, cased, plain);
  const inner = unquoted(phrase);
  if (inner !== phrase) yield* readings(inner, cased, plain);
}

/**
 * Ways to read a phrase, the first that finds something counts; each finds all that it may.
 * @param {string} phrase @param {boolean} cased @param {boolean} plain whether both texts are ASCII
 */
function* readings(phrase, cased, plain) {
  const items = itemsOf(phrase), wanted = split(phrase);
  const key = (/** @type {string} */ word) => keyOf(word, cased), loose = (/** @type {string} */ word) => looseOf(word, cased);
  if (!items.length) return;
  if (items.some(({ starred }) => starred)) {
    // "f**k" may be what the text says
    if (items.some(isInside)) yield (/** @type {Word[]} */ words) => inARow(spaced(words), spaced(wanted), key);
    const fits = items.map((item) => fitsItem(item, cased));
    if (items.length <= MOST_ITEMS) yield (/** @type {Word[]} */ words) => byTests(words, fits);
    return;
  }
  if (mayBeOne(stripped(phrase), wanted)) {
    const own = fitsOf(stripped(phrase), cased);
    yield (/** @type {Word[]} */ words) => byTests(words, [own]);
  }
  if (plain) yield (/** @type {Word[]} */ words) => inARow(words, wanted, key);
  else {
    const forms = wanted.slice(0, MOST_ITEMS + 1).map(({ text }) => fitsOf(text, cased));
    yield (/** @type {Word[]} */ words) =>
      merged(inARow(words, wanted, loose), forms.length > MOST_ITEMS ? [] : byTests(words, forms));
  }
}

/** Whether an item has a star between letters, or several in a row, as letters are hidden. @param {Item} item */
const isInside = ({ text, starred }) => starred && (trimmed(text, STAR).includes(STAR) || text.includes(STAR + STAR));

/** Words with what stands between them as a word, so that "a * b" is not "a*b". @param {Word[]} words @returns {Word[]} */
const spaced = (words) => words.flatMap((word, i) =>
  i && words[i - 1].end < word.start ? [{ text: " ", start: words[i - 1].end, end: word.start }, word] : [word]);

/** What two searches found, from left to right; of two that overlap, the first and longest. @param {Span[][]} found */
function merged(...found) {
  let free = 0;
  return found.flat().sort(([a, b], [c, d]) => a - c || d - b).filter(([start, end]) => {
    const isFree = start >= free;
    if (isFree) free = end;
    return isFree;
  });
}

/** Whether a phrase may be one word of a text, though it is split when it stands alone. @param {string} phrase @param {Word[]} words */
const mayBeOne = (phrase, words) => isElided(phrase)
  || words.every(({ text, start }, i) => isUnspaced(text) && (!i || words[i - 1].end === start));

/**
 * Words in a row that read like the wanted ones. In scripts without spaces, characters are compared: a dictionary may
 * split a phrase otherwise if it stands alone.
 * @param {Word[]} words @param {Word[]} wanted @param {(word: string) => string} form
 * @returns {Span[]}
 */
function inARow(words, wanted, form) {
  const units = (/** @type {string} */ word) =>
    isElided(word) ? [form(word.slice(0, -1)), form(word.slice(-1))] : isUnspaced(word) ? [...form(word)] : [form(word)];
  /** Each different unit as one UTF-16 unit, so that the browser's own search finds them. @type {Map<string, string>} */
  const characters = new Map();
  const sought = wanted.flatMap(({ text }) => units(text)).map((unit) => {
    const known = characters.get(unit) ?? String.fromCharCode(characters.size + 1);
    characters.set(unit, known);
    return known;
  }).join("");
  if (characters.size > MOST_UNITS) return [];
  /** Where each word begins and ends in the row. @type {Map<number, Word>} */
  const firsts = new Map();
  /** @type {Map<number, Word>} */
  const lasts = new Map();
  let row = "";
  for (const word of words) {
    firsts.set(row.length, word);
    for (const unit of units(word.text)) row += characters.get(unit) ?? "\0";
    lasts.set(row.length, word);
  }
  /** @type {Span[]} */
  const spans = [];
  let free = 0; // the first unit behind the last occurrence
  for (const i of placesOf(sought, row)) {
    const behind = i + sought.length, first = firsts.get(i), last = lasts.get(behind);
    if (i < free || !first || !last) continue;
    spans.push([first.start, last.end]);
    free = behind;
  }
  return spans;
}

/**
 * Where a text stands in another, overlaps included; in time in proportion to both (Knuth, Morris, Pratt 1977).
 * @param {string} sought @param {string} row
 */
function placesOf(sought, row) {
  /** @type {number[]} */
  const places = [];
  if (!sought || !row.includes(sought)) return places;
  /** Of each beginning of the text, how much of it is also its end. */
  const again = new Int32Array(sought.length);
  for (let i = 1, n = 0; i < sought.length; i++) {
    while (n && sought[i] !== sought[n]) n = again[n - 1];
    again[i] = sought[i] === sought[n] ? ++n : 0;
  }
  for (let i = 0, n = 0; i < row.length; i++) {
    while (n && row[i] !== sought[n]) n = again[n - 1];
    if (row[i] === sought[n]) n++;
    if (n < sought.length) continue;
    places.push(i + 1 - n);
    n = again[n - 1];
  }
  return places;
}

/** Words in a row of which each fits a test. @param {Word[]} words @param {Fits[]} fits @returns {Span[]} */
function byTests(words, fits) {
  /** @type {Span[]} */
  const spans = [];
  for (let i = 0; i + fits.length <= words.length;) {
    if (fits.every((test, n) => test(words[i + n].text))) {
      spans.push([words[i].start, words[i + fits.length - 1].end]);
      i += fits.length;
    } else i++;
  }
  return spans;
}

/** @typedef {{ text: string, starred: boolean }} Item */

/** The words of a phrase. A star beside a word belongs to it, with its whole unspaced run. @param {string} phrase */
function itemsOf(phrase) {
  const words = split(phrase), one = (/** @type {Word} */ word) => ({ text: word.text, starred: false });
  if (!phrase.includes(STAR)) return words.map(one);
  /** @type {Item[]} */
  const items = [];
  /** @type {Word[]} */
  let joined = [];
  const close = () => {
    const text = joined.map((word) => word.text).join(""), starred = text.includes(STAR) && joined.some((word) => isWord(word.text));
    if (starred) items.push({ text, starred });
    else for (const word of joined) items.push(one(word)); // they may be too many for the arguments of one call
    joined = [];
  };
  words.forEach((word, i) => {
    if (i && !(words[i - 1].end === word.start && belong(words[i - 1].text, word.text))) close();
    joined.push(word);
  });
  close();
  return items;
}

/** Whether two neighbours are parts of one item. @param {string} before @param {string} word */
function belong(before, word) {
  if (before === STAR || word === STAR) {
    const other = before === STAR ? word : before;
    return other === STAR || isWord(other);
  }
  return isUnspaced(before) && isUnspaced(word);
}

/** @param {string} word */
const isWord = (word) => /[\p{L}\p{N}]/u.test(word);

/** The test of one item: a word with stars, or a whole word. @param {Item} item @param {boolean} cased @returns {Fits} */
function fitsItem({ text, starred }, cased) {
  if (!starred) {
    const key = keyOf(text, cased);
    return (other) => keyOf(other, cased) === key;
  }
  const parts = text.split(STAR).map((part) => part && keyOf(part, cased));
  const first = parts[0], last = parts[parts.length - 1], middle = parts.slice(1, -1).filter(Boolean);
  return (other) => {
    if (!isWord(other)) return false;
    const key = keyOf(other, cased), end = key.length - last.length;
    let at = first.length;
    if (!key.startsWith(first) || !key.endsWith(last) || at > end) return false;
    const before = key.slice(0, end);
    for (const part of middle) {
      const found = before.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return true;
  };
}
