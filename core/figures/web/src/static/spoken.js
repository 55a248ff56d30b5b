// What the model that predicts the next token gives to the key of a lesson's question (`core/lessons/spoken_records.py`): each
// record is made once in this tab, and what is still to be made ends with the card that asked for it.
/** @import { Changes } from "../engine/changed.js" */
/** @import { Engine } from "../engine/engine.js" */
/** @import { Trace } from "../engine/trace.js" */
/** @import { Speaks } from "./speaking.js" */
import { range } from "../derive/numbers.js";
import { SPACES } from "../engine/words.js";
import { NoAnswer, fromZero, sum, there, tokensOf } from "./given.js";

/** @typedef {import("./expressions.js").Records} Records */
/** Texts of random words, said twice, and heads to ablate beside those that copy, by the number of words and the seed. @typedef {Readonly<Record<string, { text: string, controls: [number, number][][] }>>} Repeated */
/** How far a record has come: layers that have run, of so many. @typedef {(layers: number, of: number) => void} Heard */

const RECORDS = 40; // that are remembered: one of 49,152 logits takes 200 kB
const MOST_WRITTEN = 40; // tokens
const SECOND = 2;

/** Somebody has gone on. */
export class GivenUp extends Error {}

/** @type {WeakMap<Speaks, Map<string, any>>} */
const remembered = new WeakMap();

export class Spoken {
  #known;
  /** Whether the model computes our question now. */
  #asking = false;
  /** @type {Map<string, Trace>} */
  #traces = new Map();

  /**
   * @param {Speaks} speaks
   * @param {Repeated} repeated
   * @param {{ signal?: AbortSignal, heard?: Heard }} [how] `signal`: ends what nobody waits for any more
   */
  constructor(speaks, repeated, { signal, heard = () => {} } = {}) {
    this.speaks = speaks;
    this.repeated = repeated;
    this.signal = signal;
    this.heard = heard;
    this.#known = remembered.get(speaks) ?? new Map();
    remembered.set(speaks, this.#known);
    signal?.addEventListener("abort", () => {
      if (this.#asking) speaks.engine.stop();
    });
  }

  get shape() {
    return /** @type {import("../engine/types").DecoderManifest} */ (this.speaks.engine.manifest).shape;
  }

  /**
   * The record of this key. A question of the page's ends ours: then it is asked again, and ours ends none.
   * @template T @param {unknown[]} key @param {(engine: Engine, heard: (layers: number) => void) => Promise<T | null>} ask
   * @returns {Promise<T>}
   */
  async once(key, ask) {
    const name = JSON.stringify(key);
    while (!this.signal?.aborted) {
      const made = this.#known.get(name) ?? await this.speaks.aside(async () => {
        if (this.signal?.aborted) return null;
        this.#asking = true;
        try {
          return await ask(this.speaks.engine, (layers) => this.heard(layers, this.shape.layers));
        } finally {
          this.#asking = false;
        }
      }, false);
      if (!made) continue;
      this.#known.delete(name);
      this.#known.set(name, made);
      for (const old of [...this.#known.keys()].slice(0, -RECORDS)) this.#known.delete(old);
      return made;
    }
    throw new GivenUp();
  }

  /** The trace of a text. @param {string} text @returns {Promise<Trace>} */
  async trace(text) {
    const known = this.#traces.get(text) ?? await this.speaks.ask(() => this.speaks.engine.trace(text), false);
    this.#traces.set(text, known);
    return known;
  }

  /** What comes next, the likeliest first. @param {string} text @param {number[]} [more] ids of tokens behind it @returns {Promise<import("../engine/speaker.js").NextToken>} */
  next(text, more = []) {
    return this.once(["next", text, more], (engine) => engine.expect(text, more));
  }

  /**
   * The logits behind a text and what else a run says, changed or as it is.
   * @param {string} text @param {Changes | null} changes @param {string[]} [words] whose ids are wanted @param {boolean} [scored] @param {number[]} [more]
   */
  run(text, changes, words = [], scored = false, more = []) {
    return this.once(["run", text, changes, words, scored, more], (engine, heard) => engine.changed(text, { words, changes, scored, more }, heard));
  }

  /** Why a word comes next; "" for the likeliest and its rival. @param {string} text @param {string} [word] @param {string} [other] @returns {Promise<import("../engine/why.js").Why>} */
  why(text, word = "", other = "") {
    return this.once(["why", text, word, other], (engine) => engine.why(text, [], { word, other, at: 0 }));
  }

  /** How a text surprises the model. @param {string} text @returns {Promise<import("../derive/expecting.js").Score>} */
  score(text) {
    return this.once(["score", text], (engine) => engine.score(text));
  }

  /** @param {string} a @param {string} b @param {string[]} words */
  patched(a, b, words) {
    return this.once(["patched", a, b, words], (engine, heard) => engine.patched(a, { other: b, words }, heard));
  }

  /** @param {string} text */
  sink(text) {
    return this.once(["sink", text], (engine, heard) => engine.sink(text, heard));
  }

  /** A text of a first word, random words, and the same again. @param {number} words @param {number} seed */
  twice(words, seed) {
    return there(this.repeated[`${words}.${seed}`]);
  }

  /** What each head attends to in a text that repeats its last words. @param {string} text @param {number} length of a half @returns {Promise<Copying>} */
  async copying(text, length) {
    const key = JSON.stringify(["copying", text, length]), known = this.#known.get(key) ?? copyingHeads(await this.trace(text), length);
    this.#known.set(key, known);
    return known;
  }

  /** The surprise at each token without the heads that copy best. @param {string} text @param {number} length @param {number} count */
  async withoutCopying(text, length, count) {
    const best = ranked((await this.copying(text, length)).induction).slice(0, count);
    return there((await this.run(text, { ablated: best }, [], true)).bits);
  }

  /** What the model writes, in words; no other question ends it. @param {string} text @param {number} count tokens @param {number} temperature @param {number} seed @returns {Promise<string>} */
  async written(text, count, temperature, seed) {
    const key = JSON.stringify(["written", text, count, temperature, seed]), parts = /** @type {string[]} */ ([]), sampling = { temperature, topK: 0, topP: 1, minP: 0 };
    if (!this.#known.has(key)) {
      await this.speaks.ask(() => this.speaks.engine.write(text, [], count, { sampling, seed, stops: [] }, ({ added }) => parts.push(added)), false);
      this.#known.set(key, parts.join("").split(SPACES).filter(Boolean).join(" "));
    }
    return this.#known.get(key);
  }
}

/** (layers × heads), mean weights over some rows. @typedef {{ induction: number[][], previous: number[][], duplicate: number[][], sink: number[][] }} Copying */

/**
 * `core/measures/attention/copying.py`.
 * @param {Trace} trace of a text whose last tokens repeat those before them @param {number} length how many
 * @returns {Copying}
 */
export function copyingHeads(trace, length) {
  const { n, layers, heads } = trace;
  if (length < 2 || n < 2 * length + 1) throw new NoAnswer(`${n} tokens are not one and twice ${length}.`);
  const second = range(length).map((i) => n - length + i), inside = range(2 * length - 1).map((i) => n - 2 * length + 1 + i); // before the first of a half stands the sink
  const mean = (/** @type {number[]} */ rows, /** @type {(row: number) => number} */ column) => range(layers).map((layer) => range(heads).map((head) =>
    sum(rows.map((row) => trace.weight(layer, head, row, column(row)))) / rows.length));
  return {
    induction: mean(second, (row) => row - length + 1), previous: mean(inside, (row) => row - 1),
    duplicate: mean(second, (row) => row - length), sink: mean(inside, () => 0),
  };
}

/** All heads, the highest score first: [layer, head] from 0. @param {number[][]} values @returns {[number, number][]} */
export const ranked = (values) => values.flatMap((row, layer) => row.map((value, head) => ({ value, at: /** @type {[number, number]} */ ([layer, head]) })))
  .sort((a, b) => b.value - a.value).map(({ at }) => at);

/** @param {ArrayLike<number>} logits @param {number} id @param {number} [temperature] */
export function shareOf(logits, id, temperature = 1) {
  if (!(temperature >= 0.01 && temperature <= 100)) throw new NoAnswer("A temperature must be from 0.01 to 100.");
  let all = 0;
  for (let i = 0; i < logits.length; i++) all += Math.exp((logits[i] - logits[id]) / temperature);
  return 1 / all;
}
/** How many tokens are likelier, and 1. @param {Float32Array} logits @param {number} id */
export const placeOf = (logits, id) => 1 + logits.reduce((more, logit) => more + Number(logit > logits[id]), 0);
/** @param {{ logits: Float32Array, ids: number[] }} run of two words */
export const gapOf = ({ logits, ids: [one, other] }) => logits[one] - logits[other];
/** The mean surprise at the tokens of a half. @param {ArrayLike<number>} bits @param {number} length @param {number} half */
export function bitsOfHalf(bits, length, half) {
  const own = Array.from(bits).slice(bits.length - (3 - half) * length, bits.length - (SECOND - half) * length).filter((one) => !Number.isNaN(one));
  return sum(own) / own.length;
}

/** @param {Spoken} spoken @param {any} given */
async function ownToken(spoken, { text, word }) {
  if (word === undefined) return (await spoken.next(text)).top.ids[0];
  return (await spoken.run(text, null, [word])).ids[0];
}
/** An operation of these. @param {(spoken: Spoken, given: any) => any} of */
const asked = (of) => (/** @type {any} */ given, /** @type {Records} */ records) => of(there(records.spoken), given);
/** @param {(spoken: Spoken, given: any) => Changes | null | Promise<Changes>} changes */
const lead = (changes) => asked(async (spoken, given) => gapOf(await spoken.run(given.text, await changes(spoken, given), [given.word, given.other])));
/** A run with a part as the paper had it. @param {Spoken} spoken @param {{ text: string, part?: string }} given */
const exchanged = (spoken, { text, part = "as it is" }) => spoken.run(text, part === "as it is" ? null : { part });
/** The tokens of the word that speaks most, all its pieces together; none for no word. @param {Spoken} spoken @param {any} given */
async function mostOf(spoken, { text, word, other }) {
  const [{ parted }, trace] = [await spoken.why(text, word, other), await spoken.trace(text)], byWord = /** @type {Map<number, number[]>} */ (new Map());
  trace.wordIds.forEach((id, token) => { // the first token draws attention whatever it is
    if (id >= 0 && token) byWord.set(id, [...byWord.get(id) ?? [], token]);
  });
  const added = (/** @type {number[]} */ some) => sum(some.map((token) => parted.parts.sources[token]));
  return { trace, tokens: [...byWord.values()].reduce((best, some) => (!best.length || added(some) > added(best) ? some : best), []) };
}
/** @param {Spoken} spoken @param {any} given */
const partsOf = async (spoken, { text, word, other }) => (await spoken.why(text, word, other)).parted.parts;
/** @param {Spoken} spoken @param {any} given */
async function kindOf(spoken, { words, seed, kind }) {
  if (!["induction", "previous", "duplicate", "sink"].includes(kind)) throw new NoAnswer(`There is no kind of head “${kind}”.`);
  return (await spoken.copying(spoken.twice(words, seed).text, words))[/** @type {keyof Copying} */ (kind)];
}
/** @param {number[][]} values @param {number} layer @param {number} head from 1 */
const ofHead = (values, layer, head) => values[fromZero(values.length, layer)][fromZero(values[0].length, head)];

/** The surprise at the words of a text, or at those behind its beginning. @param {Spoken} spoken @param {any} given */
async function bitsAWord(spoken, { text, behind = "" }) {
  if (!text.startsWith(behind)) throw new NoAnswer("The beginning is not that of the text.");
  const { bits, starts, ends, ranks } = await spoken.score(text), start = [...behind].length, scored = range(bits.length).filter((i) => ranks[i] >= 0);
  const first = Math.min(...scored.map((i) => starts[i])), places = scored.filter((i) => ends[i] > start);
  const words = [...text].slice(Math.max(start, first)).join("").split(SPACES).filter(Boolean).length;
  if (!places.length || !words) throw new NoAnswer("The text is too short.");
  return sum(places.map((i) => bits[i])) / words;
}

/** How much of the lead comes back with one state. @param {Spoken} spoken @param {any} given */
async function comesBack(spoken, { text, "other text": other, word, other: rival, at, layer }) {
  const [token, ...more] = tokensOf(await spoken.trace(text), at), { first, a, b, leads } = await spoken.patched(text, other, [word, rival]);
  if (more.length || Math.abs(a - b) < 1e-6) throw new NoAnswer("Nothing can come back.");
  return ((token < first ? b : leads[fromZero(leads.length, layer + 1)][token - first]) - b) / (a - b);
}

/** What each operation gives. @type {Record<string, (given: any, records: Records) => any>} */
export const OPERATIONS = {
  "next words": asked(async (spoken, { text }) => (await spoken.next(text)).top.texts.slice(0, 10).map((one) => one.trim() || one.replaceAll(" ", "␣").replaceAll("\n", "↵"))),
  rival: asked(async (spoken, { text }) => (await spoken.why(text)).rival.trim()),
  "next probability": asked(async (spoken, given) => {
    const id = await ownToken(spoken, given);
    return shareOf((await spoken.run(given.text, null)).logits, id, given.temperature);
  }),
  writes: asked(async (spoken, { text, many, temperature = 1, seed = 0 }) => {
    if (!(many >= 1 && many <= MOST_WRITTEN)) throw new NoAnswer(`It writes 1 to ${MOST_WRITTEN} tokens.`);
    return spoken.written(text, many, temperature, seed);
  }),
  "bits a word": asked(bitsAWord),
  lead: lead(() => null),
  "lead without word": lead(async (spoken, { text, by }) => {
    const trace = await spoken.trace(text);
    return { cuts: tokensOf(trace, by).map((key) => [trace.n - 1, key]) };
  }),
  "lead without head": lead(({ shape: { layers, heads } }, { layer, head }) => ({ ablated: [[fromZero(layers, layer), fromZero(heads, head)]] })),
  speaks: asked(async (spoken, given) => {
    const [{ sources }, trace] = [await partsOf(spoken, given), await spoken.trace(given.text)];
    return sum(tokensOf(trace, given.by).map((token) => sources[token]));
  }),
  "speaks most": asked(async (spoken, given) => {
    const { trace: { text, starts, ends }, tokens } = await mostOf(spoken, given);
    return tokens.length ? [...text].slice(starts[tokens[0]], ends[tokens[tokens.length - 1]]).join("").trim() : "";
  }),
  "speaks most at": asked(async (spoken, given) => Math.max(-1, ...(await mostOf(spoken, given)).tokens) + 1),
  "head speaks": asked(async (spoken, given) => ofHead((await partsOf(spoken, given)).heads, given.layer, given.head)),
  "head speaks most": asked(async (spoken, given) => ranked((await partsOf(spoken, given)).heads)[0].map((one) => one + 1)),
  "comes back": asked(comesBack),
  "to the first": asked(async (spoken, { text }) => {
    const { attention } = await spoken.sink(text);
    return sum(attention) / attention.length;
  }),
  "from the first": asked(async (spoken, { text }) => {
    const { written, otherWritten } = await spoken.sink(text);
    return sum(written) / (sum(written) + sum(otherWritten));
  }),
  "probability without the first": asked(async (spoken, given) => shareOf((await spoken.run(given.text, await withoutFirst(spoken, given.text))).logits, await ownToken(spoken, given))),
  "said twice": asked((spoken, { words, seed }) => spoken.twice(words, seed).text),
  surprise: asked(async (spoken, { words, seed, half, without = 0 }) => {
    const { text } = spoken.twice(words, seed);
    if (half !== 1 && half !== SECOND) throw new NoAnswer("There are the halves 1 and 2.");
    return bitsOfHalf(without ? await spoken.withoutCopying(text, words, without) : (await spoken.score(text)).bits, words, half);
  }),
  "copying head": asked(async (spoken, given) => ranked(await kindOf(spoken, given))[0].map((one) => one + 1)),
  "copying weight": asked(async (spoken, given) => ofHead(await kindOf(spoken, given), given.layer, given.head)),
  "probability with part": asked(async (spoken, given) => shareOf((await exchanged(spoken, given)).logits, await ownToken(spoken, given))),
  "place with part": asked(async (spoken, given) => placeOf((await exchanged(spoken, given)).logits, await ownToken(spoken, { text: given.text }))),
  "state length": asked(async (spoken, given) => {
    const { lengths } = await exchanged(spoken, given);
    return lengths[fromZero(lengths.length, (given.layer ?? lengths.length - 1) + 1)];
  }),
  keeps: asked(({ shape: { layers, heads, kvHeads, headSize } }, { part }) => 2 * layers * (part === "heads" ? heads : kvHeads) * headSize),
};

/** The cuts that hide the first token from all others. @param {Spoken} spoken @param {string} text @returns {Promise<Changes>} */
export async function withoutFirst(spoken, text) {
  return { cuts: range((await spoken.trace(text)).n).slice(1).map((query) => [query, 0]) };
}
