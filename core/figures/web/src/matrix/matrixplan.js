// Where everything of a matrix with named rows and columns stands: labels, frames, signs, the scale.
import { fitted, light, thinned, widthOf, wrapped } from "../runtime/shared.js";
import { legendHeight, legendOf } from "../draw/cells.js";

const SLANT = (60 * Math.PI) / 180;
const LONGEST = [104, 190]; // pixels of a label, at the usual size of letters; where there is room
const FEW = 32; // up to so many columns, cells may be much wider than high

/** Where everything stands; `ratio` is how many pixels of the device one of the page has. */
export function matrixPlan({ header, values, columns, width }, look, palette, ratio) {
  const { size } = look, count = header.rows.length, total = header.height;
  const [least, largest] = LONGEST.map((pixels) => (pixels * size) / 12.8);
  // A slanted label takes of the height, and the last one leans out of the width.
  const longest = Math.max(least, Math.min(largest, 0.3 * total, (0.2 * width - size) / Math.cos(SLANT)));
  const marked = { rows: new Set(header.marked.rows), columns: new Set(header.marked.columns) };
  const cut = (names, most, bold) => names.map((name, i) => fitted(name, most, look, bold.has(i)));
  const rowNames = cut(header.rows, Math.min(longest, 0.28 * width), marked.rows);
  const columnNames = cut(header.columns, longest, marked.columns);
  const long = (names, bold) => names.map((name, i) => widthOf(name, look, bold.has(i)));
  const columnWidths = long(columnNames, marked.columns), widest = Math.max(...columnWidths);
  const left = Math.ceil(Math.max(...long(rowNames, marked.rows))) + 9;

  // Columns: flat labels where they fit, slanted ones else, which lean out to the right.
  const most = columns <= FEW ? 72 : Math.max((2 * total) / count, total / columns);
  let right = 3, pitch = 0, flat = false;
  for (let i = 0; i < 3; i++) {
    pitch = Math.min(most, (width - left - right) / columns);
    flat = widest + 10 <= pitch;
    const lean = columnWidths.map((w, c) => (c + 0.5 - columns) * pitch + w * Math.cos(SLANT) + size);
    right = flat ? 3 : Math.min(0.2 * width, Math.max(3, ...lean));
  }
  const snap = (x) => (ratio === Infinity ? x : Math.round(x * ratio) / ratio);
  const top = snap(flat ? 1.7 * size : Math.max(5.2 * size, widest * Math.sin(SLANT) + 1.1 * size));
  const x = snap(left), wide = snap(pitch * columns);

  // Rows: what the labels above and the legend below leave.
  const [title, ...more] = wrapped(header.scale.title, width - 4, look, 3);
  const said = (header.scale.notes ?? []).flatMap((text) => wrapped(text, width - 4, look, 3));
  const notes = [...more, ...said];
  const lines = 1 + notes.length;
  let room = total - top - legendHeight(look, lines) - 14;
  const perX = Math.ceil(columns / (wide * ratio)), perY = () => Math.ceil(count / (room * ratio));
  if (perX > 1 || perY() > 1) {
    room -= legendHeight(look, 2) - legendHeight(look, 1);
    notes.push(`each dot is the strongest of ${perY()}×${perX} cells`);
  }
  const high = snap(Math.min(room, 40 * count));
  const step = high / count, y = top;

  const shapes = [{ rect: [x - 0.5, y - 0.5, wide + 1, high + 1], stroke: look.line }];
  const label = (text, i, bold, place) => shapes.push({
    text, size, ...place, bold: bold.has(i), fill: bold.has(i) ? header.marked.colour : look.ink,
  });
  for (const i of thinned(count, step, 1.12 * size, header.marked.rows, rowNames)) {
    label(rowNames[i], i, marked.rows,
      { x: x - 7, y: y + (i + 0.5) * step, anchor: "end", part: "row" });
  }
  const need = flat ? 0 : (1.12 * size) / Math.sin(SLANT);
  for (const i of thinned(columns, pitch, need, header.marked.columns, columnNames)) {
    const middle = x + (i + 0.5) * pitch;
    label(columnNames[i], i, marked.columns, flat
      ? { x: middle, y: y - 0.9 * size, anchor: "middle", part: "column" }
      : { x: middle + 0.2 * size, y: y - 0.55 * size, turn: -60, part: "column" });
  }
  if (header.scale.kind === "signed") shapes.push(...signs(values, columns, look, palette, x, y, pitch, step));
  for (const [from, to] of runs(header.marked.rows)) {
    const at = y + from * step, tall = (to - from) * step, colour = header.marked.colour;
    if (step >= 5) {
      shapes.push({ rect: [x - 1, at - 1, wide + 1.5, tall + 1.5], stroke: colour, wide: 2 });
    } else { // a frame would cover the row, or its neighbours: a mark at either end
      for (const end of [x - 6, x + wide + 1]) shapes.push({ rect: [end, at - 0.5, 5, tall + 1], fill: colour });
    }
  }
  if (header.marked.framed && pitch >= 5) {
    for (const [from, to] of runs(header.marked.columns)) {
      const rect = [x + from * pitch - 1, y - 1, (to - from) * pitch + 1.5, high + 1.5];
      shapes.push({ rect, stroke: header.marked.colour, wide: 2, part: "column frame" });
    }
  }
  const legend = legendOf({ ...header.scale, title }, palette, look, width, x, y + high + 12, notes, header.number);
  shapes.push(...legend.shapes);
  const gap = Math.min(pitch, step) >= 7 ? 1 : 0;
  return {
    x, y, width: wide, height: high, gapX: gap, gapY: gap, gapColour: look.line, shapes,
    bar: legend.bar, end: Math.max(x + wide, legend.end),
  };
}

/** Neighbours as [first, after the last]. */
function runs(rows) {
  const found = [];
  for (const row of rows) {
    if (found.length && found.at(-1)[1] === row) found.at(-1)[1]++;
    else found.push([row, row + 1]);
  }
  return found;
}

/** The sign of each larger number, where there is room: not everybody can distinguish purple and green. */
function signs(values, columns, look, palette, x, y, pitch, step) {
  if (Math.min(pitch, step) < 1.2 * look.size) return [];
  const shapes = [];
  values.forEach((value, i) => {
    const at = palette.at(value); // of what is missing, the middle
    if (palette.strength(at) < 13) return;
    const apart = (colour) => Math.abs(light(colour) - light(palette.colours[at]));
    shapes.push({
      text: value < 0 ? "−" : "+", size: 0.9 * look.size, anchor: "middle",
      fill: apart(look.paper) > apart(look.ink) ? look.paper : look.ink,
      x: x + ((i % columns) + 0.5) * pitch, y: y + (Math.floor(i / columns) + 0.5) * step,
    });
  });
  return shapes;
}
