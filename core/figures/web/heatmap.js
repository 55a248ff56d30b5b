// One matrix of numbers between two lists of tokens: rows look, columns are looked at.
import { matrixPlan } from "./matrixplan.js";
import { mount } from "./grid.js";

const KIND = {
  roledescription: "heatmap",
  page: [10, 0],
  plan: matrixPlan,
  name: (header, row, column) =>
    [header.rows[row], header.scale.between ?? " → ", header.columns[column]],
  rowsOfTable: (header) => header.marked.rows.length ? header.marked.rows : [...header.rows.keys()],
  ofWhat: (header) => header.marked.rows.length ? " of the marked rows" : "",
};

export function render(root, data, emit) {
  return mount(root, data, emit, KIND);
}
