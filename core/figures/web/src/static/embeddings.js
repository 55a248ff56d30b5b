// Embeddings in the folder: how near the words of a text, or whole sentences, are to one of them, by three measures.
/** @import { BarsHeader } from "../headers" */
/** @import { Trace } from "../engine/trace.js" */
/** @import { Made } from "../derive/packed.js" */
/** @import { House } from "./page.js" */
/** @import { Reads } from "./room.js" */
import { m, N_ } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { label, short } from "../derive/labels.js";
import { cosine, inner, lengthOf, range } from "../derive/numbers.js";
import { floats } from "../derive/packed.js";
import { HUE } from "../derive/scales.js";
import { plain, sentence } from "../derive/sentences.js";
import { namesOf } from "../derive/tokennames.js";
import { written } from "../runtime/shared.js";
import { readable } from "../derive/compare.js";
import { fill, h, inline } from "./dom.js";
import { Drawn } from "./drawn.js";
import { distance, sentenceOf } from "./expressions.js";
import { Page, textBox } from "./page.js";
import { Segments } from "./segments.js";

const WORDS = "words", SENTENCES = "sentences", LEARNED = "learned", MOST_SENTENCES = 30, MOST_BARS = 24, NAME = 32;
const { bars: { row: ROW, around: AROUND } } = CONSTANTS.nextWord; // pixels
const SIGNED = /** @type {BarsHeader["signed"]} */ (/** @type {unknown} */ (CONSTANTS.style.signed));
const VIEWS = /** @type {Readonly<Record<string, string>>} */ (CONSTANTS.embeddings.views);
/** Each measure, and whether the nearest has the largest number. */
const MEASURES = /** @type {const} */ ({ [N_("cosine similarity")]: [cosine, true], [N_("dot product")]: [inner, true], [N_("distance")]: [distance, false] });

/** @typedef {{ name: string, vector: Float32Array | Float64Array | number[], at: number }} Unit what is compared, and its position */

export class Embeddings extends Page {
  /** @param {House} house */
  constructor(house) {
    super(house, "embeddings", house.room);
    this.views = new Segments(m("View"), (p) => this.#view(p));
    this.text = textBox(m("Text"), (t) => this.change({ t }));
    this.lines = textBox(m("Sentences, one per line"), (ln) => this.change({ ln }), { rows: 5, lines: true });
    this.depth = h("select", { change: () => this.change({ l: this.depth.value }, { step: true }) });
    this.one = h("select", { change: () => this.change({ [this.#keys[0]]: this.one.value }, { step: true }) });
    this.other = h("select", { change: () => this.change({ [this.#keys[1]]: this.other.value }, { step: true }) });
    this.special = h("input", { type: "checkbox", change: () => this.change({ sp: this.special.checked ? "1" : "0" }, { step: true }) });
    this.bars = Object.keys(MEASURES).map(() => new Drawn(house.root, { bar: ({ index }) => this.#nearer(index) }));
    this.headline = h("div", { "data-part": "pair" });
    this.depthLabel = h("label", {}, h("span", {}, m("After layer")), this.depth);
    this.specialLabel = h("label", { class: "inline" }, this.special, " ", m("special tokens too"));
    this.frame(
      this.views.node, this.text.label, this.lines.label, this.room.node, this.notes,
      h("div", { class: "choices" }, this.depthLabel, h("label", {}, h("span", {}, m("Near to")), this.one), h("label", {}, h("span", {}, m("and")), this.other)), this.specialLabel, this.headline,
      h("div", { class: "three" }, ...this.bars.map((drawn, i) => h("section", { "data-part": `measure-${i}` }, h("h2", {}, m(Object.keys(MEASURES)[i])), drawn.node))),
      h("p", { class: "quiet" }, sentence("static.embeddings.elsewhere")),
    );
  }

  get view() {
    return this.state.p === SENTENCES ? SENTENCES : WORDS;
  }

  get #keys() {
    return this.view === SENTENCES ? ["sq", "sk"] : ["q", "k"];
  }

  follow() {
    const { view, state } = this, ofWords = view === WORDS;
    this.views.show([WORDS, SENTENCES].map((one) => [one, m(VIEWS[one])]), view);
    this.text.set(state.t);
    this.lines.set(state.ln);
    this.special.checked = state.sp === "1";
    for (const part of [this.text.label, this.depthLabel, this.specialLabel]) part.hidden = !ofWords;
    this.lines.label.hidden = ofWords;
  }

  /** @param {string} p */
  async #view(p) {
    this.has({ p });
    this.follow();
    await this.change({}, { step: true });
  }

  without() {
    for (const drawn of this.bars) drawn.clear();
    for (const part of [this.headline, this.one, this.other]) fill(part, []);
    this.say(this.#elsewhere());
  }

  /** @param {Reads} model */
  async compute({ traceOf }) {
    const notes = this.#elsewhere(), units = await (this.view === WORDS ? this.#words(traceOf, notes) : this.#sentences(traceOf, notes));
    if (units.length < 2) {
      this.without();
      this.say(notes);
      return;
    }
    this.say(notes);
    const [from, to] = this.#keys.map((key) => Number(this.state[key])), near = (/** @type {Unit[]} */ some, /** @type {number} */ wanted) =>
      some.reduce((best, one) => (Math.abs(one.at - wanted) < Math.abs(best.at - wanted) ? one : best));
    const one = near(units, from), others = units.filter((unit) => unit !== one), other = near(others, to);
    for (const [list, chosen] of /** @type {const} */ ([[this.one, one], [this.other, other]])) {
      fill(list, units.map(({ at, name }) => h("option", { value: String(at) }, `${short(label(name), NAME)} (${at + 1})`)));
      list.value = String(chosen.at);
    }
    const count = (/** @type {string} */ name) => units.filter((unit) => unit.name === name).length;
    const called = (/** @type {Unit} */ { name, at }) => (count(name) > 1 ? `${short(label(name), NAME)} (${at + 1})` : short(label(name), NAME));
    const number = (/** @type {number} */ x) => written(x, { digits: 3 });
    fill(this.headline, inline(sentence("embeddings.pair", {
      one: plain(called(one)), other: plain(called(other)), x: number(lengthOf(one.vector)), y: number(lengthOf(other.vector)),
      dot: number(inner(one.vector, other.vector)), cosine: number(cosine(one.vector, other.vector)), distance: number(distance(one.vector, other.vector)),
    })));
    this.#others = [];
    for (const [i, [name, [measure, largest]]] of Object.entries(MEASURES).entries()) {
      const values = others.map((unit) => ({ unit, value: measure(one.vector, unit.vector) })).sort((a, b) => (largest ? b.value - a.value : a.value - b.value)).slice(0, MOST_BARS);
      this.#others.push(values.map(({ unit }) => unit.at));
      await this.bars[i].show(barsOf(name, values.map(({ unit }) => called(unit)), values.map(({ value }) => value), values.findIndex(({ unit }) => unit === other), called(one)));
    }
  }

  /** The positions of each picture's bars. @type {number[][]} */
  #others = [];

  /** @param {number} index of a bar of whichever picture: they stand in different orders */
  #nearer(index) {
    const which = this.bars.findIndex(({ node }) => node.matches(":focus-within, :hover")), at = this.#others[Math.max(0, which)]?.[index];
    if (at !== undefined) this.change({ [this.#keys[1]]: String(at) }, { step: true });
  }

  /** @param {Reads["traceOf"]} traceOf @param {string[]} notes @returns {Promise<Unit[]>} */
  async #words(traceOf, notes) {
    const trace = await readable(this.state.t, m("The text"), traceOf, notes);
    if (!trace) return [];
    const depths = [LEARNED, ...range(trace.layers + 1).map(String)], depth = depths.includes(this.state.l) ? this.state.l : depths[depths.length - 1];
    if (this.depth.options.length !== depths.length) fill(this.depth, depths.map((one) => h("option", { value: one }, one === LEARNED ? m("learned") : one)));
    this.depth.value = depth;
    const names = namesOf(trace), vector = (/** @type {number} */ i) => (depth === LEARNED ? trace.learnedOf(i) : trace.hiddenOf(Number(depth), i));
    return range(trace.n).filter((i) => this.state.sp === "1" || !trace.apart[i]).map((i) => ({ name: names[i], vector: vector(i), at: i }));
  }

  /** @param {Reads["traceOf"]} traceOf @param {string[]} notes @returns {Promise<Unit[]>} */
  async #sentences(traceOf, notes) {
    const lines = this.state.ln.split("\n").map((line) => line.trim()).filter(Boolean), units = /** @type {Unit[]} */ ([]);
    if (lines.length > MOST_SENTENCES) notes.push(sentence("embeddings.most", { most: String(MOST_SENTENCES) }));
    if (lines.length < 2) notes.push(sentence("embeddings.empty"));
    for (const [at, name] of lines.slice(0, MOST_SENTENCES).entries()) units.push({ name, vector: sentenceOf(await traceOf(name)), at });
    return units;
  }

  #elsewhere() {
    const { m: model, p } = this.state, start = Object.fromEntries(this.fields.map((one) => [one.url, one.start]));
    return [
      ...(model === start.m ? [] : [sentence("static.embeddings.model")]), ...(p === WORDS || p === SENTENCES || p === start.p ? [] : [sentence("static.heads.elsewhere", { what: sentence("static.next-word.view", { view: m(VIEWS[p]) }) })]),
    ];
  }
}

/**
 * @param {string} unit @param {readonly string[]} labels @param {readonly number[]} values @param {number} chosen @param {string} from
 * @returns {Made<BarsHeader>}
 */
function barsOf(unit, labels, values, chosen, from) {
  /** @type {BarsHeader} */
  const header = {
    labels, unit: m(unit), kind: unit === "distance" ? "amounts" : "signed", hue: HUE, signed: SIGNED, fromZero: unit !== "distance", names: null, notes: [], chosen: chosen < 0 ? null : chosen, most: null,
    number: { digits: 3, plus: false }, height: ROW * labels.length + AROUND, dtype: "float32", sentence: sentence("embeddings.bars", { unit: m(unit), word: from }), file: `polysee-${unit.replace(" ", "-")}`,
  };
  return { module: "bars", header, payload: floats([Float32Array.from(values)]) };
}
