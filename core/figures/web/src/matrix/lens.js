// What each layer would say: a word in each cell, its probability as the colour; values are (rows · columns).
/** @import { Emit, Look, Root, Sent, Still, Tip } from "../types" */
/** @import { LensHeader } from "../headers" */
/** @import { LensPlan } from "./lensplan" */
import { m } from "../runtime/language.js";
import { lookOf, roomIn, written } from "../runtime/shared.js";
import { drawIn } from "../runtime/picture.js";
import { Scrolling, shortened } from "../runtime/scrolling.js";
import { paletteOf } from "../draw/cells.js";
import { lensPlan, nextCell } from "./lensplan.js";

const LARGEST = 8000; // pixels of a side of a PNG with all cells

/** @extends {Scrolling<LensHeader, undefined, LensPlan>} */
class Lens extends Scrolling {
  /** @param {Root} root */
  constructor(root) {
    super(root, m("grid of words"));
  }

  /** @param {boolean} first */
  take(first) {
    const { header: { labels } } = this;
    this.begin(first, labels.length);
    this.keys.textContent = m("Left and Right go to other tokens, Up and Down to other layers, Page Up and Page Down ten layers, "
      + "Home and End to the first token and the last.") + (this.choosing ? m(" Enter chooses.") : "");
    this.tabulateColumn();
  }

  /** All layers at the chosen token. */
  tabulateColumn() {
    const { header: { rowNames, columns, labels, chosen } } = this;
    const column = (chosen ?? columns.length - 1) % columns.length;
    this.tabulate(
      m("What each layer reads as at {token}, token {number} of {all}", { token: shortened(columns[column]), number: column + 1, all: columns.length }),
      [m("state"), m("reads as"), m("probability")],
      rowNames.map((name, r) => {
        const i = r * columns.length + column;
        return [name, shortened(labels[i]), this.exactly(i)];
      }),
    );
  }

  /** The probability of a cell as it is read. @param {number} i */
  exactly(i) {
    return written(this.values[i], this.header.number);
  }

  /** @param {Look} look */
  paint(look) {
    return this.taking(lensPlan(this, look, paletteOf(this.header.scale, look), this.view, roomIn(this.frame)));
  }

  /** All cells, if a PNG can be so large; otherwise, what is in view. @param {number} ratio @returns {Still} */
  still(ratio) {
    const look = lookOf(this.frame), palette = paletteOf(this.header.scale, look);
    const whole = lensPlan(this, look, palette, { left: 0, top: 0, reveal: null }, Infinity, true);
    const width = Math.max(this.width, Math.ceil(whole.area[0] + whole.area[2] + 2)), header = { ...this.header, height: whole.high };
    const fits = ratio === Infinity || ratio * Math.max(width, whole.high) <= LARGEST;
    return fits ? { look, shapes: whole.shapes, width, header } : { look, shapes: this.plan.shapes };
  }

  /** @param {MouseEvent} event */
  under(event) {
    return this.plan.at(...this.placeOf(event));
  }

  /** @param {number} i @returns {Tip} */
  tipOf(i) {
    const { header: { rowNames, columns, labels, notes }, plan } = this;
    const [x, top, wide, high] = plan.box(i) ?? plan.area;
    const said = [`${shortened(labels[i])} ${this.exactly(i)}`, ...(notes[i] ? [`\u2068${notes[i]}\u2069`] : [])].join(", ");
    const parts = [rowNames[Math.floor(i / columns.length)], " · ", shortened(columns[i % columns.length])];
    return this.inView({ parts, said, x: x + wide / 2, top, bottom: top + high });
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    const { here, header: { rows, columns } } = this;
    return here === null || this.picks(event) ? here : nextCell(event, here, rows.length, columns.length);
  }

  place() {
    const box = this.here === null ? null : this.plan.box(this.here);
    this.cursor.style.visibility = box ? "visible" : "hidden";
    if (!box) return;
    const [left, top, width, height] = [box[0] - 2, box[1] - 2, box[2] + 3, box[3] + 3].map((x) => `${x}px`);
    Object.assign(this.cursor.style, { left, top, width, height });
  }
}

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Lens(root));
}
