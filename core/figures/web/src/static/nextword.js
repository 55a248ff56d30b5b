// Next word in the folder: what a model in this tab expects after a text, and how the text goes on. Two more views are
// beside it: `layers.js` and `why.js`.
/** @import { NextwordState } from "../states" */
/** @import { NextToken } from "../engine/speaker.js" */
/** @import { Score } from "../derive/expecting.js" */
/** @import { Format } from "../links/formats.js" */
/** @import { House } from "./page.js" */
/** @import { Speaks } from "./speaking.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { pieces } from "../engine/bytepairs.js";
import { counted, expected, stops, surprised, trailing, whyEnded } from "../derive/expecting.js";
import { Hidden } from "../derive/hidden.js";
import { branches, shadedText } from "../derive/nextword.js";
import { listed, plain, sentence, specialTokens } from "../derive/sentences.js";
import { likeliestBars } from "../embed/likeliest.js";
import { parse, write } from "../links/formats.js";
import { expectedBars, namesOf } from "../nextword/made.js";
import { fill, h, inline } from "./dom.js";
import { Drawn } from "./drawn.js";
import { Layers } from "./layers.js";
import { Page, textBox } from "./page.js";
import { Segments } from "./segments.js";
import { WhyThisWord } from "./why.js";

const { shown: SHOWN, atOnce: AT_ONCE, mostWritten: MOST_WRITTEN, mostPaths: MOST_PATHS, mostSeed: MOST_SEED, bits: BITS } = CONSTANTS.nextWord;
/** @type {Readonly<Record<string, string>>} */
const VIEWS = CONSTANTS.nextWord.views;
const NEXT = "next", MODEL = "SmolLM2", SAID = 2000; // letters of what is being written
const EARLIER = "opacity:.45;transition:opacity .2s .4s"; // what is about the text before
const PAUSE = 200; // milliseconds without a key before more than the bars is computed
/** The choices of the sliders, by the field of each. */
const SLIDERS = /** @type {const} */ ({ temperature: "tm", topK: "tk", topP: "tp", minP: "mp" });

/** What belongs to one text. */
const FORGOTTEN = { g: "", br: "", wy: "", wo: "", at: "0", wc: "", wh: "", wr: "0", wn: "" };

/** Of a screen that shows all words. */
const ALL = new Hidden([]);

/** @typedef {{ piece: string, bits: number }} Piece a token of a continuation, as it stands in the text */

/** @extends {Page<Speaks>} */
export class NextWord extends Page {
  /** What was read last. @type {NextToken | null} */
  #next = null;
  /** Why the writing ended (Markdown). */
  #ended = "";
  #writing = false;
  /** What is known of each continuation of this text, by its ids. @type {Map<string, Piece>} */
  #known = new Map();
  /** The text that they belong to. */
  #about = "";
  #inClass = new Hidden(this.house.content.unshown);
  /** The views that a link names, but not the first. @type {Readonly<Record<string, Layers | WhyThisWord>>} */
  #others = { layers: new Layers(this), why: new WhyThisWord(this) };

  /** @param {House} house */
  constructor(house) {
    super(house, "next-word", house.speaking);
    // A lesson's step without a head is about that head in any text; a cut is of a token of this one.
    this.text = textBox(m("Text"), (t) => this.change({ t, ...FORGOTTEN, ...(this.state.lesson ? { wh: this.state.wh } : {}) }), { lines: true });
    this.line = h("div", { class: "headline", "data-part": "presented-line", role: "status" });
    this.shaded = new Drawn(house.root, {});
    this.buttons = h("div", { class: "segments", "data-part": "writing" });
    this.bars = new Drawn(house.root, { bar: ({ index }) => this.#choose(index), state: (told) => this.#took(told) });
    this.under = h("div", { class: "quiet", "data-part": "surprise-notes" });
    this.how = h("select", { change: () => this.change({ tm: this.how.value }) }, h("option", { value: "1" }, m("Draw by chance")), h("option", { value: "0" }, m("Always the likeliest")));
    this.stops = textBox(m("Stop behind these words"), (st) => this.change({ st }, { redraws: false }), { placeholder: m("none; several: . | ! | ↵") });
    this.copy = h("p", { class: "quiet" }, ...inline(sentence("static.next-word.copy"), (to) => house.root + to));
    this.tree = new Drawn(house.root, { bar: ({ index }) => this.#goTo(this.#paths[index] ?? []) });
    this.tried = h("section", { hidden: true, "data-part": "tried" }, h("h2", {}, m("What was tried")), this.tree.node, h("p", { class: "quiet" }, sentence("next-word.go-back")));
    this.views = new Segments(m("View"), (p) => this.change({ p }, { step: true }));
    this.first = h("div", {},
      h("div", { "data-part": "surprise" }, this.shaded.node), this.buttons, h("div", { "data-part": "next-word-picture" }, this.bars.node), this.under,
      h("div", { class: "choices" }, h("label", {}, h("span", {}, m("How it chooses")), this.how), this.stops.label), this.tried);
    this.frame(this.views.node, this.text.label, this.room.node, this.notes, this.line, this.first, ...Object.values(this.#others).map(({ node }) => node), this.copy);
  }

  /** The views that are here. */
  get here() {
    return [NEXT, ...Object.keys(this.#others)];
  }

  /** The view of the link, if it is here. */
  get view() {
    return this.here.includes(this.state.p) ? this.state.p : NEXT;
  }

  /** What a class's screen does not show: large type is one. */
  get hidden() {
    return this.state.j === "1" ? this.#inClass : ALL;
  }

  /** @param {string} url @returns {any} */
  #value(url) {
    const format = /** @type {Format} */ (this.fields.find((field) => field.url === url)?.format);
    return parse(format, this.state[url]);
  }

  /** @param {string} url @param {any} value */
  #asText(url, value) {
    return write(/** @type {Format} */ (this.fields.find((field) => field.url === url)?.format), value);
  }

  /** What is written behind the text, as ids. @returns {number[]} */
  get #written() {
    return this.#value("g");
  }

  get #sampling() {
    return /** @type {NextwordState} */ (Object.fromEntries(Object.entries(SLIDERS).map(([name, url]) => [name, this.#value(url)])));
  }

  follow() {
    const { t, st, tm } = this.state;
    this.text.set(t);
    this.stops.set(st);
    for (const other of Object.values(this.#others)) other.follow();
    this.#showView();
    this.how.value = Number(tm) ? "1" : "0";
    this.how.options[0].value = Number(tm) ? tm : "1";
    this.#ended = "";
  }

  /** Has the view of the link on the screen, and its words around it. */
  #showView() {
    const { view, here } = this;
    this.views.show(here.map((name) => [name, m(VIEWS[name])]), view);
    this.first.hidden = view !== NEXT;
    for (const [name, { node }] of Object.entries(this.#others)) node.hidden = view !== name;
    this.tell(this.house.content.pages[view === NEXT ? this.name : `${this.name}.${view}`]);
  }

  embeds() {
    if (this.view !== NEXT) return null;
    if (!this.#next) return null;
    const { encoded, logits, top } = this.#next, names = namesOf(this.#next, this.hidden.shown(encoded.text, top.texts));
    return likeliestBars(logits, names, this.#sampling, plain(encoded.text));
  }

  without() {
    for (const other of Object.values(this.#others)) other.clear();
    for (const drawn of [this.bars, this.shaded, this.tree]) drawn.clear();
    for (const part of [this.line, this.buttons, this.under]) fill(part, []);
    this.tried.hidden = true;
    this.#next = null;
    this.say([]);
  }

  /** @param {Speaks} speaks */
  async compute(speaks) {
    const { t } = this.state, written = this.#written;
    if (t !== this.#about) {
      this.#about = t;
      this.#known.clear();
    }
    if (!t.trim()) {
      this.without();
      this.say([...this.#elsewhere(), sentence("next-word.empty", { model: MODEL })]);
      return;
    }
    this.#showView();
    const { view } = this, other = this.#others[view];
    if (other) {
      await other.compute(speaks, t, written).catch((/** @type {Error} */ error) => {
        if (error.name !== "TextRefused") throw error;
        this.without();
        this.say([plain(error.message)]);
      });
      return;
    }
    const next = await speaks.expect(t, written).catch((/** @type {Error} */ error) => {
      if (error.name !== "TextRefused") throw error;
      return null;
    });
    if (!next) {
      this.without();
      this.say([sentence(written.length ? "next-word.stopped.long" : "static.next-word.nothing")]);
      return;
    }
    this.#next = next;
    await this.#showNext(next, written);
    for (const part of [this.shaded.node, this.under]) part.style.cssText = EARLIER; // until their numbers are there
    this.tried.hidden ||= !this.#value("br").length;
    this.#rest(speaks, next, written).catch((error) => console.error(error)); // a key does not wait for it
  }

  /** What stands around the bars, of what was read last: another question ends it. @param {Speaks} speaks @param {NextToken} next @param {number[]} written */
  async #rest(speaks, next, written) {
    const { t } = this.state, isLast = () => next === this.#next;
    await new Promise((keep) => setTimeout(keep, PAUSE));
    const score = isLast() && await speaks.score(t, written);
    if (!score || !isLast()) return;
    await this.#showScore(score, written.length);
    this.#learn(score, written);
    await this.#showTree(speaks);
  }

  /** @param {NextToken} next @param {number[]} written */
  async #showNext(next, written) {
    const { encoded } = next, texts = this.hidden.shown(encoded.text, next.top.texts);
    const { said, picture } = expectedBars(next, { texts, written, seed: this.#value("se"), state: this.#sampling });
    this.cut(encoded);
    if (next.spelled.length) this.say([...this.said, specialTokens(m("The text"), next.spelled)]);
    this.#said = said;
    this.#sayNext();
    this.#buttons();
    await this.bars.show(picture);
  }

  /** What is said of the next token, at temperature 1. */
  #said = "";

  #sayNext() {
    this.headline(this.#said);
    if (this.#sampling.temperature !== 1) this.line.append(h("p", { class: "quiet" }, sentence("next-word.at-one")));
  }

  /** Says what of the text is not read. @param {import("../engine/types").Encoded} encoded */
  cut({ leftOut, ids }) {
    this.say([...this.#elsewhere(), ...(leftOut ? [sentence("static.next-word.long", { count: String(ids.length) })] : [])]);
  }

  /** @param {string} said Markdown */
  headline(said) {
    fill(this.line, [h("p", {}, ...inline(said))]);
  }

  /** A grid as this screen may show it. @param {import("../engine/lens.js").LensGrid} grid */
  hides(grid) {
    return { ...grid, names: Object.fromEntries(Object.entries(grid.names).map(([id, text]) => [id, this.hidden.text(text)])) };
  }

  /** @param {Score} score @param {number} count tokens that the model has written */
  async #showScore(score, count) {
    const all = score.tokens.length, hidden = this.hidden;
    for (const part of [this.shaded.node, this.under]) part.style.cssText = "";
    const seen = { ...score, likeliest: score.likeliest.map((some) => hidden.shown("", some)) };
    await this.shaded.show(shadedText(hidden.pieces(pieces(score)), score.bits, {
      unit: m("bits of surprise"), title: sentence("next-word.bits"), most: BITS, notes: score.tokens.map((_, i) => expected(seen, i)), firstWritten: count ? all - count : null,
      sentence: sentence("next-word.text", { count: String(all) }), name: "surprise",
    }));
    const hides = this.#next && hidden.shown(score.text, this.#next.top.texts).slice(0, SHOWN).some((one, i) => one !== this.#next?.top.texts[i]);
    const notes = [
      hides ? sentence("next-word.hidden", { word: m("Hidden word") }) : "", trailing(this.state.t, count), surprised(score, count, this.#next?.logits.length ?? 0, (said) => hidden.text(said)),
    ].filter(Boolean);
    fill(this.under, notes.map((one) => h("p", {}, ...inline(one))));
  }

  /** Keeps what a score says of the tokens behind the text. @param {Score} score @param {number[]} written */
  #learn(score, written) {
    const named = this.hidden.pieces(pieces(score)), first = named.length - written.length;
    const characters = [...score.text];
    written.forEach((_, i) => this.#known.set(written.slice(0, i + 1).join("."), {
      piece: named[first + i] || characters.slice(score.starts[first + i], score.ends[first + i]).join(""), bits: score.bits[first + i],
    }));
  }

  /** The continuation that ends at each node of the tree. @type {number[][]} */
  #paths = [];

  /** @param {Speaks} speaks */
  async #showTree(speaks) {
    const { t } = this.state, tried = /** @type {number[][]} */ (this.#value("br"));
    this.tried.hidden = !tried.length;
    if (!tried.length) return this.tree.clear();
    for (const path of tried) {
      if (this.#known.has(path.join("."))) continue;
      const score = await speaks.score(t, path);
      if (!score || t !== this.state.t) return undefined;
      this.#learn(score, path);
    }
    const nodes = [{ parent: -1, text: this.hidden.text(t), probability: 1 }], at = new Map([["", 0]]), paths = /** @type {number[][]} */ ([[]]);
    for (const path of tried) {
      for (let depth = 1; depth <= path.length; depth++) {
        const own = path.slice(0, depth), key = own.join("."), { piece, bits } = /** @type {Piece} */ (this.#known.get(key));
        if (at.has(key)) continue;
        at.set(key, nodes.length);
        nodes.push({ parent: /** @type {number} */ (at.get(own.slice(0, -1).join("."))), text: piece, probability: 2 ** -bits });
        paths.push(own);
      }
    }
    this.#paths = paths;
    const chosen = at.get(this.#written.join(".")) ?? 0;
    return this.tree.show(branches(nodes, { chosen, sentence: sentence("next-word.tried", { count: String(nodes.length - 1) }), name: "tried" }));
  }

  /** What the link asks for that is not here. */
  #elsewhere() {
    const { m: model, p, bd, kp } = this.state, start = Object.fromEntries(this.fields.map((field) => [field.url, field.start]));
    const what = [
      ...(p === start.p || p in this.#others ? [] : [sentence("static.next-word.view", { view: m(VIEWS[p]) })]),
      ...(bd === start.bd ? [] : [sentence("static.next-word.beside")]), ...(kp === start.kp ? [] : [sentence("static.next-word.keeps")]),
    ];
    return [
      ...(model === start.m ? [] : [sentence("static.next-word.other-model")]),
      ...(what.length ? [sentence("static.heads.elsewhere", { what: listed(what) })] : []),
    ];
  }

  #buttons() {
    const written = this.#written, full = written.length >= MOST_WRITTEN, drawn = this.#sampling.temperature > 0;
    const button = (/** @type {string} */ name, /** @type {() => void} */ click, how = {}) => h("button", { type: "button", click, ...how }, name);
    const focused = this.buttons.contains(document.activeElement) ? document.activeElement?.textContent : "";
    fill(this.buttons, this.#writing ? [button(m("Stop"), () => this.room.model?.stop(), { class: "main" })] : [
      button(drawn ? m("Draw one") : m("Take the likeliest"), () => this.#write(1), { class: "main", disabled: full }),
      button(m("Write {count}", { count: AT_ONCE }), () => this.#write(AT_ONCE), { disabled: full }), button(m("Run"), () => this.#write(MOST_WRITTEN), { disabled: full }),
      ...(drawn ? [button(m("Roll again"), () => this.change({ se: this.#asText("se", (this.#value("se") + 1) % (MOST_SEED + 1)) }))] : []),
      ...(written.length ? [button(m("Undo one"), () => this.#goTo(written.slice(0, -1))), button(m("Start over"), () => this.#goTo([]))] : []),
    ]);
    if (this.#ended && !this.#writing) this.buttons.append(h("p", { class: "quiet" }, ...inline(this.#ended)));
    if (focused) [...this.buttons.querySelectorAll("button")].find((one) => one.textContent === focused)?.focus();
  }

  /** Goes to a continuation. @param {number[]} ids */
  #goTo(ids) {
    this.#ended = "";
    this.change({ g: this.#asText("g", ids) }, { step: true });
  }

  /** The fields of a continuation, which is kept among those that were tried. @param {number[]} ids */
  #put(ids) {
    const starts = (/** @type {number[]} */ long, /** @type {number[]} */ brief) => brief.every((id, i) => id === long[i]);
    const kept = /** @type {number[][]} */ (this.#value("br")).filter((one) => !starts(ids, one)); // those that it goes on from
    if (ids.length && !kept.some((one) => starts(one, ids))) kept.push(ids);
    return { g: this.#asText("g", ids), br: this.#asText("br", kept.slice(-MOST_PATHS)) };
  }

  /** Goes on with the token of a bar. @param {number} index */
  #choose(index) {
    const id = this.#next?.top.ids[index], written = this.#written;
    if (id === undefined || written.length >= MOST_WRITTEN || this.#writing) return;
    this.#ended = "";
    this.change(this.#put([...written, id]), { step: true });
  }

  /** @param {NextwordState} told by the sliders */
  #took(told) {
    const fields = Object.entries(SLIDERS).map(([name, url]) => [url, this.#asText(url, told[/** @type {keyof typeof SLIDERS} */ (name)])]);
    this.change(Object.fromEntries(fields), { redraws: false });
    this.how.value = told.temperature ? "1" : "0";
    if (!this.#writing) this.#sayNext();
    this.#buttons();
  }

  /** Has the model write. @param {number} most tokens */
  async #write(most) {
    const speaks = this.room.model, { t, st } = this.state, start = this.#written, words = stops(st);
    const count = Math.min(most, MOST_WRITTEN - start.length);
    if (!speaks || this.#writing || count < 1) return;
    /** @type {import("../engine/speaker.js").Generated[]} */
    const done = [];
    this.#writing = true;
    this.#ended = "";
    this.#buttons();
    try {
      await speaks.write(t, start, count, { sampling: this.#sampling, seed: this.#value("se"), stops: words }, (one) => {
        done.push(one);
        const text = plain(this.hidden.text(done.map(({ added }) => added).join("")).slice(-SAID).replaceAll("\n", " ↵ "));
        fill(this.line, [h("p", {}, "… ", ...inline(text))]);
      });
    } finally {
      this.#writing = false;
    }
    if (t !== this.state.t) return; // another text was typed meanwhile
    const last = done.at(-1);
    if (last?.end) this.#ended = whyEnded(words, done);
    else if (!last) this.#ended = sentence("next-word.nothing");
    else if (done.length < count) this.#ended = speaks.stopped ? sentence("next-word.stopped", { tokens: counted(done.length) }) : sentence("next-word.stopped.long");
    await this.change(this.#put([...start, ...done.map(({ id }) => id)]), { step: true });
  }
}
