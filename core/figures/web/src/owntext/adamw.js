// AdamW (Loshchilov and Hutter 2019, algorithm 2) as `torch.optim.AdamW` computes it, behind a gradient whose length is
// clipped, and the learning rate of each step: `core/own_text/learning.py`.
/** @import { Array as JaxArray } from "@jax-js/jax" */
import { jit, numpy as np, tree } from "@jax-js/jax";
import CONSTANTS from "./constants.json" with { type: "json" };

const WARM_UP = CONSTANTS.warmUp;
const EPS = 1e-8, LONGEST = 1; // of the gradient

/** The learning rate of a step, from 1: a warm-up, then half a cosine down to a tenth. @param {number} step @param {{ rate: number, steps: number }} recipe */
export const rateAt = (step, { rate, steps }) =>
  rate * Math.min(1, step / WARM_UP) * (0.1 + 0.45 * (1 + Math.cos((Math.PI * step) / steps)));

/**
 * How fast it forgets gradients and their squares, and the share of each weight that a step at the rate 1 takes away.
 * @typedef {{ betas: readonly number[], decay: number }} How
 */

/** @template {Record<string, any>} Weights a tree of arrays */
export class AdamW {
  /** @param {Weights} weights stay @param {How} [how] */
  constructor(weights, how = { betas: CONSTANTS.betas, decay: CONSTANTS.decay }) {
    this.how = how;
    const zeros = () => tree.leaves(weights).map(({ shape }) => np.zeros(shape));
    this.mean = zeros();
    this.square = zeros();
    this.step = 0;
    this.#move = jit(moving(how));
  }

  #move;

  /**
   * The weights after a step.
   * @param {Weights} weights used up @param {Weights} gradient used up @param {number} rate
   */
  next(weights, gradient, rate) {
    this.step++;
    const [first, second] = this.how.betas;
    const [own, structure] = tree.flatten(weights), factors = np.array(Float32Array.of(rate, 1 / (1 - first ** this.step), 1 / Math.sqrt(1 - second ** this.step)));
    const [made, mean, square] = this.#move(own, tree.leaves(gradient), this.mean, this.square, factors);
    Object.assign(this, { mean, square });
    return /** @type {Weights} */ (tree.unflatten(structure, made));
  }
}

/** @param {How} how */
function moving({ betas: [FIRST, SECOND], decay: DECAY }) {
  /**
   * @param {JaxArray[]} weights @param {JaxArray[]} gradients @param {JaxArray[]} means @param {JaxArray[]} squares
   * @param {JaxArray} factors the rate, and what makes up for means that began at 0
   */
  return (weights, gradients, means, squares, factors) => {
    const length = np.sqrt(gradients.map((one) => np.square(one.ref).sum()).reduce((sum, one) => sum.add(one)));
    const clip = np.minimum(np.reciprocal(length.add(1e-6)).mul(LONGEST), 1);
    const [rate, ofMean, ofSquare] = np.split(factors, 3).map((one) => one.reshape([]));
    /** @type {[JaxArray[], JaxArray[], JaxArray[]]} */
    const made = [[], [], []];
    weights.forEach((weight, i) => {
      const gradient = gradients[i].mul(clip.ref);
      const mean = means[i].mul(FIRST).add(gradient.ref.mul(1 - FIRST));
      const square = squares[i].mul(SECOND).add(np.square(gradient).mul(1 - SECOND));
      const by = np.reciprocal(np.sqrt(square.ref).mul(ofSquare.ref).add(EPS)).mul(mean.ref).mul(ofMean.ref).mul(rate.ref);
      made[0].push(weight.ref.sub(weight.mul(rate.ref.mul(DECAY))).sub(by));
      made[1].push(mean);
      made[2].push(square);
    });
    for (const one of [clip, rate, ofMean, ofSquare]) one.dispose();
    return made;
  };
}
