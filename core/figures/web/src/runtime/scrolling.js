// A picture with more than it has room for: its area scrolls, and its plan draws what is in view.
/** @import { Header, Plan, Root, State, Tip } from "../types" */
import { element } from "./shared.js";
import { Picture } from "./picture.js";

/**
 * The layout of a part of something larger, in pixels.
 * @typedef {object} Part
 * @property {readonly [number, number]} content width and height of the whole
 * @property {readonly [number, number]} offset what is scrolled out of view on the left and above
 * @property {number} high the height of the picture, which chooses it itself
 */
/** @typedef {Plan & Part} PartPlan */

/** What has been asked of the layout. @typedef {{ left: number, top: number, reveal: number | null }} View */

const LONGEST = 60; // signs of a name

/**
 * A name short enough for a tooltip: its beginning, or its end.
 * @param {string} name @param {boolean} [end] whether its end stays
 */
export function shortened(name, end = false) {
  const signs = [...name];
  if (signs.length <= LONGEST) return name;
  return end ? `…${signs.slice(-LONGEST).join("")}` : `${signs.slice(0, LONGEST).join("")}…`;
}

/**
 * A thing is an index, which the page may choose by `header.chosen`, and hears of as "bar".
 * @template {Header<S> & { chosen: number | null }} H
 * @template {State} S
 * @template {PartPlan} P
 * @extends {Picture<H, S, number | null, P>}
 */
export class Scrolling extends Picture {
  /** @type {number | null} */
  here = 0;
  left = 0;
  top = 0;
  /** Whether to scroll `here` into view at the next drawing. */
  reveals = false;
  /** Whether the page listens for a choice. */
  choosing = false;
  /** @type {number | null} */
  framed = null;
  /** The animation frame that will draw what was scrolled to; 0 for none. */
  frameAsked = 0;

  /** @param {Root} root @param {string} roledescription */
  constructor(root, roledescription) {
    super(root, roledescription);
    this.spacer = element("div");
    this.spacer.style.cssText = "pointer-events:none";
    this.area.style.direction = "ltr"; // offsets count from the left on any page
    this.area.append(this.spacer);
    this.on(this.area, "scroll", () => this.scrolled());
  }

  /** Begins at the chosen thing, and goes there if another is chosen. @param {boolean} first @param {number} count */
  begin(first, count) {
    const { chosen } = this.header;
    this.choosing = this.events.includes("bar");
    this.area.toggleAttribute("data-picks", this.choosing);
    if (first || this.here === null || this.here >= count || (chosen !== null && chosen !== this.framed)) {
      this.here = chosen ?? 0;
      this.reveals = true;
    }
    this.framed = chosen;
  }

  /** @returns {View} */
  get view() {
    return { left: this.left, top: this.top, reveal: this.reveals ? this.here : null };
  }

  draw() {
    super.draw();
    if (!this.width || !this.plan) return;
    const { area, spacer, plan: { content: [wide, high], offset: [left, top], area: [, , width, height] } } = this;
    const across = wide > width + 0.5, down = high > height + 0.5;
    spacer.style.width = across ? `${wide}px` : "1px";
    spacer.style.height = down ? `${high}px` : "0";
    area.style.overflow = `${across ? "auto" : "hidden"} ${down ? "auto" : "hidden"}`;
    this.reveals = false;
    [this.left, this.top] = [left, top];
    if (Math.abs(area.scrollTop - top) > 1) area.scrollTop = top;
    if (Math.abs(area.scrollLeft - left) > 1) area.scrollLeft = left;
  }

  /** Takes the height that a layout needs. @template {PartPlan} Q @param {Q} plan */
  taking(plan) {
    this.header.height = plan.high;
    this.frame.style.height = `${plan.high}px`;
    return plan;
  }

  scrolled() {
    const { area } = this;
    if (!this.plan || (Math.abs(area.scrollTop - this.top) <= 1 && Math.abs(area.scrollLeft - this.left) <= 1)) return;
    [this.left, this.top] = [area.scrollLeft, area.scrollTop];
    this.hide();
    this.frameAsked ||= requestAnimationFrame(() => {
      this.frameAsked = 0;
      this.draw();
    });
  }

  /** A place of the pointer in the picture. @param {MouseEvent} event @returns {[number, number]} */
  placeOf({ clientX, clientY }) {
    const { left, top } = this.frame.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  /** There may be no room below the last line. @param {number} i */
  showTip(i) {
    super.showTip(i);
    const { tip, header } = this, lowest = header.height - tip.offsetHeight;
    if (tip.offsetTop > lowest) tip.style.top = `${Math.max(0, lowest)}px`;
  }

  announce() {
    if (this.plan && this.here !== null) {
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
    if (this.choosing && this.here !== null) this.emit("bar", { index: this.here });
  }

  /** Whether a key chooses. @param {KeyboardEvent} event */
  picks({ key }) {
    if (key !== "Enter" || !this.choosing) return false;
    this.pick();
    return true;
  }

  /** @param {Tip} tip @returns {Tip} the tip, inside the picture */
  inView(tip) {
    const { area: [left, , width] } = this.plan;
    return { ...tip, x: Math.max(left, Math.min(left + width, tip.x)) };
  }

  remove() {
    cancelAnimationFrame(this.frameAsked);
    super.remove();
  }
}
