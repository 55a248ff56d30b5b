// One query with one key: q, k and their product element by element, summing to the score.
import { fitted, light, mix, widthOf, wrapped } from "../runtime/shared.js";
import { paletteOf } from "../draw/cells.js";
import { ONE_HEAD, titleOf, whyMissing } from "./headnames.js";
import { lineOf } from "../draw/polylines.js";
import { called, cappedBy, exactly, largest, roundedUp, scaledBy, stepped, weighed, PAGE } from "../draw/words.js";

const STRIPS = ["q", "k", "q×k"];
const GAP = 12; // pixels of paper between two strips
const BOLD = 0.9; // of a line: as much as bold letters fill of it when others fill it
const SIGNED = 1.1; // in sizes of letters: from so wide on, a cell has room for its sign

export class Product {
  constructor(view) {
    Object.assign(this, { view, kind: "strips of numbers" });
  }

  get keys() {
    return this.none
      ?? "Left, Right, Home and End go through the dimensions, Up and Down through the strips.";
  }

  /** Why there is no product; null if there is one. */
  get none() {
    const { exact, state, header } = this.view;
    if (exact.scores(state.head)) return null;
    if (exact.scored && exact.gone.has(state.head)) return `There is no product here: ${whyMissing(this.view, state.head)}.`;
    return exact.scored ? ONE_HEAD : header.without;
  }

  here() {
    if (this.none) return null;
    const { strip = 2, x = 0 } = this.last ?? {};
    return { strip, x: Math.min(x, this.view.exact.d - 1) };
  }

  caption() {
    const { header, state, query, chosenKey } = this.view;
    const names = [called(header.queries, query), called(header.keys, chosenKey)]
      .map((name) => `“\u2068${name}\u2069”`);
    return `${titleOf(state.head, header)}: ${names.join(" → ")}`;
  }

  /** The numbers of the pair: the three strips, the sum so far, and what it comes to. */
  numbers() {
    const { exact, state: { head }, query, chosenKey } = this.view,
      strips = exact.pair(head, query, chosenKey);
    let sum = 0;
    const sums = Float64Array.from(strips[2], (x) => (sum += x));
    const bound = (...some) =>
      roundedUp(Math.max(...some.map((all) => Math.max(...all.map(Math.abs)))));
    const both = bound(strips[0], strips[1]);
    return {
      strips, sums, sum, bounds: [both, both, bound(strips[2])],
      added: exact.added(head, query, chosenKey), score: exact.score(head, query, chosenKey),
      base: exact.base(head, query), missing: exact.missing(head, query),
      weight: exact.weight(head, query, chosenKey), masked: exact.masked(query, chosenKey),
    };
  }

  /** The sum, step by step, as lines of text. */
  equations({ sum, added, score, base, weight, masked, missing }) {
    const { exact, header } = this.view, bias = exact.line ? ` + bias ${exactly(added)}` : "";
    const left = exact.whole ? `log-sum${exact.sinks ? ` with ${header.sink}` : ""}`
      : "log-sum without special tokens";
    const scaled = sum * exact.scale, capped = exact.softcap ? [
      `${scaledBy(exact)} = ${exactly(scaled)}`,
      `${cappedBy(exact, exactly(scaled))}${bias} = score ${exactly(score)}`,
    ] : [`${scaledBy(exact)}${bias} = score ${exactly(score)}`];
    const unseen = header.causal ? "a later token is not seen" : header.seen;
    return [
      `Σ q·k = ${exactly(sum)}`,
      ...capped,
      masked ? `masked, so the weight is 0: ${unseen}`
        : missing ? `no weight: the row is missing, ${whyMissing(this.view, this.view.state.head)}`
          : `exp(score − ${left} ${exactly(base)}) = weight ${weighed(weight)}`,
    ];
  }

  /** How high all of it wants to be. */
  need(look, room) {
    const plan = this.plan(look, { ...room, height: Infinity });
    return plan.bottom - room.top;
  }

  plan(look, { top, width, height }) {
    const { header, query, chosenKey, exact } = this.view, { size } = look;
    if (this.none) {
      const none = wrapped(this.none, width - 4, look, 4), y = top + size;
      const foot = y + (none.length + 1) * 1.35 * size;
      return { none, y, strips: [], foot, bottom: foot + 26 };
    }
    const found = this.numbers(), names = [header.queries[query], header.keys[chosenKey], ""];
    const texts = names.map((name) => fitted(name, 0.2 * width, look));
    const left = Math.ceil(Math.max(widthOf("running", look),
      ...texts.map((text) => widthOf(text, look)),
      ...STRIPS.map((text) => widthOf(text, look, true)))) + 10;
    const large = 1.25 * size, equations = this.equations(found).flatMap((text, i, { length }) => {
      const bold = i === length - 1, most = ((width - 2) * size) / large;
      return wrapped(text, bold ? BOLD * most : most, look, 4).map((line) => ({ text: line, bold }));
    });
    const wide = width - left - widthOf(exactly(-found.bounds[2] * 4), look) - 10, pitch = wide / exact.d;
    const halves = pitch < SIGNED * size; // too narrow for a sign: it is where the colour stands
    const note = `dimensions 0 to ${exact.d - 1}; ${halves ? "green in the upper half is above 0, purple "
      + "in the lower half below" : "purple below 0, green above"}; full colour at `
      + `±${found.bounds[0]} (q and k) and ±${found.bounds[2]} (q×k)`;
    const alone = this.view.link.alone({ queries: query, keys: chosenKey });
    const notes = [note, alone].flatMap((text) => (text ? wrapped(text, width - 108, look, 4) : []));
    const y = Math.round(top + 0.3 * size);
    const foot = equations.length * 1.5 * large + notes.length * 1.35 * size + 26;
    const room = Math.max(150, height - (y - top) - foot), high = Math.min(52, (room - 3 * GAP) / 4.6);
    const chart = Math.min(120, 1.6 * high);
    return {
      found, texts, left, equations, notes, large, y, high, wide, chart, pitch, halves,
      tops: [0, 1, 2, 3].map((strip) => y + strip * (high + GAP)),
      bottom: y + 4.6 * high + 3 * GAP + foot,
    };
  }

  shapes(plan, look) {
    const { size } = look, { header, exact } = this.view, muted = { size, fill: look.muted };
    if (plan.none) return plan.none.map((text, i) =>
      ({ ...muted, text, x: 0, y: plan.y + i * 1.35 * size, part: "none" }));
    const { found, left, tops, high, pitch, wide, chart, halves } = plan, shapes = [];
    STRIPS.forEach((name, strip) => {
      const middle = tops[strip] + high / 2, two = plan.texts[strip] !== "";
      shapes.push({
        text: name, x: left - 8, y: middle - (two ? 0.6 * size : 0), size, bold: true, fill: look.ink,
          anchor: "end", part: "strip",
      });
      if (two) shapes.push({ ...muted, text: plan.texts[strip], x: left - 8, y: middle + 0.65 * size,
        anchor: "end", part: "of" });
      const scale = { kind: "signed", bound: found.bounds[strip], ...header.signed },
        palette = paletteOf(scale, look);
      found.strips[strip].forEach((value, x) => {
        const colour = palette.colours[palette.at(value)];
        const edges = [left + x * pitch, left + (x + 1) * pitch];
        const top = tops[strip] + (halves && value < 0 ? high / 2 : 0);
        shapes.push({ rect: [edges[0], top, edges[1] - edges[0], halves ? high / 2 : high], fill: colour,
          part: "cell", of: strip * exact.d + x });
        if (halves || palette.strength(palette.at(value)) < 13) return;
        const apart = (other) => Math.abs(light(other) - light(colour));
        shapes.push({
          text: value < 0 ? "−" : "+", x: (edges[0] + edges[1]) / 2, y: tops[strip] + high / 2,
            size: 0.9 * size,
          anchor: "middle", fill: apart(look.paper) > apart(look.ink) ? look.paper : look.ink,
            part: "sign",
        });
      });
      const zero = [left, tops[strip] + high / 2 - 0.5, wide, 1];
      if (halves) shapes.push({ rect: zero, fill: mix(look.paper, look.ink, 0.3), part: "zero" });
      shapes.push({ rect: [left - 0.5, tops[strip] - 0.5, wide + 1, high + 1],
        stroke: mix(look.paper, look.ink, 0.3) });
    });
    shapes.push(...this.running(plan, look));
    let y = tops[3] + chart + 1.5 * size;
    plan.equations.forEach((line) => {
      shapes.push({ ...line, x: 0, y: y + 0.3 * size, size: plan.large, fill: look.ink, part: "sum" });
      y += 1.5 * plan.large;
    });
    plan.notes.forEach((text, i) =>
      shapes.push({ ...muted, text, x: 0, y: y + 0.6 * size + i * 1.35 * size, part: "note" }));
    plan.foot = y;
    return shapes;
  }

  /** The sum so far, dimension by dimension, from 0 to Σ. */
  running({ found, left, tops, wide, chart, pitch }, look) {
    const { sums, sum } = found, { size } = look, top = tops[3];
    const low = Math.min(0, ...sums), high = Math.max(0, ...sums), span = high - low || 1;
    const y = (value) => top + ((high - value) / span) * chart;
    const steps = [[left, y(0)]];
    sums.forEach((value, x) => steps.push([left + x * pitch, y(value)],
      [left + (x + 1) * pitch, y(value)]));
    const end = y(sum), [first, last] = [left - 8, left + wide];
    return [
      { path: `${lineOf([...steps, [last, y(0)]])}z`, fill: mix(look.paper, look.ink, 0.12),
        part: "area" },
      { path: lineOf([[left, y(0)], [last, y(0)]]), stroke: mix(look.paper, look.ink, 0.4), wide: 1,
        part: "zero" },
      { path: lineOf(steps), stroke: look.ink, wide: 1.6, part: "running" },
      { text: "running", x: first, y: top + chart / 2 - 0.65 * size, size, fill: look.muted,
        anchor: "end", part: "of" },
      { text: "sum", x: first, y: top + chart / 2 + 0.65 * size, size, fill: look.muted, anchor: "end",
        part: "of" },
      { text: exactly(sum), x: last + 5, y: end, size, bold: true, fill: look.ink, part: "total" },
    ];
  }

  paint(look, room) {
    const plan = (this.planned = this.plan(look, room)), { width } = this.view,
      shapes = this.shapes(plan, look);
    if (plan.none) return { shapes, area: [0, plan.y - look.size, width, 4 * look.size],
      bar: plan.foot, end: width };
    const { left, y, wide, high } = plan;
    return { shapes, area: [left, y, wide, 3 * (high + GAP)], bar: plan.foot + 1, end: width };
  }

  still(look, room) {
    return { shapes: this.shapes(this.plan(look, room), look) };
  }

  under(x, y) {
    const { high, pitch, none } = this.planned;
    if (none) return null;
    return {
      strip: Math.min(2, Math.floor(y / (high + GAP))),
      x: Math.max(0, Math.min(this.view.exact.d - 1, Math.floor(x / pitch))),
    };
  }

  chosen(thing) {
    this.last = thing;
    return {};
  }

  moved = (thing) => this.chosen(thing);

  next(event) {
    const { here, exact } = this.view;
    if (!here) return null;
    const strip = { ArrowUp: Math.max(0, here.strip - 1),
      ArrowDown: Math.min(2, here.strip + 1) }[event.key];
    if (strip !== undefined && !event.ctrlKey) return { ...here, strip };
    const x = stepped(event, here.x, exact.d, PAGE, ["ArrowLeft", "ArrowRight"]);
    return x === null ? null : { ...here, x };
  }

  told({ strip, x }) {
    const { found, left, pitch, tops, high } = this.planned,
      [q, k, product] = found.strips.map((all) => exactly(all[x]));
    const said = [`${q}, k ${k}`, `${k}, q ${q}`,
      `q ${q} × k ${k} = ${product}; sum so far ${exactly(found.sums[x])}`][strip];
    return {
      parts: [`${STRIPS[strip]}, dimension ${x}`], said, x: left + (x + 0.5) * pitch, top: tops[strip],
        bottom: tops[strip] + high,
    };
  }

  box({ strip, x }) {
    if (this.planned.none) return null;
    const { left, pitch, tops, high } = this.planned, wide = Math.max(9, pitch + 3);
    return [left + (x + 0.5) * pitch - wide / 2, tops[strip] - 2, wide, high + 4];
  }

  table() {
    const { exact } = this.view;
    if (this.none) return [this.none, [], []];
    const { strips } = this.numbers(), top = largest(strips[2].map(Math.abs), 20);
    return [
      `The largest ${top.length} of ${exact.d} products`, ["dimension", "q", "k", "q×k"],
      top.map((x) => [String(x), ...strips.map((all) => exactly(all[x]))]),
    ];
  }
}
