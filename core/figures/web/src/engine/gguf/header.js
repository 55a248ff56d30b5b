// The header of a GGUF file, of which no length is believed: `core/pretrained/files/gguf/bounds.py` has the same bounds
// for whole files. The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Numbers are little-endian.

const MAGIC = 0x46554747; // "GGUF"
const VERSIONS = [2, 3];
// The largest vocabularies have 260,000 tokens: their texts, kinds and scores, and twice as many merges.
const MOST_ITEMS = 3_000_000, MOST_KEYS = 4_000, MOST_TENSORS = 20_000, MOST_DIMENSIONS = 4;
const MOST_NAME = 1_000, MOST_TEXT = 10_000_000; // bytes
const MOST_NUMBERS = 1e12; // in one tensor
const ALIGNMENTS = [8, 16, 32, 64, 128, 256, 4096];
const TEXT = 8, ARRAY = 9;

/** Of each way to pack numbers that is read here: its numbers a block, and its bytes. @typedef {"F32" | "F16" | "Q8_0" | "Q4_1"} Packing */
const PACKINGS = /** @type {Readonly<Record<number, { packing: Packing, block: number, bytes: number }>>} */ ({
  0: { packing: "F32", block: 1, bytes: 4 },
  1: { packing: "F16", block: 1, bytes: 2 },
  3: { packing: "Q4_1", block: 32, bytes: 20 },
  8: { packing: "Q8_0", block: 32, bytes: 34 },
});

/**
 * @typedef {object} Tensor
 * @property {string} name
 * @property {number[]} shape as torch has it: rows first
 * @property {Packing} packing
 * @property {number} start its first byte in the file
 * @property {number} end the byte after its last one
 * @typedef {number | bigint | boolean | string | (number | bigint | boolean | string)[]} Value
 * @typedef {{ settings: Map<string, Value>, tensors: Tensor[] }} Header the tensors in the order of their places
 */

/** What a header says that cannot be. */
export class Lie extends Error {
  name = "Lie";
}

/** The header goes on behind the bytes that are there. */
class Cut extends Error {}

/** A place in the header that only moves forward, inside the bytes. */
class Walk {
  at = 0;
  items = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves behind so many bytes; returns where they begin. @param {number} length */
  skip(length) {
    const { at } = this;
    if (length > this.bytes.length - at) throw new Cut();
    this.at += length;
    return at;
  }

  uint32() {
    return this.view.getUint32(this.skip(4), true);
  }

  /** A count or a length: a number that is exact here. */
  count() {
    const count = this.view.getBigUint64(this.skip(8), true);
    if (count > Number.MAX_SAFE_INTEGER) throw new Lie(`has a count of ${count}`);
    return Number(count);
  }

  /** @param {number} most bytes */
  text(most) {
    const length = this.count();
    if (length > most) throw new Lie(`has a text of ${length} bytes where ${most} are the most`);
    const start = this.skip(length);
    return UTF8.decode(this.bytes.subarray(start, start + length));
  }

  /** @param {number} kind @returns {Value} */
  value(kind) {
    if (kind === TEXT) return this.text(MOST_TEXT);
    if (kind === ARRAY) return this.array();
    const read = NUMBERS[kind];
    if (!read) throw new Lie(`has a value of the type ${kind}, which the format does not know`);
    return read(this.view, this.skip(WIDTHS[kind]));
  }

  array() {
    const kind = this.uint32(), count = this.count();
    this.items += count;
    if (this.items > MOST_ITEMS) throw new Lie(`lists more than ${MOST_ITEMS} values`);
    if (kind === ARRAY) throw new Lie("has a list of lists"); // no model has any, and each level could multiply
    const width = WIDTHS[kind] ?? 8; // a text has at least its length
    if (count * width > this.bytes.length - this.at) throw new Cut();
    return Array.from({ length: count }, () => /** @type {number} */ (this.value(kind)));
  }
}

const UTF8 = new TextDecoder();
/** Bytes of a number, by the type. @type {Readonly<Record<number, number>>} */
const WIDTHS = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
/** @type {Readonly<Record<number, (view: DataView, at: number) => number | bigint | boolean>>} */
const NUMBERS = {
  0: (view, at) => view.getUint8(at),
  1: (view, at) => view.getInt8(at),
  2: (view, at) => view.getUint16(at, true),
  3: (view, at) => view.getInt16(at, true),
  4: (view, at) => view.getUint32(at, true),
  5: (view, at) => view.getInt32(at, true),
  6: (view, at) => view.getFloat32(at, true),
  7: (view, at) => view.getUint8(at) !== 0,
  10: (view, at) => view.getBigUint64(at, true),
  11: (view, at) => view.getBigInt64(at, true),
  12: (view, at) => view.getFloat64(at, true),
};

/**
 * The header at the beginning of a file; null if it goes on behind `bytes`.
 * @param {Uint8Array} bytes the beginning of the file @param {number} size bytes of the whole file
 * @returns {?Header}
 * @throws {Lie} the file is no GGUF, its header points out of it, or it is packed in a way that is not read here
 */
export function readHeader(bytes, size) {
  const walk = new Walk(bytes.subarray(0, size));
  try {
    return header(walk, size);
  } catch (error) {
    if (!(error instanceof Cut)) throw error;
    if (bytes.length >= size) throw new Lie("ends in the middle of its own list of contents");
    return null;
  }
}

/** @param {Walk} walk @param {number} size @returns {Header} */
function header(walk, size) {
  if (walk.uint32() !== MAGIC) throw new Lie("is no GGUF file: it does not begin with these four letters");
  const version = walk.uint32();
  if (!VERSIONS.includes(version)) throw new Lie(`is of version ${version} of its format`);
  const count = walk.count(), keys = walk.count();
  if (!(count > 0 && count <= MOST_TENSORS)) throw new Lie(`says that it has ${count} tensors`);
  if (keys > MOST_KEYS) throw new Lie(`says that it has ${keys} settings`);
  /** @type {Map<string, Value>} */
  const settings = new Map();
  for (let i = 0; i < keys; i++) {
    const key = walk.text(MOST_NAME);
    if (settings.has(key)) throw new Lie("has a setting twice");
    settings.set(key, walk.value(walk.uint32()));
  }
  const alignment = settings.get("general.alignment") ?? 32;
  if (!ALIGNMENTS.includes(/** @type {number} */ (alignment))) throw new Lie(`aligns its tensors to ${alignment} bytes`);
  const said = Array.from({ length: count }, () => tensor(walk));
  const start = Math.ceil(walk.at / Number(alignment)) * Number(alignment);
  return { settings, tensors: placed(said, start, size) };
}

/** What the header says of a tensor; its places count from the first tensor. @param {Walk} walk @returns {Tensor} */
function tensor(walk) {
  const name = walk.text(MOST_NAME), dimensions = walk.uint32();
  if (!(dimensions > 0 && dimensions <= MOST_DIMENSIONS)) throw new Lie(`has a tensor of ${dimensions} dimensions`);
  const shape = Array.from({ length: dimensions }, () => walk.count()).reverse();
  const numbers = shape.reduce((product, one) => product * one, 1);
  if (!(numbers > 0 && numbers <= MOST_NUMBERS)) throw new Lie("has a tensor that is empty, or larger than any model");
  const kind = walk.uint32(), start = walk.count(), packed = PACKINGS[kind];
  if (!packed) throw new Lie(`packs a tensor in a way (type ${kind}) that is not read here`);
  if (shape[shape.length - 1] % packed.block) throw new Lie(`has a tensor whose rows are not whole blocks of ${packed.block}`);
  return { name, shape, packing: packed.packing, start, end: start + (numbers / packed.block) * packed.bytes };
}

/** Each tensor lies inside the file, none over another, and none twice. @param {Tensor[]} said @param {number} first @param {number} size */
function placed(said, first, size) {
  const tensors = said.sort((a, b) => a.start - b.start), names = new Set();
  let before = 0;
  for (const one of tensors) {
    if (one.start < before) throw new Lie("has two tensors in one place");
    if (names.has(one.name)) throw new Lie("has a tensor twice");
    names.add(one.name);
    before = one.end;
    one.start += first;
    one.end += first;
    if (one.end > size) throw new Lie("is cut short: a tensor lies behind its end");
  }
  return tensors;
}
