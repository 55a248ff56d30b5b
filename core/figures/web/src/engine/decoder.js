// A decoder in onnxruntime-web: some sessions of a few neighbouring layers, and one of the head (`tools/web/decoder_graph.py`).
// It computes in float32. What it has read of a text stays: a longer text, or one with another end, runs only the
// tokens that are new.
/** @typedef {import("./gguf/header").Tensor} Tensor */
/** @typedef {import("./runtime").Ort} Ort */
/** @typedef {import("./runtime").OrtSession} OrtSession */
/** @typedef {import("./runtime").OrtTensor} OrtTensor */
/** @typedef {import("./types").DecoderShape} DecoderShape */
import { Lie } from "./gguf/header.js";
import { unpacked, unpermuted } from "./gguf/unpack.js";
import { createSession } from "./runtime.js";

const TABLE = "token_embd.weight", NORM = "output_norm.weight", MATRIX = "output.weight";
const LAYER = /^blk\.(\d{1,5})\.(.+)$/;
const FIRST_ROWS = 64; // tokens for which there is room at first

/** Rows of numbers, one a token, with room for more. */
class Rows {
  /** @param {number} width the numbers of a token */
  constructor(width) {
    this.width = width;
    this.data = new Float32Array(0);
  }

  /** Puts rows where `at` others are before them; what was there is gone. @param {number} at @param {Float32Array} rows */
  put(at, rows) {
    const end = at * this.width + rows.length;
    if (end > this.data.length) {
      const room = Math.max(2 * this.data.length, end, FIRST_ROWS * this.width), data = new Float32Array(room);
      data.set(this.data.subarray(0, at * this.width));
      this.data = data;
    }
    this.data.set(rows, at * this.width);
  }

  /** @param {number} from @param {number} to */
  of(from, to) {
    return this.data.subarray(from * this.width, to * this.width);
  }
}

/** A few neighbouring layers, and what they have computed of each token. */
class Group {
  /** @type {Map<string, Float32Array>} */
  weights = new Map();
  /** @type {?OrtSession} */
  session = null;

  /** @param {DecoderShape} shape */
  constructor({ layersAtOnce: layers, heads, kvHeads, size, headSize }) {
    this.past = [layers, 2, kvHeads, headSize];
    this.rows = {
      hidden: new Rows(layers * size), q: new Rows(layers * heads * headSize), kv: new Rows(2 * layers * kvHeads * headSize),
      most: new Rows(layers * heads), at: new Rows(layers * heads),
    };
  }
}

export class Decoder {
  /** The tokens whose rows are there. @type {number[]} */
  ids = [];
  /** The word vectors, packed as in the file. @type {?{ tensor: Tensor, bytes: Uint8Array }} */
  #table = null;
  /** @type {?Float32Array} */
  #norm = null;
  /** @type {?OrtSession} */
  #head = null;

  /** @param {Ort} ort @param {DecoderShape} shape @param {{ layers: Uint8Array, head: Uint8Array }} graphs */
  constructor(ort, shape, graphs) {
    this.ort = ort;
    this.shape = shape;
    this.graphs = graphs;
    this.groups = Array.from({ length: shape.layers / shape.layersAtOnce }, () => new Group(shape));
  }

  /**
   * Takes a tensor of the file. With the last one of some layers, these are ready to run, and what is here of their
   * weights is gone.
   * @param {Tensor} tensor @param {Uint8Array} bytes
   * @throws {Lie} the model has no such tensor
   */
  async take(tensor, bytes) {
    const { layersAtOnce, layers, weights } = this.shape, { name } = tensor, [, layer, part] = LAYER.exec(name) ?? [];
    if (part === undefined) return this.#takeOther(tensor, bytes);
    const group = this.groups[Math.floor(Number(layer) / layersAtOnce)];
    if (!(Number(layer) < layers) || !weights[part]) throw new Lie(`has a tensor that its model does not know: ${name}`);
    group.weights.set(`${Number(layer) % layersAtOnce}.${part}`, this.#unpacked(tensor, bytes, weights[part]));
    if (group.weights.size < layersAtOnce * Object.keys(weights).length) return;
    group.session = await createSession(this.ort, this.graphs.layers, group.weights);
    group.weights.clear();
  }

  /** @param {Tensor} tensor @param {Uint8Array} bytes */
  async #takeOther(tensor, bytes) {
    const { vocabulary, size } = this.shape;
    if (tensor.name === NORM) this.#norm = this.#unpacked(tensor, bytes, [size]);
    else if (tensor.name === TABLE) {
      this.#table = { tensor, bytes };
      const matrix = new Map([[MATRIX, this.#unpacked(tensor, bytes, [vocabulary, size])]]);
      this.#head = await createSession(this.ort, this.graphs.head, matrix);
    } else throw new Lie(`has a tensor that its model does not know: ${tensor.name}`);
  }

  /** @param {Tensor} tensor @param {Uint8Array} bytes @param {number[]} shape */
  #unpacked({ name, packing, shape: has }, bytes, shape) {
    if (has.join() !== shape.join()) throw new Lie(`has a tensor ${name} of the shape ${has}; its model has ${shape}`);
    const { heads, kvHeads } = this.shape, numbers = unpacked(packing, bytes, shape.reduce((product, one) => product * one));
    const of = name.endsWith(".attn_q.weight") ? heads : name.endsWith(".attn_k.weight") ? kvHeads : 0;
    return of ? unpermuted(numbers, of, shape[1]) : numbers;
  }

  /** Whether all weights have been taken. */
  get whole() {
    return Boolean(this.#head && this.#norm && this.groups.every(({ session }) => session));
  }

  /** The rows of the word-embedding table, (n × size). @param {ArrayLike<number>} ids */
  learned(ids) {
    if (!this.#table) throw new Error("it has no weights");
    const { tensor: { packing }, bytes } = this.#table, { size, vocabulary } = this.shape;
    const out = new Float32Array(ids.length * size), width = bytes.length / vocabulary;
    for (let i = 0; i < ids.length; i++) {
      if (!(ids[i] >= 0 && ids[i] < vocabulary)) throw new RangeError(`The vocabulary has no token ${ids[i]}.`);
      out.set(unpacked(packing, bytes.subarray(ids[i] * width, (ids[i] + 1) * width), size), i * size);
    }
    return out;
  }

  /**
   * Reads a text. Between groups of layers, whoever wants may give it up.
   * @param {number[]} ids its tokens @param {() => boolean | Promise<boolean>} [goesOn] whether to go on
   * @returns {Promise<boolean>} whether it was read to its end
   */
  async read(ids, goesOn = () => true) {
    let same = 0;
    while (same < ids.length && ids[same] === this.ids[same]) same++;
    this.ids.length = same;
    const added = ids.slice(same), n = added.length, { size } = this.shape;
    if (!n) return true;
    /** @type {Float32Array} */
    let input = this.learned(added);
    for (const { session, rows, past } of this.groups) {
      if (!(await goesOn())) return false;
      if (!session) throw new Error("it has no weights");
      const made = await session.run({
        input: new this.ort.Tensor("float32", input, [n, size]),
        past: new this.ort.Tensor("float32", rows.kv.of(0, same), [same, ...past]),
      });
      for (const name of /** @type {const} */ (["hidden", "q", "kv", "most"])) rows[name].put(same, floats(made[name]));
      rows.at.put(same, Float32Array.from(/** @type {BigInt64Array} */ (made.at.data), Number));
      input = floats(made.output);
    }
    this.ids.push(...added);
    return true;
  }

  /** What a layer has written for a token, (size). @param {number} layer from 0 @param {number} token */
  hiddenOf(layer, token) {
    const { layersAtOnce, size } = this.shape, { rows } = this.groups[Math.floor(layer / layersAtOnce)];
    return rows.hidden.of(token, token + 1).subarray((layer % layersAtOnce) * size, (layer % layersAtOnce + 1) * size);
  }

  /**
   * Every step of the text that was read, as `TraceParts` has them; shared keys once for each head.
   * @param {Float32Array} learned the rows of its table, (n × size)
   */
  steps(learned) {
    const { layers, layersAtOnce, heads, kvHeads, size, headSize: d } = this.shape, n = this.ids.length, each = heads / kvHeads;
    const hidden = new Float32Array((layers + 1) * n * size), most = new Float32Array(layers * heads * n), at = most.slice();
    const q = new Float32Array(layers * heads * n * d), k = q.slice();
    hidden.set(learned);
    for (let layer = 0; layer < layers; layer++) {
      const { rows } = this.groups[Math.floor(layer / layersAtOnce)], i = layer % layersAtOnce;
      for (let token = 0; token < n; token++) {
        const [ofHidden, ofQ, ofKv, ofMost, ofAt] = [rows.hidden, rows.q, rows.kv, rows.most, rows.at].map((one) => one.of(token, token + 1));
        hidden.set(ofHidden.subarray(i * size, (i + 1) * size), ((layer + 1) * n + token) * size);
        for (let head = 0; head < heads; head++) {
          const row = (layer * heads + head) * n + token, key = 2 * i * kvHeads + Math.floor(head / each);
          q.set(ofQ.subarray((i * heads + head) * d, (i * heads + head + 1) * d), row * d);
          k.set(ofKv.subarray(key * d, (key + 1) * d), row * d);
          most[row] = ofMost[i * heads + head];
          at[row] = ofAt[i * heads + head];
        }
      }
    }
    return { hidden, q, k, most, at };
  }

  /** The logits of some rows as the last layer writes them, (r × size): (r × vocabulary). @param {Float32Array} rows */
  async logits(rows) {
    if (!this.#head || !this.#norm) throw new Error("it has no weights");
    const { size } = this.shape, { Tensor } = this.ort;
    const made = await this.#head.run({
      input: new Tensor("float32", rows, [rows.length / size, size]),
      norm: new Tensor("float32", this.#norm, [size]),
    });
    return floats(made.logits);
  }

  /** The logits of the token after the text that was read, (vocabulary). */
  next() {
    return this.logits(this.hiddenOf(this.shape.layers - 1, this.ids.length - 1));
  }
}

/** @param {OrtTensor} tensor */
const floats = (tensor) => /** @type {Float32Array} */ (tensor.data);
