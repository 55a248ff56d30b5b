// The worker in which a model runs, so that the page never waits for it. `engine.js` starts it.
/** @import { Open } from "./host.js" */
/** @import { Order } from "./types" */
/** @import { Ort } from "./runtime.js" */
import { addressOf, Download } from "./download.js";
import { Host } from "./host.js";
import { LanguageModel } from "./language.js";
import { runTimeOf } from "./runtime.js";
import { Session } from "./session.js";
import { storage } from "./storage.js";

/** The model of a server. @type {Open} */
async function fetched({ base, manifest }, onProgress) {
  const runTime = runTimeOf(manifest);
  const download = await new Download(base, manifest, storage(), onProgress).begin();
  const ort = /** @type {Ort} */ (await import(addressOf(base, runTime.script, manifest)));
  const script = addressOf(base, runTime.start, manifest);
  let model;
  if (manifest.kind === "decoder") {
    const { weights, stored } = manifest, files = await download.files(stored.filter((name) => name !== weights));
    model = await LanguageModel.start(ort, manifest, files, download.pieces(weights), script);
  } else model = await Session.start(ort, manifest, await download.files(manifest.stored), script);
  await download.end();
  return { model, later: (name) => download.file(name) };
}

const host = new Host(fetched, (answer, arrays = []) => {
  postMessage(answer, { transfer: arrays.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer)) });
});

addEventListener("message", (/** @type {MessageEvent<Order>} */ { data }) => host.take(data));
