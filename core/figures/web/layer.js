// One layer on one payload: lines between tokens, one head, one token's row, one product.
import { element, lookOf } from "./shared.js";
import { Bonds } from "./bonds.js";
import { Exact } from "./exact.js";
import { HeadMap } from "./headmap.js";
import { LayerControls } from "./layercontrols.js";
import { fitting, keyOf, LADDER, queryOf } from "./layerstate.js";
import { live, Life } from "./life.js";
import { Product } from "./product.js";
import { Rows } from "./rows.js";

const QUIET = 250; // milliseconds without a change before the page hears of it

class Layer extends Life {
  constructor(root) {
    super(root, "attention of one layer");
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
    this.spacer = element("div");
    this.spacer.style.cssText = "pointer-events:none;width:1px";
    this.area.append(this.spacer);
    this.controls = new LayerControls(this);
    const [lines, head, token, product] = [Bonds, HeadMap, Rows, Product].map((kind) => new kind(this));
    this.rungs = { lines, head, token, product };
    Object.assign(this, { top: 0, lit: null, quiet: false, awaited: [] });
    this.on(this.area, "scroll", () => this.scrolled());
    this.on(this.area, "dblclick", () => this.plan && this.deeper());
    this.on(this.area, "focus", () => {
      this.quiet = false;
      this.soon();
    });
  }

  get rung() {
    return this.rungs[this.state.rung];
  }

  /** The query that is chosen: always one that is shown. */
  get query() {
    return queryOf(this);
  }

  /** The key that is chosen; if none was, the strongest of the query. */
  get chosenKey() {
    return keyOf(this);
  }

  take(first) {
    const { header, values } = this, asked = JSON.stringify(header.state);
    this.exact = new Exact(header, values);
    const echo = this.awaited.lastIndexOf(asked);
    this.awaited = this.awaited.slice(echo + 1);
    // What a visitor has done since is not turned back by an answer to it, nor by new numbers alone.
    if (first || (asked !== this.asked && echo < 0)) this.state = { ...header.state };
    this.asked = asked;
    fitting(this.state, header);
    this.controls.fill();
    this.turned(first);
  }

  /** A change of the state: shown at once, told to the page when it has come to rest. */
  go(change) {
    const { rung } = this;
    Object.assign(this.state, change);
    this.hide();
    this.turned(rung !== this.rung || "special" in change || "sort" in change);
    this.draw();
    this.report();
  }

  report() {
    clearTimeout(this.waiting);
    if (!(this.header.events ?? []).includes("state")) return;
    this.waiting = setTimeout(() => {
      this.awaited.push(JSON.stringify(this.state));
      this.emit("state", { ...this.state });
    }, QUIET);
  }

  /** Everything but the picture follows the state. */
  turned(anew) {
    const { exact, state, header } = this;
    if ((exact.special_shown ?? true) !== state.special) exact.show(state.special);
    exact.special_shown = state.special;
    this.controls.set();
    this.here = this.rung.here();
    this.area.setAttribute("aria-roledescription", this.rung.kind);
    this.area.setAttribute("aria-label", `${header.sentence} ${this.rung.caption()}.`);
    this.keys.textContent = `${this.rung.keys} Enter goes on to the next picture, `
      + "Backspace back to the last.";
    this.frame.dataset.rung = state.rung;
    if (anew) [this.top, this.reveals] = [0, true];
    this.tabulate(...this.rung.table());
  }

  paint(look) {
    const plan = this.rung.paint(look, this.room());
    this.canvas.hidden = !plan.canvas;
    if (plan.canvas) {
      const [left, top, width, height] = plan.canvas.map((x) => `${x}px`);
      Object.assign(this.canvas.style, { left, top, width, height });
    }
    return plan;
  }

  room() {
    this.controls.narrow(this.width < 480);
    const top = this.controls.bar.offsetHeight + 8;
    return { top, width: this.width, height: this.header.height - top };
  }

  /** How far a list that is longer than its window is scrolled. */
  within(window, content, pitch, at) {
    if (this.reveals && at >= 0) {
      const from = at * pitch, to = from + pitch;
      const near = 2 * pitch, middle = (from + to - window) / 2;
      if (from < this.top) this.top = from > this.top - near ? from - pitch : middle;
      if (to > this.top + window) this.top = to < this.top + window + near ? to - window + pitch
        : middle;
    }
    this.reveals = false;
    this.top = Math.max(0, Math.min(this.top, content - window));
    return this.top;
  }

  draw() {
    super.draw();
    if (!this.width) return;
    const { area, spacer, plan } = this, content = plan.content ?? 0;
    spacer.style.height = `${content}px`;
    area.style.overflowY = content > plan.area[3] + 1 ? "auto" : "hidden";
    if (Math.abs(area.scrollTop - this.top) > 1) area.scrollTop = this.top;
  }

  scrolled() {
    if (!this.plan || Math.abs(this.area.scrollTop - this.top) <= 1) return;
    this.top = this.area.scrollTop;
    super.hide();
    this.soon();
  }

  /** Draws in the next frame, once. */
  soon() {
    this.coming ??= requestAnimationFrame(() => {
      this.coming = null;
      if (this.exact) this.draw();
    });
  }

  still(ratio) {
    const look = lookOf(this.frame), room = this.room(), saved = this.rung.still(look, room, ratio);
    const caption = {
      text: this.rung.caption(), x: 0, y: look.size, size: look.size, bold: true, fill: look.ink,
        part: "caption",
    };
    return { look, ...saved, shapes: [caption, ...saved.shapes] };
  }

  under({ clientX, clientY }) {
    const box = this.area.getBoundingClientRect();
    return this.rung.under(clientX - box.left, clientY - box.top);
  }

  told = (thing) => this.rung.told(thing);

  hover(thing) {
    if (!this.rung.lights) return super.hover(thing);
    if (JSON.stringify(thing) === JSON.stringify(this.lit)) return;
    this.lit = thing;
    this.soon();
  }

  hide() {
    super.hide();
    if (this.lit !== null) {
      this.lit = null;
      this.soon();
    }
  }

  choose(thing) {
    if (thing === null) return;
    this.here = thing;
    this.go(this.rung.chosen(thing));
  }

  key(event) {
    const up = event.key === "Backspace", plain = !(event.ctrlKey || event.altKey || event.metaKey);
    if (plain && this.plan && (event.key === "Enter" || up)) {
      event.preventDefault();
      if (up) this.climb(-1);
      else this.deeper();
      return;
    }
    this.quiet = event.key === "Escape"; // all lines once more, though the picture has the focus
    this.soon();
    if (this.quiet && this.state.pin) this.go({ pin: null });
    super.key(event);
  }

  deeper() {
    Object.assign(this.state, this.rung.deeper?.() ?? {});
    this.climb(1);
  }

  climb(by) {
    const to = LADDER[LADDER.indexOf(this.state.rung) + by];
    if (!to) return;
    this.go({ rung: to });
    if (this.area.matches(":focus-visible")) this.say();
  }

  next(event) {
    const there = this.rung.next(event);
    if (there === null) return null;
    Object.assign(this.state, this.rung.moved(there));
    this.here = there;
    this.reveals = true;
    this.turned(false);
    this.draw();
    this.report();
    return there;
  }

  say() {
    super.say();
    if (this.rung.lights) {
      this.tip.style.visibility = "hidden";
      this.soon();
    }
  }

  place() {
    const box = this.here === null ? null : this.rung.box(this.here);
    this.cursor.style.visibility = box ? "visible" : "hidden";
    if (!box) return;
    const [left, top, width, height] = box.map((x) => `${x}px`);
    Object.assign(this.cursor.style, { left, top, width, height });
  }

  remove() {
    clearTimeout(this.waiting);
    cancelAnimationFrame(this.coming);
    super.remove();
  }
}

export function render(root, data, emit) {
  return live(root, data, emit, () => new Layer(root));
}
