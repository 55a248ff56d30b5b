// The animation of points from one depth to another.
const TIME = 150; // milliseconds

/**
 * A picture whose points move. Coordinates may be NaN for an absent point; a point that was absent before
 * appears at once.
 * @typedef {object} Moving
 * @property {Float32Array} at the coordinates to draw
 * @property {number} motion the requested animation frame
 * @property {HTMLElement} frame
 * @property {() => void} draw
 */

/**
 * The positions of points after a share of the time: fast at first, and slower as they arrive.
 * @param {Float32Array} from
 * @param {Float32Array} to
 * @param {number} share 0 to 1
 */
export function onTheWay(from, to, share) {
  const eased = share * (2 - share);
  return share === 1 ? to : to.map((end, i) => (Number.isNaN(from[i]) ? end : from[i] + (end - from[i]) * eased));
}

/**
 * Redraws a picture until its points have arrived.
 * @param {Moving} picture
 * @param {Float32Array} from
 * @param {Float32Array} to of the same length
 */
export function travel(picture, from, to) {
  const begin = performance.now();
  const step = (/** @type {number} */ now) => {
    const share = Math.min(1, Math.max(0, now - begin) / TIME);
    picture.at = onTheWay(from, to, share);
    if (share === 1) picture.frame.removeAttribute("data-moving");
    else picture.motion = requestAnimationFrame(step);
    picture.draw();
  };
  picture.motion = requestAnimationFrame(step);
}
