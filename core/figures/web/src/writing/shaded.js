// A running text whose pieces stand on backgrounds shaded by their numbers; values are (pieces).
/** @import { Emit, Look, Root, Sent, Still, Tip } from "../types" */
/** @import { ShadedHeader } from "../headers" */
/** @import { ShadedPlan } from "./shadedplan" */
import { m } from "../runtime/language.js";
import { lookOf, roomIn } from "../runtime/shared.js";
import { drawIn } from "../runtime/picture.js";
import { Scrolling, shortened } from "../runtime/scrolling.js";
import { precisely } from "../charts/barsplan.js";
import { largest, stepped } from "../draw/written.js";
import { shadedPlan } from "./shadedplan.js";

const TABLE_ROWS = 100;
const NONE = () => m("no number");
const WRITTEN = () => m("written by the model");

/** @extends {Scrolling<ShadedHeader, undefined, ShadedPlan>} */
class Shaded extends Scrolling {
  /** How many pieces there are. */
  count = 0;

  /** @param {Root} root */
  constructor(root) {
    super(root, m("shaded text"));
  }

  /** @param {boolean} first */
  take(first) {
    const { header, plan } = this, [on, back] = header.left ? [m("Left"), m("Right")] : [m("Right"), m("Left")], count = header.pieces.length;
    // Whoever sees the last line goes on seeing it while a model writes.
    if (plan && count > this.count && plan.first + plan.shown === plan.lines) this.top = Infinity;
    this.count = count;
    this.begin(first, count);
    this.keys.textContent = m("{on} and {back} read the pieces one by one, Up and Down go to other lines, Page Up and Page Down by "
      + "as many as are in view, Home and End to the first piece and the last.", { on, back }) + (this.choosing ? m(" Enter chooses.") : "");
    this.tabulateRows();
  }

  tabulateRows() {
    const { header: { labels, unit, notes, firstWritten }, values } = this, count = labels.length;
    const few = count > TABLE_ROWS && this.header.scale.kind !== "kinds", noted = notes.some(Boolean);
    const rows = few ? largest(values.map(Math.abs), TABLE_ROWS).sort((a, b) => a - b) : [...labels.keys()];
    this.tabulate(
      few ? m("The {count} pieces of {all} with the largest numbers", { count: rows.length, all: count }) : m("All {count} pieces of the text", { count }),
      ["", m("piece"), unit, ...(noted ? [m("note")] : []), ...(firstWritten === null ? [] : [m("written by")])],
      rows.map((i) => [
        String(i + 1), shortened(labels[i]), this.exactly(i), ...(noted ? [notes[i]] : []),
        ...(firstWritten === null ? [] : [i < firstWritten ? "" : m("the model")]),
      ]),
    );
  }

  /** The number of a piece as it is read. @param {number} i */
  exactly(i) {
    const value = this.values[i], { scale } = this.header;
    if (scale.kind === "kinds") return scale.names[value] ?? "";
    return Number.isNaN(value) ? NONE() : precisely(value, this.header.number);
  }

  /** @param {Look} look */
  paint(look) {
    return this.taking(shadedPlan(this, look, this.view, roomIn(this.frame)));
  }

  /** Every line, also what is scrolled out of view. @returns {Still} */
  still() {
    const look = lookOf(this.frame), { shapes, high } = shadedPlan(this, look, { left: 0, top: 0, reveal: null }, Infinity, true);
    return { look, shapes, header: { ...this.header, height: high } };
  }

  /** @param {MouseEvent} event */
  under(event) {
    return this.plan.at(...this.placeOf(event));
  }

  /** @param {number} i @returns {Tip} */
  tipOf(i) {
    const { header: { labels, unit, notes, firstWritten, scale }, plan } = this, [box] = plan.boxes(i);
    const said = [Number.isNaN(this.values[i]) ? NONE() : `${this.exactly(i)}${scale.kind === "kinds" ? "" : ` ${unit}`}`];
    if (notes[i]) said.push(`\u2068${notes[i]}\u2069`);
    if (firstWritten !== null && i >= firstWritten) said.push(WRITTEN());
    const [x, top, wide, high] = box ?? plan.area;
    return { parts: [shortened(labels[i])], said: said.join(", "), x: x + wide / 2, top, bottom: top + high };
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    const { here, plan, header: { pieces, left } } = this, { key, ctrlKey } = event;
    if (here === null || this.picks(event)) return here;
    /** @type {Readonly<Record<string, number>>} */
    const lines = { ArrowUp: -1, ArrowDown: 1, PageUp: -plan.shown, PageDown: plan.shown };
    if (lines[key] !== undefined && !ctrlKey) return plan.beside(here, lines[key]);
    return stepped(event, here, pieces.length, 0, left ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"]);
  }

  /** The cursor around the first part of a piece that is in view. */
  place() {
    const box = this.here === null ? undefined : this.plan.boxes(this.here)[0];
    this.cursor.style.visibility = box ? "visible" : "hidden";
    if (!box) return;
    const [left, top, width, height] = [box[0] - 2, box[1] - 2, box[2] + 4, box[3] + 4].map((x) => `${x}px`);
    Object.assign(this.cursor.style, { left, top, width, height });
  }
}

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Shaded(root));
}
