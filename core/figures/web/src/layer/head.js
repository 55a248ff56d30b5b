// The zoom level of one head: all its weights as a map, with its scores before the softmax beside it, or in
// its place if there is no room for both; masked and missing cells are hatched. `matrix/heatmap.js` draws
// single heads, as on Compare.
/** @import { LayerState } from "../states" */
/** @import { GridPlan } from "../runtime/grid.js" */
/** @import { MatrixOf } from "../matrix/matrixplan.js" */
/** @import { Box, Look, Palette, Run, Scale, Shape, Tip } from "../types" */
/** @import { Attention } from "./attention.js" */
/** @import { Layer, LayerCanvas } from "./layer.js" */
/** @import { CellThing, LevelPlan, LevelRoom, LevelStill, Measure, Pointed, ZoomLevel } from "./types" */
import { m } from "../runtime/language.js";
import { cellsAsSvg, imageOfCells, legendHeight, paintCells, paletteOf, shares } from "../draw/cells.js";
import { hatching, missingRowsHatch } from "../draw/hatch.js";
import { called, exactly, largest, roundedUp, shortly, stepped, weighed, PAGE } from "../draw/written.js";
import { matrixPlan } from "../matrix/matrixplan.js";
import { leftOut } from "../draw/leftout.js";
import { whenIdle } from "./idle.js";
import { lookOf, rgb, wrapped } from "../runtime/shared.js";
import { noScores, quotedQuery, scaledWords, titleOfHead, whyMissing } from "./names.js";
import { MEAN, showsSpecial } from "./state.js";

const ROW = 40; // pixels of a row, at most
const BESIDE = 75; // in letter widths; from here on, both maps are side by side
const MOST_BESIDE = 32; // tokens: with more, cells would be too small
const BETWEEN = 24; // pixels between the two
const TITLE = 1.8; // letters high, above each of the two
const CACHED_IMAGES = 4; // of the neighbouring heads, weights and scores

/** The cells of a map and their labels. @typedef {MatrixOf & { values: Float32Array, rows: number }} MapGrid */
/** @typedef {{ measure: Measure, grid: MapGrid, palette: Palette, plan: GridPlan }} DrawnMap */

/** @implements {ZoomLevel<CellThing>} */
export class HeadLevel {
  role = m("heatmap");
  keys = m("Arrow keys, Home, End, Page Up and Page Down read the numbers one by one.");

  /** The plan of each map. @type {GridPlan[]} */
  planned = [];
  /** The index of the map under the pointer. */
  over = 0;
  /** The size of the first map in pixels. */
  size = { width: 0, height: 0 };
  // For these pixels, horizontally and vertically, the cells on each.
  #across = shares(0, 0);
  down = shares(0, 0);

  /** @param {Layer} layer */
  constructor(layer) {
    this.layer = layer;
    this.images = new ImagesAhead(this);
  }

  here() {
    return { i: this.layer.query, j: this.layer.chosenKey };
  }

  /** Whether weights and scores are side by side. */
  get both() {
    const { attention, state, width, frame } = this.layer, { queries, keys } = attention;
    return attention.hasScores(state.head) && width >= BESIDE * lookOf(frame).size
      && Math.max(queries.length, keys.length) <= MOST_BESIDE;
  }

  /** The maps from left to right. @returns {Measure[]} */
  get drawn() {
    const { attention, state } = this.layer;
    if (this.both) return ["weights", "scores"];
    return [attention.hasScores(state.head) ? state.view : "weights"];
  }

  caption() {
    const { header, state } = this.layer, { drawn } = this;
    const measures = drawn.length > 1 ? m(", weights and scores before softmax") : this.#titled(drawn[0]);
    return titleOfHead(state.head, header) + measures;
  }

  /** @param {Measure} measure */
  #titled(measure) {
    return measure === "scores" ? m(", scores before softmax") : "";
  }

  // --- Layout -----------------------------------------------------------------------------------------

  /**
   * A map of a head.
   * @param {Measure} measure
   * @param {number} width
   * @param {number} height
   * @param {Look} look
   * @param {number} head
   * @returns {MapGrid}
   */
  grid(measure, width, height, look, head = this.layer.state.head) {
    const { attention, header, query, chosenKey } = this.layer, { queries, keys } = attention;
    const values = attention.matrix(head, measure), notes = [];
    if (!attention.whole) {
      notes.push(measure === "scores" ? m("{what} left out", { what: leftOut(header) }) : scaledWords(header, header.isMean || head === MEAN));
    }
    notes.push(...this.#hatchedWords(head, measure));
    if (!attention.scored) notes.push(header.whyNoScores);
    else if (head === MEAN) notes.push(noScores());
    const title = titleOfHead(head, header) + (measure === "scores" ? this.#titled(measure) + m(" (q·k scaled)")
      : ": " + (header.root ? m("weight, square-root colours") : m("weight")));
    const words = { title, notes: notes.flatMap((text) => wrapped(text, width - 4, look, 3)) };
    /** @type {Scale} */
    const scale = measure === "weights"
      ? { ...words, kind: "weights", root: header.root, hue: header.hue }
      : { ...words, kind: "signed", bound: boundOf(values), digits: 3, ...header.signed };
    return {
      values, width, rows: queries.length, columns: keys.length,
      header: {
        rows: queries.map((i) => header.queries[i]), columns: keys.map((j) => header.keys[j]), scale, height,
        marked: { rows: [queries.indexOf(query)], columns: [keys.indexOf(chosenKey)], colour: rgb(look.ink) },
        number: { digits: 4, plus: scale.kind === "signed" },
      },
    };
  }

  /**
   * The preferred height of everything; with many rows, all that is available.
   * @param {Look} look @param {LevelRoom} room
   */
  need(look, room) {
    const { queries, keys } = this.layer.attention, most = room.height, ratio = devicePixelRatio || 1;
    if (ROW * queries.length >= most) return most;
    const [{ plan, grid }] = this.#maps(look, { ...room, top: 0 }, ratio);
    if (plan.foot) return Math.ceil(plan.foot + 15);
    const pooled = keys.length > plan.width * ratio; // one more line says so
    const lines = 1 + (grid.header.scale.notes?.length ?? 0) + (pooled ? 1 : 0);
    return Math.ceil(plan.y + plan.height + legendHeight(look, lines) + 15);
  }

  /**
   * For each map: its cells, its colours, its layout.
   * @param {Look} look
   * @param {LevelRoom} room
   * @param {number} ratio
   * @returns {DrawnMap[]}
   */
  #maps(look, room, ratio) {
    const { drawn } = this, wide = (this.layer.width - BETWEEN * (drawn.length - 1)) / drawn.length;
    const titled = drawn.length > 1, high = titled ? Math.round(TITLE * look.size) : 0;
    return drawn.map((measure, at) => {
      const grid = this.grid(measure, wide, room.height - high, look), palette = paletteOf(grid.header.scale, look);
      const left = Math.round(at * (wide + BETWEEN));
      const plan = shifted(matrixPlan(grid, look, palette, ratio), left, room.top + high);
      plan.shapes.unshift(...this.#hatched(measure, plan, look));
      if (titled) plan.shapes.push(titleOf(measure, plan.x, room.top, look));
      return { measure, grid, palette, plan };
    });
  }

  // --- Hatching ---------------------------------------------------------------------------------------

  /**
   * Hatching over masked cells and over missing rows.
   * @param {Measure} measure
   * @param {GridPlan} plan
   * @param {Look} look
   */
  #hatched(measure, plan, look) {
    const { attention, state: { head } } = this.layer, { queries, keys: { length } } = attention;
    const masked = attention.mask.any
      ? [...hatching(attention.maskedSpans, length, plan, look, "masked"), ...maskedNumbers(attention.maskedSpans,
        length, plan, look, measure === "scores" ? "−∞" : "0")]
      : [];
    if (measure === "scores") return masked;
    const missing = queries.map((i) => attention.missing(head, i)); // for a mean, in all heads
    if (!missing.includes(true)) return masked;
    return [...masked, ...missingRowsHatch(missing.length, length, (r) => missing[r], plan, look)];
  }

  /**
   * Notes on what is hatched in the map of a head, and on what goes elsewhere.
   * @param {number} head
   * @param {Measure} measure
   */
  #hatchedWords(head, measure) {
    const { attention, header } = this.layer, notes = [], { queries } = attention;
    const seen = header.causal ? m("later tokens are not visible") : header.maskDescription;
    const what = measure === "scores" ? m("−∞ in the softmax") : m("weight 0");
    if (attention.mask.any) notes.push(m("hatched: masked, {what}; {seen}", { what, seen }));
    if (measure === "scores" || header.kind === "none") return notes;
    const { length } = queries.filter((i) => attention.missing(head, i));
    if (length < queries.length && attention.sinks && attention.whole) notes.push(this.sinkWords(head));
    if (length) {
      const how = notes.length && attention.mask.any ? m("hatched the other way") : m("hatched");
      const rows = length > 1 ? m("{count} rows are missing", { count: length }) : m("a row is missing");
      notes.push(`${how}: ${rows}` + m(", {why}", { why: whyMissing(this.layer, head) }));
    }
    return notes;
  }

  /** The share of a head's rows that goes to no key, and that of the chosen row. @param {number} head */
  sinkWords(head) {
    const { attention, header, query } = this.layer;
    const rows = attention.queries.filter((i) => !attention.missing(head, i));
    const sum = rows.reduce((all, i) => all + attention.sinkWeight(head, i), 0);
    const own = rows.includes(query)
      ? m(" ({share} of {token})", { share: shortly(attention.sinkWeight(head, query)), token: quotedQuery(header, query) }) : "";
    return m("on average, {share} of a row{own} goes to {where}", { share: shortly(sum / rows.length), own, where: header.sink });
  }

  // --- Painting and saving ----------------------------------------------------------------------------

  /** @param {Look} look @param {LevelRoom} room @returns {LevelPlan} */
  paint(look, room) {
    const { canvases, attention: { queries, keys } } = this.layer;
    const ratio = devicePixelRatio || 1, maps = this.#maps(look, room, ratio);
    maps.forEach((map, at) => this.images.show(canvases[at], map, look, ratio));
    this.planned = maps.map(({ plan }) => plan);
    const { width, height } = canvases[0].node;
    this.#across = shares(keys.length, width);
    this.down = shares(queries.length, height);
    this.size = { width, height };
    const first = this.planned[0], last = this.planned[this.planned.length - 1];
    return {
      shapes: this.planned.flatMap(({ shapes }) => shapes), bar: last.bar, end: last.end,
      canvases: this.planned.map(({ x, y, width: wide, height: high }) => [x, y, wide, high]),
      area: [first.x, first.y, last.x + last.width - first.x, first.height],
    };
  }

  /** @param {Look} look @param {LevelRoom} room @param {number} ratio @returns {LevelStill} */
  still(look, room, ratio) {
    const maps = this.#maps(look, room, ratio);
    return {
      shapes: maps.flatMap(({ plan }) => plan.shapes),
      asSvg: () => maps.map(({ grid, plan, palette }) => cellsAsSvg(grid, plan, palette)).join(""),
      paint: (pen) => maps.forEach(({ grid, plan, palette }) => {
        const cells = document.createElement("canvas");
        paintCells(cells, grid, plan, palette, ratio);
        pen.drawImage(cells, plan.x, plan.y, plan.width, plan.height);
      }),
    };
  }

  // --- Pointer and keys -------------------------------------------------------------------------------

  /** The cell under the pointer; if cells share a pixel, the strongest. @param {number} x @param {number} y */
  under(x, y) {
    const [{ x: start, width, height }] = this.planned, { attention, state } = this.layer;
    const { queries, keys } = attention, second = (this.planned[1]?.x ?? Infinity) - start;
    this.over = Number(x >= second);
    if (this.over) x -= second;
    else if (x > width) return null; // between the two
    const pixel = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ count) =>
      Math.min(count - 1, Math.max(0, Math.floor((at * count) / size)));
    const u = pixel(x, width, this.size.width), v = pixel(y, height, this.size.height);
    const values = attention.matrix(state.head, this.drawn[this.over]);
    /** @type {?CellThing} */
    let best = null;
    let most = -1;
    for (let r = this.down.from[v]; r < this.down.to[v]; r++) {
      for (let c = this.#across.from[u]; c < this.#across.to[u]; c++) {
        const size = Math.abs(values[r * keys.length + c]) || 0; // it may be missing
        if (size <= most) continue;
        best = { i: queries[r], j: keys[c] };
        most = size;
      }
    }
    return best;
  }

  /** @param {CellThing} cell @returns {Partial<LayerState>} */
  chosen({ i, j }) {
    return { query: i, key: j };
  }

  /** @param {CellThing} cell */
  moved(cell) {
    return this.chosen(cell);
  }

  /** @param {CellThing} cell @returns {Pointed} */
  toPointed({ i, j }) {
    return { query: i, key: j };
  }

  /** @param {Pointed} pointed @returns {?CellThing} */
  fromPointed({ query, key }) {
    const { queries, keys } = this.layer.attention;
    return query !== null && key !== null && queries.includes(query) && keys.includes(key) ? { i: query, j: key } : null;
  }

  /** @param {KeyboardEvent} event @returns {?CellThing} */
  next(event) {
    const { attention: { queries, keys } } = this.layer, { i, j } = /** @type {CellThing} */ (this.layer.here);
    if (event.ctrlKey && event.key === "Home") return { i: queries[0], j: keys[0] };
    if (event.ctrlKey && event.key === "End") return { i: queries[queries.length - 1], j: keys[keys.length - 1] };
    if (/^(ArrowUp|ArrowDown|Page)/.test(event.key)) {
      const to = stepped(event, queries.indexOf(i), queries.length, PAGE);
      return to === null ? null : { i: queries[to], j };
    }
    const to = stepped(event, keys.indexOf(j), keys.length, PAGE, ["ArrowLeft", "ArrowRight"]);
    return to === null ? null : { i, j: keys[to] };
  }

  /** @param {CellThing} cell @returns {Tip} */
  tipOf({ i, j }) {
    const { header, attention, pointed } = this.layer, { queries, keys } = attention;
    const { x, y, width, height } = (pointed && this.planned[this.over]) ?? this.planned[0];
    const high = height / queries.length, top = y + queries.indexOf(i) * high;
    return {
      parts: [called(header.queries, i), " → ", called(header.keys, j)], said: this.numbers(i, j),
      x: x + ((keys.indexOf(j) + 0.5) * width) / keys.length, top, bottom: top + high,
    };
  }

  /** @param {number} i @param {number} j */
  numbers(i, j) {
    const { attention, state: { head } } = this.layer;
    if (attention.masked(i, j) && !attention.missing(head, i)) {
      return attention.hasScores(head) ? m("weight 0, score −∞: masked") : m("weight 0: masked");
    }
    const weight = weighed(attention.weight(head, i, j));
    return attention.hasScores(head) ? m("weight {weight}, score {score}", { weight, score: exactly(attention.score(head, i, j)) }) : m("weight {weight}", { weight });
  }

  /** The frames around the same cell in both maps, for the pointer and for the keys. */
  twins() {
    const { pointed, here, focused, linked } = this.layer;
    const cell = /** @type {?CellThing} */ (pointed ?? linked.thing ?? (focused ? here : null));
    return this.planned.length === 2 && cell ? [0, 1].map((at) => this.box(cell, at)) : [];
  }

  /**
   * The frame around a cell, never too small to be seen.
   * @param {CellThing} cell @param {number} at @returns {Box}
   */
  box({ i, j }, at = 0) {
    const { x, y, width, height } = this.planned[at], { queries, keys } = this.layer.attention;
    /** @param {number} start @param {number} size @param {number} count @param {number} index */
    const along = (start, size, count, index) => {
      const step = size / count, wide = Math.max(9, step + 2);
      return [start + (index + 0.5) * step - wide / 2, wide];
    };
    const [left, wide] = along(x, width, keys.length, keys.indexOf(j));
    const [top, high] = along(y, height, queries.length, queries.indexOf(i));
    return [left, top, wide, high];
  }

  /** The chosen row. @returns {[caption: string, names: string[], rows: string[][]]} */
  table() {
    const { attention, header, state: { head }, query } = this.layer, { keys } = attention;
    const row = attention.row(head, query), top = largest(row, 20), name = called(header.queries, query);
    if (attention.missing(head, query)) return [`${name}: ${whyMissing(this.layer, head)}`, [], []];
    const scored = attention.hasScores(head);
    const score = (/** @type {number} */ j) =>
      (attention.masked(query, j) ? m("−∞, masked") : exactly(attention.score(head, query, j)));
    return [
      m("The {count} strongest of {all} weights of {name}", { count: top.length, all: keys.length, name }),
      [m("token"), m("attends to"), m("weight"), ...(scored ? [m("score")] : [])],
      top.map((c) => [name, called(header.keys, keys[c]), weighed(row[c]), ...(scored ? [score(keys[c])] : [])]),
    ];
  }
}

const ROOM_FOR_NUMBER = [24, 15]; // pixels of a cell, at the usual type size, in which a number is legible

/**
 * The text in masked cells that have room: −∞ before the softmax, 0 after it.
 * @param {readonly (readonly Run[])[]} spans for each row
 * @param {number} columns
 * @param {GridPlan} plan
 * @param {Look} look
 * @param {string} text
 * @returns {Shape[]}
 */
function maskedNumbers(spans, columns, plan, look, text) {
  const wide = plan.width / columns, high = plan.height / spans.length, enlarged = look.size / 12;
  if (wide < ROOM_FOR_NUMBER[0] * enlarged || high < ROOM_FOR_NUMBER[1] * enlarged) return [];
  return spans.flatMap((runs, row) => runs.flatMap(([first, after]) =>
    Array.from({ length: after - first }, (_, at) => (/** @type {Shape} */ ({
      text, x: plan.x + (first + at + 0.5) * wide, y: plan.y + (row + 0.5) * high, size: 0.92 * look.size,
      anchor: "middle", fill: look.ink, halo: look.paper, part: "hidden", of: row * columns + first + at,
    })))));
}

/** The bound of a signed colour scale for these numbers. @param {Float32Array} values */
function boundOf(values) {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value) || 0);
  return roundedUp(most);
}

/**
 * What a map shows, above it: the legends lie below, and a screen may end before them.
 * @param {Measure} measure
 * @param {number} x
 * @param {number} top
 * @param {Look} look
 * @returns {Shape}
 */
function titleOf(measure, x, top, look) {
  const text = measure === "scores" ? m("score, before softmax") : m("weight, after softmax");
  return { text, x, y: top + 0.6 * look.size, size: 0.92 * look.size, fill: look.muted, part: "heading" };
}

/**
 * A plan shifted to the right and down.
 * @param {GridPlan} plan
 * @param {number} left
 * @param {number} top
 */
function shifted(plan, left, top) {
  for (const shape of plan.shapes) {
    if (shape.rect) {
      shape.rect[0] += left;
      shape.rect[1] += top;
    } else if (shape.text !== undefined) {
      shape.x += left;
      shape.y += top;
    }
  }
  plan.x += left;
  plan.end += left;
  plan.y += top;
  plan.bar += top;
  if (plan.foot) plan.foot += top;
  return plan;
}

/** The maps on their canvases; those of the neighbouring heads are coloured while the browser is idle. */
class ImagesAhead {
  /** @type {Map<string, ImageData>} */
  images = new Map();
  /** The attention that the images show. @type {?Attention} */
  of = null;

  /** @param {HeadLevel} level */
  constructor(level) {
    this.level = level;
  }

  /**
   * Shows a map, unless the canvas already does.
   * @param {LayerCanvas} canvas
   * @param {DrawnMap} map
   * @param {Look} look
   * @param {number} ratio
   */
  show(canvas, { measure, grid, palette, plan }, look, ratio) {
    const { attention, state } = this.level.layer, { head } = state, special = showsSpecial(state);
    const { width, height } = plan;
    const nameOf = (/** @type {number} */ one) =>
      JSON.stringify([one, measure, special, look.paper, width, height, ratio]);
    const name = nameOf(head);
    if (this.of !== attention) this.images.clear();
    this.of = attention;
    if (!canvas.shows(name, attention)) {
      canvas.show(this.images.get(name) ?? imageOfCells(grid, plan, palette, ratio), name, attention);
    }
    for (const other of [head + 1, head - 1]) { // an arrow key opens them
      if (attention.present.includes(other)) this.prepare(nameOf(other), special, () => {
        const next = this.level.grid(measure, grid.width, grid.header.height, look, other);
        return imageOfCells(next, plan, paletteOf(next.header.scale, look), ratio);
      });
    }
  }

  /**
   * @param {string} name
   * @param {boolean} special
   * @param {() => ImageData} make
   */
  prepare(name, special, make) {
    const { of, images, level: { layer } } = this;
    whenIdle(() => {
      // By then, there may be other numbers, or other visible tokens.
      if (images.has(name) || this.of !== of || layer.attention !== of || showsSpecial(layer.state) !== special) return;
      if (images.size >= CACHED_IMAGES) {
        const [oldest] = images.keys();
        images.delete(oldest);
      }
      images.set(name, make());
    });
  }
}
