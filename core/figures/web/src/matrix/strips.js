// A few vectors as strips of colour, one above the other, on one signed scale.
/** @import { Emit, Look, Palette, Root, Sent, Shape } from "../types" */
/** @import { StripsHeader } from "../headers" */
/** @import { Grid, GridKind, GridPlan } from "../runtime/grid.js" */
import { m } from "../runtime/language.js";
import { fitted, widthOf } from "../runtime/shared.js";
import { legendHeight, legendOf } from "../draw/cells.js";
import { mount } from "../runtime/grid.js";

const GAP = 8; // pixels between two strips

/**
 * @param {Pick<Grid<StripsHeader>, "header" | "columns" | "width">} grid
 * @param {Look} look
 * @param {Palette} palette
 * @param {number} ratio
 * @returns {GridPlan}
 */
export function stripsPlan({ header, columns, width }, look, palette, ratio) {
  const { size } = look, count = header.rows.length;
  const names = header.rows.map((name) => fitted(name, 0.3 * width, look, true));
  const snap = (/** @type {number} */ pixels) => (ratio === Infinity ? pixels : Math.round(pixels * ratio) / ratio);
  const x = snap(Math.ceil(Math.max(...names.map((name) => widthOf(name, look, true)))) + 10);
  const y = 2, wide = snap(width - x - 3);
  const notes = [...(header.scale.notes ?? [])];
  const under = Math.ceil(columns / (wide * ratio));
  if (under > 1) notes.push(m("each dot is the strongest of {count} numbers", { count: under }));
  const high = snap(header.height - y - 1.6 * size - legendHeight(look, 1 + notes.length) - 12);
  const step = high / count, pitch = wide / columns;
  /** @type {Shape[]} */
  const shapes = [];
  names.forEach((text, i) => shapes.push({
    text, size, bold: true, x: x - 8, y: y + (i + 0.5) * step - GAP / 2, anchor: "end",
    fill: header.colours[i] ?? look.ink, part: "row",
  }));
  for (let i = 0; i < count; i++) {
    shapes.push({ rect: [x - 0.5, y + i * step - 0.5, wide + 1, step - GAP + 1], stroke: look.line });
  }
  const ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
    .find((every) => every * pitch >= 5 * size) ?? columns;
  for (let i = 0; i < columns; i += ticks) {
    const middle = x + (i + 0.5) * pitch;
    shapes.push({ rect: [Math.round(middle), y + high - GAP + 2, 1, 4], fill: look.muted });
    shapes.push({
      text: String(i), size: 0.92 * size, x: middle, y: y + high + 0.7 * size, anchor: "middle",
      fill: look.muted, part: "column",
    });
  }
  const legend = legendOf(header.scale, palette, look, width, x, y + high + 1.6 * size + 6, notes, header.number);
  shapes.push(...legend.shapes);
  return {
    x, y, width: wide, height: high, gapX: 0, gapY: GAP, gapColour: look.paper, shapes,
    bar: legend.bar, end: Math.max(x + wide, legend.end),
  };
}

/** @type {GridKind<StripsHeader>} */
const KIND = {
  get roledescription() { return m("strips of numbers"); },
  page: [0, 10],
  plan: stripsPlan,
  name: (header, row, column) => [header.rows[row], m(", dimension "), String(column)],
  rowsOfTable: (header) => [...header.rows.keys()],
  ofWhat: () => "",
};

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return mount(root, sent, emit, KIND);
}
