// The parts of a menu that need no page: its order, the targets of keys, its position in the window.
/** @import { SavedFile } from "../types" */
import { m } from "./language.js";

const EDGE = 8; // pixels that stay free between a menu and the edge of the window
const GAP = 4; // pixels between a menu and its button

/** The files that the browser makes of any picture by itself. */
export const OWN = /** @type {const} */ ([
  { kind: "PNG", get about() { return m("as you see it, in pixels"); } },
  { kind: "SVG", get about() { return m("as you see it, for print and slides"); } },
]);

/**
 * All that a picture can be saved as, in the order of its menu.
 * @param {readonly SavedFile[]} files made by its page
 */
export const entriesOf = (files) => [...OWN, ...files].map(({ kind, about }) => ({ kind, about }));

/**
 * The entry that a key leads to; null where it leads to none.
 * @param {string} key
 * @param {number} at the entry that has the focus
 * @param {readonly string[]} kinds
 */
export function entryAt(key, at, kinds) {
  const count = kinds.length;
  /** @type {Readonly<Record<string, number>>} */
  const to = { ArrowDown: (at + 1) % count, ArrowUp: (at + count - 1) % count, Home: 0, End: count - 1 };
  if (key in to) return to[key];
  if (key.length !== 1) return null;
  const letter = key.toUpperCase(), ahead = kinds.map((_, i) => (at + 1 + i) % count);
  return ahead.find((i) => kinds[i].startsWith(letter)) ?? null;
}

/**
 * The position of a box that belongs to a button: below the button, with right ends aligned, or above it if there
 * is more room; all of it in the window.
 * @param {{ right: number, top: number, bottom: number }} button
 * @param {{ width: number, height: number }} box
 * @param {{ width: number, height: number }} room
 */
export function beside({ right, top, bottom }, box, room) {
  const below = room.height - EDGE - bottom - GAP, above = top - GAP - EDGE;
  const y = box.height <= below || below >= above ? bottom + GAP : top - GAP - box.height;
  /** @param {number} at @param {number} most */
  const within = (at, most) => Math.max(EDGE, Math.min(at, most - EDGE));
  return { left: within(right - box.width, room.width - box.width), top: within(y, room.height - box.height) };
}
