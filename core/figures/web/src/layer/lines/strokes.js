// The lines: by colour and strength, on a canvas and as SVG.
/** @import { Look } from "../../types" */
/** @import { LinesPlan } from "./layout.js" */
/** @import { LinesLevel } from "./level.js" */
import { colourOfHead, isDashed } from "../names.js";
import { apartOf } from "./layout.js";
import { linesToDraw } from "./weights.js";

/**
 * Lines of the same colour and strength, drawn together.
 * @typedef {object} Stroke
 * @property {string} stroke
 * @property {number} alpha
 * @property {number} wide
 * @property {number[]} dash
 * @property {number[]} ends for each line, its height on the left and on the right
 */

const STRENGTHS = 16;
const HAIR = 12; // up to this strength a line is one pixel wide, which takes a third of the time to draw
const PALE = 0.25; // of a line from a word that is not written yet
export const WIDE = 4.4; // pixels: the width of a chosen token's line with weight 1

/** The weakest first. @param {LinesLevel} level @param {LinesPlan} plan @param {Look} look */
export function strokesOf(level, plan, look) {
  const { header, state: { on } } = level.layer, { later = Infinity } = header, written = level.tokens("query"), alone = level.focus() !== null, apart = apartOf(plan, on);
  /** @type {Map<number, Stroke>} */
  const strokes = new Map();
  for (const [head, r, c, weight] of linesToDraw(level, plan)) {
    const strength = Math.max(1, Math.round(STRENGTHS * (header.root ? Math.sqrt(weight) : weight)));
    const pale = written[r] >= later, id = (strength + (pale ? 0 : STRENGTHS)) * 1000 + head;
    let stroke = strokes.get(id);
    if (!stroke) {
      strokes.set(id, (stroke = {
        stroke: colourOfHead(head, header, look), alpha: (pale ? PALE : 1) * strength / STRENGTHS,
        wide: alone ? 1.2 + ((WIDE - 1.2) * strength) / STRENGTHS
          : 1 + (2 * Math.max(0, strength - HAIR)) / (STRENGTHS - HAIR),
        dash: isDashed(head, header) ? [7, 4] : [], ends: [],
      }));
    }
    const track = apart * (on.indexOf(head) - (on.length - 1) / 2);
    const ends = [plan.end(r) + track, plan.end(c) + track];
    stroke.ends.push(...(plan.first === "query" ? ends : ends.reverse()));
  }
  return [...strokes].sort(([a], [b]) => a - b).map(([, stroke]) => stroke);
}

/** How much a line bends. @param {LinesPlan} plan */
const bent = ({ left, right }) => (right - left) / 2.6;

/** @param {CanvasRenderingContext2D} pen @param {Stroke[]} strokes @param {LinesPlan} plan */
export function drawStrokes(pen, strokes, plan) {
  const { left, right } = plan, bend = bent(plan);
  for (const { stroke, alpha, wide, dash, ends } of strokes) {
    pen.strokeStyle = stroke;
    pen.globalAlpha = alpha;
    pen.lineWidth = wide;
    pen.setLineDash(dash);
    pen.beginPath();
    for (let i = 0; i < ends.length; i += 2) {
      pen.moveTo(left, ends[i]);
      pen.bezierCurveTo(left + bend, ends[i], right - bend, ends[i + 1], right, ends[i + 1]);
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
}

/** @param {Stroke[]} strokes @param {LinesPlan} plan */
export function strokesAsSvg(strokes, plan) {
  const { left, right, y, window } = plan, bend = bent(plan), number = (/** @type {number} */ x) => +x.toFixed(2);
  const paths = strokes.map(({ stroke, alpha, wide, dash, ends }) => {
    let path = "";
    for (let i = 0; i < ends.length; i += 2) {
      const [from, to] = [number(ends[i]), number(ends[i + 1])], controls = [left + bend, right - bend].map(number);
      path += `M${left} ${from}C${controls[0]} ${from} ${controls[1]} ${to} ${right} ${to}`;
    }
    const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    return `<path d="${path}" stroke="${stroke}" stroke-opacity="${alpha}" stroke-width="${number(wide)}"${dashes}/>`;
  });
  const box = `x="${left}" y="${y}" width="${right - left}" height="${window}"`;
  return `<g fill="none" clip-path="url(#window)"><clipPath id="window"><rect ${box}/></clipPath>${paths.join("")}</g>`;
}
