// A button before a slider that goes through its steps one after the other, and stops at the last.
/** @import { Sliding, SlidingHeader } from "../types" */
import { m } from "./language.js";
import { Motion, mayOpen, presses, untilActed } from "./motion.js";
import { element } from "./shared.js";

export class Play {
  /**
   * @param {Sliding} picture
   * @param {{ bar: HTMLElement, input: HTMLInputElement }} slider
   */
  constructor(picture, { bar, input }) {
    this.picture = picture;
    this.motion = new Motion((at) => this.reach(at), () => this.end());
    this.button = element("button", { type: "button", class: "play" });
    bar.prepend(this.button);
    picture.on(this.button, "click", () => (this.going ? this.end() : this.begin()));
    picture.on(input, "input", () => this.stop()); // a visitor who moves the slider goes on by hand
    untilActed(picture.life.signal, (event) => this.act(event));
    this.stop();
  }

  get going() {
    return this.motion.playing;
  }

  /**
   * Shown where the picture wants it and there is more than one step.
   * @param {SlidingHeader} header
   */
  offer({ play, steps }) {
    this.button.hidden = !play || steps.length < 2;
    if (this.button.hidden) this.stop();
  }

  /**
   * Starts by itself when the picture is first drawn, if the visitor wants motion.
   * @param {SlidingHeader} header
   */
  open({ autoplay }) {
    if (autoplay && !this.button.hidden && mayOpen()) this.begin(0);
  }

  begin(from = this.picture.state.depth === this.last() ? 0 : this.picture.state.depth) {
    this.motion.through(from, this.last());
    this.say("■", m("Stop"));
    this.picture.frame.toggleAttribute("data-playing", true);
    this.picture.go(from);
  }

  /** @param {number} at */
  reach(at) {
    const depth = Math.floor(at + 1e-9);
    if (depth !== this.picture.state.depth) this.picture.go(depth);
  }

  /**
   * Any action of a visitor stops the motion; an action outside the picture moves it to its end first.
   * @param {PointerEvent | KeyboardEvent | WheelEvent} event
   */
  act(event) {
    if (!this.going) return;
    const path = event.composedPath();
    if (path.includes(this.button) && presses(event)) return; // the button stops it itself
    if (event.type === "wheel" || !path.includes(this.picture.frame)) this.reach(this.last());
    this.end();
  }

  /** Reports only the last step to the server: a page that runs again at each step would lag behind. */
  end() {
    this.stop();
    this.picture.report.send();
  }

  stop() {
    this.motion.stop();
    this.say("▶", m("Play"));
    this.picture.frame.removeAttribute("data-playing");
  }

  /** @param {string} sign @param {string} does */
  say(sign, does) {
    this.button.dataset.sign = sign;
    this.button.textContent = does;
  }

  last = () => this.picture.header.steps.length - 1;
}
