// The graphics card (WebGPU) in the place of WebAssembly, as a choice. The second run-time is fetched when a visitor chooses it;
// then the model computes one text both ways on this device. Only if all numbers are as near as the limit, and it is
// faster, are its answers shown; otherwise, and whenever it fails later, WebAssembly goes on, and `state` says why.
/** @import { Engine } from "./engine.js" */
/** @import { GraphicsManifest, Manifest } from "./types" */
/** @import { Trace } from "./trace.js" */
import { asEngineError } from "./errors.js";

/** The largest difference of a weight, of a logit, or of a hidden state as a norm lets it through. */
export const LIMIT = 1e-4;
/** The text that is computed both ways. */
export const TRIAL = "The children sat on the bank of the river and watched the slow brown water carry leaves away.";
const OTHER = "A"; // of which a decoder keeps nothing for the trial
const ROUNDS = 3;
/** A way that takes this many times as long is not tried again: no round would help it. */
const HOPELESS = 3;
const PATIENCE = 60_000; // milliseconds for the whole trial; an adapter in software may take minutes for one text
const BEGUN = ["loading", "checking", "on"];
/** Both ways are in memory until one is chosen. */
const TWICE = 2;

/**
 * What one way has computed of the trial: its numbers, and the least milliseconds of some rounds.
 * @typedef {{ numbers: Readonly<Record<"weights" | "hidden" | "logits", Float32Array>>, tokens: number, milliseconds: number }} Tried
 */
/**
 * Why the graphics card does not compute. `off`: a number is too far off. `slow`: WebAssembly is faster. `late`: it did not
 * answer in time. `failed`: it did not
 * start, or not to its end. `lost`: it has stopped while it was in use. `download`: its run-time did not arrive.
 * @typedef {{ why: "off", apart: number } | { why: "slow", took: number, ours: number, tokens: number } | { why: "late", patience: number, ours: number, tokens: number } | { why: "failed" | "lost" | "download", detail: string }} Refusal
 */
/**
 * @typedef {{ kind: "off" } | { kind: "loading", done: number, total: number } | { kind: "checking" }
 *   | { kind: "on", apart: number, took: number, ours: number, tokens: number } | ({ kind: "refused" } & Refusal)} State
 */
/**
 * What surrounds the choice.
 * @typedef {object} Around
 * @property {<T>(question: (engine: Engine) => Promise<T>) => Promise<T>} ask asks the model that runs now, when it is free
 * @property {() => Promise<Engine>} open makes the engine of the graphics card, not yet started
 * @property {(engine: Engine) => void} use answers come from this engine from now on; the one before it is closed
 * @property {() => Promise<unknown>} back WebAssembly answers again
 * @property {{ get: () => boolean, set: (chosen: boolean) => void }} memory whether the visitor chose it last
 * @property {number} [patience] milliseconds for the whole trial
 */

/** A model with the run-time for a graphics card in the place of the other. @template {Manifest} M @param {M} manifest @param {GraphicsManifest} graphics @returns {M} */
export function onGraphics(manifest, { runTime, files }) {
  const stored = manifest.stored.map((name) => (name.endsWith(".wasm") ? runTime.binary : name));
  return { ...manifest, stored, files: { ...manifest.files, ...files }, runTime };
}

/**
 * Whether there is a graphics card to choose: the page is secure, the browser has WebGPU, and an adapter answers.
 * @param {{ gpu?: { requestAdapter(): Promise<unknown> }, deviceMemory?: number }} [navigator] @param {number} [memory] gigabytes that the model needs
 */
export async function isThere(navigator = globalThis.navigator, memory = 0) {
  const { gpu, deviceMemory } = navigator ?? {};
  if (!gpu || (deviceMemory !== undefined && deviceMemory < TWICE * memory)) return false;
  return Boolean(await gpu.requestAdapter().catch(() => null));
}

/** Computes the trial. @param {Engine} engine @param {number} [most] the milliseconds of the other way @returns {Promise<Tried>} */
export async function tried(engine, most = Infinity) {
  const speaks = engine.manifest.kind === "decoder";
  let milliseconds = Infinity, trace = null;
  for (let i = 0; i <= ROUNDS && !(milliseconds < Infinity && milliseconds > HOPELESS * most); i++) { // the first prepares
    if (speaks) await engine.next(OTHER);
    trace = await engine.trace(TRIAL);
    if (i) milliseconds = Math.min(milliseconds, engine.milliseconds);
  }
  if (!trace) throw new Error("it gave no trace");
  const logits = speaks ? (await engine.next(TRIAL)).logits : new Float32Array(0);
  return { tokens: trace.n, milliseconds, numbers: { weights: weightsOf(trace), hidden: normed(trace), logits } };
}

/** All attention weights. @param {Trace} trace */
function weightsOf(trace) {
  const { layers, heads, n } = trace, all = new Float32Array(layers * heads * n * n);
  for (let i = 0; i < all.length; i++) {
    const row = Math.floor(i / n), map = Math.floor(row / n);
    all[i] = trace.weight(Math.floor(map / heads), map % heads, row % n, i % n);
  }
  return all;
}

/** Each hidden state over the root of the mean of its squares: one coordinate of the first token can be in the thousands. @param {Trace} trace */
function normed({ hidden, size }) {
  const out = new Float32Array(hidden.length);
  for (let from = 0; from < hidden.length; from += size) {
    const row = hidden.subarray(from, from + size), root = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0) / size) || 1;
    row.forEach((x, i) => { out[from + i] = x / root; });
  }
  return out;
}

/** The largest difference of two ways; Infinity where a number is none, or the shapes differ. @param {Tried["numbers"]} one @param {Tried["numbers"]} other */
export function apartOf(one, other) {
  let most = 0;
  for (const name of /** @type {const} */ (["weights", "hidden", "logits"])) {
    const [a, b] = [one[name], other[name]];
    if (a.length !== b.length) return Infinity;
    for (let i = 0; i < a.length; i++) {
      const apart = Math.abs(a[i] - b[i]);
      if (!(apart <= most)) most = Number.isFinite(apart) ? apart : Infinity;
    }
  }
  return most;
}

/**
 * Whose answers are shown.
 * @param {Tried} ours of WebAssembly @param {Tried} theirs of the graphics card
 * @returns {Extract<State, { kind: "on" | "refused" }>}
 */
export function decided(ours, theirs) {
  const apart = apartOf(ours.numbers, theirs.numbers), times = { took: theirs.milliseconds, ours: ours.milliseconds, tokens: ours.tokens };
  if (apart > LIMIT) return { kind: "refused", why: "off", apart };
  return times.took < times.ours ? { kind: "on", apart, ...times } : { kind: "refused", why: "slow", ...times };
}

export class Graphics {
  /** @type {State} */
  state = { kind: "off" };
  /** Called with each new state. @type {Set<(state: State) => void>} */
  heard = new Set();
  /** Counts beginnings and endings: what an earlier one still waits for is dropped. */
  #turn = 0;
  /** The engine that is tried, or in use. @type {?Engine} */
  #engine = null;

  /** @param {Around} around */
  constructor(around) {
    this.around = around;
  }

  get isOn() {
    return this.state.kind === "on";
  }

  /** The visitor chooses it: fetches its run-time, and tries it. */
  async begin() {
    if (BEGUN.includes(this.state.kind)) return;
    const turn = ++this.#turn, { around } = this;
    this.#become({ kind: "loading", done: 0, total: 0 });
    try {
      const engine = this.#engine = await around.open();
      if (turn !== this.#turn) return engine.close();
      await engine.start({ onProgress: (done, total) => {
        if (turn === this.#turn) this.#become(done < total ? { kind: "loading", done, total } : { kind: "checking" });
      } });
      if (turn !== this.#turn) return;
      this.#become({ kind: "checking" });
      const ours = await around.ask((one) => tried(one));
      const { patience = PATIENCE } = around, theirs = await inTime(tried(engine, ours.milliseconds), patience);
      if (turn !== this.#turn) return;
      const late = /** @type {const} */ ({ kind: "refused", why: "late", patience, ours: ours.milliseconds, tokens: ours.tokens });
      const found = theirs ? decided(ours, theirs) : late;
      if (found.kind === "refused") this.#refuse(found);
      else {
        around.memory.set(true);
        around.use(engine);
        this.#become(found);
      }
    } catch (error) {
      if (turn !== this.#turn) return;
      const { name } = asEngineError(error), detail = error instanceof Error ? error.message : String(error);
      this.#refuse({ why: name === "DownloadBroken" ? "download" : "failed", detail });
    }
  }

  /** Begins by itself where the visitor chose it last, and its run-time has not to be fetched. */
  async resume() {
    const { memory, open } = this.around;
    if (memory.get() && this.state.kind === "off" && await open().then((engine) => engine.cached(), () => false)) await this.begin();
  }

  /** The visitor chooses WebAssembly again. */
  async end() {
    const wasOn = this.isOn;
    this.around.memory.set(false);
    this.#leave({ kind: "off" });
    if (wasOn) await this.around.back();
  }

  /** The engine of the graphics card has stopped: WebAssembly answers again. @param {unknown} error */
  async lost(error) {
    if (!this.isOn) return;
    this.#refuse({ why: "lost", detail: error instanceof Error ? error.message : String(error) });
    await this.around.back();
  }

  /** The model is gone, and with it the choice for this visit; what was chosen stays. */
  leave() {
    if (BEGUN.includes(this.state.kind)) this.#leave({ kind: "off" });
  }

  /** @param {Refusal} why */
  #refuse(why) {
    this.around.memory.set(false); // a next visit does not try again by itself
    this.#leave({ kind: "refused", ...why });
  }

  /** @param {State} state */
  #leave(state) {
    this.#turn += 1;
    this.#engine?.close();
    this.#engine = null;
    this.#become(state);
  }

  /** @param {State} state */
  #become(state) {
    this.state = state;
    for (const hear of [...this.heard]) hear(state);
  }
}

/** What a promise brings; null if that is not in time. @template T @param {Promise<T>} promise @param {number} patience @returns {Promise<T | null>} */
function inTime(promise, patience) {
  return new Promise((keep, fail) => {
    const timer = setTimeout(() => keep(null), patience);
    promise.then(keep, fail).finally(() => clearTimeout(timer));
  });
}
