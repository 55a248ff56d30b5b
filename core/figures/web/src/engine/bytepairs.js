// From a text to the tokens of a byte-level BPE, as Python's tokenizer splits it, out of a GGUF file's own metadata:
// its tokens, their kinds and its merges (`core/pretrained/files/gguf/tokenizer.py`). A text is cut at special tokens,
// then into runs of letters, of other signs and of spaces; in each run, the pair of tokens that was learned first is
// merged first (Sennrich et al. 2016; Radford et al. 2019 for bytes). What each character is stands in a table that
// `python -m tools.constants` asks the library for, since a browser may know another version of Unicode.
/** @typedef {import("./types").Encoded} Encoded */

import CHARACTERS from "./characters.json" with { type: "json" };
import { wellFormed } from "./words.js";

/** What a character is to the tokenizer; another sign is 0. */
const LETTER = 1, SPACE = 2, DIGIT = 3;
/** Kinds of tokens in a GGUF file that are found as they are written. */
const CONTROL = 3, OF_USER = 4;
/** The ways to cut texts, `tokenizer.ggml.pre`, and whether each digit stands alone. @type {ReadonlyMap<unknown, boolean>} */
const CUTS = new Map([["smollm", true], ["gpt-2", false]]);
const AFTER_APOSTROPHE = ["s", "t", "re", "ve", "m", "ll", "d"];
const CONTEXT = 8; // tokens before a new one that decide how it is spelled
const NAMED = ["bos", "eos", "unknown", "padding"];

/** The sign that stands for each byte in the name of a token: itself, or one behind the first 256 if it cannot be seen. */
export const SIGNS = (() => {
  let unseen = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const seen = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCharCode(seen ? byte : unseen++);
  });
})();
const BYTES = new Map(SIGNS.map((sign, byte) => [sign, byte]));
/** What the library counts characters by: a sign's own length in UTF-8. */
const LENGTHS = SIGNS.map((sign) => (sign < "\x80" ? 1 : 2));

/** The kind of every character, made when the first text is read. @type {Uint8Array | null} */
let kinds = null;

function kindsOfAll() {
  const all = new Uint8Array(0x110000);
  for (const [kind, table] of [[LETTER, CHARACTERS.letters], [SPACE, CHARACTERS.spaces], [DIGIT, CHARACTERS.digits]]) {
    let at = 0;
    const ends = String(table).split(" ").map((step) => (at += parseInt(step, 36)));
    for (let i = 0; i < ends.length; i += 2) all.fill(Number(kind), ends[i], ends[i + 1]);
  }
  return all;
}

export class BytePairs {
  /**
   * @param {ReadonlyMap<string, unknown>} settings the metadata of a GGUF file
   * @param {number} most the tokens of the longest text
   * @throws {RangeError} it is another tokenizer
   */
  constructor(settings, most) {
    const of = (/** @type {string} */ name) => settings.get(`tokenizer.ggml.${name}`);
    const named = `${of("model")}, ${of("pre")}`;
    const digitsAlone = CUTS.get(of("pre"));
    if (of("model") !== "gpt2" || digitsAlone === undefined || of("add_bos_token")) {
      throw new RangeError(`This page cannot read the tokenizer of the model (${named.slice(0, 80)}).`);
    }
    this.most = most;
    this.digitsAlone = digitsAlone;
    this.tokens = /** @type {string[]} */ (of("tokens"));
    const types = /** @type {ArrayLike<number>} */ (of("token_type"));
    /** @type {Map<string, number>} */
    this.ids = new Map(this.tokens.map((token, id) => [token, id]));
    const id = (/** @type {string} */ token) => {
      const found = this.ids.get(token);
      if (found === undefined) throw new RangeError(`The tokenizer merges ${token}, which is not among its tokens.`);
      return found;
    };
    this.ofByte = SIGNS.map((sign) => this.ids.get(sign) ?? -1);
    /** The rank of each pair that is merged, by `#pair`. @type {Map<number, number>} */
    this.ranks = new Map();
    /** What a merge makes, by its rank. */
    this.made = /** @type {string[]} */ (of("merges")).map((merge, rank) => {
      const at = merge.indexOf(" "), first = merge.slice(0, at), second = merge.slice(at + 1);
      this.ranks.set(this.#pair(id(first), id(second)), rank);
      return id(first + second);
    });
    /** Tokens that are found in a text as they are written, the longest first, by their first character. @type {Map<string, { id: number, signs: string[] }[]>} */
    this.added = new Map();
    for (const [one, token] of this.tokens.entries()) {
      if (types[one] !== CONTROL && types[one] !== OF_USER) continue;
      const signs = [...token], before = this.added.get(signs[0]) ?? [];
      this.added.set(signs[0], [...before, { id: one, signs }].sort((a, b) => b.signs.length - a.signs.length));
    }
    const numbers = NAMED.map((name) => of(`${name}_token_id`)).filter((number) => typeof number === "number");
    /** The tokens that are no part of a text. */
    this.special = new Set(numbers);
    /** Those with which the model ends what it writes. */
    this.ends = new Set([of("eos_token_id")].filter((number) => typeof number === "number"));
    kinds ??= kindsOfAll();
    this.kinds = kinds;
  }

  /** @param {number} first @param {number} second */
  #pair(first, second) {
    return first * this.tokens.length + second;
  }

  /** @param {string} character */
  #kind(character) {
    return this.kinds[/** @type {number} */ (character.codePointAt(0))];
  }

  /**
   * The tokens of a text; what does not fit the model is left out. Positions count characters, not UTF-16 units. A byte
   * that no token stands for is lost, as in Python.
   * @param {string} raw @returns {Encoded}
   */
  encode(raw) {
    const text = wellFormed(raw), characters = [...text], { most } = this;
    /** @type {[id: number, start: number, end: number][]} */
    const found = [];
    let from = 0; // of the part of the text that no added token has ended
    for (let i = 0; i < characters.length && found.length <= most; i++) {
      const added = this.added.get(characters[i])?.find(({ signs }) => signs.every((sign, k) => characters[i + k] === sign));
      if (!added) continue;
      this.#split(characters, from, i, found);
      from = i + added.signs.length;
      found.push([added.id, i, from]);
      i = from - 1;
    }
    this.#split(characters, from, characters.length, found);
    const all = found.slice(0, most);
    return {
      text,
      ids: Int32Array.from(all, ([id]) => id),
      tokens: all.map(([id]) => this.tokens[id]),
      starts: Int32Array.from(all, ([, start]) => start),
      ends: Int32Array.from(all, ([, , end]) => end),
      special: all.map(() => false),
      leftOut: found.length > most ? [found[most][1], characters.length] : null,
      length: characters.length,
    };
  }

  /**
   * Adds the tokens of the characters `from` to `to`, until there are more than the model reads.
   * @param {string[]} characters @param {number} from @param {number} to @param {[number, number, number][]} found
   */
  #split(characters, from, to, found) {
    for (let i = from; i < to && found.length <= this.most;) {
      const end = this.endOfRun(characters, i, to);
      this.#merged(characters, i, end, found);
      i = end;
    }
  }

  /**
   * Where the run that begins at a character ends: a digit alone, the end of a contraction, letters or other signs with
   * a space before them, or spaces, of which the last stays with what follows.
   * @param {string[]} characters @param {number} i @param {number} to
   */
  endOfRun(characters, i, to) {
    const first = this.#kind(characters[i]), isAlone = (/** @type {number} */ kind) => this.digitsAlone && kind === DIGIT;
    if (isAlone(first)) return i + 1;
    if (characters[i] === "'") {
      const ending = AFTER_APOSTROPHE.find((letters) => i + letters.length < to && [...letters].every((letter, k) => characters[i + 1 + k] === letter));
      if (ending) return i + 1 + ending.length;
    }
    const behind = i + 1 < to ? this.#kind(characters[i + 1]) : SPACE;
    const leads = characters[i] === " " && behind !== SPACE && !isAlone(behind), kind = leads ? behind : first;
    let end = i + 1;
    while (end < to && this.#kind(characters[end]) === kind) end++;
    if (kind !== SPACE || end - i < 2 || end === to || isAlone(this.#kind(characters[end]))) return end;
    return end - 1;
  }

  /**
   * Adds the tokens of one run: of all pairs in it, the one with the least rank is merged, the leftmost of several.
   * @param {string[]} characters @param {number} from @param {number} to @param {[number, number, number][]} found
   */
  #merged(characters, from, to, found) {
    const run = new Run();
    for (let i = from; i < to; i++) {
      for (const byte of bytesOf(/** @type {number} */ (characters[i].codePointAt(0)))) run.add(this.ofByte[byte], LENGTHS[byte], i);
    }
    const rankAt = (/** @type {number} */ at) => {
      const next = at < 0 ? -1 : run.next[at];
      return next < 0 ? undefined : this.ranks.get(this.#pair(run.ids[at], run.ids[next]));
    };
    const waiting = new Waiting(), wait = (/** @type {number} */ at) => {
      const rank = rankAt(at);
      if (rank !== undefined) waiting.push(rank * WIDE + at);
    };
    for (let at = 0; at < run.ids.length; at++) wait(at);
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const at = one % WIDE, rank = (one - at) / WIDE;
      if (rankAt(at) !== rank) continue; // one of the two has been merged meanwhile
      run.merge(at, this.made[rank]);
      wait(run.before[at]);
      wait(at);
    }
    run.into(found);
  }

  /** Whether a token is no part of a text. @param {number} id */
  isSpecial(id) {
    return this.special.has(id);
  }

  /** The tokens of a text that stands behind a letter; none if it merges with that letter. @param {string} text */
  behind(text) {
    const [before, ...more] = this.encode("a").ids, ids = [...this.encode(`a${text}`).ids];
    return !more.length && ids[0] === before ? ids.slice(1) : [];
  }

  /** The text of tokens in a row, without special ones; what is no character is "\ufffd". @param {Iterable<number>} ids */
  decode(ids) {
    return asText([...ids].filter((id) => !this.special.has(id)).flatMap((id) => this.#bytes(id)));
  }

  /** @param {number} id @returns {readonly number[]} */
  #bytes(id) {
    const token = this.tokens[id], bytes = [...token].map((sign) => BYTES.get(sign));
    return bytes.some((byte) => byte === undefined) ? [...new TextEncoder().encode(token)] : /** @type {number[]} */ (bytes);
  }

  /** How a token is written: " bank"; a part of a character by its bytes, a special one by its name. @param {number} id */
  surfaceForm(id) {
    return this.special.has(id) ? this.tokens[id] : spelling(this.#bytes(id));
  }

  /**
   * A text with tokens appended unchanged: `core/pretrained/token_edits.py`. It grows by their spelling. A token that
   * ends inside a character spans the whole of it; a special token spans nothing.
   * @param {Encoded} encoded @param {readonly number[]} more
   * @returns {Encoded}
   * @throws {RangeError} there is no such token, or the model reads no more
   */
  continued(encoded, more) {
    if (!more.length) return encoded;
    if (more.some((id) => !(id in this.tokens))) throw new RangeError(`There is no token ${more.find((id) => !(id in this.tokens))}.`);
    const { ids, leftOut, length } = encoded;
    if (ids.length + more.length > this.most || leftOut) throw new RangeError("The text and what follows it are longer than the model reads.");
    const { text, spans } = this.#spelled(ids, more);
    return {
      text: encoded.text + text,
      ids: Int32Array.from([...ids, ...more]),
      tokens: [...encoded.tokens, ...more.map((id) => this.tokens[id])],
      starts: Int32Array.from([...encoded.starts, ...spans.map(([start]) => length + start)]),
      ends: Int32Array.from([...encoded.ends, ...spans.map(([, end]) => length + end)]),
      special: [...encoded.special, ...more.map((id) => this.special.has(id))],
      leftOut: null,
      length: length + [...text].length,
    };
  }

  /**
   * The spelling of tokens that follow others, and the characters of each within it.
   * @param {Int32Array} before @param {readonly number[]} more
   * @returns {{ text: string, spans: [number, number][] }}
   */
  #spelled(before, more) {
    const own = more.map((id) => !this.special.has(id)), last = own.lastIndexOf(true);
    let ids = [...before].filter((id) => !this.special.has(id)).slice(-CONTEXT);
    let start = [...this.decode(ids)].length, text = "", length = 0;
    /** The tokens of a character that is not yet complete. @type {number[]} */
    let partial = [];
    let broken = ""; // their spelling so far, as "\ufffd"
    /** @type {[number, number][]} */
    const spans = [];
    for (const [i, id] of more.entries()) {
      spans.push([length, length]);
      if (!own[i]) continue;
      ids.push(id);
      const piece = [...this.decode(ids)].slice(start).join("");
      if (piece.endsWith("\ufffd") && i !== last) {
        partial.push(i);
        broken = piece;
        continue;
      }
      // A character that its last token did not complete stays broken, and that token stands alone.
      const long = [...piece].length, alone = piece.startsWith(broken) ? [...broken].length : 0, end = length + long;
      for (const j of partial) spans[j] = [length, alone ? length + alone : end];
      spans[i] = [length + (alone < long ? alone : 0), end];
      [text, length, partial, broken, ids] = [text + piece, end, [], "", ids.slice(-CONTEXT)];
      start = [...this.decode(ids)].length;
    }
    return { text, spans };
  }
}

/**
 * Each token as it stands in the text, with the spaces before it; a special one by its name, "…" for the further tokens
 * of a character, and one that the text does not complete by its bytes: `core/records/pieces.py`.
 * @param {{ text: string, tokens: readonly string[], starts: ArrayLike<number>, ends: ArrayLike<number> }} encoded
 */
export function pieces({ text, tokens, starts, ends }) {
  const characters = [...text];
  let end = 0;
  return tokens.map((token, i) => {
    const own = characters.slice(end, ends[i]).join("") || "…", bytes = [...token].map((sign) => BYTES.get(sign));
    end = Math.max(end, ends[i]);
    if (ends[i] <= starts[i]) return token;
    const isOfBytes = own.includes("\ufffd") && bytes.every((byte) => byte !== undefined);
    return isOfBytes ? spelling(/** @type {number[]} */ (bytes)) : own;
  });
}

/** Bytes as a text, those that make no character between brackets: " ⟨F0 9F⟩". @param {readonly number[]} bytes */
function spelling(bytes) {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** @type {string[]} */
  let odd = [];
  let found = "";
  const close = () => {
    if (odd.length) found += `⟨${odd.join(" ")}⟩`;
    odd = [];
  };
  for (let i = 0; i < bytes.length;) {
    const lead = bytes[i], length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    try {
      const character = strict.decode(Uint8Array.from(bytes.slice(i, i + length)));
      close();
      found += character;
      i += length;
    } catch {
      odd.push(lead.toString(16).toUpperCase().padStart(2, "0"));
      i += 1;
    }
  }
  close();
  return found;
}

/** @param {readonly number[]} bytes */
const asText = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));

/** A character in UTF-8. @param {number} code */
function bytesOf(code) {
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)];
  if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
}

/** The tokens of a run as a list in which neighbours merge. */
class Run {
  /** @type {number[]} */
  ids = [];
  /** How many units of the run's signs each takes, 0 once it is merged. @type {number[]} */
  lengths = [];
  /** @type {number[]} */
  before = [];
  /** @type {number[]} */
  next = [];
  /** The character of each unit. @type {number[]} */
  #from = [];

  /** Adds a byte of a character. @param {number} id −1 if no token stands for it @param {number} length @param {number} character */
  add(id, length, character) {
    for (let i = 0; i < length; i++) this.#from.push(character);
    if (id < 0) return;
    const at = this.ids.push(id) - 1;
    this.lengths.push(length);
    this.before.push(at - 1);
    this.next.push(-1);
    if (at) this.next[at - 1] = at;
  }

  /** Merges a token with the one behind it. @param {number} at @param {number} made */
  merge(at, made) {
    const gone = this.next[at], behind = this.next[gone];
    this.ids[at] = made;
    this.lengths[at] += this.lengths[gone];
    this.lengths[gone] = 0;
    this.next[at] = behind;
    this.next[gone] = -1;
    if (behind >= 0) this.before[behind] = at;
  }

  /**
   * Adds what is left, each with its characters. The library counts the units of the tokens that there are: behind a
   * byte that was lost, they stand too far left, here as there.
   * @param {[number, number, number][]} found
   */
  into(found) {
    let unit = 0;
    for (let at = this.ids.length ? 0 : -1; at >= 0; at = this.next[at]) {
      const end = unit + this.lengths[at];
      found.push([this.ids[at], this.#from[unit], this.#from[end - 1] + 1]);
      unit = end;
    }
  }
}

const WIDE = 2 ** 31; // above any place in a run: rank · WIDE + place is one number

/** Numbers, of which the least is taken first: a binary heap. */
class Waiting {
  /** @type {number[]} */
  #heap = [];

  /** @param {number} number */
  push(number) {
    const heap = this.#heap;
    let at = heap.push(number) - 1;
    for (let up = (at - 1) >> 1; at > 0 && heap[up] > number; up = (at - 1) >> 1) {
      heap[at] = heap[up];
      at = up;
    }
    heap[at] = number;
  }

  pop() {
    const heap = this.#heap, least = heap[0], last = heap.pop();
    if (last === undefined || !heap.length) return last;
    let at = 0;
    for (let down = 1; down < heap.length; down = 2 * at + 1) {
      if (down + 1 < heap.length && heap[down + 1] < heap[down]) down++;
      if (heap[down] >= last) break;
      heap[at] = heap[down];
      at = down;
    }
    heap[at] = last;
    return least;
  }
}
