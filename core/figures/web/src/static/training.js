// Training in the folder: a model of a text of one's own, which learns in this tab. The small tasks need the full app.
/** @import { House } from "./page.js" */
/** @import { Room, Reads } from "./room.js" */
import { sentence } from "../derive/sentences.js";
import { h } from "./dom.js";
import { Page } from "./page.js";

/** In the place of a room: nothing is fetched before somebody trains. */
const NO_MODEL = /** @type {Room<Reads>} */ (/** @type {unknown} */ ({
  model: {}, node: h("div"), changed() {}, works() {}, notice() {}, async begin() {},
}));

export class Training extends Page {
  own = h("div", { "data-part": "own-text" });

  /** @param {House} house */
  constructor(house) {
    super(house, "training", NO_MODEL);
    this.frame(this.notes, this.own);
  }

  async compute() {
    const { root } = this.house, { tx, tc } = this.state;
    this.say(this.state.p === "task" && (this.state.rc || this.state.r) ? [sentence("static.training.tasks")] : []);
    /** @type {typeof import("../owntext/tab.js")} */
    const { mount } = await import(`${root}engine/owntext.js`);
    if (this.signal.aborted) return;
    const data = { worker: `${root}engine/ownworker.js`, pictures: root, source: tx, recipe: tc };
    mount(this.own, data, ({ source, recipe }) => this.change({ tx: source, tc: recipe, p: "text", tw: "tab" }, { redraws: false }));
  }
}
