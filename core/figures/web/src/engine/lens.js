// What each layer would say: the states of a text, read by the head that predicts after the last one, as they are or
// behind the maps of a fitted lens (`core/pretrained/lens.py`, `core/language/lens.py`). A token's states do not depend on
// what follows: the columns of a text that goes on are not read again.
/** @typedef {import("./speaker").Speaker} Speaker */
/** @typedef {import("./types").Encoded} Encoded */
import { range } from "../derive/numbers.js";
import { likeliest, surprise } from "../derive/surprise.js";
import { EngineError } from "./errors.js";
import { placesOf } from "./safetensors.js";
import { stripped } from "./words.js";

const TOP = 5, MOST_COLUMNS = 64, MOST_KNOWN = 6; // likeliest tokens; tokens, the last ones; words and lenses that are remembered

/**
 * @typedef {object} LensAsked
 * @property {"plain" | "fitted"} lens
 * @property {string | number | null} word whose place to give: a word, or the id of a token
 * @property {number | null} column one token, from 0; null for the last `MOST_COLUMNS`
 */
/** What the states of one token read as, from the input of the first layer on; `own` and `rank` of a word. @typedef {{ ids: number[], probabilities: number[], own: number, rank: number }[]} Column */
/**
 * How far a lens is from the model's own prediction on other text, at each depth: bits, and the share of equal first tokens.
 * @typedef {{ fittedOn: string, tokens: number, testedOn: number, plain: number[], fitted: number[], plainSame: number[], fittedSame: number[] }} AboutLens
 */
/**
 * `core/records/lens.py`; its arrays by depth, then by column.
 * @typedef {object} LensGrid
 * @property {Encoded} encoded the text with what was written behind it
 * @property {number[]} positions the tokens that were read
 * @property {number[][][]} likeliest ids
 * @property {number[][][]} probabilities
 * @property {Record<number, string>} names how each of them is written in a text
 * @property {number | null} word
 * @property {number[][] | null} wordProbabilities
 * @property {number[][] | null} wordRanks
 * @property {"plain" | "fitted"} lens
 * @property {AboutLens | null} about of a fitted one
 */

/** The maps of a fitted lens, from the file that `tools/web` writes. */
export class FittedLens {
  /** @param {Uint8Array} bytes in the format of safetensors */
  constructor(bytes) {
    const { start, header } = placesOf(bytes), said = header.__metadata__;
    const part = (/** @type {string} */ name) => {
      const { dtype, data_offsets: [from, to] } = header[name], { buffer } = bytes.slice(start + from, start + to);
      return dtype === "I8" ? new Int8Array(buffer) : new Float32Array(buffer);
    };
    const [, size, rank] = /** @type {[number, number, number]} */ (header.down.shape);
    this.size = size;
    this.rank = rank;
    const [scale, mean, offset, strength, down, up] = ["scale", "mean", "offset", "strength", "down", "up"].map(part);
    this.parts = { scale, mean, offset, strength, down, up };
    const [plain, fitted, plainSame, fittedSame] = ["plain", "fitted", "plain_same", "fitted_same"].map((name) => [...part(`loss_${name}`)]);
    /** @type {AboutLens} */
    this.about = { fittedOn: said.fitted_on, tokens: Number(said.tokens), testedOn: Number(said.tested_on), plain, fitted, plainSame, fittedSame };
  }

  /**
   * What a normed state below the last becomes: scale · x + ((x − mean) · down · strength) · upᵀ + offset.
   * @param {number} depth 0 for the input of the first layer @param {Float32Array} x (size) @param {Float32Array} out (size)
   */
  read(depth, x, out) {
    const { size, rank, parts: { scale, mean, offset, strength, down, up } } = this, inner = new Float64Array(rank), row = depth * size;
    for (let i = 0; i < size; i++) {
      const moved = x[i] - mean[row + i], at = (row + i) * rank;
      for (let j = 0; j < rank; j++) inner[j] += moved * down[at + j];
    }
    for (let j = 0; j < rank; j++) inner[j] *= strength[depth * rank + j];
    for (let i = 0; i < size; i++) {
      const at = (row + i) * rank;
      let sum = scale[row + i] * x[i] + offset[row + i];
      for (let j = 0; j < rank; j++) sum += inner[j] * up[at + j];
      out[i] = sum;
    }
  }
}

export class Lenses {
  /** @type {?FittedLens} */
  #fitted = null;
  /** The columns that are known, by lens and word. @type {Map<string, { ids: number[], columns: (Column | undefined)[] }>} */
  #known = new Map();

  /** @param {Speaker} speaker */
  constructor(speaker) {
    this.speaker = speaker;
  }

  /**
   * What the states read as; null if it was given up.
   * @param {string} text @param {readonly number[]} more ids of tokens that follow it @param {LensAsked} asked
   * @param {() => Promise<Uint8Array>} fetchLens the file of the fitted lens @param {() => boolean | Promise<boolean>} [goesOn]
   * @returns {Promise<LensGrid | null>}
   */
  async grid(text, more, { lens, word, column }, fetchLens, goesOn = () => true) {
    const { speaker } = this, { decoder, tokenizer } = speaker, encoded = speaker.read(text, more), ids = [...encoded.ids];
    if (lens === "fitted") this.#fitted ??= new FittedLens(await fetchLens());
    const map = lens === "fitted" ? this.#fitted : null;
    if (!(await decoder.read(ids, goesOn))) return null;
    const last = ids.length - 1, positions = range(ids.length).slice(column === null ? -MOST_COLUMNS : Math.min(column, last), column === null ? undefined : Math.min(column, last) + 1);
    const asked = word === null ? null : await this.#token(word, /** @type {number} */ (positions.at(-1)));
    const columns = this.#columns(`${lens} ${asked}`, ids), found = /** @type {Column[]} */ ([]);
    for (const position of positions) {
      if (!columns[position]) {
        if (!(await goesOn())) return null;
        columns[position] = await this.#read(position, map, asked);
      }
      found.push(columns[position]);
    }
    const by = (/** @type {(state: Column[number]) => any} */ part) => range(decoder.shape.layers + 1).map((depth) => found.map((one) => part(one[depth])));
    const all = by(({ ids: some }) => some);
    return {
      encoded, positions, likeliest: all, probabilities: by(({ probabilities }) => probabilities), lens, about: map && map.about, word: asked,
      names: Object.fromEntries([...all.flat(2), ...(asked === null ? [] : [asked])].map((id) => [id, tokenizer.surfaceForm(id)])),
      wordProbabilities: asked === null ? null : by(({ own }) => own), wordRanks: asked === null ? null : by(({ rank }) => rank),
    };
  }

  /** The columns that are known of the beginning of these tokens, and room for more. @param {string} key @param {number[]} ids */
  #columns(key, ids) {
    const known = this.#known.get(key) ?? { ids: [], columns: [] };
    let same = 0;
    while (same < ids.length && ids[same] === known.ids[same]) same++;
    known.columns.length = Math.min(same, known.columns.length);
    this.#known.delete(key);
    this.#known.set(key, { ...known, ids });
    for (const old of [...this.#known.keys()].slice(0, -MOST_KNOWN)) this.#known.delete(old);
    return known.columns;
  }

  /** @param {number} position @param {?FittedLens} map @param {number | null} asked @returns {Promise<Column>} */
  async #read(position, map, asked) {
    const { decoder } = this.speaker, { layers, size } = decoder.shape, rows = new Float32Array((layers + 1) * size);
    rows.set(decoder.learned([decoder.ids[position]]));
    for (let layer = 0; layer < layers; layer++) rows.set(decoder.hiddenOf(layer, position), (layer + 1) * size);
    const normed = decoder.normed(rows), row = (/** @type {number} */ depth) => normed.subarray(depth * size, (depth + 1) * size);
    if (map) for (let depth = 0; depth < layers; depth++) map.read(depth, row(depth).slice(), row(depth));
    const logits = await decoder.logits(normed), wide = logits.length / (layers + 1);
    return range(layers + 1).map((depth) => {
      const own = logits.subarray(depth * wide, (depth + 1) * wide), { bits, rank } = asked === null ? { bits: 0, rank: 0 } : surprise(own, asked);
      return { ...likeliest(own, TOP), own: 2 ** -bits, rank };
    });
  }

  /**
   * The token of a word; with or without a space before it, the one that is likelier at the end.
   * @param {string | number} word @param {number} position
   */
  async #token(word, position) {
    const { decoder, tokenizer } = this.speaker;
    if (typeof word === "number") {
      if (word in tokenizer.tokens) return word;
      throw new EngineError("TextRefused", `There is no token ${word}; they count from 0 to ${tokenizer.tokens.length - 1}.`);
    }
    const bare = word.replaceAll("␣", " ").replaceAll("↵", "\n"), ways = bare && bare === stripped(bare) ? [` ${bare}`, bare] : [bare];
    const first = ways.map((way) => this.#first(way)).filter((id) => id !== undefined);
    if (!first.length) throw new EngineError("TextRefused", "The word has no token. Write a word or a sign.");
    const logits = await decoder.logits(decoder.normed(this.speaker.row(position)));
    return first.reduce((best, id) => (logits[id] > logits[best] ? id : best));
  }

  /** The first token of a text; of a word, one with letters in it. @param {string} text */
  #first(text) {
    const { tokenizer } = this.speaker, ids = [...tokenizer.encode(text).ids];
    return stripped(text) ? ids.find((id) => stripped(tokenizer.surfaceForm(id))) : ids[0];
  }
}
