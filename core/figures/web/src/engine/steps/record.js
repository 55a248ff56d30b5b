// One step of a forward pass as a record, and what its numbers are made of: `core/walkthroughs/steps/record.py` and
// `make.py`. Sums are added in 64-bit floats and stored in 32 bits, as the model has them.
import { inner, range } from "../../derive/numbers.js";

/**
 * Labelled numbers.
 * @typedef {object} Matrix
 * @property {string} name in a formula: "W_Q", "Kᵀ"
 * @property {Float32Array} values (rows × columns)
 * @property {string[]} rows the label of each: a token, or the number of a dimension, from 1
 * @property {string[]} columns
 * @property {boolean} [weights] whether all numbers are between 0 and 1, and coloured as weights
 * @property {[number, number][]} [hidden] the cells that a mask hides
 * @property {[number, number]} [whole] the shape of the complete matrix, if this is a part of one
 * @property {Float32Array} [unmasked] for masked scores, those before the mask: both are coloured on one scale
 */
/** Heads of queries that share heads of keys and values, and the one shown. @typedef {{ heads: number, shared: number, head: number }} Groups */
/**
 * A step: `core/walkthroughs/steps/record.py` says what each kind computes.
 * @typedef {object} Step
 * @property {string} name in a link
 * @property {import("../../headers").StepsHeader["kind"]} kind
 * @property {Matrix[]} operands
 * @property {Matrix} result
 * @property {number} [number]
 * @property {string} [detail]
 * @property {[number, number]} [part] the first column shown, from 0, and the number of all, if they are not all shown
 * @property {Groups} [groups]
 */
/** The weights of a linear layer, (outputs × inputs) and (outputs); `bias` null for none. @typedef {{ weight: Float32Array, bias: Float32Array | null }} Linear */

export const LOWEST = -3.4028234663852886e38; // stands for −∞, as in core.transformer.masks
const WIDE = 48, BLOCK = 32; // columns of a product: more than twice as many are shown in blocks

/** The names of dimensions, from 1. @param {number} count @param {number} [first] */
export const numbers = (count, first = 0) => range(count).map((i) => String(first + i + 1));

/**
 * A matrix; rows and columns without names are numbered.
 * @param {string} name @param {Float32Array} values @param {string[] | number} rows names, or how many @param {string[] | null} [columns] @param {Partial<Matrix>} [more]
 * @returns {Matrix}
 */
export function matrix(name, values, rows, columns = null, more = {}) {
  const named = typeof rows === "number" ? numbers(rows) : rows;
  return { name, values, rows: named, columns: columns ?? numbers(values.length / named.length), ...more };
}

/** @param {number} length @param {(i: number) => number} at */
export const filled = (length, at) => Float32Array.from({ length }, (_, i) => at(i));

/** Each cell of one matrix with the same of another. @param {Float32Array} a @param {Float32Array} b @param {(x: number, y: number) => number} with_ */
export const cellwise = (a, b, with_) => filled(a.length, (i) => with_(a[i], b[i]));

/** @param {Float32Array} a @param {Float32Array} b */
export const sumOf = (a, b) => cellwise(a, b, (x, y) => x + y);

/** (rows × columns) as (columns × rows). @param {Float32Array} values @param {number} columns */
export function transposed(values, columns) {
  const rows = values.length / columns;
  return filled(values.length, (i) => values[(i % rows) * columns + Math.floor(i / rows)]);
}

/**
 * Each row of `a` times each row of `b`, both of one width: (rows of a × rows of b).
 * @param {Float32Array} a @param {Float32Array} b @param {number} width @param {Float32Array | null} [bias] one number for each row of b
 */
export function products(a, b, width, bias = null) {
  const m = a.length / width, n = b.length / width, out = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = bias ? bias[j] : 0;
      for (let k = 0, x = i * width, y = j * width; k < width; k++) sum += a[x + k] * b[y + k];
      out[i * n + j] = sum;
    }
  }
  return out;
}

/** Some columns of every row. @param {Float32Array} values @param {number} columns @param {number} from @param {number} to */
export function columnsOf(values, columns, from, to) {
  const width = to - from;
  return filled((values.length / columns) * width, (i) => values[Math.floor(i / width) * columns + from + (i % width)]);
}

/** The softmax of each row. @param {Float32Array} values @param {number} columns */
export function softmax(values, columns) {
  const out = new Float32Array(values.length);
  for (let from = 0; from < values.length; from += columns) {
    const row = values.subarray(from, from + columns), most = Math.max(...row), powers = Float64Array.from(row, (x) => Math.exp(x - most));
    const sum = powers.reduce((a, b) => a + b, 0);
    out.set(powers.map((x) => x / sum), from);
  }
  return out;
}

/** RMSNorm of each row. @param {Float32Array} values @param {Float32Array} gamma @param {number} eps */
export function rms(values, gamma, eps) {
  const d = gamma.length, out = new Float32Array(values.length);
  for (let from = 0; from < values.length; from += d) {
    const row = values.subarray(from, from + d), root = Math.sqrt(inner(row, row) / d + eps);
    for (let i = 0; i < d; i++) out[from + i] = (row[i] / root) * gamma[i];
  }
  return out;
}

/** The layer norm of each row. @param {Float32Array} values @param {Float32Array} gamma @param {Float32Array} beta @param {number} eps */
export function layerNorm(values, gamma, beta, eps) {
  const d = gamma.length, out = new Float32Array(values.length);
  for (let from = 0; from < values.length; from += d) {
    const row = Float64Array.from(values.subarray(from, from + d)), mean = row.reduce((a, b) => a + b, 0) / d;
    const root = Math.sqrt(row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / d + eps);
    for (let i = 0; i < d; i++) out[from + i] = ((row[i] - mean) / root) * gamma[i] + beta[i];
  }
  return out;
}

/**
 * Each pair (i, i + d/2) of a row turned by its angle: (a·cos − b·sin, a·sin + b·cos).
 * @param {Float32Array} values (rows × d) @param {Float32Array} angles (rows × d/2), in radians @param {number} d
 */
export function turned(values, angles, d) {
  const out = new Float32Array(values.length), half = d / 2;
  for (let row = 0; row < values.length / d; row++) {
    for (let i = 0; i < half; i++) {
      const one = row * d + i, other = one + half, angle = angles[row * half + i], cos = Math.cos(angle), sin = Math.sin(angle);
      out[one] = values[one] * cos - values[other] * sin;
      out[other] = values[one] * sin + values[other] * cos;
    }
  }
  return out;
}

/** @type {Readonly<Record<string, (x: number) => number>>} */
export const ACTIVATIONS = {
  silu: (x) => x / (1 + Math.exp(-x)),
  gelu: (x) => (x * (1 + erf(x / Math.SQRT2))) / 2,
};

/** The error function: its series near 0, and a continued fraction beyond. @param {number} x */
function erf(x) {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  if (size < 2) {
    let term = size, sum = size;
    for (let n = 1; Math.abs(term) > 1e-17 * sum; n++) {
      term *= (-size * size) / n;
      sum += term / (2 * n + 1);
    }
    return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI);
  }
  let fraction = size;
  for (let n = 60; n > 0; n--) fraction = size + n / 2 / fraction;
  return Math.sign(x) * (1 - Math.exp(-size * size) / fraction / Math.sqrt(Math.PI));
}

/**
 * The product x · W + b, with W as (in, out), like in the paper; only a part of its columns if it is wide. A bias that
 * is entirely 0 is left out.
 * @param {string} name @param {Matrix} given @param {Linear} linear of the columns of the result @param {[string, string]} named
 *   the weights and the bias @param {Matrix} result @param {number} [block] of a wide product, the columns from 32 · block onwards
 * @returns {Step}
 */
export function product(name, given, { weight, bias }, [ofWeight, ofBias], result, block = 0) {
  const wide = result.columns.length, width = given.columns.length;
  /** @type {[number, number] | undefined} */
  let part, first = 0, last = wide, shown = result;
  if (wide > 2 * WIDE) {
    first = Math.min(Math.max(block, 0), Math.ceil(wide / BLOCK) - 1) * BLOCK;
    last = Math.min(first + BLOCK, wide);
    part = [first, wide];
    shown = matrix(result.name, columnsOf(result.values, wide, first, last), result.rows, result.columns.slice(first, last), { whole: [result.rows.length, wide] });
  }
  const own = transposed(weight.subarray(first * width, last * width), width);
  const operands = [given, matrix(ofWeight, own, width, shown.columns, part && { whole: [width, wide] })];
  const added = bias?.subarray(first, last);
  if (added?.some(Boolean)) operands.push(matrix(ofBias, added, 1, shown.columns));
  return { name, kind: "product", operands, result: shown, part };
}

/**
 * The first step of every pass: each piece and its id; and the second, the row of the table that each id picks.
 * @param {readonly number[]} ids @param {string[]} tokens @param {(ids: number[]) => Float32Array} table its rows
 * @param {{ vocabulary: number, size: number }} shape @param {string} name of the result
 * @returns {Step[]}
 */
export function pickedRows(ids, tokens, table, { vocabulary, size }, name) {
  const used = [...new Set(ids)].sort((a, b) => a - b), names = used.map(String), n = ids.length;
  const learned = matrix(name, table([...ids]), tokens);
  const hot = filled(n * used.length, (i) => Number(ids[Math.floor(i / used.length)] === used[i % used.length]));
  return [
    { name: "pieces", kind: "pieces", operands: [], result: matrix("id", Float32Array.from(ids), tokens, ["id"]) },
    {
      name: "learned", kind: "product", result: learned, operands: [
        matrix("one-hot", hot, tokens, names, { weights: true, whole: [n, vocabulary] }), matrix("E", table(used), names, null, { whole: [vocabulary, size] }),
      ],
    },
  ];
}

/**
 * One head from its scores to what it mixes. Queries, keys and values are (tokens × d).
 * @param {{ q: Matrix, k: Matrix, v: Matrix, head: number, causal: boolean, groups?: Groups }} of `k` named as its transpose is in a formula
 * @returns {Step[]}
 */
export function headSteps({ q, k, v, head, causal, groups }) {
  const d = q.columns.length, n = q.rows.length, tokens = q.rows, scale = d ** -0.5;
  const raw = products(q.values, k.values, d), scaled = raw.map((x) => x * scale);
  const hidden = causal ? range(n * n).filter((i) => i % n > Math.floor(i / n)) : [];
  const cells = hidden.map((i) => /** @type {[number, number]} */ ([Math.floor(i / n), i % n]));
  const masked = scaled.slice();
  for (const i of hidden) masked[i] = LOWEST;
  const last = causal ? matrix("masked", masked, tokens, tokens, { hidden: cells, unmasked: scaled }) : matrix("S/√d", scaled, tokens, tokens);
  const S = matrix("S", raw, tokens, tokens), weights = softmax(masked, n);
  const A = matrix("A", weights, tokens, tokens, { weights: true, hidden: cells });
  const keys = matrix(k.name, transposed(k.values, d), d, tokens);
  return [
    { name: "scores", kind: "product", operands: [q, keys], result: S, groups },
    { name: "scale", kind: "scale", operands: [S], result: matrix("S/√d", scaled, tokens, tokens), number: scale, detail: String(d) },
    ...(causal ? [/** @type {Step} */ ({ name: "mask", kind: "mask", operands: [matrix("S/√d", scaled, tokens, tokens)], result: last })] : []),
    { name: "weights", kind: "softmax", operands: [last], result: A },
    { name: "mix", kind: "product", operands: [A, v], result: matrix(`Z_${head + 1}`, mixed(weights, v.values, n), tokens), groups },
  ];
}

/** Weights × values: (tokens × d). @param {Float32Array} weights (n × n) @param {Float32Array} values (n × d) @param {number} n */
export const mixed = (weights, values, n) => products(weights, transposed(values, values.length / n), n);

/** The results of all heads side by side. @param {readonly Float32Array[]} heads each (tokens × d) @param {string[]} tokens @param {Groups} [groups] @returns {Step} */
export function joinStep(heads, tokens, groups) {
  const d = heads[0].length / tokens.length, wide = d * heads.length;
  const joined = filled(tokens.length * wide, (i) => heads[Math.floor((i % wide) / d)][Math.floor(i / wide) * d + (i % d)]);
  return { name: "join", kind: "join", operands: heads.map((one, i) => matrix(`Z_${i + 1}`, one, tokens)), result: matrix("Z", joined, tokens), groups };
}
