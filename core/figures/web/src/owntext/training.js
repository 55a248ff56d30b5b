// A training on one text, with pauses at which it is measured and writes: `core/own_text/learning.py`, in this tab.
/** @import { Tensor, Weights } from "./decoder.js" */
/** @import { Recipe } from "./recipe.js" */
import CONSTANTS from "./constants.json" with { type: "json" };
import { m } from "../runtime/language.js";
import { choose } from "../derive/sampling.js";
import { AdamW, rateAt } from "./adamw.js";
import { Decoder, firstWeights, put, taken } from "./decoder.js";
import { bitsPerLetter } from "./ngram.js";
import { Random } from "./random.js";
import { parted, unfit } from "./recipe.js";
import { learned } from "./units.js";

const { measured: MEASURED, writes: WRITES, pauses: PAUSES, temperature: TEMPERATURE, starts: STARTS, often: OFTEN } = CONSTANTS;
const FIXED = 1, SEED = 13; // of the windows that are measured, and of what is written
const LOOKS_AT = 24; // tokens whose attention is kept

/**
 * What a model is after some steps.
 * @typedef {object} Pause
 * @property {number} step the steps so far
 * @property {number} seconds of training
 * @property {number} bits the mean surprise at the text that it learns from, in bits a letter
 * @property {number} held the same for the end of the text, which it never reads in training
 * @property {string} sample what it writes
 * @property {Float32Array} attention (layers, heads, tokens, tokens), on the beginning of the held-out text
 * @property {string[]} tokens of that beginning
 */

/** @typedef {{ ids: Int32Array, lettersAToken: number }} Part */

/** @typedef {{ tokens: string[], merges: [string, string][], reader: import("../engine/bytepairs.js").BytePairs }} Units */

/** The steps between two pauses. @param {number} steps */
export const between = (steps) => Math.max(1, Math.ceil(steps / PAUSES));

/** What a model reads before it writes from nothing: the end of a line, or of a sentence where its text has no lines. @param {string} text */
export const startOf = (text) => STARTS.find((/** @type {string} */ one) => text.split(one).length > OFTEN) ?? STARTS[0];

/** A text that no model can be made of. */
export class Unfit extends Error {}

/** A model that goes on from a prompt, one that was loaded or one that learns. */
export class Writer {
  /** @param {Recipe} recipe @param {Units} units @param {Readonly<Record<string, Tensor>>} tensors */
  constructor(recipe, units, tensors) {
    this.recipe = recipe;
    this.units = units;
    /** What it reads where nobody gives it a beginning. */
    this.start = startOf("");
    /** How many steps it has made. */
    this.steps = 0;
    this.decoder = new Decoder(recipe, units.tokens.length);
    /** @type {Weights} */
    this.weights = put(tensors, recipe.layers);
  }

  /**
   * What the model writes behind a prompt; "": behind its start.
   * @param {string} prompt @param {number} count of tokens @param {{ temperature?: number, seed?: number }} [how]
   */
  async write(prompt, count, { temperature = TEMPERATURE, seed = SEED } = {}) {
    const { reader } = this.units, given = [...reader.encode(prompt || this.start).ids], ids = [...given];
    const sampling = { temperature, topK: 0, topP: 1, minP: 0 };
    for (let position = 0; position < count; position++) {
      const logits = await this.decoder.logits(this.weights, ids.slice(-this.recipe.window));
      ids.push(choose(logits, sampling, seed, position).id);
    }
    return reader.decode(ids.slice(given.length));
  }

  /** @param {Weights} weights */
  become(weights) {
    this.weights = weights;
  }

  /** Its numbers, by their names in `core.transformer`. */
  tensors() {
    return taken(this.weights);
  }
}

export class Training extends Writer {
  seconds = 0;
  #random;
  #optimiser;

  /** @param {string} text @param {Recipe} recipe @throws {Unfit} */
  constructor(text, recipe) {
    const why = unfit(text);
    if (why) throw new Unfit(why);
    const [read, held] = parted(text), units = learned(read, recipe), random = new Random(recipe.seed);
    super(recipe, units, firstWeights(recipe, units.tokens.length, random));
    this.#random = random;
    this.start = startOf(text);
    this.parts = [read, held].map((one) => {
      const { ids } = units.reader.encode(one);
      return { ids, lettersAToken: [...one].length / Math.max(1, ids.length) };
    });
    if (this.parts[1].ids.length < 4 || this.parts[0].ids.length <= recipe.window) {
      throw new Unfit(m("The text has too few tokens for this window. Take a longer text."));
    }
    this.gram = bitsPerLetter(read, held);
    this.#optimiser = new AdamW(this.weights);
  }

  get step() {
    return this.steps;
  }

  get done() {
    return this.steps >= this.recipe.steps;
  }

  /** Makes a step. Returns its loss, in nats. @throws {Unfit} the loss is no finite number any more */
  async learn() {
    const began = performance.now(), { recipe } = this;
    this.steps++;
    const windows = this.windows(this.parts[0].ids, recipe.batch, this.#random);
    const { loss, gradient } = this.decoder.gradient(this.weights, windows, recipe.batch);
    const [nats] = await loss.data();
    if (!Number.isFinite(nats)) throw new Unfit(m("The loss has left all bounds. Take a smaller learning rate."));
    this.become(this.#optimiser.next(this.weights, gradient, rateAt(this.step, recipe)));
    await this.weights.norm.ref.data();
    this.seconds += (performance.now() - began) / 1000;
    return nats;
  }

  /** (count, window + 1): stretches of the text. @param {Int32Array} ids @param {number} count @param {Random} random */
  windows(ids, count, random) {
    const length = Math.min(this.recipe.window, ids.length - 1) + 1, made = new Int32Array(count * length);
    for (let i = 0; i < count; i++) {
      const start = random.below(ids.length - length + 1);
      made.set(ids.subarray(start, start + length), i * length);
    }
    return made;
  }

  /** Measures the model on both parts of the text, and lets it write. @returns {Promise<Pause>} */
  async look() {
    const [bits, held] = [await this.#bits(this.parts[0]), await this.#bits(this.parts[1])];
    const ids = [...this.parts[1].ids.subarray(0, Math.min(LOOKS_AT, this.recipe.window))];
    return {
      step: this.step, seconds: this.seconds, bits, held, sample: await this.write("", WRITES),
      attention: await this.decoder.attention(this.weights, ids), tokens: ids.map((id) => this.units.reader.decode([id])),
    };
  }

  /** Bits a letter on the same windows at every pause. @param {Part} part */
  async #bits({ ids, lettersAToken }) {
    const windows = this.windows(ids, MEASURED, new Random(FIXED));
    return (await this.decoder.surprise(this.weights, windows, MEASURED)) / Math.LN2 / lettersAToken;
  }
}

