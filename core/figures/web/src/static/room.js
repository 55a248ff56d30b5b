// Where a model runs: in a worker of this tab. It is fetched when a visitor says so, and starts by itself only where
// the browser has it already.
/** @import { Trace } from "../engine/trace.js" */
/** @import { SentenceName } from "../derive/sentences.js" */
import { Engine } from "../engine/engine.js";
import { Graphics, isThere } from "../engine/graphics.js";
import { graphicsChoice } from "../engine/graphicschoice.js";
import { sentence } from "../derive/sentences.js";
import { fill, h, inline } from "./dom.js";
import { mayWorkOffline } from "./offline.js";
import { say } from "./words.js";

const TRACES = 8; // of the texts read last; one of 512 tokens takes 20 MB
const MEGABYTE = 1e6;
const CHOSEN = "polysee graphics"; // what the browser remembers, of each model
/** Which sentence says why there is no model, by the name of the engine's error. @type {Readonly<Record<string, SentenceName>>} */
const WHY = { OutOfMemory: "static.too-small", DownloadBroken: "static.not-fetched" };

/** @typedef {(text: string) => Promise<Trace>} TraceOf */
/** @typedef {(text: string, asked: import("../engine/types").StepsAsked) => Promise<import("../engine/types").StepsOf>} Stepping */
/** What every model is asked. @typedef {{ traceOf: TraceOf, steps: Stepping, sources: import("../derive/adds.js").Sources }} Reads */

/**
 * Asks a model one question after the other: its engine answers only the latest. MiniLM is asked no more than this.
 * @implements {Reads}
 */
export class Asks {
  /** @type {Promise<unknown>} */
  #asking = Promise.resolve();
  /** Whether the question that is answered now ends with any other one. */
  #mayEnd = false;
  #lost;

  /** @param {Engine} engine @param {(error: unknown) => void} lost called when the engine has stopped */
  constructor(engine, lost) {
    this.engine = engine;
    this.#lost = lost;
  }

  /** @template T @param {() => Promise<T>} question @param {boolean} [ends] whether it ends what nobody waits for @returns {Promise<T>} */
  ask(question, ends = true) {
    if (ends && this.#mayEnd) this.engine.stop();
    const answer = this.#asking.then(question);
    this.#asking = answer.catch((error) => {
      if (error.name !== "TextRefused") this.#lost(error);
    });
    return answer;
  }

  /** The trace of a text. @type {TraceOf} */
  traceOf = reading((text) => this.ask(() => this.engine.trace(text)));

  /** Every step of a text through one layer. @type {Stepping} */
  steps(text, asked) {
    return this.ask(() => this.engine.steps(text, asked));
  }

  /**
   * What nobody waits for: any other question ends it, and the answer is then null.
   * @template T @param {() => Promise<T | null>} question @param {boolean} [ends] whether it ends another such question
   */
  aside(question, ends = true) {
    return this.ask(async () => {
      this.#mayEnd = true;
      try {
        return await question();
      } finally {
        this.#mayEnd = false;
      }
    }, ends);
  }

  /** What each token adds to a word's position after each layer; null if another question came. @type {import("../derive/adds.js").Sources} */
  sources = (text, asked) => this.aside(() => this.engine.sources(text, asked));
}

/**
 * What a page asks: MiniLM reads texts, SmolLM2 speaks.
 * @template M
 */
export class Room {
  node = h("div", { class: "model" });
  /** What a page asks; null while there is no model. @type {M | null} */
  model = null;
  #state = h("div", { role: "status" });
  #work = h("p", { class: "quiet" });
  #events = new EventTarget();
  /** @type {Engine | null} */
  #engine = null;
  #begun = false;
  /** The choice of the graphics card; null where there is none. @type {Graphics | null} */
  #graphics = null;
  #bytes;

  /**
   * @param {string} root the address of the folder
   * @param {object} what
   * @param {string} [what.manifest] the file that describes the model
   * @param {SentenceName} what.offer
   * @param {SentenceName} [what.small] says that this device has too little memory for it
   * @param {SentenceName} [what.slow] says that it is slow on this device
   * @param {(engine: Engine, lost: (error: unknown) => void) => M} what.made what a page asks of a started one, which tells
   *   when the engine has stopped
   * @param {() => Promise<Engine>} [what.found] where the model is; in the folder by default
   * @param {() => Promise<string>} [what.ready] what is said once it runs
   * @param {number} [what.graphics] the bytes of the run-time for a graphics card; 0 where there is none to choose
   */
  constructor(root, { manifest, offer, small = "static.small", slow = "static.slow", made, found, ready, graphics = 0 }) {
    this.root = root;
    this.offer = offer;
    this.small = small;
    this.slow = slow;
    this.made = made;
    this.#bytes = graphics;
    this.found = found ?? (() => Engine.at({ base: `${root}engine/`, manifest }));
    this.ready = ready ?? (async () => ((await mayWorkOffline(root)) ? sentence("static.ready") : say("readyOverHttp")));
    this.node.append(this.#state, this.#work);
  }

  /** Calls `heard` when the model comes or goes. @param {() => void} heard @param {AbortSignal} signal */
  changed(heard, signal) {
    this.#events.addEventListener("change", heard, { signal });
  }

  /** A sentence with links to other pages of the folder. @param {SentenceName} name */
  #said(name) {
    return inline(sentence(name), (to) => this.root + to);
  }

  /** Says so, once, if the model is slow on this device. */
  notice() {
    if (!this.#engine?.slow || this.#state.querySelector(".slow")) return;
    this.#state.append(h("p", { class: "slow" }, ...this.#said(this.slow)));
  }

  /** Says what is going on while an answer takes long; "" for nothing. @param {string} what */
  works(what) {
    this.#work.textContent = what;
  }

  /** Starts the model if the browser has it; otherwise offers to fetch it. It does so once. */
  async begin() {
    if (this.#begun) return;
    this.#begun = true;
    try {
      const engine = await this.#found();
      if (!engine.fits) {
        fill(this.#state, [h("p", {}, ...this.#said(this.small))]);
        return;
      }
      if (await engine.cached()) await this.open();
      else this.#offer("", await engine.size());
    } catch (error) {
      this.#failed(error);
    }
  }

  async #found() {
    return (this.#engine ??= await this.found());
  }

  /** @param {string} why what went wrong before; "" for nothing @param {number} bytes to fetch */
  #offer(why, bytes) {
    const size = (bytes / MEGABYTE).toFixed(0);
    fill(this.#state, [
      ...(why ? [h("p", { class: "wrong" }, why)] : [h("p", {}, ...inline(sentence(this.offer)))]),
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
      this.model = this.made(engine, (error) => this.#lost(error));
      fill(this.#state, [h("p", { class: "quiet" }, ...inline(await this.ready()))]);
      this.#events.dispatchEvent(new Event("change"));
      this.#choose(engine);
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Offers the graphics card, where there is one. @param {Engine} engine */
  async #choose(engine) {
    if (!this.#bytes || this.#graphics || !(await isThere(navigator, engine.manifest.memory)) || this.#graphics) return;
    const key = `${CHOSEN} ${engine.manifest.model}`, asked = () => /** @type {Asks} */ (/** @type {unknown} */ (this.model));
    const graphics = this.#graphics = new Graphics({
      ask: (question) => asked().ask(() => question(engine)),
      open: () => engine.onGraphics(),
      use: (other) => {
        const model = asked();
        model.ask(async () => {
          model.engine = other;
          engine.close();
        });
      },
      back: () => this.#again(),
      memory: rememberedBy(key),
    });
    const { node, show } = graphicsChoice(graphics, this.#bytes), brought = () => show(this.model !== null);
    graphics.heard.add(brought);
    this.#events.addEventListener("change", brought);
    this.node.append(node);
    brought();
    await graphics.resume();
  }

  /** WebAssembly computes again. */
  async #again() {
    this.model = null;
    await this.open();
  }

  /** @param {unknown} error */
  async #failed(error) {
    console.error(error);
    const name = error instanceof Error ? error.name : "", size = await this.#engine?.size().catch(() => 0);
    this.#offer(sentence(WHY[name] ?? "static.not-started"), size ?? 0);
  }

  /** The engine has stopped, for example for lack of memory: it can be started again. @param {unknown} error */
  #lost(error) {
    if (!this.model) return;
    if (this.#graphics?.isOn) {
      this.#graphics.lost(error);
      return;
    }
    this.#graphics?.leave();
    this.model = null;
    this.#failed(error);
  }
}

/**
 * Reads texts, each once, as long as it is among the last few.
 * @param {TraceOf} read
 * @returns {TraceOf}
 */
export function reading(read) {
  /** @type {Map<string, Promise<Trace>>} */
  const traces = new Map();
  return (text) => {
    let known = traces.get(text);
    if (!known) {
      known = read(text);
      known.catch(() => traces.delete(text));
    }
    traces.delete(text);
    traces.set(text, known);
    for (const old of [...traces.keys()].slice(0, -TRACES)) traces.delete(old);
    return known;
  };
}

/** A choice that the browser remembers; it may keep nothing, for example in a frame of another site. @param {string} key */
const rememberedBy = (key) => ({
  get() {
    try {
      return localStorage.getItem(key) === "on";
    } catch {
      return false;
    }
  },
  /** @param {boolean} chosen */
  set(chosen) {
    try {
      localStorage.setItem(key, chosen ? "on" : "off");
    } catch { /* it is asked for again next time */ }
  },
});
