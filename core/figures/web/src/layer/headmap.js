// One head of a layer: all its weights, and its scores before softmax beside them where there is room
// for both, or else in their place; what is masked or missing is hatched.
import { lookOf, wrapped } from "../runtime/shared.js";
import { cellsAsSvg, legendHeight, paintCells, paletteOf, shares } from "../draw/cells.js";
import { hatching, missingRowsHatch } from "../draw/hatch.js";
import { HeadReady } from "./headready.js";
import { NO_SCORES, hatchedWords, scaledWords, titleOf, whyMissing } from "./headnames.js";
import { MEAN } from "./state.js";
import { matrixPlan } from "../matrix/matrixplan.js";
import { called, exactly, largest, roundedUp, stepped, weighed, PAGE } from "../draw/words.js";

const ROW = 40; // pixels of a row, at most
const BESIDE = 75; // letters wide, from there on both maps stand beside each other
const MOST_BESIDE = 32; // tokens: of more, cells would be too small
const BETWEEN = 24; // pixels between the two

export class HeadMap {
  constructor(view) {
    Object.assign(this, { view, kind: "heatmap", ready: new HeadReady(this) });
    this.keys = "Arrow keys, Home, End, Page Up and Page Down read the numbers one by one.";
  }

  here() {
    return { i: this.view.query, j: this.view.chosenKey };
  }

  /** Whether weights and scores stand beside each other. */
  get both() {
    const { exact, state, width, frame } = this.view, { queries, keys } = exact;
    return exact.scores(state.head) && width >= BESIDE * lookOf(frame).size
      && Math.max(queries.length, keys.length) <= MOST_BESIDE;
  }

  /** What is drawn, from left to right. */
  get drawn() {
    const { exact, state } = this.view;
    if (this.both) return ["weights", "scores"];
    return [exact.scores(state.head) ? state.view : "weights"];
  }

  caption() {
    const { header, state } = this.view, [first, second] = this.drawn;
    const scores = second ? ", weights and scores before softmax" : this.titled(first);
    return titleOf(state.head, header) + scores;
  }

  titled = (what) => (what === "scores" ? ", scores before softmax" : "");

  /** The cells as `draw/cells.js` takes them, and the header of their plan. */
  grid(what, width, height, head = this.view.state.head) {
    const { exact, header, query, chosenKey } = this.view, { queries, keys } = exact;
    const values = exact.map(head, what), notes = [];
    if (!exact.whole) notes.push(what === "scores" ? "special tokens left out"
      : scaledWords(header, header.averaged || head === MEAN));
    notes.push(...hatchedWords(this.view, head, what));
    if (!exact.scored) notes.push(header.without);
    else if (head === MEAN) notes.push(NO_SCORES);
    const weights = { kind: "weights", root: header.root, hue: header.hue };
    const title = titleOf(head, header) + (what === "scores" ? `${this.titled(what)} (q·k scaled)`
      : `: weight${header.root ? ", square-root colours" : ""}`);
    const lines = notes.flatMap((text) => wrapped(text, width - 4, lookOf(this.view.frame), 3));
    const scale = { title, notes: lines, ...(what === "weights" ? weights
      : { kind: "signed", bound: this.bound(values), digits: 3, ...header.signed }) };
    return {
      values, width, rows: queries.length, columns: keys.length,
      header: {
        rows: queries.map((i) => header.queries[i]), columns: keys.map((j) => header.keys[j]), scale,
          height,
        marked: { rows: [queries.indexOf(query)], columns: [keys.indexOf(chosenKey)], colour: null },
        number: { digits: 4, plus: scale.kind === "signed" },
      },
    };
  }

  bound(values) {
    let most = 0;
    for (const value of values) most = Math.max(most, Math.abs(value) || 0);
    return roundedUp(most);
  }

  /** How high all of it wants to be; of many rows, as much as there is. */
  need(look, room) {
    const { queries, keys } = this.view.exact, most = room.height;
    if (ROW * queries.length >= most) return most;
    const [{ plan, grid }] = this.plans(look, { ...room, top: 0 }, devicePixelRatio || 1);
    const pooled = keys.length > plan.width * (devicePixelRatio || 1); // one line more says so
    const lines = 1 + grid.header.scale.notes.length + (pooled ? 1 : 0);
    return Math.ceil(plan.y + plan.height + legendHeight(look, lines) + 15);
  }

  /** A cell as the pictures beside know it, and back; null where it is not shown. */
  toLink({ i, j }) {
    return { query: i, key: j };
  }

  ofLink({ query, key }) {
    const { queries, keys } = this.view.exact;
    return queries.includes(query) && keys.includes(key) ? { i: query, j: key } : null;
  }

  /** Of each map: its cells, its colours, where everything stands. */
  plans(look, room, ratio) {
    const { drawn } = this, wide = (this.view.width - BETWEEN * (drawn.length - 1)) / drawn.length;
    return drawn.map((what, at) => {
      const grid = this.grid(what, wide, room.height), palette = paletteOf(grid.header.scale, look);
      grid.header.marked.colour = look.ink;
      const plan = matrixPlan(grid, look, palette, ratio), left = Math.round(at * (wide + BETWEEN));
      for (const shape of plan.shapes) {
        const [x, y] = shape.rect ?? [shape.x, shape.y];
        if (shape.rect) shape.rect.splice(0, 2, x + left, y + room.top);
        else Object.assign(shape, { x: x + left, y: y + room.top });
      }
      for (const [side, by] of [["x", left], ["end", left], ["y", room.top], ["bar", room.top]]) {
        plan[side] += by;
      }
      plan.shapes.unshift(...this.hatched(what, plan, look));
      return { what, grid, palette, plan };
    });
  }

  /** Lines over what is masked, and over the rows that are missing. */
  hatched(what, plan, look) {
    const { exact, state: { head } } = this.view, { queries, keys: { length } } = exact;
    const masked = exact.mask.any ? hatching(exact.maskedSpans, length, plan, look, "masked") : [];
    if (what === "scores") return masked;
    const gone = queries.map((i) => exact.missing(head, i)); // of a mean, in all heads
    if (!gone.includes(true)) return masked;
    return [...masked, ...missingRowsHatch(gone.length, length, (r) => gone[r], plan, look)];
  }

  paint(look, room) {
    const ratio = devicePixelRatio || 1, { queries, keys } = this.view.exact;
    const maps = this.plans(look, room, ratio), canvases = this.view.beside.canvases(maps.length);
    maps.forEach((one, at) => this.ready.paint(canvases[at], one, look, ratio));
    const boxes = maps.map(({ plan: { x, y, width, height } }) => [x, y, width, height]);
    const [canvas] = canvases, [[left, top, , high]] = boxes, [from, , wide] = boxes.at(-1);
    this.planned = maps.map(({ plan }) => plan);
    this.across = shares(keys.length, canvas.width);
    this.down = shares(queries.length, canvas.height);
    this.size = [canvas.width, canvas.height];
    return {
      shapes: maps.flatMap(({ plan }) => plan.shapes), canvases: boxes, bar: this.planned.at(-1).bar,
      end: this.planned.at(-1).end, area: [left, top, from + wide - left, high],
    };
  }

  still(look, room, ratio) {
    const maps = this.plans(look, room, ratio);
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

  /** The cell under the pointer; where cells share a pixel, the strongest of them. */
  under(x, y) {
    const [{ x: start, width, height }] = this.planned, { exact, state } = this.view;
    const { queries, keys } = exact, second = (this.planned[1]?.x ?? Infinity) - start;
    this.over = Number(x >= second); // the pointer is over the second map
    if (this.over) x -= second;
    else if (x > width) return null; // between the two
    const pixel = (at, long, count) => Math.min(count - 1,
      Math.max(0, Math.floor((at * count) / long)));
    const u = pixel(x, width, this.size[0]), v = pixel(y, height, this.size[1]);
    const values = exact.map(state.head, this.drawn[this.over]);
    let best = null;
    for (let r = this.down.from[v]; r < this.down.to[v]; r++) {
      for (let c = this.across.from[u]; c < this.across.to[u]; c++) {
        const size = Math.abs(values[r * keys.length + c]) || 0; // it may be missing
        if (!best || size > best.size) best = { i: queries[r], j: keys[c], size };
      }
    }
    return best && { i: best.i, j: best.j };
  }

  chosen({ i, j }) {
    return { query: i, key: j };
  }

  moved(cell) {
    return this.chosen(cell);
  }

  next(event) {
    const { exact: { queries, keys }, here } = this.view, r = queries.indexOf(here.i),
      c = keys.indexOf(here.j);
    if (event.ctrlKey && (event.key === "Home" || event.key === "End")) {
      const end = event.key === "End";
      return { i: end ? queries.at(-1) : queries[0], j: end ? keys.at(-1) : keys[0] };
    }
    if (/^(ArrowUp|ArrowDown|Page)/.test(event.key)) {
      const to = stepped(event, r, queries.length, PAGE);
      return to === null ? null : { i: queries[to], j: here.j };
    }
    const to = stepped(event, c, keys.length, PAGE, ["ArrowLeft", "ArrowRight"]);
    return to === null ? null : { i: here.i, j: keys[to] };
  }

  read(i, j) {
    const { exact, state: { head } } = this.view;
    if (exact.masked(i, j) && !exact.missing(head, i)) return "masked";
    const weight = `weight ${weighed(exact.weight(head, i, j))}`;
    return exact.scores(head) ? `${weight}, score ${exactly(exact.score(head, i, j))}` : weight;
  }

  told({ i, j }) {
    const { header, exact, lit } = this.view, { queries, keys } = exact;
    const { x, y, width, height } = this.planned[lit && this.over] ?? this.planned[0];
    const high = height / queries.length, top = y + queries.indexOf(i) * high;
    return {
      parts: [called(header.queries, i), " → ", called(header.keys, j)], said: this.read(i, j),
      x: x + ((keys.indexOf(j) + 0.5) * width) / keys.length, top, bottom: top + high,
    };
  }

  /** The same cell in each of two maps: of what is pointed at, and of what the keys are at. */
  twins() {
    const { lit, here, focused, link } = this.view;
    const thing = lit ?? link.beside ?? (focused ? here : null);
    return this.planned?.length === 2 && thing ? [0, 1].map((at) => this.box(thing, at)) : [];
  }

  box({ i, j }, at = 0) {
    const { x, y, width, height } = this.planned[at], { queries, keys } = this.view.exact;
    const along = (start, size, count, cell) => {
      const step = size / count, wide = Math.max(9, step + 2);
      return [start + (cell + 0.5) * step - wide / 2, wide];
    };
    const [left, wide] = along(x, width, keys.length, keys.indexOf(j));
    const [top, high] = along(y, height, queries.length, queries.indexOf(i));
    return [left, top, wide, high];
  }

  /** The row that is chosen. */
  table() {
    const { exact, header, state, query } = this.view, { keys } = exact,
      row = exact.row(state.head, query);
    const top = largest(row, 20), name = called(header.queries, query), scored = exact.scores(state.head);
    const score = (j) => (exact.masked(query, j) ? "masked"
      : exactly(exact.score(state.head, query, j)));
    if (exact.missing(state.head, query)) return [`${name}: ${whyMissing(this.view, state.head)}`, [], []];
    return [
      `The strongest ${top.length} of ${keys.length} weights of ${name}`,
      ["token", "attends to", "weight", ...(scored ? ["score"] : [])],
      top.map((c) => [name, called(header.keys, keys[c]), weighed(row[c]),
        ...(scored ? [score(keys[c])] : [])]),
    ];
  }
}
