// The first picture of Compare from traces: the word's path between two ends, or, without ends, by cosine
// similarity; what `core/figures/trajectories` packs.
/** @import { Trace } from "../engine/trace.js" */
/** @import { LinesHeader, TrajectoryHeader } from "../headers" */
/** @import { ColourPair } from "../types" */
/** @import { SenseAxis } from "./axis.js" */
/** @import { Chosen } from "./choice.js" */
/** @import { Made } from "./packed.js" */
import { decimal, m } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { split } from "../engine/words.js";
import { senseMap, vectorsAt } from "./axis.js";
import { label, layerName, written as visible } from "./labels.js";
import { cosine, mean, range, seven } from "./numbers.js";
import { floats } from "./packed.js";
import { sentence } from "./sentences.js";
import { written } from "../runtime/shared.js";

const { style: STYLE, mostShown: MOST_SHOWN, leftOut: LEFT_OUT, cosines: COSINES } = CONSTANTS;
const BEFORE = CONSTANTS.names.beforeLayers;
const SIGNED = /** @type {{ light: ColourPair, dark: ColourPair }} */ (/** @type {unknown} */ (STYLE.signed));
/** @param {"A" | "B"} name */
function lookOf(name) {
  const [colour, mark, shape] = CONSTANTS.trajectorySides[name];
  return { colour, mark, shape: /** @type {"circle" | "square"} */ (shape) };
}

/**
 * A sentence, and its word.
 * @typedef {object} Side
 * @property {"A" | "B"} name
 * @property {Trace} trace
 * @property {Chosen} chosen
 */

/** The trace of a text, and the tokens of a word in it. @typedef {readonly [Trace, readonly number[]]} Alone */

/** @param {number} x */
const signed = (x) => written(x, { digits: 2 });

/**
 * @param {readonly SenseAxis[]} axes those of the word in A, which is the map's as well, and in B
 * @param {readonly [Side, Side]} both A and B, or one sentence twice
 * @param {readonly [readonly number[], readonly number[]]} coordinates of the word in A and in B
 * @param {object} about
 * @param {readonly [string, string]} about.ends their names
 * @param {readonly ("A" | "B")[]} about.names the sentences to show
 * @param {readonly [Alone, Alone]} about.alone the word of each in a text that holds nothing else
 * @param {number} about.depth the layer after which it is shown, 0 for the learned vector
 * @param {string} about.why why there are no contributions
 * @param {number} [about.judged] the layer, from 1, after which the word needs `unclear`; the last by default
 * @param {boolean} [about.guessed] whether a model guessed the ends
 * @param {boolean} [about.two] whether the word is not the same token in both sentences
 * @param {number | null} about.unclear the distance from the middle that a word needs to be given a side
 * @param {boolean} [about.play]
 * @param {boolean} [about.awaits] whether contributions are still to come
 * @returns {Made<TrajectoryHeader>}
 */
export function trajectoryOf(axes, both, coordinates, { ends: [low, high], names, alone, depth, why, unclear, judged = axes[0].layers, guessed = false, two = false, play = false, awaits = false }) {
  const [axis] = axes;
  const seen = senseMap(axis, both.map(({ trace, chosen }) => vectorsAt(trace, chosen.tokens))), own = axis.contexts;
  const shown = names.map((name) => "AB".indexOf(name)), close = axis.close(judged);
  const sides = shown.map((i) => {
    const { trace, chosen } = both[i], { parts, at } = partsOf(trace, chosen), name = names[shown.indexOf(i)];
    const byItself = axes[i].coordinates(...alone[i]).map(seven);
    return { name, word: parts[at], ...lookOf(name), parts, chosen: at, position: coordinates[i].map(seven), alone: byItself, adds: null };
  });
  const towards = sides.map(({ word, name, position }) => {
    const last = position[position.length - 1];
    return sentence("trajectory.side", { word, name, at: signed(last), end: last < 0 ? low : high });
  }).join("; ");
  /** @type {TrajectoryHeader} */
  const header = {
    id: JSON.stringify([both.map(({ trace, chosen }) => [trace.text, chosen.word, chosen.number]), low, high, names]),
    layers: axis.layers,
    ends: { low, high },
    sides,
    map: {
      sides: shown.map((i) => seen.across[own.length + i].map(seven)),
      points: axis.contexts.map(({ text }, i) => ({
        name: text, high: i >= axis.low.contexts.length, along: seen.along[i].map(seven), across: seen.across[i].map(seven),
      })),
    },
    unclear: unclear ?? 0,
    ...(judged === axis.layers ? {} : { judged }),
    ...(close.length ? { close } : {}), ...(guessed ? { guessed } : {}), ...(two ? { two } : {}),
    maxima: range(axis.layers).map(() => 1),
    awaitsContributions: awaits,
    whyNone: why,
    learned: STYLE.learned,
    signed: SIGNED,
    sentence: sentence(two ? "trajectory.sentence.two" : "trajectory.sentence", { towards }),
    file: "polysee-trajectory", parts: sentence(both[0].trace.causal ? "trajectory.parts.first" : "trajectory.parts"),
    height: CONSTANTS.trajectoryHeight,
    state: { depth: Math.min(Math.max(0, depth), axis.layers) },
    autoplay: play,
  };
  return { module: "trajectory", header, payload: new Uint8Array() };
}

/**
 * A sentence in words and the text between them, and which part is the word.
 * @param {Trace} trace @param {Chosen} chosen
 */
export function partsOf(trace, chosen) {
  const { parts, at } = spansOf(trace, chosen);
  return { parts: parts.map(({ text }) => text), at };
}

/** Some characters of a sentence, and what the screen shows. @typedef {{ text: string, start: number, end: number }} Part */

/**
 * The same with where each part stands; of a long sentence, the words around it: `core/measures/contributions/sentence_parts.py`.
 * @param {Trace} trace @param {Chosen} chosen
 */
export function spansOf(trace, { tokens }) {
  const all = [...trace.text], read = trace.leftOut ? all.slice(0, trace.leftOut[0]) : all;
  const same = trace.words.find((one) => one.tokens.length === tokens.length && one.tokens.every((token, i) => token === tokens[i]));
  const start = same?.start ?? Math.min(...tokens.map((i) => trace.starts[i])), end = same?.end ?? Math.max(...tokens.map((i) => trace.ends[i]));
  const spans = split(read.join("")).filter((word) => word.end <= start || word.start >= end).map((word) => [word.start, word.end]);
  spans.push([start, end]);
  spans.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const here = spans.findIndex(([from, to]) => from === start && to === end);
  const first = Math.max(0, Math.min(here - Math.floor(MOST_SHOWN / 2), spans.length - MOST_SHOWN));
  const shown = spans.slice(first, first + MOST_SHOWN);
  /** @type {Part[]} */
  const parts = [];
  let at = first ? shown[0][0] : 0, chosen = 0;
  const put = (/** @type {number} */ from, /** @type {number} */ to, text = read.slice(from, to).join("")) => parts.push({ text, start: from, end: to });
  if (first) {
    put(0, at, LEFT_OUT);
    put(at, at, " ");
  }
  for (const [from, to] of shown) {
    if (from > at) put(at, from);
    if (from === start && to === end) chosen = parts.length;
    put(from, to);
    at = to;
  }
  if (first + MOST_SHOWN < spans.length) {
    put(at, at, " ");
    put(at, read.length, LEFT_OUT);
  } else if (at < read.length) put(at, read.length);
  return { parts, at: chosen };
}

/**
 * Without ends: how similar the word in A is to the word in B, and each to the same word alone, at every depth.
 * @param {readonly [Side, Side]} both
 * @param {readonly [Trace, readonly number[]]} aloneA the word of A in a short frame, and its tokens
 * @param {readonly [Trace, readonly number[]]} aloneB
 * @returns {Made<LinesHeader>}
 */
export function cosinesOf([a, b], aloneA, aloneB) {
  const of = (/** @type {Trace} */ trace, /** @type {readonly number[]} */ tokens) => [
    mean(tokens.map((token) => trace.learnedOf(token))),
    ...range(trace.layers + 1).map((layer) => mean(tokens.map((token) => trace.hiddenOf(layer, token)))),
  ];
  const inA = of(a.trace, a.chosen.tokens), inB = of(b.trace, b.chosen.tokens);
  const along = (/** @type {Float64Array[]} */ one, /** @type {Float64Array[]} */ other) =>
    Float32Array.from(one, (vector, depth) => cosine(vector, other[depth]));
  const rows = [along(inA, of(...aloneA)), along(inB, of(...aloneB)), along(inA, inB)];
  const last = (/** @type {Float32Array} */ row) => signed(row[row.length - 1]), every = rows.flatMap((row) => [...row]);
  const lines = /** @type {LinesHeader["lines"]} */ (COSINES.lines.map(([name, short, colour, mark], i) =>
    ({ name: m(name), label: `${short} ${last(rows[i])}`, colour, mark })));
  const layers = range(a.trace.layers);
  /** @type {LinesHeader} */
  const header = {
    lines: lines.map((line) => ({ ...line, name: label(line.name), label: visible(line.label) })),
    steps: [...BEFORE.map(([name]) => m(name)), ...layers.map(layerName)],
    ticks: [...BEFORE.map(([, tick]) => tick), ...layers.map((layer) => String(layer + 1))],
    axis: m(COSINES.axis),
    guides: /** @type {[number, string][]} */ (COSINES.guides).map(([at, said]) => [at, decimal(m(said))]),
    bounds: [Math.min(0, ...every), Math.max(1, ...every)],
    start: null,
    startColour: STYLE.learned,
    band: null,
    number: { digits: 3, plus: false },
    log: false,
    unit: "",
    height: COSINES.height,
    dtype: "float32",
    sentence: sentence("lines.cosine"),
    file: "polysee-path",
  };
  return { module: "lines", header, payload: floats(rows) };
}
