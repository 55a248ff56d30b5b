// A concordance: the word in one column of its lines, its contexts left and right, each with the room that it needs. The list holds only the rows in
// view, so that 50,000 lines scroll like 50; sorting and filtering happen here. Bytes: see lines.js.
/** @import { ConcordanceHeader } from "../headers" */
/** @import { ConcordanceState } from "../states" */
/** @import { Emit, Look, Plan, Root, Sent, Shape, Tip } from "../types" */
/** @import { Row } from "./lines" */
import { m, mn } from "../runtime/language.js";
import { element, grouped, lookOf, widthOf, written } from "../runtime/shared.js";
import { colourOf, signOf } from "../points/spaceplot.js";
import { later } from "../runtime/later.js";
import { fetched } from "../runtime/message.js";
import { FIRST, Lines, clipped, leftShare, nearby, runsLeft } from "./lines.js";
import { Picture, drawIn } from "../runtime/picture.js";
import { STATES } from "../runtime/schema.js";

const BESIDE = 6; // rows drawn above and below those in view
const LEAST = 3; // rows for which there is room, also if there are fewer lines
const MARGIN = 8; // letters: the marks of the groups, and the word itself
const NARROW = 560; // pixels, below which a line shows nothing but its words
const STYLE = `
.area{overflow-y:auto;overflow-x:hidden;outline-offset:-2px;border:1px solid color-mix(in srgb,currentColor 18%,transparent);
 border-radius:.3em;box-sizing:border-box;cursor:default;overscroll-behavior:contain}
.rows{position:relative}
.row{position:absolute;left:0;right:0;box-sizing:border-box;font-size:.875em;display:flex;align-items:center;padding:0 .5em;gap:.5em;
 white-space:pre;overflow:hidden;border-inline-start:3px solid transparent}
.line{cursor:pointer;gap:0}
.line>i{margin-inline-end:.5em}
.line>.about{margin-inline-start:.6em}
.line:hover{background:color-mix(in srgb,currentColor 7%,transparent)}
.line[aria-selected=true]{background:color-mix(in srgb,var(--st-primary-color,Highlight) 16%,transparent);
 border-inline-start-color:var(--st-primary-color,Highlight)}
.area:focus .line.here{outline:2px solid var(--st-primary-color,Highlight);outline-offset:-2px}
.row>i{flex:none;font-style:normal;width:1em;text-align:center}
.left,.right{min-width:0;display:flex;overflow:hidden}
.left{flex:var(--left,1) 1 0;justify-content:flex-end}
.right{flex:var(--right,1) 1 0}
.left>bdi,.right>bdi{flex:none}
.line>b{flex:none;max-width:40%;overflow:hidden;text-overflow:ellipsis}
.about{flex:none;text-align:end;overflow:hidden;text-overflow:ellipsis;opacity:.8;font-size:.92em;font-variant-numeric:tabular-nums}
.head{font-weight:600;border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent);align-items:flex-end;padding-bottom:.15em}
.head span{font-weight:400;opacity:.8;overflow:hidden;text-overflow:ellipsis}
.row button{border:0;padding:.1em .3em;font-size:1em;text-decoration:underline;text-underline-offset:2px}
.tools{position:absolute;left:0;right:0;top:0;display:flex;flex-wrap:wrap;align-items:center;gap:.4em .7em;font-size:.875em}
.tools label{display:flex;align-items:center;gap:.4em}
.tools select{font:inherit;color:inherit;background:var(--st-background-color,var(--paper));max-width:min(100%,20em);padding:.2em .3em;
 border:1px solid color-mix(in srgb,currentColor 35%,transparent);border-radius:.3em}
.tools select option{background:var(--st-background-color,var(--paper));color:var(--st-text-color,var(--ink))}
.tools select:focus-visible{outline:2px solid var(--st-primary-color,Highlight)}
.choices{display:flex;flex-wrap:wrap;gap:.3em}
.choices[hidden]{display:none}
.choices button{font-size:1em;max-width:18em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.choices button[aria-pressed=true]{opacity:1;font-weight:600;border-color:currentColor;
 background:color-mix(in srgb,currentColor 10%,transparent)}
.choices i{font-style:normal;margin-inline-end:.35em}
.tools output{margin-inline-start:auto;opacity:.8;font-variant-numeric:tabular-nums}
.tip{max-width:min(44em,96%);z-index:2}`;

/** @extends {Picture<ConcordanceHeader, ConcordanceState, number | null>} */
class Concordance extends Picture {
  schema = STATES.concordance;
  /** @type {Lines} */
  lines = later();
  /** @type {Row[]} */
  rows = [];
  /** The row of each line in the list. @type {Map<number, number>} */
  rowOf = new Map();
  /** For each row, how many lines there are down to it. @type {number[]} */
  numberOf = [];
  /** The longest left and right context in the list. @type {string[]} */
  longest = ["", ""];
  /** The share of the left context in the room of both. */
  share = 0.5;
  /** The cosines with one line, and that line. @type {{ to: number, values: Float32Array } | null} */
  similarity = null;
  /** The line whose cosines are on their way. @type {number | null} */
  awaited = null;
  high = 28; // pixels of a row
  first = FIRST; // lines of each group where all groups are shown
  dark = false;
  /** The rows that are drawn, by their places in the list. @type {Map<number, HTMLElement>} */
  drawn = new Map();
  /** For which choices the list was filled, as JSON. */
  filled = "";
  /** Whether to scroll to `here` at the next drawing. */
  reveals = false;

  /** @param {Root} root */
  constructor(root) {
    super(root, m("concordance"));
    const { area } = this;
    this.shadow.append(element("style", {}, STYLE));
    area.setAttribute("role", "listbox");
    area.removeAttribute("aria-roledescription");
    this.list = area.appendChild(element("div", { class: "rows", role: "presentation" }));
    this.tools = element("div", { class: "tools" });
    this.sort = element("select");
    const sort = element("label", {}, m("Sort by"));
    sort.append(this.sort);
    this.choices = element("div", { class: "choices", role: "group", "aria-label": m("Groups") });
    this.count = element("output", { "aria-live": "polite" });
    this.tools.append(sort, this.choices, this.count);
    area.before(this.tools);
    this.on(this.sort, "change", () => this.sorts(this.sort.value));
    for (const part of [this.choices, this.list]) this.on(part, "click", (event) => this.pressed(event));
    this.on(area, "scroll", () => { this.hide(); this.scrolled(); });
  }

  /** @param {boolean} first @param {boolean} takesState */
  take(first, takesState) {
    const { header, values, state } = this;
    if (first || this.lines.header !== header) {
      this.lines = new Lines(header, values);
      this.similarity = null;
      this.filled = "";
    }
    this.keys.textContent = m("Up and Down go through the lines, Page Up and Page Down faster, Home and End to the first and the "
      + "last. Enter chooses a line.");
    this.state = takesState || !state ? { ...header.state } : this.within(state);
    const { chosen } = this.state;
    const { here } = this;
    if (first || here === null || here >= header.lines) this.here = chosen;
    if (chosen !== null && (first || chosen !== state?.chosen)) [this.here, this.reveals] = [chosen, true];
    this.offers();
    this.tabulateGroups();
  }

  /** The visitor's choices, without what new numbers do not have. @param {ConcordanceState} state */
  within({ sort, column, group, chosen }) {
    const { lines, groups, columns, similar } = this.header;
    const there = chosen !== null && chosen < lines ? chosen : null;
    const sorted = (sort === "column" && column >= columns.length) || (sort === "similar" && (there === null || !similar)) ? "meaning" : sort;
    return { sort: sorted, column: column < columns.length ? column : 0, group: group !== null && group < groups.length ? group : null, chosen: there };
  }

  /** Fills the list of orders and the buttons of groups. */
  offers() {
    const { header: { groups, counts, columns, similar, words }, state: { sort, column, group, chosen } } = this;
    const orders = [
      ["meaning", m("meaning, the most typical first")], ["text", m("position in the texts")], ["left", m("the words before")],
      ["right", m("the words after")], ["shuffled", m("shuffled")],
    ];
    if (similar !== null) orders.push(["similar", m("similarity to the chosen line")]);
    orders.push(...columns.map(({ name }, i) => [`column ${i}`, name]));
    this.sort.replaceChildren(...orders.map(([value, name]) => element("option", { value, ...(value === "similar" && chosen === null ? { disabled: "" } : {}) }, name)));
    this.sort.value = sort === "column" ? `column ${column}` : sort;
    const all = counts.reduce((sum, n) => sum + n, 0);
    const names = [{ of: null, name: m("All"), n: all }, ...groups.map(({ name }, of) => ({ of, name, n: counts[of] }))];
    this.choices.hidden = groups.length < 2;
    const held = this.shadow.activeElement;
    const at = [...this.choices.children].findIndex((one) => one === held);
    this.choices.replaceChildren(...names.map(({ of, name, n }) => {
      const button = element("button", { type: "button", "aria-pressed": String(group === of), "data-group": String(of ?? "") });
      if (of !== null) {
        button.append(this.mark(of));
        if (words[of]) button.title = words[of];
      }
      button.append(element("bdi", {}, name), ` (${grouped(n)})`);
      return button;
    }));
    if (at >= 0) /** @type {HTMLElement} */ (this.choices.children[at])?.focus();
  }

  /** The mark of a group. @param {number} group */
  mark(group) {
    const { header: { groups } } = this, own = groups[group];
    const mark = element("i", { "aria-hidden": "true" }, signOf(own, groups.length));
    mark.style.color = this.dark ? own.dark : own.light;
    return mark;
  }

  tabulateGroups() {
    const { groups, counts, words } = this.header;
    this.tabulate(m("The groups"), [m("group"), m("lines"), m("words around it")], groups.map(({ name }, i) => [name, grouped(counts[i]), words[i]]));
  }

  /** @param {string} value */
  sorts(value) {
    const [sort, column] = value.split(" ");
    this.turnsTo({ sort: /** @type {ConcordanceState["sort"]} */ (sort), column: Number(column ?? 0) });
  }

  /** A button that stands for a group, or for all. @param {Event} event */
  pressed({ target }) {
    const button = target instanceof Element ? target.closest("button") : null, group = button?.dataset.group;
    if (group !== undefined) this.turnsTo({ group: group === "" ? null : Number(group) });
  }

  /** Makes a choice, shows it, and reports it. @param {Partial<ConcordanceState>} change */
  turnsTo(change) {
    this.state = { ...this.state, ...change };
    this.area.scrollTop = 0;
    this.hide();
    this.offers();
    this.draw();
    this.report.send();
  }

  /** @param {Look} look @returns {Plan} */
  paint(look) {
    const { frame, tools, width, state, area, givenHeight: height } = this;
    if (look.dark !== this.dark) {
      this.dark = look.dark;
      this.offers();
    }
    this.high = Math.round(2 * look.size);
    this.frame.toggleAttribute("data-narrow", width < NARROW);
    const top = Math.ceil(tools.offsetHeight + 0.5 * look.size), foot = 2 * look.size;
    const most = Math.max(120, height - top - foot);
    this.first = Math.max(FIRST, Math.floor(most / this.high / this.header.groups.length) - 2); // a heading, and a button for more
    // As high as its longest list: a choice in it moves nothing below it, and few lines leave no empty room.
    const high = Math.min(most, Math.max(LEAST, this.lines.longest(this.first)) * this.high + 2);
    frame.style.height = `${top + high + foot}px`;
    this.header.height = top + high + foot;
    this.arrange();
    this.share = leftShare(this.longest.map((text) => widthOf(text, look)), width - MARGIN * look.size);
    this.list.style.setProperty("--left", String(this.share));
    this.list.style.setProperty("--right", String(1 - this.share));
    area.style.height = `${high}px`; // rows in view are counted before `draw` sets it
    if (this.reveals && this.here !== null) this.reveal(this.here, true);
    this.reveals = false;
    requestAnimationFrame(() => this.plan && this.fill());
    this.count.textContent = state.group === null ? "" : mn("{count} line", "{count} lines", this.rows.length, { count: grouped(this.rows.length) });
    return { shapes: [], area: [0, top, width, high], bar: top + high + 6, end: width };
  }

  /** Computes the rows of the list, if the choices ask for others. */
  arrange() {
    const { state } = this, { sort, chosen } = state;
    if (sort === "similar" && chosen !== null && this.similarity?.to !== chosen) this.fetches(chosen);
    const similarity = this.similarity && this.similarity.to === chosen ? this.similarity.values : null;
    // Of lines that are alike, the chosen one stands for all.
    const wanted = JSON.stringify([this.first, state, similarity !== null]);
    if (wanted === this.filled) return;
    this.filled = wanted;
    this.rows = this.lines.rows(state, similarity, this.first);
    this.rowOf = new Map();
    this.numberOf = [];
    this.rows.forEach((row, at) => {
      if ("line" in row) this.rowOf.set(row.line, at);
      this.numberOf.push(this.rowOf.size);
    });
    this.list.style.height = `${this.rows.length * this.high}px`;
    this.longest = [0, 2].map((part) => this.lines.longestContext(this.rows, part));
    if (this.here !== null && !this.rowOf.has(this.here)) this.here = null;
  }

  /** Gets the cosines of all lines with a line; until they come, the old order stays. @param {number} to */
  async fetches(to) {
    const { similar } = this.header;
    if (similar === null || this.awaited === to) return;
    this.awaited = to;
    try {
      const bytes = await fetched(`${similar}${to}`, () => {});
      if (this.life.signal.aborted || this.awaited !== to || this.header.similar !== similar) return;
      this.similarity = { to, values: new Float32Array(bytes.slice().buffer) };
      this.draw();
    } catch {
      if (!this.life.signal.aborted) this.live.textContent = m("The similarities did not arrive. Sort again.");
    } finally {
      if (this.awaited === to) this.awaited = null;
    }
  }

  /** Draws the rows in view anew. */
  fill() {
    this.list.style.height = `${this.rows.length * this.high}px`;
    this.drawn.clear();
    this.scrolled();
  }

  /** Draws the rows that have come into view; those that stay are not drawn again. */
  scrolled() {
    const { area, rows, high, here } = this;
    const first = Math.max(0, Math.floor(area.scrollTop / high) - BESIDE);
    const last = Math.min(rows.length, Math.ceil((area.scrollTop + area.clientHeight) / high) + BESIDE);
    const drawn = new Map();
    for (let at = first; at < last; at++) drawn.set(at, this.drawn.get(at) ?? this.row(rows[at], at));
    this.drawn = drawn;
    const fresh = [...drawn.values()].filter((row) => !row.isConnected);
    this.list.replaceChildren(...drawn.values());
    this.clips(fresh);
    if (here !== null && this.list.querySelector(`#l${here}`)) area.setAttribute("aria-activedescendant", `l${here}`);
    else area.removeAttribute("aria-activedescendant");
  }

  /** Ends what has no room in new rows where a word ends; all widths are read before anything is written. @param {HTMLElement[]} rows */
  clips(rows) {
    const look = lookOf(this.frame), contexts = rows.flatMap((row) => [...row.querySelectorAll("span>bdi")]).map((context) => {
      const cell = /** @type {HTMLElement} */ (context.parentElement), { className, clientWidth: room } = cell;
      return { context, left: className === "left", room, wide: context.getBoundingClientRect().width };
    });
    for (const { context, left, room, wide } of contexts) {
      const text = context.textContent ?? "", each = wide / widthOf(text, look);
      if (room && wide > room) context.textContent = clipped(text, left, (part) => part !== text && widthOf(part, look) * each < room);
    }
  }

  /** @param {Row} row @param {number} at */
  row(row, at) {
    const made = "line" in row ? this.line(row.line, at, row.times) : "head" in row ? this.heading(row.head) : this.more(row.more);
    made.style.top = `${at * this.high}px`;
    made.style.height = `${this.high}px`;
    return made;
  }

  /** @param {number} group */
  heading(group) {
    const { groups, counts, words } = this.header;
    const head = element("div", { class: "row head", role: "presentation" });
    head.append(this.mark(group), element("bdi", {}, groups[group].name), element("span", {}, `${grouped(counts[group])}${words[group] ? ` · ${words[group]}` : ""}`));
    return head;
  }

  /** @param {number} group */
  more(group) {
    const { groups, counts } = this.header;
    const row = element("div", { class: "row", role: "presentation" });
    // A list has no buttons; by keys and for screen readers, the groups above the list do the same.
    const button = element("button", { type: "button", tabindex: "-1", "aria-hidden": "true", "data-group": String(group) }, m("All {count} lines of {group}", { count: grouped(counts[group]), group: groups[group].name }));
    row.append(element("i"), button);
    return row;
  }

  /** @param {number} i @param {number} at @param {number} [times] how many lines are alike */
  line(i, at, times) {
    const { lines, here, state, width, rowOf, numberOf } = this, parts = lines.parts(i), [before, word, after] = parts;
    const dir = runsLeft(`${before} ${word} ${after}`) ? "rtl" : "ltr";
    const line = element("div", {
      role: "option", id: `l${i}`, class: i === here ? "row line here" : "row line", "data-i": String(i), dir,
      "aria-selected": String(i === state.chosen), "aria-posinset": String(numberOf[at]), "aria-setsize": String(rowOf.size), "aria-description": this.facts(i),
    });
    const left = element("span", { class: "left" }), right = element("span", { class: "right" });
    // In the direction of the line: a context that begins in another script would run away from the word.
    left.append(element("bdi", { dir }, before));
    right.append(element("bdi", { dir }, after));
    line.append(this.mark(lines.groups[i]), left, element("b", {}, word), right);
    if (times) line.append(element("span", { class: "about" }, `×${grouped(times)}`)); // read aloud with the line
    const about = this.about(i);
    if (about !== null && (width >= NARROW || about.short)) {
      const cell = element("span", { class: "about", dir: "auto" }, about.text);
      cell.style.width = about.short ? "3.4em" : "11em";
      line.append(cell);
    }
    return line;
  }

  /**
   * The text at the end of a line: the value by which lines are sorted, or a number.
   * @param {number} i
   */
  about(i) {
    const { header: { columns, number }, lines, similarity, state: { sort, column, chosen } } = this;
    if (sort === "column") return { text: columns[column].values[lines.codes[column][i]] || "–", short: false };
    if (sort === "similar" && similarity && similarity.to === chosen) return { text: written(similarity.values[i], { digits: number.digits }), short: true };
    if (lines.numbers) return { text: written(lines.numbers[i], number), short: true };
    return null;
  }

  /** The group, the number and the columns of a line. @param {number} i */
  facts(i) {
    const { header: { groups, columns, numbers, number }, lines, similarity, state: { chosen } } = this;
    const facts = [groups[lines.groups[i]].name];
    if (lines.numbers && numbers) facts.push(`${written(lines.numbers[i], number)} ${numbers}`);
    if (similarity && similarity.to === chosen) facts.push(m("similarity {value}", { value: written(similarity.values[i], { digits: number.digits }) }));
    columns.forEach(({ name, values }, at) => {
      const value = values[lines.codes[at][i]];
      if (value) facts.push(`${name} ${value}`);
    });
    return facts.join(", ");
  }

  /** A line with as much of its contexts as is read aloud. @param {number} i */
  said(i) {
    const [before, word, after] = this.lines.parts(i);
    return `${nearby(before, true)}${word}${nearby(after, false)}`;
  }

  /** @param {number} i @returns {Tip} */
  tipOf(i) {
    const y = this.topOf(i);
    return { parts: [this.said(i)], said: this.facts(i), x: this.width / 2, top: y, bottom: y + this.high };
  }

  /** Where a line stands in the picture, in pixels from its top. @param {number} i */
  topOf(i) {
    return this.plan.area[1] + (this.rowOf.get(i) ?? 0) * this.high - this.area.scrollTop;
  }

  /** The line under the pointer. @param {Event} event */
  under(event) {
    for (const node of event.composedPath()) {
      if (node instanceof HTMLElement && node.dataset.i !== undefined) return Number(node.dataset.i);
    }
    return null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter" && this.here !== null) {
      event.preventDefault();
      this.choose(this.here);
      return;
    }
    super.key(event);
  }

  /** @param {KeyboardEvent} event */
  next({ key }) {
    const { rows, rowOf, here, area, high } = this, page = Math.max(1, Math.floor(area.clientHeight / high) - 1);
    /** @type {Readonly<Record<string, number>>} */
    const ways = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
    const by = ways[key];
    if (by === undefined || !rowOf.size) return null;
    const from = here === null ? -1 : rowOf.get(here) ?? -1, step = by < 0 ? -1 : 1;
    let at = Math.max(0, Math.min(rows.length - 1, from + by));
    while (rows[at] && !("line" in rows[at])) at += step;
    if (!rows[at]) for (at = by < 0 ? 0 : rows.length - 1; !("line" in rows[at]);) at -= step; // past the first or the last line
    const row = rows[at];
    return "line" in row ? row.line : null;
  }

  /** @param {number | null} i */
  choose(i) {
    if (i === null) return;
    this.here = i;
    this.state = { ...this.state, chosen: i };
    this.offers();
    this.draw();
    this.report.send();
  }

  /** The list reads its lines aloud by itself. */
  announce() {
    if (this.here !== null) this.showTip(this.here);
  }

  place() {
    this.cursor.style.visibility = "hidden";
    if (this.here === null) return;
    if (this.shadow.activeElement === this.area) this.reveal(this.here, false);
    this.fill();
  }

  /** Scrolls a line into view, as little as necessary, or into the middle. @param {number} i @param {boolean} middle */
  reveal(i, middle) {
    const { area, high } = this, at = this.rowOf.get(i);
    if (at === undefined) return;
    this.list.style.height = `${this.rows.length * high}px`;
    const top = at * high, room = area.clientHeight;
    if (top >= area.scrollTop && top + high <= area.scrollTop + room) return;
    area.scrollTop = middle ? top - room / 2 : Math.max(top + high - room, Math.min(top, area.scrollTop));
  }

  still() {
    const look = lookOf(this.frame), { header: { groups }, width, high, rows, area, plan, lines } = this, { size } = look;
    const [left, top, , height] = plan.area, letters = { font: look.font, size };
    const first = Math.ceil(area.scrollTop / high), last = Math.min(rows.length, first + Math.floor(height / high));
    /** @type {Shape[]} */
    const shapes = [{ text: this.header.sentence, x: 0, y: top / 2, size, bold: true, fill: look.ink }, { rect: [left + 0.5, top + 0.5, width - 1, height - 1], stroke: look.line }];
    for (let at = first; at < last; at++) {
      const row = rows[at], y = top + (at - first + 0.5) * high;
      if ("more" in row) continue;
      const group = "line" in row ? lines.groups[row.line] : row.head;
      shapes.push({ text: signOf(groups[group], groups.length), x: 0.9 * size, y, size, anchor: "middle", fill: colourOf(groups[group], look) });
      if ("head" in row) {
        shapes.push({ text: groups[group].name, x: 1.8 * size, y, size, bold: true, fill: look.ink });
        continue;
      }
      const [before, word, after] = lines.parts(row.line), half = widthOf(word, letters, true) / 2 + 0.4 * size, room = width - 2 * half - 4 * size;
      const fits = (/** @type {number} */ share) => (/** @type {string} */ part) => widthOf(part, letters) <= share * room;
      const back = runsLeft(`${before} ${word} ${after}`), middle = 2 * size + (back ? 1 - this.share : this.share) * room + half;
      const contexts = [clipped(before, true, fits(this.share)), clipped(after, false, fits(1 - this.share))], [onLeft, onRight] = back ? contexts.reverse() : contexts;
      shapes.push(
        { text: onLeft, x: middle - half, y, size, anchor: "end", fill: look.ink },
        { text: word, x: middle, y, size, bold: true, anchor: "middle", fill: look.ink },
        { text: onRight, x: middle + half, y, size, fill: look.ink },
      );
    }
    return { look, shapes };
  }
}

/** @param {Root} root @param {Sent} data @param {Emit} emit */
export function render(root, data, emit) {
  return drawIn(root, data, emit, () => new Concordance(root));
}
