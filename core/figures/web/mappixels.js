// The pixels of the small maps of all heads.
import { mix } from "./shared.js";
import { shares } from "./cells.js";

/** The pixels of all maps; with `flat`, each map is one colour, `flat(head)`. */
export function mapsOf({ header, maps }, plan, palette, look, { width, height }, ratio, flat) {
  const image = new ImageData(width, height), out = new Uint32Array(image.data.buffer);
  const word = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  const colours = Uint32Array.from(palette.colours, word), edge = word(mix(look.paper, look.ink, 0.16));
  const [rows, columns] = header.maps, [left, top] = plan.area;
  const wide = Math.round(plan.cell[0] * ratio), high = Math.round(plan.cell[1] * ratio);
  const across = shares(columns, wide), down = shares(rows, high);
  const of = header.pool === "max" ? strongestOf : meanOf, pooled = wide < columns || high < rows;
  for (const head of plan.order) {
    const [x, y] = plan.boxes[head];
    const u = Math.round((x - left) * ratio), v = Math.round((y - top) * ratio);
    for (let i = -1; i <= high; i++) {
      out.fill(edge, Math.max(0, (v + i) * width + u - 1), (v + i) * width + u + wide + 1);
    }
    if (flat) {
      for (let i = 0; i < high; i++) out.fill(colours[flat(head)], (v + i) * width + u, (v + i) * width
        + u + wide);
      continue;
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
  }
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
