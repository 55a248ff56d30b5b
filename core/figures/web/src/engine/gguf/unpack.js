// Packed numbers as float32, to the bit those of the `gguf` package, and the rows of q and k in the order in which
// our transformer turns them: `core/pretrained/files/gguf/tensors.py`.
/** @typedef {import("./header").Packing} Packing */
import { Lie } from "./header.js";

const BLOCK = 32; // numbers that share a factor
const halves = new Float32Array(0x10000); // of each half-precision number, by its bits

/** A half-precision number, by its bits. @param {number} bits */
function half(bits) {
  const sign = bits >> 15 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
}
for (let bits = 0; bits < halves.length; bits++) halves[bits] = half(bits);

/** @type {Record<Packing, (bytes: Uint8Array, out: Float32Array) => void>} */
const UNPACK = {
  F32(bytes, out) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < out.length; i++) out[i] = view.getFloat32(4 * i, true);
  },
  F16(bytes, out) {
    for (let i = 0; i < out.length; i++) out[i] = halves[bytes[2 * i] | (bytes[2 * i + 1] << 8)];
  },
  /** d · q: a half-precision factor d, and 32 numbers q from −128 to 127. */
  Q8_0(bytes, out) {
    for (let at = 0, i = 0; i < out.length; at += 34, i += BLOCK) {
      const d = halves[bytes[at] | (bytes[at + 1] << 8)];
      for (let j = 0; j < BLOCK; j++) out[i + j] = d * ((bytes[at + 2 + j] << 24) >> 24);
    }
  },
  /** d · q + m: 32 numbers q from 0 to 15, the first 16 in the lower halves of the bytes. The sum is exact before it is rounded. */
  Q4_1(bytes, out) {
    for (let at = 0, i = 0; i < out.length; at += 20, i += BLOCK) {
      const d = halves[bytes[at] | (bytes[at + 1] << 8)], m = halves[bytes[at + 2] | (bytes[at + 3] << 8)];
      for (let j = 0; j < 16; j++) {
        const both = bytes[at + 4 + j];
        out[i + j] = d * (both & 15) + m;
        out[i + j + 16] = d * (both >> 4) + m;
      }
    }
  },
};

/**
 * The numbers of a tensor, or of some of its rows.
 * @param {Packing} packing @param {Uint8Array} bytes @param {number} count the numbers
 * @throws {Lie} one of them is infinite, or none
 */
export function unpacked(packing, bytes, count) {
  const out = new Float32Array(count);
  UNPACK[packing](bytes, out);
  for (let i = 0; i < count; i++) if (!(Math.abs(out[i]) < Infinity)) throw new Lie("contains a number that is infinite, or none");
  return out;
}

/**
 * The rows of q or k in the order of our transformer. llama.cpp keeps the two dimensions that turn together side by
 * side, 2i and 2i + 1; ours, as published, are half a head apart, i and i + d/2.
 * @param {Float32Array} rows (heads · d × width) @param {number} heads those that the rows belong to @param {number} width
 */
export function unpermuted(rows, heads, width) {
  const out = new Float32Array(rows.length), size = rows.length / heads / width, pairs = size / 2;
  for (let head = 0; head < heads; head++) {
    for (let i = 0; i < size; i++) {
      const from = (head * size + 2 * (i % pairs) + Math.floor(i / pairs)) * width;
      out.set(rows.subarray(from, from + width), (head * size + i) * width);
    }
  }
  return out;
}
