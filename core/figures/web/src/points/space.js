// Named points in space that move with a slider, turned by a drag or with Shift and an arrow; values are
// (points, depths, 3), NaN where there is none.
import { live } from "../runtime/life.js";
import { Moving, WAYS } from "./moving.js";
import { frameOf } from "./planeframe.js";
import { STATES } from "../runtime/schema.js";
import { widthOf } from "../runtime/shared.js";
import { boxOf, cameraOf, inDegrees, spotIn, turned, viewed } from "./turning.js";

// Pixels of a drag, for a key.
const TURN = 24;
const RESTED = 250; // milliseconds without a further turn, before the page hears of it

class Space extends Moving {
  schema = STATES.space;

  constructor(root) {
    super(root);
    // `dragged`: where the pointer was that turns the picture.
    Object.assign(this, { more: " With Shift, the arrows turn the picture.", dragged: null });
    this.area.style.touchAction = "pan-y";
    this.on(this.area, "pointerdown", (event) => this.hold(event));
    this.on(this.area, "pointermove", (event) => this.drag(event));
    this.on(this.area, "lostpointercapture", () => (this.dragged = null));
  }

  take(first, takesState) {
    const { state } = this.header;
    if (takesState && (first || JSON.stringify(state.view) !== JSON.stringify(this.state.view))) {
      this.camera = cameraOf(state.view);
    }
    super.take(first, takesState);
  }

  hold({ button, isPrimary, clientX, clientY, pointerId, pointerType }) {
    if (button || !isPrimary) return;
    this.dragged = { x: clientX, y: clientY, turns: pointerType !== "touch" };
    this.area.setPointerCapture(pointerId);
  }

  /** A finger that sets out upwards or downwards scrolls the page, and turns nothing. */
  drag({ clientX, clientY }) {
    if (!this.dragged) return;
    const { x, y, turns } = this.dragged, by = [clientX - x, clientY - y];
    if (!turns && Math.abs(by[0]) <= Math.abs(by[1])) return;
    this.dragged = { x: clientX, y: clientY, turns: true };
    this.turnBy(...by);
  }

  /** Sees the places from another side; what moved there is there. */
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

  hover(i) {
    super.hover(this.dragged ? null : i);
  }

  projected(numbers) {
    return viewed(this.camera, numbers.map((at, axis) => at - this.header.solid.middle[axis]));
  }

  framed(look) {
    const { shapes, ...framed } = frameOf(this, look), { room } = framed, { solid } = this.header;
    const spot = spotIn(solid, room), box = boxOf(solid, this.camera, spot, room, look);
    const taken = box.filter(({ text }) => text).map(({ text, x, y, size }) => {
      const half = widthOf(text, look) / 2;
      return { box: [x - half, y - 0.6 * size, x + half, y + 0.6 * size] };
    });
    return { ...framed, spot, taken, shapes: [...shapes, ...box] };
  }

  next(event) {
    const [by, sign] = WAYS[event.key] ?? [];
    if (this.here === null || !event.shiftKey || event.ctrlKey || !sign) return super.next(event);
    this.turnBy(by ? 0 : -sign * TURN, by ? sign * TURN : 0);
    return this.here;
  }
}

export function render(root, data, emit) {
  return live(root, data, emit, () => new Space(root));
}
