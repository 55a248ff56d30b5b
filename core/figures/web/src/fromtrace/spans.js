// Where a phrase occurs in a text: `core.records.words.occurrence_spans`.
import { keyOf, split } from "../engine/words.js";

/**
 * The first character of each occurrence of one whole word, or of several in a row, and the one after its last.
 * @param {string} text @param {string} phrase @param {boolean} cased
 * @returns {[number, number][]}
 */
export function occurrenceSpans(text, phrase, cased) {
  const keys = (/** @type {{ text: string }[]} */ words) => words.map((word) => keyOf(word.text, cased));
  const wanted = keys(split(phrase)), words = split(text), there = keys(words);
  /** @type {[number, number][]} */
  const spans = [];
  for (let i = 0; wanted.length && i + wanted.length <= words.length;) {
    if (wanted.every((key, w) => there[i + w] === key)) {
      spans.push([words[i].start, words[i + wanted.length - 1].end]);
      i += wanted.length;
    } else i++;
  }
  return spans;
}
