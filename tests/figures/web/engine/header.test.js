// The header of a GGUF file: read where it is true, refused where it cannot be. Numbers are worked out by hand.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { readHeader } from "../../../../core/figures/web/src/engine/gguf/header.js";
import { TensorStream } from "../../../../core/figures/web/src/engine/gguf/stream.js";
import { unpacked, unpermuted } from "../../../../core/figures/web/src/engine/gguf/unpack.js";

const u32 = (number) => [0, 8, 16, 24].map((by) => (number >>> by) & 255);
const u64 = (number) => [...u32(number), ...u32(Math.floor(number / 2 ** 32))];
const text = (letters) => [...u64(letters.length), ...Buffer.from(letters)];
const F32 = 0, Q4_1 = 3, STRANGE = 77;

/** A tensor of the header; its shape as the format has it, the length of a row first. */
const tensor = (name, shape, kind, offset) => [...text(name), ...u32(shape.length), ...shape.flatMap(u64), ...u32(kind), ...u64(offset)];

/** A file of two tensors, (2 × 3) and (1), and one setting; each part can be another. */
function file({
  magic = "GGUF", version = 3, count, keys = 1, settings = [...text("names"), ...u32(9), ...u32(8), ...u64(2), ...text("a"), ...text("bc")],
  tensors = [tensor("table", [3, 2], F32, 0), tensor("norm", [1], F32, 32)], numbers = 64,
} = {}) {
  const header = [...Buffer.from(magic), ...u32(version), ...u64(count ?? tensors.length), ...u64(keys), ...settings, ...tensors.flat()];
  while (header.length % 32) header.push(0);
  return Uint8Array.from([...header, ...Array.from({ length: numbers }, () => 0)]);
}

const refused = (bytes, why) => assert.throws(() => readHeader(bytes, bytes.length), { name: "Lie", message: why });

test("a header says what each tensor is and where", () => {
  const bytes = file(), first = bytes.length - 64, { settings, tensors } = readHeader(bytes, bytes.length);
  assert.deepEqual([...settings], [["names", ["a", "bc"]]]);
  assert.deepEqual(tensors, [
    { name: "table", shape: [2, 3], packing: "F32", start: first, end: first + 24 },
    { name: "norm", shape: [1], packing: "F32", start: first + 32, end: first + 36 },
  ]);
});

test("of a file that is arriving, the header is awaited", () => {
  const bytes = file();
  for (let length = 0; length < bytes.length - 64 - 31; length += 7) assert.equal(readHeader(bytes.subarray(0, length), bytes.length), null);
  assert.ok(readHeader(bytes.subarray(0, bytes.length - 64), bytes.length));
});

test("what cannot be is refused", () => {
  refused(file({ magic: "GGML" }), /four letters/);
  refused(file({ version: 9 }), /version 9/);
  refused(file({ count: 0 }), /0 tensors/);
  refused(file({ count: 20_001 }), /20001 tensors/);
  refused(file({ keys: 4_001 }), /4001 settings/);
  refused(file({ count: 2 ** 60 }), /count of/);
  refused(file({ keys: 2, settings: [...text("a"), ...u32(4), ...u32(1), ...text("a"), ...u32(4), ...u32(1)] }), /twice/);
  refused(file({ settings: [...text("a"), ...u32(13), ...u32(0)] }), /type 13/);
  refused(file({ settings: [...text("a"), ...u32(9), ...u32(9), ...u64(1)] }), /list of lists/);
  refused(file({ settings: [...text("a"), ...u32(9), ...u32(0), ...u64(3_000_001)] }), /more than 3000000/);
  refused(file({ settings: [...text("general.alignment"), ...u32(4), ...u32(3)] }), /3 bytes/);
  refused(file({ settings: [...u64(1_001)] }), /1001 bytes/);
  refused(file({ tensors: [tensor("a", [1, 1, 1, 1, 1], F32, 0)] }), /5 dimensions/);
  refused(file({ tensors: [tensor("a", [0], F32, 0)] }), /empty/);
  refused(file({ tensors: [tensor("a", [2 ** 30, 2 ** 30], F32, 0)] }), /larger than any/);
  refused(file({ tensors: [tensor("a", [32], STRANGE, 0)] }), /type 77/);
  refused(file({ tensors: [tensor("a", [33], Q4_1, 0)] }), /whole blocks/);
  refused(file({ tensors: [tensor("a", [4], F32, 0), tensor("b", [1], F32, 12)] }), /one place/);
  refused(file({ tensors: [tensor("a", [1], F32, 0), tensor("a", [1], F32, 32)] }), /tensor twice/);
  refused(file({ tensors: [tensor("a", [17], F32, 0)] }), /cut short/);
  refused(file().subarray(0, 60), /its own list/);
});

test("tensors come as soon as they are whole, whatever the pieces are", () => {
  const bytes = file(), first = bytes.length - 64;
  bytes.set([1, 2, 3], first);
  bytes.set([4], first + 32);
  for (const size of [1, 13, 32, bytes.length]) {
    const stream = new TensorStream(bytes.length), found = [];
    for (let at = 0; at < bytes.length; at += size) {
      for (const one of stream.take(bytes.subarray(at, at + size))) found.push([one.tensor.name, [...one.bytes.subarray(0, 3)]]);
      assert.equal(found.length > 0, at + size >= first + 24);
    }
    assert.deepEqual(found, [["table", [1, 2, 3]], ["norm", [4, 0, 0]]]);
  }
});

test("a block is d · q, or d · q + m", () => {
  const half = (bits) => [bits & 255, bits >> 8], HALF = 0x3800, MINUS_TWO = 0xc000, TINY = 1; // .5, −2, 2⁻²⁴
  const q = Array.from({ length: 16 }, (_, i) => i | ((15 - i) << 4));
  const four = unpacked("Q4_1", Uint8Array.from([...half(HALF), ...half(MINUS_TWO), ...q]), 32);
  assert.deepEqual([four[0], four[5], four[15], four[16], four[31]], [-2, 0.5, 5.5, 5.5, -2]);
  const eight = unpacked("Q8_0", Uint8Array.from([...half(TINY), 127, 128, ...Array(30).fill(1)]), 32);
  assert.deepEqual([...eight.subarray(0, 3)], [127 * 2 ** -24, -128 * 2 ** -24, 2 ** -24]);
  assert.deepEqual([...unpacked("F16", Uint8Array.from([...half(0x3c00), ...half(0x8001)]), 2)], [1, -(2 ** -24)]);
});

test("a number that is none is refused", () => {
  assert.throws(() => unpacked("F16", Uint8Array.from([0, 0x7c]), 1), { name: "Lie" });
  assert.throws(() => unpacked("F32", Uint8Array.from([0, 0, 0xc0, 0x7f]), 1), { name: "Lie" });
  assert.throws(() => unpacked("Q4_1", Uint8Array.from([0, 0xfe, ...Array(18).fill(0)]), 32), { name: "Lie" });
});

test("rows side by side become half a head apart", () => {
  // Two heads of four rows, of one number each: in each, 0 2 | 1 3.
  assert.deepEqual([...unpermuted(Float32Array.of(0, 1, 2, 3, 10, 11, 12, 13), 2, 1)], [0, 2, 1, 3, 10, 12, 11, 13]);
});
