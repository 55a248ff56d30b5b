// A model that speaks, in the worker: what comes next after a text, how the text surprised it, and how it goes on
// (`core/pretrained/predict.py`, `core/pretrained/scoring.py`). It joins the tokenizer and the decoder.
//
// The decoder never gives all logits. The head runs once for the bars, on the last row; for the surprise it runs on a
// few rows at a time, and only a handful of numbers stays of each. Rows of a text that goes on are not computed again.
/** @typedef {import("./bytepairs").BytePairs} BytePairs */
/** @typedef {import("./types").Encoded} Encoded */
/** @typedef {import("../derive/sampling").Sampling} Sampling */
/** @typedef {import("../derive/expecting").Score} Score */
/** @typedef {import("../derive/expecting").Top} Top */
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { choose, descending } from "../derive/sampling.js";
import { likeliest, surprise } from "../derive/surprise.js";
import { EngineError } from "./errors.js";
import { specialIn } from "./spelled.js";

const { named: NAMED } = CONSTANTS.nextWord;
const ROWS = 8; // at once: 49,152 logits a row
const EXPECTED = 10; // tokens that are named at each position

/**
 * What the speaker needs of a decoder: `engine/decoder.js`.
 * @typedef {object} Decodes
 * @property {{ layers: number, size: number }} shape
 * @property {number[]} ids the tokens that it has read
 * @property {(ids: number[], goesOn?: () => boolean | Promise<boolean>) => Promise<boolean>} read
 * @property {(ids: ArrayLike<number>) => Float32Array} learned
 * @property {(layer: number, token: number) => Float32Array} hiddenOf
 * @property {(rows: Float32Array) => Float32Array} normed
 * @property {(rows: Float32Array) => Promise<Float32Array>} logits
 */
/**
 * What comes next after a text: `core/records/next_token.py`.
 * @typedef {object} NextToken
 * @property {Encoded} encoded the text with what was written behind it
 * @property {Float32Array} logits of the next token, in descending order
 * @property {Top} top the likeliest of them
 * @property {string[]} spelled special tokens that the typed text spells out
 * @property {number[]} ends the tokens with which the model ends a text
 */
/**
 * A token that was written: `core/records/generated.py`.
 * @typedef {object} Generated
 * @property {number} id
 * @property {string} token its name
 * @property {string} added what it adds to the text; "" for a part of a character
 * @property {number} rank its place by probability, from 0
 * @property {number} probability with which it was drawn
 * @property {number | null} number the number from 0 to 1 that chose it
 * @property {boolean} end whether the writing ends with it
 */
/** One row of a score. @typedef {{ bits: number, entropy: number, rank: number, ids: number[], probabilities: number[] }} Row */

export class Speaker {
  /** The logits behind the tokens that were read last. @type {{ ids: readonly number[], logits: Float32Array } | null} */
  #last = null;
  /** The tokens whose surprise is known, and it. @type {{ ids: number[], rows: Row[] }} */
  #scored = { ids: [], rows: [] };

  /** @param {BytePairs} tokenizer @param {Decodes} decoder */
  constructor(tokenizer, decoder) {
    this.tokenizer = tokenizer;
    this.decoder = decoder;
  }

  /**
   * The text in tokens, and further ones behind it.
   * @param {string} text @param {readonly number[]} more
   * @throws {EngineError} "TextRefused": there is no token, or there are too many
   */
  read(text, more) {
    try {
      const encoded = this.tokenizer.continued(this.tokenizer.encode(text), more);
      if (encoded.ids.length) return encoded;
    } catch (error) {
      throw new EngineError("TextRefused", error instanceof Error ? error.message : String(error), { cause: error });
    }
    throw new EngineError("TextRefused", "A text without a token predicts nothing.");
  }

  /**
   * The logits behind these tokens, which the decoder has then read, other texts between or not; null if the run was given up.
   * @param {ArrayLike<number>} ids @param {() => boolean | Promise<boolean>} [goesOn]
   */
  async logits(ids, goesOn) {
    const own = Array.from(ids), { decoder } = this;
    if (!(await decoder.read(own, goesOn))) return null;
    if (this.#last && isSame(this.#last.ids, own)) return this.#last.logits;
    const logits = await decoder.logits(decoder.normed(this.row(own.length - 1)));
    this.#last = { ids: own, logits };
    return logits;
  }

  /** What the last layer has written for a token. @param {number} token */
  row(token) {
    return this.decoder.hiddenOf(this.decoder.shape.layers - 1, token);
  }

  /**
   * What comes next; null if the run was given up.
   * @param {string} text @param {readonly number[]} more @param {() => boolean | Promise<boolean>} [goesOn]
   * @returns {Promise<NextToken | null>}
   */
  async next(text, more, goesOn) {
    const encoded = this.read(text, more), logits = await this.logits(encoded.ids, goesOn);
    if (!logits) return null;
    const { tokenizer } = this, found = likeliest(logits, NAMED);
    const top = { ...found, tokens: found.ids.map((id) => tokenizer.tokens[id]), texts: found.ids.map((id) => tokenizer.surfaceForm(id)) };
    return { encoded, logits: descending(logits), top, ends: [...tokenizer.ends], spelled: specialIn(encoded, (id) => tokenizer.special.has(id)) };
  }

  /**
   * The surprise at each token; null if the run was given up.
   * @param {string} text @param {readonly number[]} more @param {() => boolean | Promise<boolean>} [goesOn]
   * @returns {Promise<Score | null>}
   */
  async score(text, more, goesOn = () => true) {
    const { text: whole, tokens, starts, ends, ids } = this.read(text, more), { decoder } = this, own = [...ids], { size } = decoder.shape;
    if (!(await decoder.read(own, goesOn))) return null;
    const known = this.#scored;
    let same = 0;
    while (same < own.length && same < known.ids.length && own[same] === known.ids[same]) same++;
    const rows = known.rows.slice(0, Math.max(0, same - 1)); // the first token has none
    this.#scored = { ids: own.slice(0, rows.length + 1), rows };
    while (rows.length < own.length - 1) {
      if (!(await goesOn())) return null;
      const from = rows.length, count = Math.min(ROWS, own.length - 1 - from), input = new Float32Array(count * size);
      for (let i = 0; i < count; i++) input.set(this.row(from + i), i * size);
      const logits = await decoder.logits(decoder.normed(input)), wide = logits.length / count;
      for (let i = 0; i < count; i++) {
        const row = logits.subarray(i * wide, (i + 1) * wide), came = own[from + i + 1];
        rows.push({ ...surprise(row, came), ...likeliest(row, EXPECTED) });
        this.#scored.ids.push(came);
      }
    }
    const forms = (/** @type {Row} */ row) => row.ids.map((id) => this.tokenizer.surfaceForm(id));
    return {
      text: whole, tokens, starts, ends, bits: Float32Array.from([NaN, ...rows.map(({ bits }) => bits)]), ranks: [-1, ...rows.map(({ rank }) => rank)],
      likeliest: [[], ...rows.map(forms)], probabilities: [[], ...rows.map((row) => row.probabilities)],
    };
  }

  /**
   * Writes tokens one by one: `Model.generate`. It ends behind the model's end token, behind a stop text, and where the
   * model's length is reached.
   * @param {string} text @param {readonly number[]} more @param {number} count the largest number of tokens
   * @param {{ sampling: Sampling, seed: number, stops?: readonly string[] }} how
   * @param {() => boolean | Promise<boolean>} [goesOn]
   * @returns {AsyncGenerator<Generated, void>}
   */
  async* write(text, more, count, { sampling, seed, stops = [] }, goesOn) {
    const { tokenizer } = this, ids = [...this.read(text, more).ids], start = ids.length;
    const before = ids.slice(-1), shown = [...tokenizer.decode(before)].length;
    let said = "";
    for (let i = 0; i < count; i++) {
      if (ids.length >= tokenizer.most || ((more.length || i) && tokenizer.ends.has(ids[ids.length - 1]))) return;
      const logits = await this.logits(ids, goesOn);
      if (!logits) return;
      const drawn = choose(logits, sampling, seed, ids.length);
      ids.push(drawn.id);
      const written = [...tokenizer.decode([...before, ...ids.slice(start)])].slice(shown).join("");
      const stopped = stops.some((one) => written.includes(one));
      // Half a character waits for its other half.
      const added = written.endsWith("\ufffd") ? "" : [...written].slice([...said].length).join("");
      said += added;
      yield { ...drawn, token: tokenizer.tokens[drawn.id], added, end: stopped || tokenizer.ends.has(drawn.id) };
      if (stopped) return;
    }
  }
}

/** @param {readonly number[]} a @param {readonly number[]} b */
const isSame = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);
