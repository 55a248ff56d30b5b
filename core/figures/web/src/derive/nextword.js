// The pictures of the page Next word, from what a model in the tab expects: `core/figures/next_word.py`,
// `core/figures/shaded.py` and `core/figures/branches.py`.
/** @import { BranchesHeader, NextwordHeader, ShadedHeader } from "../headers" */
/** @import { NextwordState } from "../states" */
/** @import { Made } from "./packed.js" */
import { decimal, mn } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { namedEdges, runsLeft, spelled, written } from "./labels.js";
import { floats } from "./packed.js";
import { HUE } from "./scales.js";
import { complete } from "./states.js";

const { shown: SHOWN, height: HEIGHT, shaded: SHADED, branches: BRANCHES } = CONSTANTS.nextWord;
const DIGITS = new RegExp(`[\\p{Nd}${SHADED.digits}]`, "u"); // what Python calls one

/**
 * The likeliest next tokens as bars, and all others as one.
 * @param {Float32Array} logits of all tokens, the largest first
 * @param {readonly string[]} texts the first of them as they are written in a text
 * @param {{ sentence: string, name: string, number: number | null, state?: Partial<NextwordState> }} more `number`: the one that would draw the next token
 * @returns {Made<NextwordHeader>}
 */
export function nextWord(logits, texts, { sentence, name, number, state = {} }) {
  const header = {
    labels: texts.map(spelled), shown: Math.min(SHOWN, texts.length), hue: HUE, number, height: HEIGHT, dtype: /** @type {const} */ ("float32"),
    sentence, file: `polysee-${name}`, state: /** @type {NextwordState} */ (complete("nextword", state, {})),
  };
  return { module: "nextword", header, payload: floats([logits]) };
}

/**
 * A text in lines, each piece on a background shaded by its number.
 * @param {readonly string[]} pieces the tokens as in the text
 * @param {Float32Array} values of each, 0 or more; NaN for a piece without a number
 * @param {{ unit: string, title?: string, most: number, notes: readonly string[], firstWritten: number | null, sentence: string, name: string }} more
 *   `most`: the end of the shades; `firstWritten`: the piece from which on the model has written
 * @returns {Made<ShadedHeader>}
 */
export function shadedText(pieces, values, { unit, title = unit, most, notes, firstWritten, sentence, name }) {
  const shown = pieces.map(asShown), beyond = values.filter((value) => value > most * (1 + 1e-6)).length;
  const note = mn("{count} number beyond {end} drawn in the strongest colour", "{count} numbers beyond {end} drawn in the strongest colour", beyond, { count: beyond, end: decimal(String(most)) });
  const lines = shown.join("").split("\n").reduce((sum, line) => sum + 1 + Math.floor([...line].length / SHADED.signs), 0);
  /** @type {ShadedHeader} */
  const header = {
    pieces: shown, labels: pieces.map(spelled), sides: shown.map(sideOf).join(""), left: runsLeft(shown), unit: written(unit),
    scale: { kind: "weights", root: false, hue: HUE, most, title: written(title), notes: beyond ? [note] : [] },
    number: { digits: 2, plus: false }, notes: notes.map(written), firstWritten: firstWritten === pieces.length ? null : firstWritten, chosen: null,
    height: SHADED.line * Math.min(SHADED.mostLines, lines) + SHADED.around, dtype: "float32", sentence, file: `polysee-${name}`,
  };
  return { module: "shaded", header, payload: floats([values]) };
}

/** A piece as it is drawn: spaces and line breaks stay, what cannot be seen is made visible. @param {string} piece */
const asShown = (piece) => piece.replaceAll("\r\n", "\n").split("\n").map((line) => namedEdges(written(line))).join("\n") || spelled(piece);

/** Where a piece runs: "r" to the left, "l" to the right; without a letter "d" for a number, or "n". @param {string} shown */
function sideOf(shown) {
  if (runsLeft([shown])) return "r";
  return /\p{L}/u.test(shown) ? "l" : DIGITS.test(shown) ? "d" : "n";
}

/**
 * A tree of tokens from left to right: where several were tried, it forks.
 * @param {readonly { parent: number, text: string, probability: number }[]} nodes each after its parent; −1 for the first
 * @param {{ chosen: number | null, sentence: string, name: string }} more `chosen`: the token at which the chosen path ends
 * @returns {Made<BranchesHeader>}
 */
export function branches(nodes, { chosen, sentence, name }) {
  const parents = nodes.map(({ parent }) => parent), ends = nodes.length - new Set(parents.filter((parent) => parent >= 0)).size;
  /** @type {BranchesHeader} */
  const header = {
    labels: nodes.map(({ text }) => spelled(text)), parents, left: runsLeft(nodes.map(({ text }) => text)), hue: HUE, chosen,
    height: BRANCHES.row * Math.min(ends, BRANCHES.mostRows) + BRANCHES.around, dtype: "float32", sentence, file: `polysee-${name}`,
  };
  return { module: "branches", header, payload: floats([Float32Array.from(nodes, ({ probability }) => Math.min(1, Math.max(0, probability)))]) };
}
