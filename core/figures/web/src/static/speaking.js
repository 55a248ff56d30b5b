// What the page Next word asks of the model in this tab, one question after the other.
/** @import { Generated, NextToken } from "../engine/speaker.js" */
/** @import { LensAsked, LensGrid } from "../engine/lens.js" */
/** @import { Why, WhyAsked } from "../engine/why.js" */
/** @import { Score } from "../derive/expecting.js" */
/** @import { Sampling } from "../derive/sampling.js" */

import { Asks } from "./room.js";

/** @typedef {{ sampling: Sampling, seed: number, stops: readonly string[] }} How */

export class Speaks extends Asks {
  /** Whether somebody has stopped what was written last. */
  stopped = false;

  /** What comes next. @param {string} text @param {readonly number[]} more @returns {Promise<NextToken>} */
  expect(text, more) {
    return this.ask(() => this.engine.expect(text, more));
  }

  /** How the text surprised the model; null if another question came. @param {string} text @param {readonly number[]} more @returns {Promise<Score | null>} */
  score(text, more) {
    return this.aside(() => this.engine.score(text, more));
  }

  /** What each layer would say. @param {string} text @param {readonly number[]} more @param {LensAsked} asked @returns {Promise<LensGrid>} */
  lens(text, more, asked) {
    return this.ask(() => this.engine.lens(text, more, asked));
  }

  /** Why a token comes next. @param {string} text @param {readonly number[]} more @param {WhyAsked} asked @returns {Promise<Why>} */
  why(text, more, asked) {
    return this.ask(() => this.engine.why(text, more, asked));
  }

  /**
   * Has the model write.
   * @param {string} text @param {readonly number[]} more @param {number} count tokens at most @param {How} how
   * @param {(token: Generated) => void} heard each token, as soon as it is written
   */
  write(text, more, count, how, heard) {
    this.stopped = false;
    return this.ask(() => this.engine.write(text, more, count, how, heard));
  }

  /** Ends what is being written; what is there stays. */
  stop() {
    this.stopped = true;
    this.engine.stop();
  }
}
