// The cells of a head on their canvas; those of the heads beside it are coloured while nobody waits.
import { imageOfCells, paletteOf, showImage } from "../draw/cells.js";
import { whenIdle } from "../runtime/idle.js";
import { showsSpecial } from "./state.js";

const KEPT = 4; // images: of the heads before and behind, weights and scores

export class HeadReady {
  constructor(map) {
    Object.assign(this, { map, images: new Map(), of: null });
  }

  /** Shows what is planned, unless the canvas shows it already. */
  paint(canvas, { what, grid, palette, plan }, look, ratio) {
    const { exact, state } = this.map.view, { head } = state, special = showsSpecial(state);
    const { width, height } = plan;
    const key = (one) => JSON.stringify([one, what, special, look.paper, width, height, ratio]);
    const painted = key(head);
    if (this.of !== exact) this.images.clear();
    this.of = exact;
    if (canvas.painted !== painted || canvas.of !== exact || canvas.painter !== this) {
      showImage(canvas, this.images.get(painted) ?? imageOfCells(grid, plan, palette, ratio));
    }
    Object.assign(canvas, { painted, of: exact, painter: this });
    for (const other of [head + 1, head - 1]) { // an arrow key opens them
      if (exact.present.includes(other)) this.prepare(key(other), special, () => {
        const next = this.map.grid(what, grid.width, grid.header.height, other);
        return imageOfCells(next, plan, paletteOf(next.header.scale, look), ratio);
      });
    }
  }

  prepare(key, special, make) {
    const { of, images, map: { view } } = this;
    whenIdle(() => {
      // Meanwhile there may be other numbers, or other tokens of them.
      if (images.has(key) || this.of !== of || view.exact !== of
        || showsSpecial(view.state) !== special) return;
      if (images.size >= KEPT) images.delete(images.keys().next().value);
      images.set(key, make());
    });
  }
}
