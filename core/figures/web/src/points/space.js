// Named points in space that move with a slider, turned by a drag or with Shift and an arrow; values are
// (points, depths, 3), NaN where there is none.
/** @import { SpaceHeader } from "../headers" */
/** @import { SpaceState } from "../states" */
/** @import { Emit, Look, Root, Sent } from "../types" */
/** @import { Obstacle } from "../draw/placing" */
import { live } from "../runtime/life.js";
import { Moving, WAYS } from "./moving.js";
import { frameOf } from "./planeframe.js";
import { STATES } from "../runtime/schema.js";
import { widthOf } from "../runtime/shared.js";
import { boxOf, cameraOf, inDegrees, spotIn, turned, viewed } from "./turning.js";

// Pixels of a drag, for a key.
const TURN = 24;
const RESTED = 250; // milliseconds without a further turn, before the page hears of it

/** @extends {Moving<SpaceHeader, SpaceState>} */
class Space extends Moving {
  schema = STATES.space;
  more = " With Shift, the arrows turn the picture.";
  camera = cameraOf(null);
  /** Where the pointer was that turns the picture. @type {{ x: number, y: number, turns: boolean } | null} */
  dragged = null;

  /** @param {Root} root */
  constructor(root) {
    super(root);
    this.area.style.touchAction = "pan-y";
    this.on(this.area, "pointerdown", (event) => this.hold(event));
    this.on(this.area, "pointermove", (event) => this.drag(event));
    this.on(this.area, "lostpointercapture", () => (this.dragged = null));
  }

  /** @param {boolean} first @param {boolean} takesState */
  take(first, takesState) {
    const { state } = this.header;
    if (takesState && (first || JSON.stringify(state.view) !== JSON.stringify(this.state.view))) {
      this.camera = cameraOf(state.view);
    }
    super.take(first, takesState);
  }

  /** @param {PointerEvent} event */
  hold({ button, isPrimary, clientX, clientY, pointerId, pointerType }) {
    if (button || !isPrimary) return;
    this.dragged = { x: clientX, y: clientY, turns: pointerType !== "touch" };
    this.area.setPointerCapture(pointerId);
  }

  /**
   * A finger that sets out upwards or downwards scrolls the page, and turns nothing.
   * @param {PointerEvent} event
   */
  drag({ clientX, clientY }) {
    if (!this.dragged) return;
    const { x, y, turns } = this.dragged, right = clientX - x, down = clientY - y;
    if (!turns && Math.abs(right) <= Math.abs(down)) return;
    this.dragged = { x: clientX, y: clientY, turns: true };
    this.turnBy(right, down);
  }

  /**
   * Sees the places from another side; what moved there is there.
   * @param {number} x pixels of a drag
   * @param {number} y
   */
  turnBy(x, y) {
    this.camera = turned(this.camera, x, y);
    cancelAnimationFrame(this.motion);
    this.frame.removeAttribute("data-moving");
    this.at = this.placesAt(this.state.depth);
    this.hide();
    this.draw();
    this.state.view = inDegrees(this.camera);
    this.report.tell(RESTED);
  }

  /** @param {number | null} i */
  hover(i) {
    super.hover(this.dragged ? null : i);
  }

  /** @param {Float32Array} numbers */
  projected([x, y, z]) {
    const [u, v, w] = this.header.solid.middle;
    return viewed(this.camera, [x - u, y - v, z - w]);
  }

  /** @param {Look} look */
  framed(look) {
    const { shapes, ...framed } = frameOf(this, look), { room } = framed, { solid } = this.header;
    const spot = spotIn(solid, room), box = boxOf(solid, this.camera, spot, room, look);
    /** @type {Obstacle[]} */
    const taken = box.flatMap((shape) => {
      if (shape.text === undefined) return [];
      const { x, y, size } = shape, half = widthOf(shape.text, look) / 2;
      return [{ box: [x - half, y - 0.6 * size, x + half, y + 0.6 * size] }];
    });
    return { ...framed, spot, taken, shapes: [...shapes, ...box] };
  }

  /** @param {KeyboardEvent} event @returns {number | null} */
  next(event) {
    const [by, sign] = WAYS[event.key] ?? [];
    if (this.here === null || !event.shiftKey || event.ctrlKey || !sign) return super.next(event);
    this.turnBy(by ? 0 : -sign * TURN, by ? sign * TURN : 0);
    return this.here;
  }
}

/** @param {Root} root @param {Sent} data @param {Emit} emit */
export function render(root, data, emit) {
  return live(root, data, emit, () => new Space(root));
}
