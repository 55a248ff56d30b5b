// The worker in which the model runs, so that the page never waits for it. `engine.js` starts it.
/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Order} Order */
import { addressOf, load } from "./download.js";
import { asEngineError } from "./errors.js";
import { Session } from "./session.js";
import { storage } from "./storage.js";

/** @type {?Session} */
let session = null;

/** @param {Answer} answer @param {Transferable[]} [transfer] */
const say = (answer, transfer = []) => postMessage(answer, { transfer });

/** @param {Extract<Order, { kind: "start" }>} order */
async function start({ id, base, manifest }) {
  const files = await load(base, manifest, storage(),
    (bytes, all) => say({ kind: "progress", bytes, all }));
  const ort = await import(addressOf(base, "ort.wasm.min.mjs", manifest));
  session = await Session.start(ort, manifest, files, addressOf(base, "ort-wasm-simd-threaded.mjs", manifest));
  say({ kind: "started", id });
}

/** @param {Extract<Order, { kind: "trace" }>} order */
async function trace({ id, text }) {
  if (!session) throw new Error("it was not started");
  const began = performance.now(), parts = await session.run(text);
  const { learned, hidden, q, k, logSums } = parts;
  const arrays = [learned, hidden, q, k, logSums].map((array) => /** @type {ArrayBuffer} */ (array.buffer));
  say({ kind: "traced", id, parts, milliseconds: performance.now() - began }, arrays);
}

addEventListener("message", async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    await (data.kind === "start" ? start(data) : trace(data));
  } catch (error) {
    const { name, message } = asEngineError(error);
    say({ kind: "failed", id: data.id, name, message });
  }
});
