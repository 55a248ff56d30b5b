// The axis between two senses of a word, computed anew in each layer: `core/records/sense_axis.py`; and the map of
// each layer, along the axis and across it: `core/measures/senses/sense_map.py`.
/** @import { Trace } from "../engine/trace.js" */
import CONSTANTS from "./constants.json" with { type: "json" };
import { SPACES, split } from "../engine/words.js";
import { occurrenceSpans } from "../engine/finding.js";
import { allUnknown, tokensIn } from "./choice.js";
import { formOf } from "./inflections.js";
import { cosine, inner, lengthOf, mean, range } from "./numbers.js";
import { short } from "./labels.js";
import { ofText, ofWord, sentence } from "./sentences.js";

const { frames: FRAMES, framesCausal: ANCHOR_FIRST, mostAnchorWords: MOST_ANCHOR_WORDS, mostAnchors: MOST_WORDS, mostSentences: MOST_SENTENCES } = CONSTANTS;
const { identical: IDENTICAL, nothingAcross: NOTHING } = CONSTANTS;

/** What cannot be computed; the message says why, and what to do. */
export class Refused extends Error {}

/**
 * A text from which the word's vector is taken.
 * @typedef {object} Context
 * @property {string} text
 * @property {number} start where the word begins, in characters
 * @property {number} end
 * @property {string | null} anchor the word beside it that names the sense; null for a sentence
 * @property {[number, number] | null} anchorAt the characters of the anchor
 * @property {number} frame the index of the frame; −1 for a sentence
 */

/**
 * The word in a context, as the model has it.
 * @typedef {object} Taken
 * @property {Float64Array[]} vectors (layers) of (size)
 * @property {number} near the cosine with the anchor after the last layer
 * @property {boolean} unknown whether the model does not know a piece of the text
 */

/** How a model reads, as its traces say. @typedef {Pick<Trace, "model" | "cased" | "causal">} Reads */

/**
 * @typedef {object} End
 * @property {string[]} words
 * @property {string[]} sentences
 * @property {Context[]} contexts
 * @property {number[]} near for each word, how related it is to the compared word
 */

/** Reads contexts, each once, and keeps what is taken from them: the traces are forgotten. */
export class Contexts {
  /** @type {Map<string, Taken>} */
  #known = new Map();

  /**
   * @param {(text: string) => Promise<Trace>} traceOf
   * @param {number} [room] numbers of the contexts that are kept, of 8 bytes each
   */
  constructor(traceOf, room = 2e6) {
    this.traceOf = traceOf;
    this.room = room;
  }

  /**
   * @param {string} word
   * @param {readonly Context[]} contexts
   * @param {(done: number, of: number) => void} [onProgress]
   */
  async read(word, contexts, onProgress) {
    /** @type {Map<Context, Taken>} */
    const all = new Map();
    let done = 0;
    for (const context of contexts) {
      const key = JSON.stringify([context.text, context.start, context.end]);
      let taken = this.#known.get(key);
      if (!taken) {
        taken = take(word, context, await this.traceOf(context.text));
        this.#known.set(key, taken);
        if (this.#known.size * taken.vectors.length * taken.vectors[0].length > this.room) this.#known.delete(this.#known.keys().next().value ?? "");
      }
      all.set(context, taken);
      onProgress?.(++done, contexts.length);
    }
    return all;
  }
}

/**
 * @param {string} word @param {Context} context @param {Trace} trace
 * @returns {Taken}
 */
function take(word, { text, start, end, anchor, anchorAt }, trace) {
  const own = tokensIn(trace, start, end);
  if (!own.length) throw new Refused(sentence("axis.too-long", { text: ofText(text), word: ofWord(word) }));
  const beside = anchorAt ? tokensIn(trace, ...anchorAt) : [];
  for (const [name, at] of /** @type {[string, number[]][]} */ ([[word, own], [anchor ?? "", beside]])) {
    if (at.length && allUnknown(trace, at)) throw new Refused(sentence("word.unknown", { word: ofWord(name) }));
  }
  const vectors = vectorsAt(trace, own);
  const near = beside.length ? cosine(vectors[trace.layers - 1], vectorsAt(trace, beside)[trace.layers - 1]) : -1;
  return { vectors, near, unknown: trace.tokens.some((token) => CONSTANTS.unknown.includes(token)) };
}

/**
 * (layers) of (size): the mean of some tokens after each layer.
 * @param {Trace} trace @param {readonly number[]} tokens
 */
export const vectorsAt = (trace, tokens) => range(trace.layers).map((layer) =>
  mean(tokens.map((token) => trace.hiddenOf(layer + 1, token))));

/**
 * An anchor word beside the word in each of the frames.
 * @param {string} word @param {string} anchor @param {readonly string[]} frames
 * @returns {Context[]}
 */
function framed(word, anchor, frames) {
  return frames.map((frame, i) => {
    const [before, after] = frame.split("{word}"), put = (/** @type {string} */ part) => part.replaceAll("{anchor}", anchor);
    const start = [...put(before)].length, end = start + [...word].length;
    const first = before.indexOf("{anchor}"), at = first >= 0 ? first : end + after.indexOf("{anchor}");
    return {
      text: `${put(before)}${word}${put(after)}`, start, end, anchor, anchorAt: [at, at + [...anchor].length], frame: i,
    };
  });
}

/** @param {string} word @param {readonly string[]} items @param {Reads} reads @returns {End} */
function endFrom(word, items, { cased, causal }) {
  const given = [...new Set(items.filter((item) => split(item).length).map((item) => item.split(SPACES).filter(Boolean).join(" ")))];
  /** @type {End} */
  const made = { words: [], sentences: [], contexts: [], near: [] };
  for (const item of given) {
    const other = formOf(item, word, cased);
    const at = occurrenceSpans(item, word, cased)[0] ?? (other ? [other.start, other.end] : null);
    if (at && at[0] === 0 && at[1] === [...item].length) continue; // the word itself says nothing about its sense
    if (at) {
      made.sentences.push(item);
      made.contexts.push({ text: item, start: at[0], end: at[1], anchor: null, anchorAt: null, frame: -1 });
    } else if (split(item).length <= MOST_ANCHOR_WORDS) {
      made.words.push(item);
      made.contexts.push(...framed(word, item, causal ? ANCHOR_FIRST : FRAMES));
    } else {
      throw new Refused(sentence("axis.not-there", { text: short(item, CONSTANTS.text.ofText), word: ofWord(word) }));
    }
  }
  if (made.words.length > MOST_WORDS || made.sentences.length > MOST_SENTENCES) {
    throw new Refused(sentence("axis.large", { words: String(MOST_WORDS), sentences: String(MOST_SENTENCES) }));
  }
  if (!made.contexts.length) {
    const itself = given.length ? sentence("axis.itself", { word: ofWord(given[0]) }) : "";
    throw new Refused(sentence("axis.empty", { itself }));
  }
  return made;
}

/** Where a word stands between two of its senses, in each layer: −1 and +1 at the two ends. */
export class SenseAxis {
  /**
   * @param {string} word @param {string} model @param {End} low @param {End} high @param {Map<Context, Taken>} taken
   * @param {Float64Array[]} a @param {Float64Array[]} b
   */
  constructor(word, model, low, high, taken, a, b) {
    this.word = word;
    this.model = model;
    this.low = low;
    this.high = high;
    this.taken = taken;
    this.midpoints = a.map((vector, layer) => Float32Array.from(vector, (x, i) => (x + b[layer][i]) / 2));
    this.halves = a.map((vector, layer) => Float32Array.from(vector, (x, i) => (b[layer][i] - x) / 2));
    this.unknown = [...taken].filter(([, { unknown }]) => unknown).map(([{ text }]) => text);
  }

  get layers() {
    return this.halves.length;
  }

  /** How far apart the two ends lie after each layer. */
  get distances() {
    return this.halves.map((half) => 2 * lengthOf(half));
  }

  /**
   * The layers, from 1, before that of the verdict in which the ends hardly differ: `core/comparison/close_ends.py`.
   * @param {number} judged the layer of the verdict, from 1
   */
  close(judged) {
    const { contexts } = this, apart = this.distances.map((distance, layer) => {
      const lengths = contexts.map((one) => lengthOf(/** @type {Taken} */ (this.taken.get(one)).vectors[layer]));
      return distance / (lengths.reduce((sum, x) => sum + x, 0) / lengths.length);
    });
    return range(judged - 1).filter((layer) => CONSTANTS.closeEnds * apart[layer] < apart[judged - 1]).map((layer) => layer + 1);
  }

  /** The contexts that the axis was computed from, those of the low end first. */
  get contexts() {
    return [...this.low.contexts, ...this.high.contexts];
  }

  /** @param {ArrayLike<number>} vector @param {number} layer */
  coordinate(vector, layer) {
    const half = this.halves[layer], middle = this.midpoints[layer];
    return Math.fround((inner(vector, half) - inner(middle, half)) / inner(half, half));
  }

  /** The coordinates of the word at some tokens, after each layer. @param {Trace} trace @param {readonly number[]} tokens */
  coordinates(trace, tokens) {
    return vectorsAt(trace, tokens).map((vector, layer) => this.coordinate(vector, layer));
  }

  /** How well the nearer end describes the word: the cosine of their vectors after a layer; 1 beyond it. @param {Trace} trace @param {readonly number[]} tokens @param {number} layer from 0 */
  fit(trace, tokens, layer) {
    const vector = vectorsAt(trace, tokens)[layer], middle = this.midpoints[layer], half = this.halves[layer];
    const at = (inner(vector, half) - inner(middle, half)) / inner(half, half), side = at > 0 ? 1 : -1;
    return Math.abs(at) >= 1 ? 1 : cosine(vector, Float64Array.from(middle, (x, i) => x + side * half[i]));
  }
}

/**
 * The axis of a word from its low to its high contexts.
 * @param {string} word in the form that the frames should contain
 * @param {readonly string[]} low @param {readonly string[]} high
 * @param {Contexts} contexts
 * @param {Reads} reads @param {(done: number, of: number) => void} [onProgress]
 */
export async function senseAxis(word, low, high, contexts, reads, onProgress) {
  const ends = [endFrom(word, low, reads), endFrom(word, high, reads)], { model } = reads;
  const taken = await contexts.read(word, ends.flatMap((end) => end.contexts), onProgress);
  dropFramesThatTellNothing(ends, taken);
  for (const end of ends) {
    end.near = end.words.flatMap((anchor) => {
      const near = end.contexts.filter((one) => one.anchor === anchor).map((one) => takenAt(taken, one).near);
      return near.length ? [near.reduce((sum, x) => sum + x, 0) / near.length] : [];
    });
  }
  const [a, b] = ends.map((end) => meanOf(end, taken));
  if (a.some((vector, layer) => isOne(vector, b[layer]))) {
    throw new Refused(sentence("axis.same", { model, word: ofWord(word) }));
  }
  return new SenseAxis(word, model, ends[0], ends[1], taken, a, b);
}

/** @param {Map<Context, Taken>} taken @param {Context} context */
const takenAt = (taken, context) => /** @type {Taken} */ (taken.get(context));

/** The mean of an end's items, an anchor word by that of its frames. @param {End} end @param {Map<Context, Taken>} taken */
function meanOf({ words, contexts }, taken) {
  const layers = takenAt(taken, contexts[0]).vectors.length;
  return range(layers).map((layer) => {
    const at = (/** @type {Context} */ context) => takenAt(taken, context).vectors[layer];
    const sentences = contexts.filter(({ anchor }) => anchor === null).map(at);
    const anchors = words.map((word) => contexts.filter(({ anchor }) => anchor === word).map(at)).filter((some) => some.length);
    return mean([...sentences, ...anchors.map(mean)]);
  });
}

/** @param {Float64Array} a @param {Float64Array} b */
const isOne = (a, b) => lengthOf(a.map((x, i) => b[i] - x)) <= IDENTICAL * lengthOf(a);

/**
 * Removes the frames in which the word has the same vector beside both ends, unless that is true of all.
 * @param {End[]} ends @param {Map<Context, Taken>} taken
 */
function dropFramesThatTellNothing(ends, taken) {
  const same = range(FRAMES.length).filter((frame) => {
    const [low, high] = ends.map(({ contexts }) => contexts.filter((one) => one.frame === frame));
    if (!low.length || !high.length) return false;
    return range(takenAt(taken, low[0]).vectors.length).every((layer) => {
      const [a, b] = [low, high].map((some) => mean(some.map((one) => takenAt(taken, one).vectors[layer])));
      return isOne(a, b);
    });
  });
  if (same.length === FRAMES.length) return;
  for (const end of ends) end.contexts = end.contexts.filter(({ frame }) => !same.includes(frame));
}

/**
 * Some vectors beside an axis, in one layer.
 * @typedef {object} Beside
 * @property {number[]} along their positions on the axis
 * @property {Float64Array[]} rest what of them is across it, (vectors) of (size)
 */

/**
 * What the contexts of an axis bring to its map, in each layer: every text on the axis shares it.
 * @type {WeakMap<SenseAxis, (Beside & { products: Float64Array })[]>}
 */
const grounds = new WeakMap();

/** @param {SenseAxis} axis */
function groundOf(axis) {
  const known = grounds.get(axis);
  if (known) return known;
  const vectors = axis.contexts.map((context) => takenAt(axis.taken, context).vectors), count = vectors.length;
  const made = range(axis.layers).map((layer) => {
    const beside = besideOf(axis, layer, vectors.map((of) => of[layer])), { rest } = beside, products = new Float64Array(count ** 2);
    for (let v = 0; v < count; v++) for (let w = v; w < count; w++) products[v * count + w] = products[w * count + v] = product(rest[v], rest[w]);
    return { ...beside, products };
  });
  grounds.set(axis, made);
  return made;
}

/** @param {SenseAxis} axis @param {number} layer @param {readonly ArrayLike<number>[]} vectors @returns {Beside} */
function besideOf(axis, layer, vectors) {
  const half = Float64Array.from(axis.halves[layer]), middle = axis.midpoints[layer], square = product(half, half);
  /** @type {number[]} */
  const along = [];
  const rest = vectors.map((vector) => {
    const x = Float64Array.from(vector);
    for (let i = 0; i < x.length; i++) x[i] -= middle[i];
    const at = product(x, half) / square;
    for (let i = 0; i < x.length; i++) x[i] -= at * half[i];
    along.push(at);
    return x;
  });
  return { along, rest };
}

/**
 * The map of an axis in every layer: its contexts, then some vectors, along the axis and along the direction across
 * it in which all of them differ most.
 * @param {SenseAxis} axis
 * @param {readonly (readonly ArrayLike<number>[])[]} vectors (vectors, layers) of (size)
 * @returns {{ along: number[][], across: number[][] }} (contexts and vectors, layers)
 */
export function senseMap(axis, vectors) {
  const ground = groundOf(axis), count = axis.contexts.length + vectors.length;
  const along = range(count).map(() => Array(axis.layers).fill(0)), across = range(count).map(() => Array(axis.layers).fill(0));
  for (let layer = 0; layer < axis.layers; layer++) {
    const own = ground[layer], more = besideOf(axis, layer, vectors.map((of) => of[layer])), rest = [...own.rest, ...more.rest];
    [...own.along, ...more.along].forEach((at, v) => { along[v][layer] = at; });
    const { vector, value } = strongest(centred(productsOf(own, more, rest), count), count), size = Math.sqrt(value);
    const unit = lengthOf(axis.halves[layer]);
    if (!(size > NOTHING * unit)) continue; // nothing remains across the axis
    const direction = new Float64Array(rest[0].length), sum = vector.reduce((all, x) => all + x, 0) / count;
    rest.forEach((x, v) => { // the weights of the mean-free vectors, from those of the vectors
      const weight = (vector[v] - sum) / size;
      for (let i = 0; i < x.length; i++) direction[i] += weight * x[i];
    });
    const projected = rest.map((x) => product(x, direction) / unit);
    const turned = layer ? inner(projected, across.map((row) => row[layer - 1])) : projected[count - 1] - projected[0];
    projected.forEach((at, v) => { across[v][layer] = turned < 0 ? -at : at; });
  }
  return { along, across };
}

/**
 * All inner products, (count × count): those among the contexts are known.
 * @param {{ products: Float64Array, rest: Float64Array[] }} own @param {Beside} more @param {readonly Float64Array[]} rest of both
 */
function productsOf(own, more, rest) {
  const known = own.rest.length, count = rest.length, out = new Float64Array(count ** 2);
  for (let v = 0; v < known; v++) out.set(own.products.subarray(v * known, (v + 1) * known), v * count);
  more.rest.forEach((x, i) => {
    const w = known + i;
    for (let v = 0; v <= w; v++) out[v * count + w] = out[w * count + v] = product(rest[v], x);
  });
  return out;
}

/** The inner products of the same vectors without their mean, in place. @param {Float64Array} products @param {number} count */
function centred(products, count) {
  const means = new Float64Array(count);
  for (let v = 0; v < count; v++) for (let w = 0; w < count; w++) means[v] += products[v * count + w] / count;
  const all = means.reduce((sum, x) => sum + x, 0) / count;
  for (let v = 0; v < count; v++) for (let w = 0; w < count; w++) products[v * count + w] += all - means[v] - means[w];
  return products;
}

/** `inner` of one kind of array, which a browser makes five times as fast. @param {Float64Array} a @param {Float64Array} b */
function product(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * The largest eigenvalue of a symmetric matrix and its vector, by squaring the matrix until it has rank one.
 * @param {Float64Array} matrix (count × count), positive semidefinite
 * @param {number} count
 */
function strongest(matrix, count) {
  const trace = (/** @type {Float64Array} */ of) => range(count).reduce((sum, i) => sum + of[i * count + i], 0);
  let power = matrix, sum = trace(power);
  if (!(sum > 0)) return { vector: new Float64Array(count), value: 0 };
  for (let round = 0; round < 40; round++) {
    const scaled = power.map((x) => x / sum), rows = range(count).map((i) => scaled.subarray(i * count, (i + 1) * count));
    power = new Float64Array(count * count);
    for (let i = 0; i < count; i++) {
      for (let j = i; j < count; j++) power[i * count + j] = power[j * count + i] = product(rows[i], rows[j]);
    }
    sum = trace(power);
    if (1 - sum < 1e-14) break;
  }
  const best = range(count).reduce((one, i) => (power[i * count + i] > power[one * count + one] ? i : one), 0);
  const row = power.subarray(best * count, (best + 1) * count), length = Math.sqrt(product(row, row));
  const vector = row.map((x) => x / length);
  const value = range(count).reduce((all, i) => all + vector[i] * product(vector, matrix.subarray(i * count, (i + 1) * count)), 0);
  return { vector, value };
}
