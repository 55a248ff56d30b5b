// A bar for each row of numbers; values are (rows), then as many others.
/** @import { Emit, Look, Root, Sent, Still, Tip } from "../types" */
/** @import { BarsHeader } from "../headers" */
/** @import { BarsPlan } from "./barsplan.js" */
import { m } from "../runtime/language.js";
import { element, grouped, lookOf } from "../runtime/shared.js";
import { barsPlan, precisely } from "./barsplan.js";
import { drawIn, Picture } from "../runtime/picture.js";
import { PAGE, largest, stepped } from "../draw/written.js";

const TABLE_ROWS = 20;

/** @extends {Picture<BarsHeader, undefined, number, BarsPlan>} */
class Bars extends Picture {
  here = 0;
  /** Pixels of rows scrolled out of view. */
  top = 0;
  /** @type {Float32Array | null} A second number for each row. */
  others = null;
  /** Whether the page listens for the chosen row. */
  choosing = false;
  /** Whether to scroll the row under the keyboard cursor into view. */
  reveals = false;
  /** @type {number | null} The framed row. */
  framed = null;
  /** The animation frame that will draw the scrolled rows; 0 for none. */
  frameAsked = 0;

  /** @param {Root} root */
  constructor(root) {
    super(root, m("bar chart"));
    this.spacer = element("div");
    this.spacer.style.cssText = "pointer-events:none;width:1px";
    this.area.append(this.spacer);
    this.on(this.area, "scroll", () => this.scrolled());
  }

  /** @param {boolean} first */
  take(first) {
    const { header, values } = this, count = header.labels.length;
    this.others = header.names && values.subarray(count);
    this.choosing = this.events.includes("bar");
    this.area.toggleAttribute("data-picks", this.choosing);
    this.keys.textContent = m("Up and Down, Home, End, Page Up and Page Down read the bars one by one.") + (this.choosing ? m(" Enter chooses.") : "");
    const anotherFramed = header.chosen !== null && header.chosen !== this.framed;
    if (first || this.here >= count || anotherFramed) {
      this.here = header.chosen ?? 0;
      this.reveals = true;
    }
    this.framed = header.chosen;
    this.tabulateRows();
  }

  tabulateRows() {
    const { header, values, others } = this, { labels, names, notes, unit } = header;
    const count = labels.length;
    const sizes = values.subarray(0, count).map((value, i) => Math.max(Math.abs(value), Math.abs(others?.[i] ?? 0)));
    const rows = largest(sizes, TABLE_ROWS).sort((a, b) => a - b);
    const noted = notes.some(Boolean), few = rows.length < count;
    this.tabulate(
      few ? m("The {count} strongest of {all} rows, {unit}", { count: rows.length, all: count, unit }) : m("All {count} rows, {unit}", { count, unit }),
      [m("word"), ...(names ?? [unit]), ...(noted ? [m("note")] : [])],
      rows.map((i) => [labels[i], ...this.exactly(i), ...(noted ? [notes[i]] : [])]),
    );
  }

  /**
   * The text of a row: its number, and the other one.
   * @param {number} i
   */
  exactly(i) {
    const { header, values, others } = this;
    const both = others ? [values[i], others[i]] : [values[i]];
    return both.map((value) => (header.kind === "counts" ? grouped(value) : precisely(value, header.number)));
  }

  /** @param {Look} look */
  paint(look) {
    return barsPlan(this, look, (window, content, pitch) => this.offset(window, content, pitch));
  }

  /** @returns {Still} */
  still() {
    const look = lookOf(this.frame);
    return { look, shapes: this.paint(look).shapes };
  }

  /**
   * How many pixels of rows are scrolled out of view, with the row under the keyboard cursor in view.
   * @param {number} window
   * @param {number} content
   * @param {number} pitch
   */
  offset(window, content, pitch) {
    if (this.reveals) {
      const from = this.here * pitch;
      this.top = Math.max(from + pitch - window, Math.min(this.top, from));
    }
    this.reveals = false;
    this.top = Math.max(0, Math.min(this.top, content - window));
    return this.top;
  }

  draw() {
    super.draw();
    if (!this.width) return;
    const { area, spacer, plan: { content, window } } = this, scrolls = content > window;
    spacer.style.height = scrolls ? `${content}px` : "0";
    area.style.overflowY = scrolls ? "auto" : "hidden";
    if (Math.abs(area.scrollTop - this.top) > 1) area.scrollTop = this.top;
  }

  scrolled() {
    if (!this.plan || Math.abs(this.area.scrollTop - this.top) <= 1) return;
    this.top = this.area.scrollTop;
    this.hide();
    this.frameAsked ||= requestAnimationFrame(() => {
      this.frameAsked = 0;
      this.draw();
    });
  }

  /**
   * @param {MouseEvent} event
   * @returns {number | null}
   */
  under({ clientY }) {
    const { pitch, offset } = this.plan, { labels } = this.header;
    const row = Math.floor((clientY - this.area.getBoundingClientRect().top + offset) / pitch);
    return row >= 0 && row < labels.length ? row : null;
  }

  /**
   * @param {number} i
   * @returns {Tip}
   */
  tipOf(i) {
    const { header, plan } = this, numbers = this.exactly(i), y = plan.middle(i), { names } = header;
    const said = names ? numbers.map((text, k) => `${names[k]} ${text}`) : numbers;
    if (header.notes[i]) said.push(`\u2068${header.notes[i]}\u2069`);
    return {
      parts: [header.labels[i]], said: said.join(", "), x: plan.x(this.values[i]),
      top: y - plan.pitch / 2, bottom: y + plan.pitch / 2,
    };
  }

  /**
   * Below the last of a few bars, there may be no room for the tooltip.
   * @param {number} i
   */
  showTip(i) {
    super.showTip(i);
    const { tip, header } = this, lowest = header.height - tip.offsetHeight;
    if (tip.offsetTop > lowest) tip.style.top = `${Math.max(0, lowest)}px`;
  }

  announce() {
    if (this.plan && !this.plan.holds(this.here)) {
      this.reveals = true;
      this.draw();
    }
    super.announce();
  }

  /** @param {number | null} i */
  choose(i) {
    super.choose(i);
    if (i !== null) this.pick();
  }

  pick() {
    if (this.choosing) this.emit("bar", { index: this.here });
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    if (event.key === "Enter" && this.choosing) {
      this.pick();
      return this.here;
    }
    return stepped(event, this.here, this.header.labels.length, PAGE);
  }

  /** The cursor around a row, clipped to the view. */
  place() {
    const box = this.plan.box(this.here);
    this.cursor.style.visibility = box ? "visible" : "hidden";
    if (!box) return;
    const [left, top, width, height] = box.map((x) => `${x}px`);
    Object.assign(this.cursor.style, { left, top, width, height });
  }

  remove() {
    cancelAnimationFrame(this.frameAsked);
    super.remove();
  }
}

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Bars(root));
}
