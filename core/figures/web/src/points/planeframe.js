// The frame of a plane of points: its titles and values, and the position of two numbers in it.
/** @import { FramedHeader } from "../headers" */
/** @import { Box, Look, Place, Room, Shape } from "../types" */
import { fitted, mix, widthOf, wrapped } from "../runtime/shared.js";
import { lineOf } from "../draw/polylines.js";
import { LINE, along, footOf, namesAtLeft } from "../draw/placing.js";

export const BAR = 2.5; // in multiples of the letter size: the height of the slider

/**
 * The frame, its titles and named values; `spot` maps two numbers to pixels.
 * @param {{ header: FramedHeader, width: number }} picture
 * @param {Look} look
 * @param {number} above pixels to keep free
 */
export function frameOf({ header, width }, look, above = 0) {
  const { size } = look, { x, y, height } = header, faint = mix(look.paper, look.ink, 0.22);
  const left = namesAtLeft(y.marks.map(([, name]) => name), look, width);
  const title = wrapped(`↑ ${y.title}`, width, look, 2);
  const foot = footOf(`${x.title} →`, look, { width, height }, width / 2);
  /** @type {Room} */
  const room = [
    left.wide + (left.wide ? 8 : 1), above + (BAR + LINE * title.length + 0.2) * size, width - 1,
    foot.top - (x.marks.length ? 1.75 : 0.6) * size,
  ];
  /** @param {readonly [number, number]} ends @param {number} from @param {number} to */
  const scale = ([low, high], from, to) => (/** @type {number} */ value) =>
    from + ((value - low) / (high - low)) * (to - from);
  const across = scale(x.bounds, room[0] + 20, room[2] - 20), up = scale(y.bounds, room[3] - 16, room[1] + 16);
  /** @type {Shape[]} */
  const shapes = title.map((text, i) => ({
    text, x: 0, y: above + (BAR + LINE * (i + 0.4)) * size, size, fill: look.muted, part: "title",
  }));
  const line = (/** @type {Place[]} */ ...ends) => ({ path: lineOf(ends), stroke: faint, dash: [1, 4], part: "guide" });
  for (const value of [...x.guides, ...x.marks.map(([at]) => at)]) {
    shapes.push(line([across(value), room[1]], [across(value), room[3]]));
  }
  for (const value of [...y.guides, ...y.marks.map(([at]) => at)]) {
    shapes.push(line([room[0], up(value)], [room[2], up(value)]));
  }
  for (const [u, v, radius] of header.circles ?? []) { // ellipses where the axes have different scales
    const [cx, cy] = [across(u), up(v)], [rx, ry] = [across(u + radius) - cx, cy - up(v + radius)];
    shapes.push({ path: `M${cx + rx} ${cy}A${rx} ${ry} 0 1 0 ${cx - rx} ${cy}A${rx} ${ry} 0 1 0 ${cx + rx} ${cy}`,
      stroke: look.line, wide: 1.5, part: "circle" });
  }
  /** @type {Box} */
  const box = [room[0] - 0.5, room[1] - 0.5, room[2] - room[0] + 1, room[3] - room[1] + 1];
  shapes.push({ rect: box, stroke: look.line });
  const names = x.marks.map(([, name]) => fitted(name, 0.3 * width, look));
  const middles = x.marks.map(([at], i) => {
    const half = widthOf(names[i], look) / 2;
    return Math.max(half, Math.min(across(at), width - half));
  });
  for (const i of along(middles, names, look)) shapes.push({
    text: names[i], x: middles[i], y: room[3] + 0.75 * size, size, anchor: "middle", fill: look.ink, part: "tick",
  });
  y.marks.forEach(([at], i) => shapes.push({
    text: left.texts[i], x: room[0] - 7, y: up(at), size, anchor: "end", fill: look.ink, part: "tick",
  }));
  /** @param {number} u @param {number} v @returns {Place} */
  const spot = (u, v) => [across(u), up(v)];
  return { room, shapes, foot, spot };
}
