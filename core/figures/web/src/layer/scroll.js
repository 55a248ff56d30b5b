// A list in a picture of a layer that is longer than its window.
import { element } from "../runtime/shared.js";

export class LayerScroll {
  constructor(picture) {
    Object.assign(this, { picture, top: 0, reveals: false });
    this.spacer = element("div");
    this.spacer.style.cssText = "pointer-events:none;width:1px";
    picture.area.append(this.spacer);
    // Around us it may be as clear as paper, and nobody would see that the list goes on.
    picture.area.style.scrollbarColor = "color-mix(in srgb,currentColor 45%,transparent) transparent";
    picture.on(picture.area, "scroll", () => this.scrolled());
  }

  /** From the top again; what is chosen is brought into sight. */
  anew() {
    [this.top, this.reveals] = [0, true];
  }

  /** How far the list is scrolled, with the row `at` in sight if that has just been chosen. */
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

  drawn() {
    const { area, plan } = this.picture, content = plan.content ?? 0;
    this.spacer.style.height = `${content}px`;
    area.style.overflowY = content > plan.area[3] + 1 ? "auto" : "hidden";
    if (Math.abs(area.scrollTop - this.top) > 1) area.scrollTop = this.top;
  }

  scrolled() {
    const { picture } = this, { scrollTop } = picture.area;
    if (!picture.plan || Math.abs(scrollTop - this.top) <= 1) return;
    this.top = scrollTop;
    picture.scrolled();
  }
}
