// A slider above a picture, inside its shadow root. It is a native one, known to keys, touch and screen readers.
/** @import { AnyPicture } from "../types" */
/**
 * @typedef {object} Slider
 * @property {HTMLElement} bar
 * @property {HTMLElement} label
 * @property {HTMLInputElement} input
 * @property {HTMLElement} value
 * @property {HTMLElement} shown the step in `value`
 */
import { element } from "./shared.js";

const SLIDING = `
.slider{position:absolute;top:0;left:0;right:0;display:flex;align-items:center;gap:.7em;direction:ltr;
 min-height:24px;font-size:.875em;line-height:1}
.slider input{flex:1;min-width:0;margin:0;height:1.8em;cursor:pointer;
 accent-color:var(--st-primary-color,auto)}
.slider input:focus-visible{outline:2px solid var(--st-primary-color,Highlight);outline-offset:1px}
.slider label,.slider .value{flex:none;max-width:40%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.slider .value{display:grid;font-variant-numeric:tabular-nums;font-weight:600}
.slider .value>*{grid-area:1/1}
.slider .room{visibility:hidden}
.slider .play{flex:none;min-width:6.4em;font-size:1em;font-weight:600;padding:.4em .6em;opacity:1;border-color:transparent;
 background:var(--st-primary-color,var(--ink));color:var(--st-background-color,var(--paper))}
.slider .play::before{content:attr(data-sign)/"";margin-inline-end:.4em}`;

/**
 * The parts of a slider, before `area` in the order of reading.
 * @param {AnyPicture} picture
 * @returns {Slider}
 */
export function sliderIn({ shadow, area }) {
  shadow.append(element("style", {}, SLIDING));
  const bar = element("div", { class: "slider" });
  const label = element("label", { for: "slider" });
  const input = element("input", { type: "range", id: "slider", min: "0", step: "1" });
  const value = element("span", { class: "value", "aria-hidden": "true" }); // the slider itself announces its value
  const shown = element("bdi");
  bar.append(label, input, value);
  area.before(bar);
  return { bar, label, input, value, shown };
}

/**
 * Gives the slider its steps; each name takes the room of the longest, which keeps the slider in place.
 * @param {Slider} slider
 * @param {string} title
 * @param {readonly string[]} steps
 */
export function fillSlider({ label, input, value, shown }, title, steps) {
  label.textContent = title;
  input.max = String(steps.length - 1);
  input.disabled = steps.length < 2;
  input.hidden = input.disabled; // a single step has a name, but nothing to slide
  const rooms = steps.map((step) => element("span", { class: "room", "aria-hidden": "true" }, step));
  value.replaceChildren(...rooms, shown);
}

/**
 * @param {Slider} slider
 * @param {number} depth
 * @param {string} step its name
 */
export function setSlider({ input, shown }, depth, step) {
  input.value = String(depth);
  input.setAttribute("aria-valuetext", step);
  shown.textContent = step;
}
