import { beforeEach, test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { onTheWay, travel } from "../../../../core/figures/web/src/points/travel.js";

const floats = (...numbers) => Float32Array.from(numbers);

test("points go quickly first, and a point that comes from nowhere is there at once", () => {
  const from = floats(0, 10, NaN), to = floats(4, 2, 5);
  deepEqual([...onTheWay(from, to, 0)], [0, 10, 5]);
  deepEqual([...onTheWay(from, to, 0.5)], [3, 4, 5]);
  equal(onTheWay(from, to, 1), to);
});

let frames = [];
beforeEach(() => {
  frames = [];
  globalThis.requestAnimationFrame = (act) => frames.push(act);
  performance.now = () => 1000;
});

test("a picture is drawn in each frame until its points have arrived", () => {
  const drawn = [], attributes = new Set(["data-moving"]);
  const picture = {
    at: floats(0), motion: 0,
    frame: { removeAttribute: (name) => attributes.delete(name) },
    draw() { drawn.push(this.at[0]); },
  };
  travel(picture, floats(0), floats(8));
  for (const now of [990, 1075, 1150]) frames.shift()(now); // a frame may have begun before it was asked for
  deepEqual(drawn, [0, 6, 8]);
  deepEqual([frames.length, attributes.size], [0, 0]);
});
