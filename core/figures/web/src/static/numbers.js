// The numbers of a picture as a table, and as a file for a spreadsheet, with the columns of the app's.
/** @import { Made } from "../derive/packed.js" */
/** @import { LinesHeader, TrajectoryHeader } from "../headers" */
import { m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { layerName } from "../derive/labels.js";
import { sentence } from "../derive/sentences.js";
import { stripped } from "../engine/words.js";
import { save } from "../runtime/saving.js";
import { h } from "./dom.js";

/** @typedef {{ columns: string[], rows: { name: string, numbers: number[] }[] }} Table */

/**
 * The positions of the word after each layer, alone, and what each part of the sentence adds, if that is known: `table` of
 * `pages/compare/verdict.py`.
 * @param {TrajectoryHeader} header
 * @param {(side: "A" | "B") => boolean} [hasSink] whether the first token of a sentence is the sink
 * @returns {Table}
 */
export function positionsTable({ sides }, hasSink = () => false) {
  const all = sides.flatMap(({ name, parts, position, alone, adds }) => {
    const own = [[`${name}: position`, position], [`${name}: alone`, alone]];
    if (!adds) return own;
    const words = parts.flatMap((part, i) => (adds.parts[0][i] === null ? [] : [[`${name}: ${stripped(part)} (${i})`, adds.parts.map((row) => row[i])]]));
    const none = hasSink(/** @type {"A" | "B"} */ (name)) ? CONSTANTS.sink : sentence("trajectory.special");
    return [...own, ...words, [`${name}: ${none}`, adds.otherParts], [`${name}: ${sentence("trajectory.biases")}`, adds.otherParts.map(() => 0)]];
  });
  const columns = /** @type {[string, number[]][]} */ (all);
  return {
    columns: columns.map(([name]) => name),
    rows: sides[0].position.map((_, i) => ({ name: layerName(i), numbers: columns.map(([, numbers]) => numbers[i]) })),
  };
}

/**
 * The numbers of lines, a column each.
 * @param {Made<LinesHeader>} made
 * @returns {Table}
 */
export function linesTable({ header: { lines, steps }, payload }) {
  const numbers = new Float32Array(payload.slice().buffer);
  return {
    columns: lines.map(({ name }) => name),
    rows: steps.map((name, i) => ({ name, numbers: lines.map((_, line) => numbers[line * steps.length + i]) })),
  };
}

/** @param {number} x nine digits, as in the app's files: C's "%.9g" */
function exact(x) {
  const [digits, power] = x.toExponential(8).split("e"), size = Number(power);
  if (size >= -4 && size < 9) return String(Number(x.toFixed(8 - size)));
  return `${Number(digits)}e${size < 0 ? "-" : "+"}${String(Math.abs(size)).padStart(2, "0")}`;
}

const { cuts: CUTS, ...PATTERNS } = CONSTANTS.spreadsheet; // `core/spreadsheet.py`
const NUMBER = new RegExp(`^(?:${PATTERNS.number})$`), FORMULA = new RegExp(PATTERNS.formula, "g"), BLANK = new RegExp(PATTERNS.blank);
/**
 * Whether only blanks stand between this sign and the beginning of a cell.
 * @param {string} cell @param {number} at
 */
function begins(cell, at) {
  for (; at && BLANK.test(cell[at - 1]); at--) if (CUTS.includes(cell[at - 1])) return true;
  return at === 0 || CUTS.includes(cell[at - 1]);
}
/** @param {string} cell one that a spreadsheet does not take for a formula */
export const inert = (cell) =>
  NUMBER.test(cell) ? cell
    : (/^[\t\r\n]/.test(cell) ? "'" : "") + cell.replace(FORMULA, (sign, /** @type {number} */ at) => (begins(cell, at) ? `'${sign}` : sign));
/** @param {string} cell */
const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** @param {Table} table @param {string} [first] the name of the first column */
export const csvOf = ({ columns, rows }, first = "after") =>
  [[first, ...columns].map(inert), ...rows.map(({ name, numbers }) => [inert(name), ...numbers.map(exact)])].map((row) => `${row.map(quoted).join(",")}\n`).join("");

/** @param {Table} table @param {string} file the name of its file, without an ending */
export function numbersOf(table, file) {
  const cells = (/** @type {number} */ x) => h("td", {}, x.toFixed(3).replace("-", "−"));
  return h("div", { class: "numbers" },
    h("table", {},
      h("thead", {}, h("tr", {}, ...["after", ...table.columns].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...table.rows.map(({ name, numbers }) => h("tr", {}, h("th", { scope: "row" }, name), ...numbers.map(cells))))),
    h("button", { type: "button", click: () => save(new Blob([csvOf(table)], { type: "text/csv" }), `${file}.csv`) }, m("Save as CSV")));
}
