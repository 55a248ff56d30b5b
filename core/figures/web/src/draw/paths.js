// Marks, areas and arrows as SVG paths.
import { lineOf, n, to, whole } from "./polylines.js";

const polygon = (places) => `M${places.map(to).join("L")}z`;

// No mark reaches farther than `r` pixels from its middle, along and across.
const MARKS = {
  circle: (x, y, r) => `M${n(x - r)} ${n(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  square: (x, y, r) => polygon(around(x, y, 0.9 * r, [[-1, -1], [1, -1], [1, 1], [-1, 1]])),
  diamond: (x, y, r) => polygon(around(x, y, r, [[0, -1], [1, 0], [0, 1], [-1, 0]])),
  left: (x, y, r) => polygon(around(x, y, r, [[-1, 0], [1, -1], [1, 1]])),
  right: (x, y, r) => polygon(around(x, y, r, [[1, 0], [-1, 1], [-1, -1]])),
  up: (x, y, r) => polygon(around(x, y, r, [[0, -1], [1, 0.9], [-1, 0.9]])),
  down: (x, y, r) => polygon(around(x, y, r, [[0, 1], [1, -0.9], [-1, -0.9]])),
};
const OPEN = { ring: "circle", left: "left", right: "right", frame: "square", gem: "diamond" };
const around = (x, y, r, corners) => corners.map(([u, v]) => [x + r * u, y + r * v]);

/** A mark as a shape: filled with an edge of paper, so that it stands out of what it lies on, or open. */
export function markAt([x, y], r, mark, colour, look, more) {
  const path = MARKS[OPEN[mark] ?? mark](x, y, r);
  return OPEN[mark]
    ? { path, fill: look.paper, stroke: colour, wide: /^(ring|frame|gem)$/.test(mark) ? 2.2 : 1.5, ...more }
    : { path, fill: colour, stroke: look.paper, wide: 1.2, ...more };
}

/** The area between two lines that have their gaps at the same steps. */
export function areaOf(upper, lower) {
  const both = (i) => upper[i] && lower[i];
  const ends = (places) => whole(places.map((place, i) => (both(i) ? place : null)));
  const below = ends(lower);
  return ends(upper).map((part, i) => polygon([...part, ...below[i].reverse()])).join("");
}

const HEAD = 10, HALF = 5; // pixels: how long an arrow's head is, and half of how wide

/** An arrow that ends `gap` pixels before `end`: {shaft, head, tip}; null where there is no room for it. */
export function arrowOf(start, end, gap) {
  const [x, y] = end, dx = x - start[0], dy = y - start[1], long = Math.hypot(dx, dy);
  if (long < gap + HEAD + 2) return null;
  const u = dx / long, v = dy / long, back = (d) => [x - d * u, y - d * v];
  const tip = back(gap), neck = back(gap + HEAD), side = (s) => [neck[0] - s * HALF * v, neck[1] + s * HALF * u];
  return { shaft: lineOf([start, back(gap + HEAD - 1)]), head: polygon([tip, side(1), side(-1)]), tip, neck };
}
