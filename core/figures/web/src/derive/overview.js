// All heads as small maps, from a trace: what `core/figures/attention/overview.py` packs for the page Heads.
/** @import { Trace } from "../engine/trace.js" */
/** @import { OverviewHeader } from "../headers" */
/** @import { OverviewState } from "../states" */
/** @import { Made } from "./packed.js" */
import CONSTANTS from "./constants.json" with { type: "json" };
import { ownTokens, rescaled, weightsOf } from "./attention.js";
import { label, layerName } from "./labels.js";
import { range, rounded } from "./numbers.js";
import { THRESHOLDS, notes, patternScores, patternsHeader, typicalOf } from "./patterns.js";
import { isRoot, weightScale } from "./scales.js";
import { sentence } from "./sentences.js";
import { complete } from "./states.js";
import { namesOf } from "./tokennames.js";

const LOOK = CONSTANTS.overview;

/**
 * @param {Trace} trace
 * @param {Partial<OverviewState>} [chosen] the choices, perhaps of a link: what does not fit takes its default
 * @returns {Made<OverviewHeader>}
 */
export function overviewOf(trace, chosen = {}) {
  const weights = weightsOf(trace), { layers, heads, n } = trace;
  const special = chosen.special ?? !trace.firstIsSink;
  const own = ownTokens(trace), withoutSpecial = special === false && own.length > 0 && own.length < n;
  const tokens = withoutSpecial ? own : range(n), count = tokens.length;
  const maps = layers * heads;
  const each = 2 * count + LOOK.bytes * 2 * THRESHOLDS.length;
  const most = Math.max(LOOK.least_cells, Math.min(LOOK.most_cells, Math.floor(Math.sqrt(Math.max(0, Math.floor((LOOK.most_bytes - maps * each) / maps))))));
  const block = Math.ceil(count / most), side = Math.ceil(count / block);
  const cells = new Float32Array(maps * side * side), to = new Float32Array(maps * count), away = new Float32Array(maps * count);
  const gone = new Uint8Array(maps * count);
  // Each map once, for its cells, its sums and its patterns: those of a long text are not kept.
  const scores = patternScores(trace, weights, { seen: (whole, layer, head) => {
    const at = layer * heads + head;
    const map = withoutSpecial ? rescaled(whole, n, tokens) : whole;
    pool(map, count, block, cells.subarray(at * side * side, (at + 1) * side * side), side);
    const part = [at * count, (at + 1) * count];
    sums(map, count, to.subarray(...part), away.subarray(...part), gone.subarray(...part));
  } });
  const missing = gone.includes(1), ends = { to: endOf(to), from: endOf(away) };
  const root = isRoot(count);
  const parts = [levels(cells, root, 1), levels(to, true, ends.to), levels(away, true, ends.from)];
  if (missing) parts.push(bits(gone));
  const all = namesOf(trace), names = tokens.map((i) => label(all[i]));
  const positions = withoutSpecial ? /** @type {[number[], number[]]} */ ([tokens, tokens]) : null;
  const patterns = { ...patternsHeader(scores, typicalOf(trace)), thresholds: THRESHOLDS };
  /** @type {OverviewHeader} */
  const header = {
    layers: range(layers).map(layerName),
    heads,
    group: trace.group,
    maps: [side, side],
    block: [block, block],
    pool: "max",
    scale: weightScale(count),
    tokens: names,
    queryTokens: null,
    queries: count,
    hasMissingRows: missing,
    missingHeads: [],
    captions: [],
    maxima: ends,
    withoutSpecial,
    positions,
    patterns,
    link: null,
    notes: notes(scores),
    strongest: range(maps).map((at) => rounded(largest(away.subarray(at * count, (at + 1) * count)), 4)),
    chosen: null,
    number: { digits: 2, plus: false },
    height: Math.max(LOOK.least, Math.min(LOOK.cell, Math.floor(LOOK.all / layers))) * layers + LOOK.around + 2 * LOOK.choices,
    dtype: "uint8",
    sentence: sentence("heads.all", { layers: String(layers), heads: String(heads), of: "" }),
    file: "polysee-heads",
    state: completeOverview({ ...chosen, special }, tokens, own.length < n),
    ...(trace.firstIsSink ? { leftOut: CONSTANTS.sink } : {}),
  };
  const payload = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    payload.set(part, at);
    at += part.length;
  }
  return { module: "overview", header, payload };
}

/**
 * The whole state; what does not fit takes its default.
 * @param {Partial<OverviewState>} chosen
 * @param {readonly number[]} tokens those that are drawn
 * @param {boolean} added whether there are special tokens
 * @returns {OverviewState}
 */
export function completeOverview(chosen, tokens, added) {
  const there = { tokens, patterns: range(THRESHOLDS.length), typical: [false, true] };
  const state = /** @type {OverviewState} */ (complete("overview", chosen, there, { special: true }));
  return added ? state : { ...state, special: null };
}

/**
 * Each cell is the largest weight of its block; missing rows do not count.
 * @param {Float32Array} map @param {number} count @param {number} block @param {Float32Array} cells @param {number} side
 */
function pool(map, count, block, cells, side) {
  if (block === 1) {
    cells.set(map);
    return;
  }
  for (let row = 0; row < count; row++) {
    const from = Math.floor(row / block) * side;
    for (let column = 0; column < count; column++) {
      const weight = map[row * count + column], cell = from + Math.floor(column / block);
      if (weight > cells[cell]) cells[cell] = weight;
    }
  }
}

/**
 * The mean weight on each key, and the largest of each query.
 * @param {Float32Array} map @param {number} count @param {Float32Array} to @param {Float32Array} away
 * @param {Uint8Array} gone which queries are missing
 */
function sums(map, count, to, away, gone) {
  const sum = new Float64Array(count);
  let rows = 0;
  for (let row = 0; row < count; row++) {
    if (Number.isNaN(map[row * count])) {
      gone[row] = 1;
      away[row] = NaN;
      continue;
    }
    rows++;
    for (let column = 0; column < count; column++) {
      const weight = map[row * count + column];
      sum[column] += weight;
      if (weight > away[row]) away[row] = weight;
    }
  }
  for (let column = 0; column < count; column++) to[column] = sum[column] / rows;
}

/** @param {Float32Array} values */
const largest = (values) => values.reduce((most, x) => (x > most ? x : most), 0);

/** @param {Float32Array} values */
const endOf = (values) => Math.max(largest(values), LOOK.nothing);

/**
 * Numbers from 0 to `end` as bytes, by their square root if `root`; 0 for a missing number.
 * @param {Float32Array} values @param {boolean} root @param {number} end
 */
function levels(values, root, end) {
  return Uint8Array.from(values, (x) => {
    const share = Math.min(1, Math.max(0, Number.isNaN(x) ? 0 : x / end));
    return Math.round((root ? Math.sqrt(share) : share) * 255);
  });
}

/** @param {Uint8Array} flags */
function bits(flags) {
  const out = new Uint8Array(Math.ceil(flags.length / 8));
  flags.forEach((flag, i) => { if (flag) out[i >> 3] |= 1 << (i & 7); });
  return out;
}
