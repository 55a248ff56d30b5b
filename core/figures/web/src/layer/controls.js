// What stands above the pictures of a layer: which of them, which heads, and how.
import { element, lookOf, written } from "../runtime/shared.js";
import { Choices, controlsIn, tokensIn } from "../runtime/choices.js";
import { isDashed } from "./headnames.js";
import { whenIdle } from "../runtime/idle.js";
import { STATES } from "../runtime/schema.js";
import { LEVELS, MEAN, showsSpecial } from "./state.js";

const TABS = { lines: "Lines", head: "One head", token: "One token", product: "One product" };
const ALL = "all";
const { view: { enum: VIEWS }, sort: { enum: SORTS } } = STATES.layer;

const LOOK = `.controls[data-narrow]{gap:.35em .6em}
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
  constructor(picture) {
    this.picture = picture;
    this.bar = controlsIn(picture);
    this.bar.before(element("style", {}, LOOK));
    const go = (change) => picture.go(change);
    this.tabs = new Choices(picture, "Pictures of this layer", (i) => go({ level: LEVELS[i] }),
      "tabs");
    this.up = element("button", { type: "button", class: "up", "aria-label": "Back to all heads" }, "↑");
    this.up.append(element("span", {}, " All heads"));
    picture.on(this.up, "click", () => picture.climb.up());
    const first = element("div", { class: "first" });
    first.append(this.up, this.tabs.bar);
    this.heads = new Choices(picture, "Heads", (i, event) => this.head(i, event), "heads");
    picture.on(this.heads.bar, "dblclick", () => this.alone());
    this.slider = element("input", { type: "range", min: "0", step: "1" });
    this.value = element("span", { class: "value", "aria-hidden": "true" });
    this.threshold = element("label", {});
    this.threshold.append(element("span", {}, "weights from"), this.slider, this.value);
    picture.on(this.slider, "input", () => go({ [this.least]: this.steps[Number(this.slider.value)] }));
    this.views = new Choices(picture, "Before or after softmax", (i) => go({ view: VIEWS[i] }));
    this.sorts = new Choices(picture, "Order", (i) => go({ sort: SORTS[i] }));
    this.query = tokensIn(picture, "query", "Query token",
      (i) => go({ query: i, key: picture.state.key }));
    this.key = tokensIn(picture, "key", "Key token", (i) => go({ key: i }));
    this.special = element("label", {});
    this.box = element("input", { type: "checkbox" });
    this.special.append(this.box, element("span", {}, "special tokens"));
    picture.on(this.box, "change", () => this.show(this.box.checked));
    this.bar.append(first, this.heads.bar, this.threshold, this.views.bar, this.sorts.bar,
      this.query.whole, this.key.whole, this.special);
  }

  /** The picture that is chosen, as its tab says it. */
  get name() {
    return this.names[LEVELS.indexOf(this.picture.state.level)];
  }

  /** Which threshold it is that can be moved: of all lines, or of those of a chosen token. */
  get least() {
    return this.picture.state.pin ? "alone" : "threshold";
  }

  /** What the buttons of the heads stand for, in their order. */
  get those() {
    const { state, exact: { present: heads } } = this.picture; // those that the layer has
    return [...heads, ...(heads.length > 1 ? [MEAN] : []), ...(state.level === "lines" ? [ALL] : [])];
  }

  /** A head is pressed: one of several in the lines, the only one elsewhere. */
  head(i, event) {
    const { state, exact: { present: all } } = this.picture, one = this.those[i];
    if (state.level !== "lines") return this.picture.go({ head: one });
    if (event.detail > 1) return; // the second press of two is `alone`
    const mean = state.on.includes(MEAN);
    if (one === ALL) {
      const head = state.head === MEAN ? all[0] : state.head;
      return this.picture.go({ on: state.on.length === all.length ? [] : all, head });
    }
    if (one === MEAN) return this.mean(mean, all);
    if (mean) return this.picture.go({ on: [one], head: one });
    const on = all.filter((head) => state.on.includes(head) !== (head === one));
    this.picture.go({ on, head: on.includes(one) ? one : state.head });
  }

  /** The mean alone; pressed once more, the heads that were there before. */
  mean(is, all) {
    const { on, head } = this.picture.state, known = (one) => all.includes(one);
    const back = this.before?.on.filter(known) ?? all;
    const one = known(this.before?.head) ? this.before.head : all[0];
    if (is) return this.picture.go({ on: back, head: one });
    this.before = { on, head };
    this.picture.go({ on: [MEAN], head: MEAN });
  }

  /** What is as usual for a picture is not chosen: the others may have another usual. */
  show(special) {
    const { state: { level } } = this.picture, usual = special === showsSpecial({ level });
    this.picture.go({ special: usual ? null : special });
  }

  alone() {
    const { state } = this.picture, one = this.those[this.heads.here];
    if (state.level === "lines" && one >= 0) this.picture.go({ on: [one], head: one });
  }

  fill() {
    const { header, climb } = this.picture;
    this.up.hidden = !climb.above;
    this.names = LEVELS.map((level) => (level === "head" && header.averaged ? "One map" : TABS[level]));
    this.tabs.fill(this.names.map((text) => ({ text })), "tabs");
    this.views.fill([{ text: "weights" }, { text: "scores", name: "scores before softmax" }], "one");
    this.sorts.fill([{ text: "by position" }, { text: "by size" }], "one");
    this.steps = header.thresholds;
    this.slider.max = String(this.steps.length - 1);
    this.tokens = null;
  }

  /** The controls say what the state is. */
  set() {
    const { state, header, frame, exact } = this.picture, { level } = state, lines = level === "lines";
    const colours = header.colours[lookOf(frame).dark ? "dark" : "light"];
    const { those } = this, full = state.on.length === exact.present.length;
    const button = (one) => {
      if (one === MEAN) return { text: "mean", name: "Mean over all heads" };
      if (one === ALL) return { text: full ? "none" : "all", name: full ? "No heads" : "All heads" };
      const colour = lines ? colours[one % colours.length] : null;
      return { text: String(one + 1), name: `Head ${one + 1}`, colour, dashed: lines && isDashed(one, header) };
    };
    this.heads.bar.hidden = header.averaged || header.kind === "none";
    this.heads.fill(those.map(button), lines ? "many" : "one");
    this.heads.set(lines ? new Set(state.on.map((one) => those.indexOf(one)))
      : those.indexOf(state.head));
    this.tabs.set(LEVELS.indexOf(level));
    this.threshold.hidden = !lines || header.kind === "none";
    const text = written(state[this.least], { digits: 2 });
    this.slider.value = String(this.steps.indexOf(state[this.least]));
    this.slider.setAttribute("aria-valuetext", text);
    this.value.textContent = text;
    this.views.set(VIEWS.indexOf(state.view));
    this.sorts.bar.hidden = level !== "token";
    this.sorts.set(SORTS.indexOf(state.sort));
    this.query.whole.hidden = level !== "token" && level !== "product";
    this.key.whole.hidden = level !== "product";
    this.special.hidden = !header.special.some((some) => some.length);
    this.box.checked = showsSpecial(state);
    this.choices();
  }

  /** The lists of tokens, only when they are needed: what is chosen at once, the others after that. */
  choices() {
    const { header, exact, query, chosenKey } = this.picture;
    if (this.query.whole.hidden) return;
    if (this.tokens !== exact.queries) {
      this.query.only(header.queries, query);
      this.key.only(header.keys, chosenKey);
      this.filling ??= whenIdle(() => this.fillTokens(), { timeout: 200 });
    }
    this.query.select.value = String(query);
    this.key.select.value = String(chosenKey);
  }

  /** A thousand lines in two lists take longer than one frame. */
  fillTokens() {
    const { header, exact } = this.picture;
    for (const [{ fill, select }, tokens, shown] of [[this.query, header.queries, exact.queries],
      [this.key, header.keys, exact.keys]]) {
      fill(tokens);
      const seen = new Set(shown);
      [...select.options].forEach((option, i) => { option.hidden = option.disabled = !seen.has(i); });
    }
    Object.assign(this, { filling: null, tokens: exact.queries });
    this.choices();
  }

  /** In a picture of such a width: little room, or room for weights and scores beside each other. */
  fit(width) {
    const { level, levels, state, exact } = this.picture, both = level === levels.head && level.both;
    this.bar.toggleAttribute("data-narrow", width < 480);
    this.views.bar.hidden = level !== levels.head || !exact.scores(state.head) || both;
    if (both !== this.both) this.picture.named();
    this.both = both;
  }
}
