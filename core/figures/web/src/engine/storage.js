// Where the browser keeps the model: in Cache Storage where the origin is secure, otherwise in IndexedDB, which
// plain HTTP has as well. A file is kept under the checksum of its content, so that it can never be another.

const NAME = "polysee-model", STORE = "files";

/**
 * @typedef {object} Storage
 * @property {(key: string) => Promise<boolean>} has
 * @property {(key: string) => Promise<?Uint8Array<ArrayBuffer>>} get
 * @property {(key: string, data: Uint8Array<ArrayBuffer>) => Promise<void>} put
 * @property {(keys: string[]) => Promise<void>} keepOnly forgets all other files
 * @property {(key: string) => Promise<void>} forget
 */

/** The storage of this browser; null if it has none, as in some private windows. @returns {?Storage} */
export function storage() {
  if (globalThis.isSecureContext && globalThis.caches) return inCaches;
  return globalThis.indexedDB ? inDatabase : null;
}

/** A cache's keys are addresses; nothing is ever fetched from these. @param {string} key */
const addressOf = (key) => `/${NAME}/${key}`;

/** @type {Storage} */
const inCaches = {
  async has(key) {
    return Boolean(await (await caches.open(NAME)).match(addressOf(key)));
  },
  async get(key) {
    const found = await (await caches.open(NAME)).match(addressOf(key));
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  },
  async put(key, data) {
    await (await caches.open(NAME)).put(addressOf(key), new Response(data));
  },
  async keepOnly(keys) {
    const cache = await caches.open(NAME), kept = new Set(keys.map(addressOf));
    for (const request of await cache.keys()) {
      if (!kept.has(new URL(request.url).pathname)) await cache.delete(request);
    }
  },
  async forget(key) {
    await (await caches.open(NAME)).delete(addressOf(key));
  },
};

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answered = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/**
 * Does one thing in the database, and closes it.
 * @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} what
 */
async function inStore(mode, what) {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await answered(opening);
  try {
    return await answered(what(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close(); // after the transaction
  }
}

/** @type {Storage} */
const inDatabase = {
  has: async (key) => (await inStore("readonly", (store) => store.count(key))) > 0,
  async get(key) {
    const blob = await inStore("readonly", (store) => store.get(key));
    return blob instanceof Blob ? new Uint8Array(await blob.arrayBuffer()) : null;
  },
  async put(key, data) {
    await inStore("readwrite", (store) => store.put(new Blob([data]), key));
  },
  async keepOnly(keys) {
    const kept = new Set(keys);
    for (const key of await inStore("readonly", (store) => store.getAllKeys())) {
      if (!kept.has(String(key))) await this.forget(String(key));
    }
  },
  async forget(key) {
    await inStore("readwrite", (store) => store.delete(key));
  },
};
