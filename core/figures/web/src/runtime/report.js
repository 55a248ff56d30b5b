// What a visitor has chosen in a picture, told to the page; and whether the page asks for another choice.

export class Report {
  constructor(picture) {
    Object.assign(this, { picture, turn: null, waiting: 0 });
    picture.life.signal.addEventListener("abort", () => clearTimeout(this.waiting));
  }

  /**
   * Whether new bytes ask for the state in their header: the first do, and those of another turn. All
   * else is new numbers for what a visitor has chosen, which they do not turn back.
   */
  asks({ turn = 0 }) {
    const other = turn !== this.turn;
    this.turn = turn;
    return other;
  }

  /** Whether there is a page that hears what is told. */
  get heard() {
    return (this.picture.header.events ?? []).includes("state");
  }

  /** Tells the page, after `rest` milliseconds without a further change; `more` is told with it. */
  tell(rest = 0, more = {}) {
    clearTimeout(this.waiting);
    this.waiting = 0;
    if (!this.heard) return;
    if (rest) this.waiting = setTimeout(() => this.rested(), rest);
    else this.say(more);
  }

  rested() {
    this.tell();
  }

  say(more) {
    this.picture.emit("state", { ...this.picture.state, ...more });
  }

  /** What waits is told at once, before something else is. */
  now() {
    if (this.waiting) this.tell();
  }
}
