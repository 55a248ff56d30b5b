// The camera of a three-dimensional picture: two angles in a link, an eye for Plotly.
/** @import { SpaceState } from "../states" */
/**
 * In degrees: around the third axis, and elevation; and the distance, 1 if the whole box with its titles
 * fills the picture.
 * @typedef {{ turn: number, tilt: number, far: number }} Camera
 */
/** @typedef {{ x: number, y: number, z: number }} Vector */

/** The initial camera. @type {Camera} */
const FRONT = { turn: 34, tilt: 23, far: 1 };
const SEEN = 2; // in Plotly's units: without perspective, the picture has this height at any distance of the eye
const AWAY = 2; // the distance of the eye
const TITLE = 46; // pixels beside the box, for the titles of its axes
const STEEP = 89.9; // directly from above, Plotly would not know which way is up
const DEGREE = Math.PI / 180;

/**
 * The camera for two whole numbers of degrees from a link; null for the default.
 * @param {SpaceState["view"]} degrees
 * @returns {Camera}
 */
export const cameraOf = (degrees) => (degrees ? { turn: degrees[0], tilt: degrees[1], far: 1 } : FRONT);

/**
 * The two numbers of a camera: from 0 to 359, and from −90 to 90.
 * @param {Camera} camera
 * @returns {[number, number]}
 */
export function inDegrees({ turn, tilt }) {
  return [((Math.round(turn) % 360) + 360) % 360, Math.round(tilt)];
}

/**
 * The camera rotated by so many degrees.
 * @param {Camera} camera
 * @param {number} round
 * @param {number} up
 * @returns {Camera}
 */
export const turned = ({ turn, tilt, far }, round, up) => ({ turn: turn + round, tilt: Math.max(-90, Math.min(90, tilt + up)), far });

/** @param {Camera} camera @param {number} by above 1 to move away */
export const moved = (camera, by) => ({ ...camera, far: Math.max(0.2, Math.min(4, camera.far * by)) });

/**
 * The factor by which the box is drawn larger, so that it stays whole for any rotation around the third
 * axis.
 * @param {Camera} camera
 * @param {Vector} box its sides
 * @param {{ width: number, height: number }} picture in pixels
 */
export function scaleOf({ tilt, far }, { x, y, z }, { width, height }) {
  const wide = Math.hypot(x, y), steep = Math.abs(tilt) * DEGREE, high = z * Math.cos(steep) + wide * Math.sin(steep);
  const room = (/** @type {number} */ pixels) => (SEEN * Math.max(0.3 * pixels, pixels - 2 * TITLE)) / height;
  return Math.min(room(width) / wide, room(height) / high) / far;
}

/** The position of Plotly's eye. @param {Camera} camera @returns {Vector} */
export function eyeOf({ turn, tilt }) {
  const round = turn * DEGREE, up = Math.max(-STEEP, Math.min(STEEP, tilt)) * DEGREE;
  return { x: AWAY * Math.sin(round) * Math.cos(up), y: -AWAY * Math.cos(round) * Math.cos(up), z: AWAY * Math.sin(up) };
}

/**
 * The camera for Plotly's eye.
 * @param {Vector} eye
 * @param {number} far
 * @returns {Camera}
 */
export function cameraAt({ x, y, z }, far) {
  const tilt = Math.asin(Math.max(-1, Math.min(1, z / (Math.hypot(x, y, z) || 1)))) / DEGREE;
  return { turn: Math.atan2(x, -y) / DEGREE, tilt: Math.abs(tilt) >= STEEP - 1e-6 ? Math.sign(tilt) * 90 : tilt, far };
}
