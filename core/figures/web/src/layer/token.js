// The zoom level of one token of one head: its whole row as bars, before and after softmax.
/** @import { LayerState } from "../states" */
/** @import { Box, Look, Run, Shape, Tip } from "../types" */
/** @import { Attention } from "./attention.js" */
/** @import { Layer } from "./layer.js" */
/** @import { BarThing, LevelPlan, LevelRoom, LevelStill, Pointed, ZoomLevel } from "./types" */
import { decimal, m } from "../runtime/language.js";
import { hatching } from "../draw/hatch.js";
import { called, cappedBy, exactly, footHigh, inSight, largest, partOf, roundedUp, scaledBy, stepped, weighed, PAGE,
  SCROLLBAR } from "../draw/written.js";
import { later } from "../runtime/later.js";
import { SAVE_ROOM, fitted, mix, widthOf, wrapped } from "../runtime/shared.js";
import { noScores, quotedQuery, scaledWords, titleOfHead, whyMissing } from "./names.js";
import { MEAN } from "./state.js";

/**
 * A key with its weight and score.
 * @typedef {object} Bar
 * @property {number} j
 * @property {boolean} masked
 * @property {number} weight
 * @property {?number} score null for none
 * @property {boolean} strong whether its weight is one of the strongest
 */

/**
 * The layout of the bars.
 * @typedef {object} BarsPlan
 * @property {Bar[]} bars
 * @property {string[]} names
 * @property {number} y the top of the window
 * @property {number} window how high it is
 * @property {number} pitch of the rows
 * @property {number} content how high all of them are
 * @property {number} offset how far they are scrolled
 * @property {string[]} texts the words below
 * @property {number} end the weight of a full bar
 * @property {number} bound the score of a full bar
 * @property {number} whole the width of a row
 * @property {[left: number, width: number]} weight the position of the bars for weights
 * @property {?[left: number, width: number]} score the position of those for scores
 * @property {(row: number) => number} middle of a row
 * @property {Run} range which rows are in the window
 * @property {number} foot the top of the words below
 */

const ROW_PITCH = [1.55, 2.1]; // of a row, in multiples of the letter size
const NAMED = 20; // keys in bold, the strongest
const BAR_SHARE = 0.56; // the height of a bar, as a share of its row
const WIDEST = 900; // pixels

/**
 * The weight of a full bar: 1, 0.5, 0.2, 0.1, … A bar that is full at 0.63 would read as a weight of 1.
 * @param {number} most the largest weight of the row
 */
export const fullBar = (most) => {
  if (!(most > 0)) return 1;
  const unit = 10 ** Math.ceil(Math.log10(most) - 1e-9), round = [0.1, 0.2, 0.5, 1].map((one) => one * unit);
  return Number((round.find((one) => one * (1 + 1e-6) >= most) ?? unit).toPrecision(1));
};

/** @implements {ZoomLevel<BarThing>} */
export class TokenLevel {
  role = m("bars");
  keys = m("Up and Down, Home, End, Page Up and Page Down read the bars one by one.");

  /** The last result of `bars`, with the numbers and choices that it was made for. @type {Bar[]} */
  #cached = [];
  #cachedChoice = "";
  /** @type {?Attention} */
  #cachedOf = null;

  /** The current layout. @type {BarsPlan} */
  planned = later();

  /** @param {Layer} layer */
  constructor(layer) {
    this.layer = layer;
  }

  /** @returns {BarThing} */
  here() {
    return { j: this.layer.chosenKey };
  }

  caption() {
    const { header, state, query } = this.layer;
    return m("{head}: what {token} attends to", { head: titleOfHead(state.head, header), token: quotedQuery(header, query) });
  }

  get scored() {
    return this.layer.attention.hasScores(this.layer.state.head);
  }

  /** Whether the row is missing. */
  get missing() {
    return this.layer.attention.missing(this.layer.state.head, this.layer.query);
  }

  /** The keys in display order, each with its weight and score. */
  bars() {
    const { attention, state, query } = this.layer, { keys } = attention, { head, sort } = state;
    const choice = JSON.stringify([head, query, sort, attention.whole]);
    if (this.#cachedChoice === choice && this.#cachedOf === attention) return this.#cached;
    const row = attention.row(head, query), { scored, missing } = this;
    const strongest = new Set(largest(row, NAMED).map((c) => keys[c]));
    /** @type {Bar[]} */
    const bars = keys.map((j, c) => {
      const masked = attention.masked(query, j) && !missing, weight = row[c];
      return {
        j, masked, weight, score: scored && !masked ? attention.score(head, query, j) : null,
        strong: keys.length > NAMED && strongest.has(j) && weight > 0,
      };
    });
    if (sort === "size") bars.sort((a, b) => (b.weight - a.weight || 0) || a.j - b.j);
    this.#cached = bars;
    this.#cachedChoice = choice;
    this.#cachedOf = attention;
    return bars;
  }

  // --- The words below --------------------------------------------------------------------------------

  /** @param {Bar[]} bars @param {number} end @param {number} bound */
  note(bars, end, bound) {
    const { attention, header, state: { head }, query, linked } = this.layer, { missing } = this;
    const alone = linked.missingBeside({ queries: query });
    const texts = [`${this.caption()}.`];
    if (missing) {
      texts.push(m("This row is missing: {why}", { why: whyMissing(this.layer, head) }) + (header.kind === "none" ? "" : "."));
    } else {
      const seen = bars.filter(({ masked }) => !masked).length;
      const sum = attention.row(head, query).reduce((all, weight) => all + weight, 0);
      texts.push(m("Σ of {count} weights = {sum}{more}.", { count: seen, sum: exactly(sum), more: this.#beyondWords() }));
    }
    if (!this.scored) {
      if (!missing) texts.push(m("A full bar is {end}.", { end: decimal(String(end)) }));
      const absent = header.kind === "none" || attention.absent.has(head); // already said elsewhere
      return [...texts, absent ? "" : attention.scored ? noScores() : header.whyNoScores, alone].join(" ").trim();
    }
    if (missing) texts.push(m("Scores reach to ±{bound}.", { bound: decimal(String(bound)) }));
    else texts.push(m("A full bar of weight is {end}; scores reach to ±{bound}.", { end: decimal(String(end)), bound: decimal(String(bound)) }),
      m("weight = e^score ÷ (Σ e^score over the row = e^{sum}).", { sum: exactly(attention.logSum(head, query)) }));
    return [...texts, alone].join(" ").trim();
  }

  /** How the weights were rescaled, and the share that goes to no token. */
  #beyondWords() {
    const { attention, header, state: { head }, query } = this.layer, mean = header.isMean || head === MEAN;
    const seen = header.causal || !attention.mask.any ? "" : `; ${header.maskDescription}`;
    if (!attention.whole) return `; ${scaledWords(header, mean)}${this.#fewerHeadsWords()}${seen}`;
    const sink = attention.sinks
      ? m("; the other {share} goes to {where}", { share: exactly(attention.sinkWeight(head, query)), where: header.sink }) : "";
    return sink + this.#fewerHeadsWords() + seen;
  }

  /** For a mean, how many heads have the row, if some do not. */
  #fewerHeadsWords() {
    const { attention, state: { head }, query } = this.layer, { length } = attention.present;
    const have = attention.present.filter((one) => !attention.missing(one, query)).length;
    return head !== MEAN || have === length ? ""
      : m("; the mean of the {count} of {all} heads that have this row", { count: have, all: length });
  }

  // --- Layout -----------------------------------------------------------------------------------------

  /** The ends of the bars, and the words below. @param {Look} look @param {number} width */
  #measured(look, width) {
    const bars = this.bars(), end = fullBar(Math.max(...bars.map(({ weight }) => weight || 0)));
    const bound = roundedUp(Math.max(...bars.map(({ score }) => Math.abs(score ?? 0))));
    const texts = wrapped(this.note(bars, end, bound), width - SAVE_ROOM - 8, look, 9);
    return { bars, end, bound, texts, foot: footHigh(texts, look) };
  }

  /** @param {Look} look @param {LevelRoom} room */
  need(look, { width }) {
    const { bars, foot } = this.#measured(look, width);
    return (1.8 + ROW_PITCH[1] * bars.length) * look.size + foot + 1;
  }

  /** @param {Look} look @param {LevelRoom} room @returns {BarsPlan} */
  plan(look, { top, width, height }) {
    const { layer } = this, { header } = layer, { size } = look;
    const { bars, end, bound, texts, foot } = this.#measured(look, width);
    const y = Math.round(top + 1.8 * size), window = Math.round(height - (y - top) - foot);
    const pitch = Math.max(ROW_PITCH[0] * size, Math.min(ROW_PITCH[1] * size, window / bars.length));
    const content = pitch * bars.length, scrolls = content > window + 1, shown = Math.min(window, content);
    const seen = /** @type {BarThing} */ (layer.linked.thing ?? layer.here);
    const offset = layer.scroll.within(window, content, pitch, bars.findIndex(({ j }) => j === seen.j));
    const names = bars.map(({ j }) => fitted(header.keys[j], 0.24 * width, look));
    const whole = Math.min(width - (scrolls ? SCROLLBAR : 2), WIDEST);
    const number = widthOf("−00.0000", look) + 6, name = Math.max(...names.map((text) => widthOf(text, look, true)));
    const left = Math.round(name + 10), rest = whole - left - number - (this.scored ? number + 14 : 0);
    const wide = Math.max(20, Math.round(this.scored ? rest * 0.58 : rest)), from = left + wide + number + 14;
    return {
      bars, names, y, window: shown, pitch, content, offset, texts, end, bound, whole,
      weight: [left, wide], score: this.scored ? [from, Math.max(20, whole - from - number)] : null,
      middle: (row) => y + (row + 0.5) * pitch - offset,
      range: [Math.max(0, Math.floor(offset / pitch)), Math.min(bars.length, Math.ceil((offset + shown) / pitch))],
      foot: y + shown + 12,
    };
  }

  /** @param {BarsPlan} plan @param {Look} look */
  shapes(plan, look) {
    const { header } = this.layer, { bars, names, y, weight: [left, wide], score: scores, end, bound } = plan;
    const { size } = look, signed = header.signed[look.dark ? "dark" : "light"];
    /** @type {Shape[]} */
    const shapes = [];
    const heading = (/** @type {string} */ text, /** @type {number} */ x) =>
      shapes.push({ text, x, y: y - 0.9 * size, size: 0.92 * size, fill: look.muted, part: "heading" });
    const narrow = this.layer.width < 480, high = BAR_SHARE * plan.pitch;
    const seen = inSight(plan, plan.range, look), { missing } = this;
    heading((narrow ? m("weight") : m("weight, after softmax")) + partOf(seen, bars.length), left);
    if (scores) heading(narrow ? m("score") : m("score, before softmax"), scores[0]);
    for (const row of seen) {
      const { j, masked, weight, score, strong } = bars[row], middle = plan.middle(row);
      const at = { y: middle, size, of: j }, top = middle - high / 2;
      const fill = masked || weight < 1e-6 ? look.muted : look.ink;
      shapes.push({ ...at, text: names[row], x: left - 8, anchor: "end", bold: strong, fill, part: "key" });
      if (masked) {
        shapes.push({ ...at, text: m("masked"), x: left + 4, fill: look.muted, part: "masked" });
        shapes.push({ ...at, text: "0", x: left + wide + 6, fill: look.muted, part: "hidden" });
        if (scores) {
          shapes.push({ ...at, text: "−∞", x: scores[0] + scores[1] + 6, fill: look.muted, part: "hidden" });
        }
        continue;
      }
      const long = (wide * weight) / end, number = { ...at, fill: look.ink, bold: strong };
      shapes.push({ rect: [left, top, wide, high], fill: mix(look.paper, look.ink, 0.05) });
      if (missing) {
        const room = { x: left, y: top, width: wide, height: high };
        shapes.push(...hatching([[[0, 1]]], 1, room, look, "missing"));
      } else shapes.push({ rect: [left, top, long, high], fill: header.hue, part: "bar", of: j });
      shapes.push({ ...number, text: weighed(weight), x: left + wide + 6, part: "weight" });
      if (!scores || score === null) continue;
      const [from, room] = scores, zero = from + room / 2, reach = (room / 2) * Math.min(1, Math.abs(score) / bound);
      shapes.push({ rect: [from, top, room, high], fill: mix(look.paper, look.ink, 0.05) });
      shapes.push({
        rect: [score < 0 ? zero - reach : zero, top, reach, high], fill: signed[score < 0 ? 0 : 1],
        part: "signed", of: j,
      });
      shapes.push({ rect: [zero - 0.5, top - 1, 1, high + 2], fill: look.muted });
      shapes.push({ ...number, text: exactly(score), x: from + room + 6, part: "score" });
    }
    plan.texts.forEach((text, i) => shapes.push({
      text, x: 0, y: plan.foot + 0.5 * size + i * 1.35 * size, size, fill: look.muted, part: "note",
    }));
    return shapes;
  }

  // --- Painting and saving ----------------------------------------------------------------------------

  /** @param {Look} look @param {LevelRoom} room @returns {LevelPlan} */
  paint(look, room) {
    const plan = (this.planned = this.plan(look, room)), { y, window, content, whole } = plan, { width } = this.layer;
    return {
      shapes: this.shapes(plan, look), content, bar: plan.foot, end: width,
      area: [0, y, content > window + 1 ? width : whole, window],
    };
  }

  /** @param {Look} look @param {LevelRoom} room @returns {LevelStill} */
  still(look, room) {
    return { shapes: this.shapes(this.plan(look, room), look) };
  }

  // --- Pointer and keys -------------------------------------------------------------------------------

  /** @param {number} j */
  #rowOf(j) {
    return this.planned.bars.findIndex((bar) => bar.j === j);
  }

  /** @param {number} x @param {number} y @returns {?BarThing} */
  under(x, y) {
    const { bars, offset, pitch } = this.planned, bar = bars[Math.floor((y + offset) / pitch)];
    return bar ? { j: bar.j } : null;
  }

  /** @param {BarThing} bar @returns {Partial<LayerState>} */
  chosen({ j }) {
    return { key: j };
  }

  /** @param {BarThing} bar */
  moved(bar) {
    return this.chosen(bar);
  }

  /** @param {BarThing} bar @returns {Pointed} */
  toPointed({ j }) {
    return { query: null, key: j };
  }

  /** @param {Pointed} pointed @returns {?BarThing} */
  fromPointed({ key }) {
    return key !== null && this.layer.attention.keys.includes(key) ? { j: key } : null;
  }

  /** @param {KeyboardEvent} event @returns {?BarThing} */
  next(event) {
    const here = /** @type {BarThing} */ (this.layer.here);
    const bars = this.bars(), row = bars.findIndex(({ j }) => j === here.j);
    const to = stepped(event, row, bars.length, PAGE);
    return to === null ? null : { j: bars[to].j };
  }

  /** @param {BarThing} bar @returns {Tip} */
  tipOf({ j }) {
    const { header, attention, state: { head }, query } = this.layer;
    const row = this.#rowOf(j), y = this.planned.middle(row), { weight, score, masked } = this.planned.bars[row];
    const at = { parts: [called(header.keys, j)], x: this.planned.weight[0] + 60, top: y - 10, bottom: y + 10 };
    if (masked) return { ...at, said: this.scored ? m("weight 0, score −∞: masked") : m("weight 0: masked") };
    if (score === null) return { ...at, said: m("weight {weight}", { weight: weighed(weight) }) };
    const { softcap } = attention, bias = attention.bias(head, query, j), more = bias ? m(" + bias {bias}", { bias: exactly(bias) }) : "";
    const scaled = `q·k ${exactly(attention.product(head, query, j))} ${scaledBy(attention)}`;
    const made = softcap ? `${cappedBy({ softcap }, `(${scaled})`)}${more}` : `${scaled}${more}`;
    return { ...at, said: m("weight {weight}, score {score}", { weight: weighed(weight), score: exactly(score) }) + ` = ${made}` };
  }

  /** The frame around a bar. @param {BarThing} bar @returns {?Box} */
  box({ j }) {
    const row = this.#rowOf(j), { y, window, pitch, whole } = this.planned, middle = this.planned.middle(row);
    if (row < 0 || middle < y || middle > y + window) return null;
    return [1, middle - pitch / 2, whole - 2, pitch];
  }

  /** @returns {[caption: string, names: string[], rows: string[][]]} */
  table() {
    const { header, attention, state: { head } } = this.layer, { scored } = this;
    if (this.missing) return [m("This row is missing: {why}", { why: whyMissing(this.layer, head) }), [], []];
    const strongest = [...this.bars()].sort((a, b) => b.weight - a.weight).slice(0, NAMED);
    return [
      m("The {count} strongest of {all} weights", { count: strongest.length, all: attention.keys.length }),
      [m("attends to"), m("weight"), ...(scored ? [m("score")] : [])],
      strongest.map(({ j, weight, score }) =>
        [called(header.keys, j), weighed(weight), ...(scored ? [score === null ? m("−∞, masked") : exactly(score)] : [])]),
    ];
  }
}
