// A matrix of coloured cells in a page: painting, hover, keys, what is said aloud, saving.
// A picture that is made of one gives a kind: {roledescription, page, plan, name, rowsOfTable, ofWhat}.
import { element, lookOf, strongest, unpack, watchLook, written } from "./shared.js";
import { paintCells, paletteOf, shares } from "./cells.js";
import { svgShapes } from "./scene.js";
import { frameIn } from "./frame.js";
import { pngOf, save, svgOf } from "./saving.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const TABLE_ROWS = 20;
const grids = new WeakMap();

/** Draws a picture into `root`, or new bytes into the picture that is there; returns its clean-up. */
export function mount(root, bytes, emit, kind) {
  let grid = grids.get(root);
  if (!grid) grids.set(root, (grid = new Grid(root, kind)));
  const turn = grid.show(bytes, emit);
  return () => {
    if (grids.get(root) !== grid || grid.turn !== turn) return; // a later call has taken over
    grids.delete(root);
    grid.remove();
  };
}

class Grid {
  constructor(root, kind) {
    this.kind = kind;
    this.turn = 0;
    this.life = new AbortController();
    Object.assign(this, frameIn(root, kind.roledescription));
    for (const [type, make] of [["png", pngOf], ["svg", svgOf]]) {
      this.on(this.buttons[type], "click", async () => save(await make(this), `${this.header.file}.${type}`));
    }
    this.on(this.area, "pointermove", (event) => this.point(event));
    this.on(this.area, "pointerdown", (event) => this.point(event));
    this.on(this.area, "pointerleave", () => this.hide());
    this.on(this.area, "click", (event) => this.click(event));
    this.on(this.area, "keydown", (event) => this.key(event));
    this.on(this.area, "focus", () => this.area.matches(":focus-visible") && this.say());
    this.on(this.area, "blur", () => this.hide());
    watchLook(() => this.draw(), this.life.signal);
    this.sized = new ResizeObserver(() => this.frame.clientWidth !== this.width && this.draw());
    this.sized.observe(this.frame);
  }

  on(node, type, act) {
    node.addEventListener(type, act, { signal: this.life.signal });
  }

  /** New bytes, or the same ones once more: a page that runs again is no reason to speak again. */
  show(bytes, emit) {
    const old = this.bytes;
    Object.assign(this, { bytes, emit, turn: this.turn + 1 });
    if (old && old.length === bytes.length && old.every((byte, i) => byte === bytes[i])) {
      if (this.width && JSON.stringify(lookOf(this.frame)) !== this.seen) this.draw();
      return this.turn;
    }
    const { header, values } = Object.assign(this, unpack(bytes));
    this.rows = header.rows.length;
    this.columns = values.length / this.rows;
    this.choosing = (header.events ?? []).includes("cell");
    this.area.toggleAttribute("data-picks", this.choosing);
    this.area.setAttribute("aria-label", header.sentence);
    this.keys.textContent = `Arrow keys, Home, End, Page Up and Page Down read the numbers one by one.${
      this.choosing ? " Enter chooses." : ""}`;
    const rows = this.kind.rowsOfTable(header);
    const top = strongest(values, this.columns, rows, TABLE_ROWS);
    if (!old || this.cell.row >= this.rows || this.cell.column >= this.columns) this.cell = top[0];
    this.tabulate(top, rows.length * this.columns);
    this.frame.style.height = `${header.height}px`;
    this.hide();
    this.draw();
    if (old && this.host.shadowRoot.activeElement === this.area) this.say();
    return this.turn;
  }

  /** Numbers to colours to pixels; the labels beside them. */
  draw() {
    const start = performance.now(), { header, canvas, frame } = this;
    this.width = frame.clientWidth;
    if (!this.width) return; // in a folded or hidden part of the page
    const ratio = devicePixelRatio || 1, look = lookOf(frame), palette = paletteOf(header.scale, look);
    this.seen = JSON.stringify(look);
    const plan = (this.plan = this.kind.plan(this, look, palette, ratio));
    paintCells(canvas, this, plan, palette, ratio);
    this.across = shares(this.columns, canvas.width);
    this.down = shares(this.rows, canvas.height);
    for (const node of [canvas, this.area]) {
      Object.assign(node.style, {
        left: `${plan.x}px`, top: `${plan.y}px`, width: `${plan.width}px`, height: `${plan.height}px`,
      });
    }
    this.area.style.height = `${plan.height - plan.gapY}px`;
    this.scene.style.fontFamily = look.font;
    this.scene.replaceChildren(...svgShapes(plan.shapes));
    this.buttons.bar.style.top = `${plan.bar - 2}px`;
    this.buttons.bar.style.right = `${Math.max(0, this.width - plan.end)}px`;
    this.place();
    frame.dataset.drawn = String(Number(frame.dataset.drawn ?? 0) + 1);
    frame.dataset.ms = (performance.now() - start).toFixed(1);
  }

  /** The cell under the pointer; where cells share a pixel, the strongest of them, which is painted. */
  at({ offsetX, offsetY }) {
    const pixel = (offset, size, count) => Math.min(count - 1, Math.max(0, Math.floor((offset * count) / size)));
    const u = pixel(offsetX, this.plan.width, this.canvas.width);
    const v = pixel(offsetY, this.plan.height, this.canvas.height);
    let best = null;
    for (let row = this.down.from[v]; row < this.down.to[v]; row++) {
      for (let column = this.across.from[u]; column < this.across.to[u]; column++) {
        const size = Math.abs(this.values[row * this.columns + column]);
        if (!best || size > best.size) best = { row, column, size };
      }
    }
    return best;
  }

  point(event) {
    if (this.plan) this.tell(this.at(event));
  }

  /** The tooltip at a cell; a name that runs from right to left turns nothing around it. */
  tell(cell) {
    const { plan, tip, width } = this, { row, column } = cell;
    tip.replaceChildren(...this.kind.name(this.header, row, column).map((part, i) =>
      i % 2 ? document.createTextNode(part) : element("bdi", {}, part)), `: ${this.number(cell)}`);
    tip.style.left = "0"; // so that it is as wide as it wants to be
    const x = plan.x + ((column + 0.5) * plan.width) / this.columns;
    const y = plan.y + (row * plan.height) / this.rows, below = y + plan.height / this.rows;
    const over = y - tip.offsetHeight - 8; // or below, where it would hide the labels
    tip.style.left = `${Math.min(Math.max(0, x - tip.offsetWidth / 2), width - tip.offsetWidth)}px`;
    tip.style.top = `${over >= plan.y ? over : below + 8}px`;
    tip.style.visibility = "visible";
  }

  number = ({ row, column }) => written(this.values[row * this.columns + column], this.header.number);

  hide() {
    this.tip.style.visibility = "hidden";
  }

  click(event) {
    if (!this.plan) return;
    this.cell = this.at(event);
    this.place();
    this.pick();
  }

  pick() {
    if (this.choosing) this.emit("cell", { row: this.cell.row, column: this.cell.column });
  }

  key(event) {
    if (event.altKey || event.metaKey || !this.plan) return;
    let { row, column } = this.cell;
    const whole = event.ctrlKey;
    if (event.key in STEPS && !whole) {
      row += STEPS[event.key][0];
      column += STEPS[event.key][1];
    } else if (event.key === "Home" || event.key === "End") {
      const end = event.key === "End";
      column = end ? this.columns - 1 : 0;
      if (whole) row = end ? this.rows - 1 : 0;
    } else if ((event.key === "PageUp" || event.key === "PageDown") && !whole) {
      const sign = event.key === "PageUp" ? -1 : 1;
      row += sign * this.kind.page[0];
      column += sign * this.kind.page[1];
    } else if (event.key === "Enter" && this.choosing) {
      this.pick();
    } else {
      if (event.key === "Escape") this.hide();
      return;
    }
    event.preventDefault();
    const within = (i, count) => Math.min(count - 1, Math.max(0, i));
    this.cell = { row: within(row, this.rows), column: within(column, this.columns) };
    this.place();
    this.say();
  }

  /** The cell cursor, never smaller than can be seen. */
  place() {
    const { plan, cell, cursor } = this;
    if (!plan) return;
    const box = (start, size, count, i, gap) => {
      const step = size / count, wide = Math.max(9, step - gap + 3);
      return [start + i * step + (step - gap - wide) / 2, wide];
    };
    const [left, width] = box(plan.x, plan.width, this.columns, cell.column, plan.gapX);
    const [top, height] = box(plan.y, plan.height, this.rows, cell.row, plan.gapY);
    Object.assign(cursor.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
  }

  say() {
    if (!this.plan) return;
    this.tell(this.cell);
    this.live.textContent = this.tip.textContent;
  }

  tabulate(top, count) {
    const table = element("table");
    table.append(element("caption", {}, `${top.length < count ? "The strongest" : "All"} ${
      top.length} of ${count} numbers${this.kind.ofWhat(this.header)}`));
    const line = (tag, texts) => {
      const row = element("tr");
      row.append(...texts.map((text) => element(tag, tag === "th" ? { scope: "col" } : {}, text)));
      return row;
    };
    table.append(line("th", this.header.names));
    for (const cell of top) {
      const [row, , column] = this.kind.name(this.header, cell.row, cell.column);
      table.append(line("td", [row, column, this.number(cell)]));
    }
    this.table.replaceChildren(table);
  }

  remove() {
    this.life.abort();
    this.sized.disconnect();
    this.host.remove();
  }
}
