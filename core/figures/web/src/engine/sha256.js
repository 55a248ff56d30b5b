// SHA-256 of what arrives piece by piece. Browsers have it only where the origin is secure, and Polysee is
// also served over plain HTTP in a school's network. FIPS 180-4.

const K = new Uint32Array(64), START = new Uint32Array(8);
{ // the first 32 bits of the fractions of the roots of primes
  const fraction = (/** @type {number} */ x) => Math.floor((x - Math.floor(x)) * 2 ** 32);
  let count = 0;
  for (let n = 2; count < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (count < 8) START[count] = fraction(Math.sqrt(n));
    K[count++] = fraction(Math.cbrt(n));
  }
}

export class Sha256 {
  #state = START.slice();
  #block = new Uint8Array(64);
  #words = new Uint32Array(64);
  #filled = 0;
  #bytes = 0;

  /** @param {Uint8Array} data */
  update(data) {
    this.#bytes += data.length;
    let at = 0;
    if (this.#filled) {
      at = Math.min(64 - this.#filled, data.length);
      this.#block.set(data.subarray(0, at), this.#filled);
      this.#filled += at;
      if (this.#filled < 64) return this;
      this.#take(this.#block, 0);
      this.#filled = 0;
    }
    for (; at + 64 <= data.length; at += 64) this.#take(data, at);
    this.#block.set(data.subarray(at), 0);
    this.#filled = data.length - at;
    return this;
  }

  /** The checksum in hexadecimal; nothing can be added after it. */
  digest() {
    const bits = this.#bytes * 8, pad = new Uint8Array((this.#filled < 56 ? 64 : 128) - this.#filled);
    pad[0] = 0x80;
    const view = new DataView(pad.buffer);
    view.setUint32(pad.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(pad.length - 4, bits >>> 0);
    this.update(pad);
    return [...this.#state].map((word) => word.toString(16).padStart(8, "0")).join("");
  }

  /** @param {Uint8Array} data @param {number} at */
  #take(data, at) {
    const w = this.#words, state = this.#state;
    for (let i = 0; i < 16; i++, at += 4) {
      w[i] = (data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8) | data[at + 3];
    }
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15], y = w[i - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] += value));
  }
}
