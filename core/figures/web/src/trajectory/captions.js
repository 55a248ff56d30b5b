// The captions of a trajectory: its layers, positions and contributions, in words.
/** @import { SideHeader, TrajectoryHeader } from "../headers" */
import { m } from "../runtime/language.js";
import { written } from "../runtime/shared.js";

/**
 * The names of all depths; the first has no axis and therefore no number.
 * @param {Pick<TrajectoryHeader, "layers">} header
 */
export function depthNames({ layers }) {
  return Array.from({ length: layers + 1 }, (_, depth) => (depth ? m("layer {layer} of {layers}", { layer: depth, layers }) : m("learned vector")));
}

/**
 * @param {TrajectoryHeader} header
 * @param {number} side
 * @param {number} depth
 * @param {number} digits
 */
export function positionText({ sides }, side, depth, digits = 2) {
  return depth ? written(sides[side].position[depth - 1], { digits }) : m("no position yet");
}

/**
 * The paths of the word without a sentence: one, or one for each side if these are two words.
 * @param {Pick<TrajectoryHeader, "sides">} header
 */
export function alonePaths({ sides }) {
  const [first, second] = sides, same = !second || second.alone.every((value, i) => value === first.alone[i]);
  return same ? [{ name: m("alone"), word: first.word, position: first.alone }]
    : sides.map(({ name, word, alone }) => ({ name: m("{word} alone", { word: name }), word, position: alone }));
}

/**
 * The end towards which a number leads.
 * @param {TrajectoryHeader} header
 * @param {number} value
 */
export const towards = ({ ends }, value) => (value < 0 ? ends.low : ends.high);

/**
 * Everything at one depth, as a sentence.
 * @param {TrajectoryHeader} header
 * @param {number} depth
 */
export function depthCaption(header, depth) {
  const { sides } = header;
  if (!depth && header.two) return m("The learned vectors, before any position or layer: in B it is another token than in A, with a vector of its own.");
  if (!depth) return m("The learned vector: one point, the same in every sentence.");
  const alone = alonePaths(header).map(({ word, position }) => m("{word} alone at {at}", { word, at: written(position[depth - 1], { digits: 2 }) }));
  const where = sides.map(({ word, name, position }, i) => m("{word} in {name} at {at}, on the side of {end}", {
    word, name, at: positionText(header, i, depth), end: towards(header, position[depth - 1]),
  }));
  return m("After layer {layer}: {where}.", { layer: depth, where: [...where, ...alone].join("; ") });
}

/**
 * The contribution of a word to the position.
 * @param {TrajectoryHeader} header
 * @param {number | null} value
 */
export function contributionText(header, value) {
  if (value === null) return m("the model does not read this as a word of its own");
  const exact = written(value, { digits: 4, plus: true });
  return Math.abs(value) < 5e-5 ? m("adds {number}", { number: exact }) : m("adds {number}, towards {end}", { number: exact, end: towards(header, value) });
}

/**
 * A caption of one layer, if known.
 * @param {SideHeader} side
 * @param {number} depth
 * @param {"lines" | "sums"} which "lines": the word that adds most; "sums": how the position adds up, exactly
 */
export const sumOf = ({ adds }, depth, which = "sums") => (depth && adds?.[which][depth - 1]) || "";

/**
 * The text below a sentence.
 * @param {TrajectoryHeader} header
 * @param {SideHeader} side
 * @param {number} depth
 */
export function sideCaption(header, side, depth) {
  if (!depth && header.two) return m("In {name} it begins with a learned vector of its own: it is not the same token in A and B.", { name: side.name });
  if (!depth) return m("One learned vector, before any position or layer: it starts here.");
  return sumOf(side, depth, "lines") || (header.awaitsContributions ? "…" : (header.whyNone ?? ""));
}

/**
 * The longest of all captions: this much room is reserved for each.
 * @param {SideHeader} side
 */
export const longestLine = ({ adds }) => (adds ? adds.lines.reduce((a, b) => (b.length > a.length ? b : a)) : "");
