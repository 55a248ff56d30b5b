import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { boxOf, look, near } from "../support.js";
import { E, N, S, W, along, apart, beside, dotted, footOf, meet } from "../../../../core/figures/web/src/draw/placing.js";

test("heights that are too close are moved apart about their middle", () => {
  near(apart([10, 50], 12, 0, 100), [10, 50]);
  near(apart([50, 50], 12, 0, 100), [44, 56]);
  near(apart([52, 48, 50], 12, 0, 100), [62, 38, 50]); // in their own order
  near(apart([2, 3, 90], 12, 0, 100), [0, 12, 90]); // and not out of the room
  near(apart([99, 98], 12, 0, 100), [100, 88]);
  deepEqual(apart([10, 20, 30], 50, 0, 100), [0, 50, 100]);
  deepEqual(apart([10, 20, 30], 60, 0, 100).map((y) => y === null), [false, false, true]);
});

const axis = (count, width) => {
  const texts = Array.from({ length: count }, (_, i) => String(i));
  return along(texts.map((_, i) => (i * width) / (count - 1)), texts, look);
};

test("ticks of an axis are all, or round, even and clear of each other, with the end where it has room", () => {
  deepEqual(axis(8, 400), [0, 1, 2, 3, 4, 5, 6, 7]);
  deepEqual(axis(11, 100), [0, 2, 4, 6, 8, 10]);
  deepEqual(axis(190, 200), [0, 20, 40, 60, 80, 100, 120, 140, 160, 180]);
  deepEqual(axis(33, 100), [0, 5, 10, 15, 20, 25, 30]);
  deepEqual(axis(25, 120), [0, 5, 10, 15, 20, 24]);
  for (const [count, width] of [[190, 1300], [190, 300], [32, 300], [1000, 350]]) {
    const shown = axis(count, width), inner = shown.at(-1) === count - 1 ? shown.slice(0, -1) : shown;
    const steps = new Set(inner.slice(1).map((i, k) => i - inner[k]));
    equal(steps.size, 1);
    ok([1, 2, 5, 10, 20, 50, 100, 200, 500].includes([...steps][0]));
    for (const [k, i] of shown.entries()) {
      if (k) ok(((i - shown[k - 1]) * width) / (count - 1) >= 2.5 * (String(i).length + String(shown[k - 1]).length));
    }
  }
});

test("ticks that are no numbers: the ends first", () => {
  const texts = ["start", "a long name", "another", "end"];
  deepEqual(along([0, 300, 600, 900], texts, look), [0, 1, 2, 3]);
  deepEqual(along([0, 30, 60, 90], texts, look), [0, 3, 2]);
  deepEqual(along([0, 10, 20, 30], texts, look), [0, 3]);
});

const ROOM = [0, 0, 200, 100];
const label = (x, y, more = {}) => ({ x, y, r: 4, wide: 30, high: 12, of: 0, sides: [E, W, N, S], ...more });

test("a label stands on the best side of its point that is clear and inside", () => {
  const side = (one, taken = []) => beside([one], taken, [], ROOM)[0].side;
  equal(side(label(50, 50)), E);
  equal(side(label(190, 50)), W);
  equal(side(label(50, 50), [{ box: [55, 40, 70, 60], of: 1 }]), W);
  equal(side(label(50, 50), [{ box: [55, 40, 70, 60], of: 0 }]), E); // its own mark is no obstacle
  const at = beside([label(50, 50)], [], [], ROOM)[0].box;
  near(at, [55, 44, 85, 56]);
});

test("labels meet neither each other nor what is taken, and lines where they can", () => {
  const all = Array.from({ length: 12 }, (_, i) => label(20 + 14 * i, 50 + (i % 3), { of: i }));
  const taken = all.map(({ x, y, r, of }) => ({ box: [x - r, y - r, x + r, y + r], of }));
  const boxes = beside(all, taken, [], ROOM).filter(Boolean).map(({ box }) => box);
  ok(boxes.length >= 6);
  boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => ok(!meet(one, other))));
  equal(beside([label(50, 50)], [], dotted([52, 50], [90, 50]), ROOM)[0].side, W);
});

test("without room beside it a label stands away, and a line leads to it", () => {
  const around = [[56, 30, 100, 70], [0, 30, 44, 70], [44, 36, 56, 44], [44, 56, 56, 64]].map((box) => ({ box, of: 1 }));
  const [placed] = beside([label(50, 50, { sides: [N] })], around.slice(0, 3), [], ROOM);
  equal(placed, null); // the line would run through what is taken
  const [far] = beside([label(50, 50, { sides: [N] })], [{ box: [56, 34, 80, 45], of: 1 }], [], ROOM);
  near(far.leader, [[50, 45], [50, far.box[3]]]);
  equal(beside([label(50, 50, { sides: [N] })], [{ box: [0, 0, 200, 100], of: 1 }], [], ROOM)[0], null);
});

test("the title under a picture keeps clear of the buttons, in at most two lines", () => {
  const { shapes, top } = footOf("what the numbers of this picture are, in so many words", look, { width: 300, height: 100 }, 250);
  equal(shapes.length, 2);
  for (const shape of shapes) {
    const [left, , right, bottom] = boxOf(shape);
    ok(left >= 0 && right <= 200 && bottom <= 100);
  }
  ok(top < boxOf(shapes[0])[1]);
  deepEqual(footOf("short", look, { width: 300, height: 100 }, 90).shapes.map(({ text, x }) => [text, x]), [["short", 90]]);
});
