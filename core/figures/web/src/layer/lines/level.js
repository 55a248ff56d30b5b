// The zoom level of lines between two columns of tokens: which token attends to which, in the colours of
// the heads. The queries are on the left, the keys on the right; for a right-to-left text, the other way
// round. This file holds what a visitor does: pointer, keys, what is chosen. The others hold:
//
//   layout.js    where the columns and the lines stand
//   weights.js   which weights have a line, which are the strongest, which rows are missing
//   strokes.js   the lines, on a canvas and as SVG
//   columns.js   the names, and what stands beside the lines
//   captions.js  all of it in words
/** @import { LayerState } from "../../states" */
/** @import { Box, Look, Tip } from "../../types" */
/** @import { Layer } from "../layer.js" */
/** @import { LevelPlan, LevelRoom, LevelStill, Pointed, Side, TokenThing, ZoomLevel } from "../types" */
/** @import { ColumnNames, LinesPlan, LongestName } from "./layout.js" */
import { m } from "../../runtime/language.js";
import { called, largest, stepped, PAGE } from "../../draw/written.js";
import { later } from "../../runtime/later.js";
import { table, tipWords, title } from "./captions.js";
import { columnShapes } from "./columns.js";
import { footnotes, heightOf, longestName, namesFor, planned } from "./layout.js";
import { drawStrokes, strokesAsSvg, strokesOf } from "./strokes.js";

/** @implements {ZoomLevel<TokenThing>} */
export class LinesLevel {
  role = m("lines between tokens");
  keys = m("Up and Down go through the tokens of a column, Left and Right to the other column, "
    + "Home, End, Page Up and Page Down move farther. Only the lines of the current token remain.");
  drawsPointed = true;

  /** @type {?ColumnNames} */
  #names = null;
  /** @type {?LongestName} */
  #longest = null;

  /** The current layout. @type {LinesPlan} */
  planned = later();

  /** @param {Layer} layer */
  constructor(layer) {
    this.layer = layer;
  }

  here() {
    const { state, query, chosenKey } = this.layer;
    return state.pin === "key" ? this.thing("key", chosenKey) : this.thing("query", query);
  }

  /** @param {Side} side @param {number} i @returns {TokenThing} */
  thing(side, i) {
    return { side, i };
  }

  caption() {
    return title(this, this.layer.state.pin ? this.here() : null);
  }

  /** The token whose lines alone are drawn: under the pointer, here or in a linked picture; or the chosen one. */
  focus() {
    const { pointed, linked, state, focused, here } = this.layer;
    return /** @type {?TokenThing} */ (pointed ?? linked.thing ?? (state.pin || focused ? here : null));
  }

  /** @param {TokenThing} thing @returns {Pointed} */
  toPointed({ side, i }) {
    return { query: null, key: null, [side]: i };
  }

  /** @param {Pointed} pointed */
  fromPointed({ query, key }) {
    const side = query === null ? "key" : "query", i = query ?? key;
    return i !== null && this.tokens(side).includes(i) ? this.thing(side, i) : null;
  }

  /** The tokens of a column. @param {Side} side */
  tokens(side) {
    return this.layer.attention[side === "query" ? "queries" : "keys"];
  }

  /** @param {TokenThing} thing */
  name({ side, i }) {
    return called(this.layer.header[side === "query" ? "queries" : "keys"], i);
  }

  // --- Layout, painting and saving --------------------------------------------------------------------

  /** The words below. @param {Look} look @param {number} width */
  #footnotes(look, width) {
    this.#longest = longestName(this, this.#longest);
    return footnotes(this, look, width, this.#longest.thing);
  }

  /** @param {Look} look @param {LevelRoom} room */
  #plan(look, room) {
    const notes = this.#footnotes(look, room.width);
    this.#names = namesFor(this.layer, look, room.width, this.#names);
    return (this.planned = planned(this, look, room, this.#names, notes));
  }

  /** @param {Look} look @param {LevelRoom} room */
  need(look, { width }) {
    return heightOf(this.layer, look, this.#footnotes(look, width).foot);
  }

  /** @param {Look} look @param {LevelRoom} room @returns {LevelPlan} */
  paint(look, room) {
    const { layer } = this, plan = this.#plan(look, room), { left, right, y, window } = plan;
    const ratio = devicePixelRatio || 1, pen = layer.canvases[0].penFor(right - left, window, ratio);
    pen.setTransform(ratio, 0, 0, ratio, -left * ratio, -y * ratio);
    pen.clearRect(left, y, right - left, window);
    drawStrokes(pen, strokesOf(this, plan, look), plan);
    return {
      shapes: columnShapes(this, plan, look), canvases: [[left, y, right - left, window]], content: plan.content,
      area: [0, y, layer.width, window], bar: plan.foot, end: layer.width,
    };
  }

  /** @param {Look} look @param {LevelRoom} room @returns {LevelStill} */
  still(look, room) {
    const plan = this.#plan(look, room), { left, right, y, window } = plan;
    return {
      shapes: columnShapes(this, plan, look),
      asSvg: () => strokesAsSvg(strokesOf(this, plan, look), plan),
      paint: (pen) => {
        pen.save();
        pen.beginPath();
        pen.rect(left, y, right - left, window);
        pen.clip();
        drawStrokes(pen, strokesOf(this, plan, look), plan);
        pen.restore();
      },
    };
  }

  // --- Pointer and keys -------------------------------------------------------------------------------

  /** @param {number} x @param {number} y */
  under(x, y) {
    const { left, right, first, last, offset, pitch } = this.planned, near = 0.22 * (right - left);
    const side = x < left + near ? first : x > right - near ? last : null;
    const i = side && this.tokens(side)[Math.floor((y + offset) / pitch)];
    return !side || i === null || i === undefined ? null : this.thing(side, i);
  }

  /** @param {TokenThing} thing @returns {Partial<LayerState>} */
  chosen({ side, i }) {
    const { state: { pin }, query, chosenKey } = this.layer, before = side === "query" ? query : chosenKey;
    return { [side]: i, pin: pin === side && before === i ? null : side };
  }

  /** @param {TokenThing} thing @returns {Partial<LayerState>} */
  moved({ side, i }) {
    return { [side]: i, ...(this.layer.state.pin && { pin: side }) };
  }

  /**
   * One level down: the head with the strongest attention from, or to, the token.
   * @returns {Partial<LayerState>}
   */
  deeper() {
    const { attention, state, query } = this.layer;
    const most = state.on.map((head) => Math.max(...attention.row(head, query))); // NaN for a missing row
    const [best] = largest(most, 1);
    return best === undefined ? {} : { head: state.on[best] };
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    const here = /** @type {TokenThing} */ (this.layer.here);
    const tokens = this.tokens(here.side), row = tokens.indexOf(here.i);
    const to = stepped(event, row, tokens.length, PAGE);
    if (to !== null) return this.thing(here.side, tokens[to]);
    const { first, last } = this.planned;
    const side = event.key === "ArrowLeft" ? first : event.key === "ArrowRight" ? last : null;
    if (!side || event.ctrlKey) return null;
    const other = this.tokens(side);
    return this.thing(side, side === here.side ? here.i : other[Math.min(row, other.length - 1)]);
  }

  /** The frame around a token. @param {TokenThing} thing @returns {?Box} */
  box({ side, i }) {
    const plan = this.planned, row = this.tokens(side).indexOf(i);
    const wide = plan.wide[side], y = plan.middle(row), high = Math.min(plan.pitch, 26);
    if (row < 0 || y < plan.y || y > plan.y + plan.window || !plan.names[side][i]) return null;
    return [side === plan.first ? plan.left - wide - 12 : plan.right + 4, y - high / 2, wide + 8, high];
  }

  // --- Read aloud -------------------------------------------------------------------------------------

  /** @param {TokenThing} thing @returns {Tip} */
  tipOf(thing) {
    const plan = this.planned, y = plan.middle(this.tokens(thing.side).indexOf(thing.i));
    return {
      ...tipWords(this, thing),
      x: thing.side === plan.first ? plan.left : plan.right, top: y - 8, bottom: y + 8,
    };
  }

  table() {
    return table(this, this.here());
  }
}
