// Text about heads for all zoom levels of a layer: titles, colours, why a row is missing or rescaled.
/** @import { LayerHeader } from "../headers" */
/** @import { Look } from "../types" */
/** @import { Attention } from "./attention.js" */
import { m, mn } from "../runtime/language.js";
import { called } from "../draw/written.js";
import { leftOut } from "../draw/leftout.js";
import { rgb } from "../runtime/shared.js";
import { MEAN } from "./state.js";

export const noScores = () => m("A mean of heads has no scores of its own: choose a head.");
export const oneHead = () => m("A product belongs to one head: choose a head above.");

/** A token in quotation marks; a right-to-left name does not affect the text around it. @param {string} name */
export const quoted = (name) => m("“{word}”", { word: `\u2068${name}\u2069` });

/** A query in quotation marks. @param {LayerHeader} header @param {number} i */
export const quotedQuery = ({ queries }, i) => quoted(called(queries, i));

/** A key in quotation marks. @param {LayerHeader} header @param {number} j */
export const quotedKey = ({ keys }, j) => quoted(called(keys, j));

/** "head 3", "heads 1–4, 7", "no head". @param {number[]} heads */
function namesOfHeads(heads) {
  if (!heads.length) return m("no head");
  /** @type {[first: number, last: number][]} */
  const runs = [];
  for (const head of heads) {
    const run = runs.at(-1);
    if (run?.[1] === head - 1) run[1] = head;
    else runs.push([head, head]);
  }
  const texts = runs.map(([first, last]) => (first === last ? `${first + 1}`
    : `${first + 1}${last > first + 1 ? "–" : ", "}${last + 1}`));
  return mn("head {heads}", "heads {heads}", heads.length, { heads: texts.join(", ") });
}

/** "head 3", "mean of 12 heads". @param {number} head @param {LayerHeader} header */
const nameOfHead = (head, { heads, missingHeads }) =>
  (head === MEAN ? m("mean of {count} heads", { count: heads - missingHeads.length }) : m("head {head}", { head: head + 1 }));

/**
 * The name of a layer, with its block: "Decoder, Layer 3"; then a part of it, which a mean of all layers
 * does not have.
 * @param {LayerHeader} header
 * @param {string} part
 */
const titled = ({ place, layer, isMean, kind }, part) =>
  [...(place ? [place] : []), layer, ...(isMean || kind === "none" ? [] : [part])].join(", ");

/**
 * The name of a head with its layer in a caption: "Layer 3, head 3"; for a mean of all, its name.
 * @param {number} head
 * @param {LayerHeader} header
 */
export const titleOfHead = (head, header) => titled(header, nameOfHead(head, header));

/** The same for the heads with lines. @param {number[]} on @param {LayerHeader} header */
export const titleOfHeads = (on, header) =>
  titled(header, on.includes(MEAN) ? nameOfHead(MEAN, header) : namesOfHeads(on));

/**
 * What happens if special tokens are hidden; for a mean, before it is taken.
 * @param {LayerHeader} header
 * @param {boolean} mean
 */
export function scaledWords(header, mean) {
  const what = header.sink ? m("{what} and {where}", { what: leftOut(header), where: header.sink }) : leftOut(header);
  return mean ? m("{what} left out, each head’s rows rescaled to 1 over the tokens shown, then averaged", { what })
    : m("{what} left out, each row rescaled to 1 over the tokens shown", { what });
}

/**
 * Why a row is missing, as the continuation of its name.
 * @param {{ attention: Attention, header: LayerHeader }} layer
 * @param {number} head
 */
export function whyMissing({ attention, header }, head) {
  if (header.kind === "none") return header.whyNoScores;
  if (attention.absent.has(head)) return m("this layer has no such head");
  return attention.whole ? m("none of it goes to the tokens shown") : m("without {what}, nothing is left", { what: leftOut(header) });
}

/**
 * The colour of a head's lines; the mean has the colour of the letters.
 * @param {number} head
 * @param {LayerHeader} header
 * @param {Look} look
 */
export function colourOfHead(head, { colours, isMean }, look) {
  const all = colours[look.dark ? "dark" : "light"];
  return head === MEAN || isMean ? rgb(look.ink) : all[head % all.length];
}

/**
 * Whether its lines are dashed: those of heads 9–16, 25–32, and so on.
 * @param {number} head
 * @param {LayerHeader} header
 */
export const isDashed = (head, { colours: { light } }) => head % (2 * light.length) >= light.length;
