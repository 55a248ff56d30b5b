// The whole state of a picture, from what a link says of it: `core/figures/schema.py`, by the same schema.
import { STATES, TYPES } from "../runtime/schema.js";

/**
 * A field of schema.json.
 * @typedef {{ type?: string, enum?: readonly string[], nullable?: boolean, default?: any, optional?: boolean, of?: string, steps?: number,
 *   minimum?: number, maximum?: number, minItems?: number, maxItems?: number, items?: Field, properties?: Record<string, Field> }} Field
 */

const NONE = Symbol("no value of the field");

/** A field together with its named type, if it has one. @param {Field} field @returns {Field} */
function whole(field) {
  const named = /** @type {Readonly<Record<string, Field>>} */ (TYPES)[field.type ?? ""];
  return named ? { ...named, ...field, type: named.type } : field;
}

/** The value of a field; `NONE` if it is none. @param {Field} given @param {any} value @returns {any} */
function fitted(given, value) {
  const field = whole(given), { minimum = -Infinity, maximum = Infinity, minItems = 0, maxItems = Infinity, steps, items } = field;
  if (value === null && field.nullable) return null;
  if (field.enum) return field.enum.includes(value) ? value : NONE;
  if (field.type === "boolean") return typeof value === "boolean" ? value : NONE;
  if (field.type === "array") {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems || !items) return NONE;
    const all = value.map((one) => fitted(items, one));
    return all.includes(NONE) ? NONE : all;
  }
  const fits = typeof value === "number" && value >= minimum && value <= maximum;
  if (!fits || (field.type === "integer" && !Number.isInteger(value))) return NONE;
  return steps === undefined ? value : Math.floor(value * steps + 0.5) / steps;
}

/** @param {Field} field @param {any} value @param {Readonly<Record<string, readonly any[]>>} there */
function isThere({ of, items, ...field }, value, there) {
  if (value === null || of === undefined) return true;
  const values = Array.isArray(value) ? value : [value], least = whole(items ?? field).minimum ?? 0;
  if (least < 0 && values.length === 1 && values[0] === least) return there[of].length > 1;
  return values.every((one) => there[of].includes(one));
}

/**
 * What is missing, or does not fit, takes its default.
 * @param {"layer" | "overview" | "nextword"} picture
 * @param {Readonly<Record<string, any>>} wanted
 * @param {Readonly<Record<string, readonly any[]>>} there what the value of a field may be, by the word behind "of"
 * @param {Readonly<Record<string, any>>} [defaults] those of this picture that differ from those of the schema
 * @returns {Record<string, any>}
 */
export function complete(picture, wanted, there, defaults = {}) {
  const fields = /** @type {[string, Field][]} */ (Object.entries(STATES[picture])).filter(([, { optional }]) => !optional);
  return Object.fromEntries(fields.map(([name, field]) => {
    const fallback = name in defaults ? defaults[name] : field.default;
    const value = wanted[name] === undefined ? fallback : fitted(field, wanted[name]);
    return [name, value !== NONE && isThere(field, value, there) ? value : fallback];
  }));
}
