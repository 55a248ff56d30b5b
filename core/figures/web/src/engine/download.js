// The files of the model: from the browser's storage, or fetched, checked and stored. They are checked piece by piece,
// as they arrive, and also where the origin is not secure, as in a school's network: browsers offer neither.
/*! With SHA-256 by @noble/hashes: MIT License, (c) 2022 Paul Miller; its text is in noble-hashes.txt. */
/** @typedef {import("./types").Manifest} Manifest */
/** @typedef {import("./types").Progress} Progress */
/** @typedef {import("./storage").Storage} Storage */
import { sha256 as checksum } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { EngineError } from "./errors.js";

const AGAIN = "Check the connection and try again.";

/**
 * The address of a file. It names the content, so that a server may let it be cached for ever.
 * @param {string} base ends in "/" @param {string} name @param {Manifest} manifest
 */
export const addressOf = (base, name, manifest) => `${base}${name}?${manifest.files[name].sha256.slice(0, 16)}`;

/** The manifest of what is served. @param {string} base @returns {Promise<Manifest>} */
export async function fetchManifest(base) {
  const broken = (/** @type {unknown} */ cause) => new EngineError("DownloadBroken",
    `The server does not say which model it has. ${AGAIN}`, { cause });
  try {
    const response = await fetch(`${base}manifest.json`);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await response.json();
  } catch (error) {
    throw broken(error);
  }
}

/**
 * The bytes that are still to be fetched: 0 if the browser has everything.
 * @param {Manifest} manifest @param {?Storage} stored
 */
export async function missingBytes(manifest, stored) {
  let bytes = 0;
  for (const name of manifest.stored) {
    const { sha256, bytes: size } = manifest.files[name];
    const there = await stored?.has(sha256).catch(() => false);
    if (!there) bytes += size;
  }
  return bytes;
}

/**
 * All files that the browser keeps, by name. What is fetched is checked before it is stored; a file that
 * cannot be stored, because the browser grants no room, is used all the same.
 * @param {string} base @param {Manifest} manifest @param {?Storage} stored @param {Progress} onProgress
 * @returns {Promise<Record<string, Uint8Array<ArrayBuffer>>>}
 */
export async function load(base, manifest, stored, onProgress) {
  const all = await missingBytes(manifest, stored);
  /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
  const files = {};
  let before = 0;
  if (all) onProgress(0, all);
  for (const name of manifest.stored) {
    const { sha256, bytes } = manifest.files[name];
    const kept = await stored?.get(sha256).catch(() => null);
    if (kept?.length === bytes) {
      files[name] = kept;
      continue;
    }
    files[name] = await fetched(base, name, manifest, (now) => onProgress(Math.min(before + now, all), all));
    before += bytes;
    await stored?.put(sha256, files[name]).catch(() => stored.forget(sha256).catch(() => {}));
  }
  await stored?.keepOnly(manifest.stored.map((name) => manifest.files[name].sha256)).catch(() => {});
  return files;
}

/**
 * One file from the server, with its length and its checksum checked.
 * @param {string} base @param {string} name @param {Manifest} manifest @param {(bytes: number) => void} onBytes
 */
async function fetched(base, name, manifest, onBytes) {
  const { bytes, sha256 } = manifest.files[name];
  const broken = (/** @type {string} */ why, /** @type {unknown} */ cause) =>
    new EngineError("DownloadBroken", `The download of the model broke off (${name}: ${why}). ${AGAIN}`, { cause });
  const data = new Uint8Array(bytes), sum = checksum.create();
  let at = 0;
  try {
    const response = await fetch(addressOf(base, name, manifest));
    if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (at + value.length > bytes) {
        await reader.cancel();
        throw new Error("it is longer than announced");
      }
      data.set(value, at);
      sum.update(value);
      onBytes(at += value.length);
    }
  } catch (error) {
    if (error instanceof RangeError) throw error; // no memory
    throw broken(error instanceof Error ? error.message : String(error), error);
  }
  if (at !== bytes) throw broken(`${at} of ${bytes} bytes arrived`, null);
  if (bytesToHex(sum.digest()) !== sha256) throw broken("its content is not what was announced", null);
  return data;
}
