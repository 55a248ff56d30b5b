// Places in space, viewed from a side that can be turned: parallel lines stay parallel, nothing is nearer.
import { fitted, mix, widthOf } from "../runtime/shared.js";
import { lineOf } from "../draw/polylines.js";

const FRONT = { turn: 0.6, tilt: 0.4 }; // radians: round the third direction; how far from above
const BY = 0.008; // radians a pixel
const STEEP = Math.PI / 2;
const DEGREE = Math.PI / 180;

/** The camera of two whole numbers of degrees, as a link has them; null: the usual one. */
export function cameraOf(degrees) {
  if (!degrees) return FRONT;
  const [turn, tilt] = degrees.map((angle) => angle * DEGREE);
  return { turn, tilt };
}

/** The same numbers of a camera: from 0 to 359, and from −90 to 90. */
export function inDegrees({ turn, tilt }) {
  const [round, up] = [turn, tilt].map((angle) => Math.round(angle / DEGREE));
  return [((round % 360) + 360) % 360, up];
}

/** The camera after a drag over so many pixels. */
export const turned = ({ turn, tilt }, x, y) => ({
  turn: turn - BY * x, tilt: Math.max(-STEEP, Math.min(STEEP, tilt + BY * y)),
});

/** How far right and how far up a place is on the screen, from the middle. */
export function viewed({ turn, tilt }, place) {
  const [x, y, z] = place, far = y * Math.cos(turn) - x * Math.sin(turn);
  return [x * Math.cos(turn) + y * Math.sin(turn), z * Math.cos(tilt) + far * Math.sin(tilt)];
}

/** How far behind the middle it is. */
function behind({ turn, tilt }, [x, y, z]) {
  return (y * Math.cos(turn) - x * Math.sin(turn)) * Math.cos(tilt) - z * Math.sin(tilt);
}

/** Where in pixels the two numbers of `viewed` stand: one scale for both, in the middle of the room. */
export function spotIn({ reach }, room) {
  const [left, top, right, bottom] = room;
  const by = Math.min(right - left - 40, bottom - top - 32) / (2 * reach);
  return (u, v) => (Number.isNaN(u) ? null : [(left + right) / 2 + by * u, (top + bottom) / 2 - by * v]);
}

const SIGNS = [[-1, -1], [-1, 1], [1, -1], [1, 1]];

/**
 * The box around all places, the edges behind it dashed; and beside its lowest and its leftmost edges what
 * its directions are, but for one that is seen end-on.
 */
export function boxOf({ titles, halves }, camera, spot, room, look) {
  const edge = (axis, signs) => {
    const end = halves.map((half, i) => (i === axis ? half : half * signs[i > axis ? i - 1 : i]));
    const ends = [end.map((at, i) => (i === axis ? -at : at)), end];
    const far = behind(camera, end.map((at, i) => (i === axis ? 0 : at)));
    return { ends: ends.map((place) => spot(...viewed(camera, place))), far };
  };
  const stroke = mix(look.paper, look.ink, 0.3), middle = spot(0, 0);
  return titles.flatMap((title, axis) => {
    const edges = SIGNS.map((signs) => edge(axis, signs)), most = Math.max(...edges.map(({ far }) => far));
    const centres = edges.map(({ ends: [from, to] }) => from.map((at, i) => (at + to[i]) / 2));
    const out = ([x, y]) => (axis === 2 ? -x : y);
    const centre = centres.reduce((best, other) => (out(other) > out(best) ? other : best));
    const text = fitted(title, 0.4 * (room[2] - room[0]), look), half = widthOf(text, look) / 2 + 3;
    const by = centre.map((at, i) => at - middle[i]), far = Math.hypot(...by) || 1;
    const [x, y] = centre.map((at, i) => at + (by[i] / far) * [half, look.size][i]);
    const inside = (at, i, keep) => Math.max(room[i] + keep, Math.min(room[i + 2] - keep, at));
    const lines = edges.map(({ ends, far: depth }) => ({
      path: lineOf(ends), stroke, wide: 0.7, part: "edge", of: axis, ...(depth === most && { dash: [2, 4] }),
    }));
    const [{ ends: [one, other] }] = edges;
    if (Math.hypot(one[0] - other[0], one[1] - other[1]) < 2 * look.size) return lines;
    return [
      ...lines,
      {
        text, x: inside(x, 0, half), y: inside(y, 1, 0.7 * look.size), size: look.size, anchor: "middle",
        fill: look.muted, part: "direction", of: axis,
      },
    ];
  });
}
