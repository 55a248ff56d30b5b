// The zoom level of one query with one key: q, k and their elementwise product, which sums to the score.
/** @import { LayerState } from "../states" */
/** @import { Box, Look, Place, Shape, SignedColours, Tip } from "../types" */
/** @import { Layer } from "./layer.js" */
/** @import { DimensionThing, LevelPlan, LevelRoom, LevelStill, ZoomLevel } from "./types" */
import { decimal, m } from "../runtime/language.js";
import { paletteOf } from "../draw/cells.js";
import { lineOf } from "../draw/polylines.js";
import { cappedBy, exactly, largest, roundedUp, scaledBy, stepped, weighed, PAGE } from "../draw/written.js";
import { fitted, light, mix, widthOf, wrapped } from "../runtime/shared.js";
import { leftOut } from "../draw/leftout.js";
import { oneHead, quotedKey, quotedQuery, titleOfHead, whyMissing } from "./names.js";

/** @typedef {ReturnType<ProductLevel["numbers"]>} PairNumbers */

/**
 * The layout of the strips and the words.
 * @typedef {object} StripsPlan
 * @property {PairNumbers} pair
 * @property {string[]} strips the names of the strips, with large letters and their tokens
 * @property {string[]} texts the tokens of q and k that have a line of their own
 * @property {number} left the left edge of the strips
 * @property {{ text: string, bold: boolean }[]} equations
 * @property {string[]} notes
 * @property {number} large the size of the equations' letters
 * @property {number} y
 * @property {number} high the height of a strip
 * @property {number} wide its width
 * @property {number} chart the height of the running sum
 * @property {number} pitch of the dimensions
 * @property {boolean} halves whether the position of the colour shows the sign of a number
 * @property {number[]} tops of the strips and of the running sum
 * @property {number} bottom
 */

/**
 * Why there is no product, in lines.
 * @typedef {{ none: string[], y: number, foot: number, bottom: number }} NoPlan
 */

const STRIPS = ["q", "k", "q×k"];
const GAP = 12; // pixels between two strips
const LARGE = 20; // pixels: with larger letters, a strip's name and its token share a line, so that strips may be lower
const BOLD = 0.9; // of a line: the share that bold text can fill if regular text fills it completely
const SIGNED = 1.1; // in multiples of the letter size: the width from which a cell has room for its sign

/** @implements {ZoomLevel<DimensionThing>} */
export class ProductLevel {
  role = m("strips of numbers");

  /** The last position of the keyboard cursor. @type {DimensionThing} */
  last = { strip: 2, x: 0 };
  /** The current layout; null if there is no product. @type {?StripsPlan} */
  planned = null;

  /** @param {Layer} layer */
  constructor(layer) {
    this.layer = layer;
  }

  get keys() {
    return this.none ?? m("Left, Right, Home and End go through the dimensions, Up and Down through the strips.");
  }

  /** Why there is no product; null if there is one. */
  get none() {
    const { attention, state: { head }, header } = this.layer;
    if (attention.hasScores(head)) return null;
    if (attention.scored && attention.absent.has(head)) {
      return m("There is no product here: {why}.", { why: whyMissing(this.layer, head) });
    }
    return attention.scored ? oneHead() : header.whyNoScores;
  }

  /** @returns {?DimensionThing} */
  here() {
    if (this.none) return null;
    const { strip, x } = this.last;
    return { strip, x: Math.min(x, this.layer.attention.d - 1) };
  }

  caption() {
    const { header, state, query, chosenKey } = this.layer;
    return `${titleOfHead(state.head, header)}: ${quotedQuery(header, query)} → ${quotedKey(header, chosenKey)}`;
  }

  // --- The numbers of the pair ------------------------------------------------------------------------

  /** The three strips, the running sum, and the total. */
  numbers() {
    const { attention, state: { head }, query, chosenKey } = this.layer;
    const strips = attention.elementwise(head, query, chosenKey);
    let sum = 0;
    const sums = Float64Array.from(strips[2], (x) => (sum += x));
    const bound = (/** @type {(Float32Array | Float64Array)[]} */ ...some) =>
      roundedUp(Math.max(...some.map((all) => Math.max(...all.map(Math.abs)))));
    const both = bound(strips[0], strips[1]);
    return {
      strips, sums, sum, bounds: [both, both, bound(strips[2])],
      bias: attention.bias(head, query, chosenKey), score: attention.score(head, query, chosenKey),
      logSum: attention.logSum(head, query), missing: attention.missing(head, query),
      weight: attention.weight(head, query, chosenKey), masked: attention.masked(query, chosenKey),
    };
  }

  /** The sum, step by step, as lines of text. @param {PairNumbers} pair */
  #equations({ sum, bias, score, logSum, weight, masked, missing }) {
    const { attention, header, state: { head } } = this.layer, { softcap } = attention;
    const more = attention.biased ? m(" + bias {bias}", { bias: exactly(bias) }) : "";
    const over = !attention.whole ? m("the row without {what}", { what: leftOut(header) })
      : attention.sinks ? m("the row and {where}", { where: header.sink }) : m("the row");
    const scored = m("score {score}", { score: exactly(score) }), scaled = sum * attention.scale, capped = softcap ? [
      `${scaledBy(attention)} = ${exactly(scaled)}`,
      `${cappedBy({ softcap }, exactly(scaled))}${more} = ${scored}`,
    ] : [`${scaledBy(attention)}${more} = ${scored}`];
    const seen = header.causal ? m("later tokens are not visible") : header.maskDescription;
    return [
      `Σ q·k = ${exactly(sum)}`,
      ...capped,
      masked ? m("masked, so the weight is 0: the score becomes −∞ before the softmax, and e^−∞ = 0; {seen}", { seen })
        : missing ? m("no weight: the row is missing{why}", { why: m(", {why}", { why: whyMissing(this.layer, head) }) })
          : m("e^score ÷ (Σ e^score over {over} = e^{sum}) = weight {weight}", { over, sum: exactly(logSum), weight: weighed(weight) }),
    ];
  }

  // --- Layout -----------------------------------------------------------------------------------------

  /** @param {Look} look @param {LevelRoom} room */
  need(look, room) {
    return this.plan(look, { ...room, height: Infinity }).bottom - room.top;
  }

  /** @param {Look} look @param {LevelRoom} room @returns {StripsPlan | NoPlan} */
  plan(look, { top, width, height }) {
    const { header, query, chosenKey, attention, linked } = this.layer, { size } = look;
    if (this.none) {
      const none = wrapped(this.none, width - 4, look, 4), y = top + size;
      const foot = y + (none.length + 1) * 1.35 * size;
      return { none, y, foot, bottom: foot + 26 };
    }
    const pair = this.numbers(), names = [header.queries[query], header.keys[chosenKey], ""];
    const texts = names.map((name) => fitted(name, 0.2 * width, look)), inLine = size > LARGE;
    const strips = STRIPS.map((name, i) => (inLine ? `${name} ${texts[i]}` : name));
    if (inLine) texts.length = 0;
    const left = Math.ceil(Math.max(widthOf(m("running"), look),
      ...texts.map((text) => widthOf(text, look)),
      ...strips.map((text) => widthOf(text, look, true)))) + 10;
    const large = (inLine ? 0.9 : 1.25) * size, equations = this.#equations(pair).flatMap((text, i, { length }) => {
      const bold = i === length - 1, most = ((width - 2) * size) / large;
      return wrapped(text, bold ? BOLD * most : most, look, 4).map((line) => ({ text: line, bold }));
    });
    const wide = width - left - widthOf(exactly(-pair.bounds[2] * 4), look) - 10, pitch = wide / attention.d;
    const halves = pitch < SIGNED * size; // too narrow for a sign, so the position of the colour shows it
    const [each, , both] = pair.bounds.map((bound) => decimal(String(bound)));
    const signs = halves ? m("green in the upper half is above 0, purple in the lower half is below 0") : m("purple below 0, green above");
    const note = m("dimensions 0 to {last}; {signs}; full colour at ±{each} (q and k) and ±{both} (q×k)", { last: attention.d - 1, signs, each, both });
    const alone = linked.missingBeside({ queries: query, keys: chosenKey });
    const notes = [note, alone].flatMap((text) => (text ? wrapped(text, width - 108, look, 4) : []));
    const y = Math.round(top + 0.3 * size);
    const foot = equations.length * 1.5 * large + notes.length * 1.35 * size + 26;
    const room = Math.max(150, height - (y - top) - foot), high = Math.min(52, (room - 3 * GAP) / 4.6);
    const chart = Math.min(120, 1.6 * high);
    return {
      pair, strips, texts, left, equations, notes, large, y, high, wide, chart, pitch, halves,
      tops: [0, 1, 2, 3].map((strip) => y + strip * (high + GAP)),
      bottom: y + 4.6 * high + 3 * GAP + foot,
    };
  }

  /** All shapes, and the height at which the words begin. @param {StripsPlan | NoPlan} plan @param {Look} look */
  drawn(plan, look) {
    const { size } = look, muted = { size, fill: look.muted };
    if ("none" in plan) {
      /** @type {Shape[]} */
      const lines = plan.none.map((text, i) => ({ ...muted, text, x: 0, y: plan.y + i * 1.35 * size, part: "none" }));
      return { shapes: lines, foot: plan.foot };
    }
    const shapes = STRIPS.flatMap((_, strip) => this.#strip(strip, plan, look));
    shapes.push(...this.#running(plan, look));
    let y = plan.tops[3] + plan.chart + size;
    for (const line of plan.equations) {
      shapes.push({ ...line, x: 0, y: y + 0.3 * size, size: plan.large, fill: look.ink, part: "sum" });
      y += 1.5 * plan.large;
    }
    plan.notes.forEach((text, i) =>
      shapes.push({ ...muted, text, x: 0, y: y + 0.6 * size + i * 1.35 * size, part: "note" }));
    return { shapes, foot: y };
  }

  /** One of q, k and q×k: its name, its token, its cells. @param {number} strip @param {StripsPlan} plan @param {Look} look */
  #strip(strip, plan, look) {
    const { header, attention } = this.layer, { size } = look, { pair, left, high, pitch, wide, halves } = plan;
    const top = plan.tops[strip], middle = top + high / 2, token = plan.texts[strip], edge = mix(look.paper, look.ink, 0.3);
    /** @type {Shape[]} */
    const shapes = [{
      text: plan.strips[strip], x: left - 8, y: middle - (token ? 0.6 * size : 0), size, bold: true, fill: look.ink,
      anchor: "end", part: "strip",
    }];
    if (token) {
      shapes.push({ text: token, x: left - 8, y: middle + 0.65 * size, size, fill: look.muted, anchor: "end", part: "of" });
    }
    /** @type {SignedColours} */
    const scale = { kind: "signed", bound: pair.bounds[strip], ...header.signed };
    const palette = paletteOf(scale, look);
    pair.strips[strip].forEach((value, x) => {
      const colour = palette.colours[palette.at(value)], from = left + x * pitch, to = left + (x + 1) * pitch;
      shapes.push({
        rect: [from, top + (halves && value < 0 ? high / 2 : 0), to - from, halves ? high / 2 : high], fill: colour,
        part: "cell", of: strip * attention.d + x,
      });
      if (halves || palette.strength(palette.at(value)) < 13) return;
      const contrast = (/** @type {import("../types").RGB} */ other) => Math.abs(light(other) - light(colour));
      shapes.push({
        text: value < 0 ? "−" : "+", x: (from + to) / 2, y: middle, size: 0.9 * size, anchor: "middle",
        fill: contrast(look.paper) > contrast(look.ink) ? look.paper : look.ink, part: "sign",
      });
    });
    if (halves) shapes.push({ rect: [left, middle - 0.5, wide, 1], fill: edge, part: "zero" });
    shapes.push({ rect: [left - 0.5, top - 0.5, wide + 1, high + 1], stroke: edge });
    return shapes;
  }

  /**
   * The running sum, dimension by dimension, from 0 to Σ.
   * @param {StripsPlan} plan @param {Look} look @returns {Shape[]}
   */
  #running({ pair: { sums, sum }, left, tops, wide, chart, pitch }, look) {
    const { size } = look, top = tops[3], first = left - 8, last = left + wide;
    const low = Math.min(0, ...sums), high = Math.max(0, ...sums), span = high - low || 1;
    const y = (/** @type {number} */ value) => top + ((high - value) / span) * chart;
    /** @type {Place[]} */
    const steps = [[left, y(0)]];
    sums.forEach((value, x) => steps.push([left + x * pitch, y(value)], [left + (x + 1) * pitch, y(value)]));
    return [
      { path: `${lineOf([...steps, [last, y(0)]])}z`, fill: mix(look.paper, look.ink, 0.12), part: "area" },
      { path: lineOf([[left, y(0)], [last, y(0)]]), stroke: mix(look.paper, look.ink, 0.4), wide: 1, part: "zero" },
      { path: lineOf(steps), stroke: look.ink, wide: 1.6, part: "running" },
      ...[m("running"), m("sum")].map((text, i) => /** @type {Shape} */ ({
        text, x: first, y: top + chart / 2 + (i - 0.5) * 1.3 * size, size, fill: look.muted, anchor: "end", part: "of",
      })),
      { text: exactly(sum), x: last + 5, y: y(sum), size, bold: true, fill: look.ink, part: "total" },
    ];
  }

  // --- Painting and saving ----------------------------------------------------------------------------

  /** @param {Look} look @param {LevelRoom} room @returns {LevelPlan} */
  paint(look, room) {
    const plan = this.plan(look, room), { width } = this.layer, { shapes, foot } = this.drawn(plan, look);
    if ("none" in plan) {
      this.planned = null;
      return { shapes, area: [0, plan.y - look.size, width, 4 * look.size], bar: foot, end: width };
    }
    this.planned = plan;
    return { shapes, area: [plan.left, plan.y, plan.wide, 3 * (plan.high + GAP)], bar: foot + 1, end: width };
  }

  /** @param {Look} look @param {LevelRoom} room @returns {LevelStill} */
  still(look, room) {
    return { shapes: this.drawn(this.plan(look, room), look).shapes };
  }

  /** The area of the strips, once there is something to point at. */
  get #strips() {
    if (!this.planned) throw new Error("There is no product to read.");
    return this.planned;
  }

  // --- Pointer and keys -------------------------------------------------------------------------------

  /** @param {number} x @param {number} y @returns {?DimensionThing} */
  under(x, y) {
    if (!this.planned) return null;
    const { high, pitch } = this.planned;
    return {
      strip: Math.min(2, Math.floor(y / (high + GAP))),
      x: Math.max(0, Math.min(this.layer.attention.d - 1, Math.floor(x / pitch))),
    };
  }

  /** Dimensions are not part of the state. @param {DimensionThing} thing @returns {Partial<LayerState>} */
  chosen(thing) {
    this.last = thing;
    return {};
  }

  /** @param {DimensionThing} thing */
  moved(thing) {
    return this.chosen(thing);
  }

  /** @param {KeyboardEvent} event @returns {?DimensionThing} */
  next(event) {
    const { attention } = this.layer, here = /** @type {?DimensionThing} */ (this.layer.here);
    if (!here) return null;
    if (event.key === "ArrowUp" && !event.ctrlKey) return { ...here, strip: Math.max(0, here.strip - 1) };
    if (event.key === "ArrowDown" && !event.ctrlKey) return { ...here, strip: Math.min(2, here.strip + 1) };
    const x = stepped(event, here.x, attention.d, PAGE, ["ArrowLeft", "ArrowRight"]);
    return x === null ? null : { ...here, x };
  }

  /** @param {DimensionThing} thing @returns {Tip} */
  tipOf({ strip, x }) {
    const { pair, left, pitch, tops, high } = this.#strips;
    const [q, k, product] = pair.strips.map((all) => exactly(all[x]));
    const said = [`${q}, k ${k}`, `${k}, q ${q}`,
      m("q {q} × k {k} = {product}; sum so far {sum}", { q, k, product, sum: exactly(pair.sums[x]) })][strip];
    return {
      parts: [STRIPS[strip] + m(", dimension ") + x], said, x: left + (x + 0.5) * pitch, top: tops[strip],
      bottom: tops[strip] + high,
    };
  }

  /** The frame around a dimension. @param {DimensionThing} thing @returns {?Box} */
  box({ strip, x }) {
    if (!this.planned) return null;
    const { left, pitch, tops, high } = this.planned, wide = Math.max(9, pitch + 3);
    return [left + (x + 0.5) * pitch - wide / 2, tops[strip] - 2, wide, high + 4];
  }

  /** @returns {[caption: string, names: string[], rows: string[][]]} */
  table() {
    const { attention } = this.layer;
    if (this.none) return [this.none, [], []];
    const { strips } = this.numbers(), top = largest(strips[2].map(Math.abs), 20);
    return [
      m("The {count} largest of {all} products", { count: top.length, all: attention.d }), [m("dimension"), "q", "k", "q×k"],
      top.map((x) => [String(x), ...strips.map((all) => exactly(all[x]))]),
    ];
  }
}
