// The worker in which a model runs, so that the page never waits for it. `engine.js` starts it.
/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Manifest} Manifest */
/** @typedef {import("./types").Order} Order */
/** @typedef {import("./runtime").Ort} Ort */
import { addressOf, Download } from "./download.js";
import { asEngineError } from "./errors.js";
import { LanguageModel } from "./language.js";
import { Session } from "./session.js";
import { storage } from "./storage.js";

/** @type {?Session | LanguageModel} */
let model = null;
/** Fetches a file of the model that it did not need to start. @type {(name: string) => Promise<Uint8Array>} */
let fetchLater = () => Promise.reject(new Error("it was not started"));
/** The latest order that nobody waits for any more. */
let stopped = 0;

/** @param {Answer} answer @param {Float32Array[]} [arrays] what the page gets instead of a copy */
const say = (answer, arrays = []) => postMessage(answer, { transfer: arrays.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer)) });

/** @param {Extract<Order, { kind: "start" }>} order */
async function start({ id, base, manifest }) {
  const download = await new Download(base, manifest, storage(), (bytes, all) => say({ kind: "progress", bytes, all })).begin();
  const ort = /** @type {Ort} */ (await import(addressOf(base, "ort.wasm.min.mjs", manifest)));
  const script = addressOf(base, "ort-wasm-simd-threaded.mjs", manifest);
  if (manifest.kind === "decoder") {
    const { weights, stored } = manifest, files = await download.files(stored.filter((name) => name !== weights));
    model = await LanguageModel.start(ort, manifest, files, download.pieces(weights), script);
  } else model = await Session.start(ort, manifest, await download.files(manifest.stored), script);
  await download.end();
  fetchLater = (name) => download.file(name);
  say({ kind: "started", id });
}

/** Lets messages that have come meanwhile be read; returns whether somebody still waits for this order. @param {number} id */
async function goesOn(id) {
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(null);
    };
    port2.postMessage(null);
  });
  return stopped < id;
}

/** @param {Extract<Order, { kind: "trace" }>} order */
async function trace({ id, text }) {
  if (!model) throw new Error("it was not started");
  const began = performance.now(), parts = await (model instanceof Session ? model.run(text) : model.trace(text, () => goesOn(id)));
  if (!parts) return say({ kind: "stopped", id });
  const { learned, hidden, q, k, logSums } = parts;
  say({ kind: "traced", id, parts, milliseconds: performance.now() - began }, [learned, hidden, q, k, logSums]);
}

/** @param {Extract<Order, { kind: "next" }>} order */
async function next({ id, text, more }) {
  if (!(model instanceof LanguageModel)) throw new Error("it predicts no next token");
  const began = performance.now(), parts = await model.next(text, more, () => goesOn(id));
  if (!parts) return say({ kind: "stopped", id });
  say({ kind: "next", id, parts, milliseconds: performance.now() - began }, [parts.logits]);
}

/**
 * What comes next with its names, the surprise at each token, what each layer would say, why a token comes next, or the
 * tokens that are written, each as soon as it is.
 * @param {Extract<Order, { kind: "expect" | "score" | "lens" | "why" | "write" }>} order
 */
async function speak(order) {
  if (!(model instanceof LanguageModel)) throw new Error("it predicts no next token");
  const { id, text, more } = order, { speaker, manifest } = model, began = performance.now(), on = () => goesOn(id);
  let parts = null;
  if (order.kind === "write") {
    for await (const token of speaker.write(text, more, order.count, order.how, on)) say({ kind: "wrote", id, token });
  } else {
    parts = await (order.kind === "expect" ? speaker.next(text, more, on)
      : order.kind === "score" ? speaker.score(text, more, on)
      : order.kind === "lens" ? model.lens(text, more, order.asked, () => fetchLater(manifest.lens), on)
      : model.why(text, more, order.asked, on));
    if (!parts) return say({ kind: "stopped", id });
  }
  say({ kind: "said", id, parts, milliseconds: performance.now() - began });
}

addEventListener("message", async (/** @type {MessageEvent<Order>} */ { data }) => {
  try {
    if (data.kind === "start") await start(data);
    else if (data.kind === "trace") await trace(data);
    else if (data.kind === "next") await next(data);
    else if (data.kind !== "stop") await speak(data);
    else stopped = Math.max(stopped, data.id);
  } catch (error) {
    const { name, message } = asEngineError(error);
    say({ kind: "failed", id: data.id, name, message });
  }
});
