// A slider above a picture, inside its shadow: native, so that keys, touch and screen readers know it.
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
.slider .room{visibility:hidden}`;

/** The parts of a slider, before `area` in the order of reading. */
export function sliderIn({ host, area }) {
  host.shadowRoot.append(element("style", {}, SLIDING));
  const bar = element("div", { class: "slider" });
  const label = element("label", { for: "slider" });
  const input = element("input", { type: "range", id: "slider", min: "0", step: "1" });
  const value = element("span", { class: "value", "aria-hidden": "true" }); // the slider says it itself
  bar.append(label, input, value);
  area.before(bar);
  return { bar, label, input, value };
}

/** Gives the slider its steps; their names take the room of the longest, so that it does not jump. */
export function fillSlider({ label, input, value }, title, steps) {
  label.textContent = title;
  input.max = String(steps.length - 1);
  input.disabled = steps.length < 2;
  input.hidden = input.disabled; // one step is said, and nothing to slide
  const rooms = steps.map((step) => element("span", { class: "room", "aria-hidden": "true" }, step));
  value.replaceChildren(...rooms, element("bdi", {}));
}

export function setSlider({ input, value }, depth, step) {
  input.value = String(depth);
  input.setAttribute("aria-valuetext", step);
  value.lastChild.textContent = step;
}
