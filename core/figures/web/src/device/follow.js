// Follows the text boxes of a page: at each key the device computes what stands in them, and its numbers replace
// the server's in the pictures of the page. Once the server has answered the same texts, its answer is shown, and
// the two are compared. The server hears of a text when the visitor presses Enter or leaves the box.
/** @import { Device } from "./device.js" */
/** @import { NextToken } from "../engine/speaker.js" */
/** @import { Trace } from "../engine/trace.js" */
/** @import { Message } from "../types" */
import { fetched, messageOf } from "../runtime/message.js";
import { differenceOf } from "./difference.js";
import { linked } from "./link.js";
import { boxOf, plain, release, replace, replaced, shownOf } from "./page.js";

/**
 * What the server says about its page in each run (`ui/device/context.py`).
 * @typedef {object} Context
 * @property {string} page which of the makers computes its pictures
 * @property {Readonly<Record<string, { box: string, key: string, text: string }>>} texts for each text of the page, the name of
 *   its box, its key in the link, and the text that the server has
 * @property {readonly string[]} about the names of the texts that its pictures are about
 * @property {readonly string[]} behind selectors of what only the server brings up to date
 * @property {string} why a sentence, if the device cannot compute what this page shows; else ""
 * @property {Readonly<Record<string, any>>} inputs what a maker needs besides the texts
 */
/** @typedef {(text: string) => Promise<Trace>} Tracing */
/** @typedef {(text: string, more: readonly number[]) => Promise<NextToken>} Expecting */
/** @typedef {(text: string, asked: import("../engine/types").StepsAsked) => Promise<import("../engine/types").StepsOf>} Stepping */
/** @typedef {import("../derive/adds.js").Sources} Explaining */
/** @typedef {Readonly<Record<string, string>>} Texts */
/** @typedef {Readonly<Record<string, any>>} Inputs */
/**
 * Computes the pictures of a page.
 * @typedef {object} Maker
 * @property {(trace: Tracing, texts: Texts, inputs: Inputs, told: (note: string) => void, expect: Expecting, steps: Stepping) => Promise<readonly Made[]>} make
 *   `told` gets what takes long, and what a visitor must know beside the pictures
 * @property {(sources: Explaining) => Promise<readonly Made[] | null>} [explain] of what was made last, pictures with more in
 *   them, which takes longer; null if there are none
 * @property {(trace: Tracing, texts: Texts, inputs: Inputs) => Promise<number | null>} [difference] the largest between
 *   the two engines, where their pictures hold only rounded numbers; null if it is not known
 */
/** @typedef {{ name: string, bytes: Uint8Array, state: Message["state"] }} Made */
/**
 * What the line of the page says.
 * @typedef {object} Status
 * @property {"server" | "device"} by whose numbers the pictures show
 * @property {boolean} isAhead whether the rest of the page is about an earlier text
 * @property {boolean} isAway whether the server does not answer
 * @property {number} took milliseconds from the key to the picture; 0 for none
 * @property {number | null} difference the largest between the two engines, if both have computed these texts
 * @property {string} note what a visitor must know: what is being read, or why there is no picture of these texts
 */

/** An error whose message is a sentence for the visitor. */
export class NotShown extends Error {}

const LINK_REST = 400; // milliseconds without a key until the link is written; browsers limit how often
const AHEAD = "polyseeAhead";

export class Follower {
  /** @type {Context | null} */
  context = null;
  /** @type {Status} */
  status = { by: "server", isAhead: false, isAway: false, took: 0, difference: null, note: "" };
  /** @type {Set<(status: Status) => void>} */
  heard = new Set();
  /** What the device has computed last: the texts, as JSON, and their pictures. @type {{ of: string, made: readonly Made[], note: string } | null} */
  last = null;
  /** The texts that are to be computed, as JSON; null if they are. @type {string | null} */
  wanted = null;
  working = false;
  /** The timer of the link. @type {ReturnType<typeof setTimeout> | undefined} */
  linking = undefined;
  /** Whether the address has been given an entry of its own for what is typed now. */
  entered = false;

  /**
   * @param {Device} device
   * @param {Readonly<Record<string, Maker>>} makers by the names of pages
   * @param {EventTarget} page where the events of boxes and pictures arrive
   */
  constructor(device, makers, page) {
    this.device = device;
    this.makers = makers;
    page.addEventListener("polysee-typed", (event) => {
      const { detail } = /** @type {CustomEvent<{ name: string }>} */ (event);
      if (this.typed(detail.name)) event.preventDefault();
    });
    page.addEventListener("polysee-sent", (event) => {
      const { detail } = /** @type {CustomEvent<{ name: string }>} */ (event);
      this.sent(detail.name);
    });
    page.addEventListener("polysee-box", () => queueMicrotask(() => this.settle()));
    device.heard.add(() => this.turned());
    page.addEventListener("polysee-back", () => this.back());
  }

  /** Back, from what was typed to what the server has: it sees no change, and sends nothing. */
  back() {
    clearTimeout(this.linking);
    if (!this.entered) return;
    this.entered = false;
    this.wanted = null;
    for (const { box, text } of Object.values(this.context?.texts ?? {})) boxOf(box)?.show(text);
    this.settle();
  }

  /** The server has run its page. @param {Context | null} context */
  attend(context) {
    const before = this.context;
    this.context = context;
    if (this.status.isAway) this.tell({ isAway: false });
    if (before?.page !== context?.page) {
      this.last = null;
      this.wanted = null;
      this.tell({ took: 0, difference: null, note: "" });
    }
    const changed = JSON.stringify(before?.inputs) !== JSON.stringify(context?.inputs);
    if (changed) this.last = null;
    this.settle();
  }

  /** The visitor has switched the device on or off, or it has given up. */
  turned() {
    if (this.device.isOn) {
      this.settle();
      return;
    }
    this.wanted = null;
    this.last = null;
    for (const name of replaced()) release(name);
    this.mark(false);
    this.tell({ by: "server", isAhead: false, took: 0, difference: null, note: "" });
    for (const box of this.boxes()) box.tell(); // nothing that was typed is lost
  }

  /** The boxes of the page that are there. */
  boxes() {
    return Object.values(this.context?.texts ?? {}).flatMap(({ box }) => boxOf(box) ?? []);
  }

  /** The texts on the screen by their names. */
  get texts() {
    const texts = Object.entries(this.context?.texts ?? {});
    return Object.fromEntries(texts.map(([name, { box, text }]) => [name, plain(boxOf(box)?.text ?? text)]));
  }

  get follows() {
    return this.device.isOn && this.context !== null && !this.context.why && this.context.page in this.makers;
  }

  /** A key in a box; returns whether the device follows it. @param {string} name */
  typed(name) {
    const { context } = this;
    if (!context || !this.follows || !Object.values(context.texts).some(({ box }) => box === name)) return false;
    this.compute(performance.now());
    clearTimeout(this.linking);
    this.linking = setTimeout(() => this.link(), LINK_REST);
    return true;
  }

  /** Computes the texts on the screen, the newest only. @param {number} since when the key was pressed */
  compute(since) {
    this.wanted = JSON.stringify(this.texts);
    this.mark(this.isAhead);
    if (!this.working) this.work(since);
  }

  /** @type {Tracing} */
  trace = (text) => this.device.trace(text);

  /** @type {Expecting} */
  expect = (text, more) => this.device.expect(text, more);

  /** @type {Stepping} */
  steps = (text, asked) => this.device.steps(text, asked);

  /** @type {Explaining} */
  sources = (text, asked) => this.device.sources(text, asked);

  /** @param {number} since */
  async work(since) {
    this.working = true;
    try {
      while (this.wanted !== null && this.context && this.follows) {
        const of = this.wanted, { context } = this;
        this.wanted = null;
        if (of === this.last?.of) this.show(since);
        else await this.make(of, context, since);
        since = performance.now();
      }
    } finally {
      this.working = false;
    }
  }

  /** @param {string} of @param {Context} context @param {number} since */
  async make(of, context, since) {
    let note = "";
    try {
      const made = await this.makers[context.page].make(this.trace, JSON.parse(of), context.inputs, (told) => {
        note = told;
        if (told && this.follows) this.tell({ note });
      }, this.expect, this.steps);
      if (!this.follows || this.context?.page !== context.page) return;
      this.last = { of, made, note };
      if (this.wanted === null || this.wanted === of) this.show(since);
      this.explain(this.last);
    } catch (error) {
      if (!this.follows) return; // the device has given up, and says why
      if (error instanceof NotShown) this.tell({ note: error.message, took: 0, difference: null });
      else this.device.refuse(error);
    }
  }

  /** Shows what takes longer, once it is there. @param {NonNullable<Follower["last"]>} last */
  async explain(last) {
    const { context } = this, { explain } = context ? this.makers[context.page] : {};
    if (!explain || this.wanted !== null || !last.made.some(({ name }) => shownOf(name) && !this.isAnswered(name))) return;
    const more = await explain(this.sources) ?? [];
    if (this.last !== last || this.context !== context || !this.follows) return;
    last.made = last.made.map((one) => more.find(({ name }) => name === one.name) ?? one);
    if (last.of !== JSON.stringify(this.texts)) return;
    for (const { name, bytes, state } of more) if (shownOf(name) && !this.isAnswered(name)) replace(name, bytes, state);
  }

  /** Shows what was computed, unless the server has answered the same. @param {number} since */
  show(since) {
    const { last } = this;
    if (!last || last.of !== JSON.stringify(this.texts)) return;
    let by = /** @type {Status["by"]} */ ("server");
    for (const { name, bytes, state } of last.made) {
      if (!shownOf(name)) continue;
      if (this.isAnswered(name)) release(name);
      else {
        replace(name, bytes, state);
        by = "device";
      }
    }
    this.mark(this.isAhead);
    const took = by === "device" ? performance.now() - since : 0, note = by === "device" ? last.note : "";
    this.tell({ by, isAhead: this.isAhead, took, difference: null, note });
    if (by === "server") this.compare();
  }

  /** Whether the server's last numbers of a picture are about the texts on the screen. @param {string} name */
  isAnswered(name) {
    const shown = shownOf(name), { texts, context } = this;
    if (!shown || !context) return false;
    return JSON.stringify(shown.sent.of?.map(plain)) === JSON.stringify(context.about.map((one) => texts[one]));
  }

  /** Whether the server knows other texts than the screen has. */
  get isAhead() {
    return this.boxes().some((box) => !box.isHeard);
  }

  /** The server does not answer; the device goes on. */
  away() {
    this.tell({ isAway: true });
  }

  /** The server has sent a picture. @param {string} name */
  sent(name) {
    const shown = shownOf(name);
    if (!shown) return;
    if (shown.instead && (this.isAnswered(name) || !this.isAhead)) shown.instead = null; // it is drawn now
    queueMicrotask(() => this.settle());
  }

  /** After the server has answered, its pictures are shown, and compared with what the device computes. */
  settle() {
    const { isAhead } = this;
    for (const name of replaced()) if (this.isAnswered(name) && !isAhead) release(name);
    this.mark(isAhead && this.follows);
    if (isAhead) return;
    this.entered = false;
    clearTimeout(this.linking);
    if (!this.follows || !this.context) {
      this.tell({ by: "server", isAhead: false, took: 0, difference: null, note: "" });
      return;
    }
    const by = replaced().length ? "device" : "server";
    if (by !== this.status.by || this.status.isAhead) this.tell({ by, isAhead: false });
    if (JSON.stringify(this.texts) === this.last?.of) this.compare();
    else this.compute(performance.now());
  }

  /** The largest difference between the device's numbers and the server's, of the same texts. */
  async compare() {
    const { last, context } = this;
    if (!last || !context || !last.made.some(({ name }) => this.isAnswered(name))) return;
    const { difference = () => this.betweenPictures(last.made) } = this.makers[context.page];
    const found = await difference(this.trace, JSON.parse(last.of), context.inputs).catch(() => null);
    if (this.last === last && this.context === context) this.tell({ difference: found, note: "" });
  }

  /** @param {readonly Made[]} made */
  async betweenPictures(made) {
    const found = [];
    for (const { name, bytes } of made) {
      const shown = shownOf(name);
      if (!shown || !this.isAnswered(name)) continue;
      const { bytes: sent, numbers } = messageOf(shown.sent);
      const server = sent ?? (numbers === null ? null : await fetched(numbers, () => {}));
      if (server) found.push(differenceOf(server, bytes));
    }
    return found.length ? Math.max(...found) : null;
  }

  /** Says in the address what is typed, so that a reload finds it. */
  link() {
    const { context, isAhead } = this;
    if (!context || !(isAhead || this.entered)) return;
    const { texts } = this;
    const changed = Object.entries(context.texts).filter(([, { box }]) => this.entered || boxOf(box)?.isHeard === false);
    const query = linked(location.search, Object.fromEntries(changed.map(([name, { key }]) => [key, texts[name]])));
    if (query === null) return;
    try {
      // One step of Back for all that is typed between two answers of the server.
      history[this.entered ? "replaceState" : "pushState"]({}, "", location.pathname + query);
      this.entered = isAhead;
    } catch { /* a browser that limits how often may refuse it */ }
  }

  /** Dims what is about an earlier text. @param {boolean} isAhead */
  mark(isAhead) {
    if (typeof document === "undefined") return;
    const { dataset } = document.documentElement;
    if (isAhead) dataset[AHEAD] = "";
    else delete dataset[AHEAD];
  }

  /** @param {Partial<Status>} changed */
  tell(changed) {
    this.status = { ...this.status, ...changed };
    for (const hear of [...this.heard]) hear(this.status);
  }
}
