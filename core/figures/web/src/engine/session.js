// MiniLM in onnxruntime-web: from a text to the parts of its trace.
/** @typedef {import("./runtime").Ort} Ort */
/** @typedef {import("./runtime").OrtSession} OrtSession */
/** @typedef {import("./runtime").OrtTensor} OrtTensor */
/** @typedef {import("./types").EncoderManifest} Manifest */
/** @typedef {import("./trace").TraceParts} TraceParts */
/** @typedef {import("./types").SourcesAsked} SourcesAsked */
/** @typedef {import("./types").SourcesOf} SourcesOf */
/** @typedef {import("./types").StepsAsked} StepsAsked */
/** @typedef {import("./types").StepsOf} StepsOf */
import { dot } from "../attention/products.js";
import { createSession, prepare, runTimeOf } from "./runtime.js";
import { Tensors } from "./safetensors.js";
import { sourcesOf } from "./sources.js";
import { specialIn } from "./spelled.js";
import { apart } from "./steps/decoder.js";
import { EMBEDDINGS, LAYER, encoderSteps } from "./steps/encoder.js";
import { shortText } from "./steps/sentence.js";
import { WordPiece } from "./wordpiece.js";
import { occurrences, split, wordIds } from "./words.js";

const GRAPH = "model.onnx", ADJOINT = "adjoint.onnx", WEIGHTS = "model.safetensors", TOKENIZER = "wordpiece.json";

export class Session {
  /** What the way through a layer, or back, reads of the file; it is read when somebody asks for them. @type {?Promise<Tensors>} */
  #tensors = null;
  /** @type {?Promise<OrtSession>} */
  #adjoint = null;

  /**
   * @param {Ort} ort @param {OrtSession} session @param {Uint8Array} adjoint the graph of one layer's @param {WordPiece} tokenizer @param {Manifest} manifest
   */
  constructor(ort, session, adjoint, tokenizer, manifest) {
    this.ort = ort;
    this.session = session;
    this.adjoint = adjoint;
    this.tokenizer = tokenizer;
    this.manifest = manifest;
  }

  /**
   * Starts the run-time with one thread; `files` are those that the manifest calls stored.
   * @param {Ort} ort @param {Manifest} manifest @param {Record<string, Uint8Array<ArrayBuffer>>} files
   * @param {string} [startScript] the address of the script that starts the WebAssembly
   */
  static async start(ort, manifest, files, startScript) {
    const { binary, provider } = runTimeOf(manifest);
    prepare(ort, files[binary], startScript);
    const tokenizer = new WordPiece(JSON.parse(new TextDecoder().decode(files[TOKENIZER])));
    const session = await createSession(ort, files[GRAPH], new Map([[WEIGHTS, files[WEIGHTS]]]), provider);
    return new Session(ort, session, files[ADJOINT], tokenizer, manifest);
  }

  /** Runs one text. @param {string} text @returns {Promise<TraceParts>} */
  async run(text) {
    const { length, ...encoded } = this.tokenizer.encode(text);
    const { cased, model, shape } = this.manifest, n = encoded.ids.length;
    const ids = new this.ort.Tensor("int64", BigInt64Array.from(encoded.ids, BigInt), [1, n]);
    const { learned, hidden, q, k, most, at } = await this.session.run({ ids });
    const words = split(encoded.text), scale = shape.headSize ** -0.5;
    const floats = (/** @type {OrtTensor} */ tensor) => /** @type {Float32Array} */ (tensor.data);
    return {
      ...encoded, layers: shape.layers, heads: shape.heads, size: shape.size, headSize: shape.headSize, model, cased, scale,
      spelled: specialIn(encoded, (id) => this.tokenizer.added.some((one) => one.id === id)),
      wordIds: wordIds({ ...encoded, length }, words),
      words: occurrences({ ...encoded, length }, cased, words),
      learned: floats(learned), hidden: floats(hidden), q: floats(q), k: floats(k),
      logSums: logSums(floats(q), floats(k), floats(most), at.data, n, shape.headSize, scale),
    };
  }

  /** The tensors of the file. @param {(name: string) => Promise<Uint8Array>} file gets a file of the model again */
  #kept(file) {
    this.#tensors ??= file(WEIGHTS).then((bytes) => new Tensors(bytes, (name) => !name.startsWith(EMBEDDINGS.table)));
    this.#tensors.catch(() => (this.#tensors = null));
    return this.#tensors;
  }

  /**
   * What each token adds to a word's position after each layer; null if it was given up.
   * @param {string} text @param {SourcesAsked} asked @param {() => boolean | Promise<boolean>} goesOn
   * @param {(name: string) => Promise<Uint8Array>} file gets a file of the model again
   * @returns {Promise<?SourcesOf>}
   */
  async sources(text, asked, goesOn, file) {
    const { hidden, q, k, ids } = await this.run(text), tensors = await this.#kept(file), { ort: { Tensor } } = this;
    const { layers, heads, size, headSize: d } = this.manifest.shape, n = ids.length, wide = n * size;
    const layerOf = (/** @type {Float32Array} */ all, /** @type {number} */ layer) => all.subarray(layer * wide, (layer + 1) * wide);
    this.#adjoint ??= createSession(this.ort, this.adjoint, new Map());
    const adjoint = await this.#adjoint;
    const back = async (/** @type {number} */ layer, /** @type {Float32Array} */ slopes) => {
      /** @type {Record<string, object>} */
      const inputs = {
        input: new Tensor("float32", layerOf(hidden, layer), [n, size]), slope: new Tensor("float32", slopes, [slopes.length / wide, n, size]),
        q: new Tensor("float32", layerOf(q, layer), [heads, n, d]), k: new Tensor("float32", layerOf(k, layer), [heads, n, d]),
      };
      for (const name of Object.entries(LAYER).flatMap(([part, one]) => (part === "q" || part === "k" ? [] : [one]))) { // the attention weights are held
        const prefix = `encoder.layer.${layer}.${name}`, [weight, bias] = await Promise.all([tensors.read(`${prefix}.weight`), tensors.read(`${prefix}.bias`)]);
        inputs[`${name}.weight`] = new Tensor("float32", weight, weight.length === bias.length ? [bias.length] : [bias.length, weight.length / bias.length]);
        inputs[`${name}.bias`] = new Tensor("float32", bias, [bias.length]);
      }
      const made = await adjoint.run(inputs);
      return { before: /** @type {Float32Array} */ (made.before.data), biases: /** @type {Float32Array} */ (made.biases.data) };
    };
    return sourcesOf({ layers, size, first: layerOf(hidden, 0), back }, asked, goesOn);
  }

  /**
   * Every step of a text through one layer.
   * @param {string} text @param {StepsAsked} asked @param {unknown} _ @param {(name: string) => Promise<Uint8Array>} file gets a file of the model again
   * @returns {Promise<StepsOf>}
   */
  async steps(text, { layer: fromOne, head, block }, _, file) {
    const { shape } = this.manifest, { size } = shape, layer = Math.min(fromOne, shape.layers) - 1;
    const read = shortText((one) => this.tokenizer.encode(one), text, false), ids = [...read.encoded.ids], n = ids.length;
    const { learned, hidden } = await this.run(read.encoded.text), tensors = await this.#kept(file);
    const both = async (/** @type {string} */ name) => ({ weight: await tensors.read(`${name}.weight`), bias: await tensors.read(`${name}.bias`) });
    const weights = /** @type {import("./steps/encoder.js").LayerWeights} */ (Object.fromEntries(
      await Promise.all(Object.entries(LAYER).map(async ([part, name]) => [part, await both(`encoder.layer.${layer}.${name}`)]))));
    const rows = (/** @type {number} */ depth) => hidden.subarray(depth * n * size, (depth + 1) * n * size);
    const steps = encoderSteps({
      ids, tokens: read.tokens, table: tableOf(ids, learned, size), shape, weights, x: rows(layer), norm: await both(EMBEDDINGS.norm),
      positions: (await tensors.read(`${EMBEDDINGS.position}.weight`)).subarray(0, n * size), segment: (await tensors.read(`${EMBEDDINGS.segment}.weight`)).subarray(0, size),
    }, { head: Math.min(head, shape.heads) - 1, block });
    return { ...read, steps, apart: apart(steps[steps.length - 1].result.values, rows(layer + 1)), layers: shape.layers, heads: shape.heads };
  }
}

/** The rows of a table that are known. @param {number[]} ids @param {Float32Array} rows one for each id @param {number} size */
function tableOf(ids, rows, size) {
  return (/** @type {number[]} */ asked) => {
    const out = new Float32Array(asked.length * size);
    asked.forEach((id, i) => out.set(rows.subarray(ids.indexOf(id) * size, (ids.indexOf(id) + 1) * size), i * size));
    return out;
  };
}

/**
 * The log of the sum of e^score of each row, from its largest weight and the key that has it. It is exact
 * where the rounded sum in the model's arithmetic would be off by a few units in its last place: scores reach
 * 100, and a weight is e to the power of a difference of two of them.
 * @param {Float32Array} q @param {Float32Array} k (rows × d) @param {Float32Array} most (rows)
 * @param {ArrayLike<number | bigint>} at (rows) @param {number} n rows a head @param {number} d @param {number} scale
 */
export function logSums(q, k, most, at, n, d, scale) {
  return Float32Array.from(most, (weight, row) => {
    const key = row - (row % n) + Number(at[row]);
    return dot(q, row * d, k, key * d, d) * scale - Math.log(weight);
  });
}
