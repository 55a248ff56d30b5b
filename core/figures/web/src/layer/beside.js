// Two maps beside each other in a picture of a layer: the second canvas, one cell framed in both.
import { element } from "../runtime/shared.js";

export function put({ style }, box) {
  const [left, top, width, height] = box.map((x) => `${x}px`);
  Object.assign(style, { left, top, width, height });
}

/** A frame around a thing that the keys are not at. */
export function markBefore(tip) {
  const mark = element("div", { class: "cursor", "aria-hidden": "true" });
  mark.style.cssText = "display:block;visibility:hidden";
  tip.before(mark);
  return mark;
}

export class LayerBeside {
  constructor(picture) {
    this.picture = picture;
    this.frames = [0, 1].map(() => markBefore(picture.tip));
    this.second = element("canvas", { "aria-hidden": "true" });
  }

  /** The first canvas, and the second where two maps are drawn. */
  canvases(count) {
    const { picture: { canvas }, second } = this;
    if (count < 2) second.remove();
    else if (!second.isConnected) canvas.after(second);
    return count < 2 ? [canvas] : [canvas, second];
  }

  /** The canvases where they belong. */
  place(boxes) {
    this.canvases(boxes.length).forEach((canvas, i) => {
      canvas.hidden = !boxes[i];
      if (boxes[i]) put(canvas, boxes[i]);
    });
  }

  /** What is pointed at, or what the keys are at, in both. */
  mark() {
    const boxes = this.picture.level.twins?.() ?? [];
    this.frames.forEach((frame, i) => {
      frame.style.visibility = boxes[i] ? "visible" : "hidden";
      if (boxes[i]) put(frame, boxes[i]);
    });
  }
}
