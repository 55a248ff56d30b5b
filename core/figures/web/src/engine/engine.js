// MiniLM on this device: what a page uses. The model runs in a worker (`worker.js`) beside it.
//
//   const engine = await Engine.at({ base });   // asks the server which model it has; fetches no weights
//   await engine.cached();                       // whether the browser has the whole model already
//   await engine.size();                         // the bytes to fetch, 0 if it has
//   await engine.start({ onProgress });          // fetches what is missing, and starts the model
//   const trace = await engine.trace(text);      // a `Trace`; the latest request wins
//
// `Engine.open` is the first and the fourth together. Each promise rejects with an `EngineError`.
/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Manifest} Manifest */
/** @typedef {import("./types").Order} Order */
/** @typedef {import("./types").Progress} Progress */
import { addressOf, fetchManifest, missingBytes } from "./download.js";
import { EngineError, asEngineError } from "./errors.js";
import { storage } from "./storage.js";
import { Trace } from "./trace.js";

export { EngineError, Trace };
export { findAll } from "./finding.js";
export { keyOf, split } from "./words.js";

/** @template T @typedef {{ resolve: (value: T) => void, reject: (error: EngineError) => void }} Waiting */
/** @typedef {{ text: string } & Waiting<Trace>} Request */

export class Engine {
  /** The milliseconds that the worker took for the latest trace; NaN before the first. */
  milliseconds = NaN;
  /** @type {?Worker} */
  #worker = null;
  /** @type {?Promise<void>} */
  #started = null;
  /** @type {?Waiting<void>} */
  #starting = null;
  /** @type {Progress} */
  #onProgress = () => {};
  #id = 0;
  /** What the worker computes now; null once another request has superseded it. @type {?Request} */
  #running = null;
  #busy = false;
  /** The latest request, which waits for the worker. @type {?Request} */
  #next = null;

  /** @param {string} base @param {Manifest} manifest @param {string} worker its address */
  constructor(base, manifest, worker) {
    this.base = base;
    this.manifest = manifest;
    this.worker = worker;
  }

  /**
   * The engine of a server, not yet started.
   * @param {object} options
   * @param {string} options.base the address of the folder of all files, of our own origin
   * @param {string} [options.worker] the address of the worker's script; `worker.js` in `base` by default
   */
  static async at({ base, worker }) {
    const folder = new URL(base.endsWith("/") ? base : `${base}/`, document.baseURI).href;
    return new Engine(folder, await fetchManifest(folder), worker ?? `${folder}worker.js`);
  }

  /**
   * The engine of a server, started.
   * @param {{ base: string, worker?: string, onProgress?: Progress }} options `onProgress` gets the bytes
   *   that have arrived, and all that are to arrive; it is not called if the browser has them
   */
  static async open({ onProgress, ...where }) {
    const engine = await Engine.at(where);
    await engine.start({ onProgress });
    return engine;
  }

  /** Whether the browser has the whole model, so that starting it fetches nothing large. */
  async cached() {
    return (await this.size()) === 0;
  }

  /** The bytes that starting the model would fetch. */
  size() {
    return missingBytes(this.manifest, storage());
  }

  /** Whether it has started, and has not failed since. */
  get ready() {
    return this.#worker !== null && this.#starting === null;
  }

  /**
   * Fetches what the browser does not have, and starts the model. After a failure, call it again.
   * @param {{ onProgress?: Progress }} [options]
   */
  start({ onProgress } = {}) {
    if (onProgress) this.#onProgress = onProgress;
    return (this.#started ??= this.#begin());
  }

  /** @returns {Promise<void>} */
  #begin() {
    return new Promise((resolve, reject) => {
      this.#starting = { resolve, reject };
      try {
        const worker = (this.#worker = new Worker(this.worker, { type: "module" }));
        worker.addEventListener("message", ({ data }) => this.#take(data));
        worker.addEventListener("error", (event) => {
          event.preventDefault();
          this.#fail(asEngineError(new Error(event.message || "its script did not load")));
        });
        this.#order({ kind: "start", id: ++this.#id, base: this.base, manifest: this.manifest });
      } catch (error) {
        this.#fail(asEngineError(error));
      }
    });
  }

  /** @param {Order} order */
  #order(order) {
    this.#worker?.postMessage(order);
  }

  /**
   * Computes a text. A request that another one follows before it is done rejects as "Superseded".
   * @param {string} text @returns {Promise<Trace>}
   */
  trace(text) {
    const superseded = () => new EngineError("Superseded", "Another text was asked for meanwhile.");
    this.#running?.reject(superseded());
    this.#next?.reject(superseded());
    this.#running = this.#next = null;
    return new Promise((resolve, reject) => {
      const request = (this.#next = { text, resolve, reject });
      this.start().then(() => this.#advance(), (error) => {
        reject(error);
        if (this.#next === request) this.#next = null;
      });
    });
  }

  /** Hands the latest request to the worker, if the worker has nothing to do. */
  #advance() {
    if (this.#busy || !this.#next) return;
    this.#busy = true;
    this.#running = this.#next;
    this.#next = null;
    this.#order({ kind: "trace", id: ++this.#id, text: this.#running.text });
  }

  /** @param {Answer} answer */
  #take(answer) {
    if (answer.kind === "progress") this.#onProgress(answer.bytes, answer.all);
    else if (answer.kind === "started") {
      this.#starting?.resolve();
      this.#starting = null;
    } else if (answer.kind === "failed") {
      this.#fail(new EngineError(/** @type {EngineError["name"]} */ (answer.name), answer.message));
    } else {
      const request = this.#running;
      this.#busy = false;
      this.#running = null;
      this.milliseconds = answer.milliseconds;
      request?.resolve(new Trace(answer.parts));
      this.#advance();
    }
  }

  /** After a failure, nothing is left of the worker; `start` makes another. @param {EngineError} error */
  #fail(error) {
    this.#worker?.terminate();
    this.#worker = this.#started = null;
    const waiting = [this.#starting, this.#running, this.#next];
    this.#starting = this.#running = this.#next = null;
    this.#busy = false;
    for (const one of waiting) one?.reject(error);
  }

  /** Ends the worker and frees its memory; the files stay in the browser. */
  close() {
    this.#fail(new EngineError("EngineClosed", "The model on this device was closed."));
  }

  /** Forgets the files too: the browser's room is free again. */
  async forget() {
    this.close();
    await storage()?.keepOnly([]);
  }
}

/** The address of a file of the model, which names its content. @param {Engine} engine @param {string} name */
export const fileOf = (engine, name) => addressOf(engine.base, name, engine.manifest);
