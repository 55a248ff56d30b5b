// Where the small maps of all heads stand by place: layers × heads.
import { thinned, widthOf, wrapped } from "../runtime/shared.js";
import { legendHeight, legendOf } from "../draw/cells.js";

export const WIDEST = 1.6; // a map is at most so much wider than high, or higher than wide
export const LARGEST = 170; // pixels of a map
const TIP = 84; // pixels below the maps: as high as what is said of a head may be
const APART = 8; // pixels between layers that take several lines

/** How heads break into lines so that maps are as large as can be: {per, lines, wide, high}. */
function broken(layers, heads, width, height, most) {
  let best = null;
  for (let lines = 1; lines <= Math.min(most, heads); lines++) {
    const per = Math.ceil(heads / lines), apart = lines > 1 ? APART : 0;
    const wide = Math.min(LARGEST, width / per), high = Math.min(LARGEST,
      (height - apart * layers) / (layers * lines));
    const least = Math.min(wide, high);
    if (!best || least > 1.15 * best.least) best = { per, lines, apart, wide, high, least };
  }
  const { wide, high } = best;
  return { ...best, wide: Math.min(wide, WIDEST * high), high: Math.min(high, WIDEST * wide) };
}

/** To whole pixels of the device: the nearest, and at least one but no more. */
export const whole = (ratio) => [(x) => Math.round(x * ratio) / ratio,
  (x) => Math.max(1, Math.floor(x * ratio)) / ratio];

/**
 * Places of everything: `boxes` [x, y] of each head's map, `order` the heads that are shown, `per` how
 * many stand in a line, `cell` the size of a map, `pitch` from one to the next.
 */
export function overviewPlan(picture, look, scale, palette, above, ratio) {
  const { header, width, order, most } = picture, { size } = look, { heads, layers } = header;
  const count = layers.length, [snap, down] = whole(ratio);
  const narrow = width < 520, names = narrow ? layers.map((name) => name.replace(/^Layer /, ""))
    : layers;
  const range = (from, to) => (from + 1 === to ? `${to}` : `${from + 1}–${to}`);
  const widest = (texts, bold) => Math.max(...texts.map((text) => widthOf(text, look, bold)));
  const numbers = Math.round(1.7 * size), under = underHeight(picture, look),
    name = Math.ceil(widest([...names, "layer"], true)) + 9;
  const breaks = (left, lines) =>
    broken(count, heads, width - left - 3, most - above - numbers - under, lines);
  let left = name, shape = breaks(left, 4);
  if (shape.lines > 1) { // the heads of each line are named beside it
    left += Math.ceil(widest([range(heads - 2, heads), "head"], false)) + 8;
    shape = breaks(left, 4);
  }
  const { per, lines, apart } = shape, many = lines > 1, gap = shape.wide > 34 ? 5 : 3;
  const pitch = [shape.wide, shape.high], cell = [down(pitch[0] - gap), down(pitch[1] - gap)];
  const x = snap(left), y = snap(above + numbers), shapes = [];
  const boxes = Array.from({ length: count * heads }, (_, i) => {
    const layer = Math.floor(i / heads), line = layer * lines + Math.floor((i % heads) / per);
    return [snap(x + ((i % heads) % per) * pitch[0]), snap(y + line * pitch[1] + layer * apart)];
  });
  const small = { size: 0.92 * size, fill: look.muted };
  const middle = above + numbers / 2 - 1, side = { x: x - 7, anchor: "end" };
  shapes.push({ ...small, ...side, text: narrow && !many ? "layer" : "head", y: middle,
    part: "axis" });
  if (many) shapes.push({ ...small, text: "layer", x: 0, y: middle, part: "axis" });
  layers.forEach((_, layer) => {
    const first = Array.from({ length: lines }).map((__, line) => boxes[layer * heads + line * per]);
    const ys = first.filter(Boolean).map(([, top]) => top + cell[1] / 2);
    const place = many ? { x: 0 } : side;
    shapes.push({ ...place, text: names[layer], y: ys[0], size, bold: true, fill: look.ink,
      part: "row", of: layer });
    if (many) ys.forEach((height, line) => shapes.push({
      ...small, ...side, text: range(line * per, Math.min(heads, (line + 1) * per)), y: height, part: "heads",
    }));
  });
  if (!many) for (const i of thinned(heads, pitch[0], 1.9 * size, [])) shapes.push({
    text: String(i + 1), x: boxes[i][0] + cell[0] / 2, y: middle, size, fill: look.ink,
      anchor: "middle",
    part: "column", of: i,
  });
  const bottom = boxes.at(-1)[1] + cell[1], right = Math.max(...boxes.map(([u]) => u)) + cell[0];
  return {
    boxes, order: order.heads, per: heads, cell, pitch, lift: 0,
    ...finished(picture, look, scale, palette, ratio, { shapes, boxes, cell, x, top: y, right, bottom }),
  };
}

/** What is below the maps, the frame of the chosen head, and the box that all maps are in. */
export function finished(picture, look, scale, palette, ratio,
  { shapes, boxes, cell, x, top, right, bottom }) {
  const { header, width, framed } = picture, [rows, columns] = header.maps, [snap] = whole(ratio);
  if (boxes[framed]) {
    const [u, v] = boxes[framed];
    const rect = [u - 2.5, v - 2.5, cell[0] + 5, cell[1] + 5];
    shapes.push({ rect, stroke: look.paper, wide: 3 });
    shapes.push({ rect, stroke: look.ink, wide: 2, part: "chosen", of: framed });
  }
  const dot = [rows / (cell[1] * ratio), columns / (cell[0] * ratio)].map((n) =>
    Math.max(1, Math.ceil(n - 1e-9)));
  const notes = notesOf(picture, look, dot);
  const legend = legendOf(scale, palette, look, width, x, bottom + 12, notes, header.number);
  return {
    shapes: [...shapes, ...legend.shapes], bar: legend.bar, end: Math.max(right, legend.end),
    foot: Math.ceil(bottom + Math.max(12 + legendHeight(look, 1 + notes.length), TIP)),
    area: [x - 1, top - 1, snap(right - x + 2), snap(bottom - top + 2)],
  };
}

/** How much room the legend below the maps takes. */
export const underHeight = (picture, look) =>
  legendHeight(look, 1 + notesOf(picture, look, [1, 1]).length) + 12;

/** What must be said of the maps, in lines: how many cells a dot stands for, what is left out. */
function notesOf({ header, width, token, order, missing }, look, more) {
  const { block, pool } = header, cells = block.map((n, axis) => n * more[axis]), said = [];
  if (token < 0 && cells.some((n) => n > 1)) {
    const what = pool === "max" ? "strongest" : "mean", most = more[0] * more[1] > 1 ? "up to " : "";
    said.push(`each dot is the ${what} of ${most}${cells.join("×")} cells`);
  }
  if (header.scaled) { // these numbers, whatever is asked for since
    said.push("special tokens left out, each row scaled to 1 over the tokens shown");
  }
  said.push(...header.said);
  if (missing?.some) said.push(`hatched rows: ${header.scaled
    ? "nothing is left of them without special tokens" : "they are missing"}`);
  return [...said, ...order.notes].flatMap((text) => wrapped(text, width, look, 2));
}
