// Lines as SVG paths. A place is [x, y] in pixels; null is a gap.
export const n = (x) => +x.toFixed(2);
export const to = ([x, y]) => `${n(x)} ${n(y)}`;

/** The parts of a line between its gaps. */
export function whole(places) {
  const parts = [[]];
  for (const place of places) {
    if (place) parts.at(-1).push(place);
    else if (parts.at(-1).length) parts.push([]);
  }
  return parts.filter((part) => part.length);
}

/** A line with gaps; a part of one place alone is a dot. */
export const lineOf = (places) =>
  whole(places).map((part) => `M${(part.length > 1 ? part : [part[0], part[0]]).map(to).join("L")}`).join("");
