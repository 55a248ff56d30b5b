// The choices of a page in its address, as the app writes and reads them (`ui/permalink.py`): a link of one opens
// the same in the other. Values stay text as they stand in the link; what this folder does not show is kept.

/**
 * A field of a page, from Python's declaration.
 * @typedef {object} Field
 * @property {string} url its key
 * @property {string} start its value in a page as it opens
 * @property {string} leftOut its value in a link that says something else, but not this
 * @property {string} earlier its value where a link of the first version leaves it out
 * @property {"whole" | "real" | "switch" | "text"} kind
 * @property {[number, number]} [bounds]
 * @property {string[]} [words] the only values that it takes
 */

/** @typedef {Record<string, string>} State */

const VERSION = "2", PACK_ABOVE = 2000, MOST = 7000, LONG = 100;

/** @param {Field} field @param {string} value */
function fits({ kind, bounds, words }, value) {
  if (words && !words.includes(value)) return false;
  if (kind === "switch") return value === "0" || value === "1";
  if (kind === "whole" && !/^\d+$/.test(value)) return false;
  if (kind === "real" && !(value.trim() && Number.isFinite(Number(value)))) return false;
  return !bounds || (Number(value) >= bounds[0] && Number(value) <= bounds[1]);
}

/**
 * The value of every field.
 * @param {readonly Field[]} fields
 * @param {string} search the address from its question mark on
 * @returns {Promise<State>}
 */
export async function read(fields, search) {
  const own = Object.fromEntries(new URLSearchParams(search));
  const url = own.z ? { ...await unpack(own.z), ...own } : own;
  const says = Object.keys(url).some((key) => key !== "v");
  return Object.fromEntries(fields.map((field) => {
    if (field.url in url) return [field.url, fits(field, url[field.url]) ? url[field.url] : field.leftOut];
    if (url.v === "1") return [field.url, field.earlier];
    return [field.url, says ? field.leftOut : field.start];
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
  if (!changed.length) return { query: "", fits: true };
  const said = fields.filter((field) => (state[field.url] ?? field.start) !== field.leftOut);
  const full = (said.length ? said : changed).map((field) => /** @type {[string, string]} */ ([field.url, state[field.url]]));
  const query = (/** @type {[string, string][]} */ of) => new URLSearchParams([["v", VERSION], ...of]).toString();
  if (new URLSearchParams(full).toString().length <= PACK_ABOVE) return { query: query(full), fits: true };
  const packed = await pack(Object.fromEntries(full));
  if (packed.length <= MOST) return { query: query([["z", packed]]), fits: true };
  return { query: query(full.filter(([, value]) => [...value].length <= LONG)), fits: false };
}

/** Deflate and base64, as `ui/packed.py` packs a state. @param {State} state */
async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = new Uint8Array(await through(bytes, new CompressionStream("deflate")));
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The inverse; nothing if the word did not come from it. @param {string} word @returns {Promise<State>} */
async function unpack(word) {
  try {
    const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate"))));
    return Object.fromEntries(Object.entries(state).filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} stream */
const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
