// The lines in words: the title, the words below, the tip of a token, and the table for those who do not see them.
/** @import { Layer } from "../layer.js" */
/** @import { TokenThing } from "../types" */
/** @import { LinesLevel } from "./level.js" */
import { m } from "../../runtime/language.js";
import { shortly, weighed } from "../../draw/written.js";
import { leftOut } from "../../draw/leftout.js";
import { quoted, scaledWords, titleOfHeads, whyMissing } from "../names.js";
import { MEAN } from "../state.js";
import { FEW, hiddenShare, isMissing, leastOf, leavesOut, strongestOf } from "./weights.js";

/** @param {number} head */
const headName = (head) => m("head {head}", { head: head + 1 });

/** The lines that exist. @param {LinesLevel} level @param {?TokenThing} focus */
export function title(level, focus) {
  const { header, state } = level.layer, heads = titleOfHeads(state.on, header);
  if (header.kind === "none") return heads;
  const from = shortly(focus ? leastOf(state) : state.threshold);
  if (!focus) return leavesOut(level.layer) ? m("{heads}, the {count} strongest weights from {from}", { heads, count: FEW, from }) : m("{heads}, weights from {from}", { heads, from });
  const token = quoted(level.name(focus));
  return focus.side === "query" ? m("{heads}, only the weights of {token} from {from}", { heads, token, from }) : m("{heads}, only the weights on {token} from {from}", { heads, token, from });
}

/** The words below. @param {LinesLevel} level @param {?TokenThing} focus */
export function note(level, focus) {
  const { layer } = level, { attention, header, state: { on } } = layer, mean = header.isMean || on.includes(MEAN);
  if (header.kind === "none") return `${title(level, focus)}. ${header.whyNoScores}`;
  const seen = header.maskDescription && !header.causal ? `; ${header.maskDescription}` : "";
  const left = attention.whole ? "" : ["", scaledWords(header, mean), m("each bar: how much of the row goes to {tokens}", { tokens: hiddenNames(layer) })].join("; ");
  return title(level, focus) + left + seen + (on.length ? missingWords(layer, focus) : m(": choose a head above"));
}

/**
 * How many rows are missing, in words; for a chosen token, why its row is.
 * @param {Layer} layer
 * @param {?TokenThing} focus
 */
function missingWords(layer, focus) {
  const { attention, state: { on } } = layer, why = () => whyMissing(layer, on[0]);
  if (focus) return focus.side === "query" && isMissing(layer, focus.i) ? m("; missing: {why}", { why: why() }) : "";
  const { length } = attention.queries.filter((i) => isMissing(layer, i));
  if (!length) return "";
  const rows = length > 1 ? m("{count} rows are missing", { count: length }) : m("a row is missing");
  return ["; ", m("hatched"), ": ", rows, m(", {why}", { why: why() })].join("");
}

/** The names of the hidden tokens: "[CLS] and [SEP]". @param {Layer} layer */
function hiddenNames({ attention, header }) {
  if (header.leftOut) return header.leftOut;
  const names = [...new Set(attention.hidden.map((j) => header.keys[j]))];
  return names.length > 3 ? leftOut(header) : names.map((name) => `\u2068${name}\u2069`)
    .join(", ").replace(/, ([^,]*)$/, (_, last) => m(" and ") + last);
}

/** A token, and its strongest weights in words. @param {LinesLevel} level @param {TokenThing} thing */
export function tipWords(level, thing) {
  const several = level.layer.state.on.length > 1;
  const strongest = strongestOf(level, thing, 4).map(({ head, other, weight }) =>
    `\u2068${level.name(other)}\u2069 ${weighed(weight)}${several ? ` (${headName(head)})` : ""}`);
  return {
    parts: [level.name(thing), thing.side === "query" ? m(" attends to") : m(" receives attention from")],
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
  if (!layer.state.on.length) return m("no head is chosen");
  const isQuery = thing.side === "query", all = [...strongest, ...(isQuery ? sinkWords(layer, thing.i) : [])];
  return [...(all.length ? all : [noWeights(layer, thing)]), ...(isQuery ? hiddenWords(layer, thing.i) : [])].join(", ");
}

/** The share of a query's row that goes to hidden tokens. @param {Layer} layer @param {number} i */
function hiddenWords(layer, i) {
  const share = layer.attention.whole ? NaN : hiddenShare(layer, i);
  return Number.isNaN(share) ? [] : [m("before rescaling, {share} of the row to {tokens}", { share: shortly(share), tokens: hiddenNames(layer) })];
}

/** The share of a query's row that goes to the sinks of the heads, if they have any. @param {Layer} layer @param {number} i */
function sinkWords({ attention, header, state: { on } }, i) {
  if (!attention.sinks || !attention.whole) return [];
  return on.filter((head) => !attention.missing(head, i)).map((head) =>
    `${header.sink} ${weighed(attention.sinkWeight(head, i))}${on.length > 1 ? ` (${headName(head)})` : ""}`);
}

/** Shown instead of weights, if a token has none. @param {Layer} layer @param {TokenThing} thing */
const noWeights = (layer, { side, i }) =>
  (side === "query" && isMissing(layer, i) ? m("missing") + m(", {why}", { why: whyMissing(layer, layer.state.on[0]) }) : m("missing"));

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
    isQuery ? m("The {count} strongest weights of {name}, {heads}", { count: strongest.length, name, heads: titleOfHeads(state.on, header) })
      : m("The {count} strongest weights on {name}, {heads}", { count: strongest.length, name, heads: titleOfHeads(state.on, header) }),
    [m("head"), m("token"), m("attends to"), m("weight")],
    strongest.map(({ head, other, weight }) => {
      const of = head === MEAN || header.isMean ? m("mean") : String(head + 1), otherName = level.name(other);
      return [of, ...(isQuery ? [name, otherName] : [otherName, name]), weighed(weight)];
    }),
  ];
}
