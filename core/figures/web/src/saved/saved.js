// Runs in a saved comparison that has the model inside. It computes on the page itself: a worker made in a file
// from a disk cannot start the run-time (onnxruntime#27317); a sentence takes a few hundredths of a second.
/** @import { EncoderManifest as Manifest } from "../engine/types" */
/** @import { Ort } from "../engine/runtime.js" */
/** @import { CompareQuery } from "../derive/compare.js" */
/** @import { Made } from "../derive/packed.js" */
/** @import { Part } from "./weights.js" */
import { Session } from "../engine/session.js";
import { Trace } from "../engine/trace.js";
import { Comparer } from "../derive/compare.js";
import { packed } from "../derive/packed.js";
import { asText } from "../device/plaintext.js";
import { element } from "../runtime/shared.js";
import { WEIGHTS } from "./file.js";
import { inside, script, stored, unzipped } from "./inside.js";
import { unpackWeights } from "./weights.js";

const WHY = "This file does not compute what each word adds.";
const KEPT = 12; // traces
const BEHIND = "data-behind";

/** @typedef {Record<string, ((host: Element, bytes: Uint8Array, emit: () => void) => unknown) | undefined>} Drawers */

const drawers = () => /** @type {{ polysee?: Drawers }} */ (/** @type {unknown} */ (globalThis)).polysee ?? {};

/** @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
const file = async (name) => (name === WEIGHTS ? unpackWeights(stored(name), /** @type {Part[]} */ (inside("layout"))) : unzipped(name));

/** The model, started. @returns {Promise<(text: string) => Promise<Trace>>} */
async function started() {
  const manifest = /** @type {Manifest} */ (inside("manifest"));
  const ort = /** @type {Ort} */ (await import(await script("ort.wasm.min.mjs")));
  /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
  const files = {};
  for (const name of manifest.stored) files[name] = await file(name);
  const session = await Session.start(ort, manifest, files, await script("ort-wasm-simd-threaded.mjs"));
  /** @type {Map<string, Promise<Trace>>} */
  const known = new Map();
  let before = /** @type {Promise<unknown>} */ (Promise.resolve());
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const made = before.then(async () => new Trace(await session.run(text)));
    before = made.catch(() => {});
    known.set(text, made);
    made.catch(() => known.delete(text));
    for (const oldest of [...known.keys()].slice(0, -KEPT)) known.delete(oldest);
    return made;
  };
}

/** The boxes for the two sentences, below the title. @param {CompareQuery} query */
function boxes(query) {
  const block = element("section", { id: "polysee-inside" }), said = element("span", { role: "status" });
  const time = element("span"), line = element("p"); // the time of each key is not read aloud
  line.append(said, " ", time);
  const areas = /** @type {const} */ (["a", "b"]).map((name) => {
    const label = element("label", {}, `Sentence ${name.toUpperCase()}`);
    const area = element("textarea", { rows: "1", dir: "auto", spellcheck: "false", disabled: "" });
    area.value = query[name];
    label.append(area);
    return { label, area };
  });
  block.append(...areas.map(({ label }) => label), line);
  document.querySelector("h1")?.after(block);
  const say = (/** @type {string} */ text, /** @type {string} */ timed = "") => {
    if (said.textContent !== text) said.textContent = text;
    time.textContent = timed;
  };
  return { areas: areas.map(({ area }) => area), say };
}

/** Where a picture of this kind was drawn. @param {string} module */
function hostOf(module) {
  const host = document.querySelector(`[data-polysee="${module}"]`);
  return host instanceof HTMLElement ? host : null;
}

/**
 * What is not computed again: each section without a picture that is, and in the others, each other picture.
 * @param {readonly (HTMLElement | null)[]} live
 */
function markable(live) {
  return [...document.querySelectorAll("main > section, main > footer")].flatMap((section) => {
    if (section.id === "polysee-inside") return [];
    if (!live.some((host) => host && section.contains(host))) return [section];
    return [...section.querySelectorAll("figure")].filter((figure) => !live.some((host) => host && figure.contains(host)));
  });
}

async function begin() {
  const query = /** @type {CompareQuery} */ (inside("query"));
  const { areas, say } = boxes(query);
  say("The model inside this file starts.");
  /** @type {Comparer} */
  let comparer;
  try {
    comparer = new Comparer(await started());
    await comparer.compare(query);
  } catch (error) {
    console.error(error);
    say("The model inside this file does not run in this browser. The saved comparison stays as it is.");
    return;
  }
  // Each picture that is computed again; the rest was computed when the file was saved, and says whose it is.
  const moving = hostOf("trajectory"), lines = hostOf("lines");
  const behind = markable([moving, lines]);
  const saved = JSON.stringify(areas.map(({ value }) => value));
  let wanted = false, working = false;
  /** @param {HTMLElement | null} host @param {Made<object> | null | undefined} made */
  const draw = (host, made) => {
    const drawer = made && drawers()[made.module], fits = Boolean(host && drawer && host.dataset.polysee === made.module);
    if (host && drawer && fits) drawer(host, packed(made), () => {});
    host?.closest("figure")?.toggleAttribute(BEHIND, !fits);
  };
  const compute = async () => {
    const [a, b] = areas.map(({ value }) => value), since = performance.now();
    const found = await comparer.compare({ ...query, a, b }, { why: WHY });
    if (wanted) return; // a newer text
    const { picture, headline, notes } = found;
    draw(moving, picture);
    const took = Math.max(1, Math.round(performance.now() - since));
    const similar = picture?.module === "lines" ? { picture } : await comparer.cosines(found).catch(() => null);
    if (wanted) return;
    draw(lines, similar?.picture);
    const isSaved = JSON.stringify([a, b]) === saved;
    for (const one of behind) one.toggleAttribute(BEHIND, !isSaved);
    const rest = isSaved ? "" : "What is dimmed is about the saved sentences.";
    say(`${asText([headline, ...notes])} ${rest}`.trim(), `Computed in this file in ${took} ms.`);
  };
  const follow = async () => {
    wanted = true;
    if (working) return;
    working = true;
    try {
      while (wanted) {
        wanted = false;
        await compute();
      }
    } catch (error) {
      console.error(error);
      say("This text could not be computed.");
    } finally {
      working = false;
    }
  };
  for (const area of areas) {
    area.disabled = false;
    area.addEventListener("input", follow);
  }
  say("Type in a sentence: the picture follows every key, and nothing leaves this file.");
}

begin();
