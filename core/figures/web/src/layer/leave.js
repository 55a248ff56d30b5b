// What is done elsewhere on the page comes after what was chosen in the picture: the page hears that first.

const MOST_WAIT = 1500; // milliseconds that a click waits for the page, at most
const PAUSE = 60; // and after its answer, for what stands below the picture

export class LayerLeave {
  constructor(report) {
    const { picture } = report, { host, life: { signal } } = picture;
    Object.assign(this, { report, host, held: [] });
    picture.on(host, "pointerleave", () => report.now());
    // Buttons that are made anew lose the focus and have it again within the same task.
    picture.on(host, "focusout", () => setTimeout(() => {
      if (!signal.aborted && !host.matches(":focus-within")) report.now();
    }));
    const on = (type, act) => document.addEventListener(type, act, { capture: true, signal });
    on("pointerdown", (event) => this.outside(event) && report.now());
    on("click", (event) => this.click(event));
    signal.addEventListener("abort", () => this.later(0));
  }

  outside(event) {
    return !event.composedPath().includes(this.host);
  }

  /**
   * A finger, a screen reader or a key may leave and press in one instant. Both would then reach the page
   * as one, in an order of its own: the click waits for the answer, and is then done once more.
   */
  click(event) {
    const { free, report } = this;
    if (free || event.ctrlKey || event.metaKey || event.shiftKey || !this.outside(event)) return;
    report.now();
    if (!report.unanswered) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.held.push(event.target);
    if (this.held.length === 1) this.later(MOST_WAIT);
  }

  later(rest) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.release(), rest);
  }

  answered() {
    if (this.held.length) this.later(PAUSE);
  }

  release() {
    clearTimeout(this.waiting);
    const { held, report } = this;
    report.unanswered = false;
    Object.assign(this, { held: [], free: true });
    for (const target of held) if (target.isConnected) target.click();
    this.free = false;
  }
}
