// The part of onnxruntime-web that is used here: one thread of WebAssembly.

/**
 * @typedef {object} Ort
 * @property {{ wasm: { numThreads?: number, wasmPaths?: { mjs: string }, wasmBinary?: ArrayBufferLike } }} env
 * @property {{ create(graph: Uint8Array, options: object): Promise<OrtSession> }} InferenceSession
 * @property {{ new (type: "int64", data: BigInt64Array, shape: number[]): object, new (type: "float32", data: Float32Array, shape: number[]): object }} Tensor
 * @typedef {{ data: Float32Array | BigInt64Array }} OrtTensor
 * @typedef {{ run(inputs: Record<string, object>): Promise<Record<string, OrtTensor>> }} OrtSession
 */

export const WASM = "ort-wasm-simd-threaded.wasm";

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
 */
export async function createSession(ort, graph, weights) {
  const session = await ort.InferenceSession.create(graph, {
    executionProviders: ["wasm"],
    // Else the weights lie in one block, which stays when the run-time has packed each for its multiplication.
    enableMemPattern: false,
    enableCpuMemArena: false,
    externalData: Array.from(weights, ([path, { buffer, byteOffset, byteLength }]) =>
      ({ path, data: new Uint8Array(buffer, byteOffset, byteLength) })),
  });
  delete ort.env.wasm.wasmBinary; // it runs now
  return session;
}
