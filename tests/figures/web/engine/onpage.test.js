// A model on the page itself, in the place of a worker: the same orders, the same answers, and none after its end.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { Engine } from "../../../../core/figures/web/src/engine/engine.js";
import { breath } from "../../../../core/figures/web/src/engine/host.js";
import { LanguageModel } from "../../../../core/figures/web/src/engine/language.js";
import { OnPage } from "../../../../core/figures/web/src/engine/onpage.js";

const manifest = { kind: "decoder", stored: [], files: {} };

/** A model whose speaker writes the numbers from 1 on, and refuses an empty text. */
function counting() {
  const model = Object.create(LanguageModel.prototype);
  model.speaker = {
    next: async (text) => ({ encoded: { ids: new Int32Array(text.length) }, top: { texts: [text] } }),
    async* write(text, more, count, how, goesOn) {
      for (let id = 1; id <= count && await goesOn(); id++) yield { id };
    },
  };
  return { model, later: async () => new Uint8Array() };
}

/** @param {(start: object, onProgress: (bytes: number, all: number) => void) => Promise<object>} open */
const engineOf = (open) => new Engine("", manifest, () => new OnPage(open));

test("it starts with progress, answers, writes, and stops", async () => {
  const told = [], engine = engineOf(async (start, onProgress) => {
    onProgress(1, 2);
    return counting();
  });
  await engine.start({ onProgress: (bytes, all) => told.push([bytes, all]) });
  assert.deepEqual(told, [[1, 2]]);
  assert.deepEqual((await engine.expect("a")).top.texts, ["a"]);
  const written = [];
  await engine.write("a", [], 3, {}, ({ id }) => written.push(id));
  assert.deepEqual(written, [1, 2, 3]);
  let count = 0;
  await engine.write("a", [], 1000, {}, () => {
    if (++count === 5) engine.stop();
  });
  assert.ok(count >= 5 && count < 1000, `${count}`);
});

test("what goes wrong as it starts is an error of the engine", async () => {
  const engine = engineOf(async () => { throw new RangeError("Array buffer allocation failed"); });
  await assert.rejects(engine.start(), { name: "OutOfMemory" });
  assert.ok(!engine.ready);
});

test("nothing is heard of a model that was closed", async () => {
  let opened = () => {};
  const engine = engineOf(() => new Promise((resolve) => { opened = () => resolve(counting()); }));
  const starting = engine.start();
  await breath();
  await breath();
  engine.close();
  await assert.rejects(starting, { name: "EngineClosed" });
  opened();
  await breath();
  assert.ok(!engine.ready);
});

test("a first token is slow by what a text of its length may take", async () => {
  const slow = async (milliseconds, tokens) => {
    const engine = engineOf(async () => counting());
    await engine.start();
    const now = performance.now.bind(performance);
    let late = 0;
    performance.now = () => now() + (late++ ? milliseconds : 0);
    try {
      await engine.expect("x".repeat(tokens));
    } finally {
      performance.now = now;
    }
    return engine.slow;
  };
  assert.equal(await slow(2900, 5), false);
  assert.equal(await slow(3100, 5), true);
  assert.equal(await slow(3100, 128), false);
  assert.equal(await slow(6100, 128), true);
});
