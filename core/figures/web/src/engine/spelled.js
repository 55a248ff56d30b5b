// The special tokens that a typed text spells out: `Model.special_in` (`core/pretrained/tokenizer/reader.py`).
/** @import { Encoded } from "./types" */
import { stripped } from "./words.js";

const MASK = "[MASK]"; // it is there to be written

/**
 * Those tokens of a text that the model reads as one where the text has their letters, each once, in their order.
 * @param {Pick<Encoded, "text" | "ids" | "tokens" | "starts" | "ends">} encoded @param {(id: number) => boolean} isAdded
 * @returns {string[]}
 */
export function specialIn({ text, ids, tokens, starts, ends }, isAdded) {
  const added = tokens.flatMap((token, i) => (isAdded(ids[i]) && token !== MASK ? [i] : []));
  if (!added.length) return [];
  const characters = [...text];
  return [...new Set(added.filter((i) => stripped(tokens[i]) && stripped(characters.slice(starts[i], ends[i]).join("")) === stripped(tokens[i])).map((i) => tokens[i]))];
}
