// The layout of shares: a row for each value, a panel for each group, in each a mark with its interval.
/** @import { Look, Mark, MarksPlan, Shape } from "../types" */
/** @import { SharesHeader } from "../headers" */
import { decimal, mn } from "../runtime/language.js";
import { fitted, grouped, mix, widthOf } from "../runtime/shared.js";
import { lineOf } from "../draw/polylines.js";
import { markAt } from "../draw/paths.js";

const R = 4.5; // pixels: half a mark
const LEAST = 74; // pixels of a panel; where there is no room for all, the first ones are shown
const GAP = 14;
const MENU = 60; // pixels at the right end below the panels
const TICKS = /** @type {const} */ ([0, 0.5, 1]);
const NAMES = ["0", ".5", "1"];

/**
 * The input of the layout; `values` are (rows, groups, 3): the share, and both ends of its interval.
 * @typedef {{ header: SharesHeader, values: Float32Array, width: number }} Shown
 */

/**
 * How many panels have room, and where they are.
 * @param {SharesHeader} header @param {number} width @param {Look} look
 */
export function panelsOf({ rows, groups, chosen }, width, look) {
  const counts = rows.map(({ total }) => grouped(total)), numbers = Math.max(widthOf("n", look), ...counts.map((text) => widthOf(text, look)));
  const names = Math.min(Math.max(...rows.map(({ name }) => widthOf(name, look))), 0.34 * width);
  const left = names + 10 + numbers + 12, room = width - left - 1;
  const fit = Math.max(1, Math.min(groups.length, Math.floor((room + GAP) / (LEAST + GAP))));
  const order = [...groups.keys()].sort((a, b) => Number(b === chosen) - Number(a === chosen) || a - b).slice(0, fit).sort((a, b) => a - b);
  const wide = (room - GAP * (fit - 1)) / fit;
  return { names, numbers: names + 10 + numbers, counts, panels: order.map((group, i) => ({ group, left: left + i * (wide + GAP), wide })) };
}

/**
 * @param {Shown} shown @param {Look} look
 * @returns {MarksPlan}
 */
export function sharesPlan({ header, values, width }, look) {
  const { rows, groups, chosen } = header, { size } = look, { names, numbers, counts, panels } = panelsOf(header, width, look);
  const top = 1.6 * size, foot = 3.4 * size, high = (header.height - top - foot) / rows.length;
  const y = (/** @type {number} */ row) => top + (row + 0.5) * high;
  /** @type {Shape[]} */
  const shapes = [{ text: "n", x: numbers, y: 0.7 * size, size, anchor: "end", fill: look.muted, part: "unit" }];
  /** @type {(Mark | null)[]} */
  const marks = Array(rows.length * groups.length).fill(null);
  rows.forEach(({ name }, row) => shapes.push(
    { text: fitted(name, names, look), x: names, y: y(row), size, anchor: "end", fill: look.ink, part: "row", of: row },
    { text: counts[row], x: numbers, y: y(row), size, anchor: "end", fill: look.muted, part: "count", of: row },
  ));
  for (const { group, left, wide } of panels) {
    const own = groups[group], colour = look.dark ? own.dark : own.light, bold = group === chosen;
    const inset = R + 2, x = (/** @type {number} */ share) => left + inset + share * (wide - 2 * inset);
    shapes.push({ text: fitted(own.name, wide, look, bold), x: left + wide / 2, y: 0.7 * size, size, anchor: "middle", bold, fill: look.ink, part: "group", of: group });
    TICKS.forEach((tick, i) => shapes.push(
      { path: lineOf([[x(tick), top], [x(tick), top + rows.length * high]]), stroke: mix(look.paper, look.ink, i === 1 ? 0.1 : 0.2), part: "guide" },
      { text: decimal(NAMES[i]), x: x(tick), y: top + rows.length * high + 0.8 * size, size: 0.92 * size, anchor: "middle", fill: look.muted, part: "tick" },
    ));
    rows.forEach((_, row) => {
      const at = 3 * (row * groups.length + group), share = values[at];
      if (Number.isNaN(share)) return;
      shapes.push({ path: lineOf([[x(values[at + 1]), y(row)], [x(values[at + 2]), y(row)]]), stroke: colour, wide: bold ? 3 : 2, part: "interval", of: at / 3 });
      shapes.push(markAt([x(share), y(row)], R, own.mark, colour, look, { part: "mark", of: at / 3 }));
      marks[at / 3] = { x: x(share), y: y(row), r: R };
    });
  }
  const [first] = panels, last = panels[panels.length - 1];
  shapes.push(axisOf(header, groups.length - panels.length, (first.left + last.left + last.wide) / 2, width - MENU, look));
  return { shapes, marks, area: [0, top, width, rows.length * high], bar: header.height - 22, end: width };
}

/**
 * The title of the axis, and before it what had no room: below the panels, as far as the menu lets it.
 * @param {SharesHeader} header @param {number} left how many groups are not shown
 * @param {number} middle of the panels @param {number} room @param {Look} look
 * @returns {Shape}
 */
function axisOf({ axis, height }, left, middle, room, look) {
  const { size } = look, more = mn("{count} more group in the table", "{count} more groups in the table", left, { count: left }), both = `${more} · ${axis}`;
  const text = fitted(left === 0 ? axis : widthOf(both, look) <= room ? both : more, room, look), half = widthOf(text, look) / 2;
  return { text, x: Math.max(half, Math.min(middle, room - half)), y: height - 0.7 * size, size, anchor: "middle", fill: look.muted, part: "axis" };
}

/**
 * The mark that a key leads to: rows by Up and Down, groups by Left and Right.
 * @param {readonly (Mark | null)[]} marks @param {number} groups @param {number | null} here @param {string} key
 */
export function nextShare(marks, groups, here, key) {
  /** @type {Readonly<Record<string, number>>} */
  const ways = { ArrowUp: -groups, ArrowDown: groups, ArrowLeft: -1, ArrowRight: 1 };
  const there = [...marks.keys()].filter((i) => marks[i]);
  if (key === "Home") return there[0] ?? null;
  if (key === "End") return there.at(-1) ?? null;
  const by = ways[key];
  if (by === undefined || !there.length) return null;
  if (here === null) return there[0];
  const sideways = Math.abs(by) === 1;
  for (let at = here + by; at >= 0 && at < marks.length; at += by) {
    if (sideways && groups > 1 && Math.floor(at / groups) !== Math.floor(here / groups)) break;
    if (marks[at]) return at;
  }
  return here;
}
