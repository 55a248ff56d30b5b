// One head of a layer: all its weights, or its scores before softmax; what is masked is hatched.
import { mix } from "./shared.js";
import { cellsAsSvg, paintCells, paletteOf, shares } from "./cells.js";
import { matrixPlan } from "./matrixplan.js";
import { exactly, largest, roundedUp, stepped, weighed, PAGE } from "./words.js";

const HATCH = 7; // pixels between two lines

export class HeadMap {
  constructor(view) {
    Object.assign(this, { view, kind: "heatmap" });
    this.keys = "Arrow keys, Home, End, Page Up and Page Down read the numbers one by one.";
  }

  here() {
    return { i: this.view.query, j: this.view.chosenKey };
  }

  get what() {
    const { exact, state } = this.view;
    return exact.scored ? state.view : "weights";
  }

  caption() {
    const { header, state } = this.view;
    const scores = this.what === "scores" ? ", scores before softmax" : "";
    return `${header.layer}, head ${state.head + 1}${scores}`;
  }

  /** The cells as `cells.js` takes them, and the header of their plan. */
  grid(height) {
    const { exact, header, state, query, chosenKey, width } = this.view, { queries, keys } = exact;
    const values = exact.map(state.head, this.what), notes = [];
    if (!exact.whole) notes.push(this.what === "scores" ? "special tokens left out"
      : "special tokens left out, each row scaled to 1");
    if (header.causal) notes.push("hatched: masked, a later token is not seen");
    if (!exact.scored) notes.push(header.without);
    const weights = { kind: "weights", root: header.root, hue: header.hue };
    const title = header.root ? "weight, square-root colours" : "weight";
    const scale = this.what === "weights" ? { ...weights, title: `${this.caption()}: ${title}`, notes }
      : { kind: "signed", bound: this.bound(values), digits: 3, ...header.signed,
        title: `${this.caption()}: scaled`, notes };
    if (scale.kind === "signed") scale.title = `${this.caption()} (q·k scaled)`;
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
    for (const value of values) most = Math.max(most, Math.abs(value));
    return roundedUp(most);
  }

  plan(look, room, ratio) {
    const grid = this.grid(room.height), palette = paletteOf(grid.header.scale, look);
    grid.header.marked.colour = look.ink;
    const plan = matrixPlan(grid, look, palette, ratio);
    for (const shape of plan.shapes) {
      if (shape.rect) shape.rect[1] += room.top;
      else shape.y += room.top;
    }
    plan.y += room.top;
    plan.bar += room.top;
    plan.shapes.unshift(...this.hatched(plan, look));
    return { grid, palette, plan };
  }

  /** Slanted lines over what is masked, each from where it enters to where it leaves. */
  hatched({ x, y, width, height }, look) {
    const { exact, header } = this.view, { queries, keys } = exact, rows = queries.length,
      columns = keys.length;
    if (!header.causal) return [];
    const high = height / rows, wide = width / columns, number = (value) => +value.toFixed(1);
    const from = queries.map((i) => { // where the masked cells of a row begin
      const first = keys.findIndex((j) => exact.masked(i, j));
      return first < 0 ? width : first * wide;
    });
    let path = "";
    for (let sum = HATCH; sum < width + height; sum += HATCH) { // the line of all u + v = sum
      let top = null, bottom = null;
      for (let r = 0; r < rows; r++) {
        const start = Math.max(r * high, sum - width), end = Math.min((r + 1) * high, sum - from[r]);
        if (end <= start) continue;
        top ??= start;
        bottom = end;
      }
      if (top !== null) {
        path += `M${number(x + sum - top)} ${number(y + top)}`
          + `L${number(x + sum - bottom)} ${number(y + bottom)}`;
      }
    }
    return path ? [{ path, stroke: mix(look.paper, look.ink, 0.28), wide: 1, part: "masked" }] : [];
  }

  paint(look, room) {
    const ratio = devicePixelRatio || 1, { canvas, exact, state } = this.view;
    const { grid, palette, plan } = this.plan(look, room, ratio), { x, y, width, height } = plan;
    const painted = JSON.stringify([state.head, this.what, state.special, look.paper, x, y, width,
      height, ratio]);
    if (this.painted !== painted || this.of !== exact || canvas.painter !== this) {
      paintCells(canvas, grid, plan, palette, ratio);
      Object.assign(this, { painted, of: exact });
      canvas.painter = this;
    }
    this.planned = plan;
    this.across = shares(grid.columns, canvas.width);
    this.down = shares(grid.rows, canvas.height);
    this.size = [canvas.width, canvas.height];
    plan.area = plan.canvas = [x, y, width, height];
    return plan;
  }

  still(look, room, ratio) {
    const { grid, palette, plan } = this.plan(look, room, ratio),
      { x, y, width, height, shapes } = plan;
    return {
      shapes,
      asSvg: () => cellsAsSvg(grid, plan, palette),
      paint: (pen) => {
        const cells = document.createElement("canvas");
        paintCells(cells, grid, plan, palette, ratio);
        pen.drawImage(cells, x, y, width, height);
      },
    };
  }

  /** The cell under the pointer; where cells share a pixel, the strongest of them. */
  under(x, y) {
    const { width, height } = this.planned, { exact, state } = this.view, { queries, keys } = exact;
    const pixel = (at, long, count) => Math.min(count - 1,
      Math.max(0, Math.floor((at * count) / long)));
    const u = pixel(x, width, this.size[0]), v = pixel(y, height, this.size[1]);
    const values = exact.map(state.head, this.what);
    let best = null;
    for (let r = this.down.from[v]; r < this.down.to[v]; r++) {
      for (let c = this.across.from[u]; c < this.across.to[u]; c++) {
        const size = Math.abs(values[r * keys.length + c]);
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
    if (exact.masked(i, j)) return "masked";
    const weight = `weight ${weighed(exact.weight(head, i, j))}`;
    return exact.scored ? `${weight}, score ${exactly(exact.score(head, i, j))}` : weight;
  }

  told({ i, j }) {
    const { header, exact } = this.view, { x, y, width, height } = this.planned,
      { queries, keys } = exact;
    const high = height / queries.length, top = y + queries.indexOf(i) * high;
    return {
      parts: [header.queries[i], " → ", header.keys[j]], said: this.read(i, j),
      x: x + ((keys.indexOf(j) + 0.5) * width) / keys.length, top, bottom: top + high,
    };
  }

  box({ i, j }) {
    const { x, y, width, height } = this.planned, { queries, keys } = this.view.exact;
    const along = (start, size, count, at) => {
      const step = size / count, wide = Math.max(9, step + 2);
      return [start + (at + 0.5) * step - wide / 2, wide];
    };
    const [left, wide] = along(x, width, keys.length, keys.indexOf(j));
    const [top, high] = along(y, height, queries.length, queries.indexOf(i));
    return [left, top, wide, high];
  }

  /** The row that is chosen. */
  table() {
    const { exact, header, state, query } = this.view, { keys } = exact,
      row = exact.row(state.head, query);
    const top = largest(row, 20), name = header.queries[query];
    const score = (j) => (exact.masked(query, j) ? "masked"
      : exactly(exact.score(state.head, query, j)));
    return [
      `The strongest ${top.length} of ${keys.length} weights of ${name}`,
      ["token", "looks at", "weight", ...(exact.scored ? ["score"] : [])],
      top.map((c) => [name, header.keys[keys[c]], weighed(row[c]),
        ...(exact.scored ? [score(keys[c])] : [])]),
    ];
  }
}
