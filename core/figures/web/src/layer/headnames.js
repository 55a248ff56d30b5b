// Heads in words, and in their lines: what they are called, their colours and dashes.
import { rgb } from "../runtime/shared.js";
import { MEAN } from "./state.js";
import { called, shortly } from "../draw/words.js";

export const NO_SCORES = "A mean of heads has no scores of its own: choose a head.";
export const ONE_HEAD = "A product belongs to one head: choose a head above.";

/** "head 3", "heads 1–4, 7", "no head". */
function namesOfHeads(heads) {
  if (!heads.length) return "no head";
  const runs = [];
  for (const head of heads) {
    if (runs.length && runs.at(-1)[1] === head - 1) runs.at(-1)[1] = head;
    else runs.push([head, head]);
  }
  const texts = runs.map(([from, to]) => (from === to ? `${from + 1}`
    : `${from + 1}${to > from + 1 ? "–" : ", "}${to + 1}`));
  return `head${heads.length > 1 ? "s" : ""} ${texts.join(", ")}`;
}

/** "head 3", "mean of 12 heads". */
const nameOfHead = (head, { heads, gone }) =>
  (head === MEAN ? `mean of ${heads - gone.length} heads` : `head ${head + 1}`);

/** The same of those that draw lines. */
const nameOfThose = (on, header) =>
  (on.includes(MEAN) ? nameOfHead(MEAN, header) : namesOfHeads(on));

/** A layer with its place: "Decoder, Layer 3"; then what of it, which a mean of all has not. */
const titled = ({ place, layer, averaged, kind }, what) =>
  [...(place ? [place] : []), layer, ...(averaged || kind === "none" ? [] : [what])].join(", ");

/** A head with its layer, as a caption names it: "Layer 3, head 3"; of a mean of all, its name. */
export const titleOf = (head, header) => titled(header, nameOfHead(head, header));

/** The same of those that draw lines. */
export const titleOfThose = (on, header) => titled(header, nameOfThose(on, header));

/** What is done where special tokens are hidden; of a mean, before it is taken. */
export const scaledWords = ({ sink }, mean) => `special tokens ${sink ? `and ${sink} ` : ""}left out, ${
  mean ? "each head’s rows scaled to 1 over the tokens shown, then averaged"
    : "each row scaled to 1 over the tokens shown"}`;

/** What is hatched in the map of a head, and what goes elsewhere, in short notes. */
export function hatchedWords(view, head, what) {
  const { exact, header } = view, said = [], { queries } = exact;
  if (header.causal) said.push("hatched: masked, a later token is not seen");
  else if (exact.mask.any) said.push(`hatched: masked; ${header.seen}`);
  if (what === "scores" || header.kind === "none") return said;
  const gone = queries.filter((i) => exact.missing(head, i)), { length } = gone;
  if (length < queries.length && exact.sinks && exact.whole) said.push(sunkWords(view, head));
  if (length) {
    const how = said.length && exact.mask.any ? "hatched the other way" : "hatched";
    const rows = length > 1 ? `${length} rows are missing` : "a row is missing";
    said.push(`${how}: ${rows}, ${whyMissing(view, head)}`);
  }
  return said;
}

/** What the rows of a head leave to what is no key, and what the one that is chosen does. */
function sunkWords({ exact, header, query }, head) {
  const rows = exact.queries.filter((i) => !exact.missing(head, i));
  const sum = rows.reduce((all, i) => all + exact.sunk(head, i), 0);
  const own = rows.includes(query) ? ` (${shortly(exact.sunk(head, query))} of “\u2068${
    called(header.queries, query)}\u2069”)` : "";
  return `in the mean, ${shortly(sum / rows.length)} of a row${own} goes to ${header.sink}`;
}

/** Why a row is missing, as what follows its name. */
export function whyMissing({ exact, header }, head) {
  if (header.kind === "none") return header.without;
  if (exact.gone.has(head)) return "this layer has no such head";
  return exact.whole ? "none of it goes to the tokens shown" : "nothing is left without special tokens";
}

/** The colour of a head's lines; the mean is no head and has the letters' colour. */
export function colourOfHead(head, { colours, averaged }, look) {
  const all = colours[look.dark ? "dark" : "light"];
  return head === MEAN || averaged ? rgb(look.ink) : all[head % all.length];
}

/** Whether its lines are dashed: those of the second eight heads, and so on in turns. */
export const isDashed = (head, { colours: { light } }) => head % (2 * light.length) >= light.length;
