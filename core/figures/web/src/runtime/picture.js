// What every picture does in a page: new numbers, new choices, new colours, hover, announcements, saving, leaving.
/** @import { Emit, Header, Look, Message, AnyPicture, Plan, Root, Schema, Sent, State, Still, Tip, Unpacked, ValuesOf } from "../types" */
import { m } from "./language.js";
import { element, lookOf, unpack, watchLook } from "./shared.js";
import { svgShapes } from "../draw/scene.js";
import { frameIn } from "./frame.js";
import { later } from "./later.js";
import { alike, fetched, messageOf } from "./message.js";
import { Report } from "./report.js";
import { SaveMenu } from "./savemenu.js";

/** @type {WeakMap<Root, AnyPicture>} */
const living = new WeakMap();

/**
 * Whether `own` has all fields of a state.
 * @param {object} state
 * @param {State} own
 */
const within = (state, own) => {
  const has = new Map(Object.entries(own ?? {}));
  return Object.entries(state).every(([name, value]) => JSON.stringify(value) === JSON.stringify(has.get(name)));
};

/**
 * Draws a picture into `root`, or updates the picture there; returns its clean-up function, whose `made` makes
 * one of the files of its menu.
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 * @param {() => AnyPicture} make
 */
export function drawIn(root, sent, emit, make) {
  const picture = living.get(root) ?? make();
  living.set(root, picture);
  const turn = picture.show(sent, emit);
  const clean = () => {
    if (living.get(root) !== picture || picture.turn !== turn) return; // a later call has taken over
    living.delete(root);
    picture.remove();
  };
  return Object.assign(clean, { made: (/** @type {string} */ kind) => picture.saving.made(kind) });
}

/**
 * A picture of one kind overrides `take`, `paint`, `still`, `under`, `next`, `tipOf` and `place`, and may override
 * the rest. Its `state` holds the choices in it, and its `report` sends them to the page.
 * @template {Header<S>} H the header of its bytes
 * @template {State} S the choices in it
 * @template {{} | null} T a thing that can be pointed at (a cell, a mark); null where there may be none
 * @template {Plan} [P=Plan] the positions of all parts
 */
export class Picture {
  /** The fields of `state`: one of `STATES`. @type {Schema} */
  schema = {};
  /** @type {Message<S> | null} The message that is shown. */
  message = null;
  /** The height that the page wants, in pixels. */
  givenHeight = 0;
  /** @type {Message<S>} The last message; its numbers may still be on their way. */
  wanted = later();
  /** @type {readonly string[]} */
  events = [];
  /** @type {Emit} */
  emit = later();
  /** The number of messages received. */
  turn = 0;
  life = new AbortController();
  /** @type {H} */
  header = later();
  /** @type {ValuesOf<H>} */
  values = later();
  /** @type {S} */
  state = later();
  /** @type {T} The thing that the keys have reached. */
  here = later();
  /** @type {P} None before it is drawn. */
  plan = later();
  width = 0;
  /** The look with which it was last drawn, as JSON. */
  lookDrawn = "";
  /** @type {(bytes: Uint8Array) => Unpacked<H>} */
  unpack = unpack;

  /**
   * @param {Root} root
   * @param {string} roledescription
   */
  constructor(root, roledescription) {
    this.root = root;
    const parts = frameIn(root, roledescription);
    this.host = parts.host;
    this.shadow = parts.shadow;
    this.frame = parts.frame;
    this.scene = parts.scene;
    this.area = parts.area;
    this.cursor = parts.cursor;
    this.tip = parts.tip;
    this.keys = parts.keys;
    this.live = parts.live;
    this.table = parts.table;
    this.report = new Report(this);
    this.frame.style.display = "none"; // until its numbers have come
    this.saving = new SaveMenu(this, parts.save);
    for (const type of /** @type {const} */ (["pointermove", "pointerdown"])) {
      this.on(this.area, type, (event) => this.plan && this.hover(this.under(event)));
    }
    this.on(this.area, "pointerleave", () => this.hide());
    this.on(this.area, "click", (event) => this.plan && this.choose(this.under(event)));
    this.on(this.area, "keydown", (event) => this.key(event));
    this.on(this.area, "focus", () => this.area.matches(":focus-visible") && this.announce());
    this.on(this.area, "blur", () => this.hide());
    watchLook(() => this.draw(), this.life.signal);
    this.sized = new ResizeObserver(() => this.frame.clientWidth !== this.width && this.draw());
    this.sized.observe(this.frame);
  }

  /**
   * Listens for as long as the picture exists.
   * @template {keyof HTMLElementEventMap} K
   * @param {EventTarget} node
   * @param {K} type
   * @param {(event: HTMLElementEventMap[K]) => void} act
   */
  on(node, type, act) {
    // An `EventTarget` does not know which event comes by which name.
    node.addEventListener(type, /** @type {EventListener} */ (act), { signal: this.life.signal });
  }

  /**
   * Takes a message of the page (see `messageOf`), with the same numbers as before or with others.
   * @param {Sent<S>} sent
   * @param {Emit} emit
   */
  show(sent, emit) {
    const message = messageOf(sent), { numbers, bytes } = message;
    this.emit = emit;
    this.wanted = message;
    this.saving.offer(message.files);
    this.turn += 1;
    if (alike(this.message, message)) this.again(message);
    else if (bytes) this.renew(message, bytes);
    else if (numbers !== null) {
      // Until the new numbers arrive, the old picture stays, and the choices may change.
      fetched(numbers, () => this.emit("lost", { numbers })).then(
        (arrived) => this.wanted.numbers === numbers && !alike(this.message, this.wanted) && this.renew(this.wanted, arrived),
        () => this.fails(),
      );
    }
    return this.turn;
  }

  /**
   * A rerun of the page by itself does not repeat the announcement.
   * @param {Message<S>} message
   */
  again(message) {
    this.message = message;
    this.events = message.events ?? this.events;
    const { state, height } = message, resized = height !== null && height !== this.givenHeight;
    if (resized) this.givenHeight = height; // the page has larger letters now
    if (this.report.takes(message) && state && !within(state, this.state)) this.turnedTo({ ...state });
    else if (resized) this.takeAgain(false);
    else if (this.width && JSON.stringify(lookOf(this.frame)) !== this.lookDrawn) this.draw();
  }

  /**
   * @param {Message<S>} message
   * @param {Uint8Array} bytes
   */
  renew(message, bytes) {
    if (this.life.signal.aborted) return;
    const first = !this.message, { header, values } = this.unpack(bytes);
    this.message = message;
    this.header = header;
    this.values = values;
    this.givenHeight = header.height = message.height ?? header.height;
    this.events = message.events ?? header.events ?? [];
    if (message.state) {
      header.state = { ...message.state };
      header.autoplay = message.autoplay;
    }
    this.appears();
    this.area.setAttribute("aria-label", header.sentence);
    this.frame.style.height = `${header.height}px`;
    this.hide();
    this.take(first, this.report.takes(message));
    this.report.agreed ??= JSON.stringify(this.state);
    this.draw();
    if (first) this.arrive();
    else if (this.shadow.activeElement === this.area) this.announce();
  }

  /** Takes the room reserved for the picture. */
  appears() {
    this.root.querySelector(".room")?.remove();
    this.frame.style.display = "";
  }

  fails() {
    if (this.life.signal.aborted || this.message) return;
    this.appears();
    this.live.textContent = m("The numbers of this picture did not arrive. Reload the page.");
    this.frame.prepend(element("p", { "aria-hidden": "true" }, this.live.textContent));
  }

  /**
   * Shows another choice, with the same numbers.
   * @param {S & object} state
   */
  turnedTo(state) {
    this.header.state = state;
    this.takeAgain(true);
  }

  /** @param {boolean} takesState as `take` has it */
  takeAgain(takesState) {
    this.header.height = this.givenHeight; // it may have been drawn lower
    this.frame.style.height = `${this.givenHeight}px`;
    this.take(false, takesState);
    this.draw();
  }

  /**
   * Reads new numbers: the parts of `header` and `values` that it needs; sets `here`.
   * @param {boolean} _first
   * @param {boolean} _takesState whether `header.state` is shown; otherwise the visitor's choices stay
   */
  take(_first, _takesState) {
    throw notThere();
  }

  /**
   * Paints everything that is not a shape.
   * @param {Look} _look
   * @returns {P}
   */
  paint(_look) {
    throw notThere();
  }

  /**
   * The shapes to save.
   * @param {number} _ratio pixels of the file per pixel of the page; Infinity for a file without pixels
   * @returns {Still | Promise<Still>}
   */
  still(_ratio) {
    throw notThere();
  }

  /**
   * The thing under the pointer.
   * @param {MouseEvent} _event
   * @returns {T | null}
   */
  under(_event) {
    throw notThere();
  }

  /**
   * The thing that a key moves to; null for none.
   * @param {KeyboardEvent} _event
   * @returns {T | null}
   */
  next(_event) {
    throw notThere();
  }

  /**
   * The text of a thing's tooltip, and its position.
   * @param {NonNullable<T>} _thing
   * @returns {Tip}
   */
  tipOf(_thing) {
    throw notThere();
  }

  /** Puts the cursor at `here`. */
  place() {
    throw notThere();
  }

  /** Called after the first drawing. */
  arrive() {}

  /** Turns numbers into colours and positions, with their labels. */
  draw() {
    if (!this.message) return;
    const start = performance.now(), { frame } = this;
    this.width = frame.clientWidth;
    if (!this.width) return; // in a folded or hidden part of the page
    const look = lookOf(frame);
    this.lookDrawn = JSON.stringify(look);
    const plan = (this.plan = this.paint(look)), [left, top, width, height] = plan.area;
    Object.assign(this.area.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
    this.scene.replaceChildren(...svgShapes(plan.shapes));
    this.saving.bar.style.top = `${plan.bar - 2}px`;
    this.saving.bar.style.right = `${Math.max(0, this.width - plan.end)}px`;
    this.place();
    frame.dataset.drawn = String(Number(frame.dataset.drawn ?? 0) + 1);
    frame.dataset.ms = (performance.now() - start).toFixed(1);
  }

  /** @param {T | null} thing */
  hover(thing) {
    thing === null ? this.hide() : this.showTip(thing);
  }

  /**
   * The tooltip at a thing; a right-to-left name does not change the order of the text around it.
   * @param {NonNullable<T>} thing
   */
  showTip(thing) {
    const { tip, width, plan } = this, { parts, said, x, top, bottom } = this.tipOf(thing);
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

  /** @param {T | null} thing */
  choose(thing) {
    if (thing === null) return;
    this.here = thing;
    this.place();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.metaKey || !this.plan) return;
    if (event.key === "Escape") this.hide();
    const there = this.next(event);
    if (there === null) return;
    event.preventDefault();
    this.here = there;
    this.place();
    this.announce();
  }

  announce() {
    if (!this.plan || this.here === null) return;
    this.showTip(this.here);
    this.live.textContent = this.tip.textContent;
  }

  /**
   * Adds the numbers as a table for screen readers.
   * @param {string} caption
   * @param {readonly string[]} names
   * @param {readonly (readonly string[])[]} rows
   */
  tabulate(caption, names, rows) {
    const table = element("table");
    table.append(element("caption", {}, caption));
    /** @param {"th" | "td"} tag @param {readonly string[]} texts */
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

/** The error of a method that each kind of picture must override. */
export const notThere = () => new Error("A subclass of Picture must implement this.");
