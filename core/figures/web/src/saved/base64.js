// Bytes as text, for a file of text. Browsers of 2025 and later do it themselves.
const CHUNK = 0x6000; // bytes, a multiple of three; more arguments than this some engines refuse

/** @typedef {{ toBase64?: () => string }} CanBase64 */

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  const able = /** @type {CanBase64} */ (bytes);
  if (able.toBase64) return able.toBase64();
  const parts = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK))));
  }
  return parts.join("");
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function fromBase64(text) {
  const able = /** @type {{ fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }} */ (/** @type {unknown} */ (Uint8Array));
  if (able.fromBase64) return able.fromBase64(text);
  const signs = atob(text), bytes = new Uint8Array(signs.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = signs.charCodeAt(i);
  return bytes;
}
