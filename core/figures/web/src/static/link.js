// The choices of a page in its address, as the app writes and reads them (`ui/permalink.py`): a link of one opens
// the same in the other. Values stay text as they stand in the link; what this folder does not show is kept.
import LIMITS from "../links/limits.json" with { type: "json" };
import { canonical } from "../links/formats.js";
import { current } from "../runtime/language.js";
import { asQuery } from "../links/query.js";

/**
 * A field of a page, from Python's declaration.
 * @typedef {object} Field
 * @property {string} url its key
 * @property {string} start its value in a page as it opens
 * @property {string} leftOut its value in a link that says something else, but not this
 * @property {import("../links/formats.js").Format} format
 */

/** @typedef {Record<string, string>} State */

/**
 * The value of every field.
 * @param {readonly Field[]} fields
 * @param {string} search the address from its question mark on
 * @returns {Promise<State>}
 */
export async function read(fields, search) {
  const own = Object.fromEntries(new URLSearchParams(search)), packed = own[LIMITS.packed];
  const url = packed === undefined ? own : { ...await unpack(packed), ...own };
  const says = Object.keys(url).some((key) => key !== "v" && !LIMITS.aside.includes(key));
  return Object.fromEntries(fields.map(({ url: key, start, leftOut, format }) => {
    if (Object.hasOwn(url, key)) return [key, canonical(format, url[key]) ?? leftOut];
    return [key, says ? leftOut : start];
  }));
}

/**
 * The query of an address with these values, without the question mark; "" for a page as it opens.
 * @param {readonly Field[]} fields
 * @param {State} state
 * @returns {Promise<{ query: string, fits: boolean }>} `fits`: whether it holds all
 */
export async function write(fields, state) {
  const changed = fields.filter((field) => (state[field.url] ?? field.start) !== field.start);
  /** @type {[string, string][]} */
  const language = current() === "en" ? [] : [["lang", current()]];
  if (!changed.length) return { query: asQuery(language), fits: true };
  const stated = fields.filter((field) => (state[field.url] ?? field.start) !== field.leftOut);
  const says = (/** @type {readonly Field[]} */ of) => of.some(({ url }) => !LIMITS.aside.includes(url));
  const full = (says(changed) && says(stated) ? stated : changed).map((field) => /** @type {[string, string]} */ ([field.url, state[field.url] ?? field.start]));
  const query = (/** @type {[string, string][]} */ of) => (of.length ? asQuery([["v", LIMITS.version], ...of, ...language]) : "");
  if (asQuery(full).length <= LIMITS.packAbove) return { query: query(full), fits: true };
  const packed = await pack(Object.fromEntries(full));
  if (packed.length <= LIMITS.most) return { query: query([[LIMITS.packed, packed]]), fits: true };
  return { query: query(full.filter(([, value]) => [...value].length <= LIMITS.long)), fits: false };
}

/** Deflate and base64, as `ui/compressed_state.py` packs a state. @param {State} state */
async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = new Uint8Array(await new Response(through(bytes, new CompressionStream("deflate"))).arrayBuffer());
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The inverse; nothing if the word did not come from it. @param {string} word @returns {Promise<State>} */
async function unpack(word) {
  try {
    if (!/^[A-Za-z0-9_-]*$/.test(word)) return {};
    const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const state = JSON.parse(await text(through(bytes, new DecompressionStream("deflate"))));
    if (state === null || typeof state !== "object" || Array.isArray(state)) return {};
    return Object.fromEntries(Object.entries(state).filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} stream */
const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

/** The text of a stream; a few bytes in a link must not fill the memory. @param {ReadableStream<Uint8Array>} stream */
async function text(stream) {
  const reader = stream.getReader(), decoder = new TextDecoder("utf-8", { fatal: true });
  let all = "", size = 0;
  for (let part; !(part = await reader.read()).done;) {
    size += part.value.length;
    if (size > LIMITS.mostBytes) throw new RangeError("too large");
    all += decoder.decode(part.value, { stream: true });
  }
  return all + decoder.decode();
}
