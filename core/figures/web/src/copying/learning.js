// A training on letters that occur twice, measured every few steps: `core/tasks/training/loop.py`, in this tab.
/** @import { Batch } from "./letters.js" */
/** @import { Recipe } from "./net.js" */
import { AdamW } from "../owntext/adamw.js";
import { Random } from "../owntext/random.js";
import { batchOf, drawn, heldOut, LENGTH, probe } from "./letters.js";
import { firstWeights, Net, put } from "./net.js";
import TASK from "./task.json" with { type: "json" };

const { vocabulary: V, betas, weightDecay, every: EVERY } = TASK;

/**
 * What the model is after some steps: `core.tasks.Snapshot`.
 * @typedef {object} Look
 * @property {number} step the steps so far
 * @property {number} loss the mean surprise in the second half, which can be known, in nats
 * @property {number} random the same in the first half, which nobody can know
 * @property {number} accuracy the share of letters of the second half that are predicted
 * @property {number} pattern the share of rows of the second half whose largest weight, in the best head of the last layer, lies on what followed the same letter
 * @property {Float32Array[]} attention of each layer, (heads, tokens, tokens), on the probe
 * @property {string[]} tokens of the probe
 */

/** The learning rate of a step, from 1. @param {Recipe} recipe @param {number} step */
export function rateAt({ steps, learning_rate: most, warm_up: rises, decay }, step) {
  if (step <= rises) return (most * step) / rises;
  const gone = (step - rises - 1) / Math.max(1, steps - rises);
  return most * (decay === "none" ? 1 : decay === "linear" ? 1 - gone : (1 + Math.cos(Math.PI * gone)) / 2);
}

export class Learning {
  step = 0;
  #random;
  #optimiser;
  #heldOut = heldOut();

  /** @param {Recipe} recipe */
  constructor(recipe) {
    const random = new Random(recipe.seed);
    this.recipe = recipe;
    this.net = new Net(recipe, V);
    this.weights = put(firstWeights(recipe, V, random));
    this.#random = random;
    this.#optimiser = new AdamW(this.weights, { betas, decay: weightDecay });
  }

  get done() {
    return this.step >= this.recipe.steps;
  }

  /** Whether it is time to measure. */
  get isDue() {
    return this.done || this.step % EVERY === 0;
  }

  /** Makes a step on letters drawn at random, or on these. @param {Batch} [batch] @returns {Promise<number>} the loss before it */
  async learn(batch = batchOf(Array.from({ length: this.recipe.batch }, () => drawn(this.#random)))) {
    const { loss, gradient } = this.net.gradient(this.weights, batch);
    this.step++;
    this.weights = this.#optimiser.next(this.weights, gradient, rateAt(this.recipe, this.step));
    return (await loss.data())[0];
  }

  /** Measures it on letters that it never learns from. @returns {Promise<Look>} */
  async look() {
    const { ids, tokens } = probe(), { attention } = await this.net.read(this.weights, Int32Array.from(ids), 1);
    const held = this.#heldOut, read = await this.net.read(this.weights, held.reads, held.count);
    return { step: this.step, ...measured(held, read.logits, read.attention[read.attention.length - 1], this.recipe.n_heads), attention, tokens };
  }
}

/** The place of the largest number. @param {Float32Array} row */
function largest(row) {
  let at = 0;
  for (let i = 1; i < row.length; i++) if (row[i] > row[at]) at = i;
  return at;
}

/** `core/tasks/training/measuring.py`. @param {Batch} batch @param {Float32Array} logits (B · L, V) @param {Float32Array} weights (B, H, L, L) @param {number} H */
export function measured({ labels, counts, attendTo }, logits, weights, H) {
  const sums = { loss: 0, known: 0, right: 0, random: 0, unknown: 0 };
  counts.forEach((weight, i) => {
    if (!weight) return;
    const row = logits.subarray(i * V, (i + 1) * V), most = row[largest(row)];
    const nats = most + Math.log(row.reduce((sum, one) => sum + Math.exp(one - most), 0)) - row[labels[i]];
    if (weight >= 1) {
      sums.loss += weight * nats;
      sums.known += weight;
      sums.right += Number(largest(row) === labels[i]);
    } else {
      sums.random += nats;
      sums.unknown++;
    }
  });
  const shares = Array.from({ length: H }, (_, head) => {
    let rows = 0, right = 0;
    attendTo.forEach((to, i) => {
      if (to < 0) return;
      const at = ((Math.floor(i / LENGTH) * H + head) * LENGTH + (i % LENGTH)) * LENGTH;
      rows++;
      right += Number(largest(weights.subarray(at, at + LENGTH)) === to);
    });
    return right / rows;
  });
  return { loss: sums.loss / sums.known, random: sums.random / sums.unknown, accuracy: sums.right / sums.known, pattern: Math.max(...shares) };
}
