// A picture of marks that can be pointed at and walked through: the nearest is ringed and named.
// Its plan has `marks`: for each thing {x, y, r}, or null where it has no place.
import { element } from "./shared.js";
import { Life } from "./life.js";

const ROUND = `.cursor,.near{border-radius:50%}
.near{visibility:hidden;pointer-events:none;border:2px solid currentColor;box-sizing:border-box}`;

export class Marks extends Life {
  constructor(root, roledescription) {
    super(root, roledescription);
    this.host.shadowRoot.append(element("style", {}, ROUND));
    this.near = element("div", { class: "near" });
    this.area.before(this.near);
  }

  /** The mark nearest to the pointer. */
  under({ offsetX, offsetY }) {
    const [left, top] = this.plan.area, { marks } = this.plan;
    let best = null, least = Infinity;
    marks.forEach((mark, i) => {
      const far = mark ? Math.hypot(mark.x - left - offsetX, mark.y - top - offsetY) : Infinity;
      if (far < least - 1e-6) [best, least] = [i, far];
    });
    return best;
  }

  told(i) {
    const { x, y, r } = this.plan.marks[i];
    return { ...this.read(i), x, top: y - r - 3, bottom: y + r + 3 };
  }

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
    const { marks } = this.plan;
    if (!marks[this.here]) {
      const first = marks.findIndex(Boolean);
      this.here = first < 0 ? null : first;
    }
    this.cursor.style.visibility = this.here === null ? "hidden" : "visible";
    if (this.here !== null) this.circle(this.cursor, this.here);
  }

  circle(node, i) {
    const { x, y, r } = this.plan.marks[i], far = r + 5;
    Object.assign(node.style, {
      left: `${x - far}px`, top: `${y - far}px`, width: `${2 * far}px`, height: `${2 * far}px`,
    });
  }
}
