// What the picture of a trajectory says: its layers, positions and contributions, in words.
import { written } from "../runtime/shared.js";

/** The names of all depths; the first has no axis, and so no number. */
export function stepsOf({ layers }) {
  return Array.from({ length: layers + 1 }, (_, depth) => (depth ? `layer ${depth} of ${layers}` : "learned vector"));
}

export function positionSaid({ sides }, side, depth, digits = 2) {
  return depth ? written(sides[side].position[depth - 1], { digits }) : "no position yet";
}

/** The end towards which a number leads. */
export const towards = ({ ends }, value) => (value < 0 ? ends.low : ends.high);

/** All that stands at one depth, as a sentence. */
export function roundSaid(data, depth) {
  const { sides } = data;
  if (!depth) return "The learned vector: one point, the same in every sentence.";
  return `After layer ${depth}: ${sides.map(({ word, name, position }, i) => (
    `${word} in ${name} at ${positionSaid(data, i, depth)}, on the side of ${towards(data, position[depth - 1])}`
  )).join("; ")}.`;
}

/** What a word of a sentence adds to the position. */
export function addsSaid(data, value) {
  if (value === null) return "not a word of its own to the model";
  const exact = written(value, { digits: 4, plus: true });
  return Math.abs(value) < 5e-5 ? `adds ${exact}` : `adds ${exact}, towards ${towards(data, value)}`;
}

/** Of one layer, where it is known: `lines`, the word that adds most; `sums`, how the position adds up, exactly. */
export const sumOf = ({ adds }, depth, how = "sums") => (depth && adds?.[how][depth - 1]) || "";

export function lineSaid(data, side, depth) {
  if (!depth) return "One learned vector, before any layer: it knows nothing of its sentence yet.";
  return sumOf(side, depth, "lines") || (data.wants ? "…" : (data.why ?? ""));
}

/** The longest of all lines: the room that is kept for each. */
export const roomOf = ({ adds }) => (adds ? adds.lines.reduce((a, b) => (b.length > a.length ? b : a)) : "");
