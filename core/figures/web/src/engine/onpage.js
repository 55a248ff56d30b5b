// In the place of a worker: the model runs on the page itself. A file from a disk needs it, since a worker made there
// cannot start the run-time (onnxruntime#27317). Between two groups of layers the page hears keys, and paints.
/** @import { Open } from "./host.js" */
/** @import { Order } from "./types" */
import { breath, Host } from "./host.js";

/** The part of a `Worker` that `Engine` uses. */
export class OnPage extends EventTarget {
  #host;
  #ended = false;

  /** @param {Open} open */
  constructor(open) {
    super();
    this.#host = new Host(open, (data) => {
      if (!this.#ended) this.dispatchEvent(new MessageEvent("message", { data }));
    });
  }

  /** @param {Order} order */
  async postMessage(order) {
    await breath(); // as from a worker, no answer comes before the call returns
    if (!this.#ended) await this.#host.take(order);
  }

  terminate() {
    this.#ended = true;
  }
}
