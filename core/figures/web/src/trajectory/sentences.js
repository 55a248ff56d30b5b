// A sentence whose words are underlined by what each adds to the position of the chosen one.
import { element, fitted, rgb, widthOf, wrapped } from "../runtime/shared.js";
import { addsSaid, lineSaid, roomOf, sumOf } from "./captions.js";
import { shadeOf } from "./plan.js";

const THICKEST = 0.5 / 0.8; // the underline of what adds most, in sizes of letters: --most of the stylesheet
const THINNEST = 1.5; // pixels of a line that is drawn
const FAINT = 0.02; // of the most: less is no underline

/** Of what a word adds: the colour and the thickness of its line; null where there is none to draw. */
export function lineUnder(data, value, depth, look) {
  const share = value === null ? 0 : Math.abs(value) / data.most[depth - 1];
  if (!(share > FAINT)) return null;
  const thick = Math.max(THINNEST, THICKEST * look.size * share);
  return { colour: rgb(shadeOf(data, look, value, depth)), thick };
}

export class Sentence {
  constructor(picture, side, index) {
    Object.assign(this, { picture, side, index, here: -1 });
    const { name, mark, parts, chosen } = side;
    this.node = element("div", { class: "sentence", dir: "auto", tabindex: "0", role: "application",
      "aria-roledescription": "sentence", "aria-label": `Sentence ${name}: ${parts.join("")}` });
    const label = element("span", { class: "name" }, `${mark} ${name}`);
    label.style.color = side.colour;
    this.words = parts.map((text, i) => {
      const blank = !text.trim(), word = element("span", blank ? {} : { class: "word" }, text);
      if (!blank) word.dataset.part = String(i);
      if (i === chosen) word.classList.add("chosen");
      return word;
    });
    this.sum = element("span", { class: "sum", dir: "ltr" });
    this.said = element("div");
    this.sum.append(this.said);
    this.node.append(label, ...this.words, this.sum);
    picture.on(this.node, "pointermove", (event) => this.point(event));
    picture.on(this.node, "pointerdown", (event) => this.point(event));
    picture.on(this.node, "pointerleave", () => picture.hide());
    picture.on(this.node, "keydown", (event) => this.key(event));
    picture.on(this.node, "blur", () => this.reach(-1));
  }

  /** The underlines of a depth; the chosen word has a frame in its sentence's colour. */
  mark(depth, look) {
    const { side, picture: { header: data } } = this, row = depth && side.adds ? side.adds.parts[depth - 1] : null;
    this.words.forEach((word, i) => {
      const line = row && lineUnder(data, row[i], depth, look);
      word.style.backgroundImage = line ? `linear-gradient(${line.colour},${line.colour})` : "none";
      if (line) {
        const below = THICKEST * look.size - line.thick; // all begin at one height
        word.style.backgroundSize = `100% ${line.thick.toFixed(1)}px`;
        word.style.backgroundPosition = `0 calc(100% - ${below.toFixed(1)}px)`;
      }
      if (i === side.chosen) {
        word.style.color = side.colour;
        word.style.boxShadow = `inset 0 0 0 1.5px ${side.colour}`;
      }
    });
    this.said.textContent = lineSaid(data, side, depth);
    this.sum.dataset.room = roomOf(side);
  }

  /** What is said of a word; behind the last one, of the sum. */
  tip(i) {
    const { side, picture } = this, { depth } = picture, sum = i === this.words.length;
    const said = sum ? [sumOf(side, depth)] : [element("bdi", {}, side.parts[i].trim()), `: ${this.about(i)}`];
    if (!said[0]) return picture.hide();
    picture.tip.replaceChildren(...said);
    const box = (sum ? this.sum : this.words[i]).getBoundingClientRect(), frame = picture.frame.getBoundingClientRect();
    const { tip } = picture;
    tip.style.left = "0";
    const left = box.left - frame.left + box.width / 2 - tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(0, left), frame.width - tip.offsetWidth)}px`;
    tip.style.top = `${box.bottom - frame.top + 4}px`;
    tip.style.visibility = "visible";
  }

  about(i) {
    const { side, picture: { header: data, depth } } = this;
    const value = depth && side.adds ? side.adds.parts[depth - 1][i] : undefined;
    if (!depth) return "before any layer, no word has added anything";
    if (value === undefined) return "what it adds is not known here";
    return `${addsSaid(data, value)}${i === side.chosen ? ", its own share" : ""}, after layer ${depth}`;
  }

  point({ target }) {
    const i = this.sum.contains(target) ? this.words.length : Number(target.dataset?.part ?? -1);
    i >= 0 ? this.tip(i) : this.picture.hide();
  }

  /** The arrows go from word to word, and each is read with what it adds; behind the last one stands the sum. */
  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
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

  reach(i) {
    const stops = [...this.words, this.sum];
    stops[this.here]?.removeAttribute("data-here");
    this.here = i;
    stops[i]?.setAttribute("data-here", "");
    if (i < 0) this.picture.hide();
  }
}

const MOST_LINES = 2; // below a sentence in a file

/** Both sentences for a file, as shapes: {shapes, height}. */
export function sentenceShapes(data, look, { depth, width }) {
  const { size } = look, high = 2.4 * size, shapes = [], narrow = width < 640;
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
      const value = depth && side.adds ? side.adds.parts[depth - 1][i] : null;
      const line = value === null ? null : lineUnder(data, value, depth, look);
      if (line) shapes.push({ rect: [x, y + 0.7 * size, wide, line.thick], fill: line.colour });
      if (text !== " ") shapes.push({ text, x, y, size, bold, fill: bold ? side.colour : look.ink });
      x += wide;
    });
    y += high - 0.2 * size;
    for (const text of wrapped(lineSaid(data, side, depth), room, look, MOST_LINES)) {
      shapes.push({ text, x: left, y, size, fill: look.muted });
      y += 1.4 * size;
    }
    below = y;
    bottom = Math.max(bottom, below);
  });
  return { shapes, height: bottom };
}
