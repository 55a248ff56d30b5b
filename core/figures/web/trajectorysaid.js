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

const MOST_MARKS = 3; // special tokens that are named

/** How the position of one layer adds up, as parts with their names; null where it is not known. */
export function sumOf({ adds, position, chosen, parts, word, special }, depth) {
  if (!depth || !adds) return null;
  const row = adds.parts[depth - 1], own = row[chosen] ?? 0, marks = [...new Set(special)];
  const others = row.reduce((sum, value, i) => sum + (i === chosen ? 0 : value ?? 0), 0);
  const found = [[`${word} itself`, own], ["model’s constants", adds.bias[depth - 1]],
    ["axis’s zero", adds.offset[depth - 1]]];
  if (special.length || adds.special[depth - 1]) {
    const named = marks.length && marks.length <= MOST_MARKS ? marks.join(", ") : "special tokens";
    found.splice(1, 0, [named, adds.special[depth - 1]]);
  }
  if (parts.some((part, i) => i !== chosen && part.trim())) found.unshift(["other words", others]);
  return { parts: found, whole: position[depth - 1] };
}

/** The parts in hundredths, as they are printed: the first takes what rounding leaves, and they make the whole. */
export function hundredths({ parts, whole }) {
  const round = (value) => Math.sign(value) * Math.round(100 * Number(Math.abs(value).toFixed(2)));
  const [, ...rest] = parts.map(([, value]) => round(value));
  return [round(whole) - rest.reduce((sum, value) => sum + value, 0), ...rest];
}

const RULE = "Printed with two decimals, the first part takes what rounding leaves.";

/** The sum with four decimals, and how it is rounded. */
export function sumExactly(side, depth) {
  const sum = sumOf(side, depth), exact = { digits: 4, plus: true };
  if (!sum) return "";
  const text = sum.parts.map(([name, value]) => `${name} ${written(value, exact)}`).join(", ");
  return `${text} = ${written(sum.whole, { digits: 4 })}, after layer ${depth}. ${RULE}`;
}

export function sumSaid(data, side, depth) {
  const sum = sumOf(side, depth);
  if (!depth) return "One learned vector, before any layer: it knows nothing of its sentence yet.";
  if (!sum) return data.wants ? "…" : (data.why ?? "");
  const printed = hundredths(sum);
  const text = sum.parts.map(([name], i) => itemOf(name, printed[i] / 100)).join(BETWEEN);
  return `${text}\u00a0=\u00a0${written(sum.whole, { digits: 2 })}`;
}

/** A part of the sum, which no line breaks. */
const BETWEEN = "\u00a0· ";
const itemOf = (name, value) => `${name} ${written(value, { digits: 2, plus: true })}`.replaceAll(" ", "\u00a0");

/** A text as long as a sum at any layer: the room that is kept for it. */
export function roomOf(data, side) {
  const sum = sumOf(side, 1);
  return sum ? `${sum.parts.map(([name]) => itemOf(name, -1)).join(BETWEEN)}\u00a0=\u00a0−0.00` : "";
}
