// Parts of the lessons that the app and the folder share: its own scripts ask and keep, in this browser alone, what a
// visitor answered, and draw a prediction on the answer. They lie in the folder as they are.
/** @import { House } from "./page.js" */
import { h } from "./dom.js";

/**
 * The question before a lesson and after it, as `ui/lessons/progress.py` writes it.
 * @typedef {object} Asked
 * @property {string} question
 * @property {string[]} answers
 * @property {number} right
 * @property {string} because
 * @property {string[]} instead
 * @property {number} most
 */

/** @typedef {HTMLElement & { forget?: (() => void) | null }} Place */
/** @typedef {(sent: { data: object, parentElement: Place }) => unknown} Script */

/** @type {Map<string, Promise<{ default: Script }>>} */
const scripts = new Map();

/**
 * A place in which a script shows what `data` asks for, until the signal ends it.
 * @param {House} house @param {"progress" | "drawn"} name of the script @param {object} data as the script reads it, without its words
 * @param {AbortSignal} signal
 */
function part({ root, content }, name, data, signal) {
  const place = /** @type {Place} */ (h("div", {}, h("div", { class: `polysee-${name}` }))), address = `${root}${name}.js`;
  const script = scripts.get(address) ?? /** @type {Promise<{ default: Script }>} */ (import(address));
  scripts.set(address, script);
  script.then(({ default: draw }) => {
    if (signal.aborted) return;
    draw({ data: { ...content[name], ...data }, parentElement: place });
    signal.addEventListener("abort", () => place.forget?.(), { once: true });
  });
  return place;
}

/** What a visitor answered and how far they came, by `ui/lessons/progress.js`. @param {House} house @param {object} data @param {AbortSignal} signal */
export const kept = (house, data, signal) => part(house, "progress", data, signal);

/** A prediction on the answer, by `ui/lessons/drawn.js`. @param {House} house @param {object} data @param {AbortSignal} signal */
export const drawn = (house, data, signal) => part(house, "drawn", data, signal);
