// All heads of a model: layers × heads, each a small map, or its share of one token.
import { element, light, lookOf, rgb, widthOf, written } from "./shared.js";
import { paletteOf } from "./cells.js";
import { Choices, controlsIn, tokensIn } from "./choices.js";
import { live, Life } from "./life.js";
import { mapsOf, overviewPlan } from "./maps.js";

const CHIPS = 24; // up to so many tokens stand side by side
const TABLE_ROWS = 20;
const WAYS = ["to", "from"];

class Overview extends Life {
  constructor(root) {
    super(root, "grid of heads");
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
    this.bar = controlsIn(this);
    this.ways = new Choices(this, "Which way heads look", (i) => this.turnTo({ way: WAYS[i] }));
    this.chips = new Choices(this, "Token", (i) => this.turnTo({ token: i - 1 }), "long");
    this.list = tokensIn(this, "Token", "Token", (i) => this.turnTo({ token: i }));
    this.bar.append(this.ways.bar, this.chips.bar, this.list.whole);
  }

  take(first) {
    const { header, values } = this, { layers, heads, maps: [rows, columns] } = header;
    this.count = layers.length * heads;
    const cells = this.count * rows * columns, keys = header.tokens.length;
    const queries = (header.looking ?? header.tokens).length;
    this.maps = values.subarray(0, cells);
    this.shares = { to: values.subarray(cells, cells + this.count * keys) };
    const rest = values.subarray(cells + this.count * keys);
    this.shares.from = rest.subarray(0, this.count * queries);
    const asked = JSON.stringify([header.token, header.way]);
    if (first || asked !== this.asked) Object.assign(this,
      { token: header.token ?? -1, way: header.way });
    this.asked = asked;
    this.palette = null;
    const choosing = (header.events ?? []).includes("head");
    this.choosing = choosing;
    this.area.toggleAttribute("data-picks", choosing);
    this.keys.textContent = "Left and Right go through the heads of a layer, Up and Down the layers, "
      + `Home and End to the first and the last head.${choosing ? " Enter opens a head." : ""}`;
    const chosen = header.chosen && header.chosen[0] * heads + header.chosen[1];
    const other = chosen !== null && chosen !== this.framed;
    if (first || this.here >= this.count || other) this.here = chosen ?? 0;
    this.framed = chosen;
    this.bar.hidden = !keys;
    if (keys) this.ways.fill([{ text: "looks to" }, { text: "looks from" }], "one");
    this.tokens = null;
    this.turned();
  }

  /** What a visitor chooses above the maps. */
  turnTo(to) {
    const other = to.way && to.way !== this.way && this.header.looking;
    Object.assign(this, to, other ? { token: -1 } : {});
    this.turned();
    this.hide();
    this.draw();
    if ((this.header.events ?? []).includes("state")) {
      this.emit("state", { token: this.token < 0 ? null : this.token, way: this.way });
    }
  }

  turned() {
    const { header, way } = this, tokens = (way === "from" && header.looking) || header.tokens;
    if (tokens.length) {
      const few = tokens.length <= CHIPS;
      this.chips.bar.hidden = !few;
      this.list.whole.hidden = few;
      if (this.tokens !== tokens) {
        if (few) this.chips.fill([{ text: "all", name: "All tokens: maps" },
          ...tokens.map((text) => ({ text }))], "one");
        else this.list.fill(tokens, "all: maps");
      }
      if (few) this.chips.set(this.token + 1);
      this.list.select.value = String(this.token);
      this.ways.set(WAYS.indexOf(way));
    }
    this.tokens = tokens;
    if (this.token >= tokens.length) this.token = -1;
    this.tabulateHeads();
  }

  /** How much head `i` looks to or from the chosen token; to about a hundredth of the most. */
  share(i) {
    const { way, token, shares, header } = this, share = shares[way][i * this.tokens.length
      + token] / 255;
    return share * share * header.ends[way];
  }

  scale() {
    const { header, token, way } = this;
    if (token < 0) return header.scale;
    const most = Math.max(...Array.from({ length: this.count }, (_, i) => this.share(i)), 1e-6);
    const what = way === "to" ? "mean weight on" : "largest weight of";
    return { ...header.scale, root: false, most, title: `${what} “${this.tokens[token]}”` };
  }

  planned(look, ratio) {
    const scale = this.scale(), palette = paletteOf(scale, look);
    const top = this.bar.hidden ? 0 : this.bar.offsetHeight + 6;
    const plan = overviewPlan(this, look, scale, palette, top, ratio);
    if (this.token >= 0) plan.shapes.push(...this.written(plan, palette, look));
    return { plan, palette };
  }

  paint(look) {
    const ratio = devicePixelRatio || 1, { plan, palette } = this.planned(look, ratio);
    this.onCanvas(this.canvas, plan, palette, look, ratio);
    const [left, top, width, height] = plan.area;
    Object.assign(this.canvas.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
    return plan;
  }

  onCanvas(canvas, plan, palette, look, ratio) {
    canvas.width = Math.max(1, Math.round(plan.area[2] * ratio));
    canvas.height = Math.max(1, Math.round(plan.area[3] * ratio));
    const flat = this.token < 0 ? null : (i) => palette.at(this.share(i));
    const image = mapsOf(this, plan, palette, look, canvas, ratio, flat);
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  /** The numbers on the cells, where there is room. */
  written(plan, palette, look) {
    const { boxes, cell: [wide, high] } = plan, shapes = [],
      size = Math.min(look.size, 0.36 * wide, 0.6 * high);
    if (size < 8) return shapes;
    boxes.forEach(([x, y], i) => {
      const value = this.share(i), under = palette.colours[palette.at(value)];
      const apart = (colour) => Math.abs(light(colour) - light(under));
      shapes.push({
        text: this.number(value), x: x + wide / 2, y: y + high / 2, size, anchor: "middle",
          part: "share",
        fill: apart(look.paper) > apart(look.ink) ? look.paper : look.ink, of: i,
      });
    });
    return shapes;
  }

  number = (value) => (value > 0 && value < 0.005 ? "<.01" : written(value, this.header.number));

  /** What is saved; the maps as an image, which they are: pooled for the screen. */
  still(ratio) {
    const look = lookOf(this.frame), fine = Math.min(4, ratio),
      { plan, palette } = this.planned(look, fine);
    const canvas = document.createElement("canvas"), [x, y, width, height] = plan.area;
    this.onCanvas(canvas, plan, palette, look, fine);
    const sign = { x, y, width, height, href: canvas.toDataURL() };
    const image = Object.entries(sign).map(([name, value]) => `${name}="${value}"`).join(" ");
    return {
      look, shapes: plan.shapes,
      paint: (pen) => pen.drawImage(canvas, x, y, width, height),
      asSvg: () =>
        `<g><image ${image} preserveAspectRatio="none" style="image-rendering:pixelated"/></g>`,
    };
  }

  under({ offsetX, offsetY }) {
    const { boxes, area: [left, top], pitch: [wide, high] } = this.plan;
    const found = boxes.findIndex(([x, y]) => offsetX >= x - left - 1 && offsetX < x - left + wide - 1
      && offsetY >= y - top - 1 && offsetY < y - top + high - 1);
    return found < 0 ? null : found;
  }

  told(i) {
    const { boxes, cell: [wide, high] } = this.plan, [x, y] = boxes[i], { header } = this;
    return {
      parts: [header.layers[Math.floor(i / header.heads)], ", ", `head ${(i % header.heads) + 1}`],
      said: this.read(i), x: x + wide / 2, top: y, bottom: y + high,
    };
  }

  read(i) {
    const { header, token } = this;
    if (token >= 0) {
      const isolated = `\u2068${this.tokens[token]}\u2069`;
      const what = this.way === "to" ? "mean weight on" : "largest weight of";
      return `${what} “${isolated}” ${this.number(this.share(i))}`;
    }
    return header.notes[i] || `strongest weight ${written(header.strongest[i], header.number)}`;
  }

  choose(i) {
    super.choose(i);
    if (i !== null) this.pick();
  }

  pick() {
    const { heads } = this.header, { here } = this;
    if (this.choosing) this.emit("head", { layer: Math.floor(here / heads), head: here % heads });
  }

  next({ key, ctrlKey }) {
    const { here, count, header: { heads } } = this, first = here - (here % heads), step = {
      ArrowLeft: here > first ? -1 : 0, ArrowRight: here < first + heads - 1 ? 1 : 0,
      ArrowUp: here >= heads ? -heads : 0, ArrowDown: here + heads < count ? heads : 0,
      Home: (ctrlKey ? 0 : first) - here, End: (ctrlKey ? count : first + heads) - 1 - here,
    }[key];
    if (key === "Enter" && this.choosing) this.pick();
    else if (step === undefined || (ctrlKey && key.startsWith("Arrow"))) return null;
    return here + (step ?? 0);
  }

  place() {
    const [x, y] = this.plan.boxes[this.here], [wide, high] = this.plan.cell;
    Object.assign(this.cursor.style, {
      left: `${x - 4}px`, top: `${y - 4}px`, width: `${wide + 8}px`, height: `${high + 8}px`,
    });
  }

  tabulateHeads() {
    const { header, token, count } = this, { layers, heads, notes, strongest } = header;
    const size = (i) => (token < 0 ? strongest[i] : this.share(i)),
      all = Array.from({ length: count }, (_, i) => i);
    const top = all.sort((a, b) => size(b) - size(a) || a - b).slice(0, TABLE_ROWS),
      noted = notes.length > 0;
    const what = token < 0 ? "strongest weight" : this.scale().title;
    this.tabulate(
      `${top.length < count ? `${top.length} of ${count}` : `All ${count}`} heads, by ${what}`,
      ["layer", "head", what, ...(noted ? ["pattern"] : [])],
      top.map((i) => [layers[Math.floor(i / heads)], String((i % heads) + 1), this.number(size(i)),
        ...(noted ? [notes[i]] : [])]),
    );
  }
}

export function render(root, data, emit) {
  return live(root, data, emit, () => new Overview(root));
}
