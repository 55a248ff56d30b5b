// Where the model runs: in a worker of this tab. Its 91 MB are fetched when a visitor says so, and by themselves only
// where they are stored already: in the service worker's cache, or, over plain http, in IndexedDB.
/** @import { Trace } from "../engine/trace.js" */
import { Engine } from "../engine/engine.js";
import { sentence } from "../fromtrace/sentences.js";
import { fill, h, inline } from "./dom.js";
import { isStored, mayWorkOffline, weightsFor } from "./storage.js";

const TRACES = 8; // of the texts read last; one of 512 tokens takes 20 MB
const MEGABYTE = 1e6;

/** @typedef {(text: string) => Promise<Trace>} TraceOf */

export class Room {
  node = h("div", { class: "room" });
  /** Reads a text; null while there is no model. @type {TraceOf | null} */
  traceOf = null;
  #state = h("div", { role: "status" });
  #work = h("p", { class: "quiet" });
  #events = new EventTarget();
  /** @type {Map<string, Promise<Trace>>} */
  #traces = new Map();

  /**
   * @param {string} root the address of the folder
   * @param {import("./storage.js").Model} model
   */
  constructor(root, model) {
    this.root = root;
    this.model = model;
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

  /** Opens the model if it is stored here; otherwise offers to fetch it. */
  async begin() {
    if (await isStored(this.root, this.model)) await this.open();
    else this.#offer("");
  }

  /** @param {string} why what went wrong before; "" for nothing */
  #offer(why) {
    const size = (this.model.bytes / MEGABYTE).toFixed(0);
    fill(this.#state, [
      ...(why ? [h("p", { class: "wrong" }, why)] : []),
      h("p", {}, ...inline(sentence("static.offer", { size }))),
      h("button", { type: "button", class: "main", click: () => this.open() }, sentence("static.fetch", { size })),
    ]);
  }

  /** Fetches the model, and starts it. */
  async open() {
    const bar = h("progress", { max: "1", value: "0", "aria-label": sentence("static.loading") }), told = h("span", {}, sentence("static.loading"));
    fill(this.#state, [h("p", {}, bar, " ", told)]);
    /** @param {{ loaded: number, total: number }} progress */
    const onProgress = ({ loaded, total }) => {
      bar.value = total ? Math.min(1, loaded / total) : 0;
      told.textContent = sentence("static.loaded", { loaded: (loaded / MEGABYTE).toFixed(0), total: (total / MEGABYTE).toFixed(0) });
    };
    try {
      const weights = await weightsFor(this.root, this.model, onProgress);
      const engine = await Engine.open({ base: `${this.root}engine/`, onProgress, ...weights });
      this.traceOf = (text) => this.#traced(engine, text);
      fill(this.#state, [h("p", { class: "quiet" }, ...inline(sentence((await mayWorkOffline(this.root)) ? "static.ready" : "static.ready.http")))]);
      this.#events.dispatchEvent(new Event("change"));
    } catch (error) {
      console.error(error);
      this.#offer(sentence(whatFailed(error)));
    }
  }

  /** A text is read once, as long as it is among the last few. @param {Engine} engine @param {string} text */
  #traced(engine, text) {
    const known = this.#traces.get(text) ?? engine.trace(text);
    this.#traces.delete(text);
    this.#traces.set(text, known);
    known.catch(() => this.#traces.delete(text));
    for (const old of [...this.#traces.keys()].slice(0, -TRACES)) this.#traces.delete(old);
    return known;
  }
}

/** Which sentence says why there is no model. @param {unknown} error */
function whatFailed(error) {
  const message = String(/** @type {Error} */ (error)?.message ?? error);
  if (/memory|allocation|quota/i.test(message)) return "static.too-small";
  return /fetch|network|load/i.test(message) ? "static.not-fetched" : "static.not-started";
}
