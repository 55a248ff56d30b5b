// When one picture replaces another, the keyboard focus moves to the new one, which announces its position.
// Each picture is a module of its own; the state for the next one is therefore stored at the document.
/** @import { AnyPicture } from "../types" */
/** @typedef {{ layer?: string, head?: number }} Left */
const LEFT = Symbol.for("polysee left");
const FRESH = 20000; // milliseconds after which a picture that was left no longer passes its position on

/** @type {Document & { [LEFT]?: { here: Left, host: Element, at: number } }} */
const page = document;

/**
 * Another picture is about to replace this one; `here` is the position in this one.
 * @param {AnyPicture} picture
 * @param {Left} here
 */
export function leave({ host }, here = {}) {
  page[LEFT] = { here, host, at: performance.now() };
}

/** The position in the previous picture; null without one, or if the visitor has moved on since. */
export function cameFrom() {
  const left = page[LEFT], active = page.activeElement ?? page.body;
  if (!left) return null;
  delete page[LEFT];
  const there = active === page.body || active === left.host;
  return there && performance.now() - left.at < FRESH ? left.here : null;
}

/**
 * Announces the position of the keys, after the words that name the picture.
 * @param {AnyPicture} picture
 * @param {string} words
 */
export function announceAt(picture, words) {
  picture.live.textContent = "";
  picture.announce();
  picture.live.textContent = `${words} ${picture.live.textContent}`.trim();
}
