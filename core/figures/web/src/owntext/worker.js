// The worker in which a model learns, a text or letters that occur twice, so that the page never waits for it. One thread,
// and nothing is fetched or sent.
/** @import { Answer, Order } from "./types" */
import { Learning } from "../copying/learning.js";
import { breath } from "../engine/host.js";
import { start } from "./decoder.js";
import { dump, load, NoModel } from "./file.js";
import { Training, Unfit, Writer, between } from "./training.js";
import { rebuilt } from "./units.js";

/** @param {Answer} said @param {Transferable[]} [gone] */
const say = (said, gone = []) => postMessage(said, { transfer: gone });

/** @type {Writer | null} */
let model = null;
/** The orders that wait: each is answered when the one before it is done. */
let last = Promise.resolve();
let running = false;

/** Trains until the end, or until somebody stops it. @param {Training} training */
async function train(training) {
  const every = between(training.recipe.steps);
  const look = async () => say({ kind: "pause", pause: await training.look() });
  if (!training.step) await look();
  running = true;
  while (running && !training.done) {
    await training.learn();
    say({ kind: "step", step: training.step, seconds: training.seconds });
    if (training.step % every === 0 || training.done) await look();
    await breath();
  }
  if (!training.done && training.step % every) await look();
  running = false;
  say({ kind: "rests", done: training.done });
}

/** Learns to copy letters, and says what it has learned so far. @param {import("../copying/net.js").Recipe} recipe */
async function learnToCopy(recipe) {
  await start();
  const learning = new Learning(recipe);
  say({ kind: "look", look: await learning.look() });
  while (!learning.done) {
    await learning.learn();
    if (learning.isDue) say({ kind: "look", look: await learning.look() });
    await breath();
  }
}

/** @param {Exclude<Order, { kind: "stop" }>} order */
async function answer(order) {
  if (order.kind === "train") {
    await start();
    const training = new Training(order.text, order.recipe);
    model = training;
    say({ kind: "begun", gram: training.gram, tokens: training.units.tokens.length });
    await train(training);
  } else if (order.kind === "copy") await learnToCopy(order.recipe);
  else if (order.kind === "go" && model instanceof Training) await train(model);
  else if (order.kind === "load") {
    await start();
    const { recipe, steps, tokens, merges, tensors } = load(new Uint8Array(order.bytes));
    model = new Writer(recipe, { tokens, merges, reader: rebuilt(tokens, merges) }, tensors);
    model.steps = steps;
    say({ kind: "loaded", recipe, steps });
  } else if (order.kind === "write" && model) {
    say({ kind: "wrote", prompt: order.prompt, text: await model.write(order.prompt, order.count, { seed: order.seed }) });
  } else if (order.kind === "save" && model) {
    const { recipe, steps, units: { tokens, merges } } = model, bytes = dump({ recipe, steps, tokens, merges, tensors: await model.tensors() });
    say({ kind: "file", bytes: bytes.buffer, steps }, [bytes.buffer]);
  }
}

addEventListener("message", (/** @type {MessageEvent<Order>} */ { data }) => {
  if (data.kind === "stop") running = false;
  else {
    last = last.then(() => answer(data)).catch((error) => {
      running = false;
      console.error(error);
      const file = error instanceof NoModel;
      say({ kind: "failed", told: error instanceof Unfit, file, message: file ? error.why : String(error.message) });
    });
  }
});
