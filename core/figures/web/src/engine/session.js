// MiniLM in onnxruntime-web: from a text to the parts of its trace.
/** @typedef {import("./runtime").Ort} Ort */
/** @typedef {import("./runtime").OrtSession} OrtSession */
/** @typedef {import("./runtime").OrtTensor} OrtTensor */
/** @typedef {import("./types").EncoderManifest} Manifest */
/** @typedef {import("./trace").TraceParts} TraceParts */
import { dot } from "../attention/products.js";
import { WASM, createSession, prepare } from "./runtime.js";
import { WordPiece } from "./wordpiece.js";
import { occurrences, split, wordIds } from "./words.js";

const GRAPH = "model.onnx", WEIGHTS = "model.safetensors", TOKENIZER = "wordpiece.json";

export class Session {
  /**
   * @param {Ort} ort @param {OrtSession} session @param {WordPiece} tokenizer @param {Manifest} manifest
   */
  constructor(ort, session, tokenizer, manifest) {
    this.ort = ort;
    this.session = session;
    this.tokenizer = tokenizer;
    this.manifest = manifest;
  }

  /**
   * Starts the run-time with one thread; `files` are those that the manifest calls stored.
   * @param {Ort} ort @param {Manifest} manifest @param {Record<string, Uint8Array<ArrayBuffer>>} files
   * @param {string} [startScript] the address of the script that starts the WebAssembly
   */
  static async start(ort, manifest, files, startScript) {
    prepare(ort, files[WASM], startScript);
    const tokenizer = new WordPiece(JSON.parse(new TextDecoder().decode(files[TOKENIZER])));
    const session = await createSession(ort, files[GRAPH], new Map([[WEIGHTS, files[WEIGHTS]]]));
    return new Session(ort, session, tokenizer, manifest);
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
      ...encoded, ...shape, model, cased, scale,
      wordIds: wordIds({ ...encoded, length }, words),
      words: occurrences({ ...encoded, length }, cased, words),
      learned: floats(learned), hidden: floats(hidden), q: floats(q), k: floats(k),
      logSums: logSums(floats(q), floats(k), floats(most), at.data, n, shape.headSize, scale),
    };
  }
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
