// The engine with a worker that the test answers for: the latest request wins, and a failure can be retried.
import { strict as assert } from "node:assert";
import { beforeEach, test } from "node:test";
import { Engine } from "../../../../core/figures/web/src/engine/engine.js";

/** @type {FakeWorker[]} */
let workers = [];
class FakeWorker extends EventTarget {
  orders = [];
  ended = false;
  constructor(address, options) {
    super();
    Object.assign(this, { address, options });
    workers.push(this);
  }
  postMessage(order) {
    this.orders.push(order);
  }
  terminate() {
    this.ended = true;
  }
  answer(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}
globalThis.Worker = FakeWorker;

const manifest = { stored: ["model.onnx"], piece: 100, files: { "model.onnx": { bytes: 5, sha256: "ab" } } };
const settled = () => new Promise((resolve) => setTimeout(resolve));
const partsOf = (text) => ({
  text, ids: new Int32Array(), tokens: [], starts: new Int32Array(), ends: new Int32Array(), special: [],
  wordIds: new Int32Array(), words: [], leftOut: null, model: "m", cased: false, layers: 0, heads: 0, size: 0,
  headSize: 0, scale: 1, learned: new Float32Array(), hidden: new Float32Array(), q: new Float32Array(),
  k: new Float32Array(), logSums: new Float32Array(),
});

/** @type {Engine} */
let engine;
beforeEach(() => {
  workers = [];
  engine = new Engine("http://x/model/", manifest, "http://x/model/worker.js");
});

async function started() {
  const starting = engine.start();
  workers.at(-1).answer({ kind: "started", id: 1 });
  await starting;
  return workers.at(-1);
}

const traced = (worker, text) => worker.answer({ kind: "traced", id: 0, parts: partsOf(text), milliseconds: 3 });

test("the worker is a module of the same origin", async () => {
  const worker = await started();
  assert.equal(worker.address, "http://x/model/worker.js");
  assert.equal(worker.options.type, "module");
  assert.ok(engine.ready);
});

test("of three requests, the worker computes the first and the last", async () => {
  const worker = await started();
  const first = engine.trace("a");
  await settled();
  const others = [engine.trace("b"), engine.trace("c")];
  await assert.rejects(first, { name: "Superseded" });
  await assert.rejects(others[0], { name: "Superseded" });
  await settled();
  traced(worker, "a"); // nobody waits for it any more
  await settled();
  traced(worker, "c");
  assert.equal((await others[1]).text, "c");
  assert.deepEqual(worker.orders.filter(({ kind }) => kind === "trace").map(({ text }) => text), ["a", "c"]);
  assert.equal(engine.milliseconds, 3);
});

test("a request before the start waits for it", async () => {
  const one = engine.trace("a");
  workers[0].answer({ kind: "started", id: 1 });
  await settled();
  traced(workers[0], "a");
  assert.equal((await one).text, "a");
});

test("progress reaches whoever started", async () => {
  const seen = [], starting = engine.start({ onProgress: (...now) => seen.push(now) });
  workers[0].answer({ kind: "progress", bytes: 2, all: 5 });
  workers[0].answer({ kind: "started", id: 1 });
  await starting;
  assert.deepEqual(seen, [[2, 5]]);
});

test("after a failure, the next start makes another worker", async () => {
  const starting = engine.start(), request = engine.trace("a");
  workers[0].answer({ kind: "failed", id: 1, name: "DownloadBroken", message: "It broke off." });
  await assert.rejects(starting, { name: "DownloadBroken" });
  await assert.rejects(request, { name: "DownloadBroken" });
  assert.ok(workers[0].ended && !engine.ready);
  const worker = await started();
  assert.equal(workers.length, 2);
  const again = engine.trace("b");
  await settled();
  traced(worker, "b");
  assert.equal((await again).text, "b");
});

test("closing ends the worker and rejects what waits", async () => {
  const worker = await started(), request = engine.trace("a");
  await settled();
  engine.close();
  await assert.rejects(request, { name: "EngineClosed" });
  assert.ok(worker.ended);
});

test("without any storage, everything is to be fetched", async () => {
  assert.equal(await engine.size(), 5);
  assert.equal(await engine.cached(), false);
});

test("whoever is superseded is told to stop, and the next one waits for the worker", async () => {
  const worker = await started(), first = engine.next("a", [7]);
  await settled();
  assert.deepEqual(worker.orders.at(-1), { kind: "next", text: "a", more: [7], id: 2 });
  const second = engine.next("ab");
  await assert.rejects(first, { name: "Superseded" });
  await settled();
  assert.deepEqual(worker.orders.at(-1), { kind: "stop", id: 2 });
  worker.answer({ kind: "stopped", id: 2 });
  await settled();
  assert.deepEqual(worker.orders.at(-1), { kind: "next", text: "ab", more: [], id: 3 });
  worker.answer({ kind: "next", id: 3, parts: { logits: Float32Array.of(1) }, milliseconds: 4 });
  assert.deepEqual(await second, { logits: Float32Array.of(1) });
  assert.ok(!engine.slow);
});

test("a text that is refused leaves the worker as it is", async () => {
  const worker = await started(), request = engine.next("");
  await settled();
  worker.answer({ kind: "failed", id: 2, name: "TextRefused", message: "It has no token." });
  await assert.rejects(request, { name: "TextRefused", message: "It has no token." });
  assert.ok(engine.ready && !worker.ended);
});

test("a token that takes more than three seconds is remembered", async () => {
  const worker = await started(), request = engine.next("a");
  await settled();
  worker.answer({ kind: "next", id: 2, parts: { encoded: { ids: Int32Array.of(5) } }, milliseconds: 3001 });
  await request;
  assert.ok(engine.slow);
});

test("a device that says how little memory it has is too small", () => {
  const small = (deviceMemory, memory) => {
    Object.defineProperty(globalThis, "navigator", { value: { deviceMemory }, configurable: true });
    return !new Engine("http://x/", { ...manifest, memory }, "").fits;
  };
  assert.deepEqual([small(1, 2), small(2, 2), small(undefined, 2)], [true, false, false]);
});
