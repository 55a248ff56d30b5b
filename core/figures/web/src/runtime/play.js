// A button before a slider that goes through its steps one after the other, and stops at the last.
import { element } from "./shared.js";

const PAUSE = 900; // milliseconds at each step

export class Play {
  constructor(picture, { bar, input }) {
    this.picture = picture;
    this.timer = null;
    this.button = element("button", { type: "button", class: "play" });
    bar.prepend(this.button);
    picture.on(this.button, "click", () => (this.timer === null ? this.begin() : this.end()));
    picture.on(input, "input", () => this.stop()); // who takes the slider goes on by hand
    this.stop();
  }

  /** Shown where the picture wants it and there is more than one step. */
  offer({ play, steps }) {
    this.button.hidden = !play || steps.length < 2;
    if (this.button.hidden) this.stop();
  }

  begin() {
    const { picture } = this;
    picture.go(picture.depth === this.last() ? 0 : picture.depth + 1);
    this.timer = setInterval(() => {
      if (picture.depth < this.last()) picture.go(picture.depth + 1);
      if (picture.depth === this.last()) this.end();
    }, PAUSE);
    this.button.textContent = "Stop";
  }

  /** Only where it ends is the server told: a page that runs again at each step would lag behind. */
  end() {
    this.stop();
    this.picture.report();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.button.textContent = "Play";
  }

  last = () => this.picture.header.steps.length - 1;
}
