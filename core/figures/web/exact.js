// The arithmetic of one layer: any score and weight from query, key and each row's log-sum.
// Where special tokens are hidden, `queries` and `keys` are those that remain, and rows sum to 1 again.
// The mean over the heads is that of what is shown of each: hidden first, then scaled, then averaged.
import { MEAN } from "./layerstate.js";
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
    const { heads, n, m, d, kind, bias } = this;
    let at = 0;
    const next = (count) => values.subarray(at, (at += count));
    if (kind === "weights") {
      const size = heads * n * m, rows = heads * n * (header.bare ? 2 : 1);
      const all = header.apart === undefined ? values : unpackedWeights(values, rows, m, header.apart);
      this.sets = [all.subarray(0, size), header.bare ? all.subarray(size) : null];
    } else {
      this.q = next(heads * n * d);
      this.k = next(heads * m * d);
      this.sums = next(heads * n);
      this.line = { full: n * m, diagonals: n + m - 1 }[bias] ?? 0;
      this.bias = next(heads * this.line);
      this.byDistance = bias === "diagonals";
    }
    this.show(true);
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
    this.rests = new Float64Array(this.heads * this.n).fill(NaN);
  }

  get scored() {
    return this.kind !== "weights";
  }

  /** Whether there are scores behind the weights of a head: a mean has none. */
  scores(head) {
    return this.scored && head !== MEAN;
  }

  /** A key that comes after its query, where that is not seen. */
  masked(i, j) {
    return this.causal && j > i + this.m - this.n;
  }

  product(head, i, j) {
    const { d, q, k } = this, from = (head * this.n + i) * d, to = (head * this.m + j) * d;
    let sum = 0;
    for (let x = 0; x < d; x++) sum += q[from + x] * k[to + x];
    return sum;
  }

  added(head, i, j) {
    if (!this.line) return 0;
    return this.bias[head * this.line + (this.byDistance ? j - i + this.n - 1 : i * this.m + j)];
  }

  score(head, i, j) {
    return this.product(head, i, j) * this.scale + this.added(head, i, j);
  }

  /** A weight as the model has it. */
  plain(head, i, j) {
    if (!this.scored) return this.given[(head * this.n + i) * this.m + j];
    if (this.masked(i, j)) return 0;
    return power(this.score(head, i, j) - this.sums[head * this.n + i]);
  }

  /** What a row's weights on the keys that are shown sum to; 1 if all are. */
  rest(head, i) {
    if (this.whole) return 1;
    const id = head * this.n + i;
    if (Number.isNaN(this.rests[id])) {
      let rest = 1;
      for (const j of this.hidden) rest -= this.plain(head, i, j);
      if (rest < PRECISE) {
        rest = 0;
        for (const j of this.keys) rest += this.plain(head, i, j);
      }
      this.rests[id] = rest;
    }
    return this.rests[id];
  }

  /** The log-sum of a row over the keys that are shown. */
  base(head, i) {
    return this.sums[head * this.n + i] + Math.log(this.rest(head, i));
  }

  /** The weight of a key that is shown; a row that has spent all on hidden ones stays 0. */
  weight(head, i, j) {
    if (head === MEAN) return this.overHeads((one) => this.weight(one, i, j));
    const rest = this.rest(head, i);
    return rest > 0 ? this.plain(head, i, j) / rest : 0;
  }

  /** The weights of one query, (keys shown,) in their order. */
  row(head, i) {
    return this.kept(this.rows, head * this.n + i, () =>
      this.fill(new Float32Array(this.keys.length), 0, head, i));
  }

  /** Writes a row of weights into `out`, from `at` on. */
  fill(out, at, head, i) {
    if (head === MEAN) return this.fillMean(out, at, i);
    const { keys, scored } = this, rest = this.rest(head, i), count = keys.length;
    if (!(rest > 0)) return out;
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

  /** The same of the mean over the heads. */
  fillMean(out, at, i) {
    const { heads, keys: { length } } = this, sums = new Float64Array(length),
      row = new Float32Array(length);
    for (let head = 0; head < heads; head++) {
      this.fill(row.fill(0), 0, head, i); // a row that has nothing to share out stays 0
      for (let c = 0; c < length; c++) sums[c] += row[c];
    }
    for (let c = 0; c < length; c++) out[at + c] = sums[c] / heads;
    return out;
  }

  overHeads(of) {
    let sum = 0;
    for (let head = 0; head < this.heads; head++) sum += of(head);
    return sum / this.heads;
  }

  /** Writes a row of scores, those that are masked among them. */
  scoreRow(out, at, head, i) {
    const { q, k, d, m, keys, scale, line } = this, count = keys.length, from = (head * this.n + i) * d;
    const fours = d - (d % 4);
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
      sum += second + third + fourth;
      out[at + c] = sum * scale + (line ? this.added(head, i, keys[c]) : 0);
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
