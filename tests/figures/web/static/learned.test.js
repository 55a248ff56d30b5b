// A model that learns in the tab, as the card and the pictures of a lesson's step see it.
import { test } from "node:test";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { answerOf, canCompute } from "../../../../core/figures/web/src/static/expressions.js";
import { Learned, learnedOf, learnedPictures } from "../../../../core/figures/web/src/static/learned.js";
import { GivenUp } from "../../../../core/figures/web/src/static/spoken.js";

const recipe = /** @type {any} */ ({ steps: 20 });
/** @param {number} step */
const look = (step) => ({ step, loss: 4 - step / 10, random: 4, accuracy: 0.5, pattern: 0.9961, attention: [Float32Array.of(1, 0, 0.25, 0.75)], tokens: ["a", "b"] });

class Told {
  /** @type {Told[]} */
  static all = [];
  orders = /** @type {any[]} */ ([]);
  ended = false;
  /** @type {Record<string, (event: any) => void>} */
  on = {};

  constructor() {
    Told.all.push(this);
  }

  /** @param {string} name @param {(event: any) => void} heard */
  addEventListener(name, heard) {
    this.on[name] = heard;
  }

  /** @param {any} order */
  postMessage(order) {
    this.orders.push(order);
  }

  terminate() {
    this.ended = true;
  }

  /** @param {number} step */
  says(step) {
    this.on.message({ data: { kind: "look", look: look(step) } });
  }
}

/** @param {(worker: () => Told) => Promise<void>} of */
async function withWorkers(of) {
  Told.all = [];
  globalThis.Worker = /** @type {any} */ (Told);
  await of(() => /** @type {Told} */ (Told.all.at(-1)));
  // @ts-expect-error Node has none
  delete globalThis.Worker;
}

test("one training answers whoever waits, and says how far it has come", () => withWorkers(async (worker) => {
  const learned = new Learned("w.js", recipe), heard = /** @type {number[][]} */ ([]);
  const late = learned.at(20, { heard: (...far) => heard.push(far) }), first = learned.at(0);
  equal(Told.all.length, 1);
  deepEqual(worker().orders, [{ kind: "copy", recipe }]);
  worker().says(0);
  equal((await first).step, 0);
  worker().says(10);
  equal((await learned.at(10)).step, 10);
  worker().says(20);
  equal((await late).step, 20);
  deepEqual(heard, [[0, 20], [0, 20], [10, 20]]);
  equal((await learned.at(15)).step, 10);
  equal(worker().ended, true);
  equal(Told.all.length, 1);
  await rejects(learned.at(21), RangeError);
}));

test("nobody waits any more, or it fails and is tried anew", () => withWorkers(async (worker) => {
  const learned = new Learned("w.js", recipe), gone = new AbortController(), left = learned.at(20, { signal: gone.signal }), other = learned.at(20);
  gone.abort();
  await rejects(left, GivenUp);
  worker().says(0);
  worker().on.error({ message: "no memory" });
  await rejects(other, /no memory/);
  const again = learned.at(0);
  equal(Told.all.length, 2);
  deepEqual(learned.looks, []);
  worker().says(0);
  equal((await again).step, 0);
}));

test("a key about a training is computed where the tab has one", async () => {
  equal(canCompute({ loss: { after: 300 } }), false);
  equal(canCompute({ loss: { after: 300 } }, true), true);
  equal(canCompute({ weight: { text: "a", from: "a", to: "a", after: 0 } }, true), false);
  const step = { values: /** @type {any} */ ([["start", { loss: { after: 0 } }], ["found", { found: { after: 20 } }]]), key: { loss: { after: 20 } }, reveal: "From {start} to {key}, {found%}." };
  const records = /** @type {any} */ ({ learned: async (/** @type {number} */ after) => look(after) });
  deepEqual(await answerOf(step, records, {}, (text) => text), { key: "2", value: 2, reveal: "From 4 to 2, 99.6 %." });
  await rejects(answerOf(step, /** @type {any} */ ({ learned: null }), {}, (text) => text));
});

test("a share near 1 has one decimal comma in German", async () => {
  const page = /** @type {any} */ (globalThis), step = { values: /** @type {any} */ ([]), key: { found: { after: 20 } }, reveal: "In {key%}." };
  page.polyseeLanguage = { language: "de", decimal: ",", group: " ", messages: {} };
  equal((await answerOf(step, /** @type {any} */ ({ learned: async () => look(20) }), {}, (text) => text)).reveal, "In 99,6 %.");
  delete page.polyseeLanguage;
});

test("one recipe is one training", () => {
  equal(learnedOf("/", { ...recipe }), learnedOf("/", { ...recipe }));
  equal(learnedOf("/", /** @type {any} */ ({ steps: 30 })) === learnedOf("/", recipe), false);
});

test("the pictures so far: the loss of both halves, and each layer", () => {
  const [loss, layer, ...more] = learnedPictures(/** @type {any} */ ({ looks: [look(0), look(10)], recipe }));
  equal(more.length, 0);
  equal(loss.said, "The loss after step 10: 3.00 nats in the second half, 4.00 in the first.");
  deepEqual([...new Float32Array(loss.made.payload.buffer ?? loss.made.payload)], [4, 4, NaN, 4, 3, NaN]);
  deepEqual(loss.made.header.bounds, [0, 4]);
  deepEqual(layer.made.header.rows, ["a", "b"]);
  deepEqual([...new Float32Array(layer.made.payload.buffer ?? layer.made.payload)], [1, 0, 0.25, 0.75]);
});
