// One step of a forward pass: its matrices, and the sources of every number in its result.
/** @import { Cell, Cells, CellsBox, Emit, Look, Palette, Plan, Root, Sent, Shape, Still, Tip } from "../types" */
/** @import { StepsState } from "../states" */
/** @import { StepsHeader } from "../headers" */
/** @import { Matrix } from "./captions.js" */
/** @import { StepsPlan } from "./plan.js" */
import * as language from "../runtime/language.js"; // `m` is a matrix here
import { element, lookOf, strongest } from "../runtime/shared.js";
import { cellsAsSvg, paintCells, paletteOf } from "../draw/cells.js";
import { SVG, svgShapes } from "../draw/scene.js";
import { Choices, controlsIn } from "../runtime/choices.js";
import { Picture, drawIn } from "../runtime/picture.js";
import { later } from "../runtime/later.js";
import { STATES } from "../runtime/schema.js";
import { paintedCells, sourceFrames } from "./marks.js";
import { stepsPlan } from "./plan.js";
import { captionOf, figure } from "./captions.js";

/** @type {Readonly<Record<string, readonly [number, number]>>} */
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const REST = 250; // milliseconds after a move until the cell is reported
const TABLE_ROWS = 20;

/** A cell of matrix `m`. @typedef {Cell & { m: number }} MatrixCell */

/** Cells as they are painted. @typedef {{ cells: Cells, palette: Palette }} Painted */
/** What a plan of this picture has beside its shapes. @typedef {Plan & { boxes: CellsBox[], high: number }} BoxesPlan */

/**
 * @template {StepsHeader} [H=StepsHeader]
 * @template {StepsState} [S=StepsState]
 * @extends {Picture<import("../types").Header<S> & H, S, MatrixCell, BoxesPlan>}
 */
export class Steps extends Picture {
  /** @type {import("../types").Schema} */
  schema = STATES.steps;
  /** @type {S} */
  state = /** @type {S} */ ({ step: 0, row: 0, column: 0 });
  /** @type {MatrixCell} A cell of the result. */
  here = { m: 0, row: 0, column: 0 };
  /** The cell of the result whose sources are framed. @type {Cell} */
  shown = this.here;
  /** The step on the screen; null between two steps. @type {H | null} */
  taken = null;
  /** The height in pixels; the drawing may be lower, or on a phone higher. */
  budget = 0;
  /** The operands, and last the result. @type {Matrix[]} */
  matrices = [];
  /** @type {Matrix} */
  result = later();
  /** Of each matrix. @type {Palette[]} */
  palettes = [];
  /** What stands in the boxes of the plan. @type {Painted[]} */
  painted = [];
  /** @type {HTMLCanvasElement[]} */
  canvases = [];
  /** The look of the last painting. @type {Look} */
  look = later();
  /** How a cell of the result was computed. @type {StepsPlan["caption"]} */
  caption = () => [];

  /** @param {Root} root */
  constructor(root) {
    super(root, language.m("matrices"));
    this.bar = controlsIn(this);
    this.choices = new Choices(this, language.m("Steps"), (i) => this.go(i), "long");
    this.bar.append(this.choices.bar);
    this.on(document, "keydown", (event) => this.elsewhere(event));
    this.lit = document.createElementNS(SVG, "svg");
    this.lit.setAttribute("aria-hidden", "true");
    this.scene.after(this.lit);
  }

  /**
   * @param {boolean} _first
   * @param {boolean} takesState
   */
  take(_first, takesState) {
    const { header, values } = this;
    let from = 0;
    this.taken = header;
    this.budget = header.height;
    this.matrices = header.matrices.map(({ rows, columns, hidden }) => {
      const count = rows.length * columns.length;
      from += count;
      return { rows: rows.length, columns: columns.length, values: values.subarray(from - count, from),
        hides: new Set(hidden.map(([row, column]) => row * columns.length + column)) };
    });
    this.result = this.matrices[this.matrices.length - 1];
    if (takesState) this.state = { ...header.state };
    this.here = this.within(this.state);
    this.shown = this.here;
    const { titles } = header;
    this.bar.hidden = !titles.length;
    if (titles.length) {
      this.choices.fill(titles.map((title, i) => (
        { text: String(i + 1), name: language.m("Step {number}: {title}", { number: i + 1, title }) })), "one");
      this.choices.set(this.state.step in titles ? this.state.step : header.at);
    }
    this.keys.textContent = language.m("Arrow keys, Home and End move through the result and read each sum.")
      + (titles.length ? language.m(" n goes to the next step, b back.") : "");
    this.tabulateResult();
  }

  /** One canvas for each box of the plan. */
  makeCanvases() {
    while (this.canvases.length > this.painted.length) this.canvases.pop()?.remove();
    while (this.canvases.length < this.painted.length) {
      const canvas = element("canvas", { "aria-hidden": "true" });
      this.canvases.push(canvas);
      this.scene.before(canvas);
    }
  }

  tabulateResult() {
    const { result, header } = this, own = header.matrices[header.matrices.length - 1], count = result.values.length;
    const rows = [...own.rows.keys()].filter((row) => !result.hides.has(row * result.columns));
    const top = strongest(result.values, result.columns, rows, TABLE_ROWS)
      .filter(({ row, column }) => !result.hides.has(row * result.columns + column));
    const values = { shown: top.length, count, name: own.name };
    const title = top.length < count ? language.m("The largest {shown} of {count} numbers of {name}", values)
      : language.m("All {shown} of {count} numbers of {name}", values);
    this.tabulate(title, [language.m("row"), language.m("column"), own.name],
      top.map(({ row, column }) => [own.rows[row], own.columns[column],
        figure(result.values[row * result.columns + column])]));
  }

  /**
   * The cell of the result nearest to a chosen one.
   * @param {Cell} cell
   * @returns {MatrixCell}
   */
  within({ row, column }) {
    const { rows, columns } = this.result;
    return { m: this.matrices.length - 1, row: Math.min(row, rows - 1), column: Math.min(column, columns - 1) };
  }

  /**
   * The colours of a matrix.
   * @param {Pick<import("../headers").MatrixOfStep, "scale" | "bound">} one
   * @param {Look} look
   */
  paletteOf({ scale, bound }, look) {
    const { hue, signed } = this.header;
    return paletteOf(scale === "weights" ? { kind: "weights", hue }
      : { kind: "signed", bound: scale === "none" ? Infinity : bound, ...signed }, look);
  }

  /** The top of what is drawn, below the controls. */
  get top() {
    return this.bar.hidden ? 2 : this.bar.offsetHeight + 10;
  }

  /**
   * @param {Look} look
   * @returns {BoxesPlan}
   */
  planned(look) {
    this.palettes = this.header.matrices.map((one) => this.paletteOf(one, look));
    this.painted = this.matrices.map((one, i) => ({ cells: paintedCells(one), palette: this.palettes[i] }));
    const plan = stepsPlan(this, look, this.top);
    this.caption = plan.caption;
    return plan;
  }

  /** @param {Look} look */
  paint(look) {
    const plan = this.planned(look), ratio = devicePixelRatio || 1;
    this.makeCanvases();
    plan.boxes.forEach((box, i) => {
      paintCells(this.canvases[i], this.painted[i].cells, box, this.painted[i].palette, ratio);
      Object.assign(this.canvases[i].style, {
        left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px`,
      });
    });
    this.look = look;
    this.header.height = plan.high;
    this.frame.style.height = `${plan.high}px`;
    return plan;
  }

  draw() {
    super.draw();
    if (this.width) this.light(this.shown);
  }

  /**
   * The frames and the derivation of a cell of the result.
   * @param {Cell} cell
   * @returns {Shape[]}
   */
  over(cell) {
    const { plan, look } = this;
    return [...sourceFrames(this, plan.boxes, cell, look), ...this.caption(cell.row, cell.column)];
  }

  /** @param {Cell} cell */
  light(cell) {
    this.shown = cell;
    if (this.plan) this.lit.replaceChildren(...svgShapes(this.over(cell)));
  }

  /**
   * @param {number} ratio
   * @returns {Still}
   */
  still(ratio) {
    const look = lookOf(this.frame), plan = this.planned(look);
    return {
      look, shapes: [...plan.shapes, ...this.over(this.shown)],
      asSvg: () => plan.boxes.map((box, i) => cellsAsSvg(this.painted[i].cells, box, this.painted[i].palette)).join(""),
      paint: (pen) => plan.boxes.forEach((box, i) => {
        const cells = document.createElement("canvas");
        paintCells(cells, this.painted[i].cells, box, this.painted[i].palette, ratio);
        pen.drawImage(cells, box.x, box.y, box.width, box.height);
      }),
    };
  }

  /**
   * @param {MouseEvent} event
   * @returns {MatrixCell | null}
   */
  under({ clientX, clientY }) {
    const { left, top } = this.frame.getBoundingClientRect(), x = clientX - left, y = clientY - top;
    const m = this.plan.boxes.findIndex((box) =>
      x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height);
    if (m < 0) return null;
    const box = this.plan.boxes[m], { rows, columns } = this.matrices[m];
    const row = Math.floor(((y - box.y) * rows) / box.height);
    return { m, row, column: Math.floor(((x - box.x) * columns) / box.width) };
  }

  /**
   * The cell of the result at the same position as an operand's cell, if the two correspond.
   * @param {MatrixCell} cell
   * @returns {MatrixCell | null}
   */
  leads({ m, row, column }) {
    const one = this.matrices[m], { result, header } = this;
    const same = one.rows === result.rows && one.columns === result.columns && header.kind !== "product";
    return m === this.matrices.length - 1 || same ? { m: this.matrices.length - 1, row, column } : null;
  }

  /** @param {MatrixCell | null} cell */
  hover(cell) {
    if (cell === null) return this.hide();
    this.light(this.leads(cell) ?? this.here);
    this.showTip(cell);
  }

  hide() {
    super.hide();
    if (this.plan && this.taken === this.header) this.light(this.here); // not between two steps
  }

  /**
   * @param {MatrixCell} cell
   * @returns {Tip}
   */
  tipOf({ m, row, column }) {
    const own = this.header.matrices[m], one = this.matrices[m], box = this.plan.boxes[m];
    const i = row * one.columns + column, y = box.y + (row * box.height) / one.rows;
    return {
      parts: [`${own.name} [${own.rows[row]}, ${own.columns[column]}]`],
      said: one.hides.has(i) && own.scale !== "weights" ? language.m("−∞, hidden") : figure(one.values[i]),
      x: box.x + ((column + 0.5) * box.width) / one.columns, top: y, bottom: y + box.height / one.rows,
    };
  }

  /** @param {MatrixCell | null} pointed */
  choose(pointed) {
    const cell = pointed && this.leads(pointed);
    if (cell) this.move(cell);
  }

  /** @param {MatrixCell} cell */
  move(cell) {
    this.here = cell;
    this.state = { ...this.state, row: cell.row, column: cell.column };
    this.place();
    this.light(cell);
    this.report.send(REST);
  }

  /** @param {number} step */
  go(step) {
    const last = this.header.titles.length - 1;
    if (step < 0 || step > last || step === this.state.step) return;
    this.state = { ...this.state, step };
    this.choices.set(step);
    this.report.send();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.turns(event)) super.key(event);
  }

  /**
   * n and b work unless a visitor is typing: a table accepts letters too.
   * @param {KeyboardEvent} event
   */
  elsewhere(event) {
    const path = event.composedPath().filter((node) => node instanceof Element);
    const types = path.some((node) => (node instanceof HTMLElement && node.isContentEditable)
      || node.matches("input:not([type=radio],[type=checkbox]),select,textarea,canvas,[role=grid],dialog"));
    if (!types && !path.includes(this.area)) this.turns(event);
  }

  /**
   * Goes to the next step or back; returns whether the key means one of these.
   * @param {KeyboardEvent} event
   */
  turns({ key, altKey, metaKey, ctrlKey }) {
    const plain = !altKey && !metaKey && !ctrlKey && this.header?.titles.length;
    const by = plain ? Number(key === "n") - Number(key === "b") : 0;
    if (by) this.go(this.state.step + by);
    return by !== 0;
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {MatrixCell | null}
   */
  next({ key, ctrlKey }) {
    let { row, column } = this.here;
    const { result } = this;
    if (key in MOVES && !ctrlKey) {
      row += MOVES[key][0];
      column += MOVES[key][1];
    } else if (key === "Home" || key === "End") {
      column = key === "Home" ? 0 : result.columns - 1;
      if (ctrlKey) row = key === "Home" ? 0 : result.rows - 1;
    } else return null;
    const cell = this.within({ row: Math.max(0, row), column: Math.max(0, column) });
    this.move(cell);
    return cell;
  }

  announce() {
    if (!this.plan) return;
    this.light(this.here);
    const { name, how, value } = captionOf(this, this.here.row, this.here.column);
    this.live.textContent = `${this.header.title}. ${name}: ${how} ${value}`;
  }

  place() {
    const { plan, here, cursor } = this, box = plan.boxes[here.m], one = this.matrices[here.m];
    if (!box) return;
    const across = box.width / one.columns, down = box.height / one.rows;
    Object.assign(cursor.style, {
      left: `${box.x + here.column * across - 2}px`, top: `${box.y + here.row * down - 2}px`,
      width: `${across + 3}px`, height: `${down + 3}px`,
    });
  }
}

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Steps(root));
}
