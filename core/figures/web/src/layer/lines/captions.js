// The lines in words: the title, the words below, the tip of a token, and the table for those who do not see them.
/** @import { Layer } from "../layer.js" */
/** @import { TokenThing } from "../types" */
/** @import { LinesLevel } from "./level.js" */
import { shortly, weighed } from "../../draw/written.js";
import { leftOut } from "../../draw/leftout.js";
import { quoted, scaledWords, titleOfHeads, whyMissing } from "../names.js";
import { MEAN } from "../state.js";
import { FEW, hiddenShare, isMissing, leastOf, leavesOut, strongestOf } from "./weights.js";

/** The lines that exist. @param {LinesLevel} level @param {?TokenThing} focus */
export function title(level, focus) {
  const { header, state } = level.layer, heads = titleOfHeads(state.on, header);
  if (header.kind === "none") return heads;
  if (!focus) return `${heads}, ${leavesOut(level.layer) ? `the ${FEW} strongest ` : ""}weights from ${shortly(state.threshold)}`;
  const way = focus.side === "query" ? "of" : "on";
  return `${heads}, only the weights ${way} ${quoted(level.name(focus))} from ${shortly(leastOf(state))}`;
}

/** The words below. @param {LinesLevel} level @param {?TokenThing} focus */
export function note(level, focus) {
  const { layer } = level, { attention, header, state: { on } } = layer, mean = header.isMean || on.includes(MEAN);
  if (header.kind === "none") return `${title(level, focus)}. ${header.whyNoScores}`;
  const seen = header.maskDescription && !header.causal ? `; ${header.maskDescription}` : "";
  const left = attention.whole ? "" : `; ${scaledWords(header, mean)}; each bar: how much of the row goes to ${
    hiddenNames(layer)}`;
  return `${title(level, focus)}${left}${seen}${on.length ? missingWords(layer, focus) : ": choose a head above"}`;
}

/**
 * How many rows are missing, in words; for a chosen token, why its row is.
 * @param {Layer} layer
 * @param {?TokenThing} focus
 */
function missingWords(layer, focus) {
  const { attention, state: { on } } = layer, why = () => whyMissing(layer, on[0]);
  if (focus) return focus.side === "query" && isMissing(layer, focus.i) ? `; missing: ${why()}` : "";
  const { length } = attention.queries.filter((i) => isMissing(layer, i));
  if (!length) return "";
  return `; hatched: ${length > 1 ? `${length} rows are` : "a row is"} missing, ${why()}`;
}

/** The names of the hidden tokens: "[CLS] and [SEP]". @param {Layer} layer */
function hiddenNames({ attention, header }) {
  if (header.leftOut) return header.leftOut;
  const names = [...new Set(attention.hidden.map((j) => header.keys[j]))];
  return names.length > 3 ? leftOut(header) : names.map((name) => `\u2068${name}\u2069`)
    .join(", ").replace(/, ([^,]*)$/, " and $1");
}

/** A token, and its strongest weights in words. @param {LinesLevel} level @param {TokenThing} thing */
export function tipWords(level, thing) {
  const several = level.layer.state.on.length > 1;
  const strongest = strongestOf(level, thing, 4).map(({ head, other, weight }) =>
    `\u2068${level.name(other)}\u2069 ${weighed(weight)}${several ? ` (head ${head + 1})` : ""}`);
  return {
    parts: [level.name(thing), thing.side === "query" ? " attends to" : " receives attention from"],
    said: weightsInWords(level.layer, thing, strongest),
  };
}

/**
 * The strongest weights in words, or why there are none; and what goes to hidden tokens.
 * @param {Layer} layer
 * @param {TokenThing} thing
 * @param {string[]} strongest
 */
function weightsInWords(layer, thing, strongest) {
  if (!layer.state.on.length) return "no head is chosen";
  const isQuery = thing.side === "query", all = [...strongest, ...(isQuery ? sinkWords(layer, thing.i) : [])];
  return [...(all.length ? all : [noWeights(layer, thing)]), ...(isQuery ? hiddenWords(layer, thing.i) : [])].join(", ");
}

/** The share of a query's row that goes to hidden tokens. @param {Layer} layer @param {number} i */
function hiddenWords(layer, i) {
  const share = layer.attention.whole ? NaN : hiddenShare(layer, i);
  return Number.isNaN(share) ? [] : [`before rescaling, ${shortly(share)} of the row to ${hiddenNames(layer)}`];
}

/** The share of a query's row that goes to the sinks of the heads, if they have any. @param {Layer} layer @param {number} i */
function sinkWords({ attention, header, state: { on } }, i) {
  if (!attention.sinks || !attention.whole) return [];
  return on.filter((head) => !attention.missing(head, i)).map((head) =>
    `${header.sink} ${weighed(attention.sinkWeight(head, i))}${on.length > 1 ? ` (head ${head + 1})` : ""}`);
}

/** Shown instead of weights, if a token has none. @param {Layer} layer @param {TokenThing} thing */
const noWeights = (layer, { side, i }) =>
  (side === "query" && isMissing(layer, i) ? `missing, ${whyMissing(layer, layer.state.on[0])}` : "missing");

/**
 * The strongest weights of a token: caption, column names, rows.
 * @param {LinesLevel} level
 * @param {TokenThing} thing
 * @returns {[caption: string, names: string[], rows: string[][]]}
 */
export function table(level, thing) {
  const { layer } = level, { state, header } = layer, isQuery = thing.side === "query";
  const strongest = strongestOf(level, thing, 20), name = level.name(thing);
  if (!strongest.length && state.on.length) return [`${name}: ${noWeights(layer, thing)}`, [], []];
  return [
    `The ${strongest.length} strongest weights ${isQuery ? "of" : "on"} ${name}, ${titleOfHeads(state.on, header)}`,
    ["head", "token", "attends to", "weight"],
    strongest.map(({ head, other, weight }) => {
      const of = head === MEAN || header.isMean ? "mean" : String(head + 1), otherName = level.name(other);
      return [of, ...(isQuery ? [name, otherName] : [otherName, name]), weighed(weight)];
    }),
  ];
}
