// The points of a picture as a list beside it, for keyboard users and for those who do not see the picture:
// a listbox that contains only the rows in view and reports their total number, with a search box for long
// lists.
/** @import { Look } from "../types" */
import { m } from "../runtime/language.js";
import { element, grouped } from "../runtime/shared.js";

const MANY = 20; // points, above which a search box appears
const BESIDE = 4; // rows drawn above and below those in view
const BEFORE = 18; // letters before the word in a row

export const LIST = `
.area{overflow-y:auto;outline-offset:-2px;border:1px solid color-mix(in srgb,currentColor 18%,transparent);
 border-radius:.3em;box-sizing:border-box;cursor:default}
.rows{position:relative}
.option{position:absolute;left:0;right:0;padding:.2em .5em;box-sizing:border-box;overflow:hidden;font-size:.8em;line-height:1.35;
 cursor:pointer;border-inline-start:3px solid transparent}
.option:hover{background:color-mix(in srgb,currentColor 7%,transparent)}
.option[aria-selected=true]{background:color-mix(in srgb,var(--st-primary-color,Highlight) 16%,transparent);
 border-inline-start-color:var(--st-primary-color,Highlight);font-weight:600}
.area:focus-visible .option.here,.area:focus .option.here{outline:2px solid var(--st-primary-color,Highlight);outline-offset:-2px}
.option>*{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.option .at{font-variant-numeric:tabular-nums;opacity:.8;font-weight:400}
.option i{font-style:normal;margin-inline-end:.4em}
.find{position:absolute;display:flex;align-items:center;gap:.5em;font-size:.8em}
.find input{flex:1;min-width:0;font:inherit;color:inherit;background:none;padding:.2em .5em;border-radius:.3em;
 border:1px solid color-mix(in srgb,currentColor 35%,transparent);box-sizing:border-box}
.find input:focus-visible{outline:2px solid var(--st-primary-color,Highlight)}
.find output{flex:none;opacity:.8;font-variant-numeric:tabular-nums}
.find[hidden]{display:none}`;

/**
 * A row of the list.
 * @typedef {object} Row
 * @property {string} number the text before the name
 * @property {readonly [string, string, string]} parts the name: the word itself in the middle
 * @property {string} sign the mark of its group, as a letter
 * @property {string} colour
 * @property {string} at its short coordinates
 * @property {string} said the complete text that is read aloud
 */

/**
 * The points that match a search: those with all of its words.
 * @param {readonly string[]} names lower case @param {string} text
 */
export function foundIn(names, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...names.keys()].filter((i) => words.every((word) => names[i].includes(word)));
}

/** The text before the word in a row, shortened from the left. @param {string} before */
export function shortly(before) {
  if (before.length <= BEFORE) return before;
  const signs = [...new Intl.Segmenter().segment(before.slice(-60))].map((part) => part.segment);
  return `…${signs.slice(2 - BEFORE).join("")}`;
}

export class PointList {
  /** The names of all points in lower case, for the search. @type {string[]} */
  names = [];
  /** The points in the list. @type {number[]} */
  found = [];
  high = 40; // pixels of a row

  /**
   * @param {HTMLElement} area the element that becomes the list
   * @param {(i: number) => Row} row
   * @param {() => { here: number | null, chosen: number | null }} state
   */
  constructor(area, row, state) {
    this.area = area;
    this.row = row;
    this.state = state;
    area.setAttribute("role", "listbox");
    area.removeAttribute("aria-roledescription");
    this.rows = area.appendChild(element("div", { class: "rows", role: "presentation" }));
    this.find = element("div", { class: "find" });
    this.input = element("input", { type: "search", "aria-label": m("Find a point"), placeholder: m("Find a point"), autocomplete: "off" });
    this.count = element("output", { "aria-live": "polite" });
    this.find.append(this.input, this.count);
    area.before(this.find);
  }

  /** Sets other points, or other names. @param {string[]} names */
  fill(names) {
    this.names = names.map((name) => name.toLowerCase());
    this.find.hidden = names.length <= MANY;
    if (this.find.hidden) this.input.value = "";
    this.look();
  }

  /** Lists the points that match the search. */
  look() {
    const { names, input } = this, { value } = input;
    this.found = foundIn(names, value);
    this.count.textContent = value.trim() ? m("{count} of {all}", { count: grouped(this.found.length), all: grouped(names.length) }) : grouped(names.length);
    this.area.scrollTop = 0;
  }

  /**
   * Places the list; `box` is [left, top, width, height] in pixels of the available space.
   * @param {readonly [number, number, number, number]} box
   * @param {Look} look
   * @returns {[number, number, number, number]} the box of the list alone
   */
  place([left, top, width, height], look) {
    const search = this.find.hidden ? 0 : 2.4 * look.size;
    this.high = Math.round(3.6 * look.size);
    Object.assign(this.find.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${search}px` });
    const most = search ? Infinity : this.names.length * this.high + 2; // a short list is no higher than its rows
    return [left, top + search, width, Math.max(40, Math.min(height - search, most))];
  }

  /** Draws the rows in view. */
  draw() {
    const { area, found, high, rows } = this, { here, chosen } = this.state();
    const first = Math.max(0, Math.floor(area.scrollTop / high) - BESIDE);
    const last = Math.min(found.length, Math.ceil((area.scrollTop + area.clientHeight) / high) + BESIDE);
    rows.style.height = `${found.length * high}px`;
    const drawn = [];
    for (let at = first; at < last; at++) drawn.push(this.option(found[at], at, here, chosen));
    rows.replaceChildren(...drawn);
    const active = here !== null && rows.querySelector(`#o${here}`);
    if (active) area.setAttribute("aria-activedescendant", `o${here}`);
    else area.removeAttribute("aria-activedescendant");
  }

  /**
   * @param {number} i the point
   * @param {number} at its index in the list
   * @param {number | null} here
   * @param {number | null} chosen
   */
  option(i, at, here, chosen) {
    const { number, parts: [before, word, after], sign, colour, at: numbers, said } = this.row(i);
    const option = element("div", {
      role: "option", id: `o${i}`, class: i === here ? "option here" : "option", "data-i": String(i),
      "aria-selected": String(i === chosen), "aria-posinset": String(at + 1),
      "aria-setsize": String(this.found.length), "aria-label": said,
    });
    option.style.top = `${at * this.high}px`;
    option.style.height = `${this.high}px`;
    const name = element("bdi"), mark = element("i", { "aria-hidden": "true" }, sign);
    mark.style.color = colour;
    name.append(mark, number, shortly(before), word === "" || !(before || after) ? word : element("u", {}, word), after);
    option.append(name, element("span", { class: "at" }, numbers));
    return option;
  }

  /** Scrolls as little as necessary to bring a point into view. @param {number} i */
  show(i) {
    const { area, found, high } = this, at = found.indexOf(i);
    if (at < 0) return;
    const top = at * high, most = top + high - area.clientHeight;
    area.scrollTop = Math.max(most, Math.min(top, area.scrollTop));
    this.draw();
  }

  /**
   * The point that a key leads to; null for none.
   * @param {string} key
   * @param {number | null} here
   */
  next(key, here) {
    const { area, found, high } = this, page = Math.max(1, Math.floor(area.clientHeight / high) - 1);
    /** @type {Readonly<Record<string, number>>} */
    const ways = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
    const by = ways[key], at = here === null ? -1 : found.indexOf(here);
    if (by === undefined || !found.length) return null;
    return found[Math.max(0, Math.min(found.length - 1, at + by))];
  }

  /** The point of the row under the pointer. @param {Event} event */
  under(event) {
    for (const node of event.composedPath()) {
      if (node instanceof HTMLElement && node.dataset.i !== undefined) return Number(node.dataset.i);
    }
    return null;
  }
}
