// Where the model runs: in a worker of this tab. It is fetched when a visitor says so, and starts by itself only where
// the browser has it already.
/** @import { Trace } from "../engine/trace.js" */
import { Engine } from "../engine/engine.js";
import { sentence } from "../derive/sentences.js";
import { fill, h, inline } from "./dom.js";
import { mayWorkOffline } from "./offline.js";
import { say } from "./words.js";

const TRACES = 8; // of the texts read last; one of 512 tokens takes 20 MB
const MEGABYTE = 1e6;
/** Which sentence says why there is no model, by the name of the engine's error. @type {Readonly<Record<string, import("../derive/sentences.js").SentenceName>>} */
const WHY = { OutOfMemory: "static.too-small", DownloadBroken: "static.not-fetched" };

/** @typedef {(text: string) => Promise<Trace>} TraceOf */

export class Room {
  node = h("div", { class: "model" });
  /** Reads a text; null while there is no model. @type {TraceOf | null} */
  traceOf = null;
  #state = h("div", { role: "status" });
  #work = h("p", { class: "quiet" });
  #events = new EventTarget();
  /** @type {Map<string, Promise<Trace>>} */
  #traces = new Map();
  /** The text that is read now: the engine answers only the latest request. @type {Promise<unknown>} */
  #reading = Promise.resolve();
  /** @type {Engine | null} */
  #engine = null;

  /** @param {string} root the address of the folder */
  constructor(root) {
    this.root = root;
    this.node.append(this.#state, this.#work);
  }

  /** Calls `heard` when the model comes or goes. @param {() => void} heard @param {AbortSignal} signal */
  changed(heard, signal) {
    this.#events.addEventListener("change", heard, { signal });
  }

  /** Says what is going on while an answer takes long; "" for nothing. @param {string} what */
  works(what) {
    this.#work.textContent = what;
  }

  /** Starts the model if the browser has it; otherwise offers to fetch it. */
  async begin() {
    try {
      const engine = await this.#found(), size = await engine.size();
      if (size) this.#offer("", size);
      else await this.open();
    } catch (error) {
      this.#failed(error);
    }
  }

  async #found() {
    return (this.#engine ??= await Engine.at({ base: `${this.root}engine/` }));
  }

  /** @param {string} why what went wrong before; "" for nothing @param {number} bytes to fetch */
  #offer(why, bytes) {
    const size = (bytes / MEGABYTE).toFixed(0);
    fill(this.#state, [
      ...(why ? [h("p", { class: "wrong" }, why)] : [h("p", {}, ...inline(sentence("static.offer")))]),
      h("button", { type: "button", class: "main", click: () => this.open() },
        bytes ? sentence("static.fetch", { size }) : sentence("static.again")),
    ]);
  }

  /** Fetches what is missing, and starts the model. */
  async open() {
    const bar = h("progress", { "aria-label": sentence("static.loading") }), told = h("span", {}, sentence("static.starting"));
    fill(this.#state, [h("p", {}, bar, " ", told)]);
    try {
      const engine = await this.#found();
      await engine.start({
        onProgress: (bytes, all) => {
          bar.value = bytes / all;
          told.textContent = bytes < all
            ? sentence("static.loaded", { loaded: (bytes / MEGABYTE).toFixed(0), total: (all / MEGABYTE).toFixed(0) })
            : sentence("static.starting");
        },
      });
      this.traceOf = (text) => this.#traced(engine, text);
      fill(this.#state, [h("p", { class: "quiet" }, ...inline((await mayWorkOffline(this.root)) ? sentence("static.ready") : say("readyOverHttp")))]);
      this.#events.dispatchEvent(new Event("change"));
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** @param {unknown} error */
  async #failed(error) {
    console.error(error);
    const name = error instanceof Error ? error.name : "", size = await this.#engine?.size().catch(() => 0);
    this.#offer(sentence(WHY[name] ?? "static.not-started"), size ?? 0);
  }

  /** A text is read once, as long as it is among the last few. @param {Engine} engine @param {string} text */
  #traced(engine, text) {
    let known = this.#traces.get(text);
    if (!known) {
      known = this.#reading.then(() => engine.trace(text));
      this.#reading = known.catch(() => {});
      known.catch((error) => this.#lost(text, error));
    }
    this.#traces.delete(text);
    this.#traces.set(text, known);
    for (const old of [...this.#traces.keys()].slice(0, -TRACES)) this.#traces.delete(old);
    return known;
  }

  /** The engine has stopped at a text, for example for lack of memory: it can be started again. @param {string} text @param {unknown} error */
  #lost(text, error) {
    this.#traces.delete(text);
    if (!this.traceOf) return;
    this.traceOf = null;
    this.#failed(error);
  }
}
