// What every picture does in a page: new numbers, new choices, new colours, hover, what is said aloud, saving,
// leaving.
import { element, lookOf, unpack, watchLook } from "./shared.js";
import { svgShapes } from "../draw/scene.js";
import { frameIn } from "./frame.js";
import { alike, fetched, messageOf } from "./message.js";
import { Report } from "./report.js";
import { pngOf, save, svgOf } from "./saving.js";

const living = new WeakMap();

/** Whether `own` has all parts of a state. */
const within = (state, own) => Object.entries(state).every(([name, value]) =>
  JSON.stringify(value) === JSON.stringify(own?.[name]));

/** Draws a picture into `root`, or what is new into the picture that is there; returns its clean-up. */
export function live(root, sent, emit, make) {
  let picture = living.get(root);
  if (!picture) living.set(root, (picture = make()));
  const turn = picture.show(sent, emit);
  return () => {
    if (living.get(root) !== picture || picture.turn !== turn) return; // a later call has taken over
    living.delete(root);
    picture.remove();
  };
}

/**
 * A picture gives, for the thing `here` that the keys have reached (a cell, a mark):
 *   take(first, takesState)  after new numbers: what it needs of `header` and `values`; sets `here`.
 *                  `takesState`: `header.state` is what is to be shown; else what a visitor has chosen stays
 *   paint(look)    paints what is not a shape; returns {shapes, area, bar, end}: `area` is the box that
 *                  hears the pointer and the keys, `bar` and `end` are where the buttons stand
 *   still(ratio)   what is saved, see runtime/saving.js
 *   under(event)   the thing under the pointer, or null
 *   next(event)    the thing that a key leads to, or null
 *   told(thing)    {parts, said, x, top, bottom}: its names and the words between, what follows them
 *   place()        puts the cursor at `here`
 * and may give `turnedTo(state)` (the page wants another choice of the same numbers), `arrive` (drawn for
 * the first time), `choose` and `hover`. What it has chosen is its `state`, which its `report` tells: it has the fields
 * of its `schema`, one of `STATES`.
 */
export class Life {
  schema = {};

  constructor(root, roledescription) {
    Object.assign(this, { root, turn: 0, message: null, events: [], life: new AbortController() });
    Object.assign(this, frameIn(root, roledescription));
    this.report = new Report(this);
    this.frame.style.display = "none"; // until its numbers have come
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

  /** What a page sends, see `messageOf`: with the same numbers as before, or with others. */
  show(sent, emit) {
    const message = messageOf(sent), { numbers, bytes } = message;
    Object.assign(this, { emit, wanted: message, turn: this.turn + 1 });
    if (alike(this.message, message)) this.again(message);
    else if (bytes) this.renew(message, bytes);
    else {
      // Meanwhile what was there stays; and what is chosen may become something else.
      fetched(numbers, () => this.emit("lost", { numbers })).then(
        (arrived) => this.wanted.numbers === numbers && !alike(this.message, this.wanted) && this.renew(this.wanted, arrived),
        () => this.fails(),
      );
    }
    return this.turn;
  }

  /** A page that runs again is no reason to speak again. */
  again(message) {
    Object.assign(this, { message, events: message.events ?? this.events });
    const { state } = message;
    if (this.report.takes(message) && state && !within(state, this.state)) this.turnedTo({ ...state });
    else if (this.width && JSON.stringify(lookOf(this.frame)) !== this.seen) this.draw();
  }

  renew(message, bytes) {
    if (this.life.signal.aborted) return;
    const first = !this.message;
    Object.assign(this, { message }, this.unpack(bytes));
    const { header } = this;
    this.events = message.events ?? header.events ?? [];
    if (message.state) Object.assign(header, { state: { ...message.state }, opens: message.opens });
    this.appears();
    this.area.setAttribute("aria-label", header.sentence);
    this.frame.style.height = `${header.height}px`;
    this.hide();
    this.take(first, this.report.takes(message));
    this.report.agreed ??= JSON.stringify(this.state);
    this.draw();
    if (first) this.arrive();
    else if (this.host.shadowRoot.activeElement === this.area) this.say();
  }

  unpack = unpack;

  /** In the room that was kept free for it. */
  appears() {
    this.root.querySelector(".room")?.remove();
    this.frame.style.display = "";
  }

  fails() {
    if (this.life.signal.aborted || this.message) return;
    this.appears();
    this.live.textContent = "The numbers of this picture did not arrive. Reload the page.";
    this.frame.prepend(element("p", { "aria-hidden": "true" }, this.live.textContent));
  }

  /** Another choice about the same numbers. */
  turnedTo(state) {
    this.header.state = state;
    this.take(false, true);
    this.draw();
  }

  arrive() {}

  /** Numbers to colours and places; the labels beside them. */
  draw() {
    if (!this.message) return;
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
