// The arithmetic of one layer: any score and weight from query, key and each row's log-sum.
// Where special tokens are hidden, `queries` and `keys` are those that remain, and each head's rows are
// scaled to 1 over them; `core.measures.attention.visible` says the same. The mean over the heads is that of what
// is shown of each. A row that is missing, or of which nothing remains, is NaN, and outside of means.
import { MEAN } from "./state.js";
import { Mask } from "../matrix/masks.js";
import { unpackedWeights } from "./packed.js";

const ROWS_KEPT = 6000; // rows in memory, at most
const PRECISE = 0.05; // what remains of a row: below, it is summed and not subtracted
const POWERS = Float64Array.from({ length: 64 }, (_, i) => 2 ** -i);

/** e to the power of x, to eight digits and several times as fast as Math.exp where x is −44 to 0. */
function power(x) {
  const halves = Math.round(-x * Math.LOG2E);
  if (!(halves >= 0 && halves < 64)) return Math.exp(x);
  const r = x + halves * Math.LN2;
  return POWERS[halves] * (1 + r * (1
    + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720
    + r / 5040)))))));
}

export class Exact {
  constructor(header, values) {
    Object.assign(this, header, { n: header.queries.length, m: header.keys.length });
    const { heads, n, m, d, kind, bias, biases } = this, rows = heads * n;
    let at = 0;
    const next = (count) => values.subarray(at, (at += count));
    if (kind === "weights") this.takeWeights(values, rows);
    if (kind === "inner") {
      this.q = next(rows * d);
      this.k = next(heads * m * d);
      this.sums = next(rows);
      this.line = { full: n * m, diagonals: n + m - 1, keys: m }[bias] ?? 0;
      this.bias = next(biases * this.line);
      this.byDistance = bias === "diagonals";
      this.byKey = bias === "keys";
      this.sinks = header.sink ? next(rows) : null;
    }
    this.gone = new Set(header.gone);
    this.present = [...Array(heads).keys()].filter((head) => !this.gone.has(head));
    this.empty = new Set(header.empty);
    this.mask = new Mask(header, n, m);
    this.show(true);
  }

  /** The weights as they were sent; those without special tokens behind the others. */
  takeWeights(values, rows) {
    const { m, bare, apart, exact, sink } = this, size = rows * m;
    const all = apart === undefined ? values
      : unpackedWeights(values, rows * (bare ? 2 : 1), m, apart, exact);
    this.sets = [all.subarray(0, size), bare ? all.subarray(size, 2 * size) : null];
    this.sinks = null;
    if (sink) this.sinks = apart === undefined ? all.subarray(-rows)
      : new Float32Array(values.slice(-4 * rows).buffer);
  }

  /** Whether special tokens are shown; all that is kept in memory is of one way. */
  show(special) {
    const without = (count, hidden) => Array.from({ length: count }, (_, i) => i)
      .filter((i) => special || !hidden.has(i));
    this.hidden = special ? [] : this.special[1];
    const keys = without(this.m, new Set(this.special[1])),
      queries = without(this.n, new Set(this.special[0]));
    this.whole = special || !this.special.some((some) => some.length) // none is hidden
      || !keys.length || !queries.length; // nothing would remain
    this.keys = this.whole ? without(this.m, new Set()) : keys;
    this.queries = this.whole ? without(this.n, new Set()) : queries;
    if (this.whole) this.hidden = [];
    const [all, bare] = this.sets ?? [];
    this.given = this.whole ? all : bare ?? all;
    this.rows = new Map();
    this.columns = new Map();
    this.maps = new Map();
    this.spans = null;
    this.rests = new Float64Array(this.heads * this.n).fill(NaN);
  }

  get scored() {
    return this.kind === "inner";
  }

  /** Whether there are scores behind the weights of a head: a mean has none. */
  scores(head) {
    return this.scored && head !== MEAN && !this.gone.has(head);
  }

  /** A key that its query may not see. */
  masked(i, j) {
    return this.mask.hides(i, j);
  }

  /** Of each query that is shown, which of the keys are masked: places [first, after the last]. */
  get maskedSpans() {
    this.spans ??= this.mask.spans(this.queries, this.keys);
    return this.spans;
  }

  product(head, i, j) {
    const { d, q, k } = this, from = (head * this.n + i) * d, to = (head * this.m + j) * d;
    let sum = 0;
    for (let x = 0; x < d; x++) sum += q[from + x] * k[to + x];
    return sum;
  }

  added(head, i, j) {
    if (!this.line) return 0;
    const at = this.byKey ? j : this.byDistance ? j - i + this.n - 1 : i * this.m + j;
    return this.bias[(this.biases > 1 ? head * this.line : 0) + at];
  }

  /** A scaled product, squeezed where the model does so. */
  squeezed(scaled) {
    return this.softcap ? this.softcap * Math.tanh(scaled / this.softcap) : scaled;
  }

  score(head, i, j) {
    return this.squeezed(this.product(head, i, j) * this.scale) + this.added(head, i, j);
  }

  /** A weight as the model has it. */
  plain(head, i, j) {
    if (this.kind === "none") return NaN;
    if (!this.scored) return this.given[(head * this.n + i) * this.m + j];
    const sum = this.sums[head * this.n + i];
    if (this.masked(i, j)) return Number.isNaN(sum) ? NaN : 0;
    return power(this.score(head, i, j) - sum);
  }

  /** What goes to a sink and to no key; 0 where heads have none. */
  sunk(head, i) {
    if (!this.sinks) return 0;
    if (head === MEAN) return this.overHeads(i, (one) => this.sunk(one, i));
    return this.sinks[head * this.n + i];
  }

  /** Of a row, what its weights on the keys that are shown are divided by: their sum if any is hidden. */
  rest(head, i) {
    if (this.whole) return 1;
    const id = head * this.n + i;
    if (Number.isNaN(this.rests[id])) this.rests[id] = this.empty.has(id) ? 0 : this.sumShown(head, i);
    return this.rests[id];
  }

  /** How much of a row goes to the tokens that are hidden, 0 to 1; NaN where there is no such row. */
  share(head, i) {
    if (this.whole) return 0;
    if (head === MEAN) {
      const all = this.present.map((one) => this.share(one, i)).filter((one) => !Number.isNaN(one));
      return all.reduce((sum, one) => sum + one, 0) / all.length;
    }
    if (this.kind === "none" || this.gone.has(head)) return NaN;
    const [all] = this.sets ?? [], row = (head * this.n + i) * this.m;
    return this.hidden.reduce((sum, j) => sum + (all ? all[row + j] : this.plain(head, i, j)), 0);
  }

  sumShown(head, i) {
    let rest = 0;
    if (this.scored) { // what is hidden is little beside what is shown, and its products take long
      rest = 1 - this.sunk(head, i);
      for (const j of this.hidden) rest -= this.plain(head, i, j);
      if (!(rest < PRECISE)) return rest;
      rest = 0;
    }
    for (const j of this.keys) rest += this.plain(head, i, j);
    return rest;
  }

  /** Whether there is no such row: the head is none, or nothing of it goes to the keys that are shown. */
  missing(head, i) {
    if (head === MEAN) return this.present.every((one) => this.missing(one, i));
    if (this.kind === "none" || this.gone.has(head)) return true;
    if (!this.whole) return !(this.rest(head, i) > 0);
    const id = head * this.n + i;
    return Number.isNaN(this.scored ? this.sums[id] : this.given[id * this.m + this.keys[0]]);
  }

  /** The log-sum of a row over the keys that are shown, and its sink where none is hidden. */
  base(head, i) {
    return this.sums[head * this.n + i] + Math.log(this.rest(head, i));
  }

  /** The weight of a key that is shown; NaN in a row that is missing. */
  weight(head, i, j) {
    if (head === MEAN) return this.overHeads(i, (one) => this.weight(one, i, j));
    const rest = this.rest(head, i);
    return rest > 0 ? this.plain(head, i, j) / rest : NaN;
  }

  /** The weights of one query, (keys shown,) in their order. */
  row(head, i) {
    return this.kept(this.rows, head * this.n + i, () =>
      this.fill(new Float32Array(this.keys.length), 0, head, i));
  }

  /** Writes a row of weights into `out`, from `at` on. */
  fill(out, at, head, i) {
    if (head === MEAN) return this.fillMean(out, at, i);
    const { keys, scored } = this, count = keys.length;
    if (this.missing(head, i)) return out.fill(NaN, at, at + count);
    const rest = this.rest(head, i);
    if (!scored) {
      for (let c = 0; c < count; c++) out[at + c] = this.plain(head, i, keys[c]) / rest;
      return out;
    }
    this.scoreRow(out, at, head, i);
    const base = this.base(head, i);
    for (let c = 0; c < count; c++) out[at + c] = this.masked(i, keys[c]) ? 0
      : power(out[at + c] - base);
    return out;
  }

  /** The same of the mean over the heads that have the row. */
  fillMean(out, at, i) {
    const { present, keys: { length } } = this, sums = new Float64Array(length),
      row = new Float32Array(length);
    let count = 0;
    for (const head of present) {
      if (this.missing(head, i)) continue;
      this.fill(row, 0, head, i);
      for (let c = 0; c < length; c++) sums[c] += row[c];
      count++;
    }
    for (let c = 0; c < length; c++) out[at + c] = sums[c] / count; // of no head, NaN
    return out;
  }

  overHeads(i, of) {
    const heads = this.present.filter((head) => !this.missing(head, i));
    let sum = 0;
    for (const head of heads) sum += of(head);
    return sum / heads.length;
  }

  /** Writes a row of scores, those that are masked among them. */
  scoreRow(out, at, head, i) {
    const { q, k, d, m, keys, scale, line, softcap } = this, count = keys.length;
    const from = (head * this.n + i) * d, fours = d - (d % 4);
    for (let c = 0; c < count; c++) {
      const to = (head * m + keys[c]) * d;
      let sum = 0, second = 0, third = 0, fourth = 0, x = 0; // four at once: faster by a quarter
      for (; x < fours; x += 4) {
        sum += q[from + x] * k[to + x];
        second += q[from + x + 1] * k[to + x + 1];
        third += q[from + x + 2] * k[to + x + 2];
        fourth += q[from + x + 3] * k[to + x + 3];
      }
      for (; x < d; x++) sum += q[from + x] * k[to + x];
      sum = (sum + second + third + fourth) * scale;
      if (softcap) sum = this.squeezed(sum);
      out[at + c] = sum + (line ? this.added(head, i, keys[c]) : 0);
    }
  }

  /** The weights on one key, (queries shown,) in their order. */
  column(head, j) {
    return this.kept(this.columns, head * this.m + j, () => {
      const { queries } = this, found = new Float32Array(queries.length);
      for (let r = 0; r < found.length; r++) found[r] = this.weight(head, queries[r], j);
      return found;
    });
  }

  kept(where, id, make) {
    if (!where.has(id)) {
      if (where.size >= ROWS_KEPT) where.clear();
      where.set(id, make());
    }
    return where.get(id);
  }

  /** All weights of a head as they are shown, (queries × keys), and its scores; 0 where masked. */
  map(head, what) {
    const id = `${what} ${head}`;
    if (!this.maps.has(id)) {
      if (this.maps.size >= 6) this.maps.delete(this.maps.keys().next().value);
      const { keys, queries } = this, wide = keys.length,
        found = new Float32Array(queries.length * wide);
      queries.forEach((i, r) => {
        if (what === "weights") this.fill(found, r * wide, head, i);
        else {
          this.scoreRow(found, r * wide, head, i);
          keys.forEach((j, c) => { if (this.masked(i, j)) found[r * wide + c] = 0; });
        }
      });
      this.maps.set(id, found);
    }
    return this.maps.get(id);
  }

  /** q, k and their product for one pair, element by element. */
  pair(head, i, j) {
    const { d, q, k } = this, from = (head * this.n + i) * d, to = (head * this.m + j) * d;
    const one = q.subarray(from, from + d), other = k.subarray(to, to + d);
    return [one, other, Float64Array.from(one, (x, at) => x * other[at])];
  }
}
