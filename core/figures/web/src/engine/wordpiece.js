// From a text to MiniLM's tokens, as Python's tokenizer splits it: BERT's normalizer, its pre-tokenizer and
// WordPiece. What becomes of each character stands in tables that `make web` asks that tokenizer for
// (`tools/web` names them), since a browser may know another version of Unicode.
/** @typedef {import("./types").Tables} Tables */
/** @typedef {import("./types").Encoded} Encoded */

import { wellFormed } from "./words.js";

const HANGUL = [0xac00, 0xd7a3]; // syllables, which decompose by arithmetic
/** What a character is to the tokenizer. */
const GONE = 1, SPACE = 2, APART = 3, PUNCTUATION = 4;

export class WordPiece {
  /** @param {Tables} tables */
  constructor(tables) {
    this.tokens = tables.vocabulary.split("\n");
    this.longest = tables.longest;
    this.most = tables.most;
    this.continues = tables.continues;
    /** @type {Map<string, number>} */
    this.ids = new Map(this.tokens.map((token, id) => [token, id]));
    const id = (/** @type {string} */ token) => {
      const found = this.ids.get(token);
      if (found === undefined) throw new RangeError(`The vocabulary has no ${token}.`);
      return found;
    };
    this.unknown = id(tables.unknown);
    const [first, last] = tables.classify.map(id);
    this.around = { first, last };
    /** Tokens that are found as they are written, the longest first. */
    this.added = tables.added.map((text) => ({ text, id: id(text) }))
      .sort((a, b) => b.text.length - a.text.length);
    this.become = new Map(tables.becomes.split("\n").map((line) => {
      const [from, to] = line.split("\t");
      return [from, [...to]];
    }));
    this.order = new Map(Object.entries(tables.order));
    this.kinds = [tables.gone, tables.spaces, tables.apart, tables.punctuation];
    /** @type {Map<number, number>} */
    this.known = new Map();
    this.longestToken = this.tokens.reduce((most, token) => Math.max(most, token.length), 0);
  }

  /** The kind of a character: GONE, SPACE, APART, PUNCTUATION, or 0. @param {string} character */
  #kindOf(character) {
    const code = character.codePointAt(0) ?? 0;
    let kind = this.known.get(code);
    if (kind === undefined) {
      kind = this.kinds.findIndex((ranges) => within(ranges, code)) + 1;
      this.known.set(code, kind);
    }
    return kind;
  }

  /** What a character becomes: without case and accents. @param {string} character @returns {string[]} */
  #becomes(character) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= HANGUL[0] && code <= HANGUL[1]) return [...character.normalize("NFD")];
    return this.become.get(character) ?? [character];
  }

  /**
   * The tokens of a text, between [CLS] and [SEP]; what does not fit the model is left out. Positions count
   * characters, not UTF-16 units.
   * @param {string} raw @returns {Encoded}
   */
  encode(raw) {
    const text = wellFormed(raw);
    const characters = [...text], room = this.most - 2;
    /** @type {[id: number, start: number, end: number][]} */
    const found = [];
    let from = 0; // of the part of the text that no added token has ended
    for (let i = 0; i < characters.length && found.length <= room; i++) {
      const added = characters[i] === "[" ? this.#addedAt(characters, i) : null;
      if (!added) continue;
      this.#split(characters, from, i, found);
      found.push([added.id, i, i + added.text.length]);
      from = i + added.text.length;
      i = from - 1;
    }
    if (found.length <= room) this.#split(characters, from, characters.length, found);
    const cut = found.length > room ? found[room][1] : null;
    const fitting = found.slice(0, room);
    const all = [[this.around.first, 0, 0], ...fitting, [this.around.last, 0, 0]];
    return {
      text,
      ids: Int32Array.from(all, ([id]) => id),
      tokens: all.map(([id]) => this.tokens[id]),
      starts: Int32Array.from(all, ([, start]) => start),
      ends: Int32Array.from(all, ([, , end]) => end),
      special: all.map((_, i) => i === 0 || i === all.length - 1),
      leftOut: cut === null ? null : [cut, characters.length],
      length: characters.length,
    };
  }

  /** The added token that begins at a character, or null. @param {string[]} characters @param {number} at */
  #addedAt(characters, at) {
    return this.added.find(({ text }) => [...text].every((one, i) => characters[at + i] === one)) ?? null;
  }

  /**
   * Adds the tokens of the characters `from` to `to`, until there are more than the model reads.
   * @param {string[]} characters @param {number} from @param {number} to
   * @param {[number, number, number][]} found
   */
  #split(characters, from, to, found) {
    /** The letters of the word so far, and where each comes from. @type {string[]} */
    let letters = [];
    /** @type {number[]} */
    let places = [];
    const end = () => {
      if (letters.length) this.#word(letters, places, found);
      letters = [];
      places = [];
    };
    for (let i = from; i < to && found.length <= this.most; i++) {
      const kind = this.#kindOf(characters[i]);
      if (kind === GONE && !this.order.has(characters[i])) continue;
      if (kind === SPACE || kind === APART) end();
      if (kind === SPACE) continue;
      for (const letter of this.#becomes(characters[i])) {
        const apart = this.#kindOf(letter) === PUNCTUATION;
        if (apart) end();
        letters.push(letter);
        places.push(i);
        if (apart) end();
      }
      if (kind === APART) end();
    }
    end();
  }

  /**
   * Adds the pieces of one word, each the longest that the vocabulary has; an unknown word is one token.
   * @param {string[]} letters @param {number[]} places @param {[number, number, number][]} found
   */
  #word(letters, places, found) {
    this.#sortMarks(letters);
    if (letters.some((letter) => this.#kindOf(letter) === GONE)) { // the accents, which had their order until now
      const left = letters.map((_, i) => i).filter((i) => this.#kindOf(letters[i]) !== GONE);
      [letters, places] = [left.map((i) => letters[i]), left.map((i) => places[i])];
      if (!letters.length) return;
    }
    const whole = /** @type {[number, number, number]} */ (
      [this.unknown, places[0], places[places.length - 1] + 1]);
    if (letters.length > this.longest) {
      found.push(whole);
      return;
    }
    /** @type {[number, number, number][]} */
    const pieces = [];
    for (let start = 0; start < letters.length;) {
      let end = Math.min(letters.length, start + this.longestToken), id;
      for (; end > start; end--) {
        id = this.ids.get((start ? this.continues : "") + letters.slice(start, end).join(""));
        if (id !== undefined) break;
      }
      if (id === undefined) {
        found.push(whole);
        return;
      }
      pieces.push([id, places[start], places[end - 1] + 1]);
      start = end;
    }
    found.push(...pieces);
  }

  /** Puts marks in a row into Unicode's canonical order; their places stay, as in Python's library. @param {string[]} letters */
  #sortMarks(letters) {
    const order = (/** @type {string} */ letter) => this.order.get(letter) ?? 0;
    for (let first = 0; first < letters.length; first++) {
      if (!order(letters[first])) continue;
      let last = first + 1;
      while (last < letters.length && order(letters[last])) last++;
      const marks = letters.slice(first, last).sort((a, b) => order(a) - order(b));
      letters.splice(first, last - first, ...marks);
      first = last;
    }
  }
}

/** Whether a number is in one of the runs first, last, first, last, … @param {number[]} ranges @param {number} code */
function within(ranges, code) {
  let low = 0, high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code > ranges[2 * middle + 1]) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length / 2 && code >= ranges[2 * low];
}
