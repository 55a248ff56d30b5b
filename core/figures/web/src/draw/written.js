// How the pictures of a layer write numbers and name tokens.
/** @import { Look } from "../types" */
import { decimal, m } from "../runtime/language.js";
import { written } from "../runtime/shared.js";

export const PAGE = 10; // steps of Page Up and Page Down
export const SCROLLBAR = 16; // pixels

const MISSING = () => m("missing"); // shown instead of a missing number

/** @param {number} value */
export const shortly = (value) => (value > 0 && value < 0.01 ? decimal("<0.01")
  : Number.isNaN(value) ? MISSING() : written(value, { digits: 2 }));
/** @param {number} value */
export const exactly = (value) => (Number.isNaN(value) ? MISSING() : written(value, { digits: 4 }));
/** A weight; a small one gets more digits, or it would read as zero. @param {number} value */
export const weighed = (value) => (value > 0 && value < 0.001 ? decimal(value.toFixed(6)) : exactly(value));

/**
 * The name of a token out of context: with its number if another token has the same name.
 * @param {readonly string[]} names
 * @param {number} i
 */
export function called(names, i) {
  const name = names[i];
  return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${i + 1})`;
}

/** How a product becomes a score, in words. @param {{ scale: number, d: number }} layer */
export const scaledBy = ({ scale, d }) => (Math.abs(scale * Math.sqrt(d) - 1) < 1e-6 ? `÷ √${d}`
  : `× ${decimal(String(Number(scale.toPrecision(6))))}`);

/**
 * The same with a soft cap: c·tanh(x ÷ c) for a text that yields x.
 * @param {{ softcap: number }} layer
 * @param {string} scaled
 */
export const cappedBy = ({ softcap }, scaled) => `${softcap} · tanh(${scaled} ÷ ${softcap})`;

/**
 * The indices of a list that are in view, and therefore labelled.
 * @param {{ y: number, window: number, middle: (place: number) => number }} plan
 * @param {readonly [number, number]} ends the first index, and the one after the last
 * @param {Pick<Look, "size">} look
 */
export function inSight({ y, window, middle }, [from, to], { size }) {
  const all = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return all.filter((place) => Math.abs(middle(place) - y - window / 2) <= window / 2 - 0.4 * size);
}

/**
 * The visible range of a longer list: ", 1–26 of 128".
 * @param {readonly number[]} places
 * @param {number} count
 */
export function partOf(places, count) {
  if (places.length === count) return "";
  const shown = places.length ? `${places[0] + 1}–${places[places.length - 1] + 1}` : m("none");
  return m(", {shown} of {count}", { shown, count });
}

/**
 * The height of the words below a picture, beside the button.
 * @param {{ length: number }} texts
 * @param {Pick<Look, "size">} look
 */
export const footHigh = (texts, { size }) => Math.max(texts.length * 1.35 * size, 22) + 18;

/**
 * The indices of the largest numbers, the largest first.
 * @param {ArrayLike<number>} values
 * @param {number} most
 */
export function largest(values, most) {
  return Array.from(values, (_, i) => i).filter((i) => !Number.isNaN(values[i]))
    .sort((a, b) => values[b] - values[a] || a - b).slice(0, most);
}

/** The next larger number with two digits, which ends a colour scale. @param {number} value */
export function roundedUp(value) {
  if (!(value > 0)) return 1;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / unit - 1e-6) * unit).toPrecision(6));
}

/**
 * The index that a key leads to in a list: arrows by one, Page keys by `page`, Home and End; null for
 * others.
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey">} event
 * @param {number} at
 * @param {number} count
 * @param {number} page
 * @param {readonly [string, string]} arrows
 */
export function stepped({ key, ctrlKey }, at, count, page, [back, on] = ["ArrowUp", "ArrowDown"]) {
  /** @type {Readonly<Record<string, number>>} */
  const ends = { [back]: at - 1, [on]: at + 1, PageUp: at - page, PageDown: at + page, Home: 0, End: count - 1 };
  const to = ends[key];
  return to === undefined || ctrlKey ? null : Math.max(0, Math.min(count - 1, to));
}
