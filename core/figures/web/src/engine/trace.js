// One text on its way through the model, as `core.records.trace.Trace` has it in Python. Attention weights are
// computed from queries, keys and log-sums when they are asked for (`attention/products.js`).
//
// Positions in a text count characters (code points), as in Python, and not JavaScript's UTF-16 units: `slice`
// cuts the text by them. Layers, heads, tokens and words count from 0.
import { dot, exp } from "../attention/products.js";

/**
 * A word of the text that reached the model: `core.records.words.Occurrence`.
 * @typedef {object} Occurrence
 * @property {string} word as the model reads it, in lower case for an uncased model
 * @property {number} number which occurrence of this word it is, from 0, from left to right
 * @property {number} start its first character
 * @property {number} end the character after its last one
 * @property {number[]} tokens the indices of its tokens, ascending
 */

/**
 * What a trace is made of; n tokens.
 * @typedef {object} TraceParts
 * @property {string} text as it was read: half of a surrogate pair is "\ufffd"
 * @property {Int32Array} ids (n) rows of the vocabulary
 * @property {string[]} tokens (n) the pieces as the tokenizer names them: "##ing" continues a word
 * @property {Int32Array} starts (n) the first character of each token; 0 for a special token
 * @property {Int32Array} ends (n) the character after its last one; 0 for a special token
 * @property {boolean[]} special (n) whether the model's template added it: [CLS], [SEP]
 * @property {Int32Array} wordIds (n) the index of its word among all words of the text; −1 for a special token
 * @property {Occurrence[]} words the words that reached the model, from left to right
 * @property {?[number, number]} leftOut the characters that did not fit the model; null if all did
 * @property {string[]} [spelled] special tokens that the text spells out
 * @property {string} model its name
 * @property {boolean} cased whether it distinguishes upper and lower case
 * @property {boolean} [causal] whether a token attends only to itself and to those before it
 * @property {number} [group] how many neighbouring heads share a key; 1 if each has its own
 * @property {number} layers
 * @property {number} heads of each layer
 * @property {number} size the width of a vector, d_model
 * @property {number} headSize the width of a query and of a key, d_head
 * @property {number} scale the factor of q·k, 1/√d_head
 * @property {Float32Array} learned (n × size) rows of the word-embedding table
 * @property {Float32Array} hidden ((layers + 1) × n × size) the input of the first layer, then each layer's output
 * @property {Float32Array} q (layers × heads × n × headSize)
 * @property {Float32Array} k (layers × heads × n × headSize)
 * @property {Float32Array} logSums (layers × heads × n) log of the sum of e^score of each row
 */

/** @implements {TraceParts} */
export class Trace {
  /** @param {TraceParts} parts */
  constructor(parts) {
    this.text = parts.text;
    this.ids = parts.ids;
    this.tokens = parts.tokens;
    this.starts = parts.starts;
    this.ends = parts.ends;
    this.special = parts.special;
    this.wordIds = parts.wordIds;
    this.words = parts.words;
    this.leftOut = parts.leftOut;
    this.spelled = parts.spelled ?? [];
    this.model = parts.model;
    this.cased = parts.cased;
    this.causal = parts.causal ?? false;
    this.group = parts.group ?? 1;
    this.layers = parts.layers;
    this.heads = parts.heads;
    this.size = parts.size;
    this.headSize = parts.headSize;
    this.scale = parts.scale;
    this.learned = parts.learned;
    this.hidden = parts.hidden;
    this.q = parts.q;
    this.k = parts.k;
    this.logSums = parts.logSums;
    const { n, layers, heads, size, headSize } = this;
    check("ids", this.ids, n);
    check("learned", this.learned, n * size);
    check("hidden", this.hidden, (layers + 1) * n * size);
    check("q", this.q, layers * heads * n * headSize);
    check("k", this.k, layers * heads * n * headSize);
    check("logSums", this.logSums, layers * heads * n);
  }

  /** The number of tokens, special ones included. */
  get n() {
    return this.tokens.length;
  }

  /** Whether the first token is a word of the text and the attention sink at once: no token of a template takes that place. */
  get firstIsSink() {
    return this.causal && this.n > 1 && !this.special[0];
  }

  /** Whether each token counts as none of the words: special, or the sink. */
  get apart() {
    return this.special.map((special, i) => special || (!i && this.firstIsSink));
  }

  /** The characters `start` to `end` of the text. @param {number} start @param {number} end */
  slice(start, end) {
    return [...this.text].slice(start, end).join("");
  }

  /** The word-embedding row of a token, (size). @param {number} token */
  learnedOf(token) {
    return this.learned.subarray(token * this.size, (token + 1) * this.size);
  }

  /**
   * The vector of a token, (size), after so many layers: 0 is the input of the first layer.
   * @param {number} layer 0 to `layers` @param {number} token
   */
  hiddenOf(layer, token) {
    const from = (layer * this.n + token) * this.size;
    return this.hidden.subarray(from, from + this.size);
  }

  /** Where a row of `logSums` stands. @param {number} layer @param {number} head @param {number} query */
  #row(layer, head, query) {
    return (layer * this.heads + head) * this.n + query;
  }

  /** A score before the softmax. @param {number} layer @param {number} head @param {number} query @param {number} key */
  score(layer, head, query, key) {
    const d = this.headSize;
    return dot(this.q, this.#row(layer, head, query) * d, this.k, this.#row(layer, head, key) * d, d) * this.scale;
  }

  /** An attention weight, 0 to 1. @param {number} layer @param {number} head @param {number} query @param {number} key */
  weight(layer, head, query, key) {
    if (this.causal && key > query) return 0;
    return exp(this.score(layer, head, query, key) - this.logSums[this.#row(layer, head, query)]);
  }

  /** The weights of one query on all keys, (n). @param {number} layer @param {number} head @param {number} query */
  row(layer, head, query) {
    const out = new Float32Array(this.n);
    this.#fill(out, 0, layer, head, query);
    return out;
  }

  /** All weights of one head, (n queries × n keys). @param {number} layer @param {number} head */
  matrix(layer, head) {
    const { n } = this, out = new Float32Array(n * n);
    for (let query = 0; query < n; query++) this.#fill(out, query * n, layer, head, query);
    return out;
  }

  /**
   * Writes the weights of one query into `out` from `at` on. A text of 512 tokens has 19 million weights, so that
   * this loop calls nothing but the two functions of arithmetic.
   * @param {Float32Array} out @param {number} at @param {number} layer @param {number} head @param {number} query
   */
  #fill(out, at, layer, head, query) {
    const { n, q, k, scale, headSize: d } = this, first = this.#row(layer, head, 0), row = first + query;
    const from = row * d, sum = this.logSums[row], last = this.causal ? query + 1 : n;
    for (let key = 0, to = first * d; key < last; key++, to += d) out[at + key] = exp(dot(q, from, k, to, d) * scale - sum);
  }

  /**
   * The queries, keys and log-sums of one layer, as the picture of a layer takes them: (heads × n × headSize)
   * twice, and (heads × n).
   * @param {number} layer
   */
  layer(layer) {
    const rows = this.heads * this.n, wide = rows * this.headSize;
    return {
      q: this.q.subarray(layer * wide, (layer + 1) * wide),
      k: this.k.subarray(layer * wide, (layer + 1) * wide),
      logSums: this.logSums.subarray(layer * rows, (layer + 1) * rows),
    };
  }
}

/** @param {string} name @param {ArrayLike<number>} array @param {number} length */
function check(name, { length: has }, length) {
  if (has !== length) throw new RangeError(`A trace's ${name} has ${has} numbers, not ${length}.`);
}
