import { beforeEach, test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { LinkedChoice } from "../../../../core/figures/web/src/layer/linked.js";

let frames = [];
globalThis.requestAnimationFrame = (act) => frames.push(act);
globalThis.cancelAnimationFrame = () => {};
const nextFrame = () => frames.splice(0).forEach((act) => act());

beforeEach(() => {
  globalThis.document = new EventTarget();
  frames = [];
});

/** A picture of a group: its tokens by their numbers there, and what it has followed. */
function pictured(queries, keys = queries) {
  const names = (numbers) => numbers.map((_, i) => `token ${i}`);
  const layer = {
    header: { link: { group: "pair", queries, keys }, queries: names(queries), keys: names(keys) },
    on: (node, type, act) => node.addEventListener(type, act), report: { follows() {} }, followed: [],
    follow(change) { this.followed.push(change); },
    pointed: null, here: null, focused: false, scroll: {}, tip: { style: {} }, drawn: 0, drawSoon() { this.drawn++; },
    level: {
      toPointed: ({ i, j }) => ({ query: i, key: j }),
      fromPointed: ({ query, key }) => (query === null || key === null ? null : { i: query, j: key }),
    },
  };
  layer.linked = new LinkedChoice(layer);
  return layer;
}

test("the zoom level and the tokens are shared, in one message a frame, and heads are not", () => {
  const one = pictured([0, 1, 2]), other = pictured([2, 1, 0]);
  one.linked.tell({ level: "head", head: 3, on: [3] });
  one.linked.tell({ query: 0, key: null, pin: null });
  deepEqual(other.followed, []);
  nextFrame();
  deepEqual(other.followed, [{ level: "head", query: 2, pin: null }]); // of a key that is chosen no more, the strongest
  one.linked.tell({ special: null });
  nextFrame();
  deepEqual(other.followed.at(-1), { special: null });
  deepEqual(one.followed, []);
});

test("what is pointed at is shown beside, once, where it is a thing of that picture too", () => {
  const one = pictured([0, 1, 2], [5, 6, 7]), other = pictured([1, 2], [7, 6]);
  one.pointed = { i: 1, j: 2 };
  one.linked.tell();
  one.linked.tell();
  nextFrame();
  deepEqual([other.linked.thing, other.drawn], [{ i: 0, j: 0 }, 1]);
  one.linked.tell();
  nextFrame();
  equal(other.drawn, 1);
  one.pointed = { i: 0, j: 2 }; // the other has no such query
  one.linked.tell();
  nextFrame();
  deepEqual([other.linked.thing, other.drawn], [null, 2]);
});

test("where the keys are counts while nothing is pointed at, and a picture that goes points at nothing", () => {
  const one = pictured([0, 1]), other = pictured([0, 1]);
  Object.assign(one, { here: { i: 1, j: 1 }, focused: true });
  one.linked.tell();
  nextFrame();
  deepEqual(other.linked.thing, { i: 1, j: 1 });
  one.linked.remove();
  equal(other.linked.thing, null);
});

test("a token that the picture beside does not have is named", () => {
  const { linked } = pictured([0, null], [null, 1]);
  equal(linked.missingBeside({ queries: 0, keys: 1 }), "");
  const both = linked.missingBeside({ queries: 1, keys: 0 });
  equal(both.includes("token 1") && both.includes("token 0"), true);
  equal(linked.missingBeside({ queries: 1 }).includes("token 0"), false);
});
