// How the value of a choice stands in a link. `ui/formats.py` declares each format, and fields.json describes those of
// the pages; what a kind of format does is written here and there.
import LIMITS from "./limits.json" with { type: "json" };
import { SPACES } from "../engine/words.js";

/**
 * @typedef {{ kind: string, least?: number, most?: number, words?: string[], word?: string, value?: any, none?: string,
 *   between?: string, of?: Format, parts?: Format[], steps?: Record<string, number>, second?: string }} Format
 */

const WHOLE = new RegExp(`^(?:${LIMITS.whole})$`), REAL = new RegExp(`^(?:${LIMITS.real})$`);
const SHOWN = /[^\p{C}\p{Z}]/u; // what Python calls printable, without the space

/** @param {RegExp} pattern @param {string} text @param {Format} format */
function number(pattern, text, { least = -Infinity, most = Infinity }) {
  const value = pattern.test(text) ? Number(text) + 0 : NaN; // no −0
  return value >= least && value <= most ? value : undefined;
}

/** @type {Readonly<Record<string, { parse: (format: any, text: string) => any, write: (format: any, value: any) => string }>>} */
const KINDS = {
  text: { parse: (_, text) => text, write: (_, value) => value },
  name: {
    parse(_, text) {
      const name = text.split(SPACES).filter(Boolean).join(" ");
      return SHOWN.test(name) ? name : undefined;
    },
    write: (_, value) => value,
  },
  whole: { parse: (format, text) => number(WHOLE, text, format), write: (_, value) => String(value) },
  real: { parse: (format, text) => number(REAL, text, format), write: (_, value) => positional(value) },
  words: { parse: ({ words }, text) => (words.includes(text) ? text : undefined), write: (_, value) => value },
  switch: { parse: (_, text) => (text === "1" ? true : text === "0" ? false : undefined), write: (_, value) => (value ? "1" : "0") },
  counted: {
    parse({ most }, text) {
      const value = number(WHOLE, text, { kind: "whole", least: 1, most });
      return value === undefined ? undefined : value - 1;
    },
    write: (_, value) => String(value + 1),
  },
  either: {
    parse: ({ word, value, of }, text) => (text === word ? value : parse(of, text)),
    write: ({ word, value, of }, own) => (own === value ? word : write(of, own)),
  },
  list: {
    parse({ of, none, between = ".", most = Infinity }, text) {
      const texts = text === none ? [] : text.split(between);
      return texts.length > most ? undefined : every(texts.map((/** @type {string} */ one) => parse(of, one)));
    },
    write: ({ of, none, between = "." }, values) => values.map((/** @type {any} */ one) => write(of, one)).join(between) || none,
  },
  dotted: {
    parse({ parts }, text) {
      const texts = text.split(".");
      return texts.length === parts.length ? every(texts.map((one, i) => parse(parts[i], one))) : undefined;
    },
    write: ({ parts }, values) => values.map((/** @type {any} */ one, /** @type {number} */ i) => write(parts[i], one)).join("."),
  },
  maybe: {
    parse: ({ of }, text) => (text ? parse(of, text) : null),
    write: ({ of }, value) => (value === null ? "" : write(of, value)),
  },
  place: {
    parse({ steps, second }, text) {
      if (!text) return null;
      const [name, step, ...more] = text.split("."), at = Object.hasOwn(steps, name) && step !== undefined
        ? parse({ kind: "whole", least: 1, most: steps[name] }, step) : undefined;
      if (at === undefined || more.length > 1 || (more.length && more[0] !== second)) return undefined;
      return { name, step: at, second: more.length > 0 };
    },
    write: (format, place) => (place === null ? "" : `${place.name}.${place.step}${place.second ? `.${format.second}` : ""}`),
  },
};

/** @param {any[]} values */
const every = (values) => (values.includes(undefined) ? undefined : values);

/** 0.00001, not 1e-5, in as few digits as tell the number. @param {number} x */
function positional(x) {
  const [digits, power] = Math.abs(x).toExponential().split("e"), all = digits.replace(".", ""), at = Number(power) + 1;
  const text = at <= 0 ? `0.${"0".repeat(-at)}${all}`
    : all.length <= at ? all.padEnd(at, "0") : `${all.slice(0, at)}.${all.slice(at)}`;
  return x < 0 ? `-${text}` : text;
}

/** The value of a text in a link; undefined if it is none. @param {Format} format @param {string} text @returns {any} */
export const parse = (format, text) => KINDS[format.kind].parse(format, text);

/** The inverse. @param {Format} format @param {any} value */
export const write = (format, value) => KINDS[format.kind].write(format, value);

/** The text as the app would write its value; undefined if it has none. @param {Format} format @param {string} text */
export function canonical(format, text) {
  const value = parse(format, text);
  return value === undefined ? undefined : write(format, value);
}
