// The picture of one layer's attention, from lines between all tokens down to the product of one query and one key.
// This file holds what all zoom levels share: the choices and their reports, the steps between levels, pointer
// and keys. Each level has a file, or a folder, for what it draws:
//
//   lines/      lines between two columns of tokens, in the colours of the heads
//   head.js     one head: its weights and scores as maps
//   token.js    one token of one head: its row as bars
//   product.js  one query with one key: q, k and their product
//
// These files support them:
//
//   attention.js  the arithmetic: any weight and any score, from what was sent
//   state.js      the choices, and the defaults
//   names.js      heads in words and in colours
//   scroll.js     a list that is longer than its window
//   controls.js   the controls above the picture
//   about.js      the captions below it: what its heads do, and which heads are similar
//   linked.js     what it shares with linked pictures
//   types.d.ts    what all zoom levels have in common
/** @import { LayerHeader } from "../headers" */
/** @import { LayerState } from "../states" */
/** @import { Box, Emit, Look, Root, Schema, Sent, Still } from "../types" */
/** @import { LevelPlan, LevelRoom, Thing, ZoomLevel } from "./types" */
import { m } from "../runtime/language.js";
import { showImage } from "../draw/cells.js";
import { cameFrom, leave, announceAt } from "../runtime/arrival.js";
import { later } from "../runtime/later.js";
import { drawIn, Picture } from "../runtime/picture.js";
import { STATES } from "../runtime/schema.js";
import { element, lookOf, penOf } from "../runtime/shared.js";
import { AboutHeads } from "./about.js";
import { Attention } from "./attention.js";
import { LayerControls } from "./controls.js";
import { HeadLevel } from "./head.js";
import { LinesLevel } from "./lines/level.js";
import { LinkedChoice } from "./linked.js";
import { ProductLevel } from "./product.js";
import { ScrolledList } from "./scroll.js";
import { LEVELS, chosenKey, chosenQuery, fitState, showsSpecial } from "./state.js";
import { TokenLevel } from "./token.js";

const MIN_HEIGHT = 260; // pixels
const QUIET = 250; // milliseconds without a change before the choice is reported

/** A canvas that remembers its current image, so that the image can be reused. */
export class LayerCanvas {
  node = element("canvas", { "aria-hidden": "true" });
  name = "";
  /** @type {?Attention} */
  of = null;

  /**
   * Whether it shows an image, identified by its name and its numbers.
   * @param {string} name @param {Attention} of
   */
  shows(name, of) {
    return this.name === name && this.of === of;
  }

  /** @param {ImageData} image @param {string} name @param {Attention} of */
  show(image, name, of) {
    showImage(this.node, image);
    this.name = name;
    this.of = of;
  }

  /**
   * A drawing context of this size in page pixels.
   * @param {number} width
   * @param {number} height
   * @param {number} ratio device pixels per page pixel
   */
  penFor(width, height, ratio) {
    const { node } = this, wide = Math.round(width * ratio), high = Math.round(height * ratio);
    if (node.width !== wide || node.height !== high) [node.width, node.height] = [wide, high];
    this.of = null;
    return penOf(node);
  }
}

/** @extends {Picture<LayerHeader, LayerState, ?Thing, LevelPlan>} */
export class Layer extends Picture {
  schema = /** @type {Schema} */ (STATES.layer);
  /** @type {LayerState} */
  state = later();
  /** @type {Attention} */
  attention = later();
  /** The thing under the pointer. @type {?Thing} */
  pointed = null;
  /** Whether all lines are shown although the keys point at something, after Escape. */
  #escaped = false;
  /** The largest permitted height. */
  most = 0;
  /** The animation frame of the next drawing; 0 for none. */
  #nextFrame = 0;
  /** Two, for a map of weights and one of scores. */
  canvases = [new LayerCanvas(), new LayerCanvas()];
  levels = {
    lines: new LinesLevel(this), head: new HeadLevel(this), token: new TokenLevel(this), product: new ProductLevel(this),
  };

  /** @param {Root} root */
  constructor(root) {
    super(root, m("attention of one layer"));
    this.frame.prepend(this.canvases[0].node);
    this.on(this.area, "dblclick", () => this.plan && this.down());
    this.controls = new LayerControls(this);
    this.scroll = new ScrolledList(this.area, this.life.signal, () => this.scrolled());
    // Frames around a cell in each of two maps, and around the thing under the pointer in a linked picture.
    this.twinMarks = [markBefore(this.tip), markBefore(this.tip)];
    this.linkedMark = markBefore(this.tip);
    this.linked = new LinkedChoice(this);
    this.about = new AboutHeads(this);
    this.on(this.area, "focus", () => {
      this.#escaped = false;
      this.drawSoon();
      this.linked.tell();
    });
    this.on(this.area, "blur", () => this.linked.tell());
  }

  /** @returns {ZoomLevel} */
  get level() {
    return this.levels[this.state.level];
  }

  /** The chosen query, which is always visible. */
  get query() {
    return chosenQuery(this.attention, this.state, this.header);
  }

  /** The chosen key; by default, the strongest one of the query. */
  get chosenKey() {
    return chosenKey(this.attention, this.state, this.header, this.query);
  }

  /** Whether the keyboard cursor is on `here`. */
  get focused() {
    return this.area.matches(":focus-visible") && !this.#escaped;
  }

  // --- Data and choices -------------------------------------------------------------------------------

  /** @param {boolean} first @param {boolean} takesState */
  take(first, takesState) {
    const { header } = this;
    this.width = this.frame.clientWidth;
    this.most = header.height;
    this.attention = new Attention(header, this.values);
    // Neither an answer from the page nor new numbers undo what a visitor has done since.
    if (takesState) this.state = { ...header.state };
    fitState(this.state, header);
    this.controls.fill();
    this.#stateChanged(first);
  }

  /** Changes the state: shown at once, reported to the page after a pause. @param {Partial<LayerState>} change */
  update(change) {
    this.#apply(change);
    this.draw();
    this.report.send(QUIET);
    this.linked.tell(change);
  }

  /** Takes over a state that the page requests. @param {LayerState} state */
  turnedTo(state) {
    this.follow(state);
  }

  /** Applies a change from the page, which need not be reported back. @param {Partial<LayerState>} change */
  follow(change) {
    this.#apply(change);
    this.scroll.reveals = true;
    this.draw();
  }

  /** @param {Partial<LayerState>} change */
  #apply(change) {
    const { level } = this;
    Object.assign(this.state, change);
    fitState(this.state, this.header);
    this.hide();
    this.#stateChanged(level !== this.level || "special" in change || "sort" in change);
  }

  /**
   * Updates everything but the picture from the state.
   * @param {boolean} anew whether to scroll a list to its top
   */
  #stateChanged(anew) {
    const { attention, state, level } = this, special = showsSpecial(state);
    if (attention.special !== special) attention.show(special);
    this.controls.set();
    this.about.set();
    this.here = level.here();
    this.area.setAttribute("aria-roledescription", level.role);
    this.describe();
    this.keys.textContent = `${level.keys} ${this.#levelKeys}`;
    this.frame.dataset.level = state.level;
    if (anew) this.scroll.anew();
    this.tabulate(...level.table());
  }

  describe() {
    this.area.setAttribute("aria-label", `${this.header.sentence} ${this.level.caption()}.`);
  }

  // --- Between zoom levels ----------------------------------------------------------------------------

  /** Whether there is a page that can show all heads. */
  get hasAbove() {
    return this.header.hasOverview && this.report.hears;
  }

  down() {
    Object.assign(this.state, this.level.deeper?.());
    this.#zoom(1);
  }

  /** @param {1 | -1} by */
  #zoom(by) {
    const at = LEVELS.indexOf(this.state.level) + by, level = LEVELS[at];
    if (at < 0 && this.hasAbove) this.up();
    if (!level) return;
    this.update({ level });
    if (this.area.matches(":focus-visible")) announceAt(this, this.where);
  }

  /** Back to all heads, with the cursor on the head that was open here. */
  up() {
    leave(this, { layer: this.header.layer, head: this.state.head });
    this.report.send(0, { up: true });
  }

  /** Takes the place of all heads, if a key has opened this picture. */
  arrive() {
    if (!cameFrom()) return;
    this.area.focus({ preventScroll: true });
    announceAt(this, this.where);
  }

  /** The actions of Enter and Backspace, in a sentence. */
  get #levelKeys() {
    const at = LEVELS.indexOf(this.state.level), back = at ? m("Backspace goes back to the previous one") : m("Backspace goes back to all heads");
    const on = at < LEVELS.length - 1 ? [m("Enter goes on to the next picture")] : [];
    return `${[...on, ...(at || this.hasAbove ? [back] : [])].join(", ")}.`;
  }

  /** The current level, and what it shows. */
  get where() {
    return `${this.controls.name}: ${this.level.caption()}.`;
  }

  // --- Drawing ----------------------------------------------------------------------------------------

  /** @param {Look} look */
  paint(look) {
    const plan = this.level.paint(look, this.#fit(look)), boxes = plan.canvases ?? [];
    const [first, second] = this.canvases.map(({ node }) => node);
    if (boxes.length < 2) second.remove();
    else if (!second.isConnected) first.after(second);
    first.hidden = !boxes.length;
    boxes.forEach((box, i) => put(this.canvases[i].node, box));
    return plan;
  }

  /** The space below the controls. @returns {LevelRoom} */
  room() {
    this.controls.fit(this.width);
    const top = this.controls.bar.offsetHeight + 8;
    return { top, width: this.width, height: this.header.height - top };
  }

  /** The height that the zoom level needs, regardless of the pointer. @param {Look} look @returns {LevelRoom} */
  #fit(look) {
    const { header, most, frame, level } = this, room = this.room(), { top } = room;
    const need = Math.ceil(top + level.need(look, { ...room, height: most - top }));
    header.height = Math.min(most, Math.max(level.none ? 0 : MIN_HEIGHT, need));
    frame.style.height = `${header.height}px`;
    return { ...room, height: header.height - top };
  }

  draw() {
    super.draw();
    if (this.width) this.scroll.drawn(this.plan);
  }

  /** Draws once, in the next frame. */
  drawSoon() {
    this.#nextFrame ||= requestAnimationFrame(() => {
      this.#nextFrame = 0;
      if (this.attention) this.draw();
    });
  }

  scrolled() {
    if (!this.plan) return;
    super.hide();
    this.drawSoon();
  }

  /** The current zoom level with its caption. @param {number} ratio @returns {Still} */
  still(ratio) {
    const look = lookOf(this.frame), still = this.level.still(look, this.room(), ratio), { size, ink } = look;
    const text = this.level.caption();
    return {
      ...still, look,
      shapes: [{ text, x: 0, y: size, size, bold: true, fill: ink, part: "caption" }, ...still.shapes],
    };
  }

  place() {
    const { level, here, linked, linkedMark } = this, beside = level.drawsPointed ? null : linked.thing;
    putOrHide(this.cursor, here && level.box(here));
    const box = beside && level.box(beside);
    putOrHide(linkedMark, box);
    if (beside && box) this.showTip(beside);
    this.#placeTwins();
  }

  /** Marks in both maps the thing under the pointer or the keyboard cursor. */
  #placeTwins() {
    const boxes = this.level.twins?.() ?? [];
    this.twinMarks.forEach((mark, i) => putOrHide(mark, boxes[i] ?? null));
  }

  // --- Pointer ----------------------------------------------------------------------------------------

  /** @param {MouseEvent} event */
  under({ clientX, clientY }) {
    const box = this.area.getBoundingClientRect();
    return this.level.under(clientX - box.left, clientY - box.top);
  }

  /** @param {Thing} thing */
  tipOf(thing) {
    return this.level.tipOf(thing);
  }

  /** @param {?Thing} thing */
  hover(thing) {
    if (JSON.stringify(thing) !== JSON.stringify(this.pointed)) this.#pointAt(thing);
    if (!this.level.drawsPointed) super.hover(thing);
  }

  hide() {
    super.hide();
    if (this.pointed !== null) this.#pointAt(null);
  }

  /** @param {?Thing} thing */
  #pointAt(thing) {
    this.pointed = thing;
    if (this.level.drawsPointed) this.drawSoon();
    else this.#placeTwins();
    this.linked.tell();
  }

  /** @param {?Thing} thing */
  choose(thing) {
    if (thing === null) return;
    this.here = thing;
    this.update(this.level.chosen(thing));
  }

  // --- Keys -------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    const { key, ctrlKey, altKey, metaKey } = event, plain = !(ctrlKey || altKey || metaKey);
    if (this.plan && plain && (key === "Enter" || key === "Backspace")) {
      if (key === "Enter") this.down();
      else this.#zoom(-1);
      event.preventDefault();
      return;
    }
    this.#escaped = key === "Escape";
    this.drawSoon();
    this.linked.tell();
    if (this.#escaped && this.state.pin) this.update({ pin: null });
    super.key(event);
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    const there = this.level.next(event);
    if (there === null) return null;
    const moved = this.level.moved(there);
    Object.assign(this.state, moved);
    this.here = there;
    this.scroll.reveals = true;
    this.#stateChanged(false);
    this.draw();
    this.report.send(QUIET);
    this.linked.tell(moved);
    return there;
  }

  announce() {
    super.announce();
    if (this.level.drawsPointed) {
      this.tip.style.visibility = "hidden";
      this.drawSoon();
    }
  }

  remove() {
    this.linked.remove();
    cancelAnimationFrame(this.#nextFrame);
    super.remove();
  }
}

/** A frame around a thing away from the keyboard cursor. @param {HTMLElement} tip drawn above it */
function markBefore(tip) {
  const mark = element("div", { class: "cursor", "aria-hidden": "true" });
  mark.style.cssText = "display:block;visibility:hidden";
  tip.before(mark);
  return mark;
}

/** @param {HTMLElement} node @param {Box} box */
function put({ style }, box) {
  [style.left, style.top, style.width, style.height] = box.map((x) => `${x}px`);
}

/** @param {HTMLElement} node @param {?Box} box */
function putOrHide(node, box) {
  node.style.visibility = box ? "visible" : "hidden";
  if (box) put(node, box);
}

/**
 * @param {Root} root
 * @param {Sent} data
 * @param {Emit} emit
 */
export function render(root, data, emit) {
  return drawIn(root, data, emit, () => new Layer(root));
}
