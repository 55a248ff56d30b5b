// Named points in a plane that move with a slider; values are (points, depths, 2), NaN where there is none.
/** @import { Emit, Root, Sent } from "../types" */
import { live } from "../runtime/life.js";
import { Moving } from "./moving.js";

/** @param {Root} root @param {Sent} data @param {Emit} emit */
export function render(root, data, emit) {
  return live(root, data, emit, () => new Moving(root));
}
