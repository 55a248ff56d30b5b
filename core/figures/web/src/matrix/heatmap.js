// One matrix of numbers between two lists of tokens: rows are queries, columns are keys. This file decides
// what it shows; `runtime/grid.js` paints the cells, handles the keys and reads cells aloud. On Heads,
// `layer/head.js` draws single heads.
/** @import { Emit, Look, Palette, Root, Sent } from "../types" */
/** @import { HeatmapHeader } from "../headers" */
/** @import { Grid, GridKind } from "../runtime/grid.js" */
import { m } from "../runtime/language.js";
import { hatching, missingHatch } from "../draw/hatch.js";
import { Mask } from "./masks.js";
import { matrixPlan } from "./matrixplan.js";
import { mount } from "../runtime/grid.js";

/**
 * @param {Grid<HeatmapHeader>} grid
 * @param {Look} look
 * @param {Palette} palette
 * @param {number} ratio
 */
function hatchedPlan(grid, look, palette, ratio) {
  const plan = matrixPlan(grid, look, palette, ratio), { values, rows, columns } = grid;
  plan.shapes.unshift(...missingHatch(values, rows, columns, plan, look));
  const mask = maskOf(grid);
  if (mask.any) {
    const spans = mask.spans([...Array(rows).keys()], [...Array(columns).keys()]);
    plan.shapes.unshift(...hatching(spans, columns, plan, look, "masked"));
  }
  return plan;
}

/** @param {Grid<HeatmapHeader>} grid */
const maskOf = ({ header, rows, columns }) => new Mask(header.scale.masked ?? {}, rows, columns);

/** @type {GridKind<HeatmapHeader>} */
const KIND = {
  get roledescription() { return m("heatmap"); },
  page: [10, 0],
  plan: hatchedPlan,
  said: (grid, row, column) => (maskOf(grid).hides(row, column) ? m("masked") : null),
  name: (header, row, column) =>
    [header.rows[row], header.scale.between ?? " → ", header.columns[column]],
  rowsOfTable: (header) => [...(header.marked.rows.length ? header.marked.rows : header.rows.keys())],
  ofWhat: (header) => header.marked.rows.length ? m(" of the marked rows") : "",
};

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return mount(root, sent, emit, KIND);
}
