// What lies in a saved page besides the page: the model's files, packed, and what was chosen.
import { fromBase64 } from "./base64.js";
import { PREFIX } from "./file.js";

const SCRIPT = "text/javascript";

/** What the page has under a name, from JSON; null if there is no such thing. @param {string} name */
export const inside = (name) => JSON.parse(document.getElementById(`${PREFIX}${name}`)?.textContent ?? "null");

/** The elements that have the pieces of a file, in order. @param {string} name */
const piecesOf = (name) => [...document.querySelectorAll(`.${PREFIX}file`)].filter((one) => one instanceof HTMLElement && one.dataset.name === name);

/** Whether the page still has a file. @param {string} name */
export const isThere = (name) => piecesOf(name).length > 0;

/** The bytes of a file piece by piece, each of which is then dropped from the page. @param {string} name */
export function* pieces(name) {
  for (const piece of piecesOf(name)) {
    const bytes = fromBase64(piece.textContent ?? "");
    piece.remove();
    yield bytes;
  }
}

/** All of a file's bytes, which are then dropped from the page. @param {string} name */
export function stored(name) {
  const parts = [...pieces(name)], all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A file that was stored with gzip. @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function unzipped(name) {
  const stream = new Blob([stored(name)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The address of a script that was stored with gzip. @param {string} name */
export const script = async (name) => URL.createObjectURL(new Blob([await unzipped(name)], { type: SCRIPT }));
