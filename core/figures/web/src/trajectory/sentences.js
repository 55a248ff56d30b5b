// A sentence whose words are underlined by their contributions to the position of the chosen word.
/** @import { Look, Shape } from "../types" */
/** @import { SideHeader, TrajectoryHeader } from "../headers" */
/** @import { Trajectory } from "./trajectory.js" */
import { m } from "../runtime/language.js";
import { element, fitted, mix, rgb, widthOf, wrapped } from "../runtime/shared.js";
import { contributionText, longestLine, sideCaption, sumOf } from "./captions.js";
import { shadeOf } from "./plan.js";

const THICKEST = 0.5 / 0.8; // the thickest underline, in letter sizes: --most in the stylesheet
const THINNEST = 1.5; // pixels, the thinnest line drawn
const FAINT = 0.02; // relative to the largest: below, there is no underline

/**
 * The colour and the thickness of a word's line; null if there is none.
 * @param {Pick<TrajectoryHeader, "signed" | "maxima">} data
 * @param {number | null} value
 * @param {number} depth
 * @param {Look} look
 */
export function underlineOf(data, value, depth, look) {
  if (value === null) return null;
  const share = Math.abs(value) / data.maxima[depth - 1];
  if (!(share > FAINT)) return null;
  const thick = Math.max(THINNEST, THICKEST * look.size * share);
  return { colour: rgb(shadeOf(data, look, value, depth)), thick };
}

/**
 * The contribution of each part of a sentence after a layer; null if unknown.
 * @param {SideHeader} side
 * @param {number} depth
 */
const contributionsOf = ({ adds }, depth) => (depth && adds ? adds.parts[depth - 1] : null);

/**
 * What moved the word, in shares that add up: the length of each along all of them, 0 to 1, on one scale for all sentences.
 * @param {TrajectoryHeader} data
 * @param {SideHeader} side
 * @param {number} depth
 * @param {Look} look
 */
export function sharesOf({ sides, signed }, side, depth, look) {
  const sums = sides.map((one) => {
    const row = contributionsOf(one, depth), own = row?.[one.chosen] ?? 0;
    return row && one.adds ? [row.reduce((/** @type {number} */ all, x) => all + (x ?? 0), -own), own, one.adds.otherParts[depth - 1]] : [];
  });
  const most = Math.max(...sums.map((row) => row.reduce((all, x) => all + Math.abs(x), 1e-9)));
  const names = [m("other words"), m("own vector"), m("rest")], ends = signed[look.dark ? "dark" : "light"];
  return sums[sides.indexOf(side)].map((x, i) => ({ name: names[i], part: Math.abs(x) / most, fill: mix(look.paper, ends[Number(x >= 0)], 0.3) }));
}

export class Sentence {
  /** The part under the keyboard cursor; after the last comes the sum; -1 for none. */
  here = -1;

  /**
   * @param {Trajectory} picture
   * @param {SideHeader} side
   */
  constructor(picture, side) {
    this.picture = picture;
    this.side = side;
    const { name, mark, parts, chosen } = side;
    this.node = element("div", { class: "sentence", dir: "auto", tabindex: "0", role: "application",
      "aria-roledescription": m("sentence"), "aria-label": `${m("Sentence {name}", { name })}: ${parts.join("")}` });
    const label = element("span", { class: "name" }, `${mark} ${name}`);
    label.style.color = side.colour;
    this.words = parts.map((text, i) => {
      const blank = !text.trim(), word = element("span", blank ? {} : { class: "word" }, text);
      if (!blank) word.dataset.part = String(i);
      if (i === chosen) word.classList.add("chosen");
      return word;
    });
    this.sum = element("span", { class: "sum", dir: "ltr" });
    this.caption = element("div");
    this.sum.append(this.caption);
    this.shares = element("div", { class: "shares", "aria-hidden": "true" }); // the sum says it
    this.node.append(label, ...this.words, this.shares, this.sum);
    picture.on(this.node, "pointermove", (event) => this.point(event));
    picture.on(this.node, "pointerdown", (event) => this.point(event));
    picture.on(this.node, "pointerleave", () => picture.hide());
    picture.on(this.node, "keydown", (event) => this.key(event));
    picture.on(this.node, "blur", () => this.reach(-1));
  }

  /**
   * Draws the underlines of a depth; the chosen word has a frame in its sentence's colour.
   * @param {number} depth
   * @param {Look} look
   */
  mark(depth, look) {
    const { side, picture: { header: data } } = this, row = contributionsOf(side, depth);
    this.words.forEach((word, i) => {
      const line = row && underlineOf(data, row[i], depth, look);
      word.style.backgroundImage = line ? `linear-gradient(${line.colour},${line.colour})` : "none";
      if (line) {
        const below = THICKEST * look.size - line.thick; // all begin at the same height
        word.style.backgroundSize = `100% ${line.thick.toFixed(1)}px`;
        word.style.backgroundPosition = `0 calc(100% - ${below.toFixed(1)}px)`;
      }
      if (i === side.chosen) {
        word.style.color = side.colour;
        word.style.boxShadow = `inset 0 0 0 1.5px ${side.colour}`;
      }
    });
    this.shares.hidden = Boolean(data.whyNone);
    this.shares.replaceChildren(...sharesOf(data, side, depth, look).map(({ name, part, fill }) => {
      const room = part * this.node.clientWidth, one = element("span", {}, widthOf(name, look) + 9 < room ? name : "");
      one.style.cssText = `width:${100 * part}%;background:${rgb(fill)}`;
      return one;
    }));
    this.caption.textContent = sideCaption(data, side, depth);
    this.sum.dataset.room = longestLine(side);
  }

  /**
   * The tooltip of a word; after the last, of the sum.
   * @param {number} i
   */
  tip(i) {
    const { side, picture } = this, { depth } = picture, sum = i === this.words.length;
    if (sum && !sumOf(side, depth)) return picture.hide();
    if (sum) picture.tip.replaceChildren(sumOf(side, depth));
    else picture.tip.replaceChildren(element("bdi", {}, side.parts[i].trim()), `: ${this.about(i)}`);
    const box = (sum ? this.sum : this.words[i]).getBoundingClientRect(), frame = picture.frame.getBoundingClientRect();
    const { tip } = picture;
    tip.style.left = "0";
    const left = box.left - frame.left + box.width / 2 - tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(0, left), frame.width - tip.offsetWidth)}px`;
    tip.style.top = `${box.bottom - frame.top + 4}px`;
    tip.style.visibility = "visible";
  }

  /**
   * The contribution of a word, in words.
   * @param {number} i
   */
  about(i) {
    const { side, picture: { header: data, depth } } = this, row = contributionsOf(side, depth);
    if (!depth) return m("before layer 1, no word has added anything");
    if (!row) return m("its contribution is not known here");
    const more = i === side.chosen ? m(": its own vector, as this sentence lets it through, more than alone") : "";
    return m("{adds}{more}, after layer {layer}", { adds: contributionText(data, row[i]), more, layer: depth });
  }

  /** @param {PointerEvent} event */
  point(event) {
    const path = event.composedPath();
    const word = this.words.findIndex((one) => one.dataset.part !== undefined && path.includes(one));
    const i = path.includes(this.sum) || path.includes(this.shares) ? this.words.length : word;
    i >= 0 ? this.tip(i) : this.picture.hide();
  }

  /**
   * The arrows move from word to word, and each is read aloud with its contribution; after the last comes
   * the sum.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const by = Number(event.key === "ArrowRight") - Number(event.key === "ArrowLeft");
    if (event.ctrlKey || event.altKey || event.metaKey || !by) return;
    event.preventDefault();
    const { direction } = getComputedStyle(this.node), step = direction === "rtl" ? -by : by;
    const last = this.words.length - (sumOf(this.side, this.picture.depth) ? 0 : 1);
    let i = this.here < 0 && step < 0 ? last + 1 : this.here;
    do i += step; while (i in this.words && !this.side.parts[i].trim());
    if (i < 0 || i > last) return;
    this.reach(i);
    this.tip(i);
    this.picture.live.textContent = this.picture.tip.textContent;
  }

  /** @param {number} i */
  reach(i) {
    const stops = [...this.words, this.sum];
    stops[this.here]?.removeAttribute("data-here");
    this.here = i;
    stops[i]?.setAttribute("data-here", "");
    if (i < 0) this.picture.hide();
  }
}

const MOST_LINES = 2; // below a sentence in a file

/**
 * Both sentences for a saved file, and their height.
 * @param {TrajectoryHeader} data
 * @param {Look} look
 * @param {{ depth: number, width: number }} where
 */
export function sentenceShapes(data, look, { depth, width }) {
  const { size } = look, high = 2.4 * size, narrow = width < 640;
  /** @type {Shape[]} */
  const shapes = [];
  const room = narrow ? width : width / 2 - 14;
  let bottom = 0, below = 0;
  data.sides.forEach((side, k) => {
    const left = narrow ? 0 : k * (width / 2 + 14);
    let y = (narrow ? below : 0) + 0.7 * size, x = left;
    const label = `${side.mark} ${side.name}`;
    shapes.push({ text: label, x, y, size, bold: true, fill: side.colour });
    x += widthOf(label, look, true) + 0.7 * size;
    side.parts.forEach((part, i) => {
      const bold = i === side.chosen, text = part.trim() ? fitted(part, room, look, bold) : " ";
      const wide = widthOf(text, look, bold);
      if (x + wide > left + room && text !== " ") {
        x = left;
        y += high;
      }
      const line = underlineOf(data, contributionsOf(side, depth)?.[i] ?? null, depth, look);
      if (line) shapes.push({ rect: [x, y + 0.7 * size, wide, line.thick], fill: line.colour });
      if (text !== " ") shapes.push({ text, x, y, size, bold, fill: bold ? side.colour : look.ink });
      x += wide;
    });
    y += high - 0.2 * size;
    let from = left;
    for (const { name, part, fill } of sharesOf(data, side, depth, look)) {
      const wide = part * room;
      shapes.push({ rect: [from, y - 0.7 * size, Math.max(0, wide - 1), 1.4 * size], fill });
      if (widthOf(name, look) < wide) shapes.push({ text: name, x: from + 4, y, size: 0.85 * size, fill: look.ink });
      from += wide;
    }
    if (from > left) y += 1.7 * size;
    for (const text of wrapped(sideCaption(data, side, depth), room, look, MOST_LINES)) {
      shapes.push({ text, x: left, y, size, fill: look.muted });
      y += 1.4 * size;
    }
    below = y;
    bottom = Math.max(bottom, below);
  });
  if (depth && data.sides[0].adds) for (const text of wrapped(data.parts, width, look, MOST_LINES)) {
    shapes.push({ text, x: 0, y: bottom, size, fill: look.muted, part: "note" });
    bottom += 1.4 * size;
  }
  return { shapes, height: bottom };
}
