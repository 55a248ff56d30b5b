// How the pictures of a layer write numbers and name tokens.
/** @import { Look } from "../types" */
import { written } from "../runtime/shared.js";

export const PAGE = 10; // steps of Page Up and Page Down
export const SCROLLBAR = 16; // pixels

const MISSING = "missing"; // what stands for a number where there is none

/** @param {number} value */
export const shortly = (value) => (value > 0 && value < 0.01 ? "<0.01"
  : Number.isNaN(value) ? MISSING : written(value, { digits: 2 }));
/** @param {number} value */
export const exactly = (value) => (Number.isNaN(value) ? MISSING : written(value, { digits: 4 }));
/** A weight; of a small one more digits, or it would read as nothing. @param {number} value */
export const weighed = (value) => (value > 0 && value < 0.001 ? value.toFixed(6) : exactly(value));

/**
 * A token where it does not stand in its place: with its number, if another one reads the same.
 * @param {readonly string[]} names
 * @param {number} i
 */
export function called(names, i) {
  const name = names[i];
  return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${i + 1})`;
}

/** How a product becomes a score. @param {{ scale: number, d: number }} layer */
export const scaledBy = ({ scale, d }) => (Math.abs(scale * Math.sqrt(d) - 1) < 1e-6 ? `÷ √${d}`
  : `× ${Number(scale.toPrecision(6))}`);

/**
 * The same of what is squeezed after that: c·tanh(x ÷ c) of a text that gives x.
 * @param {{ softcap: number }} layer
 * @param {string} scaled
 */
export const cappedBy = ({ softcap }, scaled) => `${softcap} · tanh(${scaled} ÷ ${softcap})`;

/**
 * The places of a list that are in sight, and so named.
 * @param {{ y: number, window: number, middle: (place: number) => number }} plan
 * @param {readonly [number, number]} ends the first place, and after the last
 * @param {Pick<Look, "size">} look
 */
export function inSight({ y, window, middle }, [from, to], { size }) {
  const all = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return all.filter((place) => Math.abs(middle(place) - y - window / 2) <= window / 2 - 0.4 * size);
}

/**
 * Which of a longer list they are: ", 1–26 of 128".
 * @param {readonly number[]} places
 * @param {number} count
 */
export const partOf = (places, count) => (places.length === count ? "" : `, ${places.length
  ? `${places[0] + 1}–${places[places.length - 1] + 1}` : "none"} of ${count}`);

/**
 * How high the words below a picture are, and the button beside them.
 * @param {{ length: number }} texts
 * @param {Pick<Look, "size">} look
 */
export const footHigh = (texts, { size }) => Math.max(texts.length * 1.35 * size, 22) + 18;

/**
 * The places of the largest numbers that there are, largest first.
 * @param {ArrayLike<number>} values
 * @param {number} most
 */
export function largest(values, most) {
  return Array.from(values, (_, i) => i).filter((i) => !Number.isNaN(values[i]))
    .sort((a, b) => values[b] - values[a] || a - b).slice(0, most);
}

/** The next number of two digits: where the colours of a scale end. @param {number} value */
export function roundedUp(value) {
  if (!(value > 0)) return 1;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / unit - 1e-6) * unit).toPrecision(6));
}

/**
 * Where a key leads to in a list: the arrows by one, Page by `page`, Home and End; null for others.
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
