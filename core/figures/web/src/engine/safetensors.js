// The tensors of a safetensors file. The format: https://github.com/huggingface/safetensors#format.

/** Where the tensors of a file lie, and where their bytes begin. @param {Uint8Array} bytes */
export function placesOf(bytes) {
  const start = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  /** @type {Record<string, any>} */
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
  return { start, header };
}

/** Float32 tensors of a file that stay outside of this tab's memory until they are read. */
export class Tensors {
  /** @type {Map<string, Blob>} */
  #kept = new Map();

  /** @param {Uint8Array} bytes the file @param {(name: string) => boolean} wanted */
  constructor(bytes, wanted) {
    const { start, header } = placesOf(bytes);
    for (const [name, { data_offsets: at }] of Object.entries(header)) {
      if (at && wanted(name)) this.#kept.set(name, new Blob([bytes.slice(start + at[0], start + at[1])]));
    }
  }

  /** @param {string} name */
  async read(name) {
    const kept = this.#kept.get(name);
    if (!kept) throw new Error(`there is no tensor ${name}`);
    return new Float32Array(await kept.arrayBuffer());
  }
}
