// A model on this device: what a page uses. The model runs in a worker (`worker.js`) beside it.
//
//   const engine = await Engine.at({ base });   // asks the server which model it has; fetches no weights
//   await engine.cached();                       // whether the browser has the model already
//   await engine.size();                         // the bytes to fetch, 0 if it has
//   await engine.start({ onProgress });          // fetches what is missing, and starts the model
//   const trace = await engine.trace(text);      // a `Trace`; the latest request wins
//   const { logits } = await engine.next(text);  // of the next token, for a model that predicts it
//   const { top } = await engine.expect(text);   // the same with names, in descending order
//   await engine.write(text, [], 20, how, heard); // tokens one by one; `engine.stop()` ends it
//
// `Engine.open` is the first and the fourth together. Each promise rejects with an `EngineError`.
/** @typedef {import("./onpage").OnPage} OnPage */
/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Manifest} Manifest */
/** @typedef {import("./types").NextParts} NextParts */
/** @typedef {import("./types").Order} Order */
/** @typedef {import("./types").Progress} Progress */
/** @typedef {import("./types").SourcesAsked} SourcesAsked */
/** @typedef {import("./types").SourcesOf} SourcesOf */
/** @typedef {import("./types").StepsAsked} StepsAsked */
/** @typedef {import("./types").StepsOf} StepsOf */
/** @typedef {import("./types").Writing} Writing */
/** @typedef {import("./changed").Changed} Changed */
/** @typedef {import("./changed").ChangedAsked} ChangedAsked */
/** @typedef {import("./changed").Patched} Patched */
/** @typedef {import("./sink").Sink} Sink */
/** @typedef {import("./speaker").Generated} Generated */
/** @typedef {import("./lens").LensAsked} LensAsked */
/** @typedef {import("./lens").LensGrid} LensGrid */
/** @typedef {import("./speaker").NextToken} NextToken */
/** @typedef {import("./why").Why} Why */
/** @typedef {import("./why").WhyAsked} WhyAsked */
/** @typedef {import("../derive/expecting").Score} Score */
import { addressOf, fetchManifest, missingBytes } from "./download.js";
import { EngineError, asEngineError } from "./errors.js";
import { onGraphics } from "./graphics.js";
import { storage } from "./storage.js";
import { Trace } from "./trace.js";

export { EngineError, Trace };
export { findAll } from "./finding.js";
export { keyOf, split } from "./words.js";

/** @template T @typedef {{ resolve: (value: T) => void, reject: (error: EngineError) => void }} Waiting */
/** @typedef {{ text: string, more: number[] }} Continued a text, and the ids of tokens that follow it */
/**
 * An order without its number.
 * @typedef {{ kind: "trace" | "sink", text: string } | { kind: "steps", text: string, asked: StepsAsked } | { kind: "sources", text: string, asked: SourcesAsked } | { kind: "next" | "expect" | "score" } & Continued |
 *   { kind: "changed", text: string, asked: ChangedAsked } | { kind: "patched", text: string, asked: { other: string, words: string[] } } |
 *   { kind: "lens", asked: LensAsked } & Continued | { kind: "why", asked: WhyAsked } & Continued | { kind: "write", count: number, how: Writing } & Continued} Wish
 */
/** @typedef {{ wish: Wish, heard?: (part: any) => void } & Waiting<any>} Request */

/** The share of a model that is fetched without being asked for, as of a new edition: a graph, a table. */
const LITTLE = 0.01;
/** What a first token may take behind a text of so many tokens, or fewer; behind a longer one, in proportion. */
const PATIENCE = 3000, PATIENT_FOR = 64; // milliseconds, tokens

export class Engine {
  /** The milliseconds that the worker took for the latest answer; NaN before the first. */
  milliseconds = NaN;
  /** Whether this device takes too long for a first token. */
  slow = false;
  /** @type {?Worker | OnPage} */
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
  /** The number of the order that the worker has; 0 if it has none. */
  #busy = 0;
  /** The latest request, which waits for the worker. @type {?Request} */
  #next = null;

  /**
   * @param {string} base @param {Manifest} manifest
   * @param {string | (() => OnPage)} worker its address; or what makes one that is in its place
   */
  constructor(base, manifest, worker) {
    this.base = base;
    this.manifest = manifest;
    this.worker = worker;
  }

  /**
   * The engine of a server, not yet started.
   * @param {object} options
   * @param {string} options.base the address of the folder of all files, of our own origin
   * @param {string} [options.manifest] the file there that describes the model; MiniLM's by default
   * @param {string} [options.worker] the address of the worker's script; `worker.js` in `base` by default
   */
  static async at({ base, manifest, worker }) {
    const folder = new URL(base.endsWith("/") ? base : `${base}/`, document.baseURI).href;
    return new Engine(folder, await fetchManifest(folder, manifest), worker ?? `${folder}worker.js`);
  }

  /** The same model on the graphics card, not yet started (`graphics.js`). */
  async onGraphics() {
    const { base, manifest, worker } = this;
    return new Engine(base, onGraphics(manifest, /** @type {import("./types").GraphicsManifest} */ (await fetchManifest(base, "graphics.json"))), worker);
  }

  /**
   * The engine of a server, started.
   * @param {{ base: string, manifest?: string, worker?: string, onProgress?: Progress }} options `onProgress` gets the bytes
   *   that have arrived, and all that are to arrive; it is not called if the browser has them
   */
  static async open({ onProgress, ...where }) {
    const engine = await Engine.at(where);
    await engine.start({ onProgress });
    return engine;
  }

  /** Whether the browser has the model, so that starting it fetches nothing large. */
  async cached() {
    const { stored, files } = this.manifest;
    return (await this.size()) <= LITTLE * stored.reduce((sum, name) => sum + files[name].bytes, 0);
  }

  /** The bytes that starting the model would fetch. */
  size() {
    return missingBytes(this.manifest, storage());
  }

  /** Whether this device has as much memory as the model needs; browsers that do not say count as such. */
  get fits() {
    const { deviceMemory } = /** @type {Navigator & { deviceMemory?: number }} */ (globalThis.navigator ?? {});
    return deviceMemory === undefined || deviceMemory >= this.manifest.memory;
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
        const worker = (this.#worker = typeof this.worker === "string" ? new Worker(this.worker, { type: "module" }) : this.worker());
        worker.addEventListener("message", (event) => this.#take(/** @type {MessageEvent<Answer>} */ (event).data));
        worker.addEventListener("error", (event) => {
          event.preventDefault();
          this.#fail(asEngineError(new Error(/** @type {ErrorEvent} */ (event).message || "its script did not load")));
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
   * Computes a text. A request that another one follows before it is done rejects as "Superseded", and what is still to
   * be computed of it is not.
   * @param {string} text @returns {Promise<Trace>}
   */
  async trace(text) {
    return new Trace(await this.#ask({ kind: "trace", text }));
  }

  /**
   * What comes after a text, as `trace` computes it.
   * @param {string} text @param {readonly number[]} [more] ids of tokens that follow it
   * @returns {Promise<NextParts>}
   */
  next(text, more = []) {
    return this.#ask({ kind: "next", text, more: [...more] });
  }

  /**
   * What comes after a text, the likeliest first.
   * @param {string} text @param {readonly number[]} [more]
   * @returns {Promise<NextToken>}
   */
  expect(text, more = []) {
    return this.#ask({ kind: "expect", text, more: [...more] });
  }

  /** How a text surprises the model; null if it was stopped. @param {string} text @param {readonly number[]} [more] @returns {Promise<?Score>} */
  score(text, more = []) {
    return this.#ask({ kind: "score", text, more: [...more] });
  }

  /** What each layer would say. @param {string} text @param {readonly number[]} more @param {LensAsked} asked @returns {Promise<LensGrid>} */
  lens(text, more, asked) {
    return this.#ask({ kind: "lens", text, more: [...more], asked });
  }

  /** Why a token comes next. @param {string} text @param {readonly number[]} more @param {WhyAsked} asked @returns {Promise<Why>} */
  why(text, more, asked) {
    return this.#ask({ kind: "why", text, more: [...more], asked });
  }

  /** What comes after a text in a run that is changed; null if it was stopped. @param {string} text @param {ChangedAsked} asked @param {(layers: number) => void} [heard] @returns {Promise<?Changed>} */
  changed(text, asked, heard) {
    return this.#ask({ kind: "changed", text, asked }, heard);
  }

  /**
   * The lead of one next word over another after text B with each state of A in turn; null if it was stopped.
   * @param {string} text A @param {{ other: string, words: string[] }} asked B, and both words @param {(layers: number) => void} [heard] @returns {Promise<?Patched>}
   */
  patched(text, asked, heard) {
    return this.#ask({ kind: "patched", text, asked }, heard);
  }

  /** The first token of a text against the others; null if it was stopped. @param {string} text @param {(layers: number) => void} [heard] @returns {Promise<?Sink>} */
  sink(text, heard) {
    return this.#ask({ kind: "sink", text }, heard);
  }

  /** Every step of a text through one layer. @param {string} text @param {StepsAsked} asked @returns {Promise<StepsOf>} */
  steps(text, asked) {
    return this.#ask({ kind: "steps", text, asked });
  }

  /** What each token adds to a word's position after each layer; null if it was stopped. @param {string} text @param {SourcesAsked} asked @returns {Promise<?SourcesOf>} */
  sources(text, asked) {
    return this.#ask({ kind: "sources", text, asked });
  }

  /**
   * Writes tokens one by one; resolves when the text ends, or is stopped.
   * @param {string} text @param {readonly number[]} more @param {number} count tokens at most @param {Writing} how
   * @param {(token: Generated) => void} heard each token, as soon as it is written
   * @returns {Promise<void>}
   */
  write(text, more, count, how, heard) {
    return this.#ask({ kind: "write", text, more: [...more], count, how }, heard);
  }

  /** Ends what is being written, of which stays what is there, or any other answer, which is then null. */
  stop() {
    if (this.#busy) this.#order({ kind: "stop", id: this.#busy });
  }

  /** @param {Wish} wish @param {(part: any) => void} [heard] @returns {Promise<any>} */
  #ask(wish, heard) {
    const superseded = () => new EngineError("Superseded", "Another text was asked for meanwhile.");
    this.#running?.reject(superseded());
    this.#next?.reject(superseded());
    if (this.#running) this.#order({ kind: "stop", id: this.#busy });
    this.#running = this.#next = null;
    return new Promise((resolve, reject) => {
      const request = (this.#next = { wish, heard, resolve, reject });
      this.start().then(() => this.#advance(), (error) => {
        reject(error);
        if (this.#next === request) this.#next = null;
      });
    });
  }

  /** Hands the latest request to the worker, if the worker has nothing to do. */
  #advance() {
    if (this.#busy || !this.#next) return;
    this.#busy = ++this.#id;
    this.#running = this.#next;
    this.#next = null;
    this.#order({ ...this.#running.wish, id: this.#busy });
  }

  /** @param {Answer} answer */
  #take(answer) {
    if (answer.kind === "progress") this.#onProgress(answer.bytes, answer.all);
    else if (answer.kind === "started") {
      this.#starting?.resolve();
      this.#starting = null;
    } else if (answer.kind === "failed" && answer.name !== "TextRefused") {
      this.#fail(new EngineError(/** @type {EngineError["name"]} */ (answer.name), answer.message));
    } else if (answer.kind === "wrote") this.#running?.heard?.(answer.token);
    else if (answer.kind === "part") this.#running?.heard?.(answer.layers);
    else this.#done(answer);
  }

  /** The worker is free again. @param {Extract<Answer, { kind: "traced" | "next" | "said" | "stopped" | "failed" }>} answer */
  #done(answer) {
    const request = this.#running;
    this.#busy = 0;
    this.#running = null;
    if (answer.kind === "failed") request?.reject(new EngineError("TextRefused", answer.message));
    else if (answer.kind !== "stopped") {
      this.milliseconds = answer.milliseconds;
      if (answer.parts && "encoded" in answer.parts) {
        this.slow ||= answer.milliseconds > PATIENCE * Math.max(1, answer.parts.encoded.ids.length / PATIENT_FOR);
      }
      request?.resolve(answer.parts);
    } else request?.resolve(null);
    this.#advance();
  }

  /** After a failure, nothing is left of the worker; `start` makes another. @param {EngineError} error */
  #fail(error) {
    this.#worker?.terminate();
    this.#worker = this.#started = null;
    const waiting = [this.#starting, this.#running, this.#next];
    this.#starting = this.#running = this.#next = null;
    this.#busy = 0;
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
