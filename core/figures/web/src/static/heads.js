// Heads in the folder: all heads of one text, one layer down to a product, or the mean of all; of MiniLM, or of SmolLM2.
/** @import { Trace } from "../engine/trace.js" */
/** @import { LayerState, OverviewState } from "../states" */
/** @import { House } from "./page.js" */
import { m } from "../runtime/language.js";
import { readable } from "../derive/compare.js";
import { completeLayer, layerOf, meanOf } from "../derive/layer.js";
import { overviewOf } from "../derive/overview.js";
import { listed, sentence } from "../derive/sentences.js";
import { h } from "./dom.js";
import { Drawn } from "./drawn.js";
import { FORGOTTEN, layerChosen, layerFields, overviewChosen, overviewFields } from "./layerlink.js";
import { Models } from "./models.js";
import { Page, textBox } from "./page.js";
import { Segments } from "./segments.js";

const ALL = "0", MEAN_OF_ALL = "mean";
/** What a link can ask for that is not here, and its value if it does not. */
const ELSEWHERE = /** @type {const} */ ({
  m2: "static.heads.second-model", t2: "static.heads.pair", u: "static.heads.words", c: "static.heads.mask", mk: "static.heads.masked",
  g: "static.heads.appended", ra: "static.heads.ranking", ro: "static.heads.roles", ab: "static.heads.ablation",
});

export class Heads extends Page {
  #layers = 6;
  /** The text that is shown. @type {Trace | null} */
  #trace = null;

  /** @param {House} house */
  constructor(house) {
    super(house, "heads", house.room);
    this.text = textBox(m("Text"), (text) => this.change({ t: text, ...FORGOTTEN }));
    this.layers = new Segments(m("Layer"), (value) => this.#choose(value));
    this.drawn = new Drawn(house.root, {
      state: (told) => this.#heard(told), head: ({ layer, head }) => this.#open(layer, head),
    });
    this.picture = h("div", {}, this.drawn.node);
    this.models = new Models(this);
    this.frame(this.models.label, this.text.label, this.models.node, this.layers.node, this.notes, this.picture);
    this.#segments();
  }

  follow() {
    this.models.follow();
    this.text.set(this.state.t);
    this.#segments();
  }

  without() {
    this.drawn.clear();
    this.say([]);
  }

  /** The layer that is shown: "0" for all heads, "mean", or its number from 1. */
  get layer() {
    const { l } = this.state;
    if (l === MEAN_OF_ALL) return l;
    return /^\d+$/.test(l) ? String(Math.min(Number(l), this.#layers)) : ALL;
  }

  /** @param {import("./room.js").Reads} model */
  async compute({ traceOf }) {
    const { state } = this, notes = this.#elsewhere();
    const trace = await readable(state.t, m("The text"), traceOf, notes);
    this.say(notes);
    if (!trace) {
      this.drawn.clear();
      return;
    }
    this.#layers = trace.layers;
    this.#trace = trace;
    this.#segments();
    const { layer } = this; // of as many as the model has
    this.picture.dataset.part = layer === ALL ? "all-heads" : layer === MEAN_OF_ALL ? "mean" : `layer-${Number(layer) - 1}`;
    if (layer === ALL) {
      const chosen = overviewChosen(state); // a sink is left out unless the link says otherwise
      await this.drawn.show(overviewOf(trace, trace.firstIsSink ? { ...chosen, special: state.s === "1" } : chosen));
    }
    else if (layer === MEAN_OF_ALL) await this.drawn.show(meanOf(trace, layerChosen(state)));
    else await this.drawn.show(layerOf(trace, Number(layer) - 1, layerChosen(state)));
  }

  #elsewhere() {
    const fields = new Map(this.fields.map((field) => [field.url, field.start]));
    const what = Object.entries(ELSEWHERE).filter(([url]) => this.state[url] !== fields.get(url)).map(([, name]) => sentence(name));
    return [
      ...(this.models.isHere ? [] : [sentence("static.other-model")]),
      ...(what.length ? [sentence("static.heads.elsewhere", { what: listed(what) })] : []),
    ];
  }

  /** @param {any} told */
  #heard(told) {
    const { layer } = this;
    if (layer === ALL) {
      const fields = overviewFields(/** @type {OverviewState} */ (told), this.state);
      if (this.#trace?.firstIsSink && told.special !== null) fields.s = told.special ? "1" : "";
      const special = fields.s !== undefined && fields.s !== this.state.s;
      this.change(fields, { redraws: special });
      return;
    }
    const { up, open, ...state } = told;
    const heads = this.#trace?.heads ?? 1, isMean = layer === MEAN_OF_ALL;
    const start = completeLayer(this.#trace?.firstIsSink ? { special: false } : {}, isMean ? 1 : heads, this.#trace?.n ?? 0);
    const fields = layerFields(/** @type {LayerState} */ (state), start);
    if (up) this.change({ ...fields, l: ALL }, { step: true }).then(() => this.#segments());
    else if (open) this.change(fields, { redraws: false }).then(() => this.#open(open.layer, open.head));
    else this.change(fields, { redraws: false });
  }

  /** One zoom level down: a head of a layer, both from 0. @param {number} layer @param {number} head */
  #open(layer, head) {
    this.change({ l: String(layer + 1), h: String(head + 1), r: "head" }, { step: true });
    this.#segments();
  }

  #segments() {
    const layers = Array.from({ length: this.#layers }, (_, i) => /** @type {[string, string]} */ ([String(i + 1), m("Layer {layer}", { layer: i + 1 })]));
    this.layers.show([[ALL, m("All heads")], ...layers, [MEAN_OF_ALL, m("Mean of all")]], this.state.l === undefined ? ALL : this.layer);
  }

  /** @param {string} value */
  #choose(value) {
    this.change({ l: value }, { step: true });
    this.#segments();
  }
}
