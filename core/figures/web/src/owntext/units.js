// What a model of one's own reads: letters, or byte pairs, learned from its text (`core/own_text/units.py`). The order
// in which pairs are merged is that of the `tokenizers` library, also among pairs that are equally frequent.
/** @import { Recipe } from "./recipe.js" */
import { BytePairs, SIGNS } from "../engine/bytepairs.js";

export const END = "<|end|>";
const LONGEST = 200, LEAST = 2; // letters of a token; how often a pair must occur
const CONTROL = 3, NORMAL = 1;

/**
 * A tokenizer of these tokens, in the order of their ids, and merges.
 * @param {string[]} tokens @param {[string, string][]} merges
 */
export function rebuilt(tokens, merges) {
  return new BytePairs(new Map(Object.entries({
    "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2", "tokenizer.ggml.tokens": tokens,
    "tokenizer.ggml.token_type": tokens.map((_, i) => (i ? NORMAL : CONTROL)),
    "tokenizer.ggml.merges": merges.map((pair) => pair.join(" ")), "tokenizer.ggml.eos_token_id": 0,
  })), Infinity);
}

/**
 * The tokenizer of a text.
 * @param {string} text @param {Recipe} recipe
 * @returns {{ tokens: string[], merges: [string, string][], reader: BytePairs }}
 */
export function learned(text, recipe) {
  const tokens = [END, ...SIGNS.toSorted()], letters = rebuilt(tokens, []);
  /** @type {[string, string][]} */
  const merges = [];
  if (recipe.kind === "pairs") merge(runs(letters, text), tokens, merges, tokens.length + recipe.pairs);
  return { tokens, merges, reader: rebuilt(tokens, merges) };
}

/** The runs of a text, each with the sign of every byte. @param {BytePairs} reader @param {string} text @returns {Generator<string>} */
function* runs(reader, text) {
  const characters = [...text];
  for (let i = 0, end; i < characters.length; i = end) {
    end = reader.endOfRun(characters, i, characters.length);
    const bytes = new TextEncoder().encode(characters.slice(i, end).join(""));
    yield Array.from(bytes, (byte) => SIGNS[byte]).join("");
  }
}

/** @typedef {{ first: number, second: number, count: number, runs: Set<number> }} Waiting a pair and where it may stand */

/** Whether a pair is merged before another. @param {Waiting} one @param {Waiting} other */
const isBefore = (one, other) =>
  one.count - other.count || other.first - one.first || other.second - one.second;

/**
 * Adds tokens and merges, the most frequent pair first, of equal ones the one with the lower ids.
 * @param {Iterable<string>} text its runs @param {string[]} tokens @param {[string, string][]} merges @param {number} most tokens
 */
function merge(text, tokens, merges, most) {
  /** @type {Map<string, number>} */
  const counted = new Map(), ids = new Map(tokens.map((token, id) => [token, id]));
  for (const run of text) counted.set(run, (counted.get(run) ?? 0) + 1);
  const times = [...counted.values()], words = Array.from(counted.keys(), (run) => Array.from(run, (sign) => ids.get(sign) ?? 0));
  const sizes = tokens.map(() => 1); // in bytes
  /** How often each pair stands in the text. @type {Map<number, number>} */
  const counts = new Map();
  const named = (/** @type {number} */ first, /** @type {number} */ second) => first * most + second;
  const heap = new Heap();
  /** Pairs that have come up since the heap was last filled. @type {Map<number, Set<number>>} */
  let fresh = new Map();
  const add = (/** @type {number} */ pair, /** @type {number} */ count, /** @type {number} */ run) => {
    counts.set(pair, (counts.get(pair) ?? 0) + count);
    if (count < 0) return;
    const where = fresh.get(pair);
    if (where) where.add(run);
    else fresh.set(pair, new Set([run]));
  };
  const wait = () => {
    for (const [pair, where] of fresh) {
      const count = counts.get(pair) ?? 0;
      if (count > 0) heap.push({ first: Math.floor(pair / most), second: pair % most, count, runs: where });
    }
    fresh = new Map();
  };
  words.forEach((run, r) => {
    for (let i = 0; i + 1 < run.length; i++) add(named(run[i], run[i + 1]), times[r], r);
  });
  wait();
  while (tokens.length < most) {
    const top = heap.pop();
    if (!top) return;
    const { first, second } = top, count = counts.get(named(first, second)) ?? 0;
    if (count !== top.count) {
      heap.push({ ...top, count });
      continue;
    }
    if (count < LEAST) return;
    const token = tokens[first] + tokens[second], id = ids.get(token) ?? tokens.length;
    if (id === tokens.length) {
      tokens.push(token);
      ids.set(token, id);
      sizes.push(sizes[first] + sizes[second]);
    }
    merges.push([tokens[first], tokens[second]]);
    for (const r of top.runs) {
      const run = words[r], n = times[r];
      for (let i = 0; i + 1 < run.length; i++) {
        if (run[i] !== first || run[i + 1] !== second) continue;
        if (i > 0) {
          add(named(run[i - 1], first), -n, r);
          if (sizes[run[i - 1]] + sizes[id] < LONGEST) add(named(run[i - 1], id), n, r);
        }
        if (i + 2 < run.length) {
          add(named(second, run[i + 2]), -n, r);
          if (sizes[run[i + 2]] + sizes[id] < LONGEST) add(named(id, run[i + 2]), n, r);
        }
        run.splice(i, 2, id);
      }
    }
    wait();
  }
}

/** A binary heap with the pair that is merged next on top. */
class Heap {
  /** @type {Waiting[]} */
  #all = [];

  /** @param {Waiting} one */
  push(one) {
    const all = this.#all;
    let at = all.push(one) - 1;
    for (let up = (at - 1) >> 1; at > 0 && isBefore(one, all[up]) > 0; up = (at - 1) >> 1) {
      all[at] = all[up];
      at = up;
    }
    all[at] = one;
  }

  pop() {
    const all = this.#all, top = all[0], last = all.pop();
    if (last === undefined || !all.length) return last;
    let at = 0;
    for (let down = 1; down < all.length; down = 2 * at + 1) {
      if (down + 1 < all.length && isBefore(all[down + 1], all[down]) > 0) down++;
      if (isBefore(last, all[down]) >= 0) break;
      all[at] = all[down];
      at = down;
    }
    all[at] = last;
    return top;
  }
}
