// Why a token comes next, or why it rather than another: the words that were read and the parts that wrote, each with what
// it adds to the logit (`core/pretrained/attribution.py`, `pages/next_word/why/computed.py`). Attention weights, norms and
// gates are held as they were in this run; one pass there and one back compute both sums.
/** @typedef {import("./decoder").Decoder} Decoder */
/** @typedef {import("./speaker").Speaker} Speaker */
/** @typedef {import("./types").Encoded} Encoded */
/** @typedef {() => boolean | Promise<boolean>} GoesOn */
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { inner } from "../derive/numbers.js";
import { likeliest } from "../derive/surprise.js";
import { EngineError } from "./errors.js";
import { trimmed } from "./words.js";

const { rivals: RIVALS, offered: OFFERED, nothing: NOTHING, punctuation: PUNCTUATION } = CONSTANTS.why;
const FUNCTION_WORDS = new Set(CONSTANTS.functionWords);

/**
 * @typedef {object} WhyAsked
 * @property {string} word the next word, as it is written; "" for the likeliest
 * @property {string} other the other one; "" for its rival, `NOTHING` for none
 * @property {number} at the token at which it is predicted, from 1; 0 for the last
 */
/**
 * Both sums behind a logit, or behind the difference of two: `core/records/logit_parts.py`.
 * @typedef {object} LogitParts
 * @property {number} whole the number, as the run produced it
 * @property {number[]} sources what each token of the text brings through all layers
 * @property {number} embedding what the last token's own vector adds
 * @property {number[][]} heads (layers × heads), what each head adds to the last token
 * @property {number[]} networks (layers), what each feed-forward network adds
 */
/**
 * @typedef {{ parts: LogitParts, ids: number[], token: string, other: string | null }} Parted with both tokens, spelled as in the text
 * @typedef {object} Why
 * @property {Encoded} encoded the text up to the token that predicts
 * @property {Parted} parted
 * @property {number} share how likely the token is
 * @property {string[]} offered the likeliest tokens, spelled as in the text
 * @property {string} rival the other token of a query that names none
 * @property {string[]} firsts of the words that were typed, those of which only the first piece is a token
 * @property {number} count the tokens of the whole text
 */

/**
 * Null if it was given up.
 * @param {Speaker} speaker @param {Decoder} decoder @param {string} text @param {readonly number[]} more @param {WhyAsked} asked @param {GoesOn} [goesOn]
 * @returns {Promise<Why | null>}
 */
export async function why(speaker, decoder, text, more, { word, other, at }, goesOn = () => true) {
  const { tokenizer } = speaker, whole = speaker.read(text, more), count = whole.ids.length;
  const encoded = at > 0 && at < count ? speaker.read(...until(text, whole, more, at)) : whole;
  const logits = await speaker.logits(encoded.ids, goesOn);
  if (!logits) return null;
  const top = likeliest(logits, Math.max(RIVALS, OFFERED)), texts = top.ids.map((id) => tokenizer.surfaceForm(id)), firsts = /** @type {string[]} */ ([]);
  const tokenOf = (/** @type {string} */ typed) => {
    const [id, isWhole] = firstToken(tokenizer, typed);
    if (!isWhole) firsts.push(typed);
    return id;
  };
  const one = word ? tokenOf(word) : top.ids[0], rival = top.ids[rather(encoded.text, top.ids, texts, one)];
  const against = other === NOTHING ? null : other ? tokenOf(other) : rival;
  if (against === one) throw new EngineError("TextRefused", "Both words begin with the same token: choose another one to compare with.");
  const parts = await logitParts(decoder, one, against, goesOn);
  if (!parts) return null;
  const share = 1 / logits.reduce((sum, logit) => sum + Math.exp(logit - logits[one]), 0);
  return {
    encoded, share, offered: texts.slice(0, OFFERED), rival: tokenizer.surfaceForm(rival), firsts, count,
    parted: { parts, ids: against === null ? [one] : [one, against], token: tokenizer.surfaceForm(one), other: against === null ? null : tokenizer.surfaceForm(against) },
  };
}

/**
 * The text and the tokens behind it, up to one of them.
 * @param {string} text @param {Encoded} whole with the tokens behind it @param {readonly number[]} more @param {number} at from 1
 * @returns {[string, number[]]}
 */
function until(text, { ids, ends }, more, at) {
  const typed = ids.length - more.length;
  return at > typed ? [text, more.slice(0, at - typed)] : [[...text].slice(0, ends[at - 1]).join(""), []];
}

/**
 * The token with which a word begins behind other words, and whether it is the whole of it.
 * @param {import("./bytepairs").BytePairs} tokenizer @param {string} word @returns {[number, boolean]}
 */
export function firstToken(tokenizer, word) {
  const spaced = /^\s/.test(word) ? word : ` ${word}`;
  for (const typed of [spaced, word]) {
    const ids = tokenizer.behind(typed);
    if (ids.length === 1) return [ids[0], true];
  }
  const [first] = tokenizer.behind(spaced);
  if (first === undefined) throw new EngineError("TextRefused", "Type a word that may come next.");
  return [first, false];
}

/** What a word begins with: a digit, a capital, another letter, or a sign. @param {string} word */
const kindOf = (word) => [/^\p{N}/u, /^[\p{Lu}\p{Lt}]/u, /^\p{L}/u].findIndex((kind) => kind.test(word));

/**
 * The place of a rival: the likeliest other word of the same kind, of the text if one stands there; or the next likeliest
 * (`core/measures/rivals.py`).
 * @param {string} read @param {readonly number[]} ids the likeliest @param {readonly string[]} texts of them @param {number} than
 */
export function rather(read, ids, texts, than) {
  const words = new Set(read.split(/\s+/).map((part) => trimmed(part, PUNCTUATION))), written = texts.map((one) => one.trim());
  const at = ids.slice(0, RIVALS).indexOf(than), rest = ids.slice(0, RIVALS).flatMap((id, i) => (id === than ? [] : [i]));
  const alike = rest.filter((i) => (at < 0 || kindOf(written[i]) === kindOf(written[at])) && !FUNCTION_WORDS.has(written[i].toLowerCase()));
  return alike.find((i) => words.has(written[i])) ?? (at < 0 ? rest[0] : [...alike, ...rest][0]);
}

/**
 * The sums of the text that the decoder has read, at its last token; null if it was given up.
 * @param {Decoder} decoder @param {number} token @param {number | null} other @param {GoesOn} goesOn
 * @returns {Promise<LogitParts | null>}
 */
export async function logitParts(decoder, token, other, goesOn = () => true) {
  const { layers, size } = decoder.shape, n = decoder.ids.length, row = decoder.hiddenOf(layers - 1, n - 1), root = decoder.root(row);
  const [of, less] = [token, other].map((id) => (id === null ? new Float32Array(size) : decoder.learned([id])));
  const along = decoder.norm.map((weight, i) => (weight * (of[i] - less[i])) / root);
  const heads = /** @type {number[][]} */ ([]), networks = /** @type {number[]} */ ([]);
  /** @type {Float32Array} */
  let slope = new Float32Array(n * size);
  slope.set(along, (n - 1) * size);
  for (let layer = layers - 1; layer >= 0; layer--) {
    if (!(await goesOn())) return null;
    const made = await decoder.back(layer, slope, along);
    slope = made.before;
    heads.unshift([...made.heads]);
    networks.unshift(made.network[0]);
  }
  const first = decoder.input(0), of_ = (/** @type {Float32Array} */ rows, /** @type {number} */ i) => rows.subarray(i * size, (i + 1) * size);
  return {
    whole: inner(row, along), sources: Array.from({ length: n }, (_, i) => inner(of_(slope, i), of_(first, i))),
    embedding: inner(of_(first, n - 1), along), heads, networks,
  };
}
