import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { isInView, whenSeen } from "../../../../core/figures/web/src/runtime/seen.js";

/** A page of our own: a window, its tab, a clock, and what is heard. */
function page(act, { visible = true, top = 900 } = {}) {
  const timers = new Map(), heard = {}, acted = [];
  let count = 0, see = null, watching = true;
  const kept = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  Object.assign(globalThis, {
    innerHeight: 800,
    document: { visibilityState: visible ? "visible" : "hidden",
      addEventListener: (type, hear, { signal }) => { heard[type] = () => signal.aborted || hear(); } },
    IntersectionObserver: class {
      constructor(hear) { see = (shown, whole) => watching && hear([{ intersectionRect: { height: shown }, boundingClientRect: { height: whole } }]); }
      observe() {}
      disconnect() { watching = false; }
    },
    setTimeout: (then, wait) => { timers.set(++count, [then, wait]); return count; },
    clearTimeout: (id) => timers.delete(id),
  });
  const life = new AbortController();
  whenSeen({ getBoundingClientRect: () => ({ top, bottom: top + 500, height: 500 }) }, life.signal, () => acted.push(1));
  const pass = () => { const due = [...timers.values()]; timers.clear(); due.forEach(([then]) => then()); };
  act({ acted, heard, life, pass, see, timers, turn: (state) => { document.visibilityState = state; heard.visibilitychange(); } });
  Object.assign(globalThis, kept);
}

test("a picture is in view from three fifths of it on, or of the window if the picture is larger", () => {
  const seen = (shown, whole) => isInView({ height: shown }, { height: whole }, 800);
  deepEqual([seen(599, 1000), seen(600, 1000), seen(479, 2000), seen(480, 2000), seen(0, 0)], [true, true, false, true, false]);
  deepEqual([seen(299, 500), seen(300, 500)], [false, true]);
});

test("it waits until it is in view, and then acts once", () => page(({ acted, pass, see }) => {
  see(100, 500);
  pass();
  equal(acted.length, 0);
  see(400, 500);
  equal(acted.length, 0); // not before the page rests
  pass();
  see(0, 500);
  see(500, 500);
  pass();
  equal(acted.length, 1);
}));

test("in view from the first, it acts at once; partly, or in a hidden tab, it waits", () => {
  for (const [top, visible, times] of [[100, true, 1], [500, true, 1], [-200, true, 1], [501, true, 0], [-201, true, 0], [100, false, 0]]) {
    page(({ acted, pass, see }) => {
      equal(acted.length, times);
      see?.(500, 500);
      pass();
      equal(acted.length, visible ? 1 : 0);
    }, { top, visible });
  }
});

test("out of view again before the page rests, it waits on", () => page(({ acted, pass, see }) => {
  see(500, 500);
  see(10, 500);
  pass();
  equal(acted.length, 0);
}));

test("a hidden tab waits until it is shown, and one that is left before waits again", () => page(({ acted, pass, see, turn }) => {
  see(500, 500);
  pass();
  equal(acted.length, 0);
  turn("visible");
  turn("hidden");
  pass();
  equal(acted.length, 0);
  turn("visible");
  pass();
  equal(acted.length, 1);
}, { visible: false }));

test("while the page scrolls, it waits", () => page(({ acted, heard, pass, see, timers }) => {
  see(500, 500);
  const [before] = timers.keys();
  heard.scroll();
  equal(timers.has(before), false);
  equal(timers.size, 1);
  pass();
  equal(acted.length, 1);
}));

test("who chooses a layer before is not moved away from it", () => page(({ acted, heard, life, pass, see, timers }) => {
  see(500, 500);
  life.abort();
  equal(timers.size, 0);
  see(500, 500);
  heard.scroll();
  pass();
  equal(acted.length, 0);
}));
