// Where the small maps of all heads stand, and their pixels.
import { mix, thinned, widthOf } from "./shared.js";
import { legendHeight, legendOf, shares } from "./cells.js";

const WIDEST = 1.6; // a map is at most so much wider than high, or higher than wide
const LARGEST = 170; // pixels of a map
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

/** Places of everything: `boxes` [x, y] of each map, `cell` its size, `pitch` from one to the next. */
export function overviewPlan({ header, width, framed, token }, look, scale, palette, above, ratio) {
  const { size } = look, { heads, layers, maps: [rows, columns] } = header, count = layers.length;
  const snap = (x) => Math.round(x * ratio) / ratio, down = (x) =>
    Math.max(1, Math.floor(x * ratio)) / ratio;
  const narrow = width < 520, names = narrow ? layers.map((name) => name.replace(/^Layer /, ""))
    : layers;
  const range = (from, to) => (from + 1 === to ? `${to}` : `${from + 1}–${to}`);
  const widest = (texts, bold) => Math.max(...texts.map((text) => widthOf(text, look, bold)));
  const numbers = Math.round(1.7 * size), notes = notesOf(header, token, [1, 1]);
  const under = legendHeight(look, 1 + notes.length) + 12,
    name = Math.ceil(widest([...names, "layer"], true)) + 9;
  const breaks = (left, most) =>
    broken(count, heads, width - left - 3, header.height - above - numbers - under, most);
  let left = name, shape = breaks(left, 4);
  if (shape.lines > 1) { // the heads of each line are named beside it
    left += Math.ceil(widest([range(heads - 2, heads), "head"], false)) + 8;
    shape = breaks(left, 4);
  }
  const { per, lines, apart } = shape, wrapped = lines > 1, gap = shape.wide > 34 ? 5 : 3;
  const pitch = [shape.wide, shape.high], cell = [down(pitch[0] - gap), down(pitch[1] - gap)];
  const x = snap(left), y = snap(above + numbers), shapes = [];
  const boxes = Array.from({ length: count * heads }, (_, i) => {
    const layer = Math.floor(i / heads), line = layer * lines + Math.floor((i % heads) / per);
    return [snap(x + ((i % heads) % per) * pitch[0]), snap(y + line * pitch[1] + layer * apart)];
  });
  const small = { size: 0.92 * size, fill: look.muted };
  const middle = above + numbers / 2 - 1, side = { x: x - 7, anchor: "end" };
  shapes.push({ ...small, ...side, text: narrow && !wrapped ? "layer" : "head", y: middle,
    part: "axis" });
  if (wrapped) shapes.push({ ...small, text: "layer", x: 0, y: middle, part: "axis" });
  layers.forEach((_, layer) => {
    const places = Array.from({ length: lines }, (_, line) =>
      boxes[layer * heads + line * per]).filter(Boolean);
    const ys = places.map(([, top]) => top + cell[1] / 2);
    const place = wrapped ? { x: 0 } : side;
    shapes.push({ ...place, text: names[layer], y: ys[0], size, bold: true, fill: look.ink,
      part: "row", of: layer });
    if (wrapped) ys.forEach((y, line) => shapes.push({
      ...small, ...side, text: range(line * per, Math.min(heads, (line + 1) * per)), y, part: "heads",
    }));
  });
  if (!wrapped) for (const i of thinned(heads, pitch[0], 1.9 * size, [])) shapes.push({
    text: String(i + 1), x: boxes[i][0] + cell[0] / 2, y: middle, size, fill: look.ink,
      anchor: "middle",
    part: "column", of: i,
  });
  if (framed !== null) {
    const [u, v] = boxes[framed];
    shapes.push({ rect: [u - 2.5, v - 2.5, cell[0] + 5, cell[1] + 5], stroke: look.paper, wide: 3 });
    shapes.push({ rect: [u - 2.5, v - 2.5, cell[0] + 5, cell[1] + 5], stroke: look.ink, wide: 2,
      part: "chosen", of: framed });
  }
  const per_dot = [rows / (cell[1] * ratio), columns / (cell[0] * ratio)].map((n) =>
    Math.max(1, Math.ceil(n - 1e-9)));
  const bottom = boxes.at(-1)[1] + cell[1];
  const legend = legendOf(scale, palette, look, width, x, bottom + 12, notesOf(header, token, per_dot),
    header.number);
  const right = Math.max(...boxes.map(([u]) => u)) + cell[0];
  return {
    shapes: [...shapes, ...legend.shapes], boxes, cell, pitch, bar: legend.bar,
      end: Math.max(right, legend.end),
    area: [x - 1, y - 1, snap(right - x + 2), snap(bottom - y + 2)],
  };
}

/** What must be said of the maps: how many cells a dot stands for. */
function notesOf({ block, pool }, token, more) {
  if (token >= 0) return [];
  const cells = block.map((n, axis) => n * more[axis]);
  if (cells.every((n) => n === 1)) return [];
  const what = pool === "max" ? "strongest" : "mean", most = more[0] * more[1] > 1 ? "up to " : "";
  return [`each dot is the ${what} of ${most}${cells.join("×")} cells`];
}

/** The pixels of all maps; with `flat`, each map is one colour, `flat(head)`. */
export function mapsOf({ header, maps }, plan, palette, look, { width, height }, ratio, flat) {
  const image = new ImageData(width, height), out = new Uint32Array(image.data.buffer);
  const word = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  const colours = Uint32Array.from(palette.colours, word), edge = word(mix(look.paper, look.ink, 0.16));
  const [rows, columns] = header.maps, [left, top] = plan.area;
  const wide = Math.round(plan.cell[0] * ratio), high = Math.round(plan.cell[1] * ratio);
  const across = shares(columns, wide), down = shares(rows, high);
  const of = header.pool === "max" ? strongestOf : meanOf, pooled = wide < columns || high < rows;
  plan.boxes.forEach(([x, y], head) => {
    const u = Math.round((x - left) * ratio), v = Math.round((y - top) * ratio);
    for (let i = -1; i <= high; i++) {
      out.fill(edge, Math.max(0, (v + i) * width + u - 1), (v + i) * width + u + wide + 1);
    }
    if (flat) {
      for (let i = 0; i < high; i++) out.fill(colours[flat(head)], (v + i) * width + u, (v + i) * width
        + u + wide);
      return;
    }
    const map = maps.subarray(head * rows * columns, (head + 1) * rows * columns);
    for (let i = 0, before = -1; i < high; i++) {
      const line = (v + i) * width + u;
      if (before >= 0 && down.from[before] === down.from[i] && down.to[before] === down.to[i]) {
        out.copyWithin(line, (v + before) * width + u, (v + before) * width + u + wide);
        continue;
      }
      before = i;
      if (pooled) {
        for (let j = 0; j < wide; j++) {
          out[line + j] = colours[of(map, columns, down.from[i], down.to[i], across.from[j],
            across.to[j], header.scale.root)];
        }
      } else {
        for (let j = 0, row = down.from[i] * columns; j < wide; j++) out[line
          + j] = colours[map[row + across.from[j]]];
      }
    }
  });
  return image;
}

function strongestOf(map, columns, top, bottom, left, right) {
  let best = 0;
  for (let r = top; r < bottom; r++) {
    for (let c = left; c < right; c++) if (map[r * columns + c] > best) best = map[r * columns + c];
  }
  return best;
}

/** The mean of weights; the numbers are their roots where `root`. */
function meanOf(map, columns, top, bottom, left, right, root) {
  let sum = 0;
  for (let r = top; r < bottom; r++) {
    for (let c = left; c < right; c++) sum += root ? map[r * columns + c] ** 2 : map[r * columns + c];
  }
  const mean = sum / ((bottom - top) * (right - left));
  return Math.round(root ? Math.sqrt(mean) : mean);
}
