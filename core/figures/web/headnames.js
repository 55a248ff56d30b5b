// Heads in words, and in their lines: what they are called, their colours and dashes.
import { rgb } from "./shared.js";
import { MEAN } from "./layerstate.js";

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
const nameOfHead = (head, { heads }) =>
  (head === MEAN ? `mean of ${heads} heads` : `head ${head + 1}`);

/** The same of those that draw lines. */
const nameOfThose = (on, header) =>
  (on.includes(MEAN) ? nameOfHead(MEAN, header) : namesOfHeads(on));

/** A layer with its place: "Decoder, Layer 3"; then what of it, which a mean of all has not. */
const titled = ({ place, layer, averaged }, what) =>
  [...(place ? [place] : []), layer, ...(averaged ? [] : [what])].join(", ");

/** A head with its layer, as a caption names it: "Layer 3, head 3"; of a mean of all, its name. */
export const titleOf = (head, header) => titled(header, nameOfHead(head, header));

/** The same of those that draw lines. */
export const titleOfThose = (on, header) => titled(header, nameOfThose(on, header));

/** What is done where special tokens are hidden; of a mean, before it is taken. */
export const scaledWords = (mean) => `special tokens left out, ${
  mean ? "each head’s rows scaled to 1, then averaged" : "each row scaled to 1"}`;

/** The colour of a head's lines; the mean is no head and has the letters' colour. */
export function colourOfHead(head, { colours, averaged }, look) {
  const all = colours[look.dark ? "dark" : "light"];
  return head === MEAN || averaged ? rgb(look.ink) : all[head % all.length];
}

/** Whether its lines are dashed: those of the second eight heads, and so on in turns. */
export const isDashed = (head, { colours: { light } }) => head % (2 * light.length) >= light.length;
