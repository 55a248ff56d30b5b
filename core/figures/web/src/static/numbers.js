// The numbers of a picture as a table, and as a file for a spreadsheet, with the columns of the app's.
/** @import { Made } from "../fromtrace/packed.js" */
/** @import { LinesHeader, TrajectoryHeader } from "../headers" */
import { layerName } from "../fromtrace/labels.js";
import { save } from "../runtime/saving.js";
import { h } from "./dom.js";

/** @typedef {{ columns: string[], rows: { name: string, numbers: number[] }[] }} Table */

/**
 * The positions of the word after each layer: `pages/compare/verdict.py`, without what each word adds.
 * @param {TrajectoryHeader} header
 * @returns {Table}
 */
export function positionsTable({ sides }) {
  const columns = sides.map(({ name }) => `${name}: position`);
  return { columns, rows: sides[0].position.map((_, i) => ({ name: layerName(i), numbers: sides.map(({ position }) => position[i]) })) };
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

/** @param {number} x nine digits, as in the app's files */
const exact = (x) => String(Number(x.toPrecision(9)));
/** @param {string} cell */
const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** @param {Table} table @param {string} [first] the name of the first column */
export const csvOf = ({ columns, rows }, first = "after") =>
  [[first, ...columns], ...rows.map(({ name, numbers }) => [name, ...numbers.map(exact)])].map((row) => `${row.map(quoted).join(",")}\n`).join("");

/** @param {Table} table @param {string} file the name of its file, without an ending */
export function numbersOf(table, file) {
  const cells = (/** @type {number} */ x) => h("td", {}, x.toFixed(3).replace("-", "−"));
  return h("div", { class: "numbers" },
    h("table", {},
      h("thead", {}, h("tr", {}, ...["after", ...table.columns].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...table.rows.map(({ name, numbers }) => h("tr", {}, h("th", { scope: "row" }, name), ...numbers.map(cells))))),
    h("button", { type: "button", click: () => save(new Blob([csvOf(table)], { type: "text/csv" }), `${file}.csv`) }, "Save as CSV"));
}
