// Motion: numbers along arrows, a matrix to the place where it is read, a part of the picture that grows to fill it.
/** @import { Look } from "../types" */
import { Motion, isQuiet } from "../runtime/motion.js";
import { svg, paint } from "../draw/scene.js";

const LONG = 560, APART = 0.09; // milliseconds of a journey, and the share of it between the starts of two numbers
const ZOOM = 240, GLIDE = 380; // milliseconds

/** A part of the screen, in pixels. @typedef {{ x: number, y: number, width: number, height: number }} Rectangle */
/** Numbers that move along a path. @typedef {{ path: SVGPathElement, texts: readonly string[] }} Ride */

/** Moves numbers along arrows; a second journey ends the first. */
export class Travel {
  /** @type {Motion | null} */
  motion = null;

  get going() {
    return this.motion?.going ?? false;
  }

  stop() {
    this.motion?.stop();
  }

  /**
   * @param {SVGElement} place the element that draws them
   * @param {readonly Ride[]} rides
   * @param {Look} look
   */
  go(place, rides, look) {
    this.stop();
    const all = rides.flatMap(({ path, texts }) => {
      const long = path.getTotalLength();
      return texts.map((text, i) => {
        const node = svg("text", { "font-size": look.size, "font-weight": 700, fill: paint(look.ink), "text-anchor": "middle",
          stroke: paint(look.paper), "stroke-width": 3, "paint-order": "stroke", "data-part": "rider" }, text);
        return { node, path, long, late: (texts.length - 1 - i) * APART };
      });
    });
    place.replaceChildren(...all.map(({ node }) => node));
    const whole = 1 + Math.max(0, ...all.map(({ late }) => late));
    this.motion = new Motion((share) => {
      for (const { node, path, long, late } of all) {
        const at = Math.min(1, Math.max(0, share * whole - late)), { x, y } = path.getPointAtLength(at * long);
        node.setAttribute("transform", `translate(${x.toFixed(1)} ${(y - 0.2 * look.size).toFixed(1)}) rotate(0)`);
      }
    }, () => place.replaceChildren());
    this.motion.run(0, LONG, (share) => share, 1);
  }
}

/**
 * Lets the new drawing grow out of a part of the old one.
 * @param {readonly (SVGElement | HTMLElement)[]} nodes
 * @param {Rectangle} box
 * @param {number} width of the picture, in pixels
 */
export function grow(nodes, box, width) {
  if (isQuiet()) return;
  const scale = Math.max(0.12, box.width / width);
  for (const node of nodes) {
    const { left, top } = node.style, [x, y] = [box.x - parseFloat(left || "0"), box.y - parseFloat(top || "0")];
    node.animate([{ transformOrigin: `${x}px ${y}px`, transform: `scale(${scale})`, opacity: 0.2 },
      { transformOrigin: `${x}px ${y}px`, transform: "none", opacity: 1 }], { duration: ZOOM, easing: "ease-out" });
  }
}

/**
 * Moves a matrix from its old position to the new one.
 * @param {HTMLElement} node
 * @param {Rectangle} from
 * @param {Rectangle} to
 */
export function glide(node, from, to) {
  if (isQuiet()) return;
  const move = `translate(${from.x - to.x}px,${from.y - to.y}px) scale(${from.width / to.width},${from.height / to.height})`;
  node.animate([{ transformOrigin: "0 0", transform: move }, { transformOrigin: "0 0", transform: "none" }],
    { duration: GLIDE, easing: "ease-in-out" });
}
