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

  #explains = false;

  /**
   * An explanation takes seconds, and nobody waits for one: any other question ends it.
   * @template T @param {() => Promise<T>} question @returns {Promise<T>}
   */
  ask(question) {
    if (this.#explains) this.engine.stop();
    return super.ask(question);
  }

  /** What each token adds to a word's position after each layer; null if another question came. @type {import("../derive/adds.js").Sources} */
  sources = (text, asked) => {
    return this.ask(async () => {
      this.#explains = true;
      try {
        return (await this.engine.sources(text, asked))?.sums ?? null;
      } finally {
        this.#explains = false;
      }
    });
  };

  /** What comes next. @param {string} text @param {readonly number[]} more @returns {Promise<NextToken>} */
  expect(text, more) {
    return this.ask(() => this.engine.expect(text, more));
  }

  /** How the text surprised the model. @param {string} text @param {readonly number[]} more @returns {Promise<Score>} */
  score(text, more) {
    return this.ask(() => this.engine.score(text, more));
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
