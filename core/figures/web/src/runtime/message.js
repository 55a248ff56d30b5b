// What a picture is sent: its numbers, which come once, and what is chosen in it, which is small and comes
// with each run of the page.

const AGAIN = [0, 300, 1200, 4000]; // milliseconds before each try to fetch numbers
const coming = new Map(); // address -> the promise of its bytes

/**
 * @typedef {object} Message
 * @property {?string} numbers the address of the bytes, or null where they came along
 * @property {?Uint8Array} bytes
 * @property {?object} state what is chosen, as the page wants it; null: as the header of the bytes says
 * @property {boolean} opens whether it moves by itself when it is drawn for the first time
 * @property {string[]} events what the page wants to be told
 * @property {number} heard the number of the last choice that the page has heard
 * @property {?string} visit the name of the visit that hears; null: nobody does
 */

/** In a saved page or a notebook a picture is given its bytes, which hold all of this, and no more. */
export function messageOf(sent) {
  if (sent instanceof Uint8Array) {
    return { numbers: null, bytes: sent, state: null, events: null, heard: 0, visit: null };
  }
  const { bytes } = sent, decoded = typeof bytes === "string" ? decode(bytes) : bytes ?? null;
  return { numbers: null, state: null, opens: false, events: [], heard: 0, visit: null, ...sent, bytes: decoded };
}

const decode = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/** Whether two messages have the same numbers. */
export function alike(one, other) {
  if (!one || one.numbers !== other.numbers) return false;
  const { bytes } = one, own = other.bytes;
  if (bytes === null || own === null) return bytes === own;
  return bytes.length === own.length && bytes.every((byte, i) => byte === own[i]);
}

/** The bytes at an address. A server that has them no more stores them again when its page has run. */
export function fetched(address, lost) {
  if (!coming.has(address)) {
    coming.set(address, fetchedAt(address, lost).finally(() => coming.delete(address)));
  }
  return coming.get(address);
}

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
