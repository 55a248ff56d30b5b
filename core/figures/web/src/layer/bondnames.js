// The words of the lines between tokens: the two columns, and the weights at the other end.
import { colour, fitted, mix, widthOf } from "../runtime/shared.js";
import { colourOfHead } from "./headnames.js";
import { WIDE, apartOf, weightsOf } from "./strokes.js";
import { inSight, partOf, shortly } from "../draw/words.js";

const EDGE = 2; // tokens out of sight that are named at either edge
const ROOM = 0.42; // of the zone of lines: as far as weights reach into it

const sideways = (plan, side) => (side === plan.first
  ? { x: plan.left - 8, anchor: "end", inner: plan.left + 6, towards: 1 }
  : { x: plan.right + 8, anchor: "start", inner: plan.right - 6, towards: -1 });

export function namesOfBonds(bonds, plan, look) {
  const { size } = look, focus = bonds.focus(), far = focus
    && { query: "key", key: "query" }[focus.side];
  const ends = focus ? weightsAtEnds(bonds, focus) : null, shapes = [];
  const edges = focus ? edgesOf(bonds, plan, look, far, ends) : { shapes: [], top: 0, bottom: 0 };
  for (const [side, does] of [["query", "attends"], ["key", "is attended to"]]) {
    const { x, anchor } = sideways(plan, side), list = bonds.list(side);
    const seen = inSight(plan, plan.range(list), look), said = does + partOf(seen, list.length);
    const long = 0.92 * widthOf(said, look), { width } = bonds.view; // it may be wider than its column
    shapes.push({
      text: said, x: anchor === "end" ? Math.max(x, long) : Math.min(x, width - long),
        y: plan.y - 0.9 * size,
      size: 0.92 * size, fill: look.muted, anchor, part: "heading",
    });
    for (const place of seen) {
      const y = plan.middle(place), i = list[place];
      if (side === far && (y < edges.top || y > edges.bottom)) continue;
      const mine = focus?.side === side && focus.i === i;
      const linked = !focus || mine || (side === far && ends.has(place));
      shapes.push({
        text: bonds.names[side][i], x, y, size, anchor, bold: mine, part: side, of: i,
        fill: linked ? look.ink : mix(look.paper, look.ink, 0.45),
      });
      if (side === far && ends.has(place)) shapes.push(...weightsBefore(bonds, plan, look, side, y,
        ends.get(place), i));
    }
  }
  plan.texts.forEach((text, i) => shapes.push({
    text, x: 0, y: plan.foot + 0.5 * size + i * 1.35 * size, size, fill: look.muted, part: "note",
  }));
  return [...shapes, ...edges.shapes];
}

/** For each place of the other column, [head, weight], strongest first. */
function weightsAtEnds(bonds, focus) {
  const found = new Map();
  for (const [head, place, weight] of weightsOf(bonds, focus)) {
    if (!found.has(place)) found.set(place, []);
    found.get(place).push([head, weight]);
  }
  for (const all of found.values()) all.sort((a, b) => b[1] - a[1]);
  return found;
}

/** The weights before a name, each with the number of its head where there are several; of more than
  there is room for, how many. */
function weightsBefore(bonds, plan, look, side, y, all, of) {
  const { state, header } = bonds.view, { inner, towards } = sideways(plan, side), shapes = [];
  const several = state.on.length > 1;
  let used = 0;
  const write = (text, fill, part) => {
    shapes.push({ text, x: inner + towards * used, y, size: look.size, bold: true, halo: look.paper,
      part, of, fill, anchor: towards > 0 ? "start" : "end" });
    used += widthOf(text, look, true) + 9;
  };
  for (const [at, [head, weight]] of all.entries()) {
    const text = several ? `${head + 1}: ${shortly(weight)}` : shortly(weight);
    if (used && used + widthOf(text, look, true) > ROOM * (plan.right - plan.left)) {
      write(`+${all.length - at}`, look.muted, "more");
      break;
    }
    write(text, several ? mix(colour(colourOfHead(head, header, look)), look.ink, 0.35) : look.ink,
      "weight");
  }
  const tracks = apartOf(plan, state.on) * (state.on.length - 1) + WIDE;
  const high = Math.max(1.3 * look.size, tracks);
  const under = [towards > 0 ? inner - 6 : inner - used + 5, y - high / 2, used + 1, high];
  return [{ rect: under, fill: look.paper }, ...shapes]; // the lines end where the numbers begin
}

/** What is scrolled out of sight, at the edges: the strongest above and the strongest below. */
function edgesOf(bonds, plan, look, side, ends) {
  const { size } = look, list = bonds.list(side), step = 1.4 * size, shapes = [];
  const { x, anchor } = sideways(plan, side), out = { above: [], below: [] };
  for (const [place, [[, weight]]] of ends) {
    const y = plan.middle(place);
    if (y < plan.y) out.above.push([place, weight]);
    if (y > plan.y + plan.window) out.below.push([place, weight]);
  }
  const named = (all) => all.sort((a, b) => b[1] - a[1]).slice(0, EDGE).sort((a, b) => a[0] - b[0]);
  const above = named(out.above), below = named(out.below);
  const line = ([place], y, arrow) => {
    const i = list[place], name = fitted(bonds.names[side][i], 0.27 * bonds.view.width - 18, look);
    shapes.push({ text: `${arrow} ${name}`, x, y, size, anchor, fill: look.muted, part: "edge",
      of: i });
    shapes.push(...weightsBefore(bonds, plan, look, side, y, ends.get(place), i));
  };
  above.forEach((one, k) => line(one, plan.y + (k + 0.5) * step, "▲"));
  below.forEach((one, k) => line(one, plan.y + plan.window - (below.length - k - 0.5) * step, "▼"));
  return {
    shapes, top: plan.y + above.length * step + 0.3 * size,
    bottom: plan.y + plan.window - below.length * step - 0.3 * size,
  };
}
