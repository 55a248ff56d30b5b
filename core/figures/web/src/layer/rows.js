// One token of one head: its whole row as bars, before and after softmax.
import { BUTTONS, fitted, mix, widthOf, wrapped } from "../runtime/shared.js";
import { hatching } from "../draw/hatch.js";
import { NO_SCORES, scaledWords, titleOf, whyMissing } from "./headnames.js";
import { MEAN } from "./state.js";
import { called, cappedBy, exactly, footHigh, inSight, largest, partOf, roundedUp, scaledBy, stepped, weighed, PAGE,
  SCROLLBAR } from "../draw/words.js";

const ROW_PITCH = [1.55, 2.1]; // of a row, in sizes of letters
const NAMED = 20; // keys in bold: the strongest
const BAR_SHARE = 0.56; // of a row: how high a bar is
const WIDEST = 900; // pixels

export class Rows {
  constructor(view) {
    Object.assign(this, { view, kind: "bars" });
    this.keys = "Up and Down, Home, End, Page Up and Page Down read the bars one by one.";
  }

  here() {
    return { j: this.view.chosenKey };
  }

  caption() {
    const { header, state, query } = this.view;
    const name = `“\u2068${called(header.queries, query)}\u2069”`;
    return `${titleOf(state.head, header)}: what ${name} attends to`;
  }

  get scored() {
    return this.view.exact.scores(this.view.state.head);
  }

  /** Whether there is no such row. */
  get missing() {
    return this.view.exact.missing(this.view.state.head, this.view.query);
  }

  /** The keys in the order in which they stand, each with its weight and score. */
  list() {
    const { exact, state, query } = this.view, { keys } = exact, { head, sort } = state;
    const known = JSON.stringify([head, query, sort, exact.whole]);
    if (this.known === known && this.of === exact) return this.found;
    const row = exact.row(head, query), { scored } = this, all = keys.map((j, c) => {
      const masked = exact.masked(query, j) && !this.missing;
      return { j, masked, weight: row[c], score: scored && !masked ? exact.score(head, query, j)
        : null };
    });
    const strong = new Set(largest(row, NAMED).map((c) => keys[c]));
    for (const one of all) one.strong = all.length > NAMED && strong.has(one.j) && one.weight > 0;
    if (sort === "size") all.sort((a, b) => (b.weight - a.weight || 0) || a.j - b.j);
    this.sum = row.reduce((sum, weight) => sum + weight, 0);
    Object.assign(this, { known, of: exact, found: all });
    return all;
  }

  said(list, end, bound) {
    const { exact, header, state: { head }, query } = this.view, mean = header.averaged || head === MEAN;
    const alone = this.view.link.alone({ queries: query }), { missing } = this;
    const texts = [`${this.caption()}.`];
    if (missing) texts.push(`This row is missing: ${whyMissing(this.view, head)}${
      header.kind === "none" ? "" : "."}`);
    else {
      const seen = list.filter(({ masked }) => !masked).length;
      texts.push(`Σ of ${seen} weights = ${exactly(this.sum)}${this.rest(mean)}.`);
    }
    if (!this.scored) {
      if (!missing) texts.push(`A full bar is ${weighed(end)}.`);
      const gone = header.kind === "none" || exact.gone.has(head); // it is said already
      return [...texts, gone ? "" : exact.scored ? NO_SCORES : header.without, alone].join(" ").trim();
    }
    if (missing) texts.push(`Scores reach to ±${bound}.`);
    else texts.push(`A full bar of weight is ${weighed(end)}; scores reach to ±${bound}.`,
      `weight = exp(score − log-sum ${exactly(exact.base(head, query))}).`);
    return [...texts, alone].join(" ").trim();
  }

  /** What is done to the weights, and what does not go to a token. */
  rest(mean) {
    const { exact, state: { head }, query } = this.view;
    const seen = this.view.header.causal || !exact.mask.any ? "" : `; ${this.view.header.seen}`;
    if (!exact.whole) return `; ${scaledWords(this.view.header, mean)}${this.fewer()}${seen}`;
    const sunk = exact.sinks ? `; the other ${exactly(exact.sunk(head, query))} goes to ${this.view.header.sink}` : "";
    return sunk + this.fewer() + seen;
  }

  /** Of a mean, how many heads have the row, where some do not. */
  fewer() {
    const { exact, state: { head }, query } = this.view, { length } = exact.present;
    const have = exact.present.filter((one) => !exact.missing(one, query)).length;
    return head !== MEAN || have === length ? ""
      : `; the mean of the ${have} of ${length} heads that have this row`;
  }

  /** Where the bars end, and the words below them. */
  measured(look, width) {
    const list = this.list(), end = Math.max(...list.map(({ weight }) => weight || 0), 1e-9);
    const bound = roundedUp(Math.max(...list.map(({ score }) => Math.abs(score ?? 0))));
    const texts = wrapped(this.said(list, end, bound), width - BUTTONS - 8, look, 9);
    return { list, end, bound, texts, foot: footHigh(texts, look) };
  }

  /** How high all of it wants to be. */
  need(look, { width }) {
    const { list, foot } = this.measured(look, width);
    return (1.8 + ROW_PITCH[1] * list.length) * look.size + foot + 1;
  }

  /** A bar as the pictures beside know it, and back; null where it is not shown. */
  toLink({ j }) {
    return { query: null, key: j };
  }

  ofLink({ key }) {
    return this.view.exact.keys.includes(key) ? { j: key } : null;
  }

  plan(look, { top, width, height }) {
    const { view } = this, { header } = view, { size } = look;
    const { list, end, bound, texts, foot } = this.measured(look, width);
    const y = Math.round(top + 1.8 * size);
    const window = Math.round(height - (y - top) - foot);
    const pitch = Math.max(ROW_PITCH[0] * size, Math.min(ROW_PITCH[1] * size, window / list.length));
    const content = pitch * list.length, scrolls = content > window + 1,
      shown = Math.min(window, content);
    const seen = (view.link.beside ?? view.here).j, place = list.findIndex(({ j }) => j === seen);
    const offset = view.scroll.within(window, content, pitch, place);
    const names = list.map(({ j }) => fitted(header.keys[j], 0.24 * width, look));
    const whole = Math.min(width - (scrolls ? SCROLLBAR : 2), WIDEST);
    const number = widthOf("−00.0000", look) + 6,
      name = Math.max(...names.map((text) => widthOf(text, look, true)));
    const left = Math.round(name + 10), rest = whole - left - number - (this.scored ? number + 14 : 0);
    const wide = Math.max(20, Math.round(this.scored ? rest * 0.58 : rest)), from = left + wide
      + number + 14;
    return {
      list, names, y, window: shown, pitch, content, offset, texts, end, bound, whole,
      weight: [left, wide], score: this.scored ? [from, Math.max(20, whole - from - number)] : null,
      middle: (row) => y + (row + 0.5) * pitch - offset,
      range: [Math.max(0, Math.floor(offset / pitch)),
        Math.min(list.length, Math.ceil((offset + shown) / pitch))],
      foot: y + shown + 12,
    };
  }

  shapes(plan, look) {
    const { header } = this.view, { list, names, y, weight: [left, wide], score, end,
      bound } = plan;
    const { size } = look, shapes = [], signed = header.signed[look.dark ? "dark" : "light"];
    const head = (text, x) =>
      shapes.push({ text, x, y: y - 0.9 * size, size: 0.92 * size, fill: look.muted, part: "heading" });
    const narrow = this.view.width < 480, high = BAR_SHARE * plan.pitch;
    const seen = inSight(plan, plan.range, look), { missing } = this;
    head((narrow ? "weight" : "weight, after softmax") + partOf(seen, list.length), left);
    if (score) head(narrow ? "score" : "score, before softmax", score[0]);
    for (const place of seen) {
      const { j, masked, weight, score: value, strong } = list[place], middle = plan.middle(place);
      const at = { y: middle, size, of: j }, top = middle - high / 2;
      const fill = masked || weight < 1e-6 ? look.muted : look.ink;
      shapes.push({ ...at, text: names[place], x: left - 8, anchor: "end", bold: strong, fill,
        part: "key" });
      if (masked) {
        shapes.push({ ...at, text: "masked", x: left + 4, fill: look.muted, part: "masked" });
        continue;
      }
      const long = (wide * weight) / end, number = { ...at, fill: look.ink, bold: strong };
      shapes.push({ rect: [left, top, wide, high], fill: mix(look.paper, look.ink, 0.05) });
      if (missing) {
        const room = { x: left, y: top, width: wide, height: high };
        shapes.push(...hatching([[[0, 1]]], 1, room, look, "missing"));
      } else shapes.push({ rect: [left, top, long, high], fill: header.hue, part: "bar", of: j });
      shapes.push({ ...number, text: weighed(weight), x: left + wide + 6, part: "weight" });
      if (!score) continue;
      const [from, room] = score, zero = from + room / 2,
        reach = (room / 2) * Math.min(1, Math.abs(value) / bound);
      shapes.push({ rect: [from, top, room, high], fill: mix(look.paper, look.ink, 0.05) });
      shapes.push({
        rect: [value < 0 ? zero - reach : zero, top, reach, high], fill: signed[value < 0 ? 0 : 1],
        part: "signed", of: j,
      });
      shapes.push({ rect: [zero - 0.5, top - 1, 1, high + 2], fill: look.muted });
      shapes.push({ ...number, text: exactly(value), x: from + room + 6, part: "score" });
    }
    plan.texts.forEach((text, i) => shapes.push({
      text, x: 0, y: plan.foot + 0.5 * size + i * 1.35 * size, size, fill: look.muted, part: "note",
    }));
    return shapes;
  }

  paint(look, room) {
    const plan = (this.planned = this.plan(look, room)), { y, window, content, whole } = plan;
    const area = [0, y, content > window + 1 ? this.view.width : whole, window];
    return { shapes: this.shapes(plan, look), content, area, bar: plan.foot, end: this.view.width };
  }

  still(look, room) {
    return { shapes: this.shapes(this.plan(look, room), look) };
  }

  at(j) {
    return this.planned.list.findIndex((one) => one.j === j);
  }

  under(x, y) {
    const { list, offset, pitch } = this.planned, one = list[Math.floor((y + offset) / pitch)];
    return one ? { j: one.j } : null;
  }

  chosen({ j }) {
    return { key: j };
  }

  moved(thing) {
    return this.chosen(thing);
  }

  next(event) {
    const list = this.list(), place = list.findIndex(({ j }) => j === this.view.here.j);
    const to = stepped(event, place, list.length, PAGE);
    return to === null ? null : { j: list[to].j };
  }

  told({ j }) {
    const { exact, header, state: { head }, query } = this.view, place = this.at(j),
      y = this.planned.middle(place);
    const { masked, weight, score } = this.planned.list[place], parts = [called(header.keys, j)];
    const at = { parts, x: this.planned.weight[0] + 60, top: y - 10, bottom: y + 10 };
    if (masked) return { ...at, said: "masked" };
    if (score === null) return { ...at, said: `weight ${weighed(weight)}` };
    const added = exact.added(head, query, j), more = added ? ` + bias ${exactly(added)}` : "";
    const scaled = `q·k ${exactly(exact.product(head, query, j))} ${scaledBy(exact)}`;
    const made = exact.softcap ? `${cappedBy(exact, `(${scaled})`)}${more}` : `${scaled}${more}`;
    return { ...at, said: `weight ${weighed(weight)}, score ${exactly(score)} = ${made}` };
  }

  box({ j }) {
    const place = this.at(j), { y, window, pitch, whole } = this.planned,
      middle = this.planned.middle(place);
    if (place < 0 || middle < y || middle > y + window) return null;
    return [1, middle - pitch / 2, whole - 2, pitch];
  }

  table() {
    const { header, exact, state: { head } } = this.view;
    if (this.missing) return [`This row is missing: ${whyMissing(this.view, head)}`, [], []];
    const list = [...this.list()].sort((a, b) => b.weight - a.weight).slice(0, NAMED);
    return [
      `The ${list.length} strongest of ${exact.keys.length} weights`,
      ["attends to", "weight", ...(this.scored ? ["score"] : [])],
      list.map(({ j, weight, score, masked }) => [called(header.keys, j), weighed(weight),
        ...(this.scored ? [masked ? "masked" : exactly(score)] : [])]),
    ];
  }
}
