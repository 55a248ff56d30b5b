// One layer on one payload: lines between tokens, one head, one token's row, one product.
import { element, lookOf } from "../runtime/shared.js";
import { Bonds } from "./bonds.js";
import { Exact } from "./exact.js";
import { HeadMap } from "./headmap.js";
import { LayerAbout } from "./about.js";
import { LayerBeside, put } from "./beside.js";
import { LayerClimb } from "./climb.js";
import { LayerControls } from "./controls.js";
import { LayerLink } from "./shared_choice.js";
import { LayerScroll } from "./scroll.js";
import { fitting, keyOf, queryOf, showsSpecial } from "./state.js";
import { live, Life } from "../runtime/life.js";
import { STATES } from "../runtime/schema.js";
import { Product } from "./product.js";
import { Rows } from "./rows.js";

const QUIET = 250; // milliseconds without a change before the page is told

class Layer extends Life {
  schema = STATES.layer;

  constructor(root) {
    super(root, "attention of one layer");
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
    this.climb = new LayerClimb(this);
    this.controls = new LayerControls(this);
    this.scroll = new LayerScroll(this);
    this.beside = new LayerBeside(this);
    this.link = new LayerLink(this);
    this.about = new LayerAbout(this);
    const [lines, head, token, product] = [Bonds, HeadMap, Rows, Product].map((kind) => new kind(this));
    Object.assign(this, { levels: { lines, head, token, product }, lit: null, quiet: false });
    this.on(this.area, "focus", () => {
      this.quiet = false;
      this.soon();
      this.link.tell();
    });
    this.on(this.area, "blur", () => this.link.tell());
  }

  get level() {
    return this.levels[this.state.level];
  }

  /** The query that is chosen: always one that is shown. */
  get query() {
    return queryOf(this);
  }

  /** The key that is chosen; if none was, the strongest of the query. */
  get chosenKey() {
    return keyOf(this);
  }

  /** Whether the keys point at `here`. */
  get focused() {
    return this.area.matches(":focus-visible") && !this.quiet;
  }

  take(first, takesState) {
    const { header, values } = this;
    this.width = this.frame.clientWidth;
    this.most = header.height;
    this.exact = new Exact(header, values);
    // What a visitor has done since is not turned back by an answer to it, nor by new numbers alone.
    if (takesState) this.state = { ...header.state };
    fitting(this.state, header);
    this.controls.fill();
    this.turned(first);
  }

  /** A change of the state: shown at once, told to the page when it has come to rest. */
  go(change) {
    this.follow(change, true);
    this.link.tell(change);
  }

  /** The page wants another choice. */
  turnedTo(state) {
    this.follow(state);
  }

  /** The same from a picture beside this one: the page hears of it from that one. */
  follow(change, own = false) {
    const { level } = this;
    Object.assign(this.state, change);
    fitting(this.state, this.header);
    this.hide();
    this.turned(level !== this.level || "special" in change || "sort" in change);
    this.scroll.reveals ||= !own;
    this.draw();
    if (own) this.report.tell(QUIET);
  }

  /** Everything but the picture follows the state. */
  turned(anew) {
    const { exact, state, header } = this;
    const special = showsSpecial(state);
    if ((exact.special_shown ?? true) !== special) exact.show(special);
    exact.special_shown = special;
    this.controls.set();
    this.about.set();
    this.here = this.level.here();
    this.area.setAttribute("aria-roledescription", this.level.kind);
    this.named();
    this.keys.textContent = `${this.level.keys} ${this.climb.keys}`;
    this.frame.dataset.level = state.level;
    if (anew) this.scroll.anew();
    this.tabulate(...this.level.table());
  }

  named() {
    this.area.setAttribute("aria-label", `${this.header.sentence} ${this.level.caption()}.`);
  }

  paint(look) {
    const plan = this.level.paint(look, this.fit(look));
    this.beside.place(plan.canvases ?? []);
    return plan;
  }

  room() {
    this.controls.fit(this.width);
    const top = this.controls.bar.offsetHeight + 8;
    return { top, width: this.width, height: this.header.height - top };
  }

  /** As high as the zoom level needs, whatever is pointed at. */
  fit(look) {
    const { header, most, frame } = this, room = this.room(), { top } = room;
    const need = Math.ceil(top + this.level.need(look, { ...room, height: most - top }));
    const least = this.level.none ? 0 : header.least;
    header.height = Math.min(most, Math.max(least, need));
    frame.style.height = `${header.height}px`;
    return { ...room, height: header.height - top };
  }

  draw() {
    super.draw();
    if (this.width) this.scroll.drawn();
  }

  scrolled() {
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
    const look = lookOf(this.frame), room = this.room(), saved = this.level.still(look, room, ratio);
    const { size, ink } = look, about = { size, bold: true, fill: ink, part: "caption" };
    const caption = { text: this.level.caption(), x: 0, y: size, ...about };
    return { look, ...saved, shapes: [caption, ...saved.shapes] };
  }

  under({ clientX, clientY }) {
    const box = this.area.getBoundingClientRect();
    return this.level.under(clientX - box.left, clientY - box.top);
  }

  told = (thing) => this.level.told(thing);

  hover(thing) {
    if (JSON.stringify(thing) !== JSON.stringify(this.lit)) this.light(thing);
    if (!this.level.lights) super.hover(thing);
  }

  hide() {
    super.hide();
    if (this.lit !== null) this.light(null);
  }

  light(thing) {
    this.lit = thing;
    if (this.level.lights) this.soon();
    else this.beside.mark();
    this.link.tell();
  }

  choose(thing) {
    if (thing === null) return;
    this.here = thing;
    this.go(this.level.chosen(thing));
  }

  key(event) {
    if (this.plan && this.climb.key(event)) return event.preventDefault();
    this.quiet = event.key === "Escape"; // all lines once more, though the picture has the focus
    this.soon();
    this.link.tell();
    if (this.quiet && this.state.pin) this.go({ pin: null });
    super.key(event);
  }

  arrive() {
    this.climb.arrive();
  }

  next(event) {
    const there = this.level.next(event);
    if (there === null) return null;
    const moved = this.level.moved(there);
    Object.assign(this.state, moved);
    this.here = there;
    this.scroll.reveals = true;
    this.turned(false);
    this.draw();
    this.report.tell(QUIET);
    this.link.tell(moved);
    return there;
  }

  say() {
    super.say();
    if (this.level.lights) {
      this.tip.style.visibility = "hidden";
      this.soon();
    }
  }

  place() {
    const { level, here, link } = this, lit = level.lights ? null : link.beside;
    for (const [frame, thing] of [[this.cursor, here], [link.mark, lit]]) {
      const box = thing && level.box(thing);
      frame.style.visibility = box ? "visible" : "hidden";
      if (!box) continue;
      put(frame, box);
      if (thing === lit) this.tell(thing);
    }
    this.beside.mark();
  }

  remove() {
    this.link.remove();
    cancelAnimationFrame(this.coming);
    super.remove();
  }
}

export function render(root, data, emit) {
  return live(root, data, emit, () => new Layer(root));
}
