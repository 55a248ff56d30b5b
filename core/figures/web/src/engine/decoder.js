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
/** The weights of a layer that its adjoint does not need: the attention weights are held. */
const NOT_BACK = ["attn_q.weight", "attn_k.weight"];
/** Those of which heads share some rows, and have their own in a run that is changed. */
const SHARED = ["attn_k.weight", "attn_v.weight"];
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

/**
 * What a run that is changed gives to each layer; n tokens after m others.
 * @typedef {object} Altered
 * @property {Float32Array} at (n) the positions by which queries and keys are turned
 * @property {Float32Array} bias (n × (m + n)) what is added to each score: the mask
 * @property {Float32Array} paper (3) 1 for the order of the norms, the norm and the network, each as the paper had it; else 0
 * @property {Float32Array} factors (heads) by which what each head writes is multiplied
 * @property {number} before m, of the text that was read
 */

export class Decoder {
  /** The tokens whose rows are there. @type {number[]} */
  ids = [];
  /** The word vectors, packed as in the file. @type {?{ tensor: Tensor, bytes: Uint8Array }} */
  #table = null;
  /** @type {?Float32Array} */
  #norm = null;
  /** @type {?OrtSession} */
  #head = null;
  /** The weights of the layers, packed as in the file, and outside of this tab's memory. @type {Map<string, { tensor: Tensor, packed: Blob }>} */
  #packed = new Map();
  /** @type {?OrtSession} */
  #back = null;
  /** @type {?OrtSession} */
  #changed = null;

  /**
   * @param {Ort} ort @param {DecoderShape} shape @param {{ layers: Uint8Array, head: Uint8Array, back: Uint8Array, changed: Uint8Array }} graphs
   * @param {import("./types").RunTime["provider"]} [provider] what computes layers and head; what goes back, or is changed, the processor does
   */
  constructor(ort, shape, graphs, provider = "wasm") {
    this.ort = ort;
    this.shape = shape;
    this.graphs = graphs;
    this.provider = provider;
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
    this.#packed.set(name, { tensor, packed: new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]) });
    group.weights.set(`${Number(layer) % layersAtOnce}.${part}`, this.#unpacked(tensor, bytes, weights[part]));
    if (group.weights.size < layersAtOnce * Object.keys(weights).length) return;
    group.session = await createSession(this.ort, this.graphs.layers, group.weights, this.provider);
    group.weights.clear();
  }

  /** @param {Tensor} tensor @param {Uint8Array} bytes */
  async #takeOther(tensor, bytes) {
    const { vocabulary, size } = this.shape;
    if (tensor.name === NORM) this.#norm = this.#unpacked(tensor, bytes, [size]);
    else if (tensor.name === TABLE) {
      this.#table = { tensor, bytes };
      const matrix = new Map([[MATRIX, this.#unpacked(tensor, bytes, [vocabulary, size])]]);
      this.#head = await createSession(this.ort, this.graphs.head, matrix, this.provider);
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

  /** What the final norm divides a row by. @param {Float32Array} row as a layer writes it, (size) */
  root(row) {
    return Math.sqrt(row.reduce((sum, x) => sum + x * x, 0) / row.length + this.shape.normEps);
  }

  /** The weight of the final norm, (size). */
  get norm() {
    if (!this.#norm) throw new Error("it has no weights");
    return this.#norm;
  }

  /** Rows as the final norm lets them through to the head, (r × size). @param {Float32Array} rows as a layer writes them */
  normed(rows) {
    const { size } = this.shape, { norm } = this, out = new Float32Array(rows.length);
    for (let from = 0; from < rows.length; from += size) {
      const row = rows.subarray(from, from + size), root = this.root(row);
      for (let i = 0; i < size; i++) out[from + i] = (row[i] / root) * norm[i];
    }
    return out;
  }

  /** The logits of some rows as they come out of the final norm, (r × size): (r × vocabulary). @param {Float32Array} rows */
  async logits(rows) {
    if (!this.#head) throw new Error("it has no weights");
    const { size } = this.shape;
    return floats((await this.#head.run({ input: new this.ort.Tensor("float32", rows, [rows.length / size, size]) })).logits);
  }

  /**
   * Back through a layer, of the whole text that was read, with its attention weights, norms and gates held.
   * @param {number} layer from 0 @param {Float32Array} slope gradients with respect to what it writes, (g × n × size)
   * @param {Float32Array} along that with respect to the last token's vector behind all layers, (size)
   * @returns {Promise<{ before: Float32Array, heads: Float32Array, network: Float32Array }>} the gradients with respect to what it
   *   reads, (g × n × size); what each of its heads, and its network, adds to the last token along `along`
   */
  async back(layer, slope, along) {
    const { heads, kvHeads, size, headSize: d, weights } = this.shape, n = this.ids.length, { Tensor } = this.ort;
    const input = this.input(layer), { q, kv } = this.attended(layer);
    /** @type {Record<string, object>} */
    const inputs = {
      input: new Tensor("float32", input, [n, size]), slope: new Tensor("float32", slope, [slope.length / (n * size), n, size]), along: new Tensor("float32", along, [1, size]),
      q: new Tensor("float32", q, [n, heads, d]), kv: new Tensor("float32", kv, [n, 2, kvHeads, d]),
    };
    for (const [part, shape] of Object.entries(weights)) {
      if (!NOT_BACK.includes(part)) inputs[part] = new Tensor("float32", await this.weight(layer, part), shape);
    }
    this.#back ??= await createSession(this.ort, this.graphs.back, new Map());
    const made = await this.#back.run(inputs);
    return { before: floats(made.before), heads: floats(made.heads), network: floats(made.network) };
  }

  /** The turned queries of a layer, (n × heads × headSize), and its turned keys and values, (n × 2 × kvHeads × headSize). @param {number} layer from 0 */
  attended(layer) {
    const { layersAtOnce, heads, kvHeads, headSize: d } = this.shape, n = this.ids.length;
    const { rows } = this.groups[Math.floor(layer / layersAtOnce)], i = layer % layersAtOnce;
    const q = new Float32Array(n * heads * d), kv = new Float32Array(2 * n * kvHeads * d);
    for (let token = 0; token < n; token++) {
      q.set(rows.q.of(token, token + 1).subarray(i * heads * d, (i + 1) * heads * d), token * heads * d);
      kv.set(rows.kv.of(token, token + 1).subarray(2 * i * kvHeads * d, 2 * (i + 1) * kvHeads * d), 2 * token * kvHeads * d);
    }
    return { q, kv };
  }

  /**
   * What a layer writes in a run that is changed, (n × size).
   * @param {number} layer from 0 @param {Float32Array} input what it reads, (n × size) @param {Altered} how
   */
  async changed(layer, input, { at, bias, paper, factors, before }) {
    const { heads, kvHeads, size, headSize: d, weights } = this.shape, n = at.length, { Tensor } = this.ort, each = heads / kvHeads;
    const kv = before ? this.attended(layer).kv.subarray(0, 2 * before * kvHeads * d) : new Float32Array(0);
    /** @type {Record<string, object>} */
    const inputs = {
      input: new Tensor("float32", input, [n, size]), past: new Tensor("float32", repeated(kv, each, d), [before, 2, heads, d]),
      at: new Tensor("float32", at, [n]), bias: new Tensor("float32", bias, [n, before + n]),
      factors: new Tensor("float32", factors, [heads]), paper: new Tensor("float32", paper, [paper.length]),
    };
    for (const [part, [rowsOf, ...width]] of Object.entries(weights)) {
      const weight = await this.weight(layer, part);
      inputs[part] = SHARED.includes(part) ? new Tensor("float32", repeated(weight, each, d * size), [rowsOf * each, ...width]) : new Tensor("float32", weight, [rowsOf, ...width]);
    }
    this.#changed ??= await createSession(this.ort, this.graphs.changed, new Map());
    return floats((await this.#changed.run(inputs)).output);
  }

  /** A weight of a layer, unpacked again. @param {number} layer from 0 @param {string} part */
  async weight(layer, part) {
    const kept = this.#packed.get(`blk.${layer}.${part}`);
    if (!kept) throw new Error("it has no weights");
    return this.#unpacked(kept.tensor, new Uint8Array(await kept.packed.arrayBuffer()), this.shape.weights[part]);
  }

  /** The weights of a layer by their names. @param {number} layer from 0 @returns {Promise<Record<string, Float32Array>>} */
  async weightsOf(layer) {
    return Object.fromEntries(await Promise.all(Object.keys(this.shape.weights).map(async (part) => [part, await this.weight(layer, part)])));
  }

  /** What a layer reads of every token, (n × size). @param {number} layer from 0 */
  input(layer) {
    return layer ? this.output(layer - 1) : this.learned(this.ids);
  }

  /** What a layer has written for every token, (n × size). @param {number} layer from 0 */
  output(layer) {
    const { size } = this.shape, out = new Float32Array(this.ids.length * size);
    for (let token = 0; token < this.ids.length; token++) out.set(this.hiddenOf(layer, token), token * size);
    return out;
  }

  /** The logits of the token after the text that was read, (vocabulary). */
  next() {
    return this.logits(this.normed(this.hiddenOf(this.shape.layers - 1, this.ids.length - 1)));
  }
}

/** Each piece so many times, one copy after the other. @param {Float32Array} numbers @param {number} times @param {number} width of a piece */
function repeated(numbers, times, width) {
  const out = new Float32Array(times * numbers.length);
  for (let from = 0; from < numbers.length; from += width) {
    for (let i = 0; i < times; i++) out.set(numbers.subarray(from, from + width), times * from + i * width);
  }
  return out;
}

/** @param {OrtTensor} tensor */
const floats = (tensor) => /** @type {Float32Array} */ (tensor.data);
