// What is seen of a map of words, what lies inside a lasso, which pixels its points have, where names have room.
import assert from "node:assert/strict";
import test from "node:test";
import {
  ALL, MOST_ZOOM, WHOLE, held, isInside, lassoOf, named, packed, pixelOf, scaleOf, solidOf, stampOf, stamped, unpacked, zoomed,
} from "../../../../core/figures/web/src/points/mapview.js";
import { near } from "../support.js";

const BOUNDS = [-4, 10, 6, 15], BOX = [100, 50, 400, 300];
const seen = (view, x, y) => {
  const { scale, left, top } = scaleOf(BOUNDS, BOX, view);
  return [left + x * scale, top - y * scale];
};

test("the whole map lies in the middle of its box, with one scale on both axes", () => {
  assert.equal(scaleOf(BOUNDS, BOX, ALL).scale, 40); // 10 wide in 400 pixels; 5 high would have room for 60
  near(seen(ALL, 1, 12.5), [300, 200]);
  near(seen(ALL, -4, 15), [100, 100]);
});

test("a view keeps within the map and the largest magnification", () => {
  assert.deepEqual(held({ x: -3, y: 9, zoom: 2 }), { x: 0.25, y: 0.75, zoom: 2 });
  assert.deepEqual(held({ x: 0.2, y: 0.9, zoom: 0.1 }), ALL);
  assert.equal(held({ x: 0, y: 0, zoom: 1e9 }).zoom, MOST_ZOOM);
});

test("a state holds a view in whole numbers, and nothing for the whole map", () => {
  assert.equal(packed(ALL), null);
  assert.deepEqual(unpacked(null), ALL);
  assert.deepEqual(packed({ x: 0.123456, y: 0.7, zoom: 3.14159 }), [12346, 70000, 314]);
  assert.deepEqual(packed(unpacked([12346, 70000, 314])), [12346, 70000, 314]);
});

test("what is under the pointer stays there while a map is magnified", () => {
  const view = { x: 0.4, y: 0.55, zoom: 3 }, { scale, left, top } = scaleOf(BOUNDS, BOX, view);
  for (const [at, by] of [[[310, 180], 2], [[280, 215], 1.5], [[300, 200], 0.9]]) {
    near(seen(zoomed(BOUNDS, BOX, view, at, by), (at[0] - left) / scale, (top - at[1]) / scale), at);
  }
  assert.deepEqual(zoomed(BOUNDS, BOX, view, [0, 0], 1e-6), ALL);
});

test("a lasso has few corners, in parts of the map, and a mere click has none", () => {
  assert.deepEqual(lassoOf([[-4, 10], [6, 10], [1, 15]], BOUNDS), [0, 0, WHOLE, 0, 500, WHOLE]);
  assert.deepEqual(lassoOf([[-99, 99], [6, 10], [1, 15]], BOUNDS).slice(0, 2), [0, WHOLE]);
  assert.equal(lassoOf([[0, 12], [1, 12]], BOUNDS), null);
  const round = Array.from({ length: 999 }, (_, i) => [Math.sin(i / 159), 12 + Math.cos(i / 159)]);
  const many = lassoOf(round, BOUNDS);
  assert.ok(many.length > 40 && many.length <= 80);
});

test("inside a closed line, also of one that goes in, and crosses itself", () => {
  const corner = [0, 0, 10, 0, 10, 10, 6, 10, 6, 4, 0, 4]; // an L
  for (const [x, y, inside] of [[1, 1, true], [8, 9, true], [3, 8, false], [11, 5, false], [5, -1, false]]) {
    assert.equal(isInside(corner, x, y), inside, `${x} ${y}`);
  }
  assert.equal(isInside([0, 0, 10, 10, 10, 0, 0, 10], 5, 8), false); // above the crossing of a bow tie
  assert.equal(isInside([0, 0, 10, 10, 10, 0, 0, 10], 1, 5), true);
});

test("a mark is round, darker towards its middle, and its solid pixels are those of its shape", () => {
  const { reach, pixels } = stampOf(1.3, 100, 1), shares = new Map();
  for (let i = 0; i < pixels.length; i += 2) shares.set(pixels[i], pixels[i + 1]);
  assert.equal(reach, 2);
  assert.equal(shares.get(0), 256);
  for (const [u, v] of [[1, 1], [-1, 1], [1, -1], [-1, -1]]) assert.equal(shares.get(4 * (100 * v + u)), shares.get(404));
  assert.equal(shares.get(4 * 202), undefined);
  const solid = [...solidOf(pixels, 90)].sort((a, b) => a - b);
  assert.deepEqual(solid, [-101, -100, -99, -1, 0, 1, 99, 100, 101]);
});

const PAPER = pixelOf([255, 255, 255]), RED = pixelOf([200, 0, 0]), BLUE = pixelOf([0, 0, 200]);
/** A map of 4 words on an image of 8 × 6, each a mark of one pixel. */
function painted(at, of, chosen = null, from = 0, stamp = [0]) {
  const whole = new Uint32Array(48).fill(PAPER), points = { at: Float32Array.from(at), of: Uint8Array.from(of), from, count: 4 };
  stamped(whole, 8, points, { scale: 2, left: 1, top: 5 }, [1, 1, 6, 4], Int32Array.from(stamp), Uint32Array.of(RED, BLUE), chosen);
  return Object.fromEntries([...whole.entries()].filter(([, tint]) => tint !== PAPER).map(([i, tint]) => [`${i % 8} ${Math.floor(i / 8)}`, tint]));
}

test("each word has the pixels of its mark; those outside, and those that a map lacks, have none", () => {
  const at = [1, 1, 2.2, 0.7, NaN, NaN, 9, 1];
  assert.deepEqual(painted(at, [0, 1, 0, 1]), { "3 3": RED, "5 4": BLUE });
  assert.deepEqual(painted([1, 1, 9, 9, 9, 9, 9, 9], [1, 0, 0, 0], null, 0, [-8, 0, 1]), { "3 2": BLUE, "3 3": BLUE, "4 3": BLUE });
});

test("of two words in one place, the first lies in front, unless only the other is searched", () => {
  const at = [1, 1, 1, 1, 9, 9, 9, 9], bits = Uint8Array.of(0, 1, 0, 0);
  assert.deepEqual(painted(at, [0, 1, 0, 0]), { "3 3": RED });
  assert.deepEqual(painted(at, [0, 1, 0, 0], { bits, wanted: 1 }), { "3 3": BLUE });
  assert.deepEqual(painted(at, [0, 1, 0, 0], { bits, wanted: 0 }), { "3 3": RED });
});

test("the second map has the second half of all numbers", () => {
  const at = [...Array(8).fill(9), 1, 1, 9, 9, 9, 9, 9, 9];
  assert.deepEqual(painted(at, [0, 0, 0, 0, 1, 0, 0, 0], null, 4), { "3 3": BLUE });
});

test("names stand above their points, below those at the upper edge, and never over one another", () => {
  const room = [0, 0, 200, 100], at = (of, x, y, wide = 40) => ({ of, x, y, wide });
  const found = named([at(7, 100, 50), at(8, 105, 52), at(9, 20, 50), at(3, 100, 5), at(4, 1, 80)], 10, room, 9);
  assert.deepEqual(found.map(({ of }) => of), [7, 9, 3, 4]); // 8 has no room beside 7
  assert.equal(found[0].y, 42);
  assert.equal(found[2].y, 13);
  assert.equal(found[3].x, 20); // pushed inside
  assert.equal(named([at(1, 50, 50), at(2, 150, 50)], 10, room, 1).length, 1);
});
