// What a visitor may leave out of a picture of attention.
import { m } from "../runtime/language.js";


/**
 * Special tokens; or, of a decoder that reads without a first token of its own, the token that stands in its place.
 * @param {{ leftOut?: string }} header
 */
export const leftOut = ({ leftOut: name = m("special tokens") }) => name;
