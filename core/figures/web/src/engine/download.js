// The files of a model: from the browser's storage, or fetched, checked and stored, piece by piece. A piece is kept under
// its own checksum: what has arrived stays when a download breaks off, and the next one begins behind it. They are checked
// also where the origin is not secure, as in a school's network: browsers offer no checksums there, nor as bytes arrive.
/*! With SHA-256 by @noble/hashes: MIT License, (c) 2022 Paul Miller; its text is in noble-hashes.txt. */
/** @typedef {import("./types").Manifest} Manifest */
/** @typedef {import("./types").Progress} Progress */
/** @typedef {import("./storage").Storage} Storage */
import { sha256 as checksum } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { EngineError } from "./errors.js";

const AGAIN = "Check the connection and try again.";
const PARTIAL = 206; // the status of an answer that begins where it was asked to

/**
 * A part of a file, which is stored and checked by itself.
 * @typedef {{ sha256: string, start: number, end: number }} Piece
 */

/**
 * The address of a file. It names the content, so that a server may let it be cached for ever.
 * @param {string} base ends in "/" @param {string} name @param {Manifest} manifest
 */
export const addressOf = (base, name, manifest) => `${base}${name}?${manifest.files[name].sha256.slice(0, 16)}`;

/** The manifest of what is served. @template [M=Manifest] @param {string} base @param {string} [name] @returns {Promise<M>} */
export async function fetchManifest(base, name = "manifest.json") {
  const broken = (/** @type {unknown} */ cause) => new EngineError("DownloadBroken",
    `The server does not say which model it has. ${AGAIN}`, { cause });
  try {
    const response = await fetch(`${base}${name}`);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await response.json();
  } catch (error) {
    throw broken(error);
  }
}

/** The pieces of a file, in order; a small file is one. @param {Manifest} manifest @param {string} name @returns {Piece[]} */
export function piecesOf({ files, piece }, name) {
  const { bytes, sha256, pieces = [sha256] } = files[name];
  return pieces.map((sum, i) => ({ sha256: sum, start: i * piece, end: i === pieces.length - 1 ? bytes : (i + 1) * piece }));
}

/**
 * The bytes that are still to be fetched: 0 if the browser has everything.
 * @param {Manifest} manifest @param {?Storage} stored
 */
export async function missingBytes(manifest, stored) {
  let bytes = 0;
  for (const { sha256, start, end } of manifest.stored.flatMap((name) => piecesOf(manifest, name))) {
    const there = await stored?.has(sha256).catch(() => false);
    if (!there) bytes += end - start;
  }
  return bytes;
}

/** A piece from the browser's storage; null if it is not there. @param {?Storage} stored @param {Piece} piece */
async function kept(stored, { sha256, start, end }) {
  const data = await stored?.get(sha256).catch(() => null);
  return data?.length === end - start ? data : null;
}

/**
 * A whole file from the browser's storage; null if it is not there, or not all of it.
 * @param {?Storage} stored @param {Manifest} manifest @param {string} name
 */
export async function keptFile(stored, manifest, name) {
  const data = new Uint8Array(manifest.files[name].bytes);
  for (const piece of piecesOf(manifest, name)) {
    const part = await kept(stored, piece);
    if (!part) return null;
    data.set(part, piece.start);
  }
  return data;
}

/** The files that the browser keeps of one model, as they arrive. */
export class Download {
  #arrived = 0;
  #all = 0;

  /** @param {string} base @param {Manifest} manifest @param {?Storage} stored @param {Progress} onProgress */
  constructor(base, manifest, stored, onProgress) {
    this.base = base;
    this.manifest = manifest;
    this.stored = stored;
    this.onProgress = onProgress;
  }

  /** Counts what is to be fetched; progress is reported if that is anything. */
  async begin() {
    this.#all = await missingBytes(this.manifest, this.stored);
    this.#report(0);
    return this;
  }

  /** @param {number} bytes */
  #report(bytes) {
    if (this.#all) this.onProgress(Math.min(this.#arrived + bytes, this.#all), this.#all);
  }

  /** A whole file. @param {string} name */
  async file(name) {
    const data = new Uint8Array(this.manifest.files[name].bytes);
    let at = 0;
    for await (const piece of this.pieces(name)) {
      data.set(piece, at);
      at += piece.length;
    }
    return data;
  }

  /** Several files, by name. @param {readonly string[]} names */
  async files(names) {
    /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
    const files = {};
    for (const name of names) files[name] = await this.file(name);
    return files;
  }

  /**
   * The pieces of a file, in order. What is fetched is checked before it is stored; a piece that cannot be stored,
   * because the browser grants no room, is used all the same.
   * @param {string} name
   */
  async *pieces(name) {
    const { manifest, stored } = this, source = new Source(addressOf(this.base, name, manifest), name);
    try {
      for (const piece of piecesOf(manifest, name)) {
        let data = await kept(stored, piece);
        if (!data) {
          data = await source.read(piece, manifest.files[name].bytes, (bytes) => this.#report(bytes));
          this.#arrived += data.length;
          await stored?.put(piece.sha256, data).catch(() => stored.forget(piece.sha256).catch(() => {}));
        }
        yield data;
      }
    } finally {
      await source.close();
    }
  }

  /** When all has arrived, the browser forgets what no model has any more. */
  async end() {
    await this.stored?.keepOnly(this.manifest.kept).catch(() => {});
  }
}

/** A file of the server, read from any place on; one answer brings as many pieces in a row as are asked for. */
class Source {
  /** @type {?ReadableStreamDefaultReader<Uint8Array>} */
  #reader = null;
  #at = 0; // where what has been read of the answer begins
  /** @type {Uint8Array} */
  #rest = new Uint8Array(0);

  /** @param {string} address @param {string} name */
  constructor(address, name) {
    this.address = address;
    this.name = name;
  }

  /** @param {string} why @param {unknown} [cause] */
  #broken(why, cause) {
    return new EngineError("DownloadBroken", `The download of the model broke off (${this.name}: ${why}). ${AGAIN}`, { cause });
  }

  /**
   * One piece, with its length and its checksum checked.
   * @param {Piece} piece @param {number} size bytes of the whole file @param {(bytes: number) => void} onBytes
   */
  async read({ sha256, start, end }, size, onBytes) {
    const data = new Uint8Array(end - start), sum = checksum.create();
    let at = 0;
    try {
      if (!this.#reader || this.#at !== start) await this.#open(start);
      while (at < data.length) {
        const some = (await this.#some()).subarray(0, data.length - at);
        if (!some.length) break;
        data.set(some, at);
        sum.update(some);
        this.#skip(some.length);
        onBytes(at += some.length);
      }
      if (end === size && at === data.length && (await this.#some()).length) throw new Error("it is longer than announced");
    } catch (error) {
      if (error instanceof RangeError) throw error; // no memory
      throw this.#broken(error instanceof Error ? error.message : String(error), error);
    }
    if (at !== data.length) throw this.#broken(`${start + at} of ${size} bytes arrived`);
    if (bytesToHex(sum.digest()) !== sha256) throw this.#broken("its content is not what was announced");
    return data;
  }

  /** Asks for the file from a place on. A server that cannot begin there sends all of it. @param {number} start */
  async #open(start) {
    await this.close();
    const response = await fetch(this.address, start ? { headers: { Range: `bytes=${start}-` } } : {});
    if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
    this.#reader = response.body.getReader();
    this.#at = start && response.status === PARTIAL ? start : 0;
    while (this.#at < start) {
      const some = await this.#some();
      if (!some.length) break;
      this.#skip(Math.min(some.length, start - this.#at));
    }
  }

  /** What comes next in the answer; nothing at its end. */
  async #some() {
    while (!this.#rest.length) {
      const next = await this.#reader?.read();
      if (!next || next.done) break;
      this.#rest = next.value;
    }
    return this.#rest;
  }

  /** @param {number} bytes */
  #skip(bytes) {
    this.#rest = this.#rest.subarray(bytes);
    this.#at += bytes;
  }

  async close() {
    await this.#reader?.cancel().catch(() => {});
    this.#reader = null;
    this.#rest = new Uint8Array(0);
  }
}
