// What a table of five letters foresees of a text: `core/own_text/ngram.py`, where its smoothing is explained.

const ORDER = 5;

/**
 * The mean surprise of a held-out text by counts of the text before it, in bits a letter.
 * @param {string} text @param {string} held
 */
export function bitsPerLetter(text, held) {
  const before = [...text], whole = [...before, ...held], start = before.length;
  const context = (/** @type {number} */ i, /** @type {number} */ n) => whole.slice(i - n, i).join("");
  /** By the length of a context: how often each letter followed it. @type {Map<string, Map<string, number>>[]} */
  const counts = Array.from({ length: ORDER }, () => new Map());
  for (let i = start; i < whole.length; i++) {
    for (let n = 0; n < Math.min(ORDER, i + 1); n++) counts[n].set(context(i, n), new Map());
  }
  for (let i = 0; i < start; i++) {
    for (let n = 0; n < Math.min(ORDER, i + 1); n++) {
      const seen = counts[n].get(context(i, n));
      seen?.set(whole[i], (seen.get(whole[i]) ?? 0) + 1);
    }
  }
  const even = 1 / new Set(whole).size;
  let bits = 0;
  for (let i = start; i < whole.length; i++) {
    let p = even;
    for (let n = 0; n < Math.min(ORDER, i + 1); n++) {
      const seen = counts[n].get(context(i, n));
      if (!seen?.size) break;
      let total = 0;
      for (const count of seen.values()) total += count;
      p = ((seen.get(whole[i]) ?? 0) + seen.size * p) / (total + seen.size);
    }
    bits -= Math.log2(p);
  }
  return bits / (whole.length - start);
}
