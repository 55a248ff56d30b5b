// What can go wrong, each with a sentence for the visitor. `name` says which it is.
import { m } from "../runtime/language.js";


/** @typedef {"Superseded" | "DownloadBroken" | "OutOfMemory" | "EngineBroken" | "EngineClosed" | "TextRefused"} EngineErrorName */

export class EngineError extends Error {
  /** @param {EngineErrorName} name @param {string} message @param {ErrorOptions} [options] */
  constructor(name, message, options) {
    super(message, options);
    /** @type {EngineErrorName} */
    this.name = name;
  }
}

const MEMORY = /out of memory|bad_alloc|allocat|memory access out of bounds|array buffer|invalid array length/i;

/** Any error as one of ours. @param {unknown} error @returns {EngineError} */
export function asEngineError(error) {
  if (error instanceof EngineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError || MEMORY.test(message)) {
    return new EngineError("OutOfMemory",
      m("This device does not have enough memory for the model. Close other tabs and try again."), { cause: error });
  }
  return new EngineError("EngineBroken", m("The model stopped on this device: {message}", { message }), { cause: error });
}
