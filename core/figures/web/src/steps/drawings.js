// Two small drawings beside a step: which heads share keys and values, and a pair of numbers that turns.
/** @import { Colour, Look, RGB, Shape } from "../types" */
/** @import { StepsHeader } from "../headers" */
/** @import { Step } from "./captions.js" */
import { m } from "../runtime/language.js";
import { widthOf } from "../runtime/shared.js";
import { figure, pairOf } from "./captions.js";

const HEAD = 26, LOW = 13; // pixels of a head's width at most, and of its height
export const CIRCLE = 124; // pixels of the drawing of a pair that turns
const TIP = 7; // pixels of an arrow's head

/** The height of the drawing of heads that share. @param {StepsHeader["groups"]} groups @param {Look} look */
export const groupsHigh = (groups, { size }) => (groups ? 2 * LOW + 14 + 1.5 * size : 0);

/**
 * The heads of queries in a line, and below them the keys and values that they share. The head shown, and its key and
 * value, are filled.
 * @param {NonNullable<StepsHeader["groups"]>} groups
 * @param {{ top: number, width: number }} room
 * @param {RGB} hue
 * @param {Look} look
 * @returns {Shape[]}
 */
export function groupShapes({ heads, shared, head }, { top, width }, hue, look) {
  const { size } = look, names = [m("queries"), m("keys, values")];
  const left = Math.ceil(Math.max(...names.map((name) => widthOf(name, look)))) + 10;
  const each = heads / shared, own = Math.floor(head / each), apart = 6;
  const wide = Math.max(2, Math.min(HEAD, (width - left - 8 - apart * (shared - 1)) / heads));
  /** @type {Shape[]} */
  const shapes = names.map((text, i) => ({ text, x: left - 8, y: top + LOW / 2 + i * (LOW + 9), size, anchor: "end",
    fill: look.muted, part: "group name" }));
  for (let g = 0; g < shared; g++) {
    const from = left + g * (each * wide + apart), across = each * wide;
    for (let h = 0; h < each; h++) {
      const i = g * each + h, x = from + h * wide;
      shapes.push({ rect: [x, top, wide - 1, LOW], fill: i === head ? hue : look.line, part: "query head", of: i });
      shapes.push({ path: `M${x + wide / 2} ${top + LOW}L${from + across / 2} ${top + LOW + 9}`,
        stroke: i === head ? hue : look.line, wide: i === head ? 2 : 1, part: "shares", of: i });
      if (wide >= 1.5 * size) {
        shapes.push({ text: String(i + 1), x: x + wide / 2, y: top + LOW / 2, size: 0.8 * size, anchor: "middle",
          fill: i === head ? look.paper : look.ink, part: "head number" });
      }
    }
    shapes.push({ rect: [from, top + LOW + 9, across - 1, LOW], fill: g === own ? hue : look.line, part: "shared head", of: g });
    if (across >= 1.5 * size) {
      shapes.push({ text: String(g + 1), x: from + across / 2, y: top + 1.5 * LOW + 9, size: 0.8 * size, anchor: "middle",
        fill: g === own ? look.paper : look.ink, part: "head number" });
    }
  }
  return shapes;
}

/**
 * A pair of numbers as an arrow before and after its turn, on the circle that it cannot leave.
 * @param {Step} step
 * @param {number} row
 * @param {number} column
 * @param {{ left: number, top: number }} at
 * @param {Look} look
 * @returns {Shape[]}
 */
export function turnShapes(step, row, column, { left, top }, look) {
  const { a, b, angle, first, second } = pairOf(step, row, column), { size } = look, { hue } = step.header;
  const r = CIRCLE / 2 - 1.2 * size, x = left + CIRCLE / 2, y = top + CIRCLE / 2, start = Math.atan2(b, a);
  /** @param {number} turn @param {number} long */
  const on = (turn, long) => [x + long * Math.cos(turn), y - long * Math.sin(turn)]; // y points up, as in a textbook
  const at = (/** @type {number[]} */ point) => point.map((one) => one.toFixed(1)).join(" ");
  const circle = (/** @type {number} */ long) => `M${x + long} ${y}A${long} ${long} 0 1 0 ${x - long} ${y}A${long} ${long} 0 1 0 ${x + long} ${y}`;
  /** @param {number} turn @param {Colour} stroke @param {string} part @returns {Shape[]} */
  const arrow = (turn, stroke, part) => {
    const tip = on(turn, r), back = r - TIP;
    const sides = [0.4, -0.4].map((by) => [x + back * Math.cos(turn) + TIP * by * Math.sin(turn), y - back * Math.sin(turn) + TIP * by * Math.cos(turn)]);
    return [{ path: `M${x} ${y}L${at(tip)}`, stroke, wide: 2, part }, { path: `M${at(tip)}L${at(sides[0])}L${at(sides[1])}z`, fill: stroke, part: `${part} tip` }];
  };
  const turns = Math.min(Math.abs(angle), 2 * Math.PI - 0.001), inner = 0.45 * r, end = start + Math.sign(angle) * turns;
  const arc = `M${at(on(start, inner))}A${inner} ${inner} 0 ${turns > Math.PI ? 1 : 0} ${angle > 0 ? 0 : 1} ${at(on(end, inner))}`;
  return [
    { path: circle(r), stroke: look.line, wide: 1, part: "circle" },
    { path: `M${x - r} ${y}H${x + r}M${x} ${y - r}V${y + r}`, stroke: look.line, wide: 1, part: "axes" },
    { text: String(first + 1), x: x + r + 3, y, size: 0.85 * size, fill: look.muted, part: "axis" },
    { text: String(second + 1), x, y: y - r - 0.6 * size, size: 0.85 * size, anchor: "middle", fill: look.muted, part: "axis" },
    ...(turns ? [/** @type {Shape} */ ({ path: arc, stroke: hue, wide: 3, part: "arc" })] : []),
    ...(a || b ? [...arrow(start, look.muted, "before"), ...arrow(start + angle, look.ink, "after")] : []),
    { text: `${figure(angle)} rad`, x, y: y + r + 0.75 * size, size: 0.9 * size, anchor: "middle", fill: look.muted, part: "angle" },
  ];
}
