// Readable names of tokens: `core/measures/attention/token_names.py`, for vocabularies whose own names are those of the
// text, as MiniLM's, and for byte-level ones, which write "Ġbank".
/** @import { Trace } from "../engine/trace.js" */
import { stripped } from "../engine/words.js";

const NAME = /^(?:<(?!0x[0-9A-F]{2}>)[^<>\s]+>|\[[^[\]\s]+\])$/;

/**
 * Each token by its characters in the text; a continuation is "##ing", a line end "↵".
 * @param {Pick<Trace, "tokens" | "starts" | "ends" | "special" | "wordIds" | "causal" | "text">} trace
 */
export function namesOf(trace) {
  const { tokens, starts, ends, special, wordIds } = trace;
  if (!trace.causal) return tokens;
  const characters = [...trace.text], read = tokens.map((_, i) => characters.slice(starts[i], ends[i]).join(""));
  let before = -1; // the word of the token before, if that token showed any of it
  return tokens.map((token, i) => {
    const piece = stripped(read[i]), own = before;
    before = -1;
    if (read[i] && !piece) return blank(read[i]);
    if (special[i] || !piece || (NAME.test(token) && token !== piece)) return token;
    before = wordIds[i];
    return own === before && own >= 0 ? `##${piece}` : piece;
  });
}

/** A visible name of a token that is nothing but space. @param {string} read */
function blank(read) {
  const count = (/** @type {string} */ sign) => read.split(sign).length - 1, lines = count("\n") || count("\r");
  return "↵".repeat(lines) + "⇥".repeat(count("\t")) || " ";
}
