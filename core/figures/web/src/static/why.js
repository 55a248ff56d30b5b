// Why this word on Next word in the folder: the words that were read, the parts that wrote, and what comes next if one of
// them is taken away.
/** @import { Changes } from "../engine/changed.js" */
/** @import { Why } from "../engine/why.js" */
/** @import { NextWord } from "./nextword.js" */
/** @import { Speaks } from "./speaking.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { pieces } from "../engine/bytepairs.js";
import { percent, plain, sentence } from "../derive/sentences.js";
import { quoted } from "../derive/expecting.js";
import { asks, bare, partsSaid, whyHeadline, whyParts, whyText, whyWords } from "../derive/why.js";
import { parse } from "../links/formats.js";
import { written as signed } from "../runtime/shared.js";
import { beforeAndAfter } from "./changes.js";
import { fill, h, inline } from "./dom.js";
import { Drawn } from "./drawn.js";
import { GivenUp, Spoken, shareOf } from "./spoken.js";

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
    this.exact = h("div", { class: "quiet", "data-part": "why-text-notes" });
    this.change = h("div", { role: "status" });
    this.after = new Drawn(root, {});
    this.cut = h("select", { change: () => page.change({ wc: this.cut.value }) });
    this.undone = h("section", { hidden: true }, h("h2", {}, m("Undo it, and look")), h("label", {}, h("span", {}, m("The last token no longer reads …")), this.cut), h("div", { "data-part": "why-change" }, this.change, this.after.node));
    this.written = h("div", { "data-part": "why-parts-said" });
    this.node = h("div", { hidden: true },
      h("div", { class: "choices" }, h("label", {}, h("span", {}, m("Why")), this.word), h("label", {}, h("span", {}, m("rather than")), this.other)),
      h("div", { "data-part": "why-text" }, this.text.node), h("div", { "data-part": "next-word-picture" }, this.words.node), this.exact, this.undone,
      h("h2", {}, m("Which part wrote it")), this.written, h("div", { "data-part": "why-parts" }, this.parts.node),
      h("p", { class: "quiet", hidden: !leads }, ...inline(sentence("static.why.click"))));
  }

  follow() {}

  clear() {
    for (const drawn of [this.text, this.words, this.parts, this.after]) drawn.clear();
    for (const part of [this.exact, this.written, this.change]) fill(part, []);
    this.undone.hidden = true;
    this.#now?.abort();
  }

  /** The words whose edge to the last one can be cut, as the link counts them. @param {readonly string[]} words */
  #offerCuts(words) {
    choices(this.cut, [["", m("no word")], ...words.slice(0, -1).map((word, i) => /** @type {[string, string]} */ ([String(i + 1), word]))], this.page.state.wc);
    this.undone.hidden = words.length < 2;
  }

  /** @param {Speaks} speaks @param {string} text @param {number[]} written */
  async compute(speaks, text, written) {
    const { page } = this, { wy, wo, at, wr } = page.state;
    this.#now?.abort();
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
    choices(this.other, [["", m("{word} (its rival)", { word: bare(page.hidden.text(found.rival)) })], [NOTHING, m("nothing: its logit alone")], ...names], wo);
    await this.text.show(whyText(parted, shown));
    await this.words.show(whyWords(parted, words));
    fill(this.exact, [
      ...found.firsts.map((word) => sentence("why.pieces", { word: plain(word) })), asks(parted), sentence("why.exact"), ...(wr === "0" ? [] : [sentence("static.why.changes")]),
    ].filter(Boolean).map((said) => h("p", {}, ...inline(said))));
    fill(this.written, [h("p", {}, ...inline(partsSaid(parted)))]);
    await this.parts.show(whyParts(parted));
    this.#offerCuts(words);
    this.#undo(speaks, found, written).catch((error) => console.warn(error)); // a key does not wait for it
  }

  /** What is computed now. @type {AbortController | null} */
  #now = null;

  /** The edges that the link cuts and the heads that it ablates, as far as there are such. @param {Why} found @returns {Changes} */
  #changes({ encoded: { ids }, parted: { parts: { heads } } }) {
    const { fields, state } = this.page, last = ids.length - 1;
    const value = (/** @type {string} */ url) => parse(/** @type {import("../links/formats.js").Format} */ (fields.find((one) => one.url === url)?.format), state[url]) ?? [];
    const ablated = /** @type {number[][]} */ (value("wh")).map((at) => at.map((one) => one - 1));
    return {
      cuts: /** @type {number[]} */ (value("wc")).filter((key) => key >= 1 && key <= last).map((key) => [last, key - 1]),
      ablated: /** @type {[number, number][]} */ (ablated.filter(([layer, head]) => heads[layer]?.[head] !== undefined)),
    };
  }

  /** Shows what comes next without what the link takes away. @param {Speaks} speaks @param {Why} found @param {number[]} written */
  async #undo(speaks, found, written) {
    const { page } = this, changes = this.#changes(found), { ids: [one, other], token, other: rival } = found.parted;
    if (!changes.cuts?.length && !changes.ablated?.length) {
      fill(this.change, []);
      this.after.clear();
      return;
    }
    const { signal } = this.#now = new AbortController(), spoken = new Spoken(speaks, page.house.content.repeated, { signal }), { text } = found.encoded;
    const more = found.encoded.ids.length < found.count ? [] : written, typed = more.length ? page.state.t : text;
    fill(this.change, [h("p", { class: "quiet" }, m("The model is running in this tab …"))]);
    try {
      const [next, was, now] = [await spoken.next(typed, more), await spoken.run(typed, null, [], false, more), await spoken.run(typed, changes, [], false, more)];
      const gap = (/** @type {Float32Array} */ of) => of[one] - (other === undefined ? 0 : of[other]), share = (/** @type {Float32Array} */ of) => ` (${percent(shareOf(of, one))})`;
      const name = (/** @type {string} */ of) => quoted(bare(page.hidden.text(of)));
      const what = rival === null ? m("the logit of *{one}*", { one: name(token) }) : m("*{one}* − *{other}*", { one: name(token), other: name(rival) });
      const two = (/** @type {number} */ x, plus = false) => signed(x, { digits: 2, plus }), [before, after] = [was.logits, now.logits];
      fill(this.change, [h("p", {}, ...inline(m("With the change, {what} is **{now}**{here}, not {before}{was}: **{moved}**.", {
        what, now: two(gap(after)), here: share(after), before: two(gap(before)), was: share(before), moved: two(Number(gap(after).toFixed(2)) - Number(gap(before).toFixed(2)), true),
      })))]);
      await this.after.show(beforeAndAfter(next, before, after, { called: (word) => bare(page.hidden.text(word)), names: [m("with the change"), m("as it was")], sentence: m("The likeliest next tokens, before and after the change."), name: "why-after" }));
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
    }
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
