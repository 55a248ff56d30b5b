// The random numbers of torch's generator on a processor, so that one seed gives the same first weights and the same
// windows here as on the server: the Mersenne Twister (Matsumoto and Nishimura 1998, MT19937), and what torch makes of
// its words of 32 bits.

const LENGTH = 624, SHIFT = 397, BLOCK = 16;

export class Random {
  #state = new Uint32Array(LENGTH);
  #at = LENGTH;

  /** @param {number} seed a whole number from 0 to 2³² − 1 */
  constructor(seed) {
    const state = this.#state;
    state[0] = seed;
    for (let i = 1; i < LENGTH; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
  }

  #turn() {
    const state = this.#state;
    for (let i = 0; i < LENGTH; i++) {
      const both = (state[i] & 0x80000000) | (state[(i + 1) % LENGTH] & 0x7fffffff);
      state[i] = state[(i + SHIFT) % LENGTH] ^ (both >>> 1) ^ (both & 1 ? 0x9908b0df : 0);
    }
    this.#at = 0;
  }

  /** The next word of 32 bits. */
  word() {
    if (this.#at === LENGTH) this.#turn();
    let y = this.#state[this.#at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** A whole number from 0 to below `most`, as `torch.randint` draws it. @param {number} most at most 2²⁸ */
  below(most) {
    return this.word() % most;
  }

  #share() {
    return (this.word() & 0xffffff) / 2 ** 24;
  }

  /** Numbers from −bound to bound, as `torch.nn.init.uniform_`. @param {number} count @param {number} bound */
  uniform(count, bound) {
    const from = Math.fround(-bound), range = Math.fround(Math.fround(bound) - from);
    return Float32Array.from({ length: count }, () => Math.fround(this.#share() * range) + from);
  }

  /**
   * Numbers of the normal distribution around 0, as `torch.nn.init.normal_` fills 16 or more: two at once by the
   * transform of Box and Muller (1958), in blocks of 16 whose halves belong together; the last block may lie over the
   * one before.
   * @param {number} count at least 16
   * @param {number} deviation
   */
  normal(count, deviation) {
    const made = Float32Array.from({ length: count }, () => this.#share());
    for (let i = 0; i + BLOCK <= count; i += BLOCK) transform(made.subarray(i, i + BLOCK), deviation);
    if (count % BLOCK) {
      const last = made.subarray(count - BLOCK);
      for (let i = 0; i < BLOCK; i++) last[i] = this.#share();
      transform(last, deviation);
    }
    return made;
  }
}

/** @param {Float32Array} block of shares, which become normal @param {number} deviation */
function transform(block, deviation) {
  const half = BLOCK / 2;
  for (let i = 0; i < half; i++) {
    const radius = Math.sqrt(-2 * Math.log(1 - block[i])), angle = 2 * Math.PI * block[i + half];
    block[i] = radius * Math.cos(angle) * deviation;
    block[i + half] = radius * Math.sin(angle) * deviation;
  }
}
