// What a class's screen does not show of what a model says: `pages/next_word/hidden.py`. The list has no words but the
// beginnings of their checksums (`core/dictionary/unshown.py`).
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { folded, wellFormed } from "../engine/words.js";

const { word: WORD, digits: DIGITS, before: BEFORE } = CONSTANTS.hidden;
const SIGN = /[\p{L}\p{N}]/u;

export class Hidden {
  /** @param {readonly string[]} sums of the words; none for a screen that shows all */
  constructor(sums) {
    this.sums = new Set(sums);
  }

  /** These tokens as a class may see them, each as the one that follows a text. @param {string} before @param {readonly string[]} spellings */
  shown(before, spellings) {
    const tail = [...before].slice(-BEFORE);
    return spellings.map((one) => (this.#spans([...tail, ...one]).some(([, end]) => end > tail.length) ? ` ${WORD}` : one));
  }

  /** The pieces of a text as a class may see them: "…" for the further pieces of a hidden word. @param {readonly string[]} every */
  pieces(every) {
    const hidden = this.#spans([...every.join("")]);
    let start = 0;
    return every.map((one) => {
      const from = start, end = (start += [...one].length), inside = hidden.find(([first, last]) => first < end && last > from);
      if (!inside) return one;
      return inside[0] >= from ? one.slice(0, one.length - one.trimStart().length) + WORD : "…";
    });
  }

  /** A text as a class may see it. @param {string} said */
  text(said) {
    const signs = [...said];
    for (const [start, end] of this.#spans(signs).reverse()) signs.splice(start, end - start, WORD);
    return signs.join("");
  }

  /** Where words of the list stand in a text. @param {readonly string[]} signs @returns {[number, number][]} */
  #spans(signs) {
    if (!this.sums.size) return [];
    /** @type {[number, number][]} */
    const found = [];
    for (let start = 0; start < signs.length; start++) {
      if (!SIGN.test(signs[start])) continue;
      let end = start + 1;
      while (end < signs.length && SIGN.test(signs[end])) end++;
      if (this.sums.has(sumOf(signs.slice(start, end).join("")))) found.push([start, end]);
      start = end;
    }
    return found;
  }
}

/** What the list holds of a word. @param {string} word */
const sumOf = (word) => bytesToHex(sha256(utf8ToBytes(folded(wellFormed(word))))).slice(0, DIGITS);
