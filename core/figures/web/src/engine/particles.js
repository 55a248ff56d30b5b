// What Korean, Arabic and Hebrew write together with a word: `core/records/particles.py`.
import WRITING from "./writing.json" with { type: "json" };

const { korean: KOREAN, arabic: ARABIC, arabicLetters: ARABIC_LETTERS, hebrew: HEBREW, article: ARTICLE, least: LEAST, most: MOST } = WRITING;
const { hangul: HANGUL, arabicScript: ARABIC_SCRIPT, hebrewScript: HEBREW_SCRIPT } = WRITING;

/** Whether all letters of a word lie between two characters. @param {string} word @param {string[]} script */
const isOf = (word, [first, last]) => Boolean(word) && [...word].every((letter) => letter >= first && letter <= last);

/**
 * The forms of a word with what Korean, Arabic and Hebrew write together with it: `core/records/particles.py`.
 * @param {string} word
 * @returns {Set<string>}
 */
export function withParticles(word) {
  if (word.length > 2 * MOST || !/[\p{L}\p{N}]$/u.test(word) || [...word].length > MOST) return new Set();
  const forms = new Set(KOREAN.map((particle) => word + particle));
  if (isOf(word, ARABIC_SCRIPT)) {
    const definite = word.startsWith(ARTICLE), stem = definite ? word.slice(ARTICLE.length) : word;
    for (const before of ARABIC) forms.add(before + stem);
    if (!definite && [...word].length >= LEAST) for (const letter of ARABIC_LETTERS) forms.add(letter + word);
  } else if (isOf(word, HEBREW_SCRIPT) && [...word].length >= LEAST) {
    for (const before of HEBREW) forms.add(before + word);
  }
  forms.delete(word);
  return forms;
}

/** The words that this one may be with a particle or an article, and itself. @param {string} word */
export function stems(word) {
  const found = [word];
  if (isOf(word.slice(-1), HANGUL)) {
    found.push(...KOREAN.filter((one) => one.length < word.length && word.endsWith(one)).map((one) => word.slice(0, -one.length)));
  } else if (isOf(word, ARABIC_SCRIPT)) {
    found.push(...ARABIC.filter((one) => word.startsWith(one) && word.length - one.length >= 2).map((one) => word.slice(one.length)));
  } else if (isOf(word, HEBREW_SCRIPT)) {
    found.push(...HEBREW.filter((one) => word.startsWith(one) && word.length - one.length >= LEAST).map((one) => word.slice(one.length)));
  }
  return found;
}

/** Whether a word may be another one with a particle or an article, by its first and last letter. @param {string} word */
export const mayHaveParticle = (word) =>
  isOf(word.slice(-1), HANGUL) || [ARABIC_SCRIPT, HEBREW_SCRIPT].some((script) => isOf(word.slice(0, 1), script));
