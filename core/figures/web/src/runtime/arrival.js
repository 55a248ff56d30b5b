// One picture takes the place of another: the keys go on in the new one, and what is said is where.
// Each picture is a module of its own, so that what is left for the next one lies at the document.
/** @import { AnyPicture } from "../types" */
/** @typedef {{ layer?: string, head?: number }} Left */
const LEFT = Symbol.for("polysee left");
const FRESH = 20000; // milliseconds: what was left longer ago is not waited for any more

/** @type {Document & { [LEFT]?: { here: Left, host: Element, at: number } }} */
const page = document;

/**
 * Another picture is about to come in the place of this one; `here` is where it was left.
 * @param {AnyPicture} picture
 * @param {Left} here
 */
export function leave({ host }, here = {}) {
  page[LEFT] = { here, host, at: performance.now() };
}

/** Where the one before was left; null if none was, or if the visitor has gone elsewhere since. */
export function cameFrom() {
  const left = page[LEFT], active = page.activeElement ?? page.body;
  if (!left) return null;
  delete page[LEFT];
  const there = active === page.body || active === left.host;
  return there && performance.now() - left.at < FRESH ? left.here : null;
}

/**
 * Says what the keys are at, behind the words that say in which picture.
 * @param {AnyPicture} picture
 * @param {string} words
 */
export function announceAt(picture, words) {
  picture.live.textContent = "";
  picture.announce();
  picture.live.textContent = `${words} ${picture.live.textContent}`.trim();
}
