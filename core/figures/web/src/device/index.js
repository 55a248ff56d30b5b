// The device in a page of the app: what `ui/device/parts.py` fetches and mounts.
/** @import { Around, Device, Engine as Model, Why } from "./device.js" */
/** @import { Context } from "./follow.js" */
/** @import { Saved } from "../saved/offer.js" */
import { Engine } from "../engine/engine.js";
import { Unfit } from "./device.js";
import { makersOfPages } from "./makers.js";
import { deviceOf, mountLine, mountSwitch } from "./mount.js";
import { mountSaved } from "../saved/offer.js";

const CHOICE = "polysee device";
// The smallest module that has an instruction of SIMD.
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** @type {Readonly<Record<string, Why>>} */
const WHY = { DownloadBroken: "download", OutOfMemory: "small", EngineBroken: "broken" };

/** @param {unknown} error */
const unfit = (error) => (error instanceof Error && error.name in WHY ? new Unfit(WHY[error.name], error.message) : error);

/** @param {number} least gigabytes, as browsers round them, below which the model is not offered @returns {Why | null} */
function whyNot(least) {
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(Uint8Array.from(SIMD))) return "old";
  const { deviceMemory } = /** @type {Navigator & { deviceMemory?: number }} */ (navigator);
  return deviceMemory !== undefined && deviceMemory < least ? "small" : null;
}

/** What the visitor chose last; a browser may keep nothing, for example in a frame of another site. @param {string} model */
const memoryOf = (model) => ({
  get() {
    try {
      return localStorage.getItem(`${CHOICE} ${model}`);
    } catch {
      return null;
    }
  },
  /** @param {string} value */
  set(value) {
    try {
      localStorage.setItem(`${CHOICE} ${model}`, value);
    } catch { /* it is asked for again next time */ }
  },
});

/** An engine as a device asks it. @param {Engine} engine @returns {Model} */
const modelOf = (engine) => ({
  trace: (text) => engine.trace(text).catch((error) => Promise.reject(unfit(error))),
  expect: (text, more) => engine.expect(text, more).catch((error) => Promise.reject(unfit(error))),
  steps: (text, asked) => engine.steps(text, asked).catch((error) => Promise.reject(unfit(error))),
  sources: (text, asked) => engine.sources(text, asked).catch((error) => Promise.reject(unfit(error))),
  stop: () => engine.stop(),
  close: () => engine.close(),
});

/** @param {Data} data @param {(engine: Engine) => void} opened hears of each engine that has started @returns {Around} */
function around({ base, model: name, manifest, memory }, opened) {
  return {
    async open(onProgress) {
      try {
        const engine = await Engine.at({ base, manifest });
        await engine.start({ onProgress });
        opened(engine);
        return modelOf(engine);
      } catch (error) {
        throw unfit(error);
      }
    },
    isCached: async () => (await Engine.at({ base, manifest })).cached(),
    unfit: () => whyNot(memory),
    memory: memoryOf(name),
    now: () => performance.now(),
  };
}

/** By model: its device, and the control of its graphics card, where there is one to choose. @type {Map<string, Here>} */
const all = new Map();
/** @typedef {ReturnType<typeof deviceOf> & { choice: Promise<HTMLElement | null> }} Here */

/** Made by whoever asks first. @param {Data} data @returns {Here} */
function hereOf(data) {
  /** @type {Engine | null} */
  let running = null;
  const own = deviceOf(data.model, around(data, (engine) => { running = engine; }), makersOfPages);
  const made = all.get(data.model) ?? { ...own, choice: graphicsOf(data, own.device, () => running).catch(() => null) };
  all.set(data.model, made);
  return made;
}

/** The control of a graphics card; null where there is none to choose. @param {Data} data @param {Device} device @param {() => Engine | null} running */
async function graphicsOf(data, device, running) {
  if (!data.graphics || !("gpu" in navigator)) return null;
  const code = await import(new URL(`${data.base}graphics.js`, document.baseURI).href);
  return /** @type {typeof import("./graphics.js")} */ (code).choiceOf(device, data, { running, asked: modelOf, chosen: memoryOf(`${data.model} graphics`) });
}

/**
 * @typedef {object} Data
 * @property {"switch" | "line" | "saved"} part
 * @property {string} base the address of the folder of the model's files
 * @property {string} model
 * @property {string} title its name on the screen
 * @property {string} manifest the file that describes it
 * @property {number} memory gigabytes that a device must have
 * @property {number} size bytes that a first visit fetches
 * @property {number} graphics bytes of the second run-time; 0 where it was not built
 * @property {Context} [context] of a line
 * @property {Omit<Saved, "base">} [saved] the page that can be saved
 */

/**
 * Draws a part of the page; returns what ends it.
 * @param {HTMLElement} root @param {Data} data
 * @returns {() => void}
 */
export function mount(root, data) {
  if (data.part === "saved") return data.saved ? mountSaved(root, { base: data.base, ...data.saved }) : () => {};
  const own = hereOf(data);
  if (data.part === "switch") return mountSwitch(root, own, data);
  return data.context ? mountLine(root, own, data.context) : () => {};
}
