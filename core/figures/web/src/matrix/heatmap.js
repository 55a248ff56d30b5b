// One matrix of numbers between two lists of tokens: rows are queries, columns are keys.
import { hatching, missingHatch } from "../draw/hatch.js";
import { Mask } from "./masks.js";
import { matrixPlan } from "./matrixplan.js";
import { mount } from "../runtime/grid.js";

function hatchedPlan(picture, look, palette, ratio) {
  const plan = matrixPlan(picture, look, palette, ratio), { values, rows, columns } = picture;
  plan.shapes.unshift(...missingHatch(values, rows, columns, plan, look));
  const mask = maskOf(picture);
  if (mask.any) {
    const spans = mask.spans([...Array(rows).keys()], [...Array(columns).keys()]);
    plan.shapes.unshift(...hatching(spans, columns, plan, look, "masked"));
  }
  return plan;
}

const maskOf = ({ header, rows, columns }) => new Mask(header.scale.masked ?? {}, rows, columns);

const KIND = {
  roledescription: "heatmap",
  page: [10, 0],
  plan: hatchedPlan,
  said: (picture, row, column) => (maskOf(picture).hides(row, column) ? "masked" : null),
  name: (header, row, column) =>
    [header.rows[row], header.scale.between ?? " → ", header.columns[column]],
  rowsOfTable: (header) => header.marked.rows.length ? header.marked.rows : [...header.rows.keys()],
  ofWhat: (header) => header.marked.rows.length ? " of the marked rows" : "",
};

export function render(root, data, emit) {
  return mount(root, data, emit, KIND);
}
