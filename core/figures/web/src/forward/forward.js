// A whole forward pass with three zoom levels: the map of all steps, the matrices of one step, the sum of one cell.
// The browser computes the tiny model itself: while a number is dragged, everything that depends on it follows.
/** @import { Cell, CellsBox, Emit, Look, Root, Sent, Shape, Tip, ValuesOf } from "../types" */
/** @import { ForwardState } from "../states" */
/** @import { ForwardHeader, StepHeader } from "../headers" */
/** @import { Numbers, Pass, Query } from "./compute.js" */
/** @import { MatrixCell } from "../steps/steps.js" */
/** @import { MapPlan } from "./map.js" */
import { drawIn } from "../runtime/picture.js";
import { Choices } from "../runtime/choices.js";
import { later } from "../runtime/later.js";
import * as language from "../runtime/language.js";
import { isQuiet } from "../runtime/motion.js";
import { STATES } from "../runtime/schema.js";
import { figure } from "../steps/captions.js";
import { paintedCells } from "../steps/marks.js";
import { Steps } from "../steps/steps.js";
import { LOWEST, boundOf, edited, forwardPass, tableCell } from "./compute.js";
import { mapPlan } from "./map.js";
import { cellPlan, cellsOf } from "./terms.js";
import { Travel, glide, grow } from "./travel.js";

/** @typedef {ForwardState["level"]} Level */
/** @type {readonly Level[]} */
const LEVELS = ["layer", "matrix", "cell"];
const PIXELS = 4; // a drag of so many pixels changes a number by one step
const REST = 500; // milliseconds after a key until the changed number is reported
const TRUSTED = 4000; // milliseconds that a reported number may take to come back from the page

/** A number that is changed here: its cell in a table, and its value. @typedef {{ table: string, row: number, column: number, value: number }} Edit */

/** @extends {Steps<ForwardHeader, ForwardState>} */
class Forward extends Steps {
  schema = STATES.forward;
  /** @type {ForwardState} */
  state = { level: "layer", step: 0, row: 0, column: 0 };
  /** The zoom level on the screen; if the page computes the model, the step may still be on its way. @type {Level} */
  level = "layer";
  /** The step in full. @type {ForwardHeader} */
  header = later();
  /** Its numbers. @type {ValuesOf<ForwardHeader>} */
  values = later();
  /** The last header that arrived, of all steps. @type {ForwardHeader} */
  whole = later();
  /** The last numbers that arrived. @type {Float32Array} */
  sentValues = later();
  /** The tiny model and its text; null for any other. @type {Query | null} */
  query = null;
  /** @type {Pass} */
  pass = {};
  /** The number that is being dragged. @type {{ edit: Edit, from: number, x: number, moved: boolean } | null} */
  drag = null;
  /** The timer of the next report of a number that keys have changed. */
  telling = 0;
  /** Changed numbers that may not have come back from the page, and until when. @type {Map<string, Edit & { until: number }>} */
  told = new Map();
  /** Whether the click that ends a drag is still to come. */
  dragged = false;
  travel = new Travel();

  /** @param {Root} root */
  constructor(root) {
    super(root);
    this.levels = new Choices(this, language.m("Zoom levels"), (i) => this.zoom(LEVELS[i]), "tabs");
    this.bar.prepend(this.levels.bar);
    this.area.style.touchAction = "pan-y"; // a finger that moves sideways drags a number
    this.on(this.area, "pointerdown", (event) => this.grab(event));
    this.on(this.area, "pointermove", (event) => this.pull(event));
    this.on(this.area, "pointerup", () => this.letGo());
    this.on(this.area, "pointercancel", () => this.letGo());
    this.on(this.area, "dblclick", () => this.level === "matrix" && this.zoom("cell"));
  }

  /**
   * @param {boolean} first
   * @param {boolean} takesState
   */
  take(first, takesState) {
    const arrived = !("whole" in this.header);
    if (arrived) {
      this.whole = this.header;
      this.sentValues = this.values;
      this.readTiny();
    }
    if (takesState) this.state = { ...this.header.state };
    const { whole, state } = this;
    this.state.step = Math.min(state.step, whole.titles.length - 1);
    if (this.query) this.enterStep();
    if (this.query || whole.at === this.state.step || this.state.level === "layer") this.level = this.state.level;
    super.take(first, false);
    this.state.row = Math.min(this.state.row, whole.blocks[0].result.rows.length - 1);
    this.fillLevels();
    this.choices.bar.hidden = this.level === "layer"; // the blocks of the map are the steps
    const edits = this.query ? language.m(" In the matrices, e leads to the numbers of the model, which + and − change.") : "";
    const keys = language.m("Enter zooms in, Escape out. On the map, Left and Right go from step to step, Up and Down from token to token.");
    this.keys.textContent = `${keys} ${this.keys.textContent}${edits}`;
    if (this.level === "layer") this.tabulateSteps();
  }

  /** The tiny model's tables, with the changes made here that have not come back from the page yet. */
  readTiny() {
    const { tiny, matrices, blocks } = this.whole;
    this.query = null;
    if (!tiny) return;
    let at = matrices.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0);
    if (!blocks.length) throw new Error("A forward pass has steps.");
    /** @type {Record<string, Numbers>} */
    const tables = {};
    for (const [name, rows, columns] of tiny.tables) {
      tables[name] = { rows, columns, values: Float64Array.from(this.sentValues.subarray(at, (at += rows * columns))) };
    }
    const { ids, head, heads, causal, epsilon } = tiny;
    /** @type {Query} */
    let query = { tables, ids, head, heads, causal, epsilon };
    for (const [name, one] of this.told) {
      const { values, columns } = query.tables[one.table];
      if (values[one.row * columns + one.column] === Math.fround(one.value) || performance.now() > one.until) this.told.delete(name);
      else query = edited(query, one, one.value);
    }
    if (this.drag) query = edited(query, this.drag.edit, this.drag.edit.value);
    this.query = query;
    this.pass = forwardPass(query);
  }

  /** Fills in the chosen step: its header, and its numbers as the browser computes them. */
  enterStep() {
    const { whole, state } = this, { tiny } = whole;
    if (!tiny) return;
    const own = tiny.steps[state.step], matrices = this.matricesOf(state.step);
    const header = { ...whole, ...this.fittingColours(own, matrices), whole, at: state.step, height: this.givenHeight };
    this.header = /** @type {ForwardHeader} */ (header);
    this.values = /** @type {ValuesOf<ForwardHeader>} */ (Float32Array.from(matrices.flatMap(({ values }) => [...values])));
  }

  /**
   * The operands and the result of a step, without a bias that is all zeros.
   * @param {number} step
   */
  matricesOf(step) {
    const { tiny } = this.whole, all = this.pass[tiny?.names[step] ?? ""], count = tiny?.steps[step].matrices.length ?? 0;
    return all.length > count ? all.filter((_, i) => i !== 2) : all;
  }

  /**
   * The colours of each matrix end at its largest number, even while a number is dragged.
   * @param {StepHeader} own
   * @param {readonly Numbers[]} matrices
   */
  fittingColours(own, matrices) {
    return { ...own, matrices: own.matrices.map((one, i) => ({ ...one, bound: one.hidden.length ? one.bound : boundOf(matrices[i]) })) };
  }

  /** @param {Look} look */
  planned(look) {
    if (this.level === "layer") return this.plannedMap(look);
    this.travel.stop();
    if (this.level === "cell") {
      const step = { header: this.header, matrices: this.matrices };
      const plan = cellPlan(step, this.here, { width: this.width, top: this.top, paletteOf: (one) => this.paletteOf(one, look) }, look);
      this.painted = plan.lines.map((line, i) => ({ cells: cellsOf(line), palette: plan.palettes[i] }));
      return plan;
    }
    const plan = super.planned(look);
    return { ...plan, shapes: [...plan.shapes, ...this.editable(plan.boxes, look)] };
  }

  /**
   * The map of all steps.
   * @param {Look} look
   * @returns {MapPlan}
   */
  plannedMap(look) {
    const { whole, state } = this;
    const blocks = whole.blocks.map((block, i) => (this.query ? { ...block, result: { ...block.result, bound: block.result.hidden.length
      ? block.result.bound : boundOf(this.resultOf(i)) } } : block));
    this.painted = blocks.map(({ result }, i) => ({
      cells: paintedCells({ rows: result.rows.length, columns: result.columns.length, values: this.blockValues(i),
        hides: new Set(result.hidden.map(([row, column]) => row * result.columns.length + column)) }),
      palette: this.paletteOf(result, look),
    }));
    const ids = this.blockValues(0);
    return mapPlan({ blocks, ids, titles: whole.titles, width: this.width, top: this.top, step: state.step, row: state.row }, look);
  }

  /** @param {number} step */
  resultOf(step) {
    const all = this.matricesOf(step);
    return all[all.length - 1];
  }

  /** The numbers of a block. @param {number} i */
  blockValues(i) {
    if (this.query) return Float32Array.from(this.resultOf(i).values);
    const { matrices, blocks } = this.whole;
    const count = (/** @type {{ rows: readonly string[], columns: readonly string[] }} */ one) => one.rows.length * one.columns.length;
    let at = matrices.reduce((sum, one) => sum + count(one), 0);
    for (const { result } of blocks.slice(0, i)) at += count(result);
    return this.sentValues.subarray(at, at + count(blocks[i].result));
  }

  /**
   * Dashed frames around the operands whose numbers can be dragged.
   * @param {readonly CellsBox[]} boxes
   * @param {Look} look
   * @returns {Shape[]}
   */
  editable(boxes, look) {
    const { tiny } = this.whole;
    if (!tiny || !this.query) return [];
    return boxes.flatMap((box, m) => {
      if (!this.tableOf({ m, row: 0, column: 0 })) return [];
      const [left, top, right, bottom] = [box.x - 3, box.y - 3, box.x + box.width + 3, box.y + box.height + 3];
      return [{ path: `M${left} ${top}H${right}V${bottom}H${left}z`, stroke: look.muted, wide: 1.2, dash: [4, 3], part: "editable", of: m }];
    });
  }

  /** The cell of a table behind an operand's cell. @param {MatrixCell} cell */
  tableOf(cell) {
    const { tiny } = this.whole;
    return tiny && this.query ? tableCell(tiny.names[this.state.step], cell, this.query) : null;
  }

  fillLevels() {
    const { whole, state, here, header } = this, result = header.matrices[header.matrices.length - 1];
    const step = `${state.step + 1}. ${whole.titles[state.step]}`, cell = `${result.name} [${result.rows[here.row]}, ${result.columns[here.column]}]`;
    this.levels.fill([{ text: language.m("Whole layer") }, { text: step, name: language.m("Step {step}", { step }) },
      { text: cell, name: language.m("Number {cell}", { cell }) }], "tabs");
    this.levels.set(LEVELS.indexOf(this.level));
  }

  tabulateSteps() {
    const { whole } = this;
    this.tabulate(language.m("The steps"), [language.m("step"), language.m("result"), language.m("reads")], whole.blocks.map(({ from, result, columns }, i) => [
      `${i + 1}. ${whole.titles[i]}`, language.m("{matrix}, {rows} by {columns}", { matrix: result.name, rows: result.rows.length, columns }),
      from.map((one) => whole.titles[one]).join(", ") || language.m("nothing before it")]));
  }

  // --- Zooming and stepping ------------------------------------------------------------------------

  /**
   * Goes to another zoom level, which grows out of the position of the pointer, or of the chosen thing.
   * @param {Level} level
   */
  zoom(level) {
    if (level === this.state.level && level === this.level) return;
    const { plan, state } = this, inwards = LEVELS.indexOf(level) > LEVELS.indexOf(this.level);
    const box = this.level === "layer" ? plan?.boxes[state.step] : this.level === "matrix" ? this.cellBox() : null;
    this.state = { ...state, level };
    this.redraw();
    if (box && inwards && this.level === level) grow([this.scene, this.lit, ...this.canvases], box, this.width);
    this.report.send();
    if (this.shadow.activeElement === this.area) this.announce();
  }

  /** Draws the chosen level and step with the current numbers. */
  redraw() {
    this.takeAgain(false);
  }

  /** The chosen cell on the screen. */
  cellBox() {
    const { plan, here, matrices } = this, box = plan?.boxes[here.m];
    if (!box) return null;
    const { rows, columns } = matrices[here.m], width = box.width / columns, height = box.height / rows;
    return { x: box.x + here.column * width, y: box.y + here.row * height, width, height };
  }

  /** @param {number} step */
  go(step) {
    const { whole, state, level } = this;
    if (step < 0 || step >= whole.titles.length || step === state.step) return;
    const before = state.step, box = level === "matrix" ? this.plan?.boxes[this.plan.boxes.length - 1] : null;
    this.state = { ...state, step };
    if (this.query || level === "layer") this.redraw();
    else this.choices.set(step);
    if (level === "layer") this.send(step);
    else if (box && this.query) this.carry(before, box);
    this.report.send();
    if (this.shadow.activeElement === this.area) this.announce();
  }

  /** Moves the highlighted row's numbers along the arrows into a step. @param {number} step */
  send(step) {
    if (isQuiet() || !this.plan) return;
    const { whole, state } = this;
    const rides = whole.blocks[step].from.flatMap((from) => {
      const path = this.scene.querySelector(`[data-part="arrow"][data-of="${from}-${step}"]`);
      if (!(path instanceof SVGPathElement)) return [];
      const { result } = whole.blocks[from], columns = result.columns.length, row = Math.min(state.row, result.rows.length - 1);
      const numbers = [...this.blockValues(from).slice(row * columns, row * columns + Math.min(columns, 4))];
      return [{ path, texts: numbers.map((value) => (value <= LOWEST ? "−∞" : figure(Number(value.toFixed(2))))) }];
    });
    this.travel.go(this.lit, rides, this.look);
  }

  /** Moves the result of the step before to the place where this step reads it. @param {number} before @param {CellsBox} box */
  carry(before, box) {
    const { whole, state, header } = this;
    if (!whole.blocks[state.step].from.includes(before)) return;
    const { name } = whole.blocks[before].result, m = header.matrices.findIndex((one) => one.name === name || one.name === `${name}ᵀ`);
    if (m >= 0 && this.plan.boxes[m]) glide(this.canvases[m], box, this.plan.boxes[m]);
  }

  // --- Pointing and keys ---------------------------------------------------------------------------

  /**
   * @param {MouseEvent} event
   * @returns {MatrixCell | null}
   */
  under(event) {
    if (this.level === "matrix") return super.under(event);
    if (this.level === "cell") return null;
    const { left, top } = this.frame.getBoundingClientRect(), x = event.clientX - left, y = event.clientY - top;
    const { areas, boxes } = /** @type {MapPlan} */ (this.plan);
    const m = areas.findIndex(([a, b, width, height]) => x >= a && x < a + width && y >= b && y < b + height);
    if (m < 0) return null;
    const count = this.whole.blocks[m].result.rows.length, row = Math.floor(((y - boxes[m].y) * count) / boxes[m].height);
    return { m, row: row >= 0 && row < count ? row : this.state.row, column: 0 };
  }

  /** @param {MatrixCell | null} thing */
  hover(thing) {
    this.area.style.cursor = !thing ? "" : this.level === "layer" ? "pointer" : this.tableOf(thing) ? "ew-resize" : "";
    if (this.drag) return;
    if (this.level !== "layer" || !thing) super.hover(thing);
    else this.showTip(thing);
  }

  /**
   * @param {Cell} cell
   * @returns {Shape[]}
   */
  over(cell) {
    return this.level === "matrix" ? super.over(cell) : [];
  }

  /** @param {Cell} cell */
  light(cell) {
    if (!this.travel.going) super.light(cell);
  }

  /**
   * @param {MatrixCell} thing
   * @returns {Tip}
   */
  tipOf(thing) {
    if (this.level !== "layer") {
      const tip = super.tipOf(thing);
      return this.tableOf(thing) ? { ...tip, said: language.m("{said} (drag it sideways)", { said: tip.said }) } : tip;
    }
    const { m: i } = thing, { whole, plan } = this, { result, columns } = whole.blocks[i], [x, y, width, height] = /** @type {MapPlan} */ (plan).areas[i];
    const size = { matrix: result.name, rows: result.rows.length, columns };
    return { parts: [`${i + 1}. ${whole.titles[i]}`], said: language.m("{matrix}, {rows}×{columns}. Click to open it.", size),
      x: x + width / 2, top: y, bottom: y + height };
  }

  /** @param {MatrixCell | null} pointed */
  choose(pointed) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    if (!pointed) return;
    if (this.level === "layer") {
      this.state = { ...this.state, step: pointed.m, row: pointed.row };
      this.zoom("matrix");
    } else if (pointed.m === this.here.m && pointed.row === this.here.row && pointed.column === this.here.column) this.zoom("cell");
    else super.choose(pointed);
    this.fillLevels();
  }

  /** @param {MatrixCell} cell */
  move(cell) {
    super.move(cell);
    this.fillLevels();
    if (this.level === "cell") this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { key, altKey, metaKey, ctrlKey } = event, at = LEVELS.indexOf(this.level);
    if (altKey || metaKey || ctrlKey) return super.key(event);
    if (this.ofTable && (key === "+" || key === "=" || key === "-" || key === "−")) return this.nudge(event, key === "+" || key === "=" ? 1 : -1);
    if (key === "e" && this.level === "matrix" && this.query) return this.toNumbers();
    if (key === "Enter" && at < 2 && !this.ofTable) this.zoom(LEVELS[at + 1]);
    else if ((key === "Escape" || key === "Backspace") && this.ofTable) this.toResult();
    else if ((key === "Escape" || key === "Backspace") && at) this.zoom(LEVELS[at - 1]);
    else return super.key(event);
    event.preventDefault();
  }

  /** The cell of a table that the keys have reached; null while they move through the result. */
  get ofTable() {
    return this.level === "matrix" && this.here ? this.tableOf(this.here) : null;
  }

  /** Moves the keys to the first number of the model in this step. */
  toNumbers() {
    const m = this.matrices.findIndex((_, i) => this.tableOf({ m: i, row: 0, column: 0 }));
    if (m < 0) return;
    this.here = { m, row: 0, column: 0 };
    this.place();
    this.announce();
  }

  toResult() {
    this.here = this.within(this.state);
    this.place();
    this.announce();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {MatrixCell | null}
   */
  next(event) {
    const { key } = event;
    if (this.level === "layer") {
      const by = Number(key === "ArrowRight") - Number(key === "ArrowLeft"), down = Number(key === "ArrowDown") - Number(key === "ArrowUp");
      if (by) this.go(this.state.step + by);
      else if (down) this.turnTo(this.state.row + down);
      return by || down ? this.here : null;
    }
    if (!this.ofTable) return super.next(event);
    const moves = /** @type {Readonly<Record<string, readonly [number, number]>>} */ ({ ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] })[key];
    if (!moves) return null;
    const { m, row, column } = this.here, { rows, columns } = this.matrices[m];
    const bounded = (/** @type {number} */ i, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, i));
    return { m, row: bounded(row + moves[0], rows), column: bounded(column + moves[1], columns) };
  }

  /** Highlights another token. @param {number} row */
  turnTo(row) {
    const count = this.whole.blocks[0].result.rows.length;
    if (row < 0 || row >= count) return;
    this.state = { ...this.state, row };
    this.redraw();
    this.report.send(REST);
  }

  announce() {
    if (!this.plan) return;
    const { whole, state, here } = this, own = this.ofTable;
    if (own) {
      const about = this.header.matrices[here.m], one = this.matrices[here.m];
      const cell = `${about.name} [${about.rows[here.row]}, ${about.columns[here.column]}]`;
      this.live.textContent = language.m("{cell}: {number}. Plus and minus change it.", { cell, number: figure(one.values[here.row * one.columns + here.column]) });
    } else if (this.level === "layer") {
      const { result, columns } = whole.blocks[state.step];
      this.live.textContent = language.m("Step {number}, {title}: {matrix}, {rows} by {columns}; token {token}. Enter opens it.", {
        number: state.step + 1, title: whole.titles[state.step], matrix: result.name, rows: result.rows.length, columns,
        token: result.rows[state.row] ?? "" });
    } else super.announce();
  }

  place() {
    if (this.level === "matrix") return super.place();
    const box = this.level === "layer" ? this.plan.boxes[this.state.step] : this.plan.boxes[0];
    if (box) Object.assign(this.cursor.style, { left: `${box.x - 6}px`, top: `${box.y - 6}px`, width: `${box.width + 12}px`, height: `${box.height + 12}px` });
  }

  // --- Changing a number ---------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  grab(event) {
    this.dragged = false;
    if (this.level !== "matrix" || event.button) return;
    const cell = this.under(event), own = cell && this.tableOf(cell);
    if (!cell || !own) return;
    const one = this.matrices[cell.m], value = one.values[cell.row * one.columns + cell.column];
    this.here = cell;
    this.drag = { edit: { ...own, value }, from: value, x: event.clientX, moved: false };
    this.area.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  pull(event) {
    if (!this.drag) return;
    const { from, x, edit } = this.drag, step = event.shiftKey ? 0.01 : 0.1;
    const value = this.allowed(from + Math.trunc((event.clientX - x) / PIXELS) * step);
    if (value === edit.value) return;
    this.drag = { ...this.drag, edit: { ...edit, value }, moved: true };
    this.change(this.drag.edit);
    this.showTip(this.here);
  }

  letGo() {
    const { drag } = this;
    this.drag = null;
    if (!drag?.moved) return;
    this.dragged = true; // the click that follows chooses nothing
    this.tell(drag.edit);
    this.here = this.within(this.state);
    this.place();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} sign
   */
  nudge(event, sign) {
    const own = this.ofTable;
    if (!own) return;
    event.preventDefault();
    const one = this.matrices[this.here.m], before = one.values[this.here.row * one.columns + this.here.column];
    const edit = { ...own, value: this.allowed(before + sign * 0.1) }, { here } = this;
    this.change(edit);
    this.here = here;
    this.place();
    this.announce();
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.tell(edit), REST);
  }

  /** A number within the bounds, with as many decimals as a cell takes. @param {number} value */
  allowed(value) {
    const { least, most, decimals } = this.whole.tiny ?? { least: 0, most: 0, decimals: 0 };
    return Number(Math.min(most, Math.max(least, value)).toFixed(decimals));
  }

  /** Computes everything with another number, and draws it. @param {Edit} edit */
  change(edit) {
    if (!this.query) return;
    const start = performance.now(), { here } = this;
    this.query = edited(this.query, edit, edit.value);
    this.pass = forwardPass(this.query);
    this.told.set(`${edit.table}.${edit.row}.${edit.column}`, { ...edit, until: Infinity });
    this.redraw();
    this.here = here;
    this.frame.dataset.followed = (performance.now() - start).toFixed(2);
  }

  /** Reports the number to the page. @param {Edit} edit */
  tell(edit) {
    this.told.set(`${edit.table}.${edit.row}.${edit.column}`, { ...edit, until: performance.now() + TRUSTED });
    const { table, row, column, value } = edit;
    if (this.events.includes("edit")) this.emit("edit", { table, row, column, value });
  }
}

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Forward(root));
}

