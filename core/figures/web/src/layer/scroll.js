// A list that is longer than its window: how far it is scrolled, and what is scrolled into view.
/** @import { LevelPlan } from "./types" */
import { element } from "../runtime/shared.js";

export class ScrolledList {
  top = 0;
  /** Whether the latest choice must be scrolled into view. */
  reveals = false;
  spacer = element("div");

  /**
   * @param {HTMLElement} area the window
   * @param {AbortSignal} signal aborted when it is removed
   * @param {() => void} scrolled called when a visitor has scrolled
   */
  constructor(area, signal, scrolled) {
    this.area = area;
    this.spacer.style.cssText = "pointer-events:none;width:1px";
    area.append(this.spacer);
    // The scrollbar may be transparent around a picture, and hide that the list continues.
    area.style.scrollbarColor = "color-mix(in srgb,currentColor 45%,transparent) transparent";
    area.addEventListener("scroll", () => {
      if (Math.abs(area.scrollTop - this.top) <= 1) return; // set by `drawn`
      this.top = area.scrollTop;
      scrolled();
    }, { signal });
  }

  /** Starts from the top again, with the choice in view. */
  anew() {
    this.top = 0;
    this.reveals = true;
  }

  /**
   * How far the list is scrolled, with a row in view if it has just been chosen.
   * @param {number} window the height of the visible part
   * @param {number} content the total height
   * @param {number} pitch of its rows
   * @param {number} row -1: none
   */
  within(window, content, pitch, row) {
    if (this.reveals && row >= 0) {
      const from = row * pitch, to = from + pitch;
      const near = 2 * pitch, middle = (from + to - window) / 2;
      if (from < this.top) this.top = from > this.top - near ? from - pitch : middle;
      if (to > this.top + window) this.top = to < this.top + window + near ? to - window + pitch : middle;
    }
    this.reveals = false;
    this.top = Math.max(0, Math.min(this.top, content - window));
    return this.top;
  }

  /** @param {LevelPlan} plan */
  drawn({ content = 0, area: [, , , height] }) {
    this.spacer.style.height = `${content}px`;
    this.area.style.overflowY = content > height + 1 ? "auto" : "hidden";
    if (Math.abs(this.area.scrollTop - this.top) > 1) this.area.scrollTop = this.top;
  }
}
