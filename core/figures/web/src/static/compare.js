// Compare in the folder: two sentences, their word, its two ends, the verdict and the picture.
/** @import { Trace } from "../engine/trace.js" */
/** @import { Chosen } from "../derive/choice.js" */
/** @import { Compared } from "../derive/compare.js" */
/** @import { House } from "./page.js" */
/** @import { Reads } from "./room.js" */
import { m } from "../runtime/language.js";
import { folded } from "../engine/words.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { explained } from "../derive/adds.js";
import { Comparer, counted, judgedOf } from "../derive/compare.js";
import { contextsShown, namesShown } from "../derive/ends.js";
import { knownEnds } from "../derive/labelled.js";
import { sentence } from "../derive/sentences.js";
import { fill, h, inline } from "./dom.js";
import { Drawn } from "./drawn.js";
import { Models } from "./models.js";
import { linesTable, numbersOf, positionsTable } from "./numbers.js";
import { Page, textBox } from "./page.js";

/** @type {WeakMap<Function, Comparer>} */
const comparers = new WeakMap();

export class Compare extends Page {
  /** @type {Compared | null} */
  #last = null;
  /** How many layers the picture has, and which of them, from 1, is judged. */
  #layers = { judged: 6, layers: 6 };

  /** @param {House} house */
  constructor(house) {
    super(house, "compare", house.room);
    this.a = textBox(m("Sentence A"), (text) => this.change({ a: text }), { mark: "a" });
    this.b = textBox(m("Sentence B"), (text) => this.change({ b: text }), { mark: "b" });
    this.verdict = h("div", { class: "verdict", "data-part": "verdict", role: "status" });
    this.drawn = new Drawn(house.root, { state: ({ depth }) => this.change({ d: String(counted(this.#layers.judged, this.#layers.layers, depth)) }, { redraws: false }) });
    this.picture = h("div", { "data-part": "trajectory" }, this.drawn.node);
    this.words2 = { A: this.#wordList("A"), B: this.#wordList("B") };
    this.high = textBox(m("as in …"), (text) => this.change({ hi: text.trim() }), { placeholder: m("one word") });
    this.low = textBox(m("… or as in …"), (text) => this.change({ lo: text.trim() }), { placeholder: m("one word") });
    this.more = [0, 1].map((end) => textBox(m("All contexts at {end}", { end: end ? "+1" : "−1" }), (text) => this.change({ [end ? "hi" : "lo"]: text.trim() }), { rows: 4, lines: true }));
    this.presets = h("select", { change: () => this.#preset() });
    this.leads = h("p", { class: "leads" });
    this.hint = h("p", { class: "quiet" });
    this.similar = new Drawn(house.root, {});
    this.about = h("p", { class: "quiet" });
    this.numbers = h("div", { class: "two" });
    this.directions = this.#fold(m("And in all directions at once?"), this.similar.node, this.about);
    this.table = this.#fold(m("The numbers"), this.numbers);
    this.models = new Models(this);
    this.frame(
      this.models.label, h("div", { class: "two" }, this.a.label, this.b.label), this.models.node, this.notes, this.verdict, this.picture, this.hint,
      h("div", { class: "choices" },
        h("label", {}, h("span", {}, m("Word in A")), this.words2.A), h("label", {}, h("span", {}, m("Word in B")), this.words2.B),
        this.high.label, this.low.label, h("label", {}, h("span", {}, m("Examples")), this.presets)),
      h("details", {}, h("summary", {}, m("More contexts")), h("p", { class: "quiet" }, ...inline(sentence("static.contexts"))),
        h("div", { class: "two" }, this.more[1].label, this.more[0].label)),
      this.leads, this.directions, this.table,
      h("p", { class: "quiet" }, ...inline(sentence("static.compare.elsewhere"))),
    );
  }

  /** The examples for the model of the link: for one that reads from left to right, those with the cue before the word. */
  get examples() {
    return this.house.content.presets.filter(({ causal }) => causal === this.models.reads.causal);
  }

  /** What a visitor may ask next; it is computed once it is open. @param {string} title @param {...Node} parts */
  #fold(title, ...parts) {
    return h("details", { hidden: true, toggle: () => this.#folds() }, h("summary", {}, title), ...parts);
  }

  /** The open folds, of what was compared last. */
  async #folds() {
    const found = this.#last, { model } = this.room, comparer = model && comparers.get(model.traceOf);
    const isOne = found?.picture?.module !== "lines", isTwo = Boolean(found?.chosen.A && found.chosen.B);
    this.directions.hidden = !(isOne && isTwo); // without ends, the first picture shows it already
    this.table.hidden = !found?.picture;
    if (!found?.picture || !comparer || !(this.directions.open || this.table.open)) return;
    const { picture } = found, similar = await comparer.cosines(found).catch(() => null);
    if (found !== this.#last) return;
    fill(this.numbers, [
      ...(picture.module === "trajectory" ? [numbersOf(positionsTable(/** @type {any} */ (picture.header), (name) => Boolean(found.traces[name]?.firstIsSink)), "polysee-trajectory")] : []),
      ...(similar ? [numbersOf(linesTable(similar.picture), "polysee-path")] : []),
    ]);
    if (!similar || !this.directions.open || this.directions.hidden) return;
    fill(this.about, inline(similar.caption));
    await this.similar.show(similar.picture);
  }

  embeds() {
    const picture = this.#last?.picture ?? null;
    // Nobody brings into somebody else's page what is still to come.
    return picture && { ...picture, header: { ...picture.header, ...(picture.module === "trajectory" ? { awaitsContributions: false } : {}) } };
  }

  follow() {
    this.models.follow();
    const { a, b, w, lo, hi } = this.state, { reads } = this.models;
    this.a.set(a);
    this.b.set(b);
    this.#ends(w, /** @type {[string, string]} */ ([lo, hi]), knownEnds(w, [a, b], reads));
    fill(this.presets, [h("option", { value: "" }, m("choose …")), ...this.examples.map(({ label }, i) => h("option", { value: String(i) }, label))]);
    this.presets.value = String(this.examples.findIndex((one) => one.a === a && one.b === b && one.w === w));
    if (this.presets.selectedIndex < 0) this.presets.value = "";
    this.#hint();
  }

  without() {
    this.drawn.clear();
    this.#last = null;
    this.#folds();
    fill(this.verdict, []);
    this.say([]);
  }

  /** @param {Reads} asked */
  async compute(asked) {
    const { traceOf } = asked, comparer = comparers.get(traceOf) ?? new Comparer(traceOf), { state } = this;
    comparers.set(traceOf, comparer);
    const onProgress = (/** @type {number} */ done, /** @type {number} */ of) => {
      if (done < of && done % 4 === 1) this.room.works(sentence("static.reads-ends", { done: String(done), of: String(of) }));
    };
    const found = await comparer.compare({
      a: state.a, b: state.b, w: state.w, o: Number(state.o), w2: state.w2, o2: Number(state.o2), lo: state.lo, hi: state.hi, d: Number(state.d),
    }, { onProgress, explains: true });
    this.room.works("");
    this.#last = found;
    if (found.leftBehind && state.w2 === this.state.w2) {
      this.has({ w2: "", o2: "1", lo: "", hi: "" });
      await this.publish();
    } else if (found.word !== state.w && state.w === this.state.w) { // the link names the word that is shown, without the ends of the other
      const other = found.chosen.B && folded(found.chosen.B.word) !== folded(found.word) ? found.chosen.B.word : "";
      this.has({ w: found.word, w2: other, lo: "", hi: "" });
      await this.publish();
    }
    this.say([...this.#elsewhere(), ...found.notes]);
    fill(this.verdict, [
      ...(found.headline ? [h("p", { class: "headline" }, ...inline(found.headline))] : []),
      ...(found.caption ? [h("p", { class: "quiet" }, ...inline(found.caption))] : []),
    ]);
    this.#list("A");
    this.#list("B");
    const word = (found.chosen.A ?? found.chosen.B)?.word ?? state.w;
    this.#ends(word, [this.state.lo, this.state.hi], found.own);
    this.#leads(found);
    this.#hint();
    this.#folds();
    if (!found.picture) {
      this.drawn.clear();
      return;
    }
    const { layers, model } = /** @type {Trace} */ (found.traces.A ?? found.traces.B);
    this.#layers = { judged: judgedOf(model, layers), layers };
    await this.drawn.show(found.picture);
    this.#explain(found, comparer, asked);
  }

  /**
   * What each word adds: it takes seconds, while the picture is there, and a visitor may ask for something else.
   * @param {Compared} found @param {Comparer} comparer @param {Reads} asked
   */
  async #explain(found, comparer, { sources }) {
    if (found.picture?.module !== "trajectory") return;
    let picture = null;
    while (!picture && found === this.#last && !this.signal.aborted) {
      try {
        picture = await explained(comparer, found, sources);
      } catch {
        return; // the model has stopped, and its place says so
      }
    }
    if (!picture || found !== this.#last) return;
    found.picture = picture;
    this.#folds();
    const depth = counted(this.#layers.judged, this.#layers.layers, Number(this.state.d));
    await this.drawn.show({ ...picture, header: { ...picture.header, state: { depth } } });
  }

  /** What a link asks for that is not here. */
  #elsewhere() {
    return this.models.isHere ? [] : [sentence("static.other-model")];
  }

  /** @param {"A" | "B"} name */
  #wordList(name) {
    return h("select", { change: (/** @type {Event} */ event) => this.#choose(name, Number(/** @type {HTMLSelectElement} */ (event.target).value)) });
  }

  /** Puts the words of a sentence into its list. @param {"A" | "B"} name */
  #list(name) {
    const list = this.words2[name], there = this.#last?.there[name] ?? [], chosen = this.#last?.chosen[name] ?? null;
    const counts = new Map(there.map(({ word, number }) => [word, number + 1]));
    const options = there.map(({ word, number }, i) => {
      const count = counts.get(word) ?? 1;
      return h("option", { value: String(i) }, count > 1 ? m("{word}, occurrence {number} of {count}", { word, number: number + 1, count }) : word);
    });
    fill(list, chosen ? options : [h("option", { value: "" }, there.length ? m("choose …") : m("no word")), ...options]);
    list.value = chosen ? String(there.indexOf(chosen)) : "";
    if (chosen && !there.includes(chosen)) list.value = String(there.findIndex(({ word, number }) => word === chosen.word && number === chosen.number));
    list.disabled = !there.length;
  }

  /** @param {"A" | "B"} name @param {number} index */
  #choose(name, index) {
    const one = this.#last?.there[name][index];
    if (!one) return;
    if (name === "B") {
      const same = folded(one.word) === folded(this.state.w);
      this.change({ w2: same ? "" : one.word, o2: String(one.number + 1) });
      return;
    }
    /** @type {import("./link.js").State} */
    const other = folded(one.word) === folded(this.state.w) ? {} : { lo: "", hi: "" };
    this.change({ w: one.word, o: String(one.number + 1), ...other });
  }

  /** @param {string} word @param {[string, string]} typed @param {import("../derive/labelled.js").Ends | null} own */
  #ends(word, typed, own) {
    const { cased } = this.models.reads, names = namesShown(typed, word, own, cased);
    for (const [end, box] of [this.low, this.high].entries()) {
      if (document.activeElement !== box.area) box.set(names[end]);
      const more = this.more[end];
      if (document.activeElement !== more.area) more.set(contextsShown(typed[end], end, word, own, cased));
    }
  }

  /** Links to the heads of each sentence, at the layer and the head of the link. @param {Compared} found */
  #leads({ traces }) {
    const { l, h: head, m: model } = this.state;
    /** @type {Record<string, string>} */
    const own = model === CONSTANTS.model || !this.models.isHere ? {} : { m: model };
    /** @type {Record<string, string>} */
    const at = l === "0" ? { ...own, l: "mean" } : { ...own, l, h: head === "0" ? "mean" : head, r: "head" };
    const links = /** @type {("A" | "B")[]} */ (["A", "B"]).flatMap((name) => {
      const trace = traces[name];
      if (!trace) return [];
      const query = new URLSearchParams({ v: "2", t: name === "A" ? this.state.a : this.state.b, ...at });
      return [" ", h("a", { href: `${this.house.root}heads/?${query}`, "data-in": true }, m("Sentence {name}", { name }))];
    });
    fill(this.leads, links.length ? [m("Which token attends to which?"), ...links] : []);
  }

  /** What to look for in an example, if its own ends are used. */
  #hint() {
    const { a, b, w, w2, lo, hi } = this.state, plain = !lo && !hi && !w2;
    const one = plain ? this.examples.find((preset) => preset.a === a && preset.b === b && preset.w === w) : null;
    fill(this.hint, one ? inline(sentence("look-for", { hint: one.look })) : []);
  }

  #preset() {
    const one = this.examples[Number(this.presets.value)];
    if (!one || !this.presets.value) return;
    this.has({ a: one.a, b: one.b, w: one.w, o: "1", w2: "", o2: "1", lo: "", hi: "" });
    this.follow();
    this.change({}, { step: true });
  }
}
