// How a next token is drawn: the counterpart of `core/language/sampling.py`, of logits in descending order.
/**
 * What reshapes a distribution before a token is drawn from it.
 * @typedef {object} Sampling
 * @property {number} temperature 0: the likeliest token, and nothing is drawn
 * @property {number} topK the number of tokens that stay; 0 for all
 * @property {number} topP the share that they reach together; 1 for all
 * @property {number} minP the least share of the likeliest one's probability; 0 for all
 */
/**
 * @typedef {object} Shaped
 * @property {Float64Array} probabilities at this temperature, the largest first; before anything is cut
 * @property {number} kept how many of them, from the first, can be drawn
 * @property {number} mass the sum of those
 */

/**
 * softmax(logits / temperature).
 * @param {ArrayLike<number>} logits the largest first; −Infinity for a token that is forbidden
 * @param {number} temperature above 0
 */
export function probabilities(logits, temperature) {
  const found = new Float64Array(logits.length);
  let sum = 0;
  for (let i = 0; i < found.length; i++) sum += found[i] = Math.exp((logits[i] - logits[0]) / temperature);
  for (let i = 0; i < found.length; i++) found[i] /= sum;
  return found;
}

/**
 * The distribution that a token is drawn from. At temperature 0, the probabilities are those at 1, and one is kept.
 * @param {ArrayLike<number>} logits
 * @param {Sampling} sampling
 * @returns {Shaped}
 */
export function shaped(logits, { temperature, topK, topP, minP }) {
  const found = probabilities(logits, temperature || 1);
  const forbidden = found.indexOf(0);
  let kept = forbidden < 0 ? found.length : forbidden;
  if (temperature === 0) kept = 1;
  else {
    if (topK) kept = Math.min(kept, topK);
    if (topP < 1) {
      const whole = massOf(found, kept);
      let reached = 0, count = 0;
      do reached += found[count++]; while (count < kept && reached / whole < topP);
      kept = count;
    }
    if (minP > 0) {
      const least = minP * found[0], first = found.subarray(0, kept).findIndex((p) => p < least);
      if (first >= 0) kept = first;
    }
  }
  return { probabilities: found, kept, mass: massOf(found, kept) };
}

/** @param {Float64Array} found @param {number} kept */
function massOf(found, kept) {
  let sum = 0;
  for (let i = 0; i < kept; i++) sum += found[i];
  return sum;
}

/**
 * The place, by probability, of the token at a number from 0 to 1 on the stretch that the drawable ones cover.
 * @param {Shaped} shape
 * @param {number} number
 */
export function draw({ probabilities: found, kept, mass }, number) {
  let sum = 0;
  for (let i = 0; i < kept; i++) {
    sum += found[i];
    if (number * mass < sum) return i;
  }
  return kept - 1; // rounding could put a number behind the last token
}

/**
 * Logits in descending order.
 * @param {Float32Array} logits
 */
export const descending = (logits) => logits.toSorted().reverse();

/**
 * The token at a place of the descending order; of equal logits, the lower id stands first.
 * @param {Float32Array} logits
 * @param {Float32Array} sorted as `descending` has them
 * @param {number} place
 */
export function idAt(logits, sorted, place) {
  let before = place - sorted.indexOf(sorted[place]), id = -1;
  do id = logits.indexOf(sorted[place], id + 1); while (before--);
  return id;
}

/**
 * The next token: the likeliest at temperature 0, else drawn.
 * @param {Float32Array} logits −Infinity for a token that is forbidden
 * @param {Sampling} sampling
 * @param {number} seed together with `position`, determines the number that is drawn
 * @param {number} position the number of tokens before
 */
export function choose(logits, sampling, seed, position) {
  const sorted = descending(logits), shape = shaped(sorted, sampling), sure = sampling.temperature === 0;
  const number = sure ? null : uniform(seed, position), rank = number === null ? 0 : draw(shape, number);
  const { probabilities: found, mass } = shape;
  return { id: idAt(logits, sorted, rank), rank, probability: sure ? found[0] : found[rank] / mass, number };
}

const MASK = (1n << 64n) - 1n;

/** @param {bigint} state */
function mixed(state) {
  const one = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  const two = ((one ^ (one >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return two ^ (two >> 31n);
}

/**
 * A number from 0 (included) to 1 (excluded), the same wherever seed and position are the same.
 * @param {number} seed a whole number
 * @param {number} position the number of tokens before
 */
export function uniform(seed, position) {
  const state = (mixed(BigInt(seed) & MASK) + BigInt(position + 1) * 0x9e3779b97f4a7c15n) & MASK;
  return Number(mixed(state) >> 11n) / 2 ** 53;
}
