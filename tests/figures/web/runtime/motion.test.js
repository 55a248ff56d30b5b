import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { Motion } from "../../../../core/figures/web/src/runtime/motion.js";

/** Runs a motion with a clock of our own, a frame every 10 milliseconds and a pause: [milliseconds, number] of each. */
function run(begin, pause = () => 0) {
  let now = 0, frame = null, over = null;
  const seen = [], clock = performance.now;
  performance.now = () => now;
  globalThis.requestAnimationFrame = (act) => { frame = act; return 1; };
  globalThis.cancelAnimationFrame = () => { frame = null; };
  const motion = new Motion((at) => seen.push([now, at]), () => { over = now; });
  begin(motion);
  while (frame && now < 10000) {
    const act = frame;
    frame = null;
    now += 10 + pause(now);
    act(now);
  }
  performance.now = clock;
  return { seen, over, motion };
}

test("to another layer it takes a moment, slower towards its end", () => {
  const { seen, over, motion } = run((one) => one.to(3, 4));
  equal(over, 180);
  deepEqual(seen.at(-1), [180, 4]);
  ok(Math.abs(seen.find(([at]) => at === 90)[1] - 3.75) < 1e-9);
  equal(motion.going, false);
});

test("through many layers it takes 3.4 seconds, through a few 0.56 for each, and a pause before", () => {
  equal(run((one) => one.through(0, 24)).over, 3400);
  equal(run((one) => one.through(0, 5)).over, 350 + 5 * 560);
  equal(run((one) => one.through(3, 5)).over, 350 + 2 * 560);
});

test("it passes every layer in turn, rests at each, and never goes back", () => {
  const { seen } = run((one) => one.through(0, 5));
  equal(seen.find(([at]) => at === 300)[1], 0);
  const numbers = seen.map(([, at]) => at);
  numbers.forEach((at, i) => ok(!i || at >= numbers[i - 1]));
  for (let depth = 0; depth <= 5; depth++) {
    ok(seen.some(([, at]) => Math.abs(at - depth) < 0.01));
    const about = seen.filter(([, at]) => Math.abs(at - depth) < 0.1).length;
    const between = seen.filter(([, at]) => Math.abs(at - depth - 0.5) < 0.1).length;
    ok(depth === 5 || about > between);
  }
});

test("what is stopped stays where it is", () => {
  let stopped = null;
  const { over, motion } = run((one) => {
    one.through(0, 5);
    stopped = one;
    const { reach } = one;
    one.reach = (at) => { reach(at); if (at > 2.5) one.stop(); };
  });
  equal(over, null);
  equal(motion, stopped);
  deepEqual([motion.going, motion.playing], [false, false]);
});

test("a tab that is hidden for seconds skips nothing", () => {
  const hidden = (now) => (now === 1000 ? 5000 : 0);
  const { seen, over } = run((one) => one.through(0, 5), hidden);
  equal(over, 350 + 5 * 560 + 5010 - 200); // such a frame counts 200
  const numbers = seen.map(([, at]) => at);
  numbers.forEach((at, i) => ok(!i || at - numbers[i - 1] < 0.6));
});
