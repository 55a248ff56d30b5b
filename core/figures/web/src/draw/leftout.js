// What a visitor may leave out of a picture of attention.

/**
 * Special tokens; or, of a decoder that reads without a first token of its own, the token that stands in its place.
 * @param {{ leftOut?: string }} header
 */
export const leftOut = ({ leftOut: name = "special tokens" }) => name;
