// The message to a picture: its numbers, which come once, and its state, which is small and comes with each
// run of the page.

/** @import { Message, Sent, State } from "../types" */
const AGAIN = [0, 300, 1200, 4000]; // milliseconds before each try to fetch numbers
/** @type {Map<string, Promise<Uint8Array>>} */
const coming = new Map(); // address -> the promise of its bytes

/**
 * A message with all its parts. In a saved page or a notebook, a picture receives only its bytes, which contain
 * all of this.
 * @template {State} S
 * @param {Sent<S>} sent
 * @returns {Message<S>}
 */
export function messageOf(sent) {
  if (sent instanceof Uint8Array) {
    return { numbers: null, bytes: sent, height: null, state: null, autoplay: false, events: null, files: [], heard: 0, visit: null };
  }
  const { bytes } = sent, decoded = typeof bytes === "string" ? decode(bytes) : bytes ?? null;
  return { numbers: null, height: null, state: null, autoplay: false, events: [], files: [], heard: 0, visit: null, ...sent, bytes: decoded };
}

const decode = (/** @type {string} */ text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/**
 * Whether two messages have the same numbers.
 * @param {Message | null} one
 * @param {Message} other
 */
export function alike(one, other) {
  if (!one || one.numbers !== other.numbers) return false;
  const { bytes } = one, own = other.bytes;
  if (bytes === null || own === null) return bytes === own;
  return bytes.length === own.length && bytes.every((byte, i) => byte === own[i]);
}

/**
 * The bytes at an address.
 * @param {string} address
 * @param {() => void} lost called if the server no longer has them; the next run of the page stores them again
 */
export function fetched(address, lost) {
  const found = coming.get(address) ?? fetchedAt(address, lost).finally(() => coming.delete(address));
  coming.set(address, found);
  return found;
}

/** @param {string} address @param {() => void} lost */
async function fetchedAt(address, lost) {
  for (const wait of AGAIN) {
    if (wait) await new Promise((done) => { setTimeout(done, wait); });
    try {
      const answer = await fetch(address);
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
      lost();
    } catch { /* the network, or the server, is away for now */ }
  }
  throw new Error(`No numbers at ${address}`);
}
