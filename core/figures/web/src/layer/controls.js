// The controls above the picture of a layer: the zoom level, the heads, the tokens, and how they are drawn.
/** @import { LayerState } from "../states" */
/** @import { Layer } from "./layer.js" */
/** @import { LevelName } from "./types" */
import { m } from "../runtime/language.js";
import { Choices, controlsIn, tokensIn } from "../runtime/choices.js";
import { whenIdle } from "./idle.js";
import { STATES } from "../runtime/schema.js";
import { element, lookOf, written } from "../runtime/shared.js";
import { leftOut } from "../draw/leftout.js";
import { isDashed } from "./names.js";
import { LEVELS, MEAN, showsAll, showsSpecial } from "./state.js";

/** @type {() => Record<LevelName, string>} */
const tabs = () => ({ lines: m("Lines"), head: m("One head"), token: m("One token"), product: m("One product") });
const ALL = /** @type {const} */ ("all");
const VIEWS = /** @type {LayerState["view"][]} */ (STATES.layer.view.enum);
const SORTS = /** @type {LayerState["sort"][]} */ (STATES.layer.sort.enum);

const STYLE = `.controls[data-narrow]{gap:.35em .6em}
.controls[data-narrow] .tabs button{padding:.3em .4em;font-size:.95em}
.first{display:flex;align-items:flex-end;gap:.5em;width:100%;min-width:0}
.first .tabs{flex:1}
.first .up{flex:none;font-size:1em;padding:.2em .55em;opacity:1;margin-bottom:.2em}
.controls[data-narrow] .up span{display:none}
.controls[data-narrow] .heads{flex-wrap:wrap}
.controls[data-narrow] .heads button{padding:.2em .1em;min-width:1.8em}
.controls[data-narrow] input[type=range]{width:6em}
.controls select{width:9.5em}`;

export class LayerControls {
  /** The names of the tabs. @type {string[]} */
  #tabNames = [];
  /** The weights at the positions of the threshold slider. @type {readonly number[]} */
  #thresholds = [];
  /** The heads that drew lines before the mean was chosen. @type {?Pick<LayerState, "on" | "head">} */
  beforeMean = null;
  /** The queries for which the lists of tokens are filled. @type {?number[]} */
  #listed = null;
  /** Whether they are about to be filled. */
  #listing = false;
  /** Whether weights and scores were side by side when the width was last set. */
  both = false;

  /** @param {Layer} layer */
  constructor(layer) {
    this.layer = layer;
    this.bar = controlsIn(layer);
    this.bar.before(element("style", {}, STYLE));
    const update = (/** @type {Partial<LayerState>} */ change) => layer.update(change);
    this.tabs = new Choices(layer, m("Pictures of this layer"), (i) => update({ level: LEVELS[i] }), "tabs");
    this.up = element("button", { type: "button", class: "up", "aria-label": m("Back to all heads") }, "↑");
    this.up.append(element("span", {}, [" ", m("All heads")].join("")));
    layer.on(this.up, "click", () => layer.up());
    const first = element("div", { class: "first" });
    first.append(this.up, this.tabs.bar);
    this.heads = new Choices(layer, m("Heads"), (i, event) => this.#pressHead(i, event), "heads");
    layer.on(this.heads.bar, "dblclick", () => this.#onlyHead());
    this.slider = element("input", { type: "range", min: "0", step: "1" });
    this.value = element("span", { class: "value", "aria-hidden": "true" });
    this.threshold = element("label", {});
    this.threshold.append(element("span", {}, m("weights from")), this.slider, this.value);
    layer.on(this.slider, "input", () => update({ [this.#slides]: this.#thresholds[Number(this.slider.value)] }));
    this.views = new Choices(layer, m("Before or after softmax"), (i) => update({ view: VIEWS[i] }));
    this.sorts = new Choices(layer, m("Order"), (i) => update({ sort: SORTS[i] }));
    this.query = tokensIn(layer, m("query"), m("Query token"), (i) => update({ query: i, key: layer.state.key }));
    this.key = tokensIn(layer, m("key"), m("Key token"), (i) => update({ key: i }));
    const special = this.#tick("", (checked) => this.#showSpecial(checked));
    const all = this.#tick(m("all lines"), (checked) => this.#showAll(checked));
    this.special = special.label;
    this.checkbox = special.box;
    this.all = all.label;
    this.allBox = all.box;
    this.bar.append(first, this.heads.bar, this.threshold, this.all, this.views.bar, this.sorts.bar,
      this.query.whole, this.key.whole, this.special);
  }

  /** The name of the current tab. */
  get name() {
    return this.#tabNames[LEVELS.indexOf(this.layer.state.level)];
  }

  /**
   * Which threshold the slider moves: that of all lines, or that of the lines of a chosen token.
   * @returns {"threshold" | "alone"}
   */
  get #slides() {
    return this.layer.state.pin ? "alone" : "threshold";
  }

  /** The heads of the buttons, in order. */
  get headButtons() {
    const { state, attention: { present } } = this.layer;
    return [...present, ...(present.length > 1 ? [MEAN] : []), ...(state.level === "lines" ? [ALL] : [])];
  }

  /**
   * A head's button is pressed: in the lines, several can be active; elsewhere, only one.
   * @param {number} i @param {UIEvent} event
   */
  #pressHead(i, event) {
    const { layer, headButtons } = this, { state, attention: { present } } = layer, pressed = headButtons[i];
    if (pressed === ALL) {
      const head = state.head === MEAN ? present[0] : state.head;
      if (event.detail < 2) layer.update({ on: state.on.length === present.length ? [] : present, head });
      return;
    }
    if (state.level !== "lines") return layer.update({ head: pressed });
    if (event.detail > 1) return; // `onlyHead` handles a double click
    const mean = state.on.includes(MEAN);
    if (pressed === MEAN) return this.#pressMean(mean);
    if (mean) return layer.update({ on: [pressed], head: pressed });
    const on = present.filter((head) => state.on.includes(head) !== (head === pressed));
    layer.update({ on, head: on.includes(pressed) ? pressed : state.head });
  }

  /** Chooses the mean alone; pressed again, it restores the previous heads. @param {boolean} isMean */
  #pressMean(isMean) {
    const { layer, beforeMean } = this, { state: { on, head }, attention: { present } } = layer;
    if (isMean) {
      const before = beforeMean ?? { on: present, head: present[0] };
      return layer.update({
        on: before.on.filter((one) => present.includes(one)),
        head: present.includes(before.head) ? before.head : present[0],
      });
    }
    this.beforeMean = { on, head };
    layer.update({ on: [MEAN], head: MEAN });
  }

  /**
   * A box to tick, and its label around it.
   * @param {string} text @param {(checked: boolean) => void} act
   */
  #tick(text, act) {
    const label = element("label"), box = element("input", { type: "checkbox" });
    label.append(box, element("span", {}, text));
    this.layer.on(box, "change", () => act(box.checked));
    return { label, box };
  }

  /** What a threshold says by itself is stored as unset. @param {boolean} all */
  #showAll(all) {
    const { layer } = this, usual = all === showsAll({ ...layer.state, all: null }, layer.header);
    layer.update({ all: usual ? null : all });
  }

  /**
   * A zoom level's default is stored as unset, because other levels may have other defaults.
   * @param {boolean} special
   */
  #showSpecial(special) {
    const { state: { level } } = this.layer, usual = special === showsSpecial({ level, special: null });
    this.layer.update({ special: usual ? null : special });
  }

  /** Draws the lines of one head only. */
  #onlyHead() {
    const { state } = this.layer, head = this.headButtons[this.heads.here];
    if (state.level === "lines" && head !== ALL && head >= 0) this.layer.update({ on: [head], head });
  }

  /** Rebuilds the options after new numbers. */
  fill() {
    const { header } = this.layer;
    this.up.hidden = !this.layer.hasAbove;
    const names = tabs();
    this.#tabNames = LEVELS.map((level) => (level === "head" && header.isMean ? m("One map") : names[level]));
    this.tabs.fill(this.#tabNames.map((text) => ({ text })), "tabs");
    this.views.fill([{ text: m("weights") }, { text: m("scores"), name: m("scores before softmax") }], "one");
    this.sorts.fill([{ text: m("by position") }, { text: m("by size") }], "one");
    this.#thresholds = header.thresholds;
    this.slider.max = String(this.#thresholds.length - 1);
    this.#listed = null;
  }

  /** Makes the controls show the state. */
  set() {
    const { state, header } = this.layer, { level } = state, lines = level === "lines", threshold = state[this.#slides];
    this.#setHeads();
    this.tabs.set(LEVELS.indexOf(level));
    this.threshold.hidden = !lines || header.kind === "none";
    this.all.hidden = this.threshold.hidden || state.pin !== null;
    this.allBox.checked = showsAll(state, header);
    const text = written(threshold, { digits: 2 });
    this.slider.value = String(this.#thresholds.indexOf(threshold));
    this.slider.setAttribute("aria-valuetext", text);
    this.value.textContent = text;
    this.views.set(VIEWS.indexOf(state.view));
    this.sorts.bar.hidden = level !== "token";
    this.sorts.set(SORTS.indexOf(state.sort));
    this.query.whole.hidden = level !== "token" && level !== "product";
    this.key.whole.hidden = level !== "product";
    /** @type {Element} */ (this.special.lastElementChild).textContent = leftOut(header);
    this.special.hidden = !header.special.some((tokens) => tokens.length);
    this.checkbox.checked = showsSpecial(state);
    this.#setTokens();
  }

  /** In the lines, a head's button has the colour of its lines. */
  #setHeads() {
    const { state, header, frame, attention: { present } } = this.layer, { headButtons } = this;
    const lines = state.level === "lines", full = state.on.length === present.length;
    const colours = header.colours[lookOf(frame).dark ? "dark" : "light"];
    this.heads.bar.hidden = header.isMean || header.kind === "none";
    this.heads.fill(headButtons.map((one) => {
      if (one === MEAN) return { text: m("mean"), name: m("Mean over all heads") };
      if (one === ALL) return { text: full ? m("no head") : m("all"), name: full ? m("no head") : m("All heads") };
      const colour = lines ? colours[one % colours.length] : undefined;
      const { group = 1 } = header, shares = group > 1 ? m(", which shares its key and value with {count} others", { count: group - 1 }) : "";
      return { text: String(one + 1), name: m("Head {number}", { number: one + 1 }) + shares, colour, dashed: lines && isDashed(one, header),
        apart: one > 0 && group > 1 && one % group === 0 };
    }), lines ? "many" : "one");
    this.heads.set(lines ? new Set(state.on.map((one) => headButtons.indexOf(one))) : headButtons.indexOf(state.head));
  }

  /** The lists of tokens, filled only when needed: the chosen token at once, the others later. */
  #setTokens() {
    const { header, attention, query, chosenKey } = this.layer;
    if (this.query.whole.hidden) return;
    if (this.#listed !== attention.queries) {
      this.query.only(header.queries, query);
      this.key.only(header.keys, chosenKey);
      if (!this.#listing) whenIdle(() => this.#listTokens(), { timeout: 200 });
      this.#listing = true;
    }
    this.query.select.value = String(query);
    this.key.select.value = String(chosenKey);
  }

  /** A thousand entries in two lists take longer than one frame. */
  #listTokens() {
    const { header, attention: { queries, keys } } = this.layer;
    this.#listing = false;
    listIn(this.query, header.queries, queries);
    listIn(this.key, header.keys, keys);
    this.#listed = queries;
    this.#setTokens();
  }

  /**
   * Adapts to a picture of this width: little room, or room for weights and scores side by side.
   * @param {number} width
   */
  fit(width) {
    const { level, levels, state, attention } = this.layer, isHead = level === levels.head, both = isHead && levels.head.both;
    this.bar.toggleAttribute("data-narrow", width < 480);
    this.views.bar.hidden = !isHead || !attention.hasScores(state.head) || both;
    if (both !== this.both) this.layer.describe();
    this.both = both;
  }
}

/**
 * Lists all tokens, and hides those that are not visible.
 * @param {ReturnType<typeof tokensIn>} list
 * @param {readonly string[]} tokens
 * @param {number[]} shown
 */
function listIn({ fill, select }, tokens, shown) {
  fill(tokens);
  const isShown = new Set(shown);
  [...select.options].forEach((option, i) => { option.hidden = option.disabled = !isShown.has(i); });
}
