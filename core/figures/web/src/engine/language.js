// A model that predicts the next token, in this tab: from a text to the logits behind it, and to the parts of its trace.
/** @typedef {import("./runtime").Ort} Ort */
/** @typedef {import("./changed").ChangedAsked} ChangedAsked */
/** @typedef {import("./lens").LensAsked} LensAsked */
/** @typedef {import("./trace").TraceParts} TraceParts */
/** @typedef {import("./why").WhyAsked} WhyAsked */
/** @typedef {import("./types").DecoderManifest} Manifest */
/** @typedef {import("./types").NextParts} NextParts */
/** @typedef {import("./types").SourcesAsked} SourcesAsked */
/** @typedef {import("./types").StepsAsked} StepsAsked */
/** @typedef {import("./types").StepsOf} StepsOf */
/** @typedef {() => boolean | Promise<boolean>} GoesOn whether somebody still waits */
import { changed as changedOf, patched as patchedOf } from "./changed.js";
import { BytePairs } from "./bytepairs.js";
import { Decoder } from "./decoder.js";
import { EngineError } from "./errors.js";
import { Lie } from "./gguf/header.js";
import { TensorStream } from "./gguf/stream.js";
import { prepare, runTimeOf } from "./runtime.js";
import { logSums } from "./session.js";
import { Lenses } from "./lens.js";
import { sinkOf } from "./sink.js";
import { sourcesOf } from "./sources.js";
import { Speaker } from "./speaker.js";
import { specialIn } from "./spelled.js";
import { apart, decoderSteps } from "./steps/decoder.js";
import { shortText } from "./steps/sentence.js";
import { why as whyOf } from "./why.js";
import { occurrences, split, wordIds } from "./words.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { likeliest } from "../derive/surprise.js";

const LAYERS = "layers.onnx", HEAD = "head.onnx", BACK = "back.onnx", CHANGED = "changed.onnx";

/** @param {Manifest} manifest @param {string} why */
const notThis = ({ weights }, why) => new EngineError("EngineBroken", `The model stopped on this device: ${weights} ${why}.`);

export class LanguageModel {
  /** @param {Decoder} decoder @param {BytePairs} tokenizer @param {Manifest} manifest */
  constructor(decoder, tokenizer, manifest) {
    this.decoder = decoder;
    this.tokenizer = tokenizer;
    this.manifest = manifest;
    /** What it expects, how a text surprises it, and how it goes on. */
    this.speaker = new Speaker(tokenizer, decoder);
    this.#lenses = new Lenses(this.speaker);
  }

  /** @type {Lenses} */
  #lenses;

  /**
   * What each layer would say; null if it was given up.
   * @param {string} text @param {readonly number[]} more @param {LensAsked} asked @param {() => Promise<Uint8Array>} fetchLens the file of its
   *   fitted lens @param {GoesOn} [goesOn]
   */
  lens(text, more, asked, fetchLens, goesOn) {
    return this.#lenses.grid(text, more, asked, fetchLens, goesOn);
  }

  /** Why a token comes next; null if it was given up. @param {string} text @param {readonly number[]} more @param {WhyAsked} asked @param {GoesOn} [goesOn] */
  why(text, more, asked, goesOn) {
    return whyOf(this.speaker, this.decoder, text, more, asked, goesOn);
  }

  /** What comes after a text in a run that is changed; null if it was given up. @param {string} text @param {ChangedAsked} asked @param {GoesOn} [goesOn] */
  changed(text, asked, goesOn) {
    return changedOf(this.speaker, this.decoder, text, asked, goesOn);
  }

  /** The first token of a text against the others; null if it was given up. @param {string} text @param {GoesOn} [goesOn] */
  sink(text, goesOn) {
    return sinkOf(this.decoder, [...this.speaker.read(text, []).ids], goesOn);
  }

  /** What of a lead comes back with each state of another text; null if it was given up. @param {string} text @param {{ other: string, words: string[] }} asked @param {GoesOn} [goesOn] */
  patched(text, { other, words }, goesOn) {
    return patchedOf(this.speaker, this.decoder, text, other, words, goesOn);
  }

  /**
   * What each token adds to a word's position after each layer; null if it was given up. There are no biases, and tokens
   * behind the word add nothing: they are not read.
   * @param {string} text @param {SourcesAsked} asked @param {GoesOn} [goesOn] @param {number} [rows] see `sourcesOf`
   */
  async sources(text, asked, goesOn, rows) {
    const { speaker, decoder } = this, { layers, size } = decoder.shape, ids = [...speaker.read(text, []).ids];
    const n = Math.max(...asked.tokens) + 1, none = new Float32Array(size);
    if (!(await decoder.read(ids.slice(0, n), goesOn))) return null;
    const back = (/** @type {number} */ layer, /** @type {Float32Array} */ slopes) => decoder.back(layer, slopes, none);
    const found = await sourcesOf({ layers, size, first: decoder.input(0), back }, asked, goesOn, rows);
    if (!found) return null;
    const sums = new Float32Array(layers * ids.length);
    for (let layer = 0; layer < layers; layer++) sums.set(found.sums.subarray(layer * n, (layer + 1) * n), layer * ids.length);
    return { ...found, sums };
  }

  /**
   * Starts the run-time, and the model as its weights arrive.
   * @param {Ort} ort @param {Manifest} manifest @param {Record<string, Uint8Array<ArrayBuffer>>} files all but the weights
   * @param {AsyncIterable<Uint8Array>} weights the pieces of their file, in order
   * @param {string} [startScript] the address of the script that starts the WebAssembly
   */
  static async start(ort, manifest, files, weights, startScript) {
    const { binary, provider } = runTimeOf(manifest);
    prepare(ort, files[binary], startScript);
    const decoder = new Decoder(ort, manifest.shape, { layers: files[LAYERS], head: files[HEAD], back: files[BACK], changed: files[CHANGED] }, provider);
    const stream = new TensorStream(manifest.files[manifest.weights].bytes);
    /** @type {?BytePairs} */
    let tokenizer = null;
    try {
      for await (const piece of weights) {
        for (const { tensor, bytes } of stream.take(piece)) {
          tokenizer ??= tokenizerOf(stream, manifest);
          await decoder.take(tensor, bytes);
        }
      }
    } catch (error) {
      throw error instanceof Lie ? notThis(manifest, error.message) : error;
    }
    if (!tokenizer || !decoder.whole) throw notThis(manifest, "lacks some of the model's weights");
    return new LanguageModel(decoder, tokenizer, manifest);
  }

  /**
   * What comes after a text; null if it was given up.
   * @param {string} text @param {readonly number[]} more ids of tokens that follow it @param {GoesOn} [goesOn]
   * @returns {Promise<?NextParts>}
   */
  async next(text, more, goesOn) {
    const encoded = this.speaker.read(text, more);
    if (!(await this.decoder.read([...encoded.ids], goesOn))) return null;
    return { encoded, logits: await this.decoder.next() };
  }

  /**
   * Every step of a text through one layer; null if it was given up.
   * @param {string} text @param {StepsAsked} asked @param {GoesOn} [goesOn] @returns {Promise<?StepsOf>}
   */
  async steps(text, { layer: from1, head: fromOne, block }, goesOn) {
    const { speaker, decoder, tokenizer } = this, { shape } = decoder, layer = Math.min(from1, shape.layers) - 1, head = Math.min(fromOne, shape.heads) - 1;
    const read = shortText((one) => speaker.read(one, []), text, true), ids = [...read.encoded.ids];
    if (!(await decoder.read(ids, goesOn))) return null;
    const output = decoder.output(shape.layers - 1), logits = await decoder.logits(decoder.normed(output));
    const shown = likeliest(logits.subarray((ids.length - 1) * shape.vocabulary), CONSTANTS.steps.next).ids;
    const names = shown.map((id) => tokenizer.surfaceForm(id).replaceAll(" ", "␣").replaceAll("\n", "↵") || "␀");
    const pass = {
      ids, tokens: read.tokens, table: (/** @type {number[]} */ some) => decoder.learned(some), shape, weights: await decoder.weightsOf(layer),
      x: decoder.input(layer), last: output, gamma: decoder.norm, next: { ids: shown, names, logits },
    };
    const steps = decoderSteps(pass, { head, block, isLast: layer === shape.layers - 1 }), made = steps.find(({ name }) => name === "residual2");
    return { ...read, steps, apart: apart(made?.result.values ?? [], decoder.output(layer)), layers: shape.layers, heads: shape.heads };
  }

  /** The parts of a text's trace; null if it was given up. @param {string} text @param {GoesOn} [goesOn] @returns {Promise<?TraceParts>} */
  async trace(text, goesOn) {
    const encoded = this.speaker.read(text, []), { length, ...parts } = encoded, { cased, model, shape } = this.manifest;
    if (!(await this.decoder.read([...encoded.ids], goesOn))) return null;
    const words = split(encoded.text), n = encoded.ids.length, scale = shape.headSize ** -0.5;
    const learned = this.decoder.learned(encoded.ids), { hidden, q, k, most, at } = this.decoder.steps(learned);
    return {
      ...parts, model, cased, causal: true, group: shape.heads / shape.kvHeads, scale, learned, hidden, q, k,
      layers: shape.layers, heads: shape.heads, size: shape.size, headSize: shape.headSize,
      spelled: specialIn(parts, (id) => this.tokenizer.special.has(id)),
      wordIds: wordIds({ ...parts, length }, words),
      words: occurrences({ ...parts, length }, cased, words),
      logSums: logSums(q, k, most, at, n, shape.headSize, scale),
    };
  }
}

/** @param {TensorStream} stream @param {Manifest} manifest */
function tokenizerOf({ header }, { most }) {
  if (!header) throw new Error("there is no tensor before the header");
  return new BytePairs(header.settings, most);
}
