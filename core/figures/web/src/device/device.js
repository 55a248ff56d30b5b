// The visitor's own device as an engine: it is loaded when a visitor asks for it, computes the newest text, and
// gives up, with a reason, where it is too slow, too small or broken. It knows neither boxes nor pictures.
/** @import { NextToken } from "../engine/speaker.js" */
/** @import { Trace } from "../engine/trace.js" */
/** @import { SourcesAsked, SourcesOf, StepsAsked, StepsOf } from "../engine/types" */

/**
 * A loaded model.
 * @typedef {object} Engine
 * @property {(text: string) => Promise<Trace>} trace
 * @property {(text: string, more: readonly number[]) => Promise<NextToken>} [expect] what comes next, of a model that says it
 * @property {(text: string, asked: StepsAsked) => Promise<StepsOf>} [steps] every step of a text through one layer
 * @property {(text: string, asked: SourcesAsked) => Promise<SourcesOf | null>} [sources] what each token adds to a word's position
 * @property {() => void} [stop] gives up what it computes, whose answer is then null
 * @property {() => void} [close]
 */
/**
 * Why the device does not compute.
 * @typedef {"slow" | "small" | "broken" | "download" | "old"} Why
 */
/**
 * `off`: the server computes. `loading`: the model is on its way. `on`. `refused`: the server computes, and `why`.
 * @typedef {{ kind: "off" } | { kind: "loading", done: number, total: number } | { kind: "on" }
 *   | { kind: "refused", why: Why, detail: string }} State
 */
/**
 * What surrounds the device.
 * @typedef {object} Around
 * @property {(onProgress: (done: number, total: number) => void) => Promise<Engine>} open loads the model
 * @property {() => Promise<boolean>} isCached whether the model is here already, so that nothing is fetched
 * @property {() => Why | null} unfit why this device cannot compute, if that is known before anything is fetched
 * @property {{ get: () => string | null, set: (value: string) => void }} memory what the visitor chose last
 * @property {() => number} now milliseconds
 * @property {number} [patience] milliseconds after which a silent engine counts as broken
 */

export const SLOW = 1000; // milliseconds for `TRIAL`; the server is faster then
export const TRIAL = "The children sat on the bank of the river and watched the slow brown water carry leaves away.";
const TRIAL_TOKENS = 20;
const LAGS = 3; // in a row: one delay, while the device does something else, decides nothing
const PATIENCE = 30_000; // for the longest text on the slowest device that is quick enough
const NO_ROOM = /bad_alloc|out of memory|allocat/i; // what WebAssembly says where there is none
const KEPT = 8; // answers; a trace of 512 tokens takes 15 MB

/** An error that says why the device gives up. */
export class Unfit extends Error {
  /** @param {Why} why @param {string} detail */
  constructor(why, detail = "") {
    super(detail || why);
    this.why = why;
  }
}

export class Device {
  /** @type {State} */
  state = { kind: "off" };
  /** Called with each new state. @type {Set<(state: State) => void>} */
  heard = new Set();
  /** @type {Engine | null} */
  engine = null;
  /** The last answers by their questions, the newest last. @type {Map<string, Promise<any>>} */
  answers = new Map();
  /** Counts beginnings and endings: what an earlier one still waits for is dropped. */
  turn = 0;
  /** Milliseconds of the last trace, without those that were remembered. */
  took = 0;
  /** What the model computes before the next text. @type {Promise<unknown>} */
  before = Promise.resolve();
  /** How often in a row it was too slow. */
  lagged = 0;
  /** Whether it computes what any other question ends. */
  explains = false;
  /** What may answer in the place of WebAssembly (`engine/graphics.js`). @type {{ isOn: boolean, lost: (error: unknown) => void, leave: () => void } | null} */
  graphics = null;

  /** @param {Around} around */
  constructor(around) {
    this.around = around;
  }

  get isOn() {
    return this.state.kind === "on";
  }

  /** Begins by itself where nothing has to be fetched, and the visitor has not switched it off. */
  async beginIfCached() {
    const { around } = this;
    if (this.state.kind !== "off" || around.memory.get() === "off" || around.unfit()) return;
    if (await around.isCached().catch(() => false) && this.state.kind === "off") await this.begin();
  }

  /** Loads the model, and tries how fast it is. */
  async begin() {
    if (this.state.kind === "loading" || this.isOn) return;
    const turn = ++this.turn, { around } = this;
    const unfit = around.unfit();
    if (unfit) {
      this.become({ kind: "refused", why: unfit, detail: "" });
      return;
    }
    this.become({ kind: "loading", done: 0, total: 0 });
    try {
      const engine = await around.open((done, total) => {
        if (turn === this.turn && this.state.kind === "loading") this.become({ kind: "loading", done, total });
      });
      if (turn !== this.turn) {
        engine.close?.();
        return;
      }
      this.engine = engine;
      await this.inTime(engine.trace(TRIAL)); // the first run also prepares
      let took = Infinity;
      for (let i = 0; i < LAGS && took > SLOW && turn === this.turn; i++) {
        const start = around.now();
        await this.inTime(engine.trace(TRIAL));
        took = Math.min(took, around.now() - start);
      }
      if (turn !== this.turn) return;
      if (took > SLOW) throw new Unfit("slow", `${Math.round(took)} ms`);
      around.memory.set("on");
      this.become({ kind: "on" });
    } catch (error) {
      if (turn === this.turn) this.refuse(error, "download");
    }
  }

  /** The visitor switches it off. */
  end() {
    this.around.memory.set("off");
    this.leave({ kind: "off" });
  }

  /** The trace of a text. @param {string} text @returns {Promise<Trace>} */
  trace(text) {
    return this.ask(`trace ${text}`, (engine) => engine.trace(text), ({ n }) => n);
  }

  /** What comes after a text and the tokens behind it. @param {string} text @param {readonly number[]} more @returns {Promise<NextToken>} */
  expect(text, more) {
    const none = async () => Promise.reject(new Unfit("broken", "it predicts nothing"));
    return this.ask(`expect ${JSON.stringify([text, more])}`, ({ expect = none }) => expect(text, more), ({ encoded }) => encoded.ids.length);
  }

  /** Every step of a text through one layer. @param {string} text @param {StepsAsked} asked @returns {Promise<StepsOf>} */
  steps(text, asked) {
    const none = async () => Promise.reject(new Unfit("broken", "it has no steps"));
    return this.ask(`steps ${JSON.stringify([text, asked])}`, ({ steps = none }) => steps(text, asked), ({ encoded }) => encoded.ids.length);
  }

  /**
   * What each token adds to a word's position after each layer; null if another question came. It may take long, and nobody
   * waits for it.
   * @param {string} text @param {SourcesAsked} asked @returns {Promise<SourcesOf | null>}
   */
  sources(text, asked) {
    const { turn } = this;
    const made = this.before.then(async () => {
      const { engine } = this;
      if (turn !== this.turn || !engine?.sources) throw new Unfit("broken", "no engine");
      this.explains = true;
      try {
        return await this.inTime(engine.sources(text, asked));
      } finally {
        this.explains = false;
      }
    });
    this.before = made.catch(() => {});
    return made;
  }

  /**
   * The answer to a question; to one asked before, the same.
   * @template T
   * @param {string} key @param {(engine: Engine) => Promise<T>} question @param {(answer: T) => number} tokensOf
   * @returns {Promise<T>}
   */
  ask(key, question, tokensOf) {
    const known = this.answers.get(key), { turn, around } = this;
    if (!this.engine) return Promise.reject(new Unfit("broken", "no engine"));
    if (known) {
      this.answers.delete(key);
      this.answers.set(key, known);
      return known;
    }
    if (this.explains) this.engine.stop?.();
    // One after another: the model drops a request that another one follows.
    const made = this.before.then(async () => {
      const { engine } = this; // by now, another one may answer
      if (turn !== this.turn || !engine) throw new Unfit("broken", "no engine");
      const start = around.now(), answer = await this.inTime(question(engine));
      this.measure(around.now() - start, tokensOf(answer));
      return answer;
    });
    this.before = made.catch(() => {});
    this.answers.set(key, made);
    made.catch(() => this.answers.delete(key));
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= KEPT) break;
      this.answers.delete(oldest);
    }
    return made;
  }

  /** Asks what is no question of a page, when the model is free. @template T @param {() => Promise<T>} question @returns {Promise<T>} */
  alone(question) {
    const { turn } = this;
    const made = this.before.then(() => (turn === this.turn ? question() : Promise.reject(new Unfit("broken", "no engine"))));
    this.before = made.catch(() => {});
    return made;
  }

  /** Another engine of the same model answers from now on; the one before it is closed when it is free. @param {Engine} engine */
  use(engine) {
    this.alone(async () => {
      const before = this.engine;
      this.engine = engine;
      this.answers.clear();
      this.lagged = 0;
      before?.close?.();
    }).catch(() => engine.close?.());
  }

  /** Loads the model again. */
  async again() {
    this.leave({ kind: "off" });
    await this.begin();
  }

  /**
   * A device that is slow several times in a row is given up; a long text may take longer.
   * @param {number} took @param {number} tokens
   */
  measure(took, tokens) {
    this.took = took;
    const allowed = SLOW * Math.max(1, tokens / TRIAL_TOKENS);
    this.lagged = took > allowed ? this.lagged + 1 : 0;
    if (this.lagged >= LAGS && this.isOn) this.refuse(new Unfit("slow", `${Math.round(took)} ms`));
  }

  /**
   * Gives up: the server computes again, or where the graphics card computed, WebAssembly.
   * @param {unknown} error @param {Why} otherwise what an error means that does not say
   */
  refuse(error, otherwise = "broken") {
    if (this.isOn && this.graphics?.isOn) return this.graphics.lost(error);
    const detail = error instanceof Error ? error.message : String(error);
    const isSmall = error instanceof RangeError || NO_ROOM.test(detail);
    const why = error instanceof Unfit ? error.why : isSmall ? "small" : otherwise;
    this.leave({ kind: "refused", why, detail });
  }

  /** @param {State} state */
  leave(state) {
    this.turn += 1;
    this.answers.clear();
    this.lagged = 0;
    this.graphics?.leave();
    const { engine } = this;
    this.engine = null;
    try {
      engine?.close?.();
    } catch { /* it has ended by itself */ }
    this.become(state);
  }

  /** @param {State} state */
  become(state) {
    this.state = state;
    for (const hear of [...this.heard]) hear(state);
  }

  /**
   * A promise that fails if it is not kept in time.
   * @template T
   * @param {Promise<T>} promise
   * @returns {Promise<T>}
   */
  inTime(promise) {
    const { patience = PATIENCE } = this.around;
    return new Promise((keep, fail) => {
      const timer = setTimeout(() => fail(new Unfit("broken", "no answer")), patience);
      promise.then(keep, fail).finally(() => clearTimeout(timer));
    });
  }
}
