// A model of one's own text, trained in this tab: the form, the training as it goes, and the model afterwards. The view
// is the same in the app and in the folder; both fetch this script only where somebody wants it.
/** @import { Answer, Order } from "./types" */
/** @import { Where } from "../static/drawn.js" */
/** @import { Recipe } from "./recipe.js" */
/** @import { Pause } from "./training.js" */
import { sentence } from "../derive/sentences.js";
import { current, decimal, m, mn } from "../runtime/language.js";
import { grouped } from "../runtime/shared.js";
import { fill, h, inline } from "../static/dom.js";
import { Drawn } from "../static/drawn.js";
import { copiesSaid, headline, numbers as measured, order as learned, paused, tryNext } from "./captions.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { copied } from "./copies.js";
import { curves, writing } from "./pictures.js";
import { code, read, unfit, wrong } from "./recipe.js";
import TEXTS from "./texts.json" with { type: "json" };
import { say } from "./words.js";

const OWN = "own", FIRST = "island", SEEDS = 1_000_000;
/** @type {Readonly<Record<string, string[]>>} */
const READY = TEXTS;
/** The boxes of numbers behind More, and what each is. @returns {readonly [keyof Recipe, string, string][]} */
const numbers = () => [
  ["layers", m("Layers"), m("Of the decoder.")], ["heads", m("Heads"), m("In each layer; the width is divided among them.")],
  ["width", m("d_model"), m("The width of each vector.")], ["window", m("Window"), m("How many letters, or byte pairs, the model reads at once.")],
  ["pairs", m("Byte pairs"), m("How many are learned from the text.")], ["batch", m("Batch"), m("How many windows each step learns from.")],
  ["rate", m("Learning rate"), m("It rises to this maximum and then falls.")], ["seed", m("Seed"), m("Determines the first weights and which windows are drawn.")],
];
const STYLE = `
.own-text{display:grid;gap:.6rem;color:var(--st-text-color);font-family:inherit}
.own-text p{margin:0}
.own-text [hidden]{display:none!important}
.own-text .row{display:flex;flex-wrap:wrap;gap:.5rem .8rem;align-items:end}
.own-text .two-parts{display:grid;grid-template-columns:7fr 5fr;gap:.6rem 1.5rem}
.own-text label{display:block;font-size:.875rem}
.own-text label>span{display:block;margin-bottom:.15rem}
.own-text :is(select,input:not([type=file],[type=range]),textarea){box-sizing:border-box;min-height:2.5rem;font:inherit;font-size:1rem;color:inherit;width:100%;padding:.4rem .6rem;border-radius:.5rem;
border:1px solid color-mix(in srgb,var(--st-text-color) 25%,transparent);background:color-mix(in srgb,var(--st-text-color) 4%,var(--st-background-color))}
.own-text textarea{height:12rem;max-height:none;resize:vertical}
.own-text .short{width:7rem}
.own-text .long{width:min(20rem,100%)}
.own-text button{font:inherit;color:inherit;background:var(--st-background-color);border:1px solid color-mix(in srgb,var(--st-text-color) 25%,transparent);
border-radius:.5rem;padding:.4rem .9rem;min-height:2.5rem;cursor:pointer}
.own-text button.first{background:var(--st-primary-color);border-color:var(--st-primary-color);color:var(--own-on-primary,#fff)}
.own-text button:disabled{opacity:.5;cursor:default}
.own-text .soft{font-size:.875rem;color:color-mix(in srgb,var(--st-text-color) 75%,transparent)}
.own-text .soft+.soft{margin-top:.4rem}
.own-text .told{font-size:1.1rem;line-height:1.4}
.own-text .wrong:empty,.own-text .soft:empty{display:none}
.own-text .wrong{color:light-dark(#9c2b1f,#ff9c8f);font-weight:600}
.own-text input[type=file]{border:0;background:none;padding:0;font-size:.9rem}
.own-text input[type=range]{width:100%;accent-color:var(--st-primary-color)}
.own-text progress{width:min(20rem,100%);accent-color:var(--st-primary-color)}
.own-text h3{font-size:1rem;margin:.2rem 0;padding:0;font-weight:600}
.own-text details>*+*{margin-top:.5rem}
.own-text ul{margin:.3rem 0;padding-left:1.2rem;font-size:.9rem}
.own-text li{overflow-wrap:anywhere}
@media(max-width:640px){.own-text .two-parts{grid-template-columns:1fr}}`;

/**
 * @typedef {object} Data
 * @property {string} worker the address of the script that trains
 * @property {Where} pictures where the modules of pictures are
 * @property {string} source the name of a ready text, or "own"
 * @property {string} recipe as `code` writes it; "" for the usual one
 */

/** @typedef {(state: { source: string, recipe: string }) => void} Told hears what the form says; never a text */

/** @param {string} name @param {HTMLElement} node @param {string} [kind] @param {string} [about] */
const named = (name, node, kind = "", about = "") => h("label", { class: kind, title: about }, h("span", {}, name), node);

class View {
  /** @type {Pause[]} */
  #pauses = [];
  #gram = NaN;
  /** What the model that is there has learned from; "" for one from a file. */
  #text = "";
  /** @type {Recipe | null} */
  #recipe = null;
  /** @type {Worker | null} */
  #worker = null;
  /** What the worker does: nothing yet, trains, rests, or holds a model. @type {"new" | "trains" | "rests" | "done" | "loaded"} */
  #state = "new";
  #step = 0;
  #seconds = 0;
  #seed = 13;

  /** @param {Data} data @param {Told} told */
  constructor(data, told) {
    const boxes = numbers();
    this.language = current();
    this.data = data;
    this.told = told;
    this.recipe = read(data.recipe);
    this.source = data.source in READY || data.source === OWN ? data.source : FIRST;
    this.texts = h("select", { change: () => this.#choose() },
      h("option", { value: OWN }, say("own")), ...Object.entries(READY).map(([name, [title]]) => h("option", { value: name }, m(title))));
    this.kind = h("select", { change: () => this.#change() }, h("option", { value: "letters" }, m("Letters")), h("option", { value: "pairs" }, m("Byte pairs")));
    this.steps = h("input", { type: "number", min: "1", max: String(CONSTANTS.bounds.steps[1]), change: () => this.#change() });
    /** @type {Record<string, HTMLInputElement>} */
    this.numbers = Object.fromEntries(boxes.map(([name]) => [name, h("input", { type: "number", step: name === "rate" ? "0.001" : "1", change: () => this.#change() })]));
    this.start = h("button", { type: "button", class: "first", "data-part": "start", click: () => this.#begin() }, m("Start"));
    this.more = h("details", {}, h("summary", {}, m("More")), h("div", { class: "row" }, ...boxes.map(([name, title, about]) => named(title, this.numbers[name], "short", about))));
    this.area = h("textarea", { maxlength: String(2 * CONSTANTS.mostText), spellcheck: "false", placeholder: say("like"), input: () => this.#change() });
    this.own = h("details", { open: "" }, h("summary", {}, say("yours")), h("div", { class: "two-parts" }, named(say("paste"), this.area),
      h("div", {}, named(say("file"), h("input", { type: "file", accept: ".txt,.md,text/plain", change: (/** @type {Event} */ event) => this.#take(event) })), h("p", { class: "soft" }, say("private")))));
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.bar = h("progress", { max: "1", "aria-label": m("Training") });
    this.status = h("span", { class: "soft", role: "status", "data-part": "status" });
    this.stop = h("button", { type: "button", "data-part": "stop", click: () => this.#stop() }, m("Stop"));
    this.go = h("button", { type: "button", click: () => this.#go() }, m("Continue"));
    this.line = h("p", { class: "told", "data-part": "headline" });
    this.wrote = new Drawn(data.pictures, {});
    this.copies = h("div", { class: "soft" });
    this.order = h("p", { class: "soft" });
    this.next = h("p");
    this.drawn = new Drawn(data.pictures, {});
    this.measured = h("p", { class: "soft", "data-part": "numbers" });
    this.slider = h("input", { type: "range", min: "0", step: "1", input: () => this.#show(Number(this.slider.value)) });
    this.when = h("label", {}, h("span", {}, m("After step")), this.slider);
    this.list = h("ul");
    this.every = h("details", {}, h("summary", {}, m("What it wrote at every pause")), this.list);
    this.seen = h("div", { class: "own-text-seen" }, this.line, this.next, this.when, h("div", { class: "two-parts" },
      h("div", { "data-part": "writes" }, h("h3", {}, m("It writes")), this.wrote.node, this.copies, this.order),
      h("div", { "data-part": "bits" }, h("h3", {}, ...inline(m("**Bits a letter**: less is better"))), this.drawn.node, h("p", { class: "soft" }, ...inline(sentence("own-text.held"))), this.measured)), this.every);
    this.prompt = h("input", { type: "text", value: "In the morning", maxlength: String(CONSTANTS.mostPrompt), "data-part": "prompt" });
    this.writes = new Drawn(data.pictures, {});
    this.wroteCopies = h("div", { class: "soft" });
    this.asks = h("button", { type: "button", "data-part": "write", click: () => this.#ask() }, m("Write"));
    this.after = h("div", { "data-part": "after" }, h("h3", {}, say("goOn")), h("div", { class: "row" }, named(m("Beginning"), this.prompt, "long"), this.asks,
      h("button", { type: "button", "data-part": "save", click: () => this.#tell({ kind: "save" }) }, m("Save the model"))), this.writes.node, this.wroteCopies, h("p", { class: "soft" }, ...inline(say("opens"))));
    this.changed = h("p", { class: "soft" });
    this.node = h("div", { class: "own-text" }, h("style", {}, STYLE),
      h("div", { class: "row" }, named(m("Text"), this.texts, "long"), named(m("Reads"), this.kind, "short", sentence("own-text.kinds")), named(m("Steps"), this.steps, "short"), this.start),
      this.more, this.own, this.wrong, h("div", { class: "row" }, this.bar, this.status, this.stop, this.go), this.changed, this.seen, this.after,
      h("p", { class: "soft" }, say("same")), named(m("Load a model of a text"), h("input", { type: "file", accept: ".safetensors", "data-part": "load", change: (/** @type {Event} */ event) => this.#load(event) })));
    this.#follow();
    this.#rest();
  }

  /** Whether it has neither trained nor loaded a model. */
  get isNew() {
    return this.#state === "new";
  }

  /** The text of the form. */
  get text() {
    return this.source === OWN ? this.area.value : READY[this.source][1];
  }

  /** Has a source and a recipe from a link. @param {string} source @param {string} recipe */
  take(source, recipe) {
    if (source in READY || source === OWN) this.source = source;
    this.recipe = read(recipe);
    this.#follow();
    this.#rest();
  }

  #follow() {
    const { recipe } = this;
    this.texts.value = this.source;
    this.kind.value = recipe.kind;
    this.steps.value = String(recipe.steps);
    for (const [name, input] of Object.entries(this.numbers)) input.value = String(recipe[/** @type {keyof Recipe} */ (name)]);
    const pairs = this.numbers.pairs.closest("label");
    if (pairs) pairs.hidden = recipe.kind !== "pairs";
    this.own.hidden = this.source !== OWN;
  }

  #choose() {
    this.source = this.texts.value;
    this.own.open = true;
    this.#follow();
    this.#change();
  }

  /** Takes what the form says, if it is a recipe. */
  #change() {
    const own = Object.fromEntries(Object.entries(this.numbers).map(([name, input]) => [name, Number(input.value)]));
    const recipe = /** @type {Recipe} */ ({ ...own, kind: this.kind.value, steps: Number(this.steps.value) }), why = wrong(recipe);
    if (!why) {
      this.recipe = recipe;
      this.told({ source: this.source, recipe: code(recipe) });
    }
    this.#follow();
    this.#rest();
    if (why) this.wrong.textContent = why;
  }

  /** @param {Event} event */
  async #take(event) {
    const [file] = /** @type {HTMLInputElement} */ (event.target).files ?? [];
    if (!file) return;
    const most = 4 * CONSTANTS.mostText; // bytes
    this.area.value = file.size > most ? "" : (await file.text()).replace(/\r\n?/g, "\n");
    this.#rest();
    if (file.size > most) this.wrong.textContent = say("long");
  }

  /** @param {Order} order @param {Transferable[]} [gone] */
  #tell(order, gone = []) {
    this.#worker?.postMessage(order, gone);
  }

  /** A new worker, in the place of the one before. */
  #fresh() {
    this.#worker?.terminate();
    try {
      this.#worker = new Worker(new URL(this.data.worker, document.baseURI), { type: "module" });
    } catch {
      this.wrong.textContent = say("none");
      return;
    }
    const own = this.#worker;
    own.addEventListener("message", ({ data }) => own === this.#worker && this.#hear(data));
    own.addEventListener("error", (event) => own === this.#worker && this.#hear({ kind: "failed", told: false, file: false, message: event.message ?? "" }));
    this.#pauses = [];
    [this.#step, this.#seconds, this.#gram] = [0, 0, NaN];
    this.writes.clear();
    fill(this.wroteCopies, []);
  }

  #begin() {
    if (unfit(this.text)) return;
    this.#fresh();
    [this.#text, this.#recipe, this.#state] = [this.text, { ...this.recipe }, "trains"];
    this.own.open = false; // what it writes stands higher then
    this.status.textContent = say("starting");
    this.#tell({ kind: "train", text: this.#text, recipe: this.#recipe });
    this.#rest();
  }

  #stop() {
    this.status.textContent = say("stopping");
    this.#tell({ kind: "stop" });
  }

  #go() {
    this.#state = "trains";
    this.#tell({ kind: "go" });
    this.#rest();
  }

  #ask() {
    this.asks.disabled = true;
    this.#tell({ kind: "write", prompt: this.prompt.value, count: CONSTANTS.writes, seed: this.#seed });
    this.#seed = (this.#seed + 1) % SEEDS;
  }

  /** @param {Event} event */
  async #load(event) {
    const input = /** @type {HTMLInputElement} */ (event.target), [file] = input.files ?? [];
    if (!file) return;
    this.#fresh();
    const bytes = await file.slice(0, CONSTANTS.file.most + 1).arrayBuffer();
    [this.#text, this.#state] = ["", "loaded"];
    this.#tell({ kind: "load", bytes }, [bytes]);
    input.value = "";
  }

  /** @param {Answer} answer */
  #hear(answer) {
    if (answer.kind === "begun") this.#gram = answer.gram;
    else if (answer.kind === "step") {
      [this.#step, this.#seconds] = [answer.step, answer.seconds];
      this.#progress();
    } else if (answer.kind === "pause") {
      this.#pauses.push(answer.pause);
      this.#show(this.#pauses.length - 1);
    } else if (answer.kind === "rests") {
      this.#state = answer.done ? "done" : "rests";
      this.#rest();
    } else if (answer.kind === "wrote") {
      this.asks.disabled = false;
      const copies = this.#text ? copied(answer.text, this.#text) : [];
      this.writes.show(writing(answer.text, copies, this.#text, { name: "own-text-goes-on-a", prompt: answer.prompt }));
      this.#copies(this.wroteCopies, answer.text, copies);
    } else if (answer.kind === "loaded") {
      this.#recipe = answer.recipe;
      this.#rest();
      const { layers, heads, width } = answer.recipe;
      this.status.textContent = say("loaded", {
        layers: mn("{count} layer", "{count} layers", layers, { count: layers }), heads: mn("{count} head each", "{count} heads each", heads, { count: heads }),
        width: String(width), steps: grouped(answer.steps),
      });
      this.#ask();
    } else if (answer.kind === "file") {
      const address = URL.createObjectURL(new Blob([answer.bytes], { type: "application/octet-stream" }));
      h("a", { href: address, download: `polysee-own-text-${answer.steps}.safetensors` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } else if (answer.kind === "failed") {
      this.#state = this.#pauses.length ? "rests" : "new";
      this.#rest();
      const why = m(answer.message);
      this.wrong.textContent = answer.file ? m("This file is no model of a text of one’s own: {why}.", { why }) : answer.told ? why : say("failed", { why });
    }
  }

  /** @param {HTMLElement} host @param {string} written @param {readonly import("./copies.js").Copied[]} copies */
  #copies(host, written, copies) {
    const said = this.#text ? copiesSaid(written, copies, this.#text) : [sentence("own-text.no-text")];
    fill(host, said.map((one) => h("p", {}, ...inline(one))));
  }

  #progress() {
    const all = this.#recipe?.steps ?? 1, values = { step: grouped(this.#step), steps: grouped(all) };
    this.bar.value = this.#step / all;
    const what = say(this.#state === "trains" ? "step" : this.#state === "done" ? "done" : "stopped", values);
    const speed = this.#step > 2 ? ` · ${say("speed", { speed: decimal((this.#step / this.#seconds).toFixed(1)) })}` : "";
    this.status.textContent = `${what}${speed}`;
  }

  /** Shows what can be done now. */
  #rest() {
    const state = this.#state, why = unfit(this.text), trained = state === "rests" || state === "done" || state === "loaded";
    this.wrong.textContent = why && this.text.trim() ? why : "";
    this.start.disabled = Boolean(why);
    this.stop.hidden = state !== "trains";
    this.go.hidden = state !== "rests";
    this.bar.hidden = state === "new" || state === "loaded";
    this.after.hidden = !trained;
    if (state === "new") fill(this.status, inline(say("nothing")));
    else if (state !== "loaded" && this.#step) this.#progress();
    const other = this.#recipe && state !== "loaded" && (code(this.#recipe) !== code(this.recipe) || this.text !== this.#text);
    fill(this.changed, other ? inline(say("changed")) : []);
    this.seen.hidden = !this.#pauses.length;
    const last = this.#pauses.at(-1);
    fill(this.next, state === "done" && last ? inline(tryNext(this.#pauses, this.#text)) : []);
  }

  /** Shows a pause. @param {number} at */
  #show(at) {
    const pauses = this.#pauses, pause = pauses[at], recipe = this.#recipe;
    if (!recipe) return;
    this.seen.hidden = false;
    this.slider.max = String(pauses.length - 1);
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", m("step {step}", { step: grouped(pause.step) }));
    this.when.hidden = pauses.length < 2;
    fill(this.line, inline(headline(pause, this.#text)));
    fill(this.measured, inline(measured(pauses.slice(0, at + 1), this.#gram, this.#text)));
    const copies = copied(pause.sample, this.#text), every = Math.max(1, Math.ceil(recipe.steps / CONSTANTS.pauses));
    const planned = [...Array(Math.ceil(recipe.steps / every)).keys()].map((i) => i * every).concat(recipe.steps);
    this.wrote.show(writing(pause.sample, copies, this.#text, { name: "own-text-writes" }));
    this.#copies(this.copies, pause.sample, copies);
    fill(this.order, inline(learned(pauses.slice(0, at + 1), this.#text)));
    this.drawn.show(curves(pauses, planned, this.#gram, at));
    fill(this.list, pauses.map((one) => h("li", {}, ...inline(paused(one, this.#text)))));
  }
}

/** One training in a tab; it goes on while a visitor is on another page. @type {View | null} */
let view = null;

/**
 * Draws the view; a later run of a page shows the same one again.
 * @param {HTMLElement} root @param {Data} data @param {Told} told
 */
export function mount(root, data, told) {
  if (!view || (view.isNew && view.language !== current())) view = new View(data, told); // what is trained is kept, in its language
  else {
    view.told = told;
    if (view.source !== data.source || (data.recipe && code(view.recipe) !== data.recipe)) view.take(data.source, data.recipe);
  }
  if (view.node.parentElement !== root) root.replaceChildren(view.node);
  return view;
}
