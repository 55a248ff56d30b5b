// The part of onnxruntime-web that is used here: one thread of WebAssembly, or where a visitor has chosen it, WebGPU.
/** @import { Manifest, RunTime } from "./types" */

/**
 * @typedef {object} Ort
 * @property {{ wasm: { numThreads?: number, wasmPaths?: { mjs: string }, wasmBinary?: ArrayBufferLike } }} env
 * @property {{ create(graph: Uint8Array, options: object): Promise<OrtSession> }} InferenceSession
 * @property {{ new (type: "int64", data: BigInt64Array, shape: number[]): object, new (type: "float32", data: Float32Array, shape: number[]): object }} Tensor
 * @typedef {{ data: Float32Array | BigInt64Array }} OrtTensor
 * @typedef {{ run(inputs: Record<string, object>): Promise<Record<string, OrtTensor>> }} OrtSession
 */

export const WASM = "ort-wasm-simd-threaded.wasm";
const ERRORS = 3; // the number of a severity, in onnxruntime
/** What every model has; that of a graphics card is another one (`graphics.js`). @type {RunTime} */
const OF_THE_PROCESSOR = { provider: "wasm", script: "ort.wasm.min.mjs", start: "ort-wasm-simd-threaded.mjs", binary: WASM };

/** The run-time of a model. @param {Manifest} manifest */
export const runTimeOf = ({ runTime = OF_THE_PROCESSOR }) => runTime;

/**
 * Prepares the run-time; it starts with its first session.
 * @param {Ort} ort @param {Uint8Array<ArrayBuffer>} binary the WebAssembly
 * @param {string} [startScript] the address of the script that starts it
 */
export function prepare({ env: { wasm } }, binary, startScript) {
  wasm.numThreads = 1;
  if (startScript) wasm.wasmPaths = { mjs: startScript };
  wasm.wasmBinary = binary.buffer;
}

/**
 * A session of a graph whose weights lie in files beside it. The run-time copies them; no view of them stays.
 * @param {Ort} ort @param {Uint8Array} graph @param {Map<string, Float32Array | Uint8Array>} weights by the name of the file
 * @param {RunTime["provider"]} [provider] what computes it; the processor by default
 */
export async function createSession(ort, graph, weights, provider = "wasm") {
  const session = await ort.InferenceSession.create(graph, {
    executionProviders: [provider],
    ...(provider === "webgpu" ? { logSeverityLevel: ERRORS } : {}), // else it warns that shapes stay on the processor
    // Else the weights lie in one block, which stays when the run-time has packed each for its multiplication.
    enableMemPattern: false,
    enableCpuMemArena: false,
    externalData: Array.from(weights, ([path, { buffer, byteOffset, byteLength }]) =>
      ({ path, data: new Uint8Array(buffer, byteOffset, byteLength) })),
  });
  delete ort.env.wasm.wasmBinary; // it runs now
  return session;
}
