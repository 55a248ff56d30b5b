// Where the model's weights stay between visits. A secure origin has a service worker, whose cache holds the whole
// folder; over plain http, browsers allow neither, and the weights alone stay in IndexedDB.

/** @typedef {{ name: string, bytes: number, weights: string }} Model */
/** @typedef {(progress: { loaded: number, total: number }) => void} OnProgress */

const DATABASE = "polysee", STORE = "weights";

const hasWorker = () => isSecureContext && "serviceWorker" in navigator && "caches" in globalThis;

/** The address of the weights. @param {string} root @param {Model} model */
const addressOf = (root, model) => `${root}engine/${model.weights}`;

/** Starts the service worker, and waits until it answers for this page. @param {string} root */
export async function keepForOffline(root) {
  if (!hasWorker()) return;
  try {
    await navigator.serviceWorker.register(`${root}sw.js`, { scope: root });
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => {
      navigator.serviceWorker.addEventListener("controllerchange", done, { once: true });
      setTimeout(done, 3000);
    });
  } catch (error) {
    console.error(error); // in a private window, or where it is forbidden: the page then needs its server
  }
}

/** Whether this page opens again without a server. @param {string} root */
export async function mayWorkOffline(root) {
  return hasWorker() && navigator.serviceWorker.controller !== null && (await caches.match(`${root}content.json`)) !== undefined;
}

/** Whether the weights are stored here. @param {string} root @param {Model} model */
export async function isStored(root, model) {
  try {
    if (hasWorker()) return (await caches.match(addressOf(root, model))) !== undefined;
    return (await fromDatabase(model)) !== null;
  } catch {
    return false;
  }
}

/**
 * What the engine needs beside its own address: nothing where a service worker answers for the weights; otherwise
 * the weights themselves, from IndexedDB or, once, from the server.
 * @param {string} root @param {Model} model @param {OnProgress} onProgress
 * @returns {Promise<{ weights?: Uint8Array<ArrayBuffer> }>}
 */
export async function weightsFor(root, model, onProgress) {
  if (hasWorker() && navigator.serviceWorker.controller) return {};
  const stored = await fromDatabase(model).catch(() => null);
  if (stored) return { weights: stored };
  const weights = await fetched(addressOf(root, model), model.bytes, onProgress);
  await toDatabase(model, weights).catch(() => {}); // too little room: it is fetched again next time
  return { weights };
}

/** @param {string} address @param {number} total @param {OnProgress} onProgress */
async function fetched(address, total, onProgress) {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new TypeError(`Failed to fetch the weights: ${answer.status}`);
  const bytes = new Uint8Array(total), reader = answer.body.getReader();
  let loaded = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes.set(value, loaded);
    loaded += value.length;
    onProgress({ loaded, total });
  }
  if (loaded !== total) throw new TypeError(`Failed to fetch all of the weights: ${loaded} of ${total}`);
  return bytes;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answered = (request) => new Promise((done, fails) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fails(request.error);
});

async function database() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return answered(request);
}

/** @param {Model} model @returns {Promise<Uint8Array<ArrayBuffer> | null>} */
async function fromDatabase(model) {
  const store = (await database()).transaction(STORE).objectStore(STORE);
  const found = await answered(store.get(model.name));
  return found instanceof Uint8Array && found.length === model.bytes ? /** @type {Uint8Array<ArrayBuffer>} */ (found) : null;
}

/** @param {Model} model @param {Uint8Array} weights */
async function toDatabase(model, weights) {
  const store = (await database()).transaction(STORE, "readwrite").objectStore(STORE);
  await answered(store.clear()); // those of an earlier folder
  await answered(store.put(weights, model.name));
}
