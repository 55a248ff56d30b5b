// Senses in the folder: one word in many sentences, ours or a visitor's own, mapped and measured in the tab.
/** @import { Occurrence } from "../derive/senses.js" */
/** @import { House } from "./page.js" */
/** @import { Reads } from "./room.js" */
import { m } from "../runtime/language.js";
import { label, layerName } from "../derive/labels.js";
import { accuracyLines, cloudOf, labelAccuracy, linesOf, maps, nearestTo, occurrencesIn } from "../derive/senses.js";
import { listed, percent, sentence } from "../derive/sentences.js";
import { range } from "../derive/numbers.js";
import { written } from "../runtime/shared.js";
import { fill, h } from "./dom.js";
import { Drawn } from "./drawn.js";
import { Models } from "./models.js";
import { Page, textBox } from "./page.js";

const OWN = "own", MOST = 120, NEAREST = 6; // sentences; rows
/** What a link can ask for that is not here. @type {readonly (readonly [string, import("../derive/sentences.js").SentenceName])[]} */
const ELSEWHERE = [["c", "static.senses.clusters"], ["f", "static.senses.maps"], ["s3", "static.senses.space"]];

export class Senses extends Page {
  /** @type {{ key: string, some: Occurrence[], left: number, mapped: ReturnType<typeof maps> } | null} */
  #made = null;

  /** @param {House} house */
  constructor(house) {
    super(house, "senses", house.room);
    this.models = new Models(this);
    this.presets = h("select", { change: () => this.#preset(this.presets.value) });
    this.word = textBox(m("Word"), (w) => this.change({ w }));
    this.lines = textBox(m("Sentences, one per line: label | sentence"), (ln) => this.change({ ln, p: OWN }), { rows: 6, lines: true });
    this.drawn = new Drawn(house.root, { state: ({ depth, chosen }) => this.#chosen(depth, chosen) });
    this.shares = h("p", { class: "quiet" });
    this.headline = h("div", { class: "headline", "data-part": "headline", role: "status" });
    this.accuracy = new Drawn(house.root, {});
    this.near = h("div", { "data-part": "nearest" });
    this.frame(
      this.models.label, h("div", { class: "choices" }, h("label", {}, h("span", {}, m("Sentences")), this.presets), this.word.label), this.models.node, this.notes, this.headline,
      h("div", { "data-part": "map" }, this.drawn.node), this.shares, this.near, h("div", { "data-part": "accuracy" }, this.accuracy.node),
      h("details", { open: true }, h("summary", {}, m("The sentences")), this.lines.label), h("p", { class: "quiet" }, sentence("static.senses.elsewhere")),
    );
  }

  follow() {
    const { p, w, ln } = this.state, { senses } = this.house.content;
    this.models.follow();
    this.word.set(w);
    this.lines.set(ln);
    fill(this.presets, [h("option", { value: OWN }, m("typed or pasted")), ...Object.keys(senses).map((word) => h("option", { value: word }, m("ours about “{word}”", { word })))]);
    this.presets.value = p in senses ? p : OWN;
  }

  /** @param {string} p */
  async #preset(p) {
    const ln = this.house.content.senses[p];
    this.has({ p, ...(ln && { w: p, ln }), d: "0", q: "1" });
    this.follow();
    await this.change({}, { step: true });
  }

  without() {
    this.#made = null;
    for (const drawn of [this.drawn, this.accuracy]) drawn.clear();
    for (const part of [this.headline, this.near, this.shares]) fill(part, []);
  }

  /** @param {Reads} model */
  async compute({ traceOf }) {
    const { w, ln } = this.state, key = JSON.stringify([this.state.m, w.trim(), ln]);
    if (this.#made?.key !== key) {
      const every = linesOf(ln), lines = every.slice(0, MOST), notes = [...this.#elsewhere(), ...(every.length > MOST ? [sentence("senses.most", { most: String(MOST) })] : [])];
      /** @type {Occurrence[]} */
      const some = [];
      let left = 0;
      for (const [i, line] of w.trim() ? lines.entries() : []) {
        if (i % 8 === 7) this.room.works(sentence("senses.reading", { done: String(i + 1), of: String(lines.length) }));
        const found = occurrencesIn(line, await traceOf(line.text), w.trim());
        if (key !== JSON.stringify([this.state.m, this.state.w.trim(), this.state.ln])) return; // something else was typed
        left += Number(!found.length);
        some.push(...found);
      }
      this.room.works("");
      if (some.length < 2) {
        this.without();
        this.say([...notes, sentence(!w.trim() || !lines.length ? "senses.empty" : some.length ? "senses.one" : "senses.none")]);
        return;
      }
      this.say([...notes, ...(left ? [sentence("senses.without", { count: String(left), of: String(lines.length) })] : [])]);
      this.#made = { key, some, left, mapped: maps(range(some[0].vectors.length).map((depth) => some.map(({ vectors }) => vectors[depth]))) };
    }
    await this.#show();
  }

  async #show() {
    if (!this.#made) return;
    const { some, mapped: { coordinates } } = this.#made, { depth, chosen } = this.#at(coordinates.length - 1, some.length);
    await this.drawn.show(cloudOf(some, coordinates, depth, chosen));
    this.#tell();
    const depths = range(coordinates.length).map((at) => some.map(({ vectors }) => vectors[at])), found = labelAccuracy(depths, some.map(({ line }) => line.label));
    if (!found) {
      this.accuracy.clear();
      fill(this.headline, [h("p", { class: "quiet" }, sentence("senses.no-labels"))]);
      return;
    }
    const last = found.right.length - 1, [low, high] = found.bounds[last];
    fill(this.headline, [
      h("p", {}, sentence("senses.said", { depth: layerName(last - 1), right: percent(found.right[last]), count: String(found.trials), low: percent(low), high: percent(high), chance: percent(Math.max(found.chance, found.commonest)) })),
      ...(found.alone ? [h("p", { class: "quiet" }, sentence("senses.alone", { count: String(found.alone) }))] : []),
    ]);
    await this.accuracy.show(accuracyLines(found));
  }

  /** The depth and the occurrence of the link. @param {number} layers @param {number} count */
  #at(layers, count) {
    const chosen = Number(this.state.q) - 1;
    return { depth: Math.max(0, layers - Number(this.state.d)), chosen: chosen < count ? chosen : null };
  }

  /** What is said of the depth that is shown, and of the chosen sentence. */
  #tell() {
    if (!this.#made) return;
    const { some, mapped: { shares } } = this.#made, { depth, chosen } = this.#at(shares.length - 1, some.length), name = depth ? layerName(depth - 1) : m("the table of learned vectors");
    fill(this.shares, [sentence("senses.shares", { share: percent(shares[depth]), depth: name })]);
    if (chosen === null) {
      fill(this.near, [h("p", { class: "quiet" }, sentence("senses.choose", { width: String(some[0].vectors[depth].length) }))]);
      return;
    }
    const row = (/** @type {number} */ i) => some[i].parts.map((part, at) => (at === 1 ? h("strong", {}, part) : part));
    fill(this.near, [
      h("p", {}, sentence("senses.nearest", { number: String(chosen + 1), depth: name }), " ", ...row(chosen)),
      h("ul", {}, ...nearestTo(some, chosen, depth).slice(0, NEAREST).map(({ i, cosine }) => h("li", {}, `${written(cosine, { digits: 3 })} `, ...(some[i].line.label ? [h("em", {}, label(some[i].line.label)), ": "] : []), ...row(i)))),
    ]);
  }

  /** @param {number} depth @param {number | null} chosen */
  #chosen(depth, chosen) {
    if (!this.#made) return;
    const layers = this.#made.mapped.coordinates.length - 1;
    this.change({ d: String(layers - depth), ...(chosen !== null && { q: String(chosen + 1) }) }, { redraws: false });
    this.#tell();
  }

  #elsewhere() {
    const { fields, state } = this, start = Object.fromEntries(fields.map((one) => [one.url, one.start]));
    const what = [...ELSEWHERE.filter(([url]) => state[url] !== start[url]).map(([, name]) => sentence(name)), ...(state.p === "file" ? [sentence("static.senses.file")] : [])];
    return [
      ...(this.models.isHere ? [] : [sentence("static.other-model")]), ...(what.length ? [sentence("static.heads.elsewhere", { what: listed(what) })] : []),
    ];
  }
}
