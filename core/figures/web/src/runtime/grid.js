// A matrix of coloured cells in a page: painting, hover, keys, announcements.
/** @import { GridHeader } from "../headers" */
/** @import { Cell, CellsBox, Emit, Look, Palette, Plan, Root, Sent, Unpacked } from "../types" */
import { m } from "./language.js";
import { element, lookOf, strongest, written } from "./shared.js";
import { cellsAsSvg, paintCells, paletteOf, shares } from "../draw/cells.js";
import { Picture, drawIn } from "./picture.js";

/** @type {Readonly<Record<string, readonly [number, number]>>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const TABLE_ROWS = 20;

/**
 * Where the cells and all around them stand; `foot` is the end of all of it where the scale stands beside the cells.
 * @typedef {Omit<Plan, "area"> & CellsBox & { foot?: number }} GridPlan
 */

/**
 * The parts of a picture that consists of a grid.
 * @template {GridHeader} H
 * @typedef {object} GridKind
 * @property {string} roledescription
 * @property {readonly [number, number]} page rows and columns that Page Down moves
 * @property {(grid: Grid<H>, look: Look, palette: Palette, ratio: number) => GridPlan} plan `ratio`: pixels of the
 *   device, or of a file, per pixel of the page; Infinity for a file without pixels
 * @property {(header: H, row: number, column: number) => readonly [string, string, string]} name of a cell: of its row,
 *   what stands between, of its column
 * @property {(header: H) => number[]} rowsOfTable in the table for those who do not see the picture
 * @property {(header: H) => string} ofWhat its numbers are
 * @property {(grid: Grid<H>, row: number, column: number) => string | null} [said] the text that is read instead of a number
 * @property {(bytes: Uint8Array) => Unpacked<H>} [unpack] its own way to read the bytes
 */

/**
 * Draws a grid into `root`, or new numbers into the one that is there; returns its clean-up.
 * @template {GridHeader} H
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 * @param {GridKind<H>} kind
 */
export function mount(root, sent, emit, kind) {
  return drawIn(root, sent, emit, () => new Grid(root, kind));
}

/**
 * @template {GridHeader} H
 * @extends {Picture<H, undefined, Cell, GridPlan & Plan>}
 */
export class Grid extends Picture {
  rows = 0;
  columns = 0;
  /** Whether the page receives the chosen cell. */
  choosing = false;
  /** Which cells fall on each pixel of a row, and of a column. */
  across = shares(0, 0);
  down = shares(0, 0);

  /**
   * @param {Root} root
   * @param {GridKind<H>} kind
   */
  constructor(root, kind) {
    super(root, kind.roledescription);
    this.kind = kind;
    if (kind.unpack) this.unpack = kind.unpack;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
  }

  /** @param {boolean} first */
  take(first) {
    const { header, values } = this;
    this.rows = header.rows.length;
    this.columns = values.length / this.rows;
    this.choosing = this.events.includes("cell");
    this.area.toggleAttribute("data-picks", this.choosing);
    this.keys.textContent = m("Arrow keys, Home, End, Page Up and Page Down read the numbers one by one.") + (this.choosing ? m(" Enter chooses.") : "");
    const rows = this.kind.rowsOfTable(header);
    const top = strongest(values, this.columns, rows, TABLE_ROWS), count = rows.length * this.columns;
    const { here } = this, stays = !first && here.row < this.rows && here.column < this.columns;
    this.here = stays ? here : top[0] ?? { row: 0, column: 0 };
    const gone = rows.filter((row) => Number.isNaN(values[row * this.columns])); // rows as a whole
    const there = count - gone.length * this.columns;
    this.tabulate(
      (top.length < there
        ? m("The strongest {count} of {all} numbers{of}", { count: top.length, all: there, of: this.kind.ofWhat(header) })
        : m("All {count} of {all} numbers{of}", { count: top.length, all: there, of: this.kind.ofWhat(header) })) + this.missingRows(gone),
      header.names,
      top.map((cell) => {
        const [row, , column] = this.kind.name(header, cell.row, cell.column);
        return [row, column, this.number(cell)];
      }),
    );
  }

  /**
   * The rows that have no numbers, in words.
   * @param {readonly number[]} rows
   */
  missingRows(rows) {
    const names = rows.slice(0, TABLE_ROWS).map((row) => this.kind.name(this.header, row, 0)[0]);
    const more = rows.length - names.length;
    if (more) names.push(m("{count} more", { count: more }));
    return names.length ? m("; missing: {names}", { names: names.join(", ") }) : "";
  }

  /** @param {Look} look @param {number} ratio */
  planned(look, ratio) {
    const palette = paletteOf(this.header.scale, look);
    return { look, palette, plan: this.kind.plan(this, look, palette, ratio) };
  }

  /** @param {Look} look @returns {GridPlan & Plan} */
  paint(look) {
    const { canvas } = this, ratio = devicePixelRatio || 1, { palette, plan } = this.planned(look, ratio);
    paintCells(canvas, this, plan, palette, ratio);
    this.across = shares(this.columns, canvas.width);
    this.down = shares(this.rows, canvas.height);
    Object.assign(canvas.style, {
      left: `${plan.x}px`, top: `${plan.y}px`, width: `${plan.width}px`, height: `${plan.height}px`,
    });
    return { ...plan, area: [plan.x, plan.y, plan.width, plan.height - plan.gapY] };
  }

  /**
   * Plans again for another density: in an SVG, no two cells share a pixel.
   * @param {number} ratio
   */
  still(ratio) {
    const { look, palette, plan } = this.planned(lookOf(this.frame), ratio);
    const { x, y, width, height, shapes } = plan;
    return {
      look, shapes,
      asSvg: () => cellsAsSvg(this, plan, palette),
      paint: (/** @type {CanvasRenderingContext2D} */ pen) => {
        const cells = document.createElement("canvas");
        paintCells(cells, this, plan, palette, ratio);
        pen.drawImage(cells, x, y, width, height);
      },
    };
  }

  /**
   * The cell under the pointer; where cells share a pixel, the strongest of them, which is painted.
   * @param {MouseEvent} event
   * @returns {Cell | null}
   */
  under({ offsetX, offsetY }) {
    /** @param {number} offset @param {number} size @param {number} count */
    const pixel = (offset, size, count) => Math.min(count - 1, Math.max(0, Math.floor((offset * count) / size)));
    const u = pixel(offsetX, this.plan.width, this.canvas.width);
    const v = pixel(offsetY, this.plan.height, this.canvas.height);
    /** @type {(Cell & { size: number }) | null} */
    let best = null;
    for (let row = this.down.from[v]; row < this.down.to[v]; row++) {
      for (let column = this.across.from[u]; column < this.across.to[u]; column++) {
        const size = Math.abs(this.values[row * this.columns + column]) || 0; // it may be missing
        if (!best || size > best.size) best = { row, column, size };
      }
    }
    return best;
  }

  /** @param {Cell} cell */
  tipOf(cell) {
    const { plan } = this, { row, column } = cell, y = plan.y + (row * plan.height) / this.rows;
    return {
      parts: this.kind.name(this.header, row, column), said: this.number(cell),
      x: plan.x + ((column + 0.5) * plan.width) / this.columns,
      top: y, bottom: y + plan.height / this.rows,
    };
  }

  /** @param {Cell} cell */
  number({ row, column }) {
    const value = this.values[row * this.columns + column];
    if (Number.isNaN(value)) return m("missing");
    return this.kind.said?.(this, row, column) ?? written(value, this.header.number);
  }

  /** @param {Cell | null} cell */
  choose(cell) {
    super.choose(cell);
    this.pick();
  }

  pick() {
    if (this.choosing) this.emit("cell", { row: this.here.row, column: this.here.column });
  }

  /** @param {KeyboardEvent} event @returns {Cell | null} */
  next(event) {
    let { row, column } = this.here;
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
      return null;
    }
    const within = (/** @type {number} */ i, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, i));
    return { row: within(row, this.rows), column: within(column, this.columns) };
  }

  /** The cell cursor, never smaller than can be seen. */
  place() {
    const { plan, here, cursor } = this;
    if (!plan) return;
    /** @param {number} start @param {number} size @param {number} count @param {number} i @param {number} gap */
    const box = (start, size, count, i, gap) => {
      const step = size / count, wide = Math.max(9, step - gap + 3);
      return [start + i * step + (step - gap - wide) / 2, wide];
    };
    const [left, width] = box(plan.x, plan.width, this.columns, here.column, plan.gapX);
    const [top, height] = box(plan.y, plan.height, this.rows, here.row, plan.gapY);
    Object.assign(cursor.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
  }
}
