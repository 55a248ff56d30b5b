// The attention of one layer as numbers: any weight and any score, computed from what the page has sent:
// query, key and the log-sum-exp of each row, or, if the model does not expose those, its weights. If
// special tokens are hidden, `queries` and `keys` are the remaining ones, and each head's rows are rescaled
// to 1 over them, as in `core.measures.attention.visible`. The mean over the heads is the mean of these
// rows. A row that is missing, or has nothing left, is NaN, and excluded from means.
/** @import { LayerHeader, WeightsHeader } from "../headers" */
/** @import { Run } from "../types" */
/** @import { Measure } from "./types" */
import { dot, exp } from "../attention/products.js";
import { Mask } from "../matrix/masks.js";
import { MEAN } from "./state.js";

const CACHED_ROWS = 6000; // at most
const CACHED_MATRICES = 6; // at most
const PRECISE = 0.05; // if less than this remains of a row, it is computed as a sum, not as a difference

/** @param {number} count */
const range = (count) => [...Array(count).keys()];

export class Attention {
  /** Heads that this layer lacks, although other layers have them. @type {Set<number>} */
  absent;
  /** @type {number[]} */
  present;
  /** Which keys are hidden from which queries. @type {Mask} */
  mask;
  /** Whether special tokens are shown. */
  special = true;
  /** Whether all tokens are shown. */
  whole = true;
  /** The visible queries, in order. @type {number[]} */
  queries = [];
  /** The visible keys, in order. @type {number[]} */
  keys = [];
  /** The hidden keys. @type {readonly number[]} */
  hidden = [];

  /** The width of a head's query and key. */
  d = 0;
  scale = 1;
  /** @type {?number} */
  softcap = null;
  /**
   * (heads × queries): the share of each row that goes to no key; null if there is none.
   * @type {?Float32Array}
   */
  sinks = null;

  /** (heads × queries × d) @type {Float32Array} */
  #q = new Float32Array();
  /** (heads × keys × d) @type {Float32Array} */
  #k = new Float32Array();
  /** (heads × queries) @type {Float32Array} */
  #logSums = new Float32Array();
  /** (1 or heads × #biasSize) @type {Float32Array} */
  #bias = new Float32Array();
  #biasSize = 0;
  #biasPerHead = false;
  /** @type {"full" | "diagonals" | "keys" | null} */
  #biasKind = null;
  /** (heads × queries × keys), the model's weights, if they were sent. @type {?Float32Array} */
  #all = null;
  /** The same without special tokens, if they were sent too. @type {?Float32Array} */
  #bare = null;
  /** The one of these two that is shown. @type {Float32Array} */
  #weights = new Float32Array();
  /** Rows of which nothing remains without special tokens. @type {Set<number>} */
  #empty = new Set();

  // Caches for the visible tokens.
  /** @type {Map<number, Float32Array>} */
  #rows = new Map();
  /** @type {Map<number, Float32Array>} */
  #columns = new Map();
  /** @type {Map<string, Float32Array>} */
  #matrices = new Map();
  /** @type {?Run[][]} */
  #maskedSpans = null;
  /** The divisor of each row's weights. */
  #remaining = new Float64Array();

  /** @param {LayerHeader} header @param {Float32Array | Uint8Array} values */
  constructor(header, values) {
    this.kind = header.kind;
    this.heads = header.heads;
    this.n = header.queries.length;
    this.m = header.keys.length;
    this.specialTokens = header.special;
    const { heads, n, m } = this;
    if (header.kind === "weights") this.#takeWeights(header, values);
    if (header.kind === "inner" && values instanceof Float32Array) {
      let at = 0;
      const next = (/** @type {number} */ count) => values.subarray(at, (at += count));
      this.d = header.d;
      this.scale = header.scale;
      this.softcap = header.softcap;
      this.#q = next(heads * n * header.d);
      this.#k = next(heads * m * header.d);
      this.#logSums = next(heads * n);
      this.#biasKind = header.bias;
      this.#biasSize = header.bias ? { full: n * m, diagonals: n + m - 1, keys: m }[header.bias] : 0;
      this.#biasPerHead = header.biases > 1;
      this.#bias = next(header.biases * this.#biasSize);
      this.sinks = header.sink ? next(heads * n) : null;
      this.#empty = new Set(header.empty);
    }
    this.absent = new Set(header.missingHeads);
    this.present = range(heads).filter((head) => !this.absent.has(head));
    this.mask = new Mask(header, n, m);
    this.show(true);
  }

  /**
   * The weights as sent; those without special tokens follow, then the sinks.
   * @param {WeightsHeader} header @param {Float32Array | Uint8Array} values
   */
  #takeWeights({ bare, apart, exact, sink }, values) {
    const { m } = this, rows = this.heads * this.n, size = rows * m, packed = values instanceof Uint8Array;
    const all = packed ? unpackedWeights(values, rows * (bare ? 2 : 1), m, apart ?? 0, exact ?? []) : values;
    this.#all = all.subarray(0, size);
    this.#bare = bare ? all.subarray(size, 2 * size) : null;
    if (sink) this.sinks = packed ? new Float32Array(values.slice(-4 * rows).buffer) : all.subarray(-rows);
  }

  /**
   * Sets whether special tokens are shown; if a layer has no other tokens, they always are.
   * @param {boolean} special
   */
  show(special) {
    this.special = special;
    const [queries, keys] = [this.n, this.m].map((count, side) => {
      const own = new Set(this.specialTokens[side]);
      return range(count).filter((i) => special || !own.has(i));
    });
    this.whole = special || !this.specialTokens.some((tokens) => tokens.length) // none is hidden
      || !keys.length || !queries.length; // nothing would remain
    this.keys = this.whole ? range(this.m) : keys;
    this.queries = this.whole ? range(this.n) : queries;
    this.hidden = this.whole ? [] : this.specialTokens[1];
    this.#weights = (this.whole ? this.#all : this.#bare ?? this.#all) ?? new Float32Array();
    this.#rows = new Map();
    this.#columns = new Map();
    this.#matrices = new Map();
    this.#maskedSpans = null;
    this.#remaining = new Float64Array(this.heads * this.n).fill(NaN);
  }

  /** Whether the layer's query and key are known. */
  get scored() {
    return this.kind === "inner";
  }

  /** Whether the weights of a head come from scores, which those of a mean do not. @param {number} head */
  hasScores(head) {
    return this.scored && head !== MEAN && !this.absent.has(head);
  }

  /** Whether a query may not see a key. @param {number} i @param {number} j */
  masked(i, j) {
    return this.mask.hides(i, j);
  }

  /** For each visible query, the masked keys: [first, after the last] of each run. */
  get maskedSpans() {
    return (this.#maskedSpans ??= this.mask.spans(this.queries, this.keys));
  }

  /** q·k @param {number} head @param {number} i @param {number} j */
  product(head, i, j) {
    return dot(this.#q, (head * this.n + i) * this.d, this.#k, (head * this.m + j) * this.d, this.d);
  }

  /**
   * The bias that is added to a scaled product, such as T5's bias by distance.
   * @param {number} head @param {number} i @param {number} j
   */
  bias(head, i, j) {
    if (!this.#biasKind) return 0;
    const kind = this.#biasKind, at = kind === "keys" ? j : kind === "diagonals" ? j - i + this.n - 1 : i * this.m + j;
    return this.#bias[(this.#biasPerHead ? head * this.#biasSize : 0) + at];
  }

  /** Whether a bias is added to the products. */
  get biased() {
    return this.#biasKind !== null;
  }

  /** A scaled product, soft-capped if the model does so. @param {number} scaled */
  capped(scaled) {
    return this.softcap ? this.softcap * Math.tanh(scaled / this.softcap) : scaled;
  }

  /** @param {number} head @param {number} i @param {number} j */
  score(head, i, j) {
    return this.capped(this.product(head, i, j) * this.scale) + this.bias(head, i, j);
  }

  /** A weight as in the model. @param {number} head @param {number} i @param {number} j */
  #modelWeight(head, i, j) {
    if (this.kind === "none") return NaN;
    if (!this.scored) return this.#weights[(head * this.n + i) * this.m + j];
    const sum = this.#logSums[head * this.n + i];
    if (this.masked(i, j)) return Number.isNaN(sum) ? NaN : 0;
    return exp(this.score(head, i, j) - sum);
  }

  /**
   * The share of a row that goes to a sink and to no key; 0 if the heads have no sinks.
   * @param {number} head @param {number} i @returns {number}
   */
  sinkWeight(head, i) {
    if (!this.sinks) return 0;
    if (head === MEAN) return this.#meanOverHeads(i, (one) => this.sinkWeight(one, i));
    return this.sinks[head * this.n + i];
  }

  /**
   * The divisor of the weights on the visible keys: their sum, if any key is hidden.
   * @param {number} head @param {number} i
   */
  #remainingOf(head, i) {
    if (this.whole) return 1;
    const id = head * this.n + i;
    if (Number.isNaN(this.#remaining[id])) {
      this.#remaining[id] = this.#empty.has(id) ? 0 : this.#sumOfShown(head, i);
    }
    return this.#remaining[id];
  }

  /**
   * The share of a row that goes to hidden tokens, 0 to 1; NaN if there is no such row.
   * @param {number} head @param {number} i @returns {number}
   */
  hiddenShare(head, i) {
    if (this.whole) return 0;
    if (head === MEAN) {
      const all = this.present.map((one) => this.hiddenShare(one, i)).filter((share) => !Number.isNaN(share));
      return all.reduce((sum, share) => sum + share, 0) / all.length;
    }
    if (this.kind === "none" || this.absent.has(head)) return NaN;
    const all = this.#all, row = (head * this.n + i) * this.m;
    return this.hidden.reduce((sum, j) => sum + (all ? all[row + j] : this.#modelWeight(head, i, j)), 0);
  }

  /** @param {number} head @param {number} i */
  #sumOfShown(head, i) {
    let sum = 0;
    if (this.scored) { // few keys are hidden compared with the visible ones, whose products take long
      sum = 1 - this.sinkWeight(head, i);
      for (const j of this.hidden) sum -= this.#modelWeight(head, i, j);
      if (!(sum < PRECISE)) return sum;
      sum = 0;
    }
    for (const j of this.keys) sum += this.#modelWeight(head, i, j);
    return sum;
  }

  /**
   * Whether a row is missing: the head is missing, or nothing goes to the visible keys.
   * @param {number} head @param {number} i @returns {boolean}
   */
  missing(head, i) {
    if (head === MEAN) return this.present.every((one) => this.missing(one, i));
    if (this.kind === "none" || this.absent.has(head)) return true;
    if (!this.whole) return !(this.#remainingOf(head, i) > 0);
    const id = head * this.n + i;
    return Number.isNaN(this.scored ? this.#logSums[id] : this.#weights[id * this.m + this.keys[0]]);
  }

  /**
   * The log-sum of a row over the visible keys, and its sink if no key is hidden.
   * @param {number} head @param {number} i
   */
  logSum(head, i) {
    return this.#logSums[head * this.n + i] + Math.log(this.#remainingOf(head, i));
  }

  /**
   * The weight of a visible key; NaN in a missing row.
   * @param {number} head @param {number} i @param {number} j @returns {number}
   */
  weight(head, i, j) {
    if (head === MEAN) return this.#meanOverHeads(i, (one) => this.weight(one, i, j));
    const remaining = this.#remainingOf(head, i);
    return remaining > 0 ? this.#modelWeight(head, i, j) / remaining : NaN;
  }

  /** The weights of one query on the visible keys, in order. @param {number} head @param {number} i */
  row(head, i) {
    return this.#cached(this.#rows, head * this.n + i, () =>
      this.#fillRow(new Float32Array(this.keys.length), 0, head, i));
  }

  /**
   * Writes a row of weights into `out`, starting at `at`.
   * @param {Float32Array} out @param {number} at @param {number} head @param {number} i
   */
  #fillRow(out, at, head, i) {
    if (head === MEAN) return this.#fillMeanRow(out, at, i);
    const { keys, scored } = this, count = keys.length;
    if (this.missing(head, i)) return out.fill(NaN, at, at + count);
    const remaining = this.#remainingOf(head, i);
    if (!scored) {
      for (let c = 0; c < count; c++) out[at + c] = this.#modelWeight(head, i, keys[c]) / remaining;
      return out;
    }
    this.#fillScores(out, at, head, i);
    const sum = this.logSum(head, i);
    for (let c = 0; c < count; c++) out[at + c] = this.masked(i, keys[c]) ? 0 : exp(out[at + c] - sum);
    return out;
  }

  /**
   * The same for the mean over the heads that have the row.
   * @param {Float32Array} out @param {number} at @param {number} i
   */
  #fillMeanRow(out, at, i) {
    const { present, keys: { length } } = this;
    const sums = new Float64Array(length), row = new Float32Array(length);
    let count = 0;
    for (const head of present) {
      if (this.missing(head, i)) continue;
      this.#fillRow(row, 0, head, i);
      for (let c = 0; c < length; c++) sums[c] += row[c];
      count++;
    }
    for (let c = 0; c < length; c++) out[at + c] = sums[c] / count; // NaN if no head has it
    return out;
  }

  /** @param {number} i @param {(head: number) => number} of */
  #meanOverHeads(i, of) {
    const heads = this.present.filter((head) => !this.missing(head, i));
    let sum = 0;
    for (const head of heads) sum += of(head);
    return sum / heads.length;
  }

  /**
   * Writes a row of scores, including masked ones.
   * @param {Float32Array} out @param {number} at @param {number} head @param {number} i
   */
  #fillScores(out, at, head, i) {
    const { d, m, keys, scale, softcap } = this, q = this.#q, k = this.#k, biased = this.#biasKind !== null;
    const count = keys.length, from = (head * this.n + i) * d;
    for (let c = 0; c < count; c++) {
      let sum = dot(q, from, k, (head * m + keys[c]) * d, d) * scale;
      if (softcap) sum = this.capped(sum);
      out[at + c] = sum + (biased ? this.bias(head, i, keys[c]) : 0);
    }
  }

  /** The weights on one key for the visible queries, in order. @param {number} head @param {number} j */
  column(head, j) {
    return this.#cached(this.#columns, head * this.m + j, () =>
      Float32Array.from(this.queries, (i) => this.weight(head, i, j)));
  }

  /** @param {Map<number, Float32Array>} cache @param {number} id @param {() => Float32Array} make */
  #cached(cache, id, make) {
    let cached = cache.get(id);
    if (!cached) {
      if (cache.size >= CACHED_ROWS) cache.clear();
      cache.set(id, (cached = make()));
    }
    return cached;
  }

  /**
   * All visible weights of a head, (queries × keys), or its scores; 0 for masked cells.
   * @param {number} head @param {Measure} measure
   */
  matrix(head, measure) {
    const id = `${measure} ${head}`, cached = this.#matrices.get(id);
    if (cached) return cached;
    if (this.#matrices.size >= CACHED_MATRICES) {
      const [oldest] = this.#matrices.keys();
      this.#matrices.delete(oldest);
    }
    const { keys, queries } = this, columns = keys.length, made = new Float32Array(queries.length * columns);
    queries.forEach((i, r) => {
      if (measure === "weights") this.#fillRow(made, r * columns, head, i);
      else {
        this.#fillScores(made, r * columns, head, i);
        keys.forEach((j, c) => { if (this.masked(i, j)) made[r * columns + c] = 0; });
      }
    });
    this.#matrices.set(id, made);
    return made;
  }

  /**
   * q, k and their product for one pair, element by element.
   * @param {number} head @param {number} i @param {number} j @returns {[q: Float32Array, k: Float32Array, product: Float64Array]}
   */
  elementwise(head, i, j) {
    const { d } = this, from = (head * this.n + i) * d, to = (head * this.m + j) * d;
    const q = this.#q.subarray(from, from + d), k = this.#k.subarray(to, to + d);
    return [q, k, Float64Array.from(q, (value, x) => value * k[x])];
  }
}

const ESCAPE = 255; // the level that marks a weight stored separately
const FINE = 65535; // levels of a weight stored separately

/**
 * (rows × columns) weights in a third to a half of their bytes, as packed by `packed.py`: the largest
 * weight and step of each row, the exact columns, the separate weights, and a byte for each of the others.
 * NaN in a missing row.
 * @param {Uint8Array} bytes
 * @param {number} rows
 * @param {number} columns
 * @param {number} apart how many weights are stored separately
 * @param {readonly number[]} exact the columns that were sent exactly
 */
function unpackedWeights(bytes, rows, columns, apart, exact) {
  const { buffer } = bytes, wide = exact.length;
  const most = new Float32Array(buffer, 0, rows), step = new Float32Array(buffer, 4 * rows, rows);
  const own = new Float32Array(buffer, 8 * rows, rows * wide);
  const fine = new Uint16Array(buffer, 8 * rows + 4 * rows * wide, apart);
  const levels = bytes.subarray(8 * rows + 4 * rows * wide + 2 * apart);
  const weights = new Float32Array(rows * columns), isExact = new Set(exact);
  const others = range(columns).filter((c) => !isExact.has(c));
  for (let r = 0, at = 0, next = 0; r < rows; r++) {
    const start = r * columns, part = most[r] / FINE;
    for (let x = 0; x < wide; x++) weights[start + exact[x]] = own[r * wide + x];
    for (const c of others) {
      const level = levels[at++];
      weights[start + c] = level === ESCAPE ? fine[next++] * part : level * step[r];
    }
  }
  return weights;
}
