// The side that places in space are seen from: as a link has it, and as Plotly has it.
import assert from "node:assert/strict";
import test from "node:test";
import { cameraAt, cameraOf, eyeOf, inDegrees, moved, scaleOf, turned } from "../../../../core/figures/web/src/points/camera.js";
import { near } from "../support.js";

test("two numbers of degrees say where the eye is: from in front, from the right, from above", () => {
  near(Object.values(eyeOf(cameraOf([0, 0]))), [0, -2, 0]);
  near(Object.values(eyeOf(cameraOf([90, 0]))), [2, 0, 0]);
  near(Object.values(eyeOf(cameraOf([0, 30]))), [0, -Math.sqrt(3), 1]);
  near(Object.values(eyeOf(cameraOf([270, -30]))), [-Math.sqrt(3), 0, -1]);
});

test("the eye gives the same numbers back, also from straight above", () => {
  for (const view of [[0, 0], [34, 23], [359, -89], [181, 7], [90, 90], [12, -90]]) {
    const back = cameraAt(eyeOf(cameraOf(view)), 0.8);
    assert.deepEqual(inDegrees(back), view);
    assert.equal(back.far, 0.8);
  }
});

test("the box is as large as it can be, however it is turned round, in a wide picture and in a high one", () => {
  const cube = { x: 1, y: 1, z: 1 }, wide = { width: 892, height: 492 }, high = { width: 292, height: 492 };
  const from = (tilt, picture, box = cube) => scaleOf(cameraOf([0, tilt]), box, picture) / 2;
  // 800 and 400 pixels without the titles: from in front the height counts, and from above the diagonal.
  near(from(0, wide), 400 / 492);
  near(from(90, wide), 400 / 492 / Math.SQRT2);
  near(from(-90, wide), from(90, wide));
  near(from(0, high), 200 / 492 / Math.SQRT2);
  near(from(0, wide, { x: 3, y: 4, z: 1 }), 800 / 492 / 5);
  near(scaleOf(moved(cameraOf([0, 0]), 1.5), cube, wide), 400 / 492 / 0.75);
});

test("it opens from where all three directions are seen, and turns no farther than straight above", () => {
  assert.deepEqual(inDegrees(cameraOf(null)), [34, 23]);
  assert.deepEqual(inDegrees(turned(cameraOf(null), 11, -11)), [45, 12]);
  assert.deepEqual(inDegrees(turned(cameraOf(null), -45, 99)), [349, 90]);
  assert.deepEqual(inDegrees(turned(cameraOf([350, 0]), 11, 0)), [1, 0]);
});
