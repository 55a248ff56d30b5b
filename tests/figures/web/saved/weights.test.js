// How weights are packed for a file; a small file of our own, and numbers that can be worked out.
import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { pack, packedSize, partsOf, unpackWeights } from "../../../../core/figures/web/src/saved/weights.js";
import { fromBase64, toBase64 } from "../../../../core/figures/web/src/saved/base64.js";

const ROWS = 10_007, COLUMNS = 3;
const table = Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => Math.sin(i) * (1 + Math.floor(i / COLUMNS)));
const matrix = Float32Array.from([1, -0.1, 3.4e38, 1e-30, 0, -0, 1 + 2 ** -15, 1 + 2 ** -17]);
const ids = BigInt64Array.from([1n, -2n, 3n]);

/** A safetensors file with an odd header, a table, whole numbers and a matrix. */
function file() {
  const tensors = [["big", "F32", [ROWS, COLUMNS], table], ["ids", "I64", [3], ids], ["small", "F32", [2, 4], matrix]];
  let at = 0;
  const entries = tensors.map(([name, dtype, shape, { byteLength }]) => [name, { dtype, shape, data_offsets: [at, at += byteLength] }]);
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries([["__metadata__", { format: "pt" }], ...entries])));
  const bytes = new Uint8Array(8 + header.length + at);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(header, 8);
  let to = 8 + header.length;
  for (const [, , , data] of tensors) {
    bytes.set(new Uint8Array(data.buffer), to);
    to += data.byteLength;
  }
  return { bytes, begin: 8 + header.length };
}

test("weights return in the same layout, as near as their bits allow", () => {
  const { bytes, begin } = file(), parts = partsOf(bytes);
  deepEqual(parts.map(({ how }) => how), ["raw", "rows", "raw", "wide"]);
  const packed = pack(bytes, parts);
  equal(packed.length, packedSize(parts));
  equal(packed.length, begin + 2 * table.length + 4 * ROWS + ids.byteLength + 3 * matrix.length);
  const back = unpackWeights(fromBase64(toBase64(packed)), parts);
  equal(back.length, bytes.length);
  deepEqual(back.slice(0, begin), bytes.slice(0, begin));
  const numbers = new Float32Array(back.slice(begin, begin + table.byteLength).buffer);
  for (let row = 0; row < ROWS; row++) {
    const own = table.subarray(row * COLUMNS, (row + 1) * COLUMNS), most = Math.max(...own.map(Math.abs));
    own.forEach((x, i) => ok(Math.abs(numbers[row * COLUMNS + i] - x) <= 0.51 * most / 32767, `row ${row}`));
  }
  deepEqual(back.slice(begin + table.byteLength, begin + table.byteLength + 24), new Uint8Array(ids.buffer));
  const rest = new Float32Array(back.slice(begin + table.byteLength + 24).buffer);
  deepEqual([rest[0], rest[4], Object.is(rest[5], -0), rest[6], rest[7]], [1, 0, true, 1 + 2 ** -15, 1]);
  matrix.forEach((x, i) => ok(Math.abs(rest[i] - x) <= Math.abs(x) * 2 ** -16));
});

test("base64 of browsers that have none of their own", () => {
  const own = [Uint8Array.fromBase64, Uint8Array.prototype.toBase64];
  delete Uint8Array.fromBase64;
  delete Uint8Array.prototype.toBase64;
  try {
    for (const length of [0, 1, 2, 3, 0x6000, 0x6001, 100_000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 7919) % 256);
      equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
      deepEqual(fromBase64(toBase64(bytes)), bytes);
    }
  } finally {
    [Uint8Array.fromBase64, Uint8Array.prototype.toBase64] = own;
  }
});
