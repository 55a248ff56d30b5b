// The steps that a model of this tab has computed, with their titles, and where each token is from
// (`pages/step_by_step/sentence.py`).
/** @import { StepsOf } from "../engine/types" */
/** @import { Told } from "./made.js" */
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { range } from "../derive/numbers.js";
import { sentence } from "../derive/sentences.js";
import { stripped } from "../engine/words.js";
import STEPS from "./steps.json" with { type: "json" };

const UNKNOWN = new Set(CONSTANTS.unknown), MOST = 40; // characters of a word

/** For each token, the word that it is, or belongs to. @param {StepsOf} of */
export function notesOf({ encoded, words }) {
  const characters = [...encoded.text], { starts, ends, special, tokens } = encoded;
  const word = (/** @type {number[]} */ at) => [...stripped(characters.slice(starts[at[0]], ends[at[at.length - 1]]).join(""))].slice(0, MOST).join("");
  return tokens.map((token, i) => {
    if (special[i]) return sentence("steps.special");
    if (UNKNOWN.has(token)) return sentence("steps.unknown", { word: word([i]) });
    const pieces = words[i] < 0 ? [i] : range(tokens.length).filter((j) => words[j] === words[i]), count = pieces.length;
    return count > 1 ? sentence("steps.piece", { number: String(pieces.indexOf(i) + 1), count: String(count), word: word(pieces) }) : sentence("steps.word", { word: word(pieces) });
  });
}

/**
 * The steps with their words.
 * @param {StepsOf} of @param {"encoder" | "decoder"} kind
 * @param {Readonly<Record<string, string>>} [titles] in the language of the page, where it has another
 * @returns {Told[]}
 */
export function told(of, kind, titles = /** @type {Readonly<Record<string, string>>} */ (STEPS.titles[kind])) {
  return of.steps.map((step) => ({ ...step, title: titles[step.name], notes: step.kind === "pieces" ? notesOf(of) : [] }));
}
