// What stands on a page of the app: its text boxes (`ui/text_box/box.js`) and its pictures (`ui/figure.py`).
/** @import { Message, Root } from "../types" */

/**
 * A text box of the page.
 * @typedef {object} TextBox
 * @property {string} text what stands in it
 * @property {boolean} isHeard whether the server has this text
 * @property {HTMLTextAreaElement} area
 * @property {() => void} tell sends the text to the server
 * @property {(text: string) => void} show puts the server's text there
 */

/**
 * A picture of the page. `draw` is missing until its code has arrived.
 * @typedef {object} Shown
 * @property {Message & { of: string[] }} sent the server's last message; `of` has the texts that it is about
 * @property {Partial<Message> | null} instead what replaces parts of that message
 * @property {Root} root
 * @property {() => void} [draw]
 */

/** @typedef {{ polyseeBoxes?: Map<string, TextBox>, polyseeShown?: Map<string, Shown> }} Registers */

const registers = () => /** @type {Registers} */ (/** @type {unknown} */ (globalThis));

/** The box of this name; null if it is not on the page. @param {string} name */
export function boxOf(name) {
  const box = registers().polyseeBoxes?.get(name);
  return box?.area.isConnected ? box : null;
}

/** The picture of this name; null if it is not on the page. @param {string} name */
export function shownOf(name) {
  return registers().polyseeShown?.get(name) ?? null;
}

/** The names of all pictures whose numbers were replaced. */
export function replaced() {
  return [...registers().polyseeShown ?? []].filter(([, { instead }]) => instead).map(([name]) => name);
}

/**
 * Shows other numbers in a picture.
 * @param {string} name
 * @param {Uint8Array} bytes as `core.figures.Picture.to_bytes` packs them
 * @param {Message["state"]} state the choices in it; null for those of the server
 */
export function replace(name, bytes, state) {
  const shown = shownOf(name);
  if (!shown) return;
  shown.instead = { numbers: null, bytes, ...(state && { state }) };
  shown.draw?.();
}

/** Shows the server's numbers again. @param {string} name */
export function release(name) {
  const shown = shownOf(name);
  if (!shown?.instead) return;
  shown.instead = null;
  shown.draw?.();
}

/** A text as a text box holds it. @param {string} text */
export const plain = (text) => text.replace(/\r\n?/g, "\n");
