// The mask of a layer's queries, as sent by `masks.py`.
/** @import { Run } from "../types" */
/** @import { MaskHeader } from "../headers" */
import { runsOf } from "../draw/hatch.js";

export class Mask {
  /**
   * For `n` queries and `m` keys: a range of visible keys for each query, or a bit for each cell.
   * @param {MaskHeader} header
   * @param {number} n
   * @param {number} m
   */
  constructor({ causal, mask }, n, m) {
    /** Whether anything is masked. */
    this.any = Boolean(causal || mask);
    /** A bit for each query and key; null if `from` and `to` describe the mask. */
    this.bits = mask?.bits ? Uint8Array.from(atob(mask.bits), (sign) => sign.charCodeAt(0)) : null;
    this.m = m;
    /** For each query, the first key that it sees, and the one after the last. */
    this.from = Int32Array.from({ length: n }, (_, i) => mask?.from?.[i] ?? 0);
    this.to = Int32Array.from({ length: n }, (_, i) => mask?.to?.[i] ?? (causal ? i + m - n + 1 : m));
  }

  /**
   * Whether query i may not see key j.
   * @param {number} i
   * @param {number} j
   */
  hides(i, j) {
    const { bits, from, to } = this, at = i * this.m + j;
    return bits ? Boolean(bits[at >> 3] & (1 << (at & 7))) : j < from[i] || j >= to[i];
  }

  /**
   * For each of these queries, the masked ones among these keys.
   * @param {readonly number[]} queries
   * @param {readonly number[]} keys
   * @returns {Run[][]}
   */
  spans(queries, keys) {
    return queries.map((i) => (this.any ? runsOf(keys.length, (c) => this.hides(i, keys[c])) : []));
  }
}
