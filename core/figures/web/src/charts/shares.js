// The share of each group for each value of a column, with its interval. Bytes: (rows, groups, 3) float32: the
// share, and both ends of its interval; NaN where a row has none.
/** @import { Emit, Look, Reading, Root, Sent, Still } from "../types" */
/** @import { SharesHeader } from "../headers" */
import { m } from "../runtime/language.js";
import { grouped, lookOf, written } from "../runtime/shared.js";
import { drawIn } from "../runtime/picture.js";
import { Marks } from "../runtime/marks.js";
import { nextShare, sharesPlan } from "./sharesplan.js";

const TWO = { digits: 2 };

/** @extends {Marks<SharesHeader, undefined>} */
class Shares extends Marks {
  /** @type {number | null} */
  here = null;

  /** @param {boolean} first */
  take(first) {
    const { header: { rows, groups }, here } = this;
    this.keys.textContent = m("Up and Down go through the values, Left and Right through the groups.");
    if (first || here === null || here >= rows.length * groups.length) this.here = null;
    this.tabulate(m("Share of each group, and its interval"), ["", "n", ...groups.map(({ name }) => name)], rows.map(({ name, total }, row) => [
      name, grouped(total), ...groups.map((_, group) => this.number(row * groups.length + group)),
    ]));
  }

  /** @param {number} i */
  number(i) {
    const [share, low, high] = this.values.subarray(3 * i, 3 * i + 3);
    return Number.isNaN(share) ? "–" : m("{share} ({low} to {high})", { share: written(share, TWO), low: written(low, TWO), high: written(high, TWO) });
  }

  /** @param {Look} look */
  paint(look) {
    return sharesPlan(this, look);
  }

  /** @returns {Still} */
  still() {
    const look = lookOf(this.frame);
    return { look, shapes: sharesPlan(this, look).shapes };
  }

  /** @param {number} i @returns {Reading} */
  read(i) {
    const { rows, groups, counts } = this.header, row = Math.floor(i / groups.length), group = i % groups.length;
    const said = m("{count} of {all}, {share}", { count: grouped(counts[row][group]), all: grouped(rows[row].total), share: this.number(i) });
    return { parts: [rows[row].name, ", ", groups[group].name], said };
  }

  /** @param {KeyboardEvent} event */
  next({ key }) {
    return nextShare(this.plan.marks, this.header.groups.length, this.here, key);
  }
}

/** @param {Root} root @param {Sent} sent @param {Emit} emit */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Shares(root, m("dot plot")));
}
