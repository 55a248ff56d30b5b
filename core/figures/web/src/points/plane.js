// Named points in a plane that move with a slider; values are (points, depths, 2), NaN where there is none.
import { live } from "../runtime/life.js";
import { Moving } from "./moving.js";

export function render(root, data, emit) {
  return live(root, data, emit, () => new Moving(root));
}
