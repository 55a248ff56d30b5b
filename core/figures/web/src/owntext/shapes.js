// The weights of a model by their names in `core.transformer`, and their shapes.
/** @import { Layer } from "./decoder.js" */
/** @import { Recipe } from "./recipe.js" */

const FACTOR = 3; // of d_model, the inner width of a network

/** The names of a layer's weights in `core.transformer`. @type {Readonly<Record<keyof Layer, string>>} */
export const PARTS = {
  query: "attention.query", key: "attention.key", value: "attention.value", output: "attention.output", attentionNorm: "attention_norm",
  outputNorm: "output_norm", inner: "feed_forward.inner", outer: "feed_forward.outer", gate: "feed_forward.gate",
};
export const ORDER = /** @type {(keyof Layer)[]} */ (Object.keys(PARTS));

/** The shape of each tensor, by its name in `core.transformer`. @param {Recipe} recipe @param {number} vocabulary */
export function shapes({ width: D, layers }, vocabulary) {
  const F = FACTOR * D;
  /** @type {Readonly<Partial<Record<keyof Layer, number[]>>>} */
  const other = { attentionNorm: [D], outputNorm: [D], inner: [F, D], outer: [D, F], gate: [F, D] };
  /** @type {Record<string, number[]>} */
  const made = { "embeddings.tokens.weight": [vocabulary, D] };
  for (let i = 0; i < layers; i++) {
    for (const part of ORDER) made[`stack.layers.${i}.${PARTS[part]}.weight`] = other[part] ?? [D, D];
  }
  return { ...made, "stack.norm.weight": [D] };
}
