// How surprised a model is by a token, and what it expected in its place: `core/records/score.py` and
// `core/pretrained/scoring.py`, of the logits at one position.

/**
 * −log₂ p of a token, the entropy Σ −p · log₂ p, both in bits, and how many tokens were likelier.
 * @param {Float32Array} logits of all tokens, finite
 * @param {number} id the token that came
 */
export function surprise(logits, id) {
  let largest = -Infinity, sum = 0, weighted = 0, rank = 0;
  for (const logit of logits) {
    if (logit > largest) largest = logit;
    if (logit > logits[id]) rank++;
  }
  for (const logit of logits) {
    const below = logit - largest, share = Math.exp(below);
    sum += share;
    weighted += share * below;
  }
  const log = Math.log(sum);
  return { bits: Math.max(0, (log - (logits[id] - largest)) / Math.LN2), entropy: (log - weighted / sum) / Math.LN2, rank };
}

/**
 * The likeliest tokens, of equal ones the lower id first, with their probabilities.
 * @param {Float32Array} logits of all tokens, finite
 * @param {number} k how many at most
 */
export function likeliest(logits, k) {
  /** @type {number[]} */
  const ids = [];
  for (let id = 0; id < logits.length; id++) {
    if (ids.length === k && !(logits[id] > logits[ids[k - 1]])) continue;
    let at = Math.min(ids.length, k - 1);
    for (; at > 0 && logits[id] > logits[ids[at - 1]]; at--) ids[at] = ids[at - 1];
    ids[at] = id;
  }
  const largest = logits[ids[0]], sum = logits.reduce((all, logit) => all + Math.exp(logit - largest), 0);
  return { ids, probabilities: ids.map((id) => Math.exp(logits[id] - largest) / sum) };
}
