// A picture as a word in an address, so that an embedded page shows it before there is a model: the module that draws
// it, a dot, and its numbers, with deflate in base64. Whoever embeds the page has made it; it is drawn as what it says.
import LIMITS from "../links/limits.json" with { type: "json" };
import { fromBase64, toBase64 } from "../saved/base64.js";
import { packed } from "../derive/packed.js";
/** @import { Made } from "../derive/packed.js" */

/** What is small enough. @type {readonly string[]} */
const MODULES = ["bars", "trajectory"];
const MOST = 30_000; // letters of the word
const SHOWN = 4; // decimals, as exact as any number of these pictures is read

/**
 * The word of a picture; "" if it is too large, or of another kind. What is too large has its numbers as they are shown.
 * @param {Made<object>} made @returns {Promise<string>}
 */
export async function carried(made) {
  if (!MODULES.includes(made.module)) return "";
  for (const one of [made, { ...made, header: inShort(made.header) }]) {
    const bytes = await new Response(through(packed(one), new CompressionStream("deflate"))).arrayBuffer();
    const word = toBase64(new Uint8Array(bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    if (word.length <= MOST) return `${made.module}.${word}`;
  }
  return "";
}

/** @param {object} header */
const inShort = (header) => JSON.parse(JSON.stringify(header, (_, value) => (typeof value === "number" ? Number(value.toFixed(SHOWN)) : value)));

/**
 * The picture of such a word; null if it is none.
 * @param {string} word @returns {Promise<{ module: string, bytes: Uint8Array } | null>}
 */
export async function arrived(word) {
  const [, module, text] = /^(\w+)\.([A-Za-z0-9_-]+)$/.exec(word.slice(0, 2 * MOST)) ?? [];
  if (!MODULES.includes(module)) return null;
  try {
    const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(text.length / 4) * 4, "="));
    return { module, bytes: await bounded(through(bytes, new DecompressionStream("deflate"))) };
  } catch {
    return null;
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} stream */
const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

/**
 * All bytes of a stream; a few letters in an address must not fill the memory.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
 */
async function bounded(stream) {
  const reader = stream.getReader(), parts = [];
  let size = 0;
  for (let part; !(part = await reader.read()).done;) {
    size += part.value.length;
    if (size > LIMITS.mostBytes) throw new RangeError("too large");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
