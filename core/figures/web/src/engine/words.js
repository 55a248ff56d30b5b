// TEMPORARY stand-in
/** @param {string} text */
export function split(text) {
  const out = [];
  const re = /['’]s(?![\p{L}\p{N}\p{M}_])|[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*(?:(?!['’]s(?![\p{L}\p{N}\p{M}_]))['’][\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*)*|[^\s\p{C}]/gu;
  for (const m of text.matchAll(re)) {
    const start = [...text.slice(0, m.index)].length;
    out.push({ text: m[0], start, end: start + [...m[0]].length });
  }
  return out;
}
/** @param {string} word @param {boolean} cased */
export const keyOf = (word, cased) => (cased ? word : word.toLowerCase());
/** @param {string} text @param {string} phrase @param {boolean} cased @returns {[number, number][]} */
export function occurrenceSpans(text, phrase, cased) {
  const wanted = split(phrase).map((w) => keyOf(w.text, cased)), words = split(text), keys = words.map((w) => keyOf(w.text, cased));
  /** @type {[number, number][]} */
  const spans = [];
  let i = 0;
  while (wanted.length && i + wanted.length <= words.length) {
    if (wanted.every((w, j) => keys[i + j] === w)) { spans.push([words[i].start, words[i + wanted.length - 1].end]); i += wanted.length; } else i++;
  }
  return spans;
}
