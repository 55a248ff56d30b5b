// Slanted lines over cells of a heatmap: masked cells slant one way, missing ones the other.
/** @import { Look, PathShape, RGB, Run } from "../types" */
/** @typedef {{ x: number, y: number, width: number, height: number }} Rectangle */
import { mix } from "../runtime/shared.js";

const HATCH = 7; // pixels between two lines

/** @param {Pick<Look, "paper" | "ink">} look */
export const hatchColour = ({ paper, ink }) => mix(paper, ink, 0.28);

/**
 * Hatching over cells without a number.
 * @param {Float32Array} values
 * @param {number} rows
 * @param {number} columns
 * @param {Rectangle} plan
 * @param {Look} look
 */
export function missingHatch(values, rows, columns, plan, look) {
  if (!values.some(Number.isNaN)) return [];
  const spans = Array.from({ length: rows }, (_, r) =>
    runsOf(columns, (c) => Number.isNaN(values[r * columns + c])));
  return hatching(spans, columns, plan, look, "missing");
}

/**
 * Hatching over rows that are missing as a whole.
 * @param {number} rows
 * @param {number} columns
 * @param {(r: number) => boolean} is
 * @param {Rectangle} plan
 * @param {Look} look
 */
export function missingRowsHatch(rows, columns, is, plan, look) {
  const spans = Array.from({ length: rows }, (_, r) => runsOf(is(r) ? columns : 0, () => true));
  return hatching(spans, columns, plan, look, "missing");
}

/**
 * The runs of consecutive indices for which a condition holds.
 * @param {number} count
 * @param {(c: number) => boolean} is
 */
export function runsOf(count, is) {
  /** @type {Run[]} */
  const found = [];
  for (let c = 0; c < count; c++) {
    if (!is(c)) continue;
    const last = found.at(-1);
    if (last?.[1] === c) last[1]++;
    else found.push([c, c + 1]);
  }
  return found;
}

/**
 * Each line from where it enters the covered area to where it leaves; none if nothing is covered.
 * @param {readonly (readonly Run[])[]} spans of each row
 * @param {number} columns
 * @param {Rectangle} box
 * @param {Look} look
 * @param {"masked" | "missing"} part
 * @returns {PathShape[]}
 */
export function hatching(spans, columns, { x, y, width, height }, look, part) {
  const rows = spans.length, high = height / rows, wide = width / columns, back = part === "missing";
  // Goes from right to left, like a line on its way down; for lines that slant the other way, everything is
  // mirrored.
  const covered = spans.map((some) => some
    .map(([from, to]) => (back ? [width - to * wide, width - from * wide] : [from * wide, to * wide]))
    .sort((one, other) => other[0] - one[0]));
  const number = (/** @type {number} */ value) => +value.toFixed(1);
  const at = (/** @type {number} */ u, /** @type {number} */ v) => `${number(x + (back ? width - u : u))} ${number(y + v)}`;
  let path = "";
  for (let sum = HATCH; sum < width + height; sum += HATCH) { // the line of all u + v = sum
    let top = NaN, bottom = NaN; // of the current line
    const end = () => {
      if (!Number.isNaN(top)) path += `M${at(sum - top, top)}L${at(sum - bottom, bottom)}`;
    };
    const last = Math.min(rows - 1, Math.floor(sum / high));
    for (let r = Math.max(0, Math.floor((sum - width) / high)); r <= last; r++) {
      for (const [left, right] of covered[r]) {
        const from = Math.max(r * high, sum - right), to = Math.min((r + 1) * high, sum - left);
        if (to <= from) continue;
        if (!(from - bottom <= 0.01)) {
          end();
          top = from;
        }
        bottom = to;
      }
    }
    end();
  }
  return path ? [{ path, stroke: hatchColour(look), wide: 1, part }] : [];
}
