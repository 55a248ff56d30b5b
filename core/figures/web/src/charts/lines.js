// A few curves over named steps, each labelled at its right end; values are (lines, steps), then the two of
// a band.
/** @import { Emit, Look, Reading, Root, Sent, Still } from "../types" */
/** @import { LinesHeader } from "../headers" */
import { m } from "../runtime/language.js";
import { lookOf, written } from "../runtime/shared.js";
import { drawIn } from "../runtime/picture.js";
import { Marks } from "../runtime/marks.js";
import { lastPoint, linesPlan, nextPoint, powerOfTen } from "./linesplan.js";

const TABLE_ROWS = 20;

/** @extends {Marks<LinesHeader, undefined>} */
class Lines extends Marks {
  /** @type {Float32Array[]} The numbers of each line; then both ends of a band. */
  rows = [];
  /** @type {number | null} */
  here = null;

  /** @param {boolean} first */
  take(first) {
    const { header, values } = this, count = header.steps.length;
    this.rows = Array.from({ length: values.length / count }, (_, i) => values.subarray(i * count, (i + 1) * count));
    this.keys.textContent = m("Left, Right, Home and End go along a line, Up and Down to the next one.");
    const { here } = this;
    const stays = here !== null && here < header.lines.length * count && !Number.isNaN(values[here]);
    if (first || !stays) this.here = lastPoint(values, count);
    const step = Math.max(1, Math.ceil((count - 1) / (TABLE_ROWS - 1)));
    const shown = [...header.steps.keys()].filter((i) => i % step === 0 && i < count - 1);
    shown.push(count - 1);
    this.tabulate(
      shown.length < count ? m("{count} of {all} steps", { count: shown.length, all: count }) : m("All {count} steps", { count }),
      ["", ...header.lines.map(({ name }) => name)],
      shown.map((i) => [header.steps[i], ...header.lines.map((_, line) => this.number(line * count + i))]),
    );
  }

  /** @param {number} i */
  number(i) {
    const { values, header } = this;
    if (Number.isNaN(values[i])) return "–";
    return header.log ? powerOfTen(values[i]) : written(values[i], header.number);
  }

  /** @param {Look} look */
  paint(look) {
    return linesPlan(this, look);
  }

  /** @returns {Still} */
  still() {
    const look = lookOf(this.frame);
    return { look, shapes: linesPlan(this, look).shapes };
  }

  /**
   * Lines that meet at a point are read aloud together.
   * @param {number} i
   * @returns {Reading}
   */
  read(i) {
    const { steps, lines, start } = this.header, step = i % steps.length, value = this.values[i];
    const said = this.number(i);
    if (start !== null && step === 0) return { parts: [start], said };
    const names = lines.filter((_, line) => this.rows[line][step] === value).map(({ name }) => name);
    return { parts: [...names, steps[step]].flatMap((part, j) => (j ? [", ", part] : [part])), said };
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    const { plan: { marks }, values, header: { steps } } = this;
    return nextPoint({ marks, values, count: steps.length }, this.here, event);
  }
}

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Lines(root, m("line chart")));
}
