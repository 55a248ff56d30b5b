// Lines between two columns of tokens: which token attends to which, in the colours of the heads.
import { BUTTONS, fitted, mix, widthOf, wrapped } from "../runtime/shared.js";
import { namesOfBonds } from "./bondnames.js";
import { hatching } from "../draw/hatch.js";
import { scaledWords, titleOfThose, whyMissing } from "./headnames.js";
import { MEAN } from "./state.js";
import { drawStrokes, leastOf, strokesAsSvg, strokesOf } from "./strokes.js";
import { called, footHigh, inSight, largest, shortly, stepped, weighed, PAGE,
  SCROLLBAR } from "../draw/words.js";

const ZONE = [70, 460]; // pixels between the columns
const OUT = 14; // pixels beyond the window
const PITCH = [1.5, 2.3]; // lines of text, in sizes of letters
const PATCH = 22; // pixels of hatching in the place of a row's lines
const SHARE_WIDE = 40, SHARE_GAP = 10; // pixels of a bar of what goes to hidden tokens, and between it and a name

export class Bonds {
  constructor(view) {
    Object.assign(this, { view, lights: true, kind: "lines between tokens" });
    this.keys = "Up and Down go through the tokens of a column, Left and Right to the other column, "
      + "Home, End, Page Up and Page Down farther; only the lines of the token are left.";
  }

  here() {
    const { state, query, chosenKey } = this.view;
    return state.pin === "key" ? { side: "key", i: chosenKey } : { side: "query", i: query };
  }

  caption() {
    return this.drawn(this.view.state.pin ? this.here() : null);
  }

  /** Which lines there are. */
  drawn(focus) {
    const { header, state } = this.view, title = titleOfThose(state.on, header);
    if (header.kind === "none") return title;
    if (!focus) return `${title}, weights from ${shortly(state.threshold)}`;
    const way = focus.side === "query" ? "of" : "on";
    return `${title}, only the weights ${way} “\u2068${this.name(focus)}\u2069” from ${
      shortly(leastOf(state))}`;
  }

  /** The token whose lines alone are drawn: pointed at, here or beside; or chosen. */
  focus() {
    const { lit, link, state, focused, here } = this.view;
    return lit ?? link.beside ?? (state.pin || focused ? here : null);
  }

  /** A token as the pictures beside know it, and back; null where it is not shown. */
  toLink({ side, i }) {
    return { query: null, key: null, [side]: i };
  }

  ofLink({ query, key }) {
    const thing = query === null ? { side: "key", i: key } : { side: "query", i: query };
    return thing.i !== null && this.list(thing.side).includes(thing.i) ? thing : null;
  }

  list(side) {
    return this.view.exact[side === "query" ? "queries" : "keys"];
  }

  name({ side, i }) {
    return called(this.view.header[side === "query" ? "queries" : "keys"], i);
  }

  /** Where the columns and the lines stand. */
  plan(look, { top, width, height }) {
    const { view } = this, { header, exact } = view, { size } = look, { queries, keys } = exact;
    const { texts, foot } = this.words(look, width);
    const names = (list, all) =>
      Object.fromEntries(list.map((i) => [i, fitted(all[i], 0.27 * width, look)]));
    const known = `${width} ${look.size} ${look.font}`;
    if (this.known !== known || this.of !== exact.queries) {
      Object.assign(this, { known, of: exact.queries });
      this.names = { query: names(queries, header.queries), key: names(keys, header.keys) };
      this.wide = Object.fromEntries(Object.entries(this.names).map(([side, all]) =>
        [side, Math.max(...Object.values(all).map((text) => widthOf(text, look, true)))]));
    }
    const y = Math.round(top + 1.8 * size), window = Math.round(height - (y - top) - foot);
    const count = Math.max(queries.length, keys.length);
    const pitch = Math.max(PITCH[0] * size, Math.min(PITCH[1] * size, window / count));
    const content = pitch * count, scrolls = content > window + 1;
    const seen = view.link.beside ?? view.here;
    const offset = view.scroll.within(window, content, pitch, this.list(seen.side).indexOf(seen.i));
    const [first, last] = header.rtl ? ["key", "query"] : ["query", "key"];
    const bars = exact.whole ? 0 : SHARE_WIDE + SHARE_GAP; // beyond the names of the queries
    const free = width - this.wide.query - this.wide.key - 24 - bars - (scrolls ? SCROLLBAR : 0);
    const zone = Math.max(ZONE[0], Math.min(ZONE[1], free)), margin = Math.max(0, (free - zone) / 2);
    const before = first === "query" ? bars : 0;
    const left = Math.round(margin + before + this.wide[first] + 12), right = Math.round(left + zone);
    const shown = Math.min(window, content);
    return {
      y, window: shown, pitch, content, bars, offset, left, right, first, last, texts,
      range: (list) => [Math.max(0, Math.floor(offset / pitch)),
        Math.min(list.length, Math.ceil((offset + shown) / pitch))],
      middle: (place) => y + (place + 0.5) * pitch - offset,
      // A line to what is out of sight leaves by the corner next to it.
      end: (place) => Math.max(y - OUT, Math.min(y + shown + OUT, y + (place + 0.5) * pitch - offset)),
      foot: y + shown + 12,
    };
  }

  /** What stands below; as high as the longest name would make it, so that nothing moves. */
  words(look, width) {
    const { view } = this, most = width - BUTTONS - 8, lines = (focus) =>
      wrapped(this.said(focus), most, look, 7);
    if (this.namesOf !== view.exact.queries) {
      const all = ["query", "key"].flatMap((side) => this.list(side).map((i) => ({ side, i })));
      const long = (thing) => this.name(thing).length;
      this.longest = all.reduce((best, thing) => (long(thing) > long(best) ? thing : best));
      this.namesOf = view.exact.queries;
    }
    const texts = lines(this.focus()), length = Math.max(texts.length, lines(this.longest).length,
      lines(null).length);
    return { texts, foot: footHigh({ length }, look) };
  }

  /** How high all of it wants to be. */
  need(look, { width }) {
    const { queries, keys } = this.view.exact, count = Math.max(queries.length, keys.length);
    return (1.8 + PITCH[1] * count) * look.size + this.words(look, width).foot + 1;
  }

  said(focus) {
    const { exact, header, state } = this.view, mean = header.averaged || state.on.includes(MEAN);
    if (header.kind === "none") return `${this.drawn(focus)}. ${header.without}`;
    const seen = header.seen && !header.causal ? `; ${header.seen}` : "";
    const left = exact.whole ? "" : `; ${scaledWords(header, mean)}; each bar: how much of the row goes to ${
      this.hiddenNames()}`;
    return `${this.drawn(focus)}${left}${seen}${
      state.on.length ? this.gone(focus) : ": choose a head above"}`;
  }

  /** Whether none of the heads that draw lines has the row of this query. */
  missing(i) {
    const { exact, state: { on } } = this.view;
    return on.length > 0 && on.every((head) => exact.missing(head, i));
  }

  /** How many rows are missing, in words; of a token that is chosen, why its row is. */
  gone(focus) {
    const { exact, state: { on } } = this.view, why = () => whyMissing(this.view, on[0]);
    if (focus) return focus.side === "query" && this.missing(focus.i) ? `; missing: ${why()}` : "";
    const { length } = exact.queries.filter((i) => this.missing(i));
    if (!length) return "";
    return `; hatched: ${length > 1 ? `${length} rows are` : "a row is"} missing, ${why()}`;
  }

  /** Hatched patches where the lines of a row that is missing would begin. */
  patches(plan, look) {
    const { queries } = this.view.exact, [from, to] = plan.range(queries), shapes = [];
    const left = plan.first === "query" ? plan.left + 2 : plan.right - PATCH - 2;
    for (let place = from; place < to; place++) {
      const y = plan.middle(place), high = Math.min(plan.pitch, 26) * 0.7, top = y - high / 2;
      if (!this.missing(queries[place]) || top < plan.y || y + high / 2 > plan.y + plan.window) continue;
      const room = { x: left, y: top, width: PATCH, height: high };
      shapes.push(...hatching([[[0, 1]]], 1, room, look, "missing"));
    }
    return shapes;
  }

  /** How much of the row of a query goes to the hidden tokens, in the mean over the heads that draw. */
  share(i) {
    const { exact, state: { on } } = this.view;
    const all = on.map((head) => exact.share(head, i)).filter((one) => !Number.isNaN(one));
    return all.reduce((sum, one) => sum + one, 0) / all.length;
  }

  /** What the tokens that are hidden are called: "[CLS] and [SEP]". */
  hiddenNames() {
    const { exact, header } = this.view, names = [...new Set(exact.hidden.map((j) => header.keys[j]))];
    return names.length > 3 ? "special tokens" : names.map((name) => `\u2068${name}\u2069`)
      .join(", ").replace(/, ([^,]*)$/, " and $1");
  }

  /** A bar beyond the name of each query: how much of its row goes to the hidden tokens. */
  shares(plan, look) {
    const { queries } = this.view.exact, shapes = [];
    if (!plan.bars || !this.view.state.on.length) return shapes;
    const ahead = plan.first === "query", high = Math.max(4, Math.min(0.45 * plan.pitch, 0.7 * look.size));
    const left = ahead ? plan.left - this.wide.query - 8 - SHARE_GAP - SHARE_WIDE
      : plan.right + this.wide.query + 8 + SHARE_GAP;
    for (const place of inSight(plan, plan.range(queries), look)) {
      const i = queries[place], share = this.share(i), top = plan.middle(place) - high / 2;
      if (Number.isNaN(share)) continue;
      const wide = SHARE_WIDE * Math.min(1, share), from = ahead ? left + SHARE_WIDE - wide : left;
      shapes.push({ rect: [left, top, SHARE_WIDE, high], fill: mix(look.paper, look.ink, 0.1), part: "whole", of: i },
        { rect: [from, top, wide, high], fill: mix(look.paper, look.ink, 0.5), part: "share", of: i });
    }
    return shapes;
  }

  paint(look, room) {
    const { view } = this, plan = (this.planned = this.plan(look, room)),
      { left, right, y, window } = plan;
    const ratio = devicePixelRatio || 1, { canvas } = view, pen = canvas.getContext("2d");
    const wide = Math.round((right - left) * ratio), high = Math.round(window * ratio);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas,
      { width: wide, height: high });
    pen.setTransform(ratio, 0, 0, ratio, -left * ratio, -y * ratio);
    pen.clearRect(left, y, right - left, window);
    canvas.painter = this;
    drawStrokes(pen, strokesOf(this, plan, look), plan);
    return {
      shapes: [...namesOfBonds(this, plan, look), ...this.shares(plan, look), ...this.patches(plan, look)],
      canvases: [[left, y, right - left, window]], content: plan.content,
      area: [0, y, view.width, window], bar: plan.foot, end: view.width,
    };
  }

  still(look, room) {
    const plan = (this.planned = this.plan(look, room)), { left, right, y, window } = plan;
    return {
      shapes: [...namesOfBonds(this, plan, look), ...this.shares(plan, look), ...this.patches(plan, look)],
      asSvg: () => strokesAsSvg(strokesOf(this, plan, look), plan),
      paint: (pen) => {
        pen.save();
        pen.beginPath();
        pen.rect(left, y, right - left, window);
        pen.clip();
        drawStrokes(pen, strokesOf(this, plan, look), plan);
        pen.restore();
      },
    };
  }

  under(x, y) {
    const { left, right, first, last, offset, pitch } = this.planned, near = 0.22 * (right - left);
    const side = x < left + near ? first : x > right - near ? last : null, list = side
      ? this.list(side) : [];
    const i = list[Math.floor((y + offset) / pitch)];
    return i === undefined ? null : { side, i };
  }

  chosen({ side, i }) {
    const { pin } = this.view.state, before = side === "query" ? this.view.query : this.view.chosenKey;
    return { [side]: i, pin: pin === side && before === i ? null : side };
  }

  moved({ side, i }) {
    return { [side]: i, ...(this.view.state.pin && { pin: side }) };
  }

  /** On the way down: the head with most attention from, or to, the token. */
  deeper() {
    const { exact, state, query } = this.view;
    const most = state.on.map((head) => Math.max(...exact.row(head, query))); // of a missing row, NaN
    const [best] = largest(most, 1);
    return best === undefined ? {} : { head: state.on[best] };
  }

  next(event) {
    const { here } = this.view, list = this.list(here.side), at = list.indexOf(here.i);
    const to = stepped(event, at, list.length, PAGE);
    if (to !== null) return { side: here.side, i: list[to] };
    const side = { ArrowLeft: this.planned.first, ArrowRight: this.planned.last }[event.key];
    if (!side || event.ctrlKey) return null;
    const other = this.list(side);
    return { side, i: side === here.side ? here.i : other[Math.min(at, other.length - 1)] };
  }

  /** The strongest weights of a token: [head, token at the other end, weight]. */
  ofToken({ side, i }, most) {
    const { exact, state } = this.view, other = this.list(side === "query" ? "key" : "query");
    const all = state.on.flatMap((head) => {
      const weights = side === "query" ? exact.row(head, i) : exact.column(head, i);
      return largest(weights, most).map((c) => [head, other[c], weights[c]]);
    });
    return all.sort((a, b) => b[2] - a[2]).slice(0, most);
  }

  told(thing) {
    const { planned, view } = this, looks = thing.side === "query",
      far = { side: looks ? "key" : "query" };
    const several = view.state.on.length > 1;
    const said = this.ofToken(thing, 4).map(([head, i, weight]) =>
      `\u2068${this.name({ ...far, i })}\u2069 ${weighed(weight)}`
      + (several ? ` (head ${head + 1})` : ""));
    const y = planned.middle(this.list(thing.side).indexOf(thing.i));
    return {
      parts: [this.name(thing), looks ? " attends to" : " receives attention from"],
      said: this.saidOf(thing, said),
      x: thing.side === planned.first ? planned.left : planned.right, top: y - 8, bottom: y + 8,
    };
  }

  /** The strongest weights in words, or why there are none; and what goes to no token that is shown. */
  saidOf(thing, strongest) {
    if (!this.view.state.on.length) return "no head is chosen";
    const own = thing.side === "query" ? this.sunk(thing.i) : [];
    const first = [...strongest, ...own].length ? [...strongest, ...own] : [this.nothing(thing)];
    return [...first, ...(thing.side === "query" ? this.spent(thing.i) : [])].join(", ");
  }

  /** What of the row of a query goes to the tokens that are hidden. */
  spent(i) {
    const { exact, state: { on } } = this.view;
    if (exact.whole || !on.length || Number.isNaN(this.share(i))) return [];
    return [`before that, ${shortly(this.share(i))} of the row to ${this.hiddenNames()}`];
  }

  /** What the row of a query leaves to the sinks of the heads, where they have some. */
  sunk(i) {
    const { exact, header, state: { on } } = this.view, several = on.length > 1;
    if (!exact.sinks || !exact.whole) return [];
    return on.filter((head) => !exact.missing(head, i)).map((head) =>
      `${header.sink} ${weighed(exact.sunk(head, i))}${several ? ` (head ${head + 1})` : ""}`);
  }

  /** In the place of weights, where a token has none. */
  nothing({ side, i }) {
    const { state: { on } } = this.view, missing = side === "query" && this.missing(i);
    return missing ? `missing, ${whyMissing(this.view, on[0])}` : "missing";
  }

  box(thing) {
    const { planned: plan, names } = this, { side, i } = thing, place = this.list(side).indexOf(i);
    const wide = this.wide[side], y = plan.middle(place), high = Math.min(plan.pitch, 26);
    if (place < 0 || y < plan.y || y > plan.y + plan.window || !names[side][i]) return null;
    return [side === plan.first ? plan.left - wide - 12 : plan.right + 4, y - high / 2, wide + 8, high];
  }

  table() {
    const { state, header } = this.view, thing = this.here(), looks = thing.side === "query";
    const rows = this.ofToken(thing, 20), name = this.name(thing);
    if (!rows.length && state.on.length) return [`${name}: ${this.nothing(thing)}`, [], []];
    return [
      `The strongest ${rows.length} weights ${looks ? "of" : "on"} ${name}, ${
        titleOfThose(state.on, header)}`,
      ["head", "token", "attends to", "weight"],
      rows.map(([head, i, weight]) => {
        const other = this.name({ side: looks ? "key" : "query", i });
        const of = head === MEAN || header.averaged ? "mean" : String(head + 1);
        return [of, ...(looks ? [name, other] : [other, name]), weighed(weight)];
      }),
    ];
  }
}
