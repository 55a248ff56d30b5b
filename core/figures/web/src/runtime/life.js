// What every picture does in a page: new bytes, new colours, hover, what is said aloud, saving, leaving.
import { element, lookOf, unpack, watchLook } from "./shared.js";
import { svgShapes } from "../draw/scene.js";
import { frameIn } from "./frame.js";
import { pngOf, save, svgOf } from "./saving.js";

const living = new WeakMap();

/** Draws a picture into `root`, or new bytes into the picture that is there; returns its clean-up. */
export function live(root, bytes, emit, make) {
  let picture = living.get(root);
  if (!picture) living.set(root, (picture = make()));
  const turn = picture.show(bytes, emit);
  return () => {
    if (living.get(root) !== picture || picture.turn !== turn) return; // a later call has taken over
    living.delete(root);
    picture.remove();
  };
}

/**
 * A picture gives, for the thing `here` that the keys have reached (a cell, a mark):
 *   take(first)    after new bytes: what it needs of `header` and `values`; sets `here`
 *   paint(look)    paints what is not a shape; returns {shapes, area, bar, end}: `area` is the box that
 *                  hears the pointer and the keys, `bar` and `end` are where the buttons stand
 *   still(ratio)   what is saved, see runtime/saving.js
 *   under(event)   the thing under the pointer, or null
 *   next(event)    the thing that a key leads to, or null
 *   told(thing)    {parts, said, x, top, bottom}: its names and the words between, what follows them
 *   place()        puts the cursor at `here`
 * and may give `again`, `arrive` (drawn for the first time), `choose` and `hover`.
 */
export class Life {
  constructor(root, roledescription) {
    this.turn = 0;
    this.life = new AbortController();
    Object.assign(this, frameIn(root, roledescription));
    for (const [type, make] of [["png", pngOf], ["svg", svgOf]]) {
      this.on(this.buttons[type], "click", async () => save(await make(this), `${this.header.file}.${type}`));
    }
    for (const type of ["pointermove", "pointerdown"]) {
      this.on(this.area, type, (event) => this.plan && this.hover(this.under(event)));
    }
    this.on(this.area, "pointerleave", () => this.hide());
    this.on(this.area, "click", (event) => this.plan && this.choose(this.under(event)));
    this.on(this.area, "keydown", (event) => this.key(event));
    this.on(this.area, "focus", () => this.area.matches(":focus-visible") && this.say());
    this.on(this.area, "blur", () => this.hide());
    watchLook(() => this.draw(), this.life.signal);
    this.sized = new ResizeObserver(() => this.frame.clientWidth !== this.width && this.draw());
    this.sized.observe(this.frame);
  }

  on(node, type, act) {
    node.addEventListener(type, act, { signal: this.life.signal });
  }

  /** New bytes, or the same ones once more: a page that runs again is no reason to speak again. */
  show(bytes, emit) {
    const old = this.bytes;
    Object.assign(this, { bytes, emit, turn: this.turn + 1 });
    if (old && old.length === bytes.length && old.every((byte, i) => byte === bytes[i])) {
      this.again();
      if (this.width && JSON.stringify(lookOf(this.frame)) !== this.seen) this.draw();
      return this.turn;
    }
    const { header } = Object.assign(this, unpack(bytes));
    this.area.setAttribute("aria-label", header.sentence);
    this.frame.style.height = `${header.height}px`;
    this.hide();
    this.take(!old);
    this.draw();
    if (!old) this.arrive();
    else if (this.host.shadowRoot.activeElement === this.area) this.say();
    return this.turn;
  }

  again() {}

  arrive() {}

  /** Numbers to colours and places; the labels beside them. */
  draw() {
    const start = performance.now(), { frame } = this;
    this.width = frame.clientWidth;
    if (!this.width) return; // in a folded or hidden part of the page
    const look = lookOf(frame);
    this.seen = JSON.stringify(look);
    const plan = (this.plan = this.paint(look)), [left, top, width, height] = plan.area;
    Object.assign(this.area.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
    this.scene.replaceChildren(...svgShapes(plan.shapes));
    this.buttons.bar.style.top = `${plan.bar - 2}px`;
    this.buttons.bar.style.right = `${Math.max(0, this.width - plan.end)}px`;
    this.place();
    frame.dataset.drawn = String(Number(frame.dataset.drawn ?? 0) + 1);
    frame.dataset.ms = (performance.now() - start).toFixed(1);
  }

  hover(thing) {
    thing === null ? this.hide() : this.tell(thing);
  }

  /** The tooltip at a thing; a name that runs from right to left turns nothing around it. */
  tell(thing) {
    const { tip, width, plan } = this, { parts, said, x, top, bottom } = this.told(thing);
    tip.replaceChildren(...parts.map((part, i) =>
      i % 2 ? document.createTextNode(part) : element("bdi", {}, part)), `: ${said}`);
    tip.style.left = "0"; // so that it is as wide as it wants to be
    const over = top - tip.offsetHeight - 8; // or below, where it would hide the labels
    tip.style.left = `${Math.min(Math.max(0, x - tip.offsetWidth / 2), width - tip.offsetWidth)}px`;
    tip.style.top = `${over >= plan.area[1] ? over : bottom + 8}px`;
    tip.style.visibility = "visible";
  }

  hide() {
    this.tip.style.visibility = "hidden";
  }

  choose(thing) {
    if (thing === null) return;
    this.here = thing;
    this.place();
  }

  key(event) {
    if (event.altKey || event.metaKey || !this.plan) return;
    if (event.key === "Escape") this.hide();
    const there = this.next(event);
    if (there === null) return;
    event.preventDefault();
    this.here = there;
    this.place();
    this.say();
  }

  say() {
    if (!this.plan || this.here === null) return;
    this.tell(this.here);
    this.live.textContent = this.tip.textContent;
  }

  /** The numbers once more for those who do not see them; each row a list of texts. */
  tabulate(caption, names, rows) {
    const table = element("table");
    table.append(element("caption", {}, caption));
    const line = (tag, texts) => {
      const row = element("tr");
      row.append(...texts.map((text) => element(tag, tag === "th" ? { scope: "col" } : {}, text)));
      return row;
    };
    table.append(line("th", names), ...rows.map((texts) => line("td", texts)));
    this.table.replaceChildren(table);
  }

  remove() {
    this.life.abort();
    this.sized.disconnect();
    this.host.remove();
  }
}
