// The button that saves a page with its model inside: a comparison with MiniLM, or Next word with SmolLM2.
import { m } from "../runtime/language.js";
import { addressOf, fetchManifest, keptFile } from "../engine/download.js";
import { storage } from "../engine/storage.js";
import { element } from "../runtime/shared.js";
import { savedFile } from "./file.js";

const NAME = () => m("Save it with the model inside");
const STYLE = `.polysee-saved{display:grid;gap:.25rem;justify-items:start}
.polysee-saved button{font:inherit;font-size:.875rem;color:inherit;cursor:pointer;min-height:2.5rem;padding:.25rem .75rem;
background:transparent;border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:.5rem}
.polysee-saved button:disabled{opacity:.6;cursor:default}
.polysee-saved button:focus-visible{outline:2px solid var(--st-primary-color,Highlight);outline-offset:1px}
.polysee-saved p{margin:0;font-size:.875rem;opacity:.8}`;
const SCRIPTS = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs"];

/**
 * @typedef {object} Saved
 * @property {string} base the address of the folder of the model's files
 * @property {string} address of the page without the model
 * @property {string} name of the file that is saved
 * @property {string} query the choices of the page, as JSON
 * @property {string} manifest the file there that describes the model
 * @property {string} code the script there that runs in the file
 * @property {number} size bytes of the file that is saved, about
 * @property {string} runs what the file does, in a sentence
 */

/**
 * @param {HTMLElement} root
 * @param {Saved} saved
 * @returns {() => void}
 */
export function mountSaved(root, saved) {
  let part = root.querySelector(".polysee-saved");
  if (!part) {
    part = element("div", { class: "polysee-saved" });
    part.append(element("style", {}, STYLE), element("button", { type: "button" }, `${NAME()} (${Math.round(saved.size / 1e6)} MB)`), element("p", { role: "status" }));
    root.append(part);
  }
  const button = /** @type {HTMLButtonElement} */ (part.querySelector("button")), said = /** @type {HTMLElement} */ (part.querySelector("p"));
  button.onclick = async () => {
    button.disabled = true;
    const say = (/** @type {string} */ text) => { said.textContent = text; };
    try {
      const blob = await assembled(saved, say);
      const address = URL.createObjectURL(blob), link = element("a", { href: address, download: saved.name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      say(m("Saved: {size} MB. {runs}", { size: Math.round(blob.size / 1e6), runs: saved.runs }));
    } catch (error) {
      console.warn("Polysee: the file was not made.", error);
      say(m("The file could not be made: the model did not arrive, or this tab has too little memory."));
    } finally {
      button.disabled = false;
    }
  };
  return () => {};
}

/** @param {Saved} saved @param {(text: string) => void} say */
async function assembled({ base, address, query, manifest: described, code: script }, say) {
  say(m("Asking the server for the page."));
  const folder = new URL(base, document.baseURI).href;
  const [page, code, manifest] = await Promise.all([textAt(address), textAt(`${folder}${script}`), fetchManifest(folder, described)]);
  const kept = storage();
  /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
  const files = {};
  for (const name of [...new Set([...manifest.stored, ...SCRIPTS])]) {
    const { bytes } = manifest.files[name];
    say(m("Fetching the model: {size} MB.", { size: Math.max(1, Math.round(bytes / 1e6)) }));
    files[name] = (await keptFile(kept, manifest, name)) ?? await bytesAt(addressOf(folder, name, manifest));
    if (files[name].length !== bytes) throw new Error(`${name} did not arrive whole.`);
  }
  say(m("Packing the model."));
  await new Promise((done) => { setTimeout(done, 30); }); // so that this is painted
  const nonce = crypto.getRandomValues(new Uint8Array(16)).reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "");
  const parts = await savedFile({ page, code, manifest: JSON.stringify(manifest), query, files }, compressed, nonce);
  return new Blob(parts, { type: "text/html" });
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function compressed(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} address */
async function answered(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

const textAt = async (/** @type {string} */ address) => (await answered(address)).text();
const bytesAt = async (/** @type {string} */ address) => new Uint8Array(await (await answered(address)).arrayBuffer());

