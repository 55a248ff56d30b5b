// A sentence whose words are underlined by what each adds to the position of the chosen one.
import { element, fitted, mix, rgb, widthOf } from "./shared.js";
import { lineOf } from "./polylines.js";
import { addsSaid, sumSaid } from "./trajectorysaid.js";

const THICK = [2, 6.5]; // pixels: the underline of a word that adds little, and of the one that adds most
const FAINT = 0.02; // of the most: less is no underline

/** Of what a word adds: the colour and the thickness of its line; null where there is none to draw. */
function lineUnder(data, value, depth, look) {
  const share = value === null ? 0 : Math.min(1, Math.abs(value) / data.most[depth - 1]);
  if (!(share > FAINT)) return null;
  const [negative, positive] = data.signed[look.dark ? "dark" : "light"];
  const full = value < 0 ? negative : positive;
  return { colour: rgb(mix(look.paper, full, 0.35 + 0.65 * share)), thick: THICK[0] + (THICK[1] - THICK[0]) * share };
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
    this.node.append(label, ...this.words, this.sum);
    picture.on(this.node, "pointermove", (event) => this.point(event));
    picture.on(this.node, "pointerdown", (event) => this.point(event));
    picture.on(this.node, "pointerleave", () => picture.hide());
    picture.on(this.node, "keydown", (event) => this.key(event));
    picture.on(this.node, "blur", () => this.reach(-1));
  }

  /** The underlines of a depth; the chosen word stands on its sentence's colour. */
  mark(depth, look) {
    const { side, picture: { data } } = this, row = depth && side.adds ? side.adds.parts[depth - 1] : null;
    this.words.forEach((word, i) => {
      const line = row && lineUnder(data, row[i], depth, look);
      word.style.backgroundImage = line ? `linear-gradient(${line.colour},${line.colour})` : "none";
      if (line) word.style.backgroundSize = `100% ${line.thick.toFixed(1)}px`;
      if (i === side.chosen) {
        word.style.color = side.colour;
        word.style.boxShadow = `inset 0 0 0 1.5px ${side.colour}`;
      }
    });
    this.sum.textContent = sumSaid(data, side, depth);
  }

  tip(i) {
    const { side, picture } = this, { data, depth } = picture, word = this.words[i];
    const value = depth && side.adds ? side.adds.parts[depth - 1][i] : undefined;
    const said = !depth ? "before any layer, no word has added anything"
      : value === undefined ? "what it adds is not known here" : `${addsSaid(data, value)}, after layer ${depth}`;
    const box = word.getBoundingClientRect(), frame = picture.frame.getBoundingClientRect();
    picture.tip.replaceChildren(element("bdi", {}, side.parts[i].trim()), `: ${said}`);
    const { tip } = picture;
    tip.style.left = "0";
    const left = box.left - frame.left + box.width / 2 - tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(0, left), frame.width - tip.offsetWidth)}px`;
    tip.style.top = `${box.bottom - frame.top + 4}px`;
    tip.style.visibility = "visible";
  }

  point({ target }) {
    const i = Number(target.dataset?.part ?? -1);
    i >= 0 ? this.tip(i) : this.picture.hide();
  }

  /** The arrows go from word to word, and each is read with what it adds. */
  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey || !by) return;
    event.preventDefault();
    const { direction } = getComputedStyle(this.node), step = direction === "rtl" ? -by : by;
    let i = this.here < 0 && step < 0 ? this.words.length : this.here;
    do i += step; while (i in this.words && !this.side.parts[i].trim());
    if (!(i in this.words)) return;
    this.reach(i);
    this.tip(i);
    this.picture.live.textContent = this.picture.tip.textContent;
  }

  reach(i) {
    this.words[this.here]?.removeAttribute("data-here");
    this.here = i;
    this.words[i]?.setAttribute("data-here", "");
    if (i < 0) this.picture.hide();
  }
}

/** Both sentences for a file, as shapes: {shapes, height}. */
export function sentenceShapes(data, look, { depth, width }) {
  const { size } = look, high = 2 * size, shapes = [], narrow = width < 640;
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
      if (line) {
        const under = y + 0.75 * size;
        shapes.push({ path: lineOf([[x, under], [x + wide, under]]), stroke: line.colour, wide: line.thick });
      }
      if (text !== " ") shapes.push({ text, x, y, size, bold, fill: bold ? side.colour : look.ink });
      x += wide;
    });
    const sum = sumSaid(data, side, depth);
    y += high;
    shapes.push({ text: fitted(sum, room, look), x: left, y, size: 0.85 * size, fill: look.muted });
    below = y + 1.2 * size;
    bottom = Math.max(bottom, below);
  });
  return { shapes, height: bottom };
}
