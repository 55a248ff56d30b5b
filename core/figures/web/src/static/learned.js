// The lesson on letters that occur twice, in the folder: a model of a few layers learns to copy them in this tab, and its
// numbers and pictures come from that training.
/** @import { Answer } from "../owntext/types" */
/** @import { Look } from "../copying/learning.js" */
/** @import { Recipe } from "../copying/net.js" */
/** @import { Shown } from "./changes.js" */
import { decimal, m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { range } from "../derive/numbers.js";
import { HUE } from "../derive/scales.js";
import { fixed, grouped } from "../runtime/shared.js";
import { cellsOf, linesOf } from "./changes.js";
import { there } from "./given.js";
import { GivenUp } from "./spoken.js";

const { a: BLUE, learned: GREY } = CONSTANTS.style;

/** One training; it goes on while a visitor is on another page. */
export class Learned {
  /** What it was so far, before the first step and every few steps. @type {Look[]} */
  looks = [];
  /** Called at each new one, and where it ends. @type {Set<() => void>} */
  heard = new Set();
  /** @type {Error | null} */
  #failed = null;
  /** @type {Worker | null} */
  #worker = null;

  /** @param {string} script the address of the worker's @param {Recipe} recipe */
  constructor(script, recipe) {
    this.script = script;
    this.recipe = recipe;
  }

  #begin() {
    if (this.#worker) return;
    this.#worker = new Worker(this.script, { type: "module" });
    const hear = (/** @type {Answer} */ answer) => {
      if (answer.kind === "look") this.looks.push(answer.look);
      else if (answer.kind === "failed") this.#end(new Error(answer.message));
      if (this.looks.at(-1)?.step === this.recipe.steps) this.#end(null);
      for (const one of this.heard) one();
    };
    this.#worker.addEventListener("message", ({ data }) => hear(data));
    this.#worker.addEventListener("error", ({ message }) => hear({ kind: "failed", told: false, file: false, message }));
    this.#worker.postMessage({ kind: "copy", recipe: this.recipe });
  }

  /** @param {Error | null} failed after it, another try begins anew */
  #end(failed) {
    this.#failed = failed;
    this.#worker?.terminate();
    if (!failed) return;
    this.#worker = null;
    this.looks = [];
  }

  /**
   * What it is after so many steps: at the last look before them, if none was made there.
   * @param {number} step @param {{ signal?: AbortSignal, heard?: (steps: number, of: number) => void }} [how] `signal`: nobody waits any more
   * @returns {Promise<Look>}
   */
  at(step, { signal, heard = () => {} } = {}) {
    if (step > this.recipe.steps) return Promise.reject(new RangeError(`It is trained for ${this.recipe.steps} steps.`));
    this.#failed = null;
    this.#begin();
    return new Promise((resolve, reject) => {
      const look = () => {
        const last = this.looks.at(-1)?.step ?? -1;
        if (!signal?.aborted && !this.#failed && last < step) return heard(Math.max(0, last), this.recipe.steps);
        this.heard.delete(look);
        if (signal?.aborted) reject(new GivenUp());
        else if (this.#failed) reject(this.#failed);
        else resolve(there(this.looks.findLast((one) => one.step <= step)));
      };
      this.heard.add(look);
      signal?.addEventListener("abort", look, { once: true });
      look();
    });
  }
}

/** The trainings of this tab, by their recipes. @type {Map<string, Learned>} */
const known = new Map();
/** The training of a recipe. @param {string} root of the folder @param {Recipe} recipe */
export function learnedOf(root, recipe) {
  const key = JSON.stringify(recipe), one = known.get(key) ?? new Learned(`${root}engine/ownworker.js`, recipe);
  known.set(key, one);
  return one;
}

/** @param {(look: Look) => number} of @returns {(given: { after: number }, records: { learned: ((after: number) => Promise<Look>) | null }) => Promise<number>} */
const after = (of) => async (given, { learned }) => of(await there(learned)(given.after));
/** The operations of a key about a training. */
export const LEARNED = { loss: after(({ loss }) => loss), accuracy: after(({ accuracy }) => accuracy), found: after(({ pattern }) => pattern) };

/** The loss so far, and what each layer attends to now. @param {Learned} learned @returns {Shown[]} */
export function learnedPictures({ looks, recipe }) {
  const now = looks[looks.length - 1], two = (/** @type {number} */ x) => decimal(fixed(x, 2)), step = grouped(now.step);
  const apart = looks.length > 1 ? looks[1].step : recipe.steps, steps = range(Math.floor(recipe.steps / apart) + 1).map((i) => i * apart);
  const every = Math.max(1, Math.ceil(steps.length / 6)), row = (/** @type {(look: Look) => number} */ of) => steps.map((_, i) => (looks[i] ? of(looks[i]) : NaN));
  const said = m("The loss after step {step}: {second} nats in the second half, {first} in the first.", { step, second: two(now.loss), first: two(now.random) });
  const n = now.tokens.length;
  return [
    { said, made: linesOf([
      { name: m("first half"), label: m("1st half"), values: row(({ random }) => random), colour: GREY },
      { name: m("second half"), label: m("2nd half"), values: row(({ loss }) => loss), colour: BLUE },
    ], {
      steps: steps.map((one) => m("step {step}", { step: grouped(one) })), ticks: steps.map((one, i) => (i % every ? "" : grouped(one))), axis: m("steps"), unit: m("nats"),
      bounds: [0, 4], guides: [0, 2, 4].map((at) => [at, grouped(at)]), sentence: said, name: "copying-loss", digits: 2,
    }) },
    ...now.attention.map((weights, layer) => {
      const sentence = m("What each letter attends to in layer {layer} after step {step}: one row for each letter that is read.", { layer: layer + 1, step });
      return { said: sentence, made: cellsOf(now.tokens, now.tokens, range(n).map((i) => [...weights.subarray(i * n, (i + 1) * n)]), {
        scale: { kind: "weights", root: false, hue: HUE, title: m("weight"), between: " → ", notes: [] }, names: [m("from"), m("to"), m("weight")],
        sentence, name: `copying-layer-${layer + 1}`,
      }) };
    }),
  ];
}
