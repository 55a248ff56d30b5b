// What stands above the pictures of a layer: which of them, which heads, and how.
import { element, lookOf, written } from "./shared.js";
import { Choices, controlsIn, tokensIn } from "./choices.js";

const RUNGS = [["lines", "Lines"], ["head", "One head"], ["token", "One token"],
  ["product", "One product"]];
const VIEWS = ["weights", "scores"], SORTS = ["place", "size"];

const NARROW = `.controls[data-narrow]{gap:.35em .6em}
.controls[data-narrow] .tabs button{padding:.3em .4em;font-size:.95em}
.controls[data-narrow] .heads{flex-wrap:wrap}
.controls[data-narrow] .heads button{padding:.2em .1em;min-width:1.8em}
.controls[data-narrow] input[type=range]{width:6em}
.controls select{max-width:9.5em}`;

export class LayerControls {
  constructor(picture) {
    this.picture = picture;
    this.bar = controlsIn(picture);
    this.bar.before(element("style", {}, NARROW));
    const go = (change) => picture.go(change);
    this.tabs = new Choices(picture, "Pictures of this layer", (i) => go({ rung: RUNGS[i][0] }),
      "tabs");
    this.heads = new Choices(picture, "Heads", (i, event) => this.head(i, event), "heads");
    picture.on(this.heads.bar, "dblclick", () => this.alone());
    this.slider = element("input", { type: "range", min: "0", step: "1" });
    this.value = element("span", { class: "value", "aria-hidden": "true" });
    this.threshold = element("label", {});
    this.threshold.append(element("span", {}, "weights from"), this.slider, this.value);
    picture.on(this.slider, "input", () => go({ threshold: this.steps[Number(this.slider.value)] }));
    this.views = new Choices(picture, "Before or after softmax", (i) => go({ view: VIEWS[i] }));
    this.sorts = new Choices(picture, "Order", (i) => go({ sort: SORTS[i] }));
    this.query = tokensIn(picture, "looks", "Token that looks",
      (i) => go({ query: i, key: picture.state.key }));
    this.key = tokensIn(picture, "at", "Token that is looked at", (i) => go({ key: i }));
    this.special = element("label", {});
    this.box = element("input", { type: "checkbox" });
    this.special.append(this.box, element("span", {}, "special tokens"));
    picture.on(this.box, "change", () => go({ special: this.box.checked }));
    this.bar.append(this.tabs.bar, this.heads.bar, this.threshold, this.views.bar, this.sorts.bar,
      this.query.whole, this.key.whole, this.special);
  }

  /** A head is pressed: one of several in the lines, the only one elsewhere. */
  head(i, event) {
    const { state, header } = this.picture;
    if (state.rung !== "lines") return this.picture.go({ head: i });
    if (event.detail > 1) return; // the second press of two is `alone`
    const all = [...Array(header.heads).keys()];
    if (i === header.heads) return this.picture.go({ on: state.on.length === header.heads ? [] : all });
    const on = all.filter((head) => state.on.includes(head) !== (head === i));
    this.picture.go({ on, head: on.includes(i) ? i : state.head });
  }

  alone() {
    const { state, header } = this.picture, i = this.heads.here;
    if (state.rung === "lines" && i < header.heads) this.picture.go({ on: [i], head: i });
  }

  fill() {
    const { header } = this.picture;
    this.tabs.fill(RUNGS.map(([, text]) => ({ text })), "tabs");
    this.views.fill([{ text: "weights" }, { text: "scores", name: "scores before softmax" }], "one");
    this.sorts.fill([{ text: "by position" }, { text: "by size" }], "one");
    this.steps = header.thresholds;
    this.slider.max = String(this.steps.length - 1);
    this.tokens = null;
  }

  /** The controls say what the state is. */
  set() {
    const { state, header, exact, frame } = this.picture, { rung } = state, lines = rung === "lines";
    const colours = header.colours[lookOf(frame).dark ? "dark" : "light"];
    const patches = Array.from({ length: header.heads }, (_, i) =>
      ({ text: String(i + 1), name: `Head ${i + 1}`, colour: lines ? colours[i % colours.length]
        : null }));
    const full = state.on.length === header.heads;
    const all = { text: full ? "none" : "all", name: full ? "No heads" : "All heads" };
    this.heads.fill(lines ? [...patches, all] : patches, lines ? "many" : "one");
    this.heads.set(lines ? new Set(state.on) : state.head);
    this.tabs.set(RUNGS.findIndex(([name]) => name === rung));
    this.threshold.hidden = !lines;
    const step = this.steps.indexOf(state.threshold);
    const said = written(state.threshold, { digits: 2, bare: true });
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", said);
    this.value.textContent = said;
    this.views.bar.hidden = rung !== "head" || !exact.scored;
    this.views.set(VIEWS.indexOf(state.view));
    this.sorts.bar.hidden = rung !== "token";
    this.sorts.set(SORTS.indexOf(state.sort));
    this.query.whole.hidden = rung !== "token" && rung !== "product";
    this.key.whole.hidden = rung !== "product";
    this.special.hidden = !header.special.some((some) => some.length);
    this.box.checked = state.special;
    this.choices();
  }

  /** The lists of tokens, of those that are shown; only when they are needed. */
  choices() {
    const { header, exact, query, chosenKey } = this.picture;
    if (this.query.whole.hidden) return;
    if (this.tokens !== exact.queries) {
      const hide = (select, shown) => [...select.options].forEach((option, i) => {
        option.hidden = option.disabled = !shown.has(i);
      });
      this.query.fill(header.queries);
      this.key.fill(header.keys);
      hide(this.query.select, new Set(exact.queries));
      hide(this.key.select, new Set(exact.keys));
      this.tokens = exact.queries;
    }
    this.query.select.value = String(query);
    this.key.select.value = String(chosenKey);
  }

  narrow(is) {
    this.bar.toggleAttribute("data-narrow", is);
  }
}
