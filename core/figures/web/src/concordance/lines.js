// The lines of a concordance from its bytes, in the order that is asked for. Bytes: for each line where its left
// context, the word, its right context begin and where that ends, (lines, 4) uint32; its rank within all by how
// typical it is of its group, uint32; the number of its value in each column, uint32; if the header has numbers, its number,
// float32; its group, uint8; then all sentences as UTF-8.
/** @import { ConcordanceHeader } from "../headers" */
/** @import { ConcordanceState } from "../states" */

export const FIRST = 4; // lines of each group where all groups are shown, or more if there is room

/**
 * What a row of the list shows: a line, and how many are alike if it is not alone; the heading of a group; or how to see the
 * rest of a group.
 * @typedef {{ line: number, times?: number } | { head: number } | { more: number }} Row
 */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LETTER = /\p{L}/u;
const MOST = 700; // characters of a context that may have room in a line
const LEAST_SHARE = 0.1, SPARE = 1.08; // of the room; the longest by its letters need not be the widest
export const AROUND = 180; // characters of a context by which lines are sorted, and that are read aloud
/** Words, and between two letters where no word fits. */
const SEGMENTERS = ["word", "grapheme"].map((granularity) => new Intl.Segmenter(undefined, { granularity: /** @type {"word"} */ (granularity) }));

/** Whether a text begins in a script that runs from right to left. @param {string} text */
export function runsLeft(text) {
  const first = LETTER.exec(text);
  return first !== null && RIGHT_TO_LEFT.test(first[0]);
}

/**
 * A text that ends where a word ends, with an ellipsis; or, from its end, that begins where a word begins.
 * @param {string} text @param {boolean} backwards whether its end stays
 * @param {(part: string) => boolean} fits whether a part has room
 */
export function clipped(text, backwards, fits) {
  if (fits(text)) return text;
  const near = backwards ? text.slice(-MOST) : text.slice(0, MOST);
  for (const segmenter of SEGMENTERS) {
    const ends = [...segmenter.segment(near)].filter(({ segment }) => segment.trim()).map(({ index, segment }) => backwards ? index : index + segment.length);
    if (backwards) ends.reverse();
    const part = (/** @type {number} */ n) => backwards ? `…${near.slice(ends[n])}` : `${near.slice(0, ends[n])}…`;
    let [least, most] = [-1, ends.length - 1];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (fits(part(middle))) least = middle;
      else most = middle - 1;
    }
    if (least >= 0) return part(least);
  }
  return "…";
}

/**
 * The share of the left context in the room of both: half, or what the shorter one needs and no more.
 * @param {readonly number[]} wide how wide the longest left context and the longest right one are
 * @param {number} room pixels of both
 */
export function leftShare([left, right], room) {
  const [before, after] = [left, right].map((wide) => Math.max(LEAST_SHARE, (SPARE * wide) / Math.max(1, room)));
  return before <= 0.5 ? before : after <= 0.5 ? 1 - after : 0.5;
}

/** @param {string} text @param {boolean} backwards */
export const nearby = (text, backwards) => clipped(text, backwards, (part) => part.length <= AROUND);

/**
 * Where a line stands in an order that looks random, and is the same each time and in Python.
 * @param {number} line
 */
function shuffled(line) {
  let key = Math.imul(line + 1, 0x9e3779b1);
  key = Math.imul(key ^ (key >>> 15), 0x85ebca6b);
  return (key ^ (key >>> 13)) >>> 0;
}

/**
 * By what a line is sorted: the words next to the word, the nearest first.
 * @param {string} context @param {boolean} backwards
 */
export function contextKey(context, backwards) {
  const words = context.toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, " ").split(/\s+/).filter(Boolean);
  return (backwards ? words.reverse() : words).join(" ");
}

export class Lines {
  /** Orders that were computed before. @type {Map<string, Uint32Array>} */
  orders = new Map();
  /** See `alike`. @type {Uint32Array | null} */
  firsts = null;

  /** @param {ConcordanceHeader} header @param {Uint8Array} bytes */
  constructor(header, bytes) {
    const { lines: count, columns, numbers } = header;
    let at = bytes.byteOffset;
    const whole = (/** @type {number} */ length) => new Uint32Array(bytes.buffer, (at += 4 * length) - 4 * length, length);
    this.header = header;
    this.count = count;
    this.places = whole(4 * count);
    this.ranks = whole(count);
    this.codes = columns.map(() => whole(count));
    this.numbers = numbers === null ? null : new Float32Array(bytes.buffer, whole(count).byteOffset, count);
    const after = at - bytes.byteOffset;
    this.groups = bytes.subarray(after, after + count);
    this.text = bytes.subarray(after + count);
    this.decoder = new TextDecoder();
  }

  /** The rows of the longest list: all lines, or the first lines of all groups with their headings. @param {number} first */
  longest(first = FIRST) {
    const { counts } = this.header;
    const grouped = counts.reduce((sum, n) => sum + Number(n > 0) + Math.min(n, first) + Number(n > first), 0);
    return Math.max(this.count, counts.length > 1 ? grouped : 0);
  }

  /** The left context, the word and the right context of a line. @param {number} i @returns {[string, string, string]} */
  parts(i) {
    const { places, text, decoder } = this;
    const part = (/** @type {number} */ j) => decoder.decode(text.subarray(places[4 * i + j], places[4 * i + j + 1]));
    return [part(0), part(1), part(2)];
  }

  /**
   * Of some rows, the longest left context (part 0) or right one (2), as far as it may have room.
   * @param {readonly Row[]} rows @param {number} part
   */
  longestContext(rows, part) {
    const { places, text, decoder } = this;
    let [start, end] = [0, 0];
    for (const row of rows) {
      if (!("line" in row)) continue;
      const at = 4 * row.line + part;
      if (places[at + 1] - places[at] > end - start) [start, end] = [places[at], places[at + 1]];
    }
    const whole = decoder.decode(text.subarray(start, end));
    return part ? whole.slice(0, MOST) : whole.slice(-MOST);
  }

  /** For each line the first one with the same sentence and the word at the same place. @returns {Uint32Array} */
  get alike() {
    /** @type {Map<string, number>} */
    const known = new Map();
    return this.firsts ??= Uint32Array.from({ length: this.count }, (_, i) => {
      const key = this.parts(i).join();
      return known.get(key) ?? (known.set(key, i), i);
    });
  }

  /**
   * All lines in an order.
   * @param {ConcordanceState} state
   * @param {Float32Array | null} similarity the cosine of each line with the chosen one, once it has come
   */
  order({ sort, column, chosen }, similarity) {
    const name = `${sort} ${sort === "column" ? column : sort === "similar" ? `${chosen} ${similarity !== null}` : ""}`;
    const known = this.orders.get(name);
    if (known) return known;
    const { count, groups, ranks } = this, order = Uint32Array.from({ length: count }, (_, i) => i);
    if (sort === "meaning") order.sort((a, b) => groups[a] - groups[b] || ranks[a] - ranks[b]);
    else if (sort === "column") {
      const codes = this.codes[column];
      order.sort((a, b) => codes[a] - codes[b] || a - b);
    } else if (sort === "left" || sort === "right") {
      const keys = Array.from(order, (i) => contextKey(sort === "left" ? this.parts(i)[0].slice(-MOST) : this.parts(i)[2].slice(0, MOST), sort === "left"));
      order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
    } else if (sort === "shuffled") order.sort((a, b) => shuffled(a) - shuffled(b) || a - b);
    else if (sort === "similar" && similarity) order.sort((a, b) => similarity[b] - similarity[a] || a - b);
    if (this.orders.size > 20) this.orders.clear();
    this.orders.set(name, order);
    return order;
  }

  /**
   * The rows of the list. The most typical lines stand once each, however often the texts repeat them.
   * @param {ConcordanceState} state
   * @param {Float32Array | null} similarity
   * @param {number} first how many lines of each group are shown where all groups are
   * @returns {Row[]}
   */
  rows(state, similarity, first = FIRST) {
    const { groups, header: { counts } } = this, { sort, group } = state, order = this.order(state, similarity);
    /** @type {Row[]} */
    const rows = [];
    if (sort !== "meaning" || group !== null) {
      for (const line of order) if (group === null || groups[line] === group) rows.push({ line });
      return rows;
    }
    const { alike } = this, whole = counts.length === 1;
    /** In a group, the row of each line that is shown, by the first line like it. @type {Map<number, { line: number, times?: number } | null>} */
    const known = new Map();
    let before = -1, shown = 0;
    for (const line of order) {
      const own = groups[line];
      if (own !== before) {
        if (!whole) rows.push({ head: own });
        known.clear();
        shown = 0;
        before = own;
      }
      const same = alike[line], copy = known.get(same);
      if (copy) {
        copy.times = 1 + (copy.times || 1);
        if (line === state.chosen) copy.line = line;
      } else if (copy === undefined) {
        const row = whole || ++shown <= first ? { line } : null;
        known.set(same, row);
        if (row || shown === first + 1) rows.push(row ?? { more: own });
      }
    }
    return rows;
  }
}
