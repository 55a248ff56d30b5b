// The settings of a model of one's own text, and what a text must be: `core/own_text/recipe.py`, which gives the bounds.
import { decimal, m, mn } from "../runtime/language.js";
import { grouped } from "../runtime/shared.js";
import CONSTANTS from "./constants.json" with { type: "json" };

/**
 * What a model reads, its sizes, and how it learns: `TextRecipe`.
 * @typedef {object} Recipe
 * @property {"letters" | "pairs"} kind
 * @property {number} pairs
 * @property {number} layers
 * @property {number} heads
 * @property {number} width
 * @property {number} window
 * @property {number} batch
 * @property {number} rate
 * @property {number} steps
 * @property {number} seed
 */

const { bounds: BOUNDS, usual: USUAL, leastText: LEAST_TEXT, mostText: MOST_TEXT, held: HELD } = CONSTANTS;

/** @type {Readonly<Record<string, [number, number]>>} */
const LIMITS = /** @type {any} */ (BOUNDS);

export const usual = /** @type {Readonly<Recipe>} */ (USUAL);

/** Why values are no recipe, in a sentence; "" if they are. @param {Recipe} recipe */
export function wrong(recipe) {
  if (recipe.kind !== "letters" && recipe.kind !== "pairs") return m("A model reads letters or pairs.");
  for (const [name, [least, most]] of Object.entries(LIMITS)) {
    const value = /** @type {any} */ (recipe)[name];
    if (typeof value !== "number" || !(name === "rate" || Number.isInteger(value))) return m("{name} must be a whole number.", { name });
    if (!(value >= least && value <= most)) return m("{name} is {value}; it must be from {least} to {most}.", { name, value: decimal(String(value)), least: decimal(String(least)), most: decimal(String(most)) });
  }
  const { width, heads } = recipe;
  return width % heads || (width / heads) % 2 ? m("{heads} heads do not share a width of {width} in even parts, as positions need it.", { heads, width }) : "";
}

/** A recipe in one word, for links: "letters-256-2-4-96-64-16-0.004-400-0". @param {Recipe} recipe */
export function code(recipe) {
  return ["kind", "pairs", "layers", "heads", "width", "window", "batch", "rate", "steps", "seed"].map((name) => {
    const value = /** @type {any} */ (recipe)[name];
    if (name !== "rate") return String(value);
    const short = String(value), [, power] = short.split("e-");
    return power ? value.toFixed(Number(power) + short.split("e")[0].replace(".", "").length - 1) : Number.isInteger(value) ? `${short}.0` : short;
  }).join("-");
}

/** The recipe of a word from `code`; the usual one if it is none. @param {string} word @returns {Recipe} */
export function read(word) {
  const [kind, ...numbers] = word.split("-");
  const [pairs, layers, heads, width, window, batch, rate, steps, seed] = numbers.map(Number);
  const made = /** @type {Recipe} */ ({ kind, pairs, layers, heads, width, window, batch, rate, steps, seed });
  return numbers.length === 9 && !wrong(made) ? made : { ...usual };
}

/** What a model learns from, and the end of the text, which is held out. @param {string} text @returns {[string, string]} */
export function parted(text) {
  const letters = [...text], cut = letters.length - Math.max(1, Math.trunc(HELD * letters.length));
  return [letters.slice(0, cut).join(""), letters.slice(cut).join("")];
}

/** Why a text cannot be learned, in a sentence; "" if it can. @param {string} text */
export function unfit(text) {
  if (!text.isWellFormed()) return m("The text holds halves of letters, as a damaged file does.");
  const letters = [...text].length;
  if (letters >= LEAST_TEXT && letters <= MOST_TEXT) return "";
  return mn("The text has {count} character; a model learns from {least} to {most}.", "The text has {count} characters; a model learns from {least} to {most}.", letters,
    { count: grouped(letters), least: grouped(LEAST_TEXT), most: grouped(MOST_TEXT) });
}
