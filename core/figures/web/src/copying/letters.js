// Random letters that occur twice, which a model of a few layers learns to copy: `core/tasks/languages/induction.py`.
/** @import { Random } from "../owntext/random.js" */
import TASK from "./task.json" with { type: "json" };

const { shortest: SHORTEST, longest: LONGEST, first: FIRST, pad: PAD, unknowable: UNKNOWABLE, heldOut: HELD_OUT, heldOutOf: OF } = TASK;
/** All letters, in the order of their ids. */
const SIGNS = [...TASK.signs];
const NOWHERE = -1;
/** The tokens of an example, padded: the longest of all, so that one compiled kernel reads each. */
export const LENGTH = 2 * LONGEST - 1;

/**
 * Examples side by side, (B, LENGTH) each: what is read, what comes next, how much each label counts, and the place to
 * which the last layer should attend.
 * @typedef {{ count: number, reads: Int32Array<ArrayBuffer>, labels: Int32Array, counts: Float32Array, attendTo: Int32Array }} Batch
 */

/** The ids of a word. @param {string} word */
const idsOf = (word) => [...word].map((sign) => FIRST + SIGNS.indexOf(sign));
const PROBE = idsOf(TASK.probe);

/** CRC-32 (ISO 3309). @param {readonly number[]} bytes */
function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** Whether nothing is learned from these letters. @param {readonly number[]} ids */
export const isHeldOut = (ids) => crc32(ids) % OF === 0 || String(ids) === String(PROBE);

/** Different letters, none of them held out. @param {Random} random @returns {number[]} */
export function drawn(random) {
  for (;;) {
    const count = SHORTEST + random.below(LONGEST - SHORTEST + 1), all = SIGNS.map((_, i) => FIRST + i);
    for (let i = 0; i < count; i++) {
      const other = i + random.below(all.length - i);
      [all[i], all[other]] = [all[other], all[i]];
    }
    const ids = all.slice(0, count);
    if (!isHeldOut(ids)) return ids;
  }
}

/** Each word twice, without its last letter, which is only a label. @param {readonly (readonly number[])[]} words @returns {Batch} */
export function batchOf(words) {
  const size = words.length * LENGTH, made = {
    count: words.length, reads: new Int32Array(size).fill(PAD), labels: new Int32Array(size).fill(PAD),
    counts: new Float32Array(size), attendTo: new Int32Array(size).fill(NOWHERE),
  };
  words.forEach((word, row) => {
    const n = word.length, at = row * LENGTH;
    made.reads.set([...word, ...word.slice(0, -1)], at);
    made.labels.set([...word.slice(1), PAD, ...word.slice(1)], at);
    made.counts.fill(UNKNOWABLE, at, at + n - 1).fill(1, at + n, at + 2 * n - 1);
    for (let i = 1; i < n; i++) made.attendTo[at + n + i - 1] = i;
  });
  return made;
}

/** The words that measure, which are the server's. */
export const heldOut = () => batchOf(HELD_OUT.map(idsOf));

/** The word whose attention is shown, as it is read, and its letters. */
export const probe = () => ({ ids: [...PROBE, ...PROBE.slice(0, -1)], tokens: [...TASK.probe + TASK.probe.slice(0, -1)] });
