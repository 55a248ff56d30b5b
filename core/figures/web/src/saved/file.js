// A saved page with the model inside: one HTML file that computes while one types, from a disk and without a network. It
// is put together here, in the visitor's browser; the server sends only the page and the model. Python makes the same
// file of Next word (`core/web/inside.py`).
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { toBase64 } from "./base64.js";
import { pack, partsOf } from "./weights.js";

export const WEIGHTS = "model.safetensors";
/** `core/web/inside.py` says what each is. */
export const { prefix: PREFIX } = CONSTANTS.inside;
const { piece: PIECE, blocks: BLOCKS, policy: POLICY } = CONSTANTS.inside;
// Where what has to be added goes: before the end of the head, and before the end of the body.
const HEAD = "<meta charset=\"utf-8\">", END = "</body>";
const STYLE = `
#polysee-inside{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));margin:1rem 0}
#polysee-inside label{display:grid;gap:.25rem;font-size:.875rem}
#polysee-inside textarea{font:inherit;color:inherit;background:transparent;border:1px solid color-mix(in srgb,currentColor 30%,transparent);
border-radius:.4rem;padding:.5rem .6rem;resize:vertical;min-height:2.6rem}
#polysee-inside textarea:focus-visible{outline:2px solid #1f83d6;outline-offset:1px}
#polysee-inside p{grid-column:1/-1;margin:0;font-size:.875rem;min-height:1.4em}
[data-behind]>*{opacity:.4;transition:opacity .2s}
[data-behind]::before{content:"Of the saved sentences";display:block;font-size:.8125rem;font-weight:600}
section[data-behind]::before{margin-top:2rem}`;

/**
 * What goes into the file.
 * @typedef {object} Inside
 * @property {string} page the saved page, from `core.figures.saved_page`
 * @property {string} code the module that runs in it: dist/engine/saved.js, or speaking.js
 * @property {string} manifest of the model
 * @property {string} query the choices that the page was saved with, as JSON
 * @property {Readonly<Record<string, Uint8Array<ArrayBuffer>>>} files the model and the run-time, by their names
 */

/**
 * The file, as pieces that a browser joins without a copy of the whole.
 * @param {Inside} inside
 * @param {(bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>} compressed
 * @param {string} nonce which the file's own scripts have, and nothing that a visitor has typed
 */
export async function savedFile({ page, code, manifest, query, files }, compressed, nonce) {
  const at = page.lastIndexOf(END), start = page.indexOf(HEAD) + HEAD.length;
  if (at < 0 || start < HEAD.length) throw new Error("The saved page is not as expected.");
  // Whatever is typed stands in the page as text, so that each "<script>" is one of ours.
  const own = (/** @type {string} */ html) => html.replaceAll("<script>", `<script nonce="${nonce}">`);
  const policy = POLICY.replace("{nonce}", nonce);
  /** @type {string[]} */
  const parts = [
    page.slice(0, start), `\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${STYLE}</style>`,
    own(page.slice(start, at)), data("manifest", manifest), data("query", query),
  ];
  for (const [name, bytes] of Object.entries(files)) {
    const isWeights = name === WEIGHTS, layout = isWeights ? partsOf(bytes) : null;
    const stored = layout ? pack(bytes, layout) : name.endsWith(BLOCKS) ? bytes : await compressed(bytes);
    if (layout) parts.push(data("layout", JSON.stringify(layout)));
    for (let from = 0, i = 0; from < stored.length; from += PIECE, i++) {
      const piece = toBase64(stored.subarray(from, from + PIECE));
      parts.push(`<script type="text/plain" class="${PREFIX}file" data-name="${name}" data-piece="${i}">${piece}</script>\n`);
    }
  }
  parts.push(`<script type="module" nonce="${nonce}">\n${code.replaceAll("</script", "<\\/script")}</script>\n`, page.slice(at));
  return parts;
}

/** Text in an element that nothing ends before its end. @param {string} name @param {string} text */
const data = (name, text) =>
  `<script type="application/json" id="${PREFIX}${name}">${text.replaceAll("<", "\\u003c")}</script>\n`;
