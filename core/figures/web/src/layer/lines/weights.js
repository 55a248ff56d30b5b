// Which weights have a line, which are the strongest, which rows are missing, and what goes to hidden tokens.
/** @import { LayerState } from "../../states" */
/** @import { Layer } from "../layer.js" */
/** @import { Side, TokenThing } from "../types" */
/** @import { LinesPlan } from "./layout.js" */
/** @import { LinesLevel } from "./level.js" */
import { largest } from "../../draw/written.js";
import { showsAll } from "../state.js";

/** @typedef {[head: number, row: number, weight: number]} EndWeight a weight, and the end of its line */
/** @typedef {[head: number, query: number, key: number, weight: number]} Line rows in the two columns */

const LEAST = 0.01; // if no token is chosen: the smallest weight to draw for the one under the pointer
const NOUGHT = 1e-6; // no line is drawn below this weight, whatever the threshold
const MOST = 20000; // the most lines drawn at once, the strongest
export const FEW = 40; // so many, until a visitor asks for all

/** @type {Record<Side, Side>} */
export const OTHER = { query: "key", key: "query" };

/**
 * The smallest weight for which the lines of one token are drawn and its weights written.
 * @param {LayerState} state
 */
export const leastOf = ({ pin, alone }) => (pin ? alone : LEAST);

/**
 * The weights between a token and those of the other column.
 * @param {Layer} layer
 * @param {TokenThing} token
 * @param {number} head
 */
const weightsOf = ({ attention }, { side, i }, head) =>
  (side === "query" ? attention.row(head, i) : attention.column(head, i));

/** Those that are large enough for a line. @param {Layer} layer @param {TokenThing} token */
export function endWeights(layer, token) {
  const { state } = layer, least = Math.max(leastOf(state), NOUGHT);
  /** @type {EndWeight[]} */
  const ends = [];
  for (const head of state.on) {
    weightsOf(layer, token, head).forEach((weight, row) => {
      if (weight >= least) ends.push([head, row, weight]);
    });
  }
  return ends;
}

/** The lines to draw, the weakest first. @param {LinesLevel} level @param {LinesPlan} plan */
export function linesToDraw(level, plan) {
  const { state, header } = level.layer, focus = level.focus();
  const lines = focus ? linesOf(level, focus) : linesInSight(level.layer, plan);
  lines.sort((a, b) => a[3] - b[3]);
  return lines.slice(focus || showsAll(state, header) ? -MOST : -FEW);
}

/** Whether some lines are left out: there are more than a few, and not all are asked for. @param {Layer} layer */
export function leavesOut({ attention, state, header }) {
  if (showsAll(state, header)) return false;
  const least = Math.max(state.threshold, NOUGHT);
  let count = 0;
  return state.on.some((head) => attention.queries.some((i) => {
    for (const weight of attention.row(head, i)) if (weight >= least) count++;
    return count > FEW;
  }));
}

/** The lines of one token. @param {LinesLevel} level @param {TokenThing} token @returns {Line[]} */
function linesOf(level, token) {
  const at = level.tokens(token.side).indexOf(token.i), isQuery = token.side === "query";
  if (at < 0) return [];
  return endWeights(level.layer, token).map(([head, row, weight]) =>
    (isQuery ? [head, at, row, weight] : [head, row, at, weight]));
}

/**
 * For the tokens in view: their rows, and the weights of other rows on their columns.
 * @param {Layer} layer
 * @param {LinesPlan} plan
 */
function linesInSight({ attention, state }, plan) {
  const { queries, keys } = attention, least = Math.max(state.threshold, NOUGHT);
  const [top, bottom] = plan.range(queries), [up, down] = plan.range(keys);
  const outside = queries.length > bottom - top;
  /** @type {Line[]} */
  const lines = [];
  for (const head of state.on) {
    for (let r = top; r < bottom; r++) {
      const row = attention.row(head, queries[r]);
      for (let c = 0; c < row.length; c++) if (row[c] >= least) lines.push([head, r, c, row[c]]);
    }
    for (let c = up; outside && c < down; c++) {
      const column = attention.column(head, keys[c]);
      for (let r = 0; r < column.length; r++) {
        if (column[r] >= least && (r < top || r >= bottom)) lines.push([head, r, c, column[r]]);
      }
    }
  }
  return lines;
}

/** The strongest weights of a token. @param {LinesLevel} level @param {TokenThing} token @param {number} most */
export function strongestOf(level, token, most) {
  const { layer } = level, side = OTHER[token.side], others = level.tokens(side);
  const all = layer.state.on.flatMap((head) => {
    const weights = weightsOf(layer, token, head);
    return largest(weights, most).map((row) => ({ head, other: level.thing(side, others[row]), weight: weights[row] }));
  });
  return all.sort((a, b) => b.weight - a.weight).slice(0, most);
}

/** Whether the row of this query is missing in all heads that draw lines. @param {Layer} layer @param {number} i */
export const isMissing = ({ attention, state: { on } }, i) =>
  on.length > 0 && on.every((head) => attention.missing(head, i));

/**
 * The share of a query's row that goes to hidden tokens, averaged over the heads with lines.
 * @param {Layer} layer
 * @param {number} i
 */
export function hiddenShare({ attention, state: { on } }, i) {
  const shares = on.map((head) => attention.hiddenShare(head, i)).filter((share) => !Number.isNaN(share));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
