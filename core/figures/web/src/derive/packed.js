// A picture's message: the header's length (u32, little-endian), the header as JSON, the numbers, as
// `core.figures.Picture.to_bytes` packs them and `runtime/shared.js` unpacks them.

/**
 * A picture from a trace: which module draws it, its header, and its numbers.
 * @template H
 * @typedef {object} Made
 * @property {string} module
 * @property {H} header
 * @property {Uint8Array} payload
 */

/**
 * @param {Pick<Made<object>, "header" | "payload">} made
 */
export function packed({ header, payload }) {
  const head = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + head.length + payload.length);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  bytes.set(payload, 4 + head.length);
  return bytes;
}

/**
 * Arrays of 32-bit floats, one after another, as bytes.
 * @param {readonly Float32Array[]} parts
 */
export function floats(parts) {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new Uint8Array(all.buffer);
}
