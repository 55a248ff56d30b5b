// Runs of a text in which something is changed: edges of the attention are cut, heads are ablated, a part is as the paper of
// 2017 had it (`core/walkthroughs/swapped_parts.py`), or one state is that of another text (`core/attribution/patching.py`).
// They go layer by layer, and each layer's weights are unpacked for it (`Decoder.changed`): nothing of a model is there twice.
/** @typedef {import("./decoder").Decoder} Decoder */
/** @typedef {import("./speaker").Speaker} Speaker */
/** @typedef {() => boolean | Promise<boolean>} GoesOn */
import { inner, lengthOf, range } from "../derive/numbers.js";
import { surprise } from "../derive/surprise.js";
import { EngineError } from "./errors.js";
import { sinusoid } from "./sinusoid.js";
import { firstToken } from "./why.js";

const HIDDEN = -3.4028234663852886e38; // the least number of 32 bits
const PAPER = ["order", "norm", "network"]; // as the graph has them (`tools/web/decoder_graph.py`)
const ROWS = 8; // at once through the head
const TOKENS = 400; // at once in runs with states of another text

/**
 * @typedef {object} Changes
 * @property {[number, number][]} [cuts] a query and the key to which no head lets it attend
 * @property {[number, number][]} [ablated] a layer and a head
 * @property {string} [part] what the paper had otherwise: "mask", "order", "norm", "positions", "network" or "heads"; or "mask but
 *   first", of which the first token alone keeps its mask
 */
/**
 * @typedef {object} ChangedAsked
 * @property {string[]} words of which the first token's id is wanted
 * @property {Changes | null} changes null for the run as it is
 * @property {boolean} scored whether the surprise at each token is wanted
 * @property {number[]} [more] ids of tokens behind the text
 */
/**
 * @typedef {object} Changed
 * @property {Float32Array} logits of the next token, (vocabulary)
 * @property {number[]} ids those of `words`
 * @property {number[]} lengths (layers + 1) of the last token's vector, before the first layer and behind each
 * @property {number[] | null} bits the surprise at each token; NaN for the first
 */
/**
 * @typedef {object} Patched
 * @property {number} first the first token in which the texts differ
 * @property {number} a the lead after A, in logits
 * @property {number} b the same after B
 * @property {number[][]} leads ((layers + 1) × tokens from `first` on) the lead after B with one state of A
 */

/**
 * What comes after a text, changed or as it is; null if it was given up.
 * @param {Speaker} speaker @param {Decoder} decoder @param {string} text @param {ChangedAsked} asked @param {GoesOn} [goesOn]
 * @returns {Promise<Changed | null>}
 */
export async function changed(speaker, decoder, text, { words, changes, scored, more = [] }, goesOn = () => true) {
  const ids = [...speaker.read(text, more).ids], { layers, size } = decoder.shape, last = ids.length - 1;
  const named = words.map((word) => firstToken(speaker.tokenizer, word)[0]);
  let run;
  if (changes) run = await through(decoder, ids, changes, goesOn);
  else if (await decoder.read(ids, goesOn)) {
    run = { output: decoder.output(layers - 1), lengths: range(layers + 1).map((depth) => lengthOf(stateOf(decoder, depth, last))) };
  }
  if (!run) return null;
  const bits = scored ? await surprises(decoder, run.output, ids, goesOn) : null;
  if (scored && !bits) return null;
  return { logits: await decoder.logits(decoder.normed(run.output.subarray(last * size))), ids: named, lengths: run.lengths, bits };
}

/** A token's vector at a depth: 0 for the input of the first layer. @param {Decoder} decoder @param {number} depth @param {number} token */
const stateOf = (decoder, depth, token) => (depth ? decoder.hiddenOf(depth - 1, token) : decoder.learned([decoder.ids[token]]));

/**
 * A whole run; null if it was given up.
 * @param {Decoder} decoder @param {number[]} ids @param {Changes} changes @param {GoesOn} goesOn
 */
async function through(decoder, ids, { cuts = [], ablated = [], part = "" }, goesOn) {
  const { layers, heads, size } = decoder.shape, n = ids.length, turns = part !== "positions", waves = turns ? [] : range(n).map((place) => sinusoid(place, size));
  const lengths = /** @type {number[]} */ ([]);
  /** @type {Float32Array} */
  let x = decoder.learned(ids);
  if (!turns) x = x.map((number, i) => number + waves[Math.floor(i / size)][i % size]);
  const hides = (/** @type {number} */ query, /** @type {number} */ key) => key > query && part !== "mask" && (!query || part !== "mask but first");
  const bias = Float32Array.from({ length: n * n }, (_, i) => (hides(Math.floor(i / n), i % n) ? HIDDEN : 0));
  for (const [query, key] of cuts) bias[query * n + key] = HIDDEN;
  const how = { at: Float32Array.from(ids, (_, i) => (turns ? i : 0)), bias, paper: Float32Array.from(PAPER, (one) => Number(one === part)), before: 0 };
  const long = () => lengths.push(lengthOf(x.subarray((n - 1) * size)));
  long();
  for (let layer = 0; layer < layers; layer++) {
    if (!(await goesOn())) return null;
    const factors = Float32Array.from({ length: heads }, (_, head) => Number(!ablated.some((one) => one[0] === layer && one[1] === head)));
    x = await decoder.changed(layer, x, { ...how, factors });
    long();
  }
  return { output: x, lengths };
}

/** The surprise at each token; null if it was given up. @param {Decoder} decoder @param {Float32Array} output @param {number[]} ids @param {GoesOn} goesOn */
async function surprises(decoder, output, ids, goesOn) {
  const { size, vocabulary } = decoder.shape, bits = [NaN];
  while (bits.length < ids.length) {
    if (!(await goesOn())) return null;
    const from = bits.length - 1, count = Math.min(ROWS, ids.length - bits.length), logits = await decoder.logits(decoder.normed(output.subarray(from * size, (from + count) * size)));
    for (let i = 0; i < count; i++) bits.push(surprise(logits.subarray(i * vocabulary, (i + 1) * vocabulary), ids[from + i + 1]).bits);
  }
  return bits;
}

/**
 * The lead of one next word over another after text B, with each state of text A in turn in the place of B's; null if it was
 * given up. All depths of a token run at once, each hidden from the others, and a token before the first that differs has the
 * same state in both.
 * @param {Speaker} speaker @param {Decoder} decoder @param {string} a @param {string} b @param {string[]} words @param {GoesOn} [goesOn]
 * @returns {Promise<Patched | null>}
 */
export async function patched(speaker, decoder, a, b, words, goesOn = () => true) {
  const [idsA, idsB] = [a, b].map((text) => [...speaker.read(text, []).ids]), n = idsA.length, first = idsA.findIndex((id, i) => id !== idsB[i]);
  if (n !== idsB.length || first < 0) throw new EngineError("TextRefused", "Two texts that differ in a word, and have equally many tokens, can be compared.");
  const { layers, heads, size } = decoder.shape, rows = n - first, depths = range(layers + 1);
  const [one, other] = words.map((word) => decoder.learned([firstToken(speaker.tokenizer, word)[0]]));
  const along = one.map((x, i) => x - other[i]), lead = (/** @type {Float32Array} */ row) => inner(decoder.normed(row), along);
  const states = () => depths.map((depth) => (depth === layers ? decoder.output(layers - 1) : decoder.input(depth)).slice(first * size));
  if (!(await decoder.read(idsA, goesOn))) return null;
  const ofA = states();
  if (!(await decoder.read(idsB, goesOn))) return null;
  const ofB = states(), last = (/** @type {Float32Array} */ of, /** @type {number} */ i) => of.subarray(((i + 1) * rows - 1) * size, (i + 1) * rows * size);
  const leads = depths.map(() => /** @type {number[]} */ ([])), together = Math.max(1, Math.floor(TOKENS / (rows * depths.length)));
  for (let from = 0; from < rows; from += together) {
    const tokens = range(rows).slice(from, from + together);
    /** @type {Float32Array} */
    let x = new Float32Array(0);
    for (const depth of depths) {
      const more = new Float32Array(x.length + tokens.length * rows * size);
      more.set(x);
      tokens.forEach((token, i) => {
        const at = x.length + i * rows * size;
        more.set(ofB[depth], at);
        more.set(ofA[depth].subarray(token * size, (token + 1) * size), at + token * size);
      });
      x = more;
      if (depth === layers) break;
      if (!(await goesOn())) return null;
      x = await decoder.changed(depth, x, { ...apart(x.length / size, rows, first), paper: new Float32Array(PAPER.length), factors: new Float32Array(heads).fill(1), before: first });
    }
    depths.forEach((depth) => tokens.forEach((_, i) => leads[depth].push(lead(last(x, depth * tokens.length + i)))));
  }
  return { first, a: lead(last(ofA[layers], 0)), b: lead(last(ofB[layers], 0)), leads };
}

/**
 * Runs beside each other, of so many rows each, that share what is before them and do not see each other.
 * @param {number} n @param {number} rows @param {number} before
 */
function apart(n, rows, before) {
  const wide = before + n, bias = new Float32Array(n * wide).fill(HIDDEN);
  for (let i = 0; i < n; i++) {
    bias.fill(0, i * wide, i * wide + before);
    bias.fill(0, i * wide + before + i - (i % rows), i * wide + before + i + 1);
  }
  return { at: Float32Array.from({ length: n }, (_, i) => before + (i % rows)), bias };
}
