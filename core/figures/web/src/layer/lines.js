// The zoom level of lines between two columns of tokens: which token attends to which, in the colours of
// the heads. The queries are on the left, the keys on the right; for a right-to-left text, the other way
// round.
/** @import { LayerState } from "../states" */
/** @import { Box, Colour, Look, Run, Shape, Tip } from "../types" */
/** @import { Layer } from "./layer.js" */
/** @import { LevelPlan, LevelRoom, LevelStill, Pointed, Side, TokenThing, ZoomLevel } from "./types" */
import { hatching } from "../draw/hatch.js";
import { called, footHigh, inSight, largest, partOf, shortly, stepped, weighed, PAGE, SCROLLBAR } from "../draw/words.js";
import { later } from "../runtime/later.js";
import { SAVE_ROOM, colour, fitted, mix, widthOf, wrapped } from "../runtime/shared.js";
import { colourOfHead, isDashed, quoted, scaledWords, titleOfHeads, whyMissing } from "./names.js";
import { MEAN } from "./state.js";

/**
 * The layout of the columns and the lines.
 * @typedef {object} LinesPlan
 * @property {number} y the top of the window
 * @property {number} window how high it is
 * @property {number} pitch of the rows of a column
 * @property {number} content how high the longer column is
 * @property {boolean} bars whether there are bars for the share that goes to hidden tokens
 * @property {number} offset how far the columns are scrolled
 * @property {number} left the start of the lines
 * @property {number} right their end
 * @property {Side} first the column on the left
 * @property {Side} last the column on the right
 * @property {string[]} texts the words below
 * @property {number} foot the top of these words
 * @property {(tokens: number[]) => Run} range which rows of a column are in the window
 * @property {(row: number) => number} middle of a row
 * @property {(row: number) => number} end the end of a line at a row; if it is out of view, the nearest corner
 */

/**
 * Lines of the same colour and strength, drawn together.
 * @typedef {object} Stroke
 * @property {string} stroke
 * @property {number} alpha
 * @property {number} wide
 * @property {number[]} dash
 * @property {number[]} ends for each line, its height on the left and on the right
 */

/** @typedef {[head: number, row: number, weight: number]} EndWeight a weight, and the end of its line */
/** @typedef {[head: number, query: number, key: number, weight: number]} Line rows in the two columns */

const ZONE = [70, 460]; // pixels between the columns
const OUT = 14; // pixels beyond the window
const PITCH = [1.5, 2.3]; // lines of text, in multiples of the letter size
const PATCH = 22; // pixels of hatching instead of a row's lines
const SHARE_WIDE = 40, SHARE_GAP = 10; // pixels: a bar for hidden tokens, and its distance from a name
const EDGE = 2; // tokens out of view that are named at each edge
const ROOM = 0.42; // share of the lines' zone into which weights may extend

const LEAST = 0.01; // if no token is chosen: the smallest weight to draw for the one under the pointer
const NOUGHT = 1e-6; // no line is drawn below this weight, whatever the threshold
const STRENGTHS = 16;
const MOST = 20000; // the most lines drawn at once, the strongest
const APART = [4, 0.7]; // pixels between the lines of two heads, at most; and of all heads together, relative to a row
const WIDE = 4.4; // pixels: the width of a chosen token's line with weight 1
const HAIR = 12; // up to this strength a line is one pixel wide, which takes a third of the time to draw

/** @type {Record<Side, Side>} */
const OTHER = { query: "key", key: "query" };

/**
 * The smallest weight for which the lines of one token are drawn and its weights written.
 * @param {LayerState} state
 */
const leastOf = ({ pin, alone }) => (pin ? alone : LEAST);

/**
 * The distance between the lines of two heads: on the same path, the last one would hide the others.
 * @param {LinesPlan} plan
 * @param {number[]} on
 */
const apartOf = ({ pitch }, { length }) => Math.min(APART[0], (APART[1] * pitch) / length);

/**
 * Where the names of a column end, and in which direction the zone of lines is.
 * @param {LinesPlan} plan
 * @param {Side} side
 * @returns {{ x: number, anchor: "start" | "end", inner: number, towards: number }}
 */
const sideways = (plan, side) => (side === plan.first
  ? { x: plan.left - 8, anchor: "end", inner: plan.left + 6, towards: 1 }
  : { x: plan.right + 8, anchor: "start", inner: plan.right - 6, towards: -1 });

/** @implements {ZoomLevel<TokenThing>} */
export class LinesLevel {
  role = "lines between tokens";
  keys = "Up and Down go through the tokens of a column, Left and Right to the other column, "
    + "Home, End, Page Up and Page Down move farther. Only the lines of the current token remain.";
  drawsPointed = true;

  // The shortened names and the width of the widest, for certain tokens and a certain font.
  /** @type {Record<Side, Record<number, string>>} */
  names = { query: {}, key: {} };
  /** @type {Record<Side, number>} */
  wide = { query: 0, key: 0 };
  #namesLook = "";
  /** @type {?number[]} */
  #namesOf = null;

  /** The token with the longest name, and for which tokens. @type {?TokenThing} */
  #longest = null;
  /** @type {?number[]} */
  #longestOf = null;

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
    return this.title(this.layer.state.pin ? this.here() : null);
  }

  /** The lines that exist. @param {?TokenThing} focus */
  title(focus) {
    const { header, state } = this.layer, title = titleOfHeads(state.on, header);
    if (header.kind === "none") return title;
    if (!focus) return `${title}, weights from ${shortly(state.threshold)}`;
    const way = focus.side === "query" ? "of" : "on";
    return `${title}, only the weights ${way} ${quoted(this.name(focus))} from ${shortly(leastOf(state))}`;
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

  // --- Layout -----------------------------------------------------------------------------------------

  /** @param {Look} look @param {LevelRoom} room @returns {LinesPlan} */
  plan(look, { top, width, height }) {
    const { layer } = this, { header, attention } = layer, { size } = look, { queries, keys } = attention;
    const { texts, foot } = this.#footnotes(look, width);
    this.#fitNames(look, width);
    const y = Math.round(top + 1.8 * size), window = Math.round(height - (y - top) - foot);
    const count = Math.max(queries.length, keys.length);
    const pitch = Math.max(PITCH[0] * size, Math.min(PITCH[1] * size, window / count));
    const content = pitch * count, scrolls = content > window + 1;
    const { side, i } = /** @type {TokenThing} */ (layer.linked.thing ?? layer.here);
    const offset = layer.scroll.within(window, content, pitch, this.tokens(side).indexOf(i));
    /** @type {[Side, Side]} */
    const [first, last] = header.rtl ? ["key", "query"] : ["query", "key"];
    const bars = attention.whole ? 0 : SHARE_WIDE + SHARE_GAP; // beyond the names of the queries
    const free = width - this.wide.query - this.wide.key - 24 - bars - (scrolls ? SCROLLBAR : 0);
    const zone = Math.max(ZONE[0], Math.min(ZONE[1], free)), margin = Math.max(0, (free - zone) / 2);
    const before = first === "query" ? bars : 0;
    const left = Math.round(margin + before + this.wide[first] + 12), right = Math.round(left + zone);
    const shown = Math.min(window, content);
    return {
      y, window: shown, pitch, content, bars: bars > 0, offset, left, right, first, last, texts,
      range: (tokens) => [Math.max(0, Math.floor(offset / pitch)),
        Math.min(tokens.length, Math.ceil((offset + shown) / pitch))],
      middle: (row) => y + (row + 0.5) * pitch - offset,
      end: (row) => Math.max(y - OUT, Math.min(y + shown + OUT, y + (row + 0.5) * pitch - offset)),
      foot: y + shown + 12,
    };
  }

  /** The names of both columns, shortened to the available width. @param {Look} look @param {number} width */
  #fitNames(look, width) {
    const { header, attention: { queries, keys } } = this.layer, namesLook = `${width} ${look.size} ${look.font}`;
    if (this.#namesLook === namesLook && this.#namesOf === queries) return;
    this.#namesLook = namesLook;
    this.#namesOf = queries;
    const cut = (/** @type {number[]} */ tokens, /** @type {readonly string[]} */ all) =>
      Object.fromEntries(tokens.map((i) => [i, fitted(all[i], 0.27 * width, look)]));
    this.names = { query: cut(queries, header.queries), key: cut(keys, header.keys) };
    const widest = (/** @type {Record<number, string>} */ names) =>
      Math.max(...Object.values(names).map((text) => widthOf(text, look, true)));
    this.wide = { query: widest(this.names.query), key: widest(this.names.key) };
  }

  /**
   * The words below; their height allows for the longest name, so that nothing moves.
   * @param {Look} look
   * @param {number} width
   */
  #footnotes(look, width) {
    const { queries } = this.layer.attention, most = width - SAVE_ROOM - 8;
    const lines = (/** @type {?TokenThing} */ focus) => wrapped(this.note(focus), most, look, 7);
    if (this.#longestOf !== queries) {
      const all = [...this.tokens("query").map((i) => this.thing("query", i)),
        ...this.tokens("key").map((i) => this.thing("key", i))];
      const long = (/** @type {TokenThing} */ thing) => this.name(thing).length;
      this.#longest = all.reduce((best, thing) => (long(thing) > long(best) ? thing : best));
      this.#longestOf = queries;
    }
    const texts = lines(this.focus());
    const length = Math.max(texts.length, lines(this.#longest).length, lines(null).length);
    return { texts, foot: footHigh({ length }, look) };
  }

  /** @param {Look} look @param {LevelRoom} room */
  need(look, { width }) {
    const { queries, keys } = this.layer.attention, count = Math.max(queries.length, keys.length);
    return (1.8 + PITCH[1] * count) * look.size + this.#footnotes(look, width).foot + 1;
  }

  // --- The words below --------------------------------------------------------------------------------

  /** @param {?TokenThing} focus */
  note(focus) {
    const { attention, header, state } = this.layer, mean = header.isMean || state.on.includes(MEAN);
    if (header.kind === "none") return `${this.title(focus)}. ${header.whyNoScores}`;
    const seen = header.maskDescription && !header.causal ? `; ${header.maskDescription}` : "";
    const left = attention.whole ? "" : `; ${scaledWords(header, mean)}; each bar: how much of the row goes to ${
      this.#hiddenNames()}`;
    return `${this.title(focus)}${left}${seen}${state.on.length ? this.#missingWords(focus) : ": choose a head above"}`;
  }

  /** Whether the row of this query is missing in all heads that draw lines. @param {number} i */
  missing(i) {
    const { attention, state: { on } } = this.layer;
    return on.length > 0 && on.every((head) => attention.missing(head, i));
  }

  /** How many rows are missing, in words; for a chosen token, why its row is. @param {?TokenThing} focus */
  #missingWords(focus) {
    const { attention, state: { on } } = this.layer, why = () => whyMissing(this.layer, on[0]);
    if (focus) return focus.side === "query" && this.missing(focus.i) ? `; missing: ${why()}` : "";
    const { length } = attention.queries.filter((i) => this.missing(i));
    if (!length) return "";
    return `; hatched: ${length > 1 ? `${length} rows are` : "a row is"} missing, ${why()}`;
  }

  /**
   * The share of a query's row that goes to hidden tokens, averaged over the heads with lines.
   * @param {number} i
   */
  #hiddenShare(i) {
    const { attention, state: { on } } = this.layer;
    const shares = on.map((head) => attention.hiddenShare(head, i)).filter((share) => !Number.isNaN(share));
    return shares.reduce((sum, share) => sum + share, 0) / shares.length;
  }

  /** The names of the hidden tokens: "[CLS] and [SEP]". */
  #hiddenNames() {
    const { attention, header } = this.layer, names = [...new Set(attention.hidden.map((j) => header.keys[j]))];
    return names.length > 3 ? "special tokens" : names.map((name) => `\u2068${name}\u2069`)
      .join(", ").replace(/, ([^,]*)$/, " and $1");
  }

  // --- The lines --------------------------------------------------------------------------------------

  /** The weights between a token and those of the other column. @param {TokenThing} token */
  #endWeights({ side, i }) {
    const { attention, state } = this.layer, least = Math.max(leastOf(state), NOUGHT);
    /** @type {EndWeight[]} */
    const ends = [];
    for (const head of state.on) {
      (side === "query" ? attention.row(head, i) : attention.column(head, i)).forEach((weight, row) => {
        if (weight >= least) ends.push([head, row, weight]);
      });
    }
    return ends;
  }

  /** The lines to draw, the weakest first. @param {LinesPlan} plan */
  lines(plan) {
    const focus = this.focus(), lines = focus ? this.#linesOf(focus) : this.#linesInSight(plan);
    lines.sort((a, b) => a[3] - b[3]);
    return lines.length > MOST ? lines.slice(-MOST) : lines;
  }

  /** The lines of one token. @param {TokenThing} token @returns {Line[]} */
  #linesOf(token) {
    const at = this.tokens(token.side).indexOf(token.i), isQuery = token.side === "query";
    if (at < 0) return [];
    return this.#endWeights(token).map(([head, row, weight]) =>
      (isQuery ? [head, at, row, weight] : [head, row, at, weight]));
  }

  /**
   * For the tokens in view: their rows, and the weights of other rows on their columns.
   * @param {LinesPlan} plan
   */
  #linesInSight(plan) {
    const { attention, state } = this.layer, { queries, keys } = attention;
    const least = Math.max(state.threshold, NOUGHT);
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

  /** The lines by colour and strength, the weakest first. @param {LinesPlan} plan @param {Look} look */
  #strokes(plan, look) {
    const { header, state: { on } } = this.layer, alone = this.focus() !== null, apart = apartOf(plan, on);
    /** @type {Map<number, Stroke>} */
    const strokes = new Map();
    for (const [head, r, c, weight] of this.lines(plan)) {
      const strength = Math.max(1, Math.round(STRENGTHS * (header.root ? Math.sqrt(weight) : weight)));
      const id = strength * 1000 + head;
      let stroke = strokes.get(id);
      if (!stroke) {
        strokes.set(id, (stroke = {
          stroke: colourOfHead(head, header, look), alpha: strength / STRENGTHS,
          wide: alone ? 1.2 + ((WIDE - 1.2) * strength) / STRENGTHS
            : 1 + (2 * Math.max(0, strength - HAIR)) / (STRENGTHS - HAIR),
          dash: isDashed(head, header) ? [7, 4] : [], ends: [],
        }));
      }
      const track = apart * (on.indexOf(head) - (on.length - 1) / 2);
      const ends = [plan.end(r) + track, plan.end(c) + track];
      stroke.ends.push(...(plan.first === "query" ? ends : ends.reverse()));
    }
    return [...strokes].sort(([a], [b]) => a - b).map(([, stroke]) => stroke);
  }

  // --- Beside the lines -------------------------------------------------------------------------------

  /** Everything but the lines. @param {LinesPlan} plan @param {Look} look */
  shapes(plan, look) {
    return [...this.columns(plan, look), ...this.#hiddenBars(plan, look), ...this.#missingPatches(plan, look)];
  }

  /**
   * The names of both columns, and the weights at the other ends of one token's lines.
   * @param {LinesPlan} plan @param {Look} look
   */
  columns(plan, look) {
    const { size } = look, focus = this.focus(), far = focus && OTHER[focus.side];
    const ends = this.#weightsAtEnds(focus);
    const edges = far ? this.#edges(plan, look, far, ends) : { shapes: [], top: 0, bottom: 0 };
    /** @type {Shape[]} */
    const shapes = [];
    /** @type {[Side, string][]} */
    const columns = [["query", "attends"], ["key", "is attended to"]];
    for (const [side, does] of columns) {
      const { x, anchor } = sideways(plan, side), tokens = this.tokens(side);
      const seen = inSight(plan, plan.range(tokens), look), text = does + partOf(seen, tokens.length);
      const long = 0.92 * widthOf(text, look), { width } = this.layer; // it may be wider than its column
      shapes.push({
        text, x: anchor === "end" ? Math.max(x, long) : Math.min(x, width - long), y: plan.y - 0.9 * size,
        size: 0.92 * size, fill: look.muted, anchor, part: "heading",
      });
      for (const row of seen) {
        const y = plan.middle(row), i = tokens[row];
        if (side === far && (y < edges.top || y > edges.bottom)) continue;
        const isFocus = focus?.side === side && focus.i === i;
        const linked = !focus || isFocus || (side === far && ends.has(row));
        shapes.push({
          text: this.names[side][i], x, y, size, anchor, bold: isFocus, part: side, of: i,
          fill: linked ? look.ink : mix(look.paper, look.ink, 0.45),
        });
        const weights = side === far && ends.get(row);
        if (weights) shapes.push(...this.#weightsBefore(plan, look, side, y, weights, i));
      }
    }
    plan.texts.forEach((text, i) => shapes.push({
      text, x: 0, y: plan.foot + 0.5 * size + i * 1.35 * size, size, fill: look.muted, part: "note",
    }));
    return [...shapes, ...edges.shapes];
  }

  /** For each row of the other column with any, its weights, the strongest first. @param {?TokenThing} focus */
  #weightsAtEnds(focus) {
    /** @type {Map<number, [head: number, weight: number][]>} */
    const ends = new Map();
    for (const [head, row, weight] of focus ? this.#endWeights(focus) : []) {
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
   * @param {LinesPlan} plan
   * @param {Look} look
   * @param {Side} side
   * @param {number} y
   * @param {[head: number, weight: number][]} weights
   * @param {number} of
   * @returns {Shape[]}
   */
  #weightsBefore(plan, look, side, y, weights, of) {
    const { state, header } = this.layer, { inner, towards } = sideways(plan, side), several = state.on.length > 1;
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
    const tracks = apartOf(plan, state.on) * (state.on.length - 1) + WIDE;
    const high = Math.max(1.3 * look.size, tracks);
    /** @type {Box} */
    const under = [towards > 0 ? inner - 6 : inner - used + 5, y - high / 2, used + 1, high];
    return [{ rect: under, fill: look.paper }, ...shapes]; // the lines end where the numbers begin
  }

  /**
   * The ends that are scrolled out of view, at the edges: the strongest above and the strongest below.
   * @param {LinesPlan} plan
   * @param {Look} look
   * @param {Side} side
   * @param {Map<number, [head: number, weight: number][]>} ends
   */
  #edges(plan, look, side, ends) {
    const { size } = look, tokens = this.tokens(side), step = 1.4 * size, { x, anchor } = sideways(plan, side);
    /** @type {Shape[]} */
    const shapes = [];
    const strongest = [...ends].map(([row, weights]) => ({ row, weights, weight: weights[0][1], y: plan.middle(row) }));
    const named = (/** @type {typeof strongest} */ out) =>
      out.sort((a, b) => b.weight - a.weight).slice(0, EDGE).sort((a, b) => a.row - b.row);
    const above = named(strongest.filter(({ y }) => y < plan.y));
    const below = named(strongest.filter(({ y }) => y > plan.y + plan.window));
    const write = (/** @type {typeof strongest[0]} */ { row, weights }, /** @type {number} */ y, /** @type {string} */ arrow) => {
      const i = tokens[row], name = fitted(this.names[side][i], 0.27 * this.layer.width - 18, look);
      shapes.push({ text: `${arrow} ${name}`, x, y, size, anchor, fill: look.muted, part: "edge", of: i },
        ...this.#weightsBefore(plan, look, side, y, weights, i));
    };
    above.forEach((end, k) => write(end, plan.y + (k + 0.5) * step, "▲"));
    below.forEach((end, k) => write(end, plan.y + plan.window - (below.length - k - 0.5) * step, "▼"));
    return {
      shapes, top: plan.y + above.length * step + 0.3 * size,
      bottom: plan.y + plan.window - below.length * step - 0.3 * size,
    };
  }

  /** Hatched patches where the lines of a missing row would begin. @param {LinesPlan} plan @param {Look} look */
  #missingPatches(plan, look) {
    const { queries } = this.layer.attention, [from, to] = plan.range(queries);
    /** @type {Shape[]} */
    const shapes = [];
    const left = plan.first === "query" ? plan.left + 2 : plan.right - PATCH - 2;
    for (let row = from; row < to; row++) {
      const y = plan.middle(row), high = Math.min(plan.pitch, 26) * 0.7, top = y - high / 2;
      if (!this.missing(queries[row]) || top < plan.y || y + high / 2 > plan.y + plan.window) continue;
      shapes.push(...hatching([[[0, 1]]], 1, { x: left, y: top, width: PATCH, height: high }, look, "missing"));
    }
    return shapes;
  }

  /**
   * A bar beyond the name of each query: the share of its row that goes to hidden tokens.
   * @param {LinesPlan} plan
   * @param {Look} look
   */
  #hiddenBars(plan, look) {
    const { attention: { queries }, state: { on } } = this.layer;
    /** @type {Shape[]} */
    const shapes = [];
    if (!plan.bars || !on.length) return shapes;
    const ahead = plan.first === "query", high = Math.max(4, Math.min(0.45 * plan.pitch, 0.7 * look.size));
    const left = ahead ? plan.left - this.wide.query - 8 - SHARE_GAP - SHARE_WIDE
      : plan.right + this.wide.query + 8 + SHARE_GAP;
    for (const row of inSight(plan, plan.range(queries), look)) {
      const i = queries[row], share = this.#hiddenShare(i), top = plan.middle(row) - high / 2;
      if (Number.isNaN(share)) continue;
      const wide = SHARE_WIDE * Math.min(1, share), from = ahead ? left + SHARE_WIDE - wide : left;
      shapes.push({ rect: [left, top, SHARE_WIDE, high], fill: mix(look.paper, look.ink, 0.1), part: "whole", of: i },
        { rect: [from, top, wide, high], fill: mix(look.paper, look.ink, 0.5), part: "share", of: i });
    }
    return shapes;
  }

  // --- Painting and saving ----------------------------------------------------------------------------

  /** @param {Look} look @param {LevelRoom} room @returns {LevelPlan} */
  paint(look, room) {
    const { layer } = this, plan = (this.planned = this.plan(look, room)), { left, right, y, window } = plan;
    const ratio = devicePixelRatio || 1, pen = layer.canvases[0].penFor(right - left, window, ratio);
    pen.setTransform(ratio, 0, 0, ratio, -left * ratio, -y * ratio);
    pen.clearRect(left, y, right - left, window);
    drawStrokes(pen, this.#strokes(plan, look), plan);
    return {
      shapes: this.shapes(plan, look), canvases: [[left, y, right - left, window]], content: plan.content,
      area: [0, y, layer.width, window], bar: plan.foot, end: layer.width,
    };
  }

  /** @param {Look} look @param {LevelRoom} room @returns {LevelStill} */
  still(look, room) {
    const plan = (this.planned = this.plan(look, room)), { left, right, y, window } = plan;
    return {
      shapes: this.shapes(plan, look),
      asSvg: () => strokesAsSvg(this.#strokes(plan, look), plan),
      paint: (pen) => {
        pen.save();
        pen.beginPath();
        pen.rect(left, y, right - left, window);
        pen.clip();
        drawStrokes(pen, this.#strokes(plan, look), plan);
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
    const { planned: plan, names } = this, row = this.tokens(side).indexOf(i);
    const wide = this.wide[side], y = plan.middle(row), high = Math.min(plan.pitch, 26);
    if (row < 0 || y < plan.y || y > plan.y + plan.window || !names[side][i]) return null;
    return [side === plan.first ? plan.left - wide - 12 : plan.right + 4, y - high / 2, wide + 8, high];
  }

  // --- Read aloud -------------------------------------------------------------------------------------

  /**
   * The strongest weights of a token.
   * @param {TokenThing} token
   * @param {number} most
   */
  strongest({ side, i }, most) {
    const { attention, state } = this.layer, others = this.tokens(OTHER[side]);
    const all = state.on.flatMap((head) => {
      const weights = side === "query" ? attention.row(head, i) : attention.column(head, i);
      return largest(weights, most).map((row) => ({ head, other: this.thing(OTHER[side], others[row]), weight: weights[row] }));
    });
    return all.sort((a, b) => b.weight - a.weight).slice(0, most);
  }

  /** @param {TokenThing} thing @returns {Tip} */
  tipOf(thing) {
    const { planned } = this, several = this.layer.state.on.length > 1;
    const strongest = this.strongest(thing, 4).map(({ head, other, weight }) =>
      `\u2068${this.name(other)}\u2069 ${weighed(weight)}${several ? ` (head ${head + 1})` : ""}`);
    const y = planned.middle(this.tokens(thing.side).indexOf(thing.i));
    return {
      parts: [this.name(thing), thing.side === "query" ? " attends to" : " receives attention from"],
      said: this.#weightsInWords(thing, strongest),
      x: thing.side === planned.first ? planned.left : planned.right, top: y - 8, bottom: y + 8,
    };
  }

  /**
   * The strongest weights in words, or why there are none; and what goes to hidden tokens.
   * @param {TokenThing} thing
   * @param {string[]} strongest
   */
  #weightsInWords(thing, strongest) {
    if (!this.layer.state.on.length) return "no head is chosen";
    const isQuery = thing.side === "query", all = [...strongest, ...(isQuery ? this.sinkWords(thing.i) : [])];
    return [...(all.length ? all : [this.#noWeights(thing)]), ...(isQuery ? this.#hiddenWords(thing.i) : [])].join(", ");
  }

  /** The share of a query's row that goes to hidden tokens. @param {number} i */
  #hiddenWords(i) {
    const { attention, state: { on } } = this.layer;
    if (attention.whole || !on.length || Number.isNaN(this.#hiddenShare(i))) return [];
    return [`before rescaling, ${shortly(this.#hiddenShare(i))} of the row to ${this.#hiddenNames()}`];
  }

  /** The share of a query's row that goes to the sinks of the heads, if they have any. @param {number} i */
  sinkWords(i) {
    const { attention, header, state: { on } } = this.layer, several = on.length > 1;
    if (!attention.sinks || !attention.whole) return [];
    return on.filter((head) => !attention.missing(head, i)).map((head) =>
      `${header.sink} ${weighed(attention.sinkWeight(head, i))}${several ? ` (head ${head + 1})` : ""}`);
  }

  /** Shown instead of weights, if a token has none. @param {TokenThing} thing */
  #noWeights({ side, i }) {
    const missing = side === "query" && this.missing(i);
    return missing ? `missing, ${whyMissing(this.layer, this.layer.state.on[0])}` : "missing";
  }

  /** @returns {[caption: string, names: string[], rows: string[][]]} */
  table() {
    const { state, header } = this.layer, thing = this.here(), isQuery = thing.side === "query";
    const strongest = this.strongest(thing, 20), name = this.name(thing);
    if (!strongest.length && state.on.length) return [`${name}: ${this.#noWeights(thing)}`, [], []];
    return [
      `The ${strongest.length} strongest weights ${isQuery ? "of" : "on"} ${name}, ${titleOfHeads(state.on, header)}`,
      ["head", "token", "attends to", "weight"],
      strongest.map(({ head, other, weight }) => {
        const of = head === MEAN || header.isMean ? "mean" : String(head + 1), otherName = this.name(other);
        return [of, ...(isQuery ? [name, otherName] : [otherName, name]), weighed(weight)];
      }),
    ];
  }
}

/** How much a line bends. @param {LinesPlan} plan */
const bent = ({ left, right }) => (right - left) / 2.6;

/** @param {CanvasRenderingContext2D} pen @param {Stroke[]} strokes @param {LinesPlan} plan */
function drawStrokes(pen, strokes, plan) {
  const { left, right } = plan, bend = bent(plan);
  for (const { stroke, alpha, wide, dash, ends } of strokes) {
    pen.strokeStyle = stroke;
    pen.globalAlpha = alpha;
    pen.lineWidth = wide;
    pen.setLineDash(dash);
    pen.beginPath();
    for (let i = 0; i < ends.length; i += 2) {
      pen.moveTo(left, ends[i]);
      pen.bezierCurveTo(left + bend, ends[i], right - bend, ends[i + 1], right, ends[i + 1]);
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
}

/** @param {Stroke[]} strokes @param {LinesPlan} plan */
function strokesAsSvg(strokes, plan) {
  const { left, right, y, window } = plan, bend = bent(plan), number = (/** @type {number} */ x) => +x.toFixed(2);
  const paths = strokes.map(({ stroke, alpha, wide, dash, ends }) => {
    let path = "";
    for (let i = 0; i < ends.length; i += 2) {
      const [from, to] = [number(ends[i]), number(ends[i + 1])], controls = [left + bend, right - bend].map(number);
      path += `M${left} ${from}C${controls[0]} ${from} ${controls[1]} ${to} ${right} ${to}`;
    }
    const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    return `<path d="${path}" stroke="${stroke}" stroke-opacity="${alpha}" stroke-width="${number(wide)}"${dashes}/>`;
  });
  const box = `x="${left}" y="${y}" width="${right - left}" height="${window}"`;
  return `<g fill="none" clip-path="url(#window)"><clipPath id="window"><rect ${box}/></clipPath>${paths.join("")}</g>`;
}
