// The control with which a visitor chooses the graphics card, and what it says: in the app below the switch, in the folder below
// the model. It is there only where there is a graphics card to choose, and while a model runs.
/** @import { Graphics } from "./graphics.js" */
import { element } from "../runtime/shared.js";
import { GRAPHICS, graphicsSentence } from "./graphicswords.js";

const STYLE = `
.polysee-graphics{margin:.5rem 0}
.polysee-graphics label{display:flex;align-items:center;gap:.5em;cursor:pointer;font-size:.875rem;min-height:1.5rem}
.polysee-graphics input{accent-color:var(--st-primary-color,auto);width:1.1em;height:1.1em;margin:0;flex:none}
.polysee-graphics p{margin:.25rem 0 0;font-size:.875rem;line-height:1.4;
color:color-mix(in srgb,var(--st-text-color,currentColor) 75%,transparent)}
.polysee-graphics progress{height:.4rem;accent-color:var(--st-primary-color,auto)}`;
const BEGUN = ["loading", "checking", "on"];

/**
 * The control, and what brings it up to date.
 * @param {Graphics} graphics @param {number} size bytes of the second run-time
 */
export function graphicsChoice(graphics, size) {
  const node = element("div", { class: "polysee-graphics" }), label = element("label");
  const input = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
  const bar = /** @type {HTMLProgressElement} */ (element("progress", { "aria-label": GRAPHICS(), max: "1" }));
  const said = element("p", { role: "status" });
  label.append(input, element("span", {}, GRAPHICS()));
  node.append(element("style", {}, STYLE), label, bar, said);
  input.onchange = () => (input.checked ? graphics.begin() : graphics.end());
  /** @param {boolean} isRunning whether a model runs */
  const show = (isRunning) => {
    const { state } = graphics;
    node.hidden = !isRunning && state.kind !== "refused";
    input.checked = BEGUN.includes(state.kind);
    input.disabled = !isRunning;
    bar.hidden = state.kind !== "loading" && state.kind !== "checking";
    if (state.kind === "loading" && state.done < state.total) bar.value = state.done / state.total;
    else bar.removeAttribute("value");
    const sentence = graphicsSentence(state, size);
    if (said.textContent !== sentence) said.textContent = sentence;
    node.dataset.state = state.kind;
    node.dataset.why = state.kind === "refused" ? state.why : "";
  };
  return { node, show };
}
