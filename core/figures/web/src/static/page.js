// What every page of the folder has: its state and address, its words, the lesson's card, and how it answers.
/** @import { Field, State } from "./link.js" */
/** @import { Reads, Room } from "./room.js" */
/** @import { Speaks } from "./speaking.js" */
/** @import { Made } from "../derive/packed.js" */
import { m } from "../runtime/language.js";
import { sentence } from "../derive/sentences.js";
import { block, fill, h, inline } from "./dom.js";
import { latest } from "./latest.js";
import { card } from "./card.js";
import { write } from "./link.js";
import FIELDS from "../links/fields.json" with { type: "json" };
import { embedded, isEmbedded, outside } from "../embed/address.js";
import { embedFold, snippets } from "../embed/snippet.js";

/** @type {Readonly<Record<string, Field[]>>} */
const PAGES = FIELDS.pages;

/**
 * The words of a page, as `tools/static.py` writes them.
 * @typedef {object} PageWords
 * @property {string} title
 * @property {string} point
 * @property {{ label: string, look: string, state: State }[]} tries
 * @property {string} limitations
 * @property {string[]} example the keys of the fields that an example sets
 */

/**
 * @typedef {object} Preset
 * @property {string} label
 * @property {string} a
 * @property {string} b
 * @property {string} w
 * @property {string} look
 * @property {boolean} causal whether it is for a model that reads from left to right
 */

/**
 * @typedef {object} Content
 * @property {Record<string, PageWords>} pages
 * @property {Record<string, string>} others the titles of the pages that only the full app has, by address
 * @property {number} graphics the bytes of the run-time for a graphics card; 0 where it was not built
 * @property {{ name: string, title: string, size: number, heads: [number, number] | null }[]} models those that run in a tab, with the bytes to fetch, their layers and the heads in each
 * @property {import("./glossary.js").Term[]} terms of the glossary
 * @property {Preset[]} presets
 * @property {Record<string, Record<string, import("./steps.js").StepWords>>} steps the words of all steps, of an encoder and of a decoder
 * @property {Record<string, string>} senses our own labelled sentences about each word, as a visitor would type them
 * @property {import("./steps.js").Tiny[]} tiny the tiny model's picture, without a mask and with it
 * @property {import("./card.js").Lesson[]} lessons
 * @property {{ words: Record<string, string>, rules: object, most: number }} progress what the script needs that keeps a visitor's answers
 * @property {{ words: Record<string, string> }} drawn the same of the one that draws a prediction on the answer
 * @property {{ title: string, pages: { title: string, file: string }[] }} paper what can be printed: courses and packs
 * @property {string[]} unshown checksums of the words that a class's screen does not show
 * @property {import("./spoken.js").Repeated} repeated
 * @property {number} vocabulary how many rows the model's table of learned vectors has
 */

/**
 * What pages need of the whole.
 * @typedef {object} House
 * @property {string} root the address of the folder, with a slash at its end
 * @property {Content} content
 * @property {Room<Reads>} room where MiniLM runs
 * @property {Room<Speaks>} speaking where SmolLM2 runs
 * @property {(address: string) => void} go opens an address of the folder
 */

const SLOW = 700; // milliseconds after which the page says that it computes

/**
 * A page whose state is its link, and which answers again at each change.
 * @template [M=Reads] what it asks of its model
 */
export class Page {
  /** @type {State} */
  state = {};
  notes = h("div", { class: "notes", role: "status" });
  lesson = h("div", { class: "lesson", hidden: true });
  about = h("div", { class: "about" });
  #life = new AbortController();

  /**
   * @param {House} house
   * @param {string} name
   * @param {Room<M>} room where its model runs
   */
  constructor(house, name, room) {
    this.house = house;
    this.name = name;
    this.room = room;
    this.words = house.content.pages[name];
    this.answer = latest(() => this.#answer());
    room.changed(() => {
      this.#card(); // its answer, too
      this.answer();
    }, this.#life.signal);
  }

  get fields() {
    return PAGES[this.name];
  }

  /** Ends with the page. */
  get signal() {
    return this.#life.signal;
  }

  /** Has these choices from now on. @param {State} choices */
  has(choices) {
    this.state = { ...this.state, ...choices };
  }

  /** Shows the state of a link. @param {State} state */
  async open(state) {
    this.state = state;
    document.documentElement.classList.toggle("large", state.j === "1");
    this.follow();
    this.#card();
    await this.answer();
  }

  /** Puts the state into the controls. */
  follow() {}

  /** Computes and draws. @param {M} _model */
  async compute(_model) {}

  /** The picture that an embedded page shows before it has a model; null for none. @returns {Made<{ height: number }> | null} */
  embeds() {
    return null;
  }

  /** What the page says while there is no model. */
  without() {}

  async #answer() {
    const { room } = this;
    if (!room.model) {
      this.without();
      return;
    }
    this.node.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => room.works(sentence("static.computing")), SLOW);
    try {
      await this.compute(room.model);
    } catch (error) {
      console.error(error);
      this.say([sentence("static.failed")]);
    }
    clearTimeout(slow);
    room.works("");
    room.notice();
    this.node.removeAttribute("aria-busy");
  }

  /**
   * Makes a choice, writes it into the address, and answers.
   * @param {State} choices
   * @param {object} [how]
   * @param {boolean} [how.step] whether Back leads to the state before
   * @param {boolean} [how.redraws] whether the picture changes
   */
  async change(choices, { step = false, redraws = true } = {}) {
    this.has(choices);
    const done = redraws ? this.answer() : null;
    await this.publish(step);
    this.#card();
    await done;
  }

  /** Writes the state into the address. @param {boolean} [step] */
  async publish(step = false) {
    const { query, fits } = await write(this.fields, this.state), { root } = this.house;
    if (this.#life.signal.aborted) return;
    const own = `${root}${this.name}/${query ? `?${query}` : ""}`, address = isEmbedded(location.search) ? embedded(own, "") : own;
    if (address === location.href) return;
    if (step) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    if (!fits) this.say([...this.said, sentence("static.long-link")]);
  }

  /** The sentences above the picture. @type {string[]} */
  said = [];

  /** @param {string[]} sentences */
  say(sentences) {
    this.said = [...new Set(sentences)];
    fill(this.notes, this.said.map((one) => h("p", {}, ...inline(one))));
  }

  #card() {
    const made = card(this.house, this.name, this.state);
    this.lesson.hidden = !made;
    if (made) made.into(this.lesson, this.node, this.signal);
    this.node.classList.toggle("in-lesson", Boolean(made));
  }

  /** The title, the point, the card, and what the page has. @param {...Node} own */
  frame(...own) {
    const embed = embedFold(async () => snippets(outside(location.href), `${this.words.title} · Polysee`, this.embeds(), this.house.root));
    this.node.append(h("h1", {}, this.words.title), this.#point, this.lesson, ...own, embed, this.#tries, this.#limitations);
    this.tell(this.words);
  }

  #point = h("p", { class: "point" });
  #tries = h("section", { class: "tries" });
  #limitations = h("section", { class: "quiet" });
  /** @type {PageWords | null} */
  #told = null;

  /** Has these words around what the page shows. @param {PageWords} words */
  tell(words) {
    if (words === this.#told) return;
    this.#told = words;
    const { point, tries, limitations } = words;
    fill(this.#point, inline(point));
    fill(this.#tries, [h("h2", {}, m("Try this")), ...tries.map(({ label, look, state }) => h("div", {},
      h("button", { type: "button", click: () => this.#example(state) }, label), h("p", { class: "quiet" }, ...inline(look))))]);
    fill(this.#limitations, [...block(limited(limitations)), h("p", {}, ...inline(sentence("static.full-app")))]);
  }

  /** Sets the page as a link with these values would. @param {State} state */
  async #example(state) {
    const own = Object.fromEntries(this.fields.filter(({ url }) => this.words.example.includes(url)).map((field) => [field.url, field.leftOut]));
    this.state = { ...this.state, ...own, ...state };
    this.follow();
    await this.change({}, { step: true });
    this.node.querySelector(".drawn")?.scrollIntoView({ block: "nearest" });
  }

  node = h("main", { id: "main", tabindex: "-1" });

  /** Ends what the page does. */
  leave() {
    this.#life.abort();
  }
}

/** @param {string} limitations */
function limited(limitations) {
  const head = m("What it does not say.");
  return `**${head}** ${limitations}`;
}

/**
 * A box for a text that grows with it, and tells each change.
 * @param {string} name
 * @param {(text: string) => void} heard
 * @param {{ rows?: number, lines?: boolean, placeholder?: string, mark?: string }} [how] `lines`: whether Enter begins a line
 */
export function textBox(name, heard, { rows = 1, lines = false, placeholder = "", mark = "" } = {}) {
  const area = h("textarea", { rows: String(rows), placeholder, spellcheck: "false", autocomplete: "off" });
  const grow = () => {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  };
  area.addEventListener("input", () => {
    if (!lines && /[\r\n]/.test(area.value)) area.value = area.value.replace(/[\r\n]+/g, " ");
    grow();
    heard(area.value);
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !lines && !event.isComposing) event.preventDefault();
  });
  new ResizeObserver(grow).observe(area);
  const label = h("label", { class: `box ${mark}` }, h("span", {}, name), area);
  /** @param {string} text */
  const set = (text) => {
    if (area.value === text || document.activeElement === area && area.value.trim() === text.trim()) return;
    area.value = text;
    grow();
  };
  return { label, area, set };
}
