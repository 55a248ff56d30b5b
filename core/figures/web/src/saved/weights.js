// A model's weights in a little more than half of their room, for a file that is to be carried about: they are
// stored with fewer bits, and computed with as float32. The large table of word vectors has 16 bits a number, as
// shares of the largest number of its row; all others have 24 of their 32 bits. The numbers on the screen then
// change by less than 5e-4; with half-precision floats they would change by 4e-3.

/**
 * A part of a safetensors file.
 * @typedef {object} Part
 * @property {number} bytes its length in the file
 * @property {"raw" | "wide" | "rows"} how as it is; 24 bits a number; 16 bits a number and a scale a row
 * @property {number} columns of "rows"
 */

const TABLE = 10_000; // rows; a matrix with more is a table of which a text reads few rows
const MOST = 32767;

/**
 * The parts of a safetensors file: its header, then its tensors in order.
 * @param {Uint8Array} file
 * @returns {Part[]}
 */
export function partsOf(file) {
  const size = 8 + Number(new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true));
  /** @type {Record<string, { dtype: string, shape: number[], data_offsets: [number, number] }>} */
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, size)));
  const tensors = Object.entries(header).flatMap(([name, one]) => (name === "__metadata__" ? [] : [one]))
    .sort((a, b) => a.data_offsets[0] - b.data_offsets[0]);
  /** @type {Part[]} */
  const parts = [{ bytes: size, how: "raw", columns: 0 }];
  let at = 0;
  for (const { dtype, shape, data_offsets: [from, to] } of tensors) {
    if (from > at) parts.push({ bytes: from - at, how: "raw", columns: 0 });
    const isTable = shape.length === 2 && shape[0] > TABLE;
    parts.push({ bytes: to - from, how: dtype !== "F32" ? "raw" : isTable ? "rows" : "wide", columns: isTable ? shape[1] : 0 });
    at = to;
  }
  if (size + at < file.length) parts.push({ bytes: file.length - size - at, how: "raw", columns: 0 });
  return parts;
}

/** The room that a part takes when it is packed. @param {Part} part */
const roomOf = ({ bytes, how, columns }) =>
  how === "raw" ? bytes : how === "wide" ? (bytes / 4) * 3 : (bytes / 4) * 2 + (bytes / 4 / columns) * 4;

/** @param {readonly Part[]} parts */
export const packedSize = (parts) => parts.reduce((sum, part) => sum + roomOf(part), 0);

/**
 * @param {Uint8Array} file
 * @param {readonly Part[]} parts
 */
export function pack(file, parts) {
  const out = new Uint8Array(packedSize(parts));
  let from = 0, to = 0;
  for (const part of parts) {
    const bytes = file.slice(from, from + part.bytes), room = out.subarray(to, to + roomOf(part));
    if (part.how === "raw") room.set(bytes);
    else if (part.how === "wide") packWide(bytes, room);
    else packRows(new Float32Array(bytes.buffer), room, part.columns);
    from += part.bytes;
    to += room.length;
  }
  return out;
}

/**
 * The file again, of the same layout.
 * @param {Uint8Array} packed
 * @param {readonly Part[]} parts
 */
export function unpackWeights(packed, parts) {
  const out = new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes, 0));
  let from = 0, to = 0;
  for (const part of parts) {
    const bytes = packed.subarray(from, from + roomOf(part)), room = out.subarray(to, to + part.bytes);
    if (part.how === "raw") room.set(bytes);
    else if (part.how === "wide") unpackWide(bytes, room);
    else unpackRows(bytes, room, part.columns);
    from += bytes.length;
    to += room.length;
  }
  return out;
}

/** The three higher bytes of each float32, rounded. @param {Uint8Array<ArrayBuffer>} bytes @param {Uint8Array} room */
function packWide(bytes, room) {
  const bits = new Uint32Array(bytes.buffer);
  for (let i = 0, at = 0; i < bits.length; i++) {
    const rounded = bits[i] + 0x80; // a float32 of all ones is no number, so that nothing overflows
    room[at++] = rounded >>> 8;
    room[at++] = rounded >>> 16;
    room[at++] = rounded >>> 24;
  }
}

/** @param {Uint8Array} bytes @param {Uint8Array} room */
function unpackWide(bytes, room) {
  for (let from = 0, to = 0; from < bytes.length; to++) {
    room[++to] = bytes[from++];
    room[++to] = bytes[from++];
    room[++to] = bytes[from++];
  }
}

/** @param {Float32Array} numbers @param {Uint8Array} room @param {number} columns */
function packRows(numbers, room, columns) {
  const view = new DataView(room.buffer, room.byteOffset, room.byteLength);
  let at = 0;
  for (let first = 0; first < numbers.length; first += columns) {
    const row = numbers.subarray(first, first + columns);
    let largest = 0;
    for (const x of row) largest = Math.max(largest, Math.abs(x));
    const scale = Math.fround(largest / MOST);
    view.setFloat32(at, scale, true);
    at += 4;
    for (const x of row) {
      view.setInt16(at, scale ? Math.max(-MOST, Math.min(MOST, Math.round(x / scale))) : 0, true);
      at += 2;
    }
  }
}

/** @param {Uint8Array} bytes @param {Uint8Array} room @param {number} columns */
function unpackRows(bytes, room, columns) {
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const to = new DataView(room.buffer, room.byteOffset, room.byteLength);
  let at = 0, out = 0;
  while (at < bytes.length) {
    const scale = from.getFloat32(at, true);
    at += 4;
    for (let i = 0; i < columns; i++) {
      to.setFloat32(out, from.getInt16(at, true) * scale, true);
      at += 2;
      out += 4;
    }
  }
}
