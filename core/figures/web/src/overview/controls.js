// The controls above all heads: attention to or from which token, and the order of the heads.
/** @import { OverviewState } from "../states" */
/** @import { OverviewHeader } from "../headers" */
/** @import { HeadOrder } from "./order.js" */
/** @import { Overview } from "./overview.js" */
import { m } from "../runtime/language.js";
import { STATES } from "../runtime/schema.js";
import { element, written } from "../runtime/shared.js";
import { leftOut } from "../draw/leftout.js";
import { Choices, controlsIn, tokensIn } from "../runtime/choices.js";

const CHIPS = 24; // up to so many tokens are shown side by side
const WAYS = /** @type {OverviewState["direction"][]} */ (STATES.overview.direction.enum);
const NARROW = 700; // pixels: in narrower pictures, patterns are a list
const ABOVE = 14; // pixels above each map in the order of a pattern
const CHOICES = 40; // pixels of a line of choices
const RESTED = 250; // milliseconds without a change before the slider is reported

const ORDERING = `
.order{display:flex;flex-wrap:wrap;align-items:center;gap:.35em .9em;width:100%;min-width:0}
.order .choices,.choices.long{flex-wrap:wrap;overflow:visible}
.order select{max-width:min(15em,100%)}
.order .from{white-space:nowrap}
.order input[type=range]{width:8em}
.order[data-narrow] input[type=range]{width:6em}
.order .count{font-variant-numeric:tabular-nums;white-space:nowrap}`;

export class OverviewControls {
  /** The selectable tokens when they were last shown. @type {readonly string[] | null} */
  tokens = null;

  /** @param {Overview} picture */
  constructor(picture) {
    this.picture = picture;
    this.bar = controlsIn(picture);
    this.bar.before(element("style", {}, ORDERING));
    /** @param {Partial<OverviewState>} change @param {number} [rest] */
    const go = (change, rest) => picture.go(change, rest);
    this.ways = new Choices(picture, m("Attention to or from the token"), (i) => go({ direction: WAYS[i] }));
    const token = (/** @type {number} */ i) => go({ token: i < 0 ? null : picture.positions[i] });
    this.chips = new Choices(picture, m("Token"), (i) => token(i - 1), "long");
    this.list = tokensIn(picture, m("Token"), m("Token"), token);
    this.special = element("label");
    this.box = element("input", { type: "checkbox" });
    this.named = element("span");
    this.special.append(this.box, this.named);
    picture.on(this.box, "change", () => go({ special: this.box.checked }));
    // The second row: a pattern, the kind of its scores, the threshold.
    const by = (/** @type {number} */ i) => go({ pattern: i ? i - 1 : null });
    this.order = element("div", { class: "order" });
    const label = element("span", { "aria-hidden": "true" }, m("heads in order of:")); // the choices already say it
    this.patterns = new Choices(picture, m("Heads in order of"), by);
    this.select = element("select", { "aria-label": m("Heads in order of") });
    picture.on(this.select, "change", () => by(this.select.selectedIndex));
    this.typical = new Choices(picture, m("Scores"), (i) => go({ typical: i === 1 }));
    this.slider = element("input", { type: "range", min: "0", max: "1", step: "0.05" });
    this.value = element("span", { class: "value", "aria-hidden": "true" });
    this.from = element("label", { class: "from" });
    this.from.append(element("span", {}, m("from {threshold}", { threshold: "" }).trim()), this.slider, this.value);
    picture.on(this.slider, "input", () => go({ threshold: Number(this.slider.value) }, RESTED));
    this.count = element("span", { class: "count" });
    this.order.append(label, this.patterns.bar, this.select, this.typical.bar, this.from, this.count);
    this.bar.append(this.ways.bar, this.special, this.chips.bar, this.list.whole, this.order);
  }

  fill() {
    const { tokens, patterns } = this.picture.header;
    this.tokens = null;
    if (tokens.length) this.ways.fill([{ text: m("attention to") }, { text: m("attention from") }], "one");
    if (!patterns) return;
    const all = [{ text: m("position") }, ...patterns.names.map((text) => ({ text }))];
    this.patterns.fill(all, "one");
    this.select.replaceChildren(...all.map(({ text }) => element("option", {}, text)));
    this.typical.fill([{ text: m("in this text") }, { text: m("usually") }], "one");
  }

  /** Makes the controls show the state. */
  set() {
    const { header, state, tokens, token, order } = this.picture, few = tokens.length <= CHIPS;
    this.ways.bar.hidden = !tokens.length;
    this.chips.bar.hidden = !tokens.length || !few;
    this.list.whole.hidden = few;
    this.special.hidden = state.special === null;
    this.box.checked = state.special === true;
    this.named.textContent = leftOut(header);
    this.order.hidden = !header.patterns;
    this.bar.hidden = !tokens.length && this.special.hidden && this.order.hidden;
    if (tokens.length) this.setTokens(tokens, token, few);
    if (header.patterns) this.setOrder(header, state, order);
  }

  /**
   * @param {readonly string[]} tokens
   * @param {number} token the chosen one; -1 for none
   * @param {boolean} few
   */
  setTokens(tokens, token, few) {
    if (this.tokens !== tokens) {
      if (few) this.chips.fill([{ text: m("all"), name: m("All tokens: maps") },
        ...tokens.map((text) => ({ text }))], "one");
      else this.list.fill(tokens, m("all: maps"));
    }
    this.tokens = tokens;
    if (few) this.chips.set(token + 1);
    this.list.select.value = String(token);
    this.ways.set(WAYS.indexOf(this.picture.state.direction));
  }

  /**
   * @param {OverviewHeader} header
   * @param {OverviewState} state
   * @param {HeadOrder} order
   */
  setOrder({ patterns }, { pattern, typical, threshold }, order) {
    const chosen = pattern === null ? 0 : pattern + 1;
    this.patterns.set(chosen);
    this.select.selectedIndex = chosen;
    this.typical.bar.hidden = !order.sorted || !patterns?.typical;
    this.typical.set(Number(typical));
    this.from.hidden = this.count.hidden = !order.sorted;
    const text = written(threshold, { digits: 2 });
    this.slider.value = String(threshold);
    this.slider.setAttribute("aria-valuetext", text);
    this.value.textContent = text;
    this.count.textContent = order.sorted ? order.countText : "";
  }

  /**
   * Sets the height that the page wants, or that the rows need in a narrow window, where choices take two
   * lines.
   */
  fit() {
    const { picture } = this, { header: { patterns, layers }, width, low } = picture;
    picture.most = low + (width < NARROW && patterns ? ABOVE * layers.length + CHOICES : 0);
  }

  /**
   * The height of everything in a picture of this width.
   * @param {number} width
   */
  height(width) {
    const narrow = width < NARROW;
    this.patterns.bar.hidden = narrow;
    this.select.hidden = !narrow;
    this.order.toggleAttribute("data-narrow", narrow);
    return this.bar.hidden ? 0 : this.bar.offsetHeight + 6;
  }
}
