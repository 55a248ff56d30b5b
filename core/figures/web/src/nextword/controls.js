// The controls of the next word, above its bars, or below them on a phone: temperature, and what is cut.
/** @import { NextwordState } from "../states" */
/** @import { NextWordPicture } from "./nextword.js" */
import { m } from "../runtime/language.js";
import { element, grouped, written } from "../runtime/shared.js";
import { controlsIn } from "../runtime/choices.js";

const PHONE = 420; // pixels: in a picture no wider than this, the bars come first
const RESTED = 350; // milliseconds without a change before a choice is reported
const COUNTS = [1, 2, 3, 5, 10, 20, 40, 50, 100, 200, 500, 1000]; // of top-k; behind the last, all

const SLIDERS = `
.sliders{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:.35em 1em;width:100%;max-width:max(900px,60em)}
.sliders[data-narrow]{grid-template-columns:repeat(2,minmax(0,1fr))}
.controls .sliders label{display:grid;grid-template-columns:1fr auto;gap:0 .5em;align-items:baseline}
.controls .sliders input{grid-column:1/-1;width:100%;cursor:pointer;height:1.6em}
.sliders .value{text-align:end}`;

/**
 * @typedef {object} Slide
 * @property {keyof NextwordState} of
 * @property {string} name
 * @property {string} about read aloud, and shown when pointed at
 * @property {number} max the number of steps
 * @property {(step: number) => number} value
 * @property {(value: number) => number} step
 * @property {(value: number) => string} said
 */
/** @type {readonly Slide[]} */
export const SLIDES = [
  {
    of: "temperature", get name() { return m("Temperature"); },
    get about() {
      return m("The scores are divided by it: below 1, the likely become likelier; above 1, all become more equal; at 0, the likeliest alone is left");
    },
    max: 40, value: (step) => step / 20, step: (value) => Math.round(20 * value),
    said: (value) => (value ? written(value, { digits: 2 }) : m("0: the likeliest")),
  },
  {
    of: "topK", name: "Top-k", get about() { return m("Only the k likeliest tokens"); }, max: COUNTS.length,
    value: (step) => COUNTS[step] ?? 0, step: (value) => (value ? closest(value) : COUNTS.length), said: (value) => (value ? grouped(value) : m("all")),
  },
  {
    of: "topP", name: "Top-p", get about() { return m("Only the likeliest tokens that together reach this share"); }, max: 20,
    value: (step) => step / 20, step: (value) => Math.round(20 * value), said: (value) => (value < 1 ? written(value, { digits: 2 }) : m("all")),
  },
  {
    of: "minP", name: "Min-p", get about() { return m("Only tokens at least this share as likely as the likeliest"); }, max: 50,
    value: (step) => step / 50, step: (value) => Math.round(50 * value), said: (value) => (value ? written(value, { digits: 2 }) : m("all")),
  },
];

/** The step of the nearest count. @param {number} value */
const closest = (value) => COUNTS.reduce((best, one, i) => (Math.abs(one - value) < Math.abs(COUNTS[best] - value) ? i : best), 0);

export class NextWordControls {
  /** @param {NextWordPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.bar = controlsIn(picture);
    this.bar.before(element("style", {}, SLIDERS));
    this.grid = element("div", { class: "sliders" });
    this.bar.append(this.grid);
    this.all = SLIDES.map((slide) => {
      const label = element("label", { title: slide.about }), value = element("span", { class: "value", "aria-hidden": "true" });
      const input = element("input", { type: "range", min: slide.of === "topP" ? "1" : "0", max: String(slide.max), step: "1", "aria-label": `${slide.name}. ${slide.about}` });
      label.append(element("span", { "aria-hidden": "true" }, slide.name), value, input);
      this.grid.append(label);
      picture.on(input, "input", () => picture.go({ [slide.of]: slide.value(Number(input.value)) }, RESTED));
      return { slide, input, value };
    });
  }

  /** Makes the controls show the state. */
  set() {
    const { state } = this.picture;
    for (const { slide, input, value } of this.all) {
      const own = state[slide.of], said = slide.said(own);
      input.value = String(slide.step(own));
      input.setAttribute("aria-valuetext", said);
      value.textContent = said.split(":")[0]; // four stand side by side
    }
  }

  /** Whether the bars stand above the controls, since a small screen has room for few. @param {number} width */
  below = (width) => width <= PHONE;

  /** @param {number} top in pixels */
  place(top) {
    this.bar.style.top = `${top}px`;
  }

  /** The height of the controls in a picture of this width. @param {number} width */
  height(width) {
    const letters = width / parseFloat(getComputedStyle(this.bar).fontSize);
    this.grid.toggleAttribute("data-narrow", width < 640 || letters < 38);
    return this.bar.offsetHeight + 8;
  }
}
