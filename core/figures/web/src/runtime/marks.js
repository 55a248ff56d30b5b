// A picture of marks: the one nearest to the pointer, or reached by keys, gets a ring and its name.
/** @import { Header, MarksPlan, Reading, Root, State } from "../types" */
import { element } from "./shared.js";
import { Picture, notThere } from "./picture.js";

const ROUND = `.cursor,.near{border-radius:50%}
.near{visibility:hidden;pointer-events:none;border:2px solid currentColor;box-sizing:border-box}`;

/**
 * A thing is the index of its mark. Besides the methods that every picture overrides, one of marks overrides `read`.
 * @template {Header<S>} H
 * @template {State} S
 * @template {MarksPlan} [P=MarksPlan]
 * @extends {Picture<H, S, number | null, P>}
 */
export class Marks extends Picture {
  /**
   * @param {Root} root
   * @param {string} roledescription
   */
  constructor(root, roledescription) {
    super(root, roledescription);
    this.shadow.append(element("style", {}, ROUND));
    this.near = element("div", { class: "near" });
    this.area.before(this.near);
  }

  /**
   * The text that is read for a thing.
   * @param {number} _i
   * @returns {Reading}
   */
  read(_i) {
    throw notThere();
  }

  /**
   * The mark nearest to the pointer.
   * @param {MouseEvent} event
   * @returns {number | null}
   */
  under({ offsetX, offsetY }) {
    const { marks, area: [left, top] } = this.plan;
    let best = null, least = Infinity;
    for (const [i, mark] of marks.entries()) {
      const far = mark ? Math.hypot(mark.x - left - offsetX, mark.y - top - offsetY) : Infinity;
      if (far < least - 1e-6) [best, least] = [i, far];
    }
    return best;
  }

  /** @param {number} i */
  tipOf(i) {
    const { x, y, r } = this.markOf(i);
    return { ...this.read(i), x, top: y - r - 3, bottom: y + r + 3 };
  }

  /** @param {number | null} i */
  hover(i) {
    super.hover(i);
    if (i !== null) this.circle(this.near, i);
    this.near.style.visibility = i === null ? "hidden" : "visible";
  }

  hide() {
    super.hide();
    this.near.style.visibility = "hidden";
  }

  place() {
    const { plan: { marks }, cursor } = this;
    let { here } = this;
    if (here === null || !marks[here]) {
      const first = marks.findIndex(Boolean);
      here = first < 0 ? null : first;
    }
    this.here = here;
    cursor.style.visibility = here === null ? "hidden" : "visible";
    if (here !== null) this.circle(cursor, here);
  }

  /** @param {HTMLElement} node @param {number} i */
  circle(node, i) {
    const { x, y, r } = this.markOf(i), far = r + 5;
    Object.assign(node.style, {
      left: `${x - far}px`, top: `${y - far}px`, width: `${2 * far}px`, height: `${2 * far}px`,
    });
  }

  /**
   * A mark that is pointed at or reached has a position.
   * @param {number} i
   */
  markOf(i) {
    const mark = this.plan.marks[i];
    if (!mark) throw new Error(`Mark ${i} is not drawn.`);
    return mark;
  }
}
