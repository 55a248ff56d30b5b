// What the picture of a trajectory says: its layers, positions and contributions, in words.
import { written } from "./shared.js";

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

/** How the position of one layer adds up, as parts with their names; null where it is not known. */
export function sumOf({ adds, position }, depth) {
  if (!depth || !adds) return null;
  const row = adds.parts[depth - 1].reduce((sum, value) => sum + (value ?? 0), 0);
  return {
    parts: [["words", row], ["special", adds.special[depth - 1]], ["bias", adds.bias[depth - 1]],
      ["axis", adds.offset[depth - 1]]],
    whole: position[depth - 1],
  };
}

export function sumSaid(data, side, depth) {
  const sum = sumOf(side, depth);
  if (!depth) return "One learned vector, before any layer: it knows nothing of its sentence yet.";
  if (!sum) return data.wants ? "…" : (data.why ?? "");
  const text = sum.parts.filter(([, value]) => Math.abs(value) >= 5e-3 || value === sum.parts[0][1])
    .map(([name, value]) => `${name} ${written(value, { digits: 2, plus: true })}`).join(", ");
  return `${text} = ${written(sum.whole, { digits: 2 })}`;
}
