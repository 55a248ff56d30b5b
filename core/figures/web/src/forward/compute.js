// The tiny model's forward pass in double precision: the operands and the result of every step, as in
// core/walkthroughs/steps. This file needs no page: tests in Node compare it with Python.

/**
 * Numbers in rows, one after the other.
 * @typedef {{ rows: number, columns: number, values: Float64Array }} Numbers
 */
/**
 * The input of the forward pass: the model's tables, and a text as ids.
 * @typedef {object} Query
 * @property {Readonly<Record<string, Numbers>>} tables
 * @property {readonly number[]} ids
 * @property {number} head from 0
 * @property {number} heads
 * @property {boolean} causal whether later tokens are hidden
 * @property {number} epsilon of the layer norms
 */
/** The matrices of each step by its name: operands, and last the result. @typedef {Record<string, Numbers[]>} Pass */

export const LOWEST = -3.4028234663852886e38; // stands for −∞, as in core.transformer.masks

/**
 * @param {number} rows
 * @param {number} columns
 * @param {(row: number, column: number) => number} at
 * @returns {Numbers}
 */
function made(rows, columns, at) {
  const values = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) values[r * columns + c] = at(r, c);
  return { rows, columns, values };
}

/** @param {Numbers} a @param {number} row @param {number} column */
const cell = (a, row, column) => a.values[row * a.columns + column];

/** @param {Numbers} a @param {Numbers} b @param {Numbers} [bias] one row */
export function product(a, b, bias) {
  return made(a.rows, b.columns, (r, c) => {
    let sum = bias ? bias.values[c] : 0;
    for (let k = 0; k < a.columns; k++) sum += cell(a, r, k) * cell(b, k, c);
    return sum;
  });
}

/** @param {Numbers} a @param {Numbers} b */
const sum = (a, b) => made(a.rows, a.columns, (r, c) => cell(a, r, c) + cell(b, r, c));

/** @param {Numbers} a */
const transposed = (a) => made(a.columns, a.rows, (r, c) => cell(a, c, r));

/** The columns that belong to one head. @param {Numbers} a @param {number} head @param {number} width */
const ofHead = (a, head, width) => made(a.rows, width, (r, c) => cell(a, r, head * width + c));

/** @param {Numbers} a */
export function softmax(a) {
  const out = made(a.rows, a.columns, () => 0);
  for (let r = 0; r < a.rows; r++) {
    const row = a.values.subarray(r * a.columns, (r + 1) * a.columns), most = Math.max(...row);
    const powers = [...row].map((x) => Math.exp(x - most)), total = powers.reduce((x, y) => x + y, 0);
    powers.forEach((power, c) => { out.values[r * a.columns + c] = power / total; });
  }
  return out;
}

/** @param {Numbers} a @param {Numbers} scale one row @param {Numbers} shift one row @param {number} epsilon */
export function normed(a, scale, shift, epsilon) {
  const out = made(a.rows, a.columns, () => 0);
  for (let r = 0; r < a.rows; r++) {
    const row = [...a.values.subarray(r * a.columns, (r + 1) * a.columns)];
    const mean = row.reduce((x, y) => x + y, 0) / row.length;
    const variance = row.reduce((x, y) => x + (y - mean) ** 2, 0) / row.length;
    row.forEach((x, c) => {
      out.values[r * a.columns + c] = ((x - mean) / Math.sqrt(variance + epsilon)) * scale.values[c] + shift.values[c];
    });
  }
  return out;
}

/** @param {Numbers} a */
const rectified = (a) => made(a.rows, a.columns, (r, c) => Math.max(0, cell(a, r, c)));

/**
 * One head's queries, keys, values and output.
 * @param {Numbers} x
 * @param {Query} query
 * @param {number} head
 */
function attended(x, { tables, heads, causal }, head) {
  const width = x.columns / heads;
  const weights = [tables.W_Q, tables.W_K, tables.W_V].map((table) => ofHead(table, head, width));
  const [queries, keys, values] = weights.map((table) => product(x, table));
  const turned = transposed(keys), scores = product(queries, turned);
  const scaled = made(scores.rows, scores.columns, (r, c) => cell(scores, r, c) / Math.sqrt(width));
  const masked = causal ? made(scaled.rows, scaled.columns, (r, c) => (c > r ? LOWEST : cell(scaled, r, c))) : scaled;
  const shares = softmax(masked), mixed = product(shares, values);
  return { weights, queries, keys, values, turned, scores, scaled, masked, shares, mixed };
}

/**
 * Every step.
 * @param {Query} query
 * @returns {Pass}
 */
export function forwardPass(query) {
  const { tables, ids, head, heads, causal, epsilon } = query, length = ids.length;
  const hot = made(length, tables.E.rows, (r, c) => Number(ids[r] === c));
  const learned = product(hot, tables.E), positions = made(length, tables.P.columns, (r, c) => cell(tables.P, r, c));
  const x = sum(learned, positions);
  const all = Array.from({ length: heads }, (_, i) => attended(x, query, i)), own = all[head];
  const parts = all.map(({ mixed }) => mixed), width = x.columns / heads;
  const joined = made(length, x.columns, (r, c) => cell(parts[Math.floor(c / width)], r, c % width));
  const output = product(joined, tables.W_O), summed = sum(x, output);
  const n = normed(summed, tables.g_1, tables.s_1, epsilon);
  const inner = product(n, tables.W_1, tables.b_1), active = rectified(inner);
  const outer = product(active, tables.W_2, tables.b_2), total = sum(n, outer);
  const [W_Q, W_K, W_V] = own.weights;
  return {
    pieces: [made(length, 1, (r) => ids[r])],
    learned: [hot, tables.E, learned],
    position: [learned, positions, x],
    query: [x, W_Q, own.queries],
    key: [x, W_K, own.keys],
    value: [x, W_V, own.values],
    scores: [own.queries, own.turned, own.scores],
    scale: [own.scores, own.scaled],
    ...(causal && { mask: [own.scaled, own.masked] }),
    weights: [own.masked, own.shares],
    mix: [own.shares, own.values, own.mixed],
    join: [...parts, joined],
    output: [joined, tables.W_O, output],
    residual: [x, output, summed],
    norm: [summed, tables.g_1, tables.s_1, n],
    inner: [n, tables.W_1, tables.b_1, inner],
    activation: [inner, active],
    outer: [active, tables.W_2, tables.b_2, outer],
    residual2: [n, outer, total],
    norm2: [total, tables.g_2, tables.s_2, normed(total, tables.g_2, tables.s_2, epsilon)],
  };
}

/** For each step, the operands that are tables: [index, name]. @type {Readonly<Record<string, readonly (readonly [number, string])[]>>} */
const TABLES = {
  learned: [[1, "E"]], position: [[1, "P"]],
  query: [[1, "W_Q"]], key: [[1, "W_K"]], value: [[1, "W_V"]],
  output: [[1, "W_O"]], norm: [[1, "g_1"], [2, "s_1"]],
  inner: [[1, "W_1"], [2, "b_1"]], outer: [[1, "W_2"], [2, "b_2"]],
  norm2: [[1, "g_2"], [2, "s_2"]],
};

/**
 * The table cell that an operand's cell shows; null for a computed number.
 * @param {string} step its name
 * @param {{ m: number, row: number, column: number }} cell of operand `m`
 * @param {Query} query
 */
export function tableCell(step, { m, row, column }, { tables, head, heads }) {
  const name = TABLES[step]?.find(([index]) => index === m)?.[1];
  if (!name) return null;
  const first = /^W_[QKV]$/.test(name) ? (head * tables[name].columns) / heads : 0;
  return { table: name, row, column: column + first };
}

/**
 * The tables with one number changed; all others are shared.
 * @param {Query} query
 * @param {{ table: string, row: number, column: number }} cell
 * @param {number} value
 * @returns {Query}
 */
export function edited(query, { table, row, column }, value) {
  const before = query.tables[table], values = before.values.slice();
  values[row * before.columns + column] = Math.fround(value); // as Python stores it
  return { ...query, tables: { ...query.tables, [table]: { ...before, values } } };
}

/**
 * The end of a matrix's colours: a number of two digits (`_bound` in core/figures/steps.py).
 * @param {Numbers} numbers
 */
export function boundOf({ values }) {
  const most = values.reduce((largest, value) => (value > LOWEST ? Math.max(largest, Math.abs(value)) : largest), 0);
  if (!(most > 0)) return 1;
  const unit = 10 ** (Math.floor(Math.log10(most)) - 1);
  return Number((Math.ceil(most / unit - 1e-6) * unit).toPrecision(6));
}
