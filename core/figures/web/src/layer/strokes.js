// The lines between two columns of tokens: which, and how they are drawn; many at once.
import { colourOfHead, isDashed } from "./headnames.js";

const LEAST = 0.01; // where no token is chosen: weights of the one that is pointed at, from here on
const NOUGHT = 1e-6; // no line for so little, whatever is asked for
const STRENGTHS = 16;
const MOST = 20000; // lines at once: the strongest
const APART = [4, 0.7]; // pixels between the lines of two heads, at most; all of them, of a token's place
export const WIDE = 4.4; // pixels: a line of a chosen token, of weight 1
const HAIR = 12; // up to this strength a line is one pixel wide: such lines are drawn in a third of the time

/** From which weight on the lines of one token are drawn, and its weights written. */
export const leastOf = ({ pin, alone }) => (pin ? alone : LEAST);

/** What a token has with those of the other column: [head, place there, weight]. */
export function weightsOf({ view: { exact, state } }, { side, i }) {
  const found = [], least = Math.max(leastOf(state), NOUGHT);
  for (const head of state.on) {
    (side === "query" ? exact.row(head, i) : exact.column(head, i)).forEach((weight, place) => {
      if (weight >= least) found.push([head, place, weight]);
    });
  }
  return found;
}

/** The lines to draw, [head, row, column, weight] with places in the columns, weakest first. */
function bondsOf(bonds, plan) {
  const { exact, state } = bonds.view, focus = bonds.focus(), { queries, keys } = exact, found = [];
  if (focus) {
    const at = bonds.list(focus.side).indexOf(focus.i), looks = focus.side === "query";
    for (const [head, place, weight] of at < 0 ? [] : weightsOf(bonds, focus)) {
      found.push(looks ? [head, at, place, weight] : [head, place, at, weight]);
    }
  } else {
    // Of the tokens in sight: their rows, and what other rows have on their columns.
    const least = Math.max(state.threshold, NOUGHT);
    const [top, bottom] = plan.range(queries), [up, down] = plan.range(keys);
    const outside = queries.length > bottom - top;
    for (const head of state.on) {
      for (let r = top; r < bottom; r++) {
        const row = exact.row(head, queries[r]);
        for (let c = 0; c < row.length; c++) if (row[c] >= least) found.push([head, r, c, row[c]]);
      }
      for (let c = up; outside && c < down; c++) {
        const column = exact.column(head, keys[c]);
        for (let r = 0; r < column.length; r++) {
          if (column[r] >= least && (r < top || r >= bottom)) found.push([head, r, c, column[r]]);
        }
      }
    }
  }
  found.sort((a, b) => a[3] - b[3]);
  return found.length > MOST ? found.slice(-MOST) : found;
}

/** How far apart the lines of two heads are: on one path, the last drawn would hide the others. */
export const apartOf = ({ pitch }, { length }) => Math.min(APART[0], (APART[1] * pitch) / length);

/** Lines of one colour and strength at once: {stroke, alpha, wide, dash, ends: [left y, right y, …]}. */
export function strokesOf(bonds, plan, look) {
  const { header, state: { on } } = bonds.view, groups = new Map(), alone = bonds.focus() !== null;
  const apart = apartOf(plan, on);
  for (const [head, r, c, weight] of bondsOf(bonds, plan)) {
    const strength = Math.max(1, Math.round(STRENGTHS * (header.root ? Math.sqrt(weight) : weight)));
    const id = strength * 1000 + head;
    if (!groups.has(id)) {
      groups.set(id, {
        stroke: colourOfHead(head, header, look), alpha: strength / STRENGTHS,
        wide: alone ? 1.2 + ((WIDE - 1.2) * strength) / STRENGTHS
          : 1 + (2 * Math.max(0, strength - HAIR)) / (STRENGTHS - HAIR),
        dash: isDashed(head, header) ? [7, 4] : [], ends: [],
      });
    }
    const track = apart * (on.indexOf(head) - (on.length - 1) / 2);
    const ends = [plan.end(r) + track, plan.end(c) + track];
    groups.get(id).ends.push(...(plan.first === "query" ? ends : ends.reverse()));
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

const bent = ({ left, right }) => (right - left) / 2.6;

export function drawStrokes(pen, strokes, plan) {
  const { left, right } = plan, bend = bent(plan);
  for (const { stroke, alpha, wide, dash, ends } of strokes) {
    Object.assign(pen, { strokeStyle: stroke, globalAlpha: alpha, lineWidth: wide });
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

export function strokesAsSvg(strokes, plan) {
  const { left, right, y, window } = plan, bend = bent(plan), number = (x) => +x.toFixed(2);
  const paths = strokes.map(({ stroke, alpha, wide, dash, ends }) => {
    let path = "";
    for (let i = 0; i < ends.length; i += 2) {
      const [from, to] = [number(ends[i]), number(ends[i + 1])],
        controls = [left + bend, right - bend].map(number);
      path += `M${left} ${from}C${controls[0]} ${from} ${controls[1]} ${to} ${right} ${to}`;
    }
    const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    return `<path d="${path}" stroke="${stroke}" stroke-opacity="${alpha}" stroke-width="${number(wide)}"${dashes}/>`;
  });
  const box = `x="${left}" y="${y}" width="${right - left}" height="${window}"`;
  return `<g fill="none" clip-path="url(#window)"><clipPath id="window"><rect ${box}/></clipPath>${paths.join("")}</g>`;
}
