// A text as the page Step by step shows it: only a few tokens (`pages/step_by_step/sentence.py`).
/** @import { Encoded } from "../types" */
import CONSTANTS from "../../derive/constants.json" with { type: "json" };
import { namesOf } from "../../derive/tokennames.js";
import { range } from "../../derive/numbers.js";
import { EngineError } from "../errors.js";
import { wordIds } from "../words.js";

const { most: MOST } = CONSTANTS.steps; // tokens

/**
 * A text that was read, truncated to what the page shows.
 * @typedef {object} ShortText
 * @property {Encoded} encoded
 * @property {Int32Array} words the word of each token; −1 for none
 * @property {string[]} tokens their readable names
 * @property {boolean} cut whether it was truncated
 */

/**
 * A text truncated to what the page shows, at the end of a word if possible.
 * @param {(text: string) => Encoded} encode @param {string} typed @param {boolean} causal
 * @returns {ShortText}
 * @throws {EngineError} "TextRefused": a shorter text has as many tokens
 */
export function shortText(encode, typed, causal) {
  let encoded = encode(typed), cut = false;
  if (encoded.ids.length > MOST) {
    const { special, ends } = encoded, words = wordIds(encoded), own = range(encoded.ids.length).filter((i) => !special[i]);
    const room = MOST - special.filter(Boolean).length;
    const last = range(room).filter((i) => words[own[i]] !== words[own[i + 1]]).at(-1) ?? room - 1;
    cut = true;
    encoded = encode([...encoded.text].slice(0, ends[own[last]]).join(""));
    if (encoded.ids.length > MOST) throw new EngineError("TextRefused", `This text does not fit into ${MOST} tokens. Type a shorter one.`);
  }
  const words = wordIds(encoded);
  return { encoded, words, cut, tokens: [...namesOf({ ...encoded, wordIds: words, causal })] };
}
