// The tensors of a GGUF file, each as soon as its last byte has arrived. Of the file, nothing else is kept.
/** @typedef {import("./header").Header} Header */
/** @typedef {import("./header").Tensor} Tensor */
import { Lie, readHeader } from "./header.js";

const MOST_HEADER = 64e6; // bytes; one with a vocabulary of 260,000 has 15 MB

export class TensorStream {
  /** Null until all of it has arrived. @type {?Header} */
  header = null;
  #at = 0; // bytes that have arrived
  /** The beginning of the file, until the header is read. */
  #start = new Uint8Array(0);
  #next = 0; // the tensor that is arriving
  #begun = new Uint8Array(0);

  /** @param {number} size bytes of the whole file */
  constructor(size) {
    this.size = size;
  }

  /**
   * Takes the next bytes of the file; gives the tensors that are whole now.
   * @param {Uint8Array} bytes
   * @returns {Generator<{ tensor: Tensor, bytes: Uint8Array }>}
   * @throws {Lie} see `readHeader`
   */
  *take(bytes) {
    if (this.header) {
      yield* this.#tensors(bytes);
      return;
    }
    const start = new Uint8Array(this.#start.length + bytes.length);
    start.set(this.#start);
    start.set(bytes, this.#start.length);
    this.header = readHeader(start, this.size);
    this.#start = this.header ? new Uint8Array(0) : start;
    if (this.header) yield* this.#tensors(start);
    else if (start.length > MOST_HEADER) throw new Lie(`has a list of contents of more than ${MOST_HEADER} bytes`);
  }

  /** @param {Uint8Array} bytes @returns {Generator<{ tensor: Tensor, bytes: Uint8Array }>} */
  *#tensors(bytes) {
    const { tensors } = /** @type {Header} */ (this.header), first = this.#at, last = first + bytes.length;
    for (; this.#next < tensors.length && tensors[this.#next].start < last; this.#next++) {
      const tensor = tensors[this.#next], from = Math.max(tensor.start, first), to = Math.min(tensor.end, last);
      if (from === tensor.start) this.#begun = new Uint8Array(tensor.end - tensor.start);
      this.#begun.set(bytes.subarray(from - first, to - first), from - tensor.start);
      if (to < tensor.end) break;
      yield { tensor, bytes: this.#begun };
    }
    this.#at = last;
  }
}
