// The names of both columns, and what stands beside the lines: weights, hidden shares, missing rows.
/** @import { Box, Colour, Look, Shape } from "../../types" */
/** @import { Layer } from "../layer.js" */
/** @import { Side, TokenThing } from "../types" */
/** @import { LinesPlan } from "./layout.js" */
/** @import { LinesLevel } from "./level.js" */
import { m } from "../../runtime/language.js";
import { hatching } from "../../draw/hatch.js";
import { inSight, partOf, shortly } from "../../draw/written.js";
import { colour, fitted, mix, widthOf } from "../../runtime/shared.js";
import { colourOfHead } from "../names.js";
import { SHARE_GAP, SHARE_WIDE, apartOf, sideways } from "./layout.js";
import { WIDE } from "./strokes.js";
import { OTHER, endWeights, hiddenShare, isMissing } from "./weights.js";

/** @typedef {[head: number, weight: number][]} HeadWeights weights at one end, the strongest first */

const PATCH = 22; // pixels of hatching instead of a row's lines
const EDGE = 2; // tokens out of view that are named at each edge
const ROOM = 0.42; // share of the lines' zone into which weights may extend

/** Everything but the lines. @param {LinesLevel} level @param {LinesPlan} plan @param {Look} look */
export const columnShapes = (level, plan, look) =>
  [...names(level, plan, look), ...hiddenBars(level.layer, plan, look), ...missingPatches(level.layer, plan, look)];

/**
 * The names of both columns, and the weights at the other ends of one token's lines.
 * @param {LinesLevel} level @param {LinesPlan} plan @param {Look} look
 */
function names(level, plan, look) {
  const { size } = look, { layer } = level, focus = level.focus(), far = focus && OTHER[focus.side];
  const ends = weightsAtEnds(layer, focus);
  const edges = far ? edgesOf(level, plan, look, far, ends) : { shapes: [], top: 0, bottom: 0 };
  /** @type {Shape[]} */
  const shapes = [];
  /** @type {[Side, string][]} */
  const columns = [["query", m("attends")], ["key", m("is attended to")]];
  for (const [side, does] of columns) {
    const { x, anchor } = sideways(plan, side), tokens = level.tokens(side);
    const seen = inSight(plan, plan.range(tokens), look), text = does + partOf(seen, tokens.length);
    const own = 0.92 * size, long = widthOf(text, { ...look, size: own }), { width } = layer; // wider than its column?
    shapes.push({
      text, x: anchor === "end" ? Math.max(x, long) : Math.min(x, width - long), y: plan.y - 0.9 * size,
      size: own, fill: look.muted, anchor, part: "heading",
    });
    for (const row of seen) {
      const y = plan.middle(row), i = tokens[row];
      if (side === far && (y < edges.top || y > edges.bottom)) continue;
      const isFocus = focus?.side === side && focus.i === i;
      const later = side === "query" && i >= (layer.header.later ?? Infinity); // not written yet
      const linked = !later && (!focus || isFocus || (side === far && ends.has(row)));
      shapes.push({
        text: plan.names[side][i], x, y, size, anchor, bold: isFocus, part: side, of: i,
        fill: linked ? look.ink : mix(look.paper, look.ink, 0.45),
      });
      const weights = side === far && ends.get(row);
      if (weights) shapes.push(...weightsBefore(layer, plan, look, side, y, weights, i));
    }
  }
  plan.texts.forEach((text, i) => shapes.push({
    text, x: 0, y: plan.foot + 0.5 * size + i * 1.35 * size, size, fill: look.muted, part: "note",
  }));
  return [...shapes, ...edges.shapes];
}

/** For each row of the other column with any, its weights. @param {Layer} layer @param {?TokenThing} focus */
function weightsAtEnds(layer, focus) {
  /** @type {Map<number, HeadWeights>} */
  const ends = new Map();
  for (const [head, row, weight] of focus ? endWeights(layer, focus) : []) {
    const weights = ends.get(row);
    if (weights) weights.push([head, weight]);
    else ends.set(row, [[head, weight]]);
  }
  for (const weights of ends.values()) weights.sort((a, b) => b[1] - a[1]);
  return ends;
}

/**
 * The weights before a name, each with the number of its head if there are several; if there are more
 * than fit, their number.
 * @param {Layer} layer
 * @param {LinesPlan} plan
 * @param {Look} look
 * @param {Side} side
 * @param {number} y
 * @param {HeadWeights} weights
 * @param {number} of
 * @returns {Shape[]}
 */
function weightsBefore({ state: { on }, header }, plan, look, side, y, weights, of) {
  const { inner, towards } = sideways(plan, side), several = on.length > 1;
  /** @type {Shape[]} */
  const shapes = [];
  let used = 0;
  const write = (/** @type {string} */ text, /** @type {Colour} */ fill, /** @type {string} */ part) => {
    shapes.push({
      text, x: inner + towards * used, y, size: look.size, bold: true, halo: look.paper, part, of, fill,
      anchor: towards > 0 ? "start" : "end",
    });
    used += widthOf(text, look, true) + 9;
  };
  for (const [written, [head, weight]] of weights.entries()) {
    const text = several ? `${head + 1}: ${shortly(weight)}` : shortly(weight);
    if (used && used + widthOf(text, look, true) > ROOM * (plan.right - plan.left)) {
      write(`+${weights.length - written}`, look.muted, "more");
      break;
    }
    write(text, several ? mix(colour(colourOfHead(head, header, look)), look.ink, 0.35) : look.ink, "weight");
  }
  const tracks = apartOf(plan, on) * (on.length - 1) + WIDE;
  const high = Math.max(1.3 * look.size, tracks);
  /** @type {Box} */
  const under = [towards > 0 ? inner - 6 : inner - used + 5, y - high / 2, used + 1, high];
  return [{ rect: under, fill: look.paper }, ...shapes]; // the lines end where the numbers begin
}

/**
 * The ends that are scrolled out of view, at the edges: the strongest above and the strongest below.
 * @param {LinesLevel} level
 * @param {LinesPlan} plan
 * @param {Look} look
 * @param {Side} side
 * @param {Map<number, HeadWeights>} ends
 */
function edgesOf(level, plan, look, side, ends) {
  const { size } = look, { layer } = level, tokens = level.tokens(side), step = 1.4 * size;
  const { x, anchor } = sideways(plan, side);
  /** @type {Shape[]} */
  const shapes = [];
  const strongest = [...ends].map(([row, weights]) => ({ row, weights, weight: weights[0][1], y: plan.middle(row) }));
  const named = (/** @type {typeof strongest} */ out) =>
    out.sort((a, b) => b.weight - a.weight).slice(0, EDGE).sort((a, b) => a.row - b.row);
  const above = named(strongest.filter(({ y }) => y < plan.y));
  const below = named(strongest.filter(({ y }) => y > plan.y + plan.window));
  const write = (/** @type {typeof strongest[0]} */ { row, weights }, /** @type {number} */ y, /** @type {string} */ arrow) => {
    const i = tokens[row], name = fitted(plan.names[side][i], 0.27 * layer.width - 18, look);
    shapes.push({ text: `${arrow} ${name}`, x, y, size, anchor, fill: look.muted, part: "edge", of: i },
      ...weightsBefore(layer, plan, look, side, y, weights, i));
  };
  above.forEach((end, k) => write(end, plan.y + (k + 0.5) * step, "▲"));
  below.forEach((end, k) => write(end, plan.y + plan.window - (below.length - k - 0.5) * step, "▼"));
  return {
    shapes, top: plan.y + above.length * step + 0.3 * size,
    bottom: plan.y + plan.window - below.length * step - 0.3 * size,
  };
}

/**
 * Hatched patches where the lines of a missing row would begin.
 * @param {Layer} layer @param {LinesPlan} plan @param {Look} look
 */
function missingPatches(layer, plan, look) {
  const { queries } = layer.attention, [from, to] = plan.range(queries);
  /** @type {Shape[]} */
  const shapes = [];
  const left = plan.first === "query" ? plan.left + 2 : plan.right - PATCH - 2;
  for (let row = from; row < to; row++) {
    const y = plan.middle(row), high = Math.min(plan.pitch, 26) * 0.7, top = y - high / 2;
    if (!isMissing(layer, queries[row]) || top < plan.y || y + high / 2 > plan.y + plan.window) continue;
    shapes.push(...hatching([[[0, 1]]], 1, { x: left, y: top, width: PATCH, height: high }, look, "missing"));
  }
  return shapes;
}

/**
 * A bar beyond the name of each query: the share of its row that goes to hidden tokens.
 * @param {Layer} layer @param {LinesPlan} plan @param {Look} look
 */
function hiddenBars(layer, plan, look) {
  const { attention: { queries }, state: { on } } = layer;
  /** @type {Shape[]} */
  const shapes = [];
  if (!plan.bars || !on.length) return shapes;
  const ahead = plan.first === "query", high = Math.max(4, Math.min(0.45 * plan.pitch, 0.7 * look.size));
  const left = ahead ? plan.left - plan.wide.query - 8 - SHARE_GAP - SHARE_WIDE
    : plan.right + plan.wide.query + 8 + SHARE_GAP;
  for (const row of inSight(plan, plan.range(queries), look)) {
    const i = queries[row], share = hiddenShare(layer, i), top = plan.middle(row) - high / 2;
    if (Number.isNaN(share)) continue;
    const wide = SHARE_WIDE * Math.min(1, share), from = ahead ? left + SHARE_WIDE - wide : left;
    shapes.push({ rect: [left, top, SHARE_WIDE, high], fill: mix(look.paper, look.ink, 0.1), part: "whole", of: i },
      { rect: [from, top, wide, high], fill: mix(look.paper, look.ink, 0.5), part: "share", of: i });
  }
  return shapes;
}
