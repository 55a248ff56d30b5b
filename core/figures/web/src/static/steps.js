// Step by step in the folder: one text through one layer of MiniLM or SmolLM2, every number; or the tiny model, whose
// numbers the picture computes itself.
/** @import { Trace } from "../engine/trace.js" */
/** @import { StepsOf } from "../engine/types" */
/** @import { Told } from "../forward/made.js" */
/** @import { House } from "./page.js" */
/** @import { Reads } from "./room.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { plain, sentence } from "../derive/sentences.js";
import { forward } from "../forward/made.js";
import { told } from "../forward/told.js";
import STEPS from "../forward/steps.json" with { type: "json" };
import { fromBase64 } from "../saved/base64.js";
import { grouped } from "../runtime/shared.js";
import { figure } from "../steps/captions.js";
import { fill, h, inline, math } from "./dom.js";
import { Drawn } from "./drawn.js";
import { Models } from "./models.js";
import { Page, textBox } from "./page.js";
import { Segments } from "./segments.js";

/** The words of a step: its formula as nested elements. @typedef {{ title: string, formula: any[], why: string }} StepWords */
/** A picture of the tiny model, as Python has packed it. @typedef {{ module: string, header: any, payload: string, names: string[] }} Tiny */

const TINY = "1", TRAINED = "0", VIEW = "layer", DECODER = "decoder", ENCODER = "encoder";
const VIEWS = /** @type {Readonly<Record<string, string>>} */ (STEPS.views), SIZES = /** @type {Readonly<Record<string, string>>} */ (STEPS.sizes);
const LIKE = /** @type {Readonly<Record<string, string>>} */ (STEPS.like);

/**
 * For a step that is missing, the nearest one, or its counterpart.
 * @param {string} name @param {readonly string[]} names
 */
function nearest(name, names) {
  const like = name.replace(/^cross-/, "");
  return [name, like, LIKE[name]].find((one) => names.includes(one)) ?? (name === "mask" && names.includes("scale") ? "scale" : names[0]);
}

/** How far two results are apart. @param {number} apart @param {ArrayLike<number>} values the numbers of one of them */
function apartOf(apart, values) {
  if (!apart) return sentence("steps.equal");
  const most = figure(apart), largest = Array.from(values).reduce((one, x) => Math.max(one, Math.abs(x)), 0);
  return largest < CONSTANTS.steps.large ? sentence("steps.apart", { most }) : sentence("steps.apart-large", { most, largest: grouped(Math.ceil(largest)) });
}

export class StepByStep extends Page {
  /** @type {{ key: string, of: StepsOf, steps: Told[] } | null} */
  #made = null;
  #at = 0;

  /** @param {House} house */
  constructor(house) {
    super(house, "step-by-step", house.room);
    this.sizes = new Segments(m("Numbers"), (ti) => this.#choose({ ti }));
    this.text = textBox(m("Text"), (t) => this.change({ t }));
    this.models = new Models(this);
    const list = (/** @type {(value: string) => void} */ heard) => h("select", { change: (event) => heard(event.target.value) });
    this.layer = list((l) => this.change({ l, bl: "0" }, { step: true }));
    this.head = list((value) => this.change({ h: value }, { step: true }));
    this.block = list((bl) => this.change({ bl }, { step: true }));
    this.step = list((st) => this.#go(st));
    this.back = h("button", { type: "button", click: () => this.#by(-1) }, m("← Back"));
    this.next = h("button", { type: "button", class: "main", click: () => this.#by(1) }, m("Next →"));
    this.mask = h("input", { type: "checkbox", change: () => this.change({ c: this.mask.checked ? "1" : "0" }, { step: true }) });
    this.words2 = h("div", { "data-part": "step-words", class: "later" });
    this.drawn = new Drawn(house.root, { state: (sent) => this.#heard(sent) });
    this.under = h("div", { class: "quiet" });
    this.blockLabel = h("label", {}, h("span", {}, m("Columns")), this.block);
    this.trained = h("div", {}, this.models.label, this.text.label);
    this.where = h("div", { class: "choices" }, h("label", {}, h("span", {}, m("Layer")), this.layer), h("label", {}, h("span", {}, m("Head")), this.head), this.blockLabel);
    this.maskLabel = h("label", { class: "inline" }, this.mask, " ", m("Mask: hide later tokens"));
    this.frame(
      this.sizes.node, this.trained, this.models.node, this.notes,
      h("div", { class: "by-steps" }, this.back, h("label", {}, h("span", {}, m("Step")), this.step), this.next),
      h("div", { class: "stacked" }, this.words2, h("div", { "data-part": "forward" }, this.drawn.node)), this.maskLabel, this.where, this.under,
    );
  }

  get isTiny() {
    return this.state.ti === TINY;
  }

  get kind() {
    return this.models.reads.causal ? DECODER : ENCODER;
  }

  /** @returns {Readonly<Record<string, StepWords>>} */
  get stepWords() {
    return this.house.content.steps[this.isTiny ? ENCODER : this.kind];
  }

  follow() {
    this.models.follow();
    this.text.set(this.state.t);
    this.mask.checked = this.state.c === "1";
    const { isTiny } = this, size = isTiny ? TINY : TRAINED;
    this.sizes.show([TINY, TRAINED].map((one) => [one, m(SIZES[one])]), size);
    for (const part of [this.trained, this.models.node, this.where]) part.hidden = isTiny;
    this.maskLabel.hidden = !isTiny;
  }

  /** @param {import("./link.js").State} choices */
  async #choose(choices) {
    this.has(choices);
    this.follow();
    await this.change({}, { step: true });
    if (!this.isTiny) await this.room.begin();
  }

  without() {
    if (this.isTiny) {
      this.#tiny();
      return;
    }
    this.drawn.clear();
    this.#made = null;
    for (const part of [this.words2, this.under, this.step]) fill(part, []);
    this.say([]);
  }

  /** @param {Reads} model */
  async compute(model) {
    if (this.isTiny) {
      await this.#tiny();
      return;
    }
    const { t, l, h: head, bl } = this.state, key = JSON.stringify([this.state.m, t, l, head, bl]);
    if (!t.trim()) {
      this.without();
      this.say([...this.#elsewhere(), sentence("steps.empty")]);
      return;
    }
    if (this.#made?.key !== key) {
      const of = await model.steps(t, { layer: Number(l), head: Number(head), block: Number(bl) }).catch((/** @type {Error} */ error) => {
        if (error.name !== "TextRefused") throw error;
        this.without();
        this.say([plain(error.message)]);
      });
      if (!of || t !== this.state.t) return;
      this.#made = { key, of, steps: told(of, this.kind, this.#titles()) };
    }
    await this.#show();
  }

  /** The titles of the model's steps in the language of the page. */
  #titles() {
    const words = Object.entries(this.house.content.steps[this.kind]);
    return Object.fromEntries(words.map(([name, { title }]) => [name, title]));
  }

  /** Draws the step of the link, out of what was computed. */
  async #show() {
    if (!this.#made) return;
    const { of, steps } = this.#made, names = steps.map(({ name }) => name), { zl, q, k } = this.state;
    this.say([...this.#elsewhere(), ...(of.cut ? [sentence("steps.cut", { count: String(CONSTANTS.steps.most) })] : [])]);
    this.#at = names.indexOf(nearest(this.state.st, names));
    this.#list(names);
    const layer = Math.min(Number(this.state.l), of.layers), head = Math.min(Number(this.state.h), of.heads), { part } = steps[this.#at];
    numbers(this.layer, of.layers, layer);
    numbers(this.head, of.heads, head);
    this.blockLabel.hidden = !part;
    if (part) {
      const wide = 32, count = Math.ceil(part[1] / wide);
      fill(this.block, Array.from({ length: count }, (_, i) => h("option", { value: String(i) }, `${wide * i + 1}–${Math.min(wide * (i + 1), part[1])} of ${part[1]}`)));
      this.block.value = String(Math.floor(part[0] / wide));
    }
    const last = names.findLastIndex((name) => name === (this.kind === DECODER ? "residual2" : "norm2"));
    const link = new URLSearchParams({ v: "2", m: this.state.m, t: this.state.t, l: String(layer), h: String(head), q: String(Number(q) + 1), r: "head" });
    fill(this.under, [
      h("p", {}, sentence("steps.check", { layer: String(layer), step: String(last + 1), apart: apartOf(of.apart, steps[last].result.values) })),
      h("p", {}, h("a", { href: `${this.house.root}heads/?${link}`, "data-in": true }, sentence("steps.heads"))),
    ]);
    await this.drawn.show(forward(steps, this.#at, { level: /** @type {any} */ (zl), step: this.#at, row: Number(q), column: Number(k) }));
  }

  /** The tiny model: all its steps come at once, and the picture computes them. */
  async #tiny() {
    const { c, zl, q, k, tt, ed } = this.state, kept = this.house.content.tiny[c === "1" ? 1 : 0], start = Object.fromEntries(this.fields.map((one) => [one.url, one.start]));
    this.#made = null;
    this.say([...this.#elsewhere(), ...(tt !== start.tt || ed !== start.ed ? [sentence("static.steps.tiny")] : [])]);
    this.#at = kept.names.indexOf(nearest(this.state.st, kept.names));
    this.#list(kept.names);
    fill(this.under, [h("p", {}, sentence("steps.dragged"))]);
    const header = { ...kept.header, state: { level: zl, step: this.#at, row: Number(q), column: Number(k) } };
    await this.drawn.show({ module: kept.module, header, payload: fromBase64(kept.payload) });
  }

  /** @param {readonly string[]} names of the steps */
  #list(names) {
    const { stepWords: said } = this, at = this.#at;
    fill(this.step, names.map((name, i) => h("option", { value: name }, `${i + 1}. ${said[name].title}`)));
    this.step.value = names[at];
    this.back.disabled = at === 0;
    this.next.disabled = at === names.length - 1;
    const { title, formula, why } = said[names[at]];
    fill(this.words2, [h("p", {}, h("strong", {}, `${at + 1}. ${title}: `), math(formula), " — ", ...inline(why))]);
  }

  /** @param {string} st */
  #go(st) {
    this.change({ st }, { step: true });
  }

  /** @param {number} steps */
  #by(steps) {
    const names = [...this.step.options].map(({ value }) => value);
    this.#go(names[Math.min(Math.max(this.#at + steps, 0), names.length - 1)]);
  }

  /** @param {import("../states").ForwardState} sent */
  #heard({ level, step, row, column }) {
    const names = [...this.step.options].map(({ value }) => value), st = names[step] ?? this.state.st, other = st !== names[this.#at];
    this.change({ zl: level, st, q: String(row), k: String(column) }, { redraws: other });
  }

  /** What the link asks for that is not here. */
  #elsewhere() {
    const { p, ti, c } = this.state, what = [
      ...(p === VIEW ? [] : [sentence("static.next-word.view", { view: m(VIEWS[p]) })]),
      ...(ti === TINY || ti === TRAINED ? [] : [sentence("static.steps.paper")]),
      ...(ti === TRAINED && c === "1" ? [sentence("static.steps.mask")] : []),
    ];
    return [
      ...(this.models.isHere ? [] : [sentence("static.other-model")]),
      ...what.map((one) => sentence("static.heads.elsewhere", { what: one })),
    ];
  }
}

/** @param {HTMLSelectElement} list @param {number} count @param {number} chosen from 1 */
function numbers(list, count, chosen) {
  if (list.options.length !== count) fill(list, Array.from({ length: count }, (_, i) => h("option", { value: String(i + 1) }, String(i + 1))));
  list.value = String(chosen);
}
