// A table of positions: each row a place, each column a number of its vector. Sinusoidal ones are worked
// out here from the rates of their pairs, so that a table of a million numbers is sent as 4 kB.
import { matrixPlan } from "./matrixplan.js";
import { mount } from "../runtime/grid.js";
import { unpack } from "../runtime/shared.js";

const wave = (column) => (column % 2 ? "cos" : "sin");

/** All numbers, where the bytes hold the rates alone. */
function grown(bytes) {
  const { header, values: sent } = unpack(bytes);
  if (header.waves === null) return { header, values: sent };
  const rates = new Float64Array(sent.buffer), columns = header.columns.length;
  const values = new Float32Array(header.rows.length * columns);
  for (let i = 0; i < values.length; i++) {
    const column = i % columns, angle = ((i - column) / columns) * rates[column >> 1];
    values[i] = Math[wave(column)](angle);
  }
  return { header, values };
}

/** A number of the table by its place, and of waves by its formula. */
function nameOf({ rows, columns, of, waves }, row, column) {
  if (waves === null) return [`${of[0]} ${rows[row]}`, ", ", `${of[1]} ${columns[column]}`];
  const { base } = waves, power = `${column - (column % 2)}/${columns.length}`;
  return [`PE(${row}, ${column})`, " = ", `${wave(column)}(${row} / ${base}^(${power}))`];
}

const KIND = {
  unpack: grown,
  roledescription: "heatmap",
  page: [10, 0],
  plan: matrixPlan,
  name: nameOf,
  rowsOfTable: (header) => header.marked.rows.length ? header.marked.rows : [...header.rows.keys()],
  ofWhat: (header) => header.marked.rows.length ? " of the marked rows" : "",
};

export function render(root, data, emit) {
  return mount(root, data, emit, KIND);
}
