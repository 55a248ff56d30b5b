// The sentences that Python and JavaScript share: one table of templates, `core/sentences`.
import TABLE from "../../../../sentences/table.json" with { type: "json" };
import { SPACES, stripped } from "../engine/words.js";
import { decimal, m } from "../runtime/language.js";
import { fixed } from "../runtime/shared.js";
import CONSTANTS from "./constants.json" with { type: "json" };

const { ofWord: OF_WORD, ofText: OF_TEXT, wordJoiner: JOINER } = CONSTANTS.text;
const STILL_ALIVE = new RegExp(CONSTANTS.text.stillAlive, "gi");
/** Signs of scripts that run from right to left. */
export const RIGHT_TO_LEFT = new RegExp(CONSTANTS.names.rightToLeft, "u");

/** @typedef {keyof typeof TABLE} SentenceName */

/**
 * A sentence of the table, filled in (Markdown).
 * @param {SentenceName} name
 * @param {Readonly<Record<string, string>>} [values]
 */
export function sentence(name, values = {}) {
  return m(TABLE[name], values);
}

/**
 * Words in a row: "A", "A and B", "A, B and C".
 * @param {readonly string[]} words
 */
export function listed(words) {
  const others = words.slice(0, -1), last = words[words.length - 1];
  return others.length ? sentence("list.and", { others: others.join(", "), last }) : last;
}

/** That special tokens in a typed text are read as such: `ui/text.py`. @param {string} name of its box @param {readonly string[]} tokens at least one */
export const specialTokens = (name, tokens) =>
  sentence(tokens.length > 1 ? "text.special-tokens" : "text.special-token", { name, tokens: listed(tokens.map((one) => `\`${stripped(one)}\``)) });

/**
 * A share from 0 to 1 as every sentence has it: 97.3 %, 100 %. What is not all is never 100 %, and what is not nothing
 * never 0 %.
 * @param {number} share
 */
export function percent(share) {
  if (share > 0 && share < 0.0005) return m("less than 0.1 %");
  if (share >= 0.9995 && share < 1) return m("more than 99.9 %");
  const exact = Math.abs(100 * share - Math.round(100 * share)) < 1e-5;
  return decimal(`${exact ? Math.round(100 * share) : fixed(100 * share, 1)} %`);
}

/** The beginning of a word that a visitor typed. @param {string} word */
export const ofWord = (word) => [...word].slice(0, OF_WORD).join("");

/** The beginning of a text that a visitor typed. @param {string} text */
export const ofText = (text) => [...text].slice(0, OF_TEXT).join("");

/**
 * What a visitor typed, as one line that stays text in a sentence: `ui/text.py`.
 * @param {string} text
 */
export function plain(text) {
  const apart = text.split(SPACES).filter(Boolean).join(" ").replace(STILL_ALIVE, JOINER);
  const escaped = apart.replace(/[!-/:-@[-`{-~]/g, "\\$&");
  return RIGHT_TO_LEFT.test(escaped) ? `\u2068${escaped}\u2069` : escaped;
}
