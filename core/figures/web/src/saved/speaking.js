// Runs in a saved page of Next word that has the model inside. The page opens as it was saved; when the model has
// started, what it shows becomes the live page of the folder (`static/nextword.js`), which goes on with any text.
/** @import { DecoderManifest } from "../engine/types" */
/** @import { Open } from "../engine/host.js" */
/** @import { Ort } from "../engine/runtime.js" */
/** @import { State } from "../static/link.js" */
/** @import { House } from "../static/page.js" */
import { sentence } from "../derive/sentences.js";
import { Engine } from "../engine/engine.js";
import { breath } from "../engine/host.js";
import { LanguageModel } from "../engine/language.js";
import { OnPage } from "../engine/onpage.js";
import { canonical } from "../links/formats.js";
import { fill, h, inline } from "../static/dom.js";
import { NextWord } from "../static/nextword.js";
import { Room } from "../static/room.js";
import { Speaks } from "../static/speaking.js";
import STYLE from "../static/static.css";
import { inside, isThere, pieces, script, unzipped } from "./inside.js";

const RUN_TIME = "ort.wasm.min.mjs", START = "ort-wasm-simd-threaded.mjs";

/** The model out of the page, with the bytes of its weights as progress. @type {Open} */
async function opened({ manifest }, onProgress) {
  const { weights, stored: names, files: described } = /** @type {DecoderManifest} */ (manifest), all = described[weights].bytes;
  if (!isThere(weights)) location.reload(); // a second start, after one that failed half-way
  const ort = /** @type {Ort} */ (await import(await script(RUN_TIME)));
  /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
  const files = {};
  for (const name of names) if (name !== weights) files[name] = await unzipped(name);
  async function* arriving() {
    let bytes = 0;
    for (const piece of pieces(weights)) {
      onProgress(bytes += piece.length, all);
      await breath();
      yield piece;
    }
  }
  const model = await LanguageModel.start(ort, /** @type {DecoderManifest} */ (manifest), files, arriving(), await script(START));
  return { model, later: (name) => Promise.reject(new Error(`${name} is not in this page`)) };
}

/** The engine of a page that has the model inside: nothing is fetched. */
class Inside extends Engine {
  async size() {
    return 0;
  }
}

/** What comes next without a folder around it: its choices stay in the page, and nothing leads elsewhere. */
class Saved extends NextWord {
  /** @param {...Node} own */
  frame(...own) {
    this.node.append(h("h1", {}, this.words.title), ...own);
  }

  get here() {
    return ["next", "why"]; // *Layer by layer* reads a file that is not in the page
  }

  async publish() {}
}

/** The fields of the page as they were saved. @param {Saved} page @param {State} saved */
const chosen = ({ fields }, saved) => Object.fromEntries(fields.map(({ url, leftOut, format }) => {
  return [url, (Object.hasOwn(saved, url) ? canonical(format, saved[url]) : null) ?? leftOut];
}));

/** What the live page needs of the folder: there is no other page here, and no lesson. @param {Room<Speaks>} speaking */
function houseOf(speaking) {
  const words = { title: document.querySelector("h1")?.textContent ?? "", point: "", tries: [], limitations: "", example: [] };
  const content = { pages: { "next-word": words, "next-word.why": words }, others: {}, presets: [], lessons: [], unshown: [] };
  return /** @type {House} */ (/** @type {unknown} */ ({ root: "#", speaking, content, go: () => {} }));
}

async function begin() {
  const manifest = /** @type {DecoderManifest} */ (inside("manifest")), before = document.querySelector("main");
  const room = new Room("", {
    offer: "saved.offer", small: "saved.small", slow: "saved.slow", made: (engine, lost) => new Speaks(engine, lost),
    found: async () => new Inside("", manifest, () => new OnPage(opened)), ready: async () => sentence("saved.ready"),
  });
  const page = new Saved(houseOf(room));
  fill(page.tried.lastElementChild ?? page.tried, [sentence("saved.go-back")]);
  const note = h("p", { class: "quiet" }, sentence("saved.memory"));
  /** Puts the live page above what was saved, which goes when the first answer is there. */
  const live = async () => {
    if (page.node.isConnected) return;
    document.head.append(h("style", {}, STYLE));
    page.text.label.after(room.node);
    note.remove();
    before?.querySelector("h1")?.remove();
    before?.before(page.node);
    await page.answer();
    const foot = before?.querySelector("footer");
    if (foot) page.node.append(foot);
    before?.remove();
  };
  before?.querySelector("h1")?.after(room.node, note);
  room.changed(live, new AbortController().signal);
  await page.open(chosen(page, inside("query")));
  await room.begin();
  if (!room.model) fill(note, inline(sentence("saved.stays")));
}

begin();
