// When the graphics card answers in the place of WebAssembly, and what is said when it does not. The engines are the test's own.
import { test } from "node:test";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Graphics, LIMIT, apartOf, decided, isThere, onGraphics, tried } from "../../../../core/figures/web/src/engine/graphics.js";
import { graphicsSentence } from "../../../../core/figures/web/src/engine/graphicswords.js";

const way = (milliseconds, logit = 2, weight = 0.25) => ({
  milliseconds, tokens: 7,
  numbers: { weights: Float32Array.of(weight, 0.75), hidden: Float32Array.of(-1, 1), logits: Float32Array.of(logit, 3) },
});

test("the largest difference of all numbers counts", () => {
  equal(apartOf(way(1).numbers, way(1).numbers), 0);
  ok(Math.abs(apartOf(way(1).numbers, way(1, 2, 0.375).numbers) - 0.125) < 1e-7);
  equal(apartOf(way(1).numbers, way(1, NaN).numbers), Infinity);
  equal(apartOf(way(1, NaN).numbers, way(1).numbers), Infinity);
  equal(apartOf(way(1).numbers, { ...way(1).numbers, logits: Float32Array.of(2) }), Infinity);
});

test("it answers only if its numbers agree and come sooner", () => {
  equal(decided(way(90), way(30)).kind, "on");
  deepEqual(decided(way(90), way(90)), { kind: "refused", why: "slow", took: 90, ours: 90, tokens: 7 });
  const off = decided(way(90), way(1, 2.5));
  deepEqual(off, { kind: "refused", why: "off", apart: 0.5 });
  equal(decided(way(90), way(30, 2 + LIMIT / 2)).kind, "on");
  equal(decided(way(90), way(30, 2 + 2 * LIMIT)).why, "off");
  equal(decided(way(90), way(Infinity)).why, "slow");
});

test("each end has its sentence, with what was measured", () => {
  const said = (state) => graphicsSentence(state, 26_781_914);
  match(said({ kind: "off" }), /27 MB/);
  match(said(decided(way(90), way(30))), /30 ms for 7 tokens.* 90 ms.* than 0\.$/);
  match(said(decided(way(90), way(1, 2.00012))), /up to 1\.2 × 10⁻⁴; we allow 1\.0 × 10⁻⁴/);
  match(said(decided(way(90), way(1, NaN))), /not a number/);
  match(said(decided(way(219.6), way(5949.2))), /5,949 ms for 7 tokens, and the processor 220 ms/);
  for (const why of ["failed", "lost"]) match(said({ kind: "refused", why, detail: "device lost" }), /\(device lost\)\. The processor continues\.$/);
  match(said({ kind: "refused", why: "download", detail: "" }), /did not arrive/);
});

test("it is offered where an adapter answers and both ways have room", async () => {
  const gpu = { requestAdapter: async () => ({}) };
  equal(await isThere({}), false);
  equal(await isThere({ gpu: { requestAdapter: async () => null } }), false);
  equal(await isThere({ gpu: { requestAdapter: async () => Promise.reject(new Error("blocked")) } }), false);
  equal(await isThere({ gpu }, 2), true);
  equal(await isThere({ gpu, deviceMemory: 2 }, 2), false);
  equal(await isThere({ gpu, deviceMemory: 4 }, 2), true);
});

test("its run-time takes the place of the other, and nothing else of the model is fetched again", () => {
  const manifest = { stored: ["a.onnx", "x.wasm", "w.safetensors"], files: { "a.onnx": 1, "x.wasm": 2, "w.safetensors": 3 } };
  const runTime = { provider: "webgpu", script: "g.mjs", start: "s.mjs", binary: "g.wasm" };
  const made = onGraphics(manifest, { runTime, piece: 4, files: { "g.wasm": 5, "g.mjs": 6, "s.mjs": 7 } });
  deepEqual(made.stored, ["a.onnx", "g.wasm", "w.safetensors"]);
  deepEqual(made.files, { "a.onnx": 1, "x.wasm": 2, "w.safetensors": 3, "g.wasm": 5, "g.mjs": 6, "s.mjs": 7 });
  equal(made.runTime, runTime);
});

/** An engine whose texts take some milliseconds; a weight of it may be off, and it may fail. */
function engineOf({ takes = 10, off = 0, fails = false } = {}) {
  const engine = {
    manifest: { kind: "encoder" }, milliseconds: NaN, closed: 0, traced: 0,
    start: async ({ onProgress }) => {
      onProgress(13, 27);
      onProgress(27, 27);
    },
    cached: async () => true,
    trace: async () => {
      if (fails) throw new Error("device lost");
      engine.traced += 1;
      engine.milliseconds = takes;
      return { layers: 1, heads: 1, n: 2, size: 2, hidden: Float32Array.of(3, 4, 0, 0), weight: () => 0.5 + off };
    },
    close() { engine.closed += 1; },
  };
  return engine;
}

/** A choice between two engines. */
function choice(theirs, ours = engineOf({ takes: 100 })) {
  const seen = { used: [], back: 0, chosen: [] };
  const graphics = new Graphics({
    ask: (question) => question(ours), open: async () => theirs, use: (engine) => seen.used.push(engine), back: async () => { seen.back += 1; },
    memory: { get: () => seen.chosen.at(-1) ?? false, set: (one) => seen.chosen.push(one) },
  });
  const states = [];
  graphics.heard.add(({ kind, why }) => states.push(why ?? kind));
  return { graphics, seen, states, theirs };
}

test("it is checked before it answers, and remembered", async () => {
  const { graphics, seen, states, theirs } = choice(engineOf());
  await graphics.begin();
  deepEqual(states, ["loading", "loading", "checking", "checking", "on"]);
  deepEqual(seen, { used: [theirs], back: 0, chosen: [true] });
  await graphics.end();
  equal(theirs.closed, 1);
  deepEqual([seen.back, seen.chosen.at(-1), graphics.state.kind], [1, false, "off"]);
});

for (const [what, one, why] of [["is off", { off: 1e-3 }, "off"], ["is slow", { takes: 1000 }, "slow"], ["throws", { fails: true }, "failed"]]) {
  test(`one that ${what} is closed, and WebAssembly goes on without a pause`, async () => {
    const { graphics, seen, theirs } = choice(engineOf(one));
    await graphics.begin();
    equal(graphics.state.why, why);
    ok(theirs.closed);
    deepEqual(seen, { used: [], back: 0, chosen: [false] });
  });
}

test("a hopeless way is not tried to its end", async () => {
  const slow = engineOf({ takes: 1000 }), quick = engineOf({ takes: 10 });
  await tried(slow, 100);
  await tried(quick, 100);
  deepEqual([slow.traced, quick.traced], [2, 4]);
});

test("one that does not answer in time is closed, with what WebAssembly took", async () => {
  const theirs = engineOf(), { graphics, seen } = choice(theirs);
  graphics.around.patience = 20;
  theirs.trace = () => new Promise(() => {});
  await graphics.begin();
  deepEqual(graphics.state, { kind: "refused", why: "late", patience: 20, ours: 100, tokens: 2 });
  match(graphicsSentence({ ...graphics.state, patience: 60_000 }, 0), /a text of 2 tokens after 60 s; the processor takes 100 ms/);
  ok(theirs.closed);
  deepEqual(seen.used, []);
});

test("one that stops while it is in use gives way to WebAssembly", async () => {
  const { graphics, seen } = choice(engineOf());
  await graphics.begin();
  await graphics.lost(new Error("device lost"));
  deepEqual([graphics.state.why, graphics.state.detail, seen.back, seen.chosen], ["lost", "device lost", 1, [true, false]]);
  graphics.leave(); // the model begins again: what was said stays
  equal(graphics.state.why, "lost");
});

test("what was chosen before begins by itself; what was given up does not", async () => {
  const { graphics, seen } = choice(engineOf());
  await graphics.resume();
  equal(graphics.state.kind, "off");
  seen.chosen.push(true);
  await graphics.resume();
  ok(graphics.isOn);
});

test("a choice that is taken back while it is tried changes nothing", async () => {
  const theirs = engineOf(), { graphics, seen } = choice(theirs), { trace } = theirs;
  theirs.trace = async () => {
    await graphics.end();
    return trace();
  };
  await graphics.begin();
  deepEqual([graphics.state.kind, seen.used, seen.back], ["off", [], 0]);
  ok(theirs.closed);
});
