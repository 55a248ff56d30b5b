// Where a phrase occurs in a text: `core.records.words.occurrence_spans`.
import { placesOf, split } from "../engine/words.js";

/**
 * The first character of each occurrence of one whole word, or of several in a row, and the one after its last.
 * @param {string} text @param {string} phrase @param {boolean} cased
 * @returns {[number, number][]}
 */
export function occurrenceSpans(text, phrase, cased) {
  const words = split(text);
  return placesOf(words, phrase, cased).map(([first, last]) => [words[first].start, words[last].end]);
}
