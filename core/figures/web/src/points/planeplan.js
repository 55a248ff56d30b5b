// Where everything in a picture of moving points stands: trails, marks and names in their frame.
import { fitted, mix, widthOf } from "../runtime/shared.js";
import { markAt } from "../draw/paths.js";
import { lineOf } from "../draw/polylines.js";
import { BAR } from "./planeframe.js";
import { PAD, beside, dotted, E, N, NE, NW, S, SE, SW, W } from "../draw/placing.js";

const REACH = { circle: 6, square: 6, diamond: 7, ring: 5.5, left: 4.5, right: 4.5 }; // pixels
const SIDES = {
  left: [W, NW, SW, N, S, E, NE, SE],
  right: [E, NE, SE, N, S, W, NW, SW],
  else: [N, E, W, S, NE, NW, SE, SW],
};

/**
 * @param at the places to draw, (points, 2), which may be on their way to those of `picture.state.depth`
 * @param saved write the depth where the slider stands on the page
 */
export function planeOf(picture, look, at, saved = false) {
  const { header, state: { depth } } = picture, { points, moments } = header;
  const { room, shapes, foot, spot, taken = [] } = picture.framed(look);
  const spots = (places) => points.map((_, i) => spot(places[2 * i], places[2 * i + 1]));
  const now = spots(at), then = spots(picture.placesAt(depth)), first = spots(picture.placesAt(0));
  const before = Array.from({ length: depth }, (_, d) => spots(picture.placesAt(d)));
  const r = points.map(({ mark }) => REACH[mark]);
  const drawn = [...points.keys()].sort((a, b) => Boolean(points[a].bold) - Boolean(points[b].bold));
  for (const i of drawn) {
    if (points[i].trail) shapes.push(...trailOf(before.map((places) => places[i]), now[i], points[i], i));
    if (points[i].dashed && now[i] && first[i]) {
      const path = lineOf([first[i], now[i]]), stroke = points[i].colour;
      shapes.push({ path, stroke, wide: 1.8, dash: [6, 5], part: "dashed", of: i });
    }
  }
  for (const i of drawn) {
    const { mark, colour } = points[i];
    if (now[i]) shapes.push(markAt(now[i], r[i], mark, colour, look, { part: "mark", of: i }));
  }
  shapes.push(...namesOf(header, look, { now, then, first, before, r, room, taken }), ...foot.shapes);
  if (saved) {
    shapes.push({
      text: moments[depth], x: 0, y: (BAR * look.size) / 2, size: look.size, bold: true, fill: look.ink,
      part: "moment",
    });
  }
  return {
    shapes, bar: foot.bar, end: picture.width,
    area: [room[0], room[1], room[2] - room[0], room[3] - room[1]],
    marks: now.map((place, i) => place && { x: place[0], y: place[1], r: r[i] }),
  };
}

function trailOf(places, now, { colour }, of) {
  const dots = places.filter(Boolean).map(([x, y]) => lineOf([[x, y]])).join("");
  const shapes = [{ path: lineOf([...places, now]), stroke: colour, wide: 1.2, part: "trail", of }];
  if (dots) shapes.push({ path: dots, stroke: colour, wide: 4.5, part: "dots", of });
  return shapes;
}

/** Names beside the points, placed for where the points stand in the end, and moving with them. */
function namesOf({ points }, look, { now, then, first, before, r, room, taken }) {
  const { size } = look, lines = [];
  const far = then.map((place, i) => Math.max(...then.map((other, j) =>
    (place && other && Math.hypot(place[0] - other[0], place[1] - other[1]) < 1 ? r[j] : r[i]))));
  points.forEach((point, i) => {
    const place = then[i];
    if (!place) return;
    const [x, y] = place, reach = r[i] + 1;
    taken.push({ box: [x - reach, y - reach, x + reach, y + reach], of: i });
    if (point.dashed && first[i]) lines.push(...dotted(first[i], place));
    if (point.trail) {
      const way = [...before.map((places) => places[i]), place].filter(Boolean);
      way.slice(1).forEach((end, k) => lines.push(...dotted(way[k], end)));
    }
  });
  const order = [...points.keys()].filter((i) => then[i] && now[i])
    .sort((a, b) => Boolean(points[b].bold) - Boolean(points[a].bold) || a - b);
  const texts = points.map(({ name, bold }) => fitted(name, 0.3 * (room[2] - room[0]), look, bold));
  const found = beside(order.map((i) => ({
    x: then[i][0], y: then[i][1], r: far[i], of: i, first: points[i].bold, sides: SIDES[points[i].mark] ?? SIDES.else,
    wide: widthOf(texts[i], look, points[i].bold) + 2 * PAD, high: 1.15 * size,
  })), taken, lines, room);
  return order.flatMap((i, k) => {
    const by = now[i].map((place, axis) => place - then[i][axis]);
    return found[k] ? nameAt(points[i], texts[i], found[k], by, look, i) : [];
  });
}

/** A name and what leads to it; `by` is how far its point is from where it will stand. */
function nameAt({ bold, colour }, text, { box, side, leader }, by, look, of) {
  const moved = (place) => place.map((at, axis) => at + by[axis]), end = side[0] + 1;
  const [x, y] = moved([[box[2] - PAD, (box[0] + box[2]) / 2, box[0] + PAD][end], (box[1] + box[3]) / 2]);
  const name = {
    text, x, y, size: look.size, bold, anchor: ["end", "middle", "start"][end],
    fill: bold ? colour : look.muted, halo: look.paper, part: "name", of,
  };
  const stroke = mix(look.paper, look.ink, 0.4);
  return leader ? [{ path: lineOf(leader.map(moved)), stroke, part: "leader", of }, name] : [name];
}
