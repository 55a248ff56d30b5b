// Slanted lines over what is masked in a heatmap.
import { mix } from "./shared.js";

const HATCH = 7; // pixels between two lines

/** Each line from where it enters what is masked to where it leaves; none where nothing is. */
export function hatched({ exact, header }, { x, y, width, height }, look) {
  const { queries, keys } = exact, rows = queries.length, columns = keys.length;
  if (!header.causal) return [];
  const high = height / rows, wide = width / columns, number = (value) => +value.toFixed(1);
  const from = queries.map((i) => { // where the masked cells of a row begin
    const first = keys.findIndex((j) => exact.masked(i, j));
    return first < 0 ? width : first * wide;
  });
  let path = "";
  for (let sum = HATCH; sum < width + height; sum += HATCH) { // the line of all u + v = sum
    let top = null, bottom = null;
    for (let r = 0; r < rows; r++) {
      const start = Math.max(r * high, sum - width), end = Math.min((r + 1) * high, sum - from[r]);
      if (end <= start) continue;
      top ??= start;
      bottom = end;
    }
    if (top !== null) {
      path += `M${number(x + sum - top)} ${number(y + top)}`
        + `L${number(x + sum - bottom)} ${number(y + bottom)}`;
    }
  }
  return path ? [{ path, stroke: mix(look.paper, look.ink, 0.28), wide: 1, part: "masked" }] : [];
}
