// Which of the models that run in a tab a page shows: those of its link, MiniLM or SmolLM2, each with its size, before
// anything of it is fetched.
/** @import { Page } from "./page.js" */
/** @import { Reads, Room } from "./room.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { sentence } from "../derive/sentences.js";
import { h } from "./dom.js";

export class Models {
  /** @param {Page<Reads>} page whose link names a model by "m" */
  constructor(page) {
    const { house } = page, { room, speaking, content } = house;
    this.page = page;
    /** @type {Readonly<Record<string, Room<Reads>>>} */
    this.rooms = { [CONSTANTS.model]: room, [CONSTANTS.languageModel]: speaking };
    this.list = h("select", { change: () => this.#choose() }, ...content.models.map(({ name, title, size }) =>
      h("option", { value: name }, sentence("static.model", { title, size: (size / 1e6).toFixed(0) }))));
    this.label = h("label", { class: "model-choice" }, h("span", {}, m("Model")), this.list);
    this.node = h("div", {}, ...Object.values(this.rooms).map(({ node }) => node));
    speaking.changed(() => page.answer(), page.signal);
  }

  /** Whether the model of the link runs in a tab. */
  get isHere() {
    return this.page.state.m in this.rooms;
  }

  /** How the model of the link reads a text. */
  get reads() {
    const isCausal = this.page.room === this.rooms[CONSTANTS.languageModel];
    return { cased: isCausal, causal: isCausal };
  }

  /** Has the page ask the model of its link. */
  follow() {
    const name = this.isHere ? this.page.state.m : CONSTANTS.model;
    this.list.value = name;
    this.page.room = this.rooms[name];
    for (const [one, { node }] of Object.entries(this.rooms)) node.hidden = one !== name;
  }

  async #choose() {
    this.page.has({ m: this.list.value });
    this.follow();
    await this.page.change({}, { step: true });
    await this.page.room.begin();
  }
}
