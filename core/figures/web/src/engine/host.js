// A model that answers the orders of a page, one after the other. It runs in a worker (`worker.js`), or on the page
// itself where there can be none (`onpage.js`).
/** @import { Answer, Order } from "./types" */
import { asEngineError } from "./errors.js";
import { LanguageModel } from "./language.js";
import { Session } from "./session.js";

/**
 * @typedef {Session | LanguageModel} Model
 * @typedef {Extract<Order, { kind: "start" }>} Start
 * @typedef {object} Opened
 * @property {Model} model
 * @property {(name: string) => Promise<Uint8Array>} later gets a file that the model did not need to start
 * @typedef {(start: Start, onProgress: (bytes: number, all: number) => void) => Promise<Opened>} Open gets a model and starts it
 */

export class Host {
  /** @type {?Model} */
  #model = null;
  /** @type {Opened["later"]} */
  #later = () => Promise.reject(new Error("it was not started"));
  /** The latest order that nobody waits for any more. */
  #stopped = 0;

  /**
   * @param {Open} open
   * @param {(answer: Answer, arrays?: Float32Array[]) => void} say `arrays`: what the page gets instead of a copy
   */
  constructor(open, say) {
    this.open = open;
    this.say = say;
  }

  /** The order that is being answered, with all before it. @type {Promise<void>} */
  #before = Promise.resolve();

  /**
   * Answers an order when those before it are answered: two that read with one decoder would spoil each other’s states.
   * Never rejects. @param {Order} order
   */
  take(order) {
    if (order.kind === "stop") {
      this.#stopped = Math.max(this.#stopped, order.id);
      return Promise.resolve();
    }
    this.#before = this.#before.then(() => this.#answer(order));
    return this.#before;
  }

  /** @param {Exclude<Order, { kind: "stop" }>} order */
  async #answer(order) {
    try {
      if (order.kind === "start") await this.#start(order);
      else if (order.kind === "trace") await this.#trace(order);
      else if (order.kind === "next") await this.#next(order);
      else if (order.kind === "steps") await this.#steps(order);
      else if (order.kind === "sources") await this.#sources(order);
      else if (order.kind === "changed" || order.kind === "patched" || order.kind === "sink") await this.#changed(order);
      else await this.#speak(order);
    } catch (error) {
      const { name, message } = asEngineError(error);
      this.say({ kind: "failed", id: order.id, name, message });
    }
  }

  /** @param {Start} order */
  async #start(order) {
    const { model, later } = await this.open(order, (bytes, all) => this.say({ kind: "progress", bytes, all }));
    this.#model = model;
    this.#later = later;
    this.say({ kind: "started", id: order.id });
  }

  /** Lets messages that have come meanwhile be read; returns whether somebody still waits for this order. @param {number} id */
  async #goesOn(id) {
    await breath();
    return this.#stopped < id;
  }

  /** @param {Extract<Order, { kind: "trace" }>} order */
  async #trace({ id, text }) {
    const model = this.#model;
    if (!model) throw new Error("it was not started");
    const began = performance.now(), parts = await (model instanceof Session ? model.run(text) : model.trace(text, () => this.#goesOn(id)));
    if (!parts) return this.say({ kind: "stopped", id });
    const { learned, hidden, q, k, logSums } = parts;
    this.say({ kind: "traced", id, parts, milliseconds: performance.now() - began }, [learned, hidden, q, k, logSums]);
  }

  get #language() {
    if (!(this.#model instanceof LanguageModel)) throw new Error("it predicts no next token");
    return this.#model;
  }

  /** @param {Extract<Order, { kind: "next" }>} order */
  async #next({ id, text, more }) {
    const began = performance.now(), parts = await this.#language.next(text, more, () => this.#goesOn(id));
    if (!parts) return this.say({ kind: "stopped", id });
    this.say({ kind: "next", id, parts, milliseconds: performance.now() - began }, [parts.logits]);
  }

  /** @param {Extract<Order, { kind: "steps" }>} order */
  async #steps({ id, text, asked }) {
    if (!this.#model) throw new Error("it was not started");
    const began = performance.now(), parts = await this.#model.steps(text, asked, () => this.#goesOn(id), (name) => this.#later(name));
    this.say(parts ? { kind: "said", id, parts, milliseconds: performance.now() - began } : { kind: "stopped", id });
  }

  /** @param {Extract<Order, { kind: "sources" }>} order */
  async #sources({ id, text, asked }) {
    const model = this.#model, on = () => this.#goesOn(id);
    if (!model) throw new Error("it was not started");
    const began = performance.now(), parts = await (model instanceof Session ? model.sources(text, asked, on, (name) => this.#later(name)) : model.sources(text, asked, on));
    if (!parts) return this.say({ kind: "stopped", id });
    this.say({ kind: "said", id, parts, milliseconds: performance.now() - began }, [parts.sums, parts.biases]);
  }

  /** A run that is changed, or one of which each layer takes long; how far it has come is said. @param {Extract<Order, { kind: "changed" | "patched" | "sink" }>} order */
  async #changed(order) {
    const { id, text } = order, model = this.#language, began = performance.now();
    let layers = 0;
    const on = () => {
      this.say({ kind: "part", id, layers: layers++ });
      return this.#goesOn(id);
    };
    const parts = await (order.kind === "changed" ? model.changed(text, order.asked, on) : order.kind === "patched" ? model.patched(text, order.asked, on) : model.sink(text, on));
    this.say(parts ? { kind: "said", id, parts, milliseconds: performance.now() - began } : { kind: "stopped", id });
  }

  /**
   * What comes next with its names, the surprise at each token, what each layer would say, why a token comes next, or the
   * tokens that are written, each as soon as it is.
   * @param {Extract<Order, { kind: "expect" | "score" | "lens" | "why" | "write" }>} order
   */
  async #speak(order) {
    const { id, text, more } = order, model = this.#language, { speaker, manifest } = model, began = performance.now(), on = () => this.#goesOn(id);
    let parts = null;
    if (order.kind === "write") {
      for await (const token of speaker.write(text, more, order.count, order.how, on)) this.say({ kind: "wrote", id, token });
    } else {
      parts = await (order.kind === "expect" ? speaker.next(text, more, on)
        : order.kind === "score" ? speaker.score(text, more, on)
        : order.kind === "lens" ? model.lens(text, more, order.asked, () => this.#later(manifest.lens), on)
        : model.why(text, more, order.asked, on));
      if (!parts) return this.say({ kind: "stopped", id });
    }
    this.say({ kind: "said", id, parts, milliseconds: performance.now() - began });
  }
}

/** Lets what else waits have its turn: messages, and on a page keys and painting. @returns {Promise<void>} */
export const breath = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
});
