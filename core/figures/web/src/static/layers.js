// Layer by layer on Next word in the folder: the grid tokens × layers, one state in words, and a word through the layers.
/** @import { LensGrid } from "../engine/lens.js" */
/** @import { NextWord } from "./nextword.js" */
/** @import { Speaks } from "./speaking.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { askedFor, cellOf, chosenState, howGood, lensGrid, lensHeadline, ranksOf } from "../derive/lens.js";
import { sentence } from "../derive/sentences.js";
import { fill, h, inline } from "./dom.js";
import { Drawn } from "./drawn.js";
import { textBox } from "./page.js";
import { Segments } from "./segments.js";

const { lenses: LENSES, last: LAST } = CONSTANTS.lens;
/** The lenses and what they are called. */
const lenses = () => Object.entries(LENSES).map(([name, title]) => /** @type {const} */ ([name, m(title)]));

export class Layers {
  /** @type {LensGrid | null} */
  #shown = null;

  /** @param {NextWord} page */
  constructor(page) {
    this.page = page;
    this.lens = new Segments(m("Lens"), (ln) => page.change({ ln }));
    this.word = textBox(m("Follow a word"), (lw) => page.change({ lw }), { placeholder: m("the likeliest in the end") });
    this.grid = new Drawn(page.house.root, { bar: ({ index }) => this.#choose(index) });
    this.followed = h("div", { class: "quiet" });
    this.cell = h("div", { "data-part": "state" });
    this.ranks = new Drawn(page.house.root, {});
    this.under = h("div", { class: "quiet" });
    this.node = h("div", { hidden: true }, h("div", { class: "choices" }, this.lens.node, this.word.label), this.followed, h("div", { "data-part": "layers" }, this.grid.node), this.cell,
      h("div", { "data-part": "places" }, this.ranks.node), this.under);
  }

  follow() {
    this.word.set(this.page.state.lw);
    this.lens.show(lenses(), this.page.state.ln);
  }

  clear() {
    for (const drawn of [this.grid, this.ranks]) drawn.clear();
    for (const part of [this.followed, this.cell, this.under]) fill(part, []);
    this.#shown = null;
  }

  /** @param {Speaks} speaks @param {string} text @param {number[]} written */
  async compute(speaks, text, written) {
    const { page } = this, { ln, lw, la, lay } = page.state, typed = lw.replace(/^\n+|\n+$/g, ""), lens = ln === "plain" ? "plain" : "fitted";
    this.lens.show(lenses(), lens);
    const word = /^#[0-9]+$/.test(typed) ? Number(typed.slice(1)) : typed || null;
    const shown = await speaks.lens(text, written, { lens, word, column: null });
    if (text !== page.state.t) return;
    const { positions } = shown, layers = shown.likeliest.length - 1, at = positions.indexOf(Number(la) - 1), column = at < 0 ? positions.length - 1 : at;
    const depth = Math.min(Number(lay), layers), asked = word ?? shown.likeliest[layers][column][0];
    this.#shown = shown;
    page.cut(shown.encoded);
    await this.grid.show(lensGrid(page.hides(shown), [depth, column]));
    const one = { word: asked, column: positions[column] };
    const own = page.hides(await speaks.lens(text, written, { ...one, lens: "plain" })), fitted = page.hides(await speaks.lens(text, written, { ...one, lens: "fitted" }));
    if (text !== page.state.t) return;
    page.headline(lensHeadline(own, fitted));
    fill(this.followed, (lw.trim() ? [askedFor(fitted), askedFor(own)] : []).map((said) => h("p", {}, ...inline(said))));
    fill(this.cell, [h("p", {}, ...inline(chosenState(page.hides(shown), own, fitted, depth, column))), h("p", {}, this.#why(positions[column], shown.encoded.ids.length))]);
    await this.ranks.show(ranksOf(own, fitted));
    fill(this.under, [
      ...(positions.length < shown.encoded.ids.length ? [sentence("lens.some", { some: String(positions.length), count: String(shown.encoded.ids.length) })] : []),
      `${sentence("lens.uses")} ${fitted.about ? howGood(fitted.about, depth) : ""}`,
    ].map((said) => h("p", {}, ...inline(said))));
  }

  /** A link to why a token comes next. @param {number} position @param {number} count */
  #why(position, count) {
    const at = position === count - 1 ? "0" : String(position + 1);
    return h("button", { type: "button", click: () => this.page.change({ p: "why", at }, { step: true }) }, m("Why this word?"));
  }

  /** Takes the cell that a visitor has chosen. @param {number} index */
  #choose(index) {
    if (!this.#shown) return;
    const { positions, likeliest } = this.#shown, [depth, column] = cellOf(this.#shown, index);
    this.page.change({
      la: column === positions.length - 1 ? "0" : String(positions[column] + 1), lay: String(depth === likeliest.length - 1 ? LAST : depth),
    });
  }
}

