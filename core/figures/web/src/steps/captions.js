// How each cell of a step's result was computed, as words and numbers; and from which cells.
/** @import { Cells } from "../types" */
/** @import { StepsHeader } from "../headers" */
import { decimal, m, mn } from "../runtime/language.js";
import { grouped, raised } from "../runtime/shared.js";

const ALL_TERMS = 8, FIRST_TERMS = 4; // of a sum: written out completely up to so many, otherwise the first
const LARGE_POWER = 30; // above it, e^x is written with the row's maximum subtracted

/**
 * The numbers of an operand, or of the result.
 * @typedef {Cells & { values: Float32Array, hides: Set<number> }} Matrix `hides`: the cells that a mask hides
 */
/**
 * The input of a cell's caption: the operands, and last the result.
 * @typedef {{ header: StepsHeader, matrices: readonly Matrix[] }} Step
 */
/**
 * How a cell was computed, up to its value.
 * @callback Derivation
 * @param {StepsHeader} header
 * @param {readonly Matrix[]} matrices
 * @param {number} row
 * @param {number} column
 * @param {boolean} hidden
 * @returns {string}
 */
/** A term of a sum, and its text. @typedef {{ value: number, text: string }} Term */

/**
 * A number in a sum: four decimals, without trailing zeros.
 * @param {number} value
 */
export function figure(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text = size >= 1e6 || size < 5e-5 ? size.toExponential(1)
    : size < 1e-3 ? size.toPrecision(2) : size.toFixed(4);
  if (text.includes(".") && !text.includes("e")) text = text.replace(/\.?0+$/, "");
  return (value < 0 ? "−" : "") + decimal(raised(text.replace(".0e", "e")));
}

/** The same inside a sum, a product or a power. @param {number} value */
function inSum(value) {
  const text = figure(value);
  return value < 0 || text.includes("·") ? `(${text})` : text;
}

/** @param {Matrix} matrix @param {number} row */
const rowOf = ({ values, columns }, row) => values.subarray(row * columns, (row + 1) * columns);

/**
 * A sum written out; of many terms, only the first.
 * @param {readonly Term[]} terms
 */
function sumOf(terms) {
  const count = terms.length;
  const left = count > ALL_TERMS ? count - FIRST_TERMS : 0;
  const shown = left ? terms.slice(0, FIRST_TERMS) : terms;
  const texts = shown.map(({ text }) => text);
  if (left) {
    const others = terms.slice(FIRST_TERMS).reduce((sum, { value }) => sum + value, 0);
    texts.push(mn("… ({count} more term: {sum})", "… ({count} more terms: {sum})", left, { count: left, sum: figure(others) }));
  }
  return texts.join(" + ");
}

/** @type {Readonly<Record<StepsHeader["kind"], Derivation>>} */
const DERIVATIONS = {
  pieces: ({ notes }, matrices, row) => m("{note}; its number in the vocabulary is", { note: notes[row] }),

  product(header, [a, b, bias], row, column) {
    const terms = [...rowOf(a, row)].map((x, k) => {
      const y = b.values[k * b.columns + column];
      return { x, value: x * y, text: `${inSum(x)} × ${inSum(y)}` };
    });
    const there = terms.filter(({ x }) => x !== 0), none = terms.length - there.length;
    const text = sumOf(none > 1 ? there : terms);
    const zeros = none > 1 ? (text ? " + " : "") + m("{count} terms that are 0 × …", { count: none }) : "";
    const added = header.matrices.length > 3 ? m(" + bias {number}", { number: inSum(bias.values[column]) }) : "";
    return `${text}${zeros}${added} =`;
  },

  sum: (header, matrices, row, column) => `${matrices.slice(0, -1)
    .map((one) => inSum(one.values[row * one.columns + column])).join(" + ")} =`,

  times: (header, [a, b], row, column) => `${figure(a.values[row * a.columns + column])} × ${
    inSum(b.values[row * b.columns + column])} =`,

  share({ detail }, [a, sums], row, column) {
    const x = a.values[row * a.columns + column], sum = sums.values[row];
    const all = m("the sum of e^ℓ over all {count} tokens", { count: grouped(Number(detail)) });
    return `e^${inSum(x)} / (${all}) = e^(${figure(x)} − ${inSum(sum)}) =`;
  },

  scale({ number, detail }, [a], row, column) {
    const x = figure(a.values[row * a.columns + column]), sign = number < 1 ? "/" : "×";
    return `${x} ${sign} √${detail} = ${x} ${sign} ${figure(number < 1 ? 1 / number : number)} =`;
  },

  mask({ detail }, [a], row, column, hidden) {
    if (!hidden) return m("this score is not masked:");
    const score = figure(a.values[row * a.columns + column]);
    if (detail === "padding") return m("{score} is masked, because the column is padding; it becomes", { score });
    if (column > row) return m("{score} is masked, because the column comes after the row; it becomes", { score });
    return m("{score} is masked, because the column lies outside the keys that the row may attend to; it becomes", { score });
  },

  softmax(header, [a], row, column, hidden) {
    const scores = [...rowOf(a, row)], seen = scores.filter((_, k) => !a.hides.has(row * a.columns + k));
    const most = Math.max(...seen), off = Math.max(...seen.map(Math.abs)) > LARGE_POWER ? most : 0;
    const power = (/** @type {number} */ x) => (off ? `e^(${figure(x)} − ${inSum(most)})` : `e^${inSum(x)}`);
    const terms = seen.map((x) => ({ value: Math.exp(x - off), text: power(x) }));
    const total = terms.reduce((sum, { value }) => sum + value, 0);
    if (hidden) return `e^−∞ / ${figure(total)} = 0 / ${figure(total)} =`;
    const x = scores[column];
    return `${power(x)} / (${sumOf(terms)}) = ${figure(Math.exp(x - off))} / ${figure(total)} =`;
  },

  norm({ number }, [a, scale, shift], row, column) {
    const own = rowOf(a, row), mean = own.reduce((sum, x) => sum + x, 0) / own.length;
    const variance = own.reduce((sum, x) => sum + (x - mean) ** 2, 0) / own.length;
    const of = m("mean of the row {mean}, variance {variance}", { mean: figure(mean), variance: figure(variance) });
    return `${of}: (${figure(own[column])} − ${
      inSum(mean)}) / √(${figure(variance)} + ${figure(number)}) × ${inSum(scale.values[column])} + ${
      inSum(shift.values[column])} =`;
  },

  rms({ number }, [a, scale], row, column) {
    const own = rowOf(a, row), mean = own.reduce((sum, x) => sum + x * x, 0) / own.length;
    const of = m("mean of the row’s squares {mean}", { mean: figure(mean) });
    return `${of}: ${figure(own[column])} / √(${figure(mean)} + ${
      figure(number)}) × ${inSum(scale.values[column])} =`;
  },

  rotation(header, matrices, row, column) {
    const { first, second, a, b, angle, rate } = pairOf({ header, matrices }, row, column);
    const [x, y] = [inSum(a), inSum(b)], by = `${figure(angle)}`, turns = column === first
      ? `${x} × cos ${by} − ${y} × sin ${by}` : `${x} × sin ${by} + ${y} × cos ${by}`;
    const how = m("the pair of columns {first} and {second}, {pair}, turns by m·θ = {angle} rad, at position {row} from 0", {
      first: first + 1, second: second + 1, pair: `(${figure(a)}${decimal(".") === "," ? ";" : ","} ${figure(b)})`,
      angle: `${row} × ${figure(rate)} = ${by}`, row });
    return `${how}: ${turns} =`;
  },

  activation({ detail }, [a, result], row, column) {
    const x = a.values[row * a.columns + column], y = result.values[row * a.columns + column];
    if (detail === "relu") return m("the larger of 0 and {number} =", { number: figure(x) });
    if (detail === "gelu") {
      return `${figure(x)} × Φ(${figure(x)}) = ${figure(x)} × ${figure(x ? y / x : 0.5)} =`;
    }
    if (detail === "silu") return `${figure(x)} / (1 + e^${inSum(-x)}) =`;
    if (detail === "tanh") return `tanh(${figure(x)}) =`;
    return `½ × ${inSum(x)} × (1 + tanh(√(2/π) × (${figure(x)} + ${decimal("0.044715")} × ${inSum(x)}³))) =`;
  },

  join(header, matrices, row, column) {
    const { which, at } = joined(matrices, column);
    return m("copied from {name}, column {column}:", { name: header.matrices[which].name, column: at + 1 });
  },

  // Neither number comes from the other by a sum: each is computed on its own, and the two stand side by side.
  compare({ matrices: [first, second] }, [a], row, column) {
    return `${first.name} ${figure(a.values[row * a.columns + column])}, ${second.name}`;
  },
};

/**
 * The pair of numbers to which a cell of a rotated query or key belongs: its columns, the numbers before the turn, the
 * angle, and the angle at position 1.
 * @param {Step} step
 * @param {number} row
 * @param {number} column
 */
export function pairOf({ header, matrices: [given, angles] }, row, column) {
  const half = given.columns / 2, halves = header.detail === "halves";
  const pair = halves ? column % half : Math.floor(column / 2);
  const first = halves ? pair : 2 * pair, second = halves ? pair + half : 2 * pair + 1, from = row * given.columns;
  return { pair, first, second, a: given.values[from + first], b: given.values[from + second],
    angle: angles.values[row * angles.columns + pair],
    rate: angles.rows > 1 ? angles.values[angles.columns + pair] : 0 };
}

/**
 * The operand from which a column of joined ones comes, and its position there.
 * @param {readonly Matrix[]} matrices
 * @param {number} column
 */
function joined(matrices, column) {
  let which = 0, at = column;
  while (at >= matrices[which].columns) at -= matrices[which++].columns;
  return { which, at };
}

/**
 * The cell's name, how it was computed, and its value, as text.
 * @param {Step} step
 * @param {number} row
 * @param {number} column
 */
export function captionOf({ header, matrices }, row, column) {
  const last = matrices.length - 1, result = matrices[last], own = header.matrices[last];
  const hidden = result.hides.has(row * result.columns + column);
  const how = DERIVATIONS[header.kind](header, matrices, row, column, hidden);
  const value = result.values[row * result.columns + column];
  const name = `${own.name} [${own.rows[row]}, ${own.columns[column]}]`;
  if (header.kind === "pieces") return { name: `${own.rows[row]}: id`, how, value: String(value) };
  return { name, how, value: hidden && header.kind === "mask" ? "−∞" : figure(value) };
}

/**
 * The column of the only number in a row, if that is 1; null otherwise.
 * @param {Step["matrices"][number]} matrix
 * @param {number} row
 */
function onlyOne({ values, columns }, row) {
  const own = values.subarray(row * columns, (row + 1) * columns), at = own.indexOf(1);
  return columns > 1 && at >= 0 && own.every((value, i) => i === at || value === 0) ? at : null;
}

/**
 * The sources of a cell: in matrix `m`; null for a row or column means all of it.
 * @param {Step} step
 * @param {number} row
 * @param {number} column
 * @returns {{ m: number, row: number | null, column: number | null }[]}
 */
export function sourcesOf({ header, matrices }, row, column) {
  const last = matrices.length - 1, { kind } = header;
  const own = { m: last, row, column };
  if (kind === "pieces") return [own];
  if (kind === "product") {
    const one = onlyOne(matrices[0], row);
    // A row with a single 1 picks a row of the table: that one is framed, and the number in it.
    if (one !== null) return [own, { m: 0, row, column: null }, { m: 1, row: one, column: null }, { m: 1, row: one, column }];
    return [own, { m: 0, row, column: null }, { m: 1, row: null, column },
      ...(last > 2 ? [{ m: 2, row: 0, column }] : [])];
  }
  if (kind === "norm") {
    return [own, { m: 0, row, column: null }, { m: 0, row, column }, { m: 1, row: 0, column },
      { m: 2, row: 0, column }];
  }
  if (kind === "rms") return [own, { m: 0, row, column: null }, { m: 0, row, column }, { m: 1, row: 0, column }];
  if (kind === "share") return [own, { m: 0, row, column }, { m: 1, row, column: 0 }];
  if (kind === "rotation") {
    const { first, second, pair } = pairOf({ header, matrices }, row, column);
    return [own, { m: 0, row, column: first }, { m: 0, row, column: second }, { m: 1, row, column: pair }];
  }
  if (kind === "softmax") return [own, { m: 0, row, column: null }, { m: 0, row, column }];
  if (kind === "join") {
    const { which, at } = joined(matrices, column);
    return [own, { m: which, row, column: at }];
  }
  return [own, ...matrices.slice(0, -1).map((_, i) => ({ m: i, row, column }))];
}
