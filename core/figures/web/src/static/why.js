// Why this word on Next word in the folder: the words that were read, and the parts that wrote. What a change does, only
// the full app shows: the tab runs the model as it is.
/** @import { NextWord } from "./nextword.js" */
/** @import { Speaks } from "./speaking.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { pieces } from "../engine/bytepairs.js";
import { plain, sentence } from "../derive/sentences.js";
import { asks, bare, partsSaid, whyHeadline, whyParts, whyText, whyWords } from "../derive/why.js";
import { fill, h, inline } from "./dom.js";
import { Drawn } from "./drawn.js";

const { nothing: NOTHING } = CONSTANTS.why;

export class WhyThisWord {
  /** The text of the picture. */
  #text = "";
  #heads = 0;

  /** @param {NextWord} page */
  constructor(page) {
    const { root, content } = page.house, leads = "heads" in content.pages; // a saved page has no other
    this.page = page;
    this.word = h("select", { change: () => page.change({ wy: this.word.value }) });
    this.other = h("select", { change: () => page.change({ wo: this.other.value }) });
    this.text = new Drawn(root, {});
    this.words = new Drawn(root, {});
    this.parts = new Drawn(root, leads ? { cell: ({ row, column }) => this.#open(row, column) } : {});
    this.exact = h("div", { class: "quiet" });
    this.written = h("div", {});
    this.node = h("div", { hidden: true },
      h("div", { class: "choices" }, h("label", {}, h("span", {}, m("Why")), this.word), h("label", {}, h("span", {}, m("rather than")), this.other)),
      h("div", { "data-part": "why-text" }, this.text.node), h("div", { "data-part": "why-words" }, this.words.node), this.exact,
      h("h2", {}, m("Which part wrote it")), this.written, h("div", { "data-part": "why-parts" }, this.parts.node),
      h("p", { class: "quiet", hidden: !leads }, ...inline(sentence("static.why.click"))));
  }

  follow() {}

  clear() {
    for (const drawn of [this.text, this.words, this.parts]) drawn.clear();
    for (const part of [this.exact, this.written]) fill(part, []);
  }

  /** @param {Speaks} speaks @param {string} text @param {number[]} written */
  async compute(speaks, text, written) {
    const { page } = this, { wy, wo, at, wc, wh, wr } = page.state;
    const found = await speaks.why(text, written, { word: wy, other: wo, at: Number(at) });
    if (text !== page.state.t) return;
    const own = pieces(found.encoded), shown = page.hidden.pieces(own), words = shown.map(bare);
    const parted = { ...found.parted, token: page.hidden.text(found.parted.token), other: found.parted.other && page.hidden.text(found.parted.other) };
    page.cut(found.encoded);
    page.headline(whyHeadline(parted, words, found.share));
    this.#text = found.encoded.text;
    this.#heads = parted.parts.heads[0].length;
    const names = /** @type {[string, string][]} */ (found.offered.map((one) => [one, bare(page.hidden.text(one))]));
    choices(this.word, [["", m("{word} (the likeliest)", { word: names[0][1] })], ...names], wy);
    choices(this.other, [["", bare(page.hidden.text(found.rival))], [NOTHING, m("nothing: its logit alone")], ...names], wo);
    await this.text.show(whyText(parted, shown));
    await this.words.show(whyWords(parted, words));
    const changes = wc || wh || wr !== "0";
    fill(this.exact, [
      ...found.firsts.map((word) => sentence("why.pieces", { word: plain(word) })), asks(parted), sentence("why.exact"), ...(changes ? [sentence("static.why.changes")] : []),
    ].filter(Boolean).map((said) => h("p", {}, ...inline(said))));
    fill(this.written, [h("p", {}, ...inline(partsSaid(parted)))]);
    await this.parts.show(whyParts(parted));
  }

  /** A click on a head. @param {number} layer @param {number} head */
  #open(layer, head) {
    const { house } = this.page;
    if (head >= this.#heads) return;
    const query = new URLSearchParams({ v: "2", m: CONSTANTS.languageModel, t: this.#text, l: String(layer + 1), h: String(head + 1), r: "head" });
    house.go(`${house.root}heads/?${query}`);
  }
}

/** @param {HTMLSelectElement} list @param {[string, string][]} options @param {string} chosen */
function choices(list, options, chosen) {
  const all = options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];
  fill(list, all.map(([value, name]) => h("option", { value }, name)));
  list.value = chosen;
}
