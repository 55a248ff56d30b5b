// A table of positions: each row is a position, each column one number of its vector. Sinusoidal positions
// are computed here from the rates of their pairs, so that a table of a million numbers is sent as 4 kB.
/** @import { Emit, Root, Sent, Unpacked } from "../types" */
/** @import { PlacesHeader } from "../headers" */
/** @import { GridKind } from "../runtime/grid.js" */
import { m } from "../runtime/language.js";
import { matrixPlan } from "./matrixplan.js";
import { mount } from "../runtime/grid.js";
import { unpack } from "../runtime/shared.js";

const wave = (/** @type {number} */ column) => (column % 2 ? "cos" : "sin");

/**
 * All numbers, if the bytes contain only the rates.
 * @param {Uint8Array} bytes
 * @returns {Unpacked<PlacesHeader>}
 */
export function sinusoids(bytes) {
  /** @type {Unpacked<PlacesHeader>} */
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

/** @type {GridKind<PlacesHeader>} */
export const KIND = {
  unpack: sinusoids,
  get roledescription() { return m("heatmap"); },
  page: [10, 0],
  plan: matrixPlan,
  /** The text for a number of the table: its position, and for sinusoids its formula. */
  name({ rows, columns, of, waves }, row, column) {
    if (waves === null) return [`${of[0]} ${rows[row]}`, ", ", `${of[1]} ${columns[column]}`];
    const { base } = waves, power = `${column - (column % 2)}/${columns.length}`;
    return [`PE(${row}, ${column})`, " = ", `${wave(column)}(${row} / ${base}^(${power}))`];
  },
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
