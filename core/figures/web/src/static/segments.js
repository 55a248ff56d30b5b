// A row of buttons of which one is chosen, by a click or by arrow keys.
import { h } from "./dom.js";

export class Segments {
  /** @param {string} label @param {(value: string) => void} choose called with what a visitor chooses */
  constructor(label, choose) {
    this.choose = choose;
    this.node = h("div", { class: "segments", role: "radiogroup", "aria-label": label });
  }

  /** @param {readonly (readonly [value: string, name: string])[]} names @param {string} chosen */
  show(names, chosen) {
    const focused = this.node.contains(document.activeElement), values = names.map(([value]) => value);
    this.node.replaceChildren(...names.map(([value, name]) => h("button", {
      type: "button", role: "radio", "aria-checked": String(value === chosen), tabindex: value === chosen ? "0" : "-1",
      click: () => this.choose(value), keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, values, value),
    }, name)));
    if (focused) /** @type {HTMLElement | null} */ (this.node.querySelector('[aria-checked="true"]'))?.focus();
  }

  /** @param {KeyboardEvent} event @param {readonly string[]} values @param {string} value */
  #key(event, values, value) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.choose(values[(values.indexOf(value) + step + values.length) % values.length]);
  }
}
