// Points on their way from one depth to another.
const TIME = 150; // milliseconds

/**
 * A picture whose points move. Numbers may be NaN where there is no point; one that has none where it comes from
 * is there at once.
 * @typedef {object} Moving
 * @property {Float32Array} at where the points are drawn
 * @property {number} motion the animation frame that is asked for
 * @property {HTMLElement} frame
 * @property {() => void} draw
 */

/**
 * How far points are on their way after a share of the time: quick at first, and slower as they arrive.
 * @param {Float32Array} from
 * @param {Float32Array} to
 * @param {number} share 0 to 1
 */
export function onTheWay(from, to, share) {
  const eased = share * (2 - share);
  return share === 1 ? to : to.map((end, i) => (Number.isNaN(from[i]) ? end : from[i] + (end - from[i]) * eased));
}

/**
 * Draws a picture again and again until its points have arrived.
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
