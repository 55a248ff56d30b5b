// Places in space, viewed from a side that can be turned: parallel lines stay parallel, nothing is nearer.
/** @import { SpaceHeader } from "../headers" */
/** @import { SpaceState } from "../states" */
/** @import { Look, Place, Room, Shape } from "../types" */
/** In radians: round the third direction, how far from above. @typedef {{ turn: number, tilt: number }} Camera */
/** A place in space. @typedef {[number, number, number]} Spatial */
/** @typedef {0 | 1 | 2} Axis */
import { fitted, mix, widthOf } from "../runtime/shared.js";
import { lineOf } from "../draw/polylines.js";

const FRONT = { turn: 0.6, tilt: 0.4 };
const BY = 0.008; // radians a pixel
const STEEP = Math.PI / 2;
const DEGREE = Math.PI / 180;

/**
 * The camera of two whole numbers of degrees, as a link has them; null: the usual one.
 * @param {SpaceState["view"]} degrees
 * @returns {Camera}
 */
export function cameraOf(degrees) {
  return degrees ? { turn: degrees[0] * DEGREE, tilt: degrees[1] * DEGREE } : FRONT;
}

/**
 * The same numbers of a camera: from 0 to 359, and from −90 to 90.
 * @param {Camera} camera
 * @returns {[number, number]}
 */
export function inDegrees({ turn, tilt }) {
  const round = Math.round(turn / DEGREE) % 360;
  return [(round + 360) % 360, Math.round(tilt / DEGREE)];
}

/** The camera after a drag over so many pixels. @param {Camera} camera @param {number} x @param {number} y */
export const turned = ({ turn, tilt }, x, y) => ({
  turn: turn - BY * x, tilt: Math.max(-STEEP, Math.min(STEEP, tilt + BY * y)),
});

/**
 * How far right and how far up a place is on the screen, from the middle.
 * @param {Camera} camera
 * @param {Spatial} place
 * @returns {Place}
 */
export function viewed({ turn, tilt }, [x, y, z]) {
  const far = y * Math.cos(turn) - x * Math.sin(turn);
  return [x * Math.cos(turn) + y * Math.sin(turn), z * Math.cos(tilt) + far * Math.sin(tilt)];
}

/** How far behind the middle it is. @param {Camera} camera @param {Spatial} place */
function behind({ turn, tilt }, [x, y, z]) {
  return (y * Math.cos(turn) - x * Math.sin(turn)) * Math.cos(tilt) - z * Math.sin(tilt);
}

/**
 * Where in pixels the two numbers of `viewed` stand: one scale for both, in the middle of the room.
 * @param {{ reach: number }} solid
 * @param {Room} room
 * @returns {(u: number, v: number) => Place}
 */
export function spotIn({ reach }, [left, top, right, bottom]) {
  const by = Math.min(right - left - 40, bottom - top - 32) / (2 * reach);
  return (u, v) => [(left + right) / 2 + by * u, (top + bottom) / 2 - by * v];
}

/** @type {readonly (readonly [number, number])[]} */
const SIGNS = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
/** The other two directions. @type {readonly (readonly [Axis, Axis])[]} */
const OTHERS = [[1, 2], [0, 2], [0, 1]];

/**
 * The box around all places, the edges behind it dashed; and beside its lowest and its leftmost edges what
 * its directions are, but for one that is seen end-on.
 * @param {Pick<SpaceHeader["solid"], "titles" | "halves">} solid
 * @param {Camera} camera
 * @param {(u: number, v: number) => Place} spot
 * @param {Room} room
 * @param {Look} look
 * @returns {Shape[]}
 */
export function boxOf({ titles, halves }, camera, spot, room, look) {
  /** @param {Axis} axis @param {readonly [number, number]} signs */
  const edge = (axis, signs) => {
    // A place on the edge: `along` is −1 at its beginning, 0 in its middle, 1 at its end.
    const at = (/** @type {number} */ along) => {
      /** @type {Spatial} */
      const place = [0, 0, 0];
      place[axis] = along * halves[axis];
      OTHERS[axis].forEach((other, i) => { place[other] = signs[i] * halves[other]; });
      return place;
    };
    return {
      from: spot(...viewed(camera, at(-1))), to: spot(...viewed(camera, at(1))), far: behind(camera, at(0)),
    };
  };
  const stroke = mix(look.paper, look.ink, 0.3), middle = spot(0, 0);
  return /** @type {const} */ ([0, 1, 2]).flatMap((axis) => {
    const edges = SIGNS.map((signs) => edge(axis, signs)), most = Math.max(...edges.map(({ far }) => far));
    const centres = edges.map(({ from, to }) => [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
    const out = (/** @type {number[]} */ [right, down]) => (axis === 2 ? -right : down);
    const centre = centres.reduce((best, other) => (out(other) > out(best) ? other : best));
    const text = fitted(titles[axis], 0.4 * (room[2] - room[0]), look), half = widthOf(text, look) / 2 + 3;
    const right = centre[0] - middle[0], down = centre[1] - middle[1], far = Math.hypot(right, down) || 1;
    const x = centre[0] + (right / far) * half, y = centre[1] + (down / far) * look.size;
    /** @param {number} at @param {0 | 1} i @param {number} keep */
    const inside = (at, i, keep) => Math.max(room[i] + keep, Math.min(i ? room[3] - keep : room[2] - keep, at));
    /** @type {Shape[]} */
    const lines = edges.map(({ from, to, far: depth }) => ({
      path: lineOf([from, to]), stroke, wide: 0.7, part: "edge", of: axis, ...(depth === most && { dash: [2, 4] }),
    }));
    const [{ from: one, to: other }] = edges;
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
