// All words of a corpus, one point each, on one map or on two that move together: painted pixel by pixel, which needs no
// graphics processor. Bytes: coordinates (sides, words, 2) float32, counts (sides, words) uint32, groups (sides, words)
// uint8.
/** @import { WordmapHeader } from "../headers" */
/** @import { WordmapState } from "../states" */
/** @import { Box, Emit, Look, Plan, RGB, Root, Sent, Shape, Tip } from "../types" */
/** @import { Bounds, View } from "./mapview" */
/** A map on the picture, and how its numbers become pixels. @typedef {{ box: Box, scale: number, left: number, top: number }} Panel */
/** @typedef {Plan & { panels: Panel[] }} MapPlan */
import { m, mn } from "../runtime/language.js";
import { colour, element, fitted, grouped, lookOf, mix, penOf, rgb, widthOf } from "../runtime/shared.js";
import { drawIn, Picture } from "../runtime/picture.js";
import { later } from "../runtime/later.js";
import { showImage } from "../draw/cells.js";
import { markAt } from "../draw/paths.js";
import { STATES } from "../runtime/schema.js";
import { WHOLE, held, isInside, lassoOf, named, packed, pixelOf, scaleOf, solidOf, stampOf, stamped, unpacked, zoomed } from "./mapview.js";

/** The radius in pixels, for up to so many words. @type {readonly (readonly [number, number])[]} */
const SIZES = [[300, 4], [1000, 3.2], [5000, 2.4], [20_000, 1.8]];
const SMALLEST = 1.3;
const LARGER = 1.7; // at most so many times as large where the map is magnified
const SOLID = 0.85, FAINT = 0.3; // opacity of a point, and of one that is not among those chosen
const NARROW = 620; // pixels, below which two maps stand one above the other
const TOOLS = 3.2; // in multiples of the letter size: the height of the tools
const ROW = 1.5; // of a line of the legend, or of a title
const SHARP = 20_000; // with more words, points have sharp edges and hide what lies below
const HALF = 100; // the opacity of 256 from which such a point has a pixel
const PER_NAME = 11_000; // pixels of a map for each name
const LOOKED = 4_000; // words that are tried for names in each drawing
const NEAR = 14; // pixels within which a point is under the pointer
const STEP = 1.5; // of a magnification by key or button
const REST = 1_500; // milliseconds until a view is reported
const STILL = 200; // milliseconds after which a map that was moved is drawn as finely as the screen shows it
const CONE = 0.9; // an arrow goes to the nearest word that lies at most so far aside for each pixel ahead
const ROWS = 20; // of the table
const STYLE = `
.tools{position:absolute;left:0;right:${110}px;top:0;display:flex;flex-wrap:wrap;align-items:center;gap:.35em .5em;font-size:.875em;z-index:1}
.tools input{font:inherit;color:inherit;background:var(--st-background-color,var(--paper));width:11em;padding:.2em .45em;
 border:1px solid color-mix(in srgb,currentColor 35%,transparent);border-radius:.3em}
.tools input:focus-visible{outline:2px solid var(--st-primary-color,Highlight)}
.tools button{font-size:1em;min-width:2em}
.tools button[aria-pressed=true]{opacity:1;font-weight:600;border-color:currentColor;
 background:color-mix(in srgb,currentColor 10%,transparent)}
.tools output{opacity:.8;font-variant-numeric:tabular-nums}
.area{cursor:grab;touch-action:pan-y}
.area[data-holds]{touch-action:none}
.area[data-draws]{cursor:crosshair}
.area:active{cursor:grabbing}
.near,.cursor{border-radius:50%}
.near{position:absolute;visibility:hidden;pointer-events:none;border:2px solid currentColor;box-sizing:border-box}`;

/** @extends {Picture<WordmapHeader, WordmapState, number | null, MapPlan>} */
class WordMap extends Picture {
  schema = STATES.wordmap;
  /** (sides, words, 2) @type {Float32Array} */
  at = later();
  /** (sides, words) @type {Uint32Array} */
  counts = later();
  /** (sides, words) @type {Uint8Array} */
  groups = later();
  /** The groups that have words: looked up once, and not in each drawing. @type {Set<number>} */
  there = later();
  /** @type {View} */
  view = later();
  /** The words that are searched or lassoed, from 0; null if all count. @type {number[] | null} */
  among = null;
  /** The same as a set of bits. @type {Uint8Array | null} */
  bits = null;
  /** Words in lower case, once one is searched. @type {string[] | null} */
  lower = null;
  draws = false; // whether the pointer draws a lasso
  /** The pointers that are down: where, and where they went down. @type {Map<number, { u: number, v: number }>} */
  down = new Map();
  moved = false;
  /** The lasso that is being drawn, in pixels. @type {[number, number][]} */
  line = [];
  frameAsked = 0;
  stillAsked = 0;
  /** The pixels of the last drawing, written again in the next one. @type {ImageData | null} */
  pixels = null;

  /** @param {Root} root */
  constructor(root) {
    super(root, m("map of words"));
    this.shadow.append(element("style", {}, STYLE));
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
    this.near = element("div", { class: "near" });
    this.area.before(this.near);
    this.tools = element("div", { class: "tools" });
    this.search = element("input", { type: "search", placeholder: m("Find a word"), "aria-label": m("Find a word on the map"), maxlength: "40" });
    this.less = element("button", { type: "button", "aria-label": m("Smaller") }, "−");
    this.more = element("button", { type: "button", "aria-label": m("Larger") }, "+");
    this.whole = element("button", { type: "button" }, m("Whole map"));
    this.lasso = element("button", { type: "button", "aria-pressed": "false" }, m("Lasso"));
    this.count = element("output", { "aria-live": "polite" });
    this.tools.append(this.search, this.less, this.more, this.whole, this.lasso, this.count);
    this.area.before(this.tools);
    this.on(this.search, "input", () => this.searches(this.search.value, false));
    this.on(this.search, "keydown", (event) => {
      if (event.key === "Enter") this.searches(this.search.value, true);
      if (event.key === "Escape") this.searches("", false);
    });
    this.on(this.less, "click", () => this.zooms(1 / STEP));
    this.on(this.more, "click", () => this.zooms(STEP));
    this.on(this.whole, "click", () => this.looks(unpacked(null)));
    this.on(this.lasso, "click", () => this.lassoes());
    const { area } = this;
    this.on(area, "pointerdown", (event) => this.pressed(event));
    this.on(area, "pointermove", (event) => this.drags(event));
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) this.on(area, type, (event) => this.lifted(event));
    area.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && this.shadow.activeElement !== area) return; // the page scrolls
      event.preventDefault();
      const box = area.getBoundingClientRect();
      this.zooms(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), [event.clientX - box.left, event.clientY - box.top]);
    }, { signal: this.life.signal, passive: false });
  }

  /** @param {boolean} first @param {boolean} takesState */
  take(first, takesState) {
    const { header, values } = this, count = header.words.length, sides = header.sides.length;
    const copy = values.byteOffset % 4 ? values.slice() : values;
    const numbers = copy.byteOffset + 8 * count * sides;
    this.at = new Float32Array(copy.buffer, copy.byteOffset, 2 * count * sides);
    this.counts = new Uint32Array(copy.buffer, numbers, count * sides);
    this.groups = new Uint8Array(copy.buffer, numbers + 4 * count * sides, count * sides);
    this.there = new Set(this.groups);
    this.lower = null;
    const { state, here } = this;
    this.state = takesState || first ? { ...header.state } : {
      ...state, chosen: header.state.chosen, side: Math.min(state.side, sides - 1),
    };
    this.view = held(unpacked(this.state.view));
    if (first || (here !== null && here >= count * sides)) this.here = this.state.chosen;
    if (this.shadow.activeElement !== this.search) this.search.value = this.state.found;
    this.keys.textContent = m("Arrow keys go to the nearest word in that direction, Page Up and Page Down to the next more and less "
      + "frequent one, Home to the most frequent one. Plus and minus magnify, 0 shows the whole map. Enter chooses a word.")
      + (sides > 1 ? m(" S goes to the same word on the other map.") : "");
    this.selects();
    this.tabulateWords();
  }

  /** Which words are searched or lassoed. */
  selects() {
    const { state: { found, lasso, side }, header: { words, bounds: [left, bottom, right, top] }, at } = this;
    const wanted = found.trim().toLowerCase(), count = words.length;
    if (!wanted && !lasso) {
      this.among = this.bits = null;
    } else {
      this.lower ??= wanted ? words.map((word) => word.toLowerCase()) : null;
      const { lower } = this;
      this.among = [...words.keys()].filter((i) => {
        if (wanted && !lower?.[i].includes(wanted)) return false;
        if (!lasso) return true;
        const k = 2 * (side * count + i);
        return isInside(lasso, ((at[k] - left) / (right - left)) * WHOLE, ((at[k + 1] - bottom) / (top - bottom)) * WHOLE);
      });
      this.bits = new Uint8Array(count);
      for (const i of this.among) this.bits[i] = 1;
    }
    const { among } = this;
    this.count.textContent = among ? m("{count} of {all} words", { count: grouped(among.length), all: grouped(count) })
      : mn("{count} word", "{count} words", count, { count: grouped(count) });
    this.lasso.textContent = lasso ? m("Clear lasso") : m("Lasso");
    this.lasso.setAttribute("aria-pressed", String(this.draws));
    this.area.toggleAttribute("data-draws", this.draws);
    this.area.toggleAttribute("data-holds", this.draws || this.view.zoom > 1);
  }

  /** @param {string} text @param {boolean} chooses */
  searches(text, chooses) {
    this.search.value = text;
    this.state.found = text.slice(0, 40);
    this.selects();
    const { among } = this, wanted = text.trim().toLowerCase();
    if (chooses && wanted && among?.length) {
      const exact = among.find((i) => this.lower?.[i] === wanted) ?? among[0];
      this.goTo(exact);
      this.state.chosen = exact;
    }
    this.draw();
    this.report.send(chooses ? 0 : REST);
  }

  lassoes() {
    if (this.state.lasso) {
      this.state.lasso = null;
      this.draws = false;
      this.selects();
      this.draw();
      this.report.send();
    } else {
      this.draws = !this.draws;
      this.selects();
    }
  }

  /** @param {View} view */
  looks(view) {
    this.view = view;
    this.state.view = packed(view);
    this.hide();
    this.area.toggleAttribute("data-holds", this.draws || view.zoom > 1);
    this.soon();
    this.rests();
    this.report.send(REST);
  }

  /** On a screen with finer pixels, a map of many words moves in plain ones: there are a quarter as many. */
  rests() {
    if (this.header.words.length <= SHARP || !(devicePixelRatio > 1)) return;
    clearTimeout(this.stillAsked);
    this.stillAsked = Number(setTimeout(() => {
      this.stillAsked = 0;
      this.draw();
    }, STILL));
  }

  /** Draws before the next frame. */
  soon() {
    if (!this.frameAsked) this.frameAsked = requestAnimationFrame(() => {
      this.frameAsked = 0;
      this.draw();
    });
  }

  /** @param {number} by @param {[number, number] | null} at pixels of the area; null for the middle of the first map */
  zooms(by, at = null) {
    const { plan: { panels, area: [left, top] }, header: { bounds } } = this;
    const [u, v] = at ?? [panels[0].box[0] - left + panels[0].box[2] / 2, panels[0].box[1] - top + panels[0].box[3] / 2];
    const { box } = panels[this.panelAt(u + left, v + top)];
    this.looks(zoomed(bounds, box, this.view, [u + left, v + top], by));
  }

  /** The map at a pixel. @param {number} u @param {number} v */
  panelAt(u, v) {
    const at = this.plan.panels.findIndex(({ box: [x, y, width, height] }) => u >= x && u < x + width && v >= y && v < y + height);
    return at < 0 ? 0 : at;
  }

  /** Brings a word into view, in the middle if it is not there. @param {number} i */
  goTo(i) {
    const side = Math.max(0, this.plan.panels.findIndex((_, k) => this.has(k, i)));
    this.here = side * this.header.words.length + i;
    if (!this.spot(this.here, true)) {
      const { bounds: [left, bottom, right, top] } = this.header, k = 2 * this.here, zoom = Math.max(4, this.view.zoom);
      this.looks(held({ x: (this.at[k] - left) / (right - left), y: (this.at[k + 1] - bottom) / (top - bottom), zoom }));
    }
  }

  /** Whether a map has a word. @param {number} side @param {number} i */
  has(side, i) {
    const x = this.at[2 * (side * this.header.words.length + i)];
    return x === x;
  }

  /**
   * The pixel of a thing; null if it has none, or lies outside of its map.
   * @param {number} thing
   * @param {boolean} inView
   */
  spot(thing, inView = false) {
    const count = this.header.words.length, panel = this.plan.panels[Math.floor(thing / count)];
    if (!panel) return null;
    const x = panel.left + this.at[2 * thing] * panel.scale, y = panel.top - this.at[2 * thing + 1] * panel.scale;
    const [left, top, width, height] = panel.box;
    if (x !== x || (inView && (x < left || x > left + width || y < top || y > top + height))) return null;
    return { x, y };
  }

  radius() {
    const base = SIZES.find(([most]) => this.header.words.length <= most)?.[1] ?? SMALLEST;
    return base * Math.min(LARGER, this.view.zoom ** 0.35);
  }

  /** @param {Look} look */
  paint(look) {
    const plan = this.planOf(look), [left, top, width, height] = plan.area;
    this.pixels = this.imageOf(plan, look, this.stillAsked ? 1 : devicePixelRatio || 1, this.pixels);
    if (this.canvas.width !== this.pixels.width || this.canvas.height !== this.pixels.height) showImage(this.canvas, this.pixels);
    else penOf(this.canvas).putImageData(this.pixels, 0, 0);
    Object.assign(this.canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    return plan;
  }

  /** @param {Look} look @returns {MapPlan} */
  planOf(look) {
    const { header: { sides, height, bounds, groups }, width } = this, { size } = look;
    /** @type {Shape[]} */
    const shapes = [];
    const tools = Math.max(TOOLS * size, this.tools.offsetHeight + 0.6 * size);
    const key = this.legend(look, tools), top = tools + key.high, across = width >= NARROW ? sides.length : 1, down = sides.length / across;
    const title = sides.length > 1 ? ROW * size : 0, gap = 0.8 * size;
    const wide = Math.floor((width - gap * (across - 1)) / across), high = Math.floor((height - top - gap * (down - 1)) / down - title) - 1;
    shapes.push(...key.shapes);
    const panels = sides.map((name, side) => {
      const x = across > 1 ? side * (wide + gap) : 0, y = Math.round(top + (across > 1 ? 0 : side * (high + gap + title)) + title);
      /** @type {Box} */
      const box = [Math.round(x), y, wide, high];
      if (title) shapes.push({ text: fitted(name, wide, look, true), x: box[0], y: y - 0.7 * size, size, bold: true, fill: look.ink, part: "side", of: side });
      shapes.push({ rect: [box[0] + 0.5, box[1] + 0.5, wide - 1, high - 1], stroke: mix(look.paper, look.ink, 0.22) });
      return { box, ...scaleOf(bounds, box, this.view) };
    });
    panels.forEach((panel, side) => shapes.push(...this.namesIn(panel, side, look, groups)));
    const first = panels[0].box, last = panels[panels.length - 1].box;
    return {
      shapes, panels, bar: 2, end: width,
      area: [0, first[1], width, last[1] + last[3] - first[1]],
    };
  }

  /** The groups that have words, above the maps. @param {Look} look @param {number} top */
  legend(look, top) {
    const { header: { groups }, there, width } = this, { size } = look;
    /** @type {Shape[]} */
    const shapes = [];
    let x = 0, row = 0;
    groups.forEach((group, i) => {
      if (!group.name || !there.has(i)) return;
      const text = fitted(group.name, 0.5 * width, look), wide = 2.3 * size + widthOf(text, look);
      if (x && x + wide > width) [x, row] = [0, row + 1];
      const y = top + (row + 0.5) * ROW * size;
      shapes.push(markAt([x + 0.5 * size, y], 0.36 * size, "circle", look.dark ? group.dark : group.light, look, { part: "key", of: i }));
      shapes.push({ text, x: x + 1.2 * size, y, size, fill: look.ink, part: "group", of: i });
      x += wide;
    });
    return { shapes, high: shapes.length ? (row + 1) * ROW * size + 0.2 * size : 0 };
  }

  /**
   * The names that have room on a map: of the chosen word, of those searched, then of the most frequent ones.
   * @param {Panel} panel
   * @param {number} side
   * @param {Look} look
   * @param {WordmapHeader["groups"]} groups
   * @returns {Shape[]}
   */
  namesIn({ box, scale, left, top }, side, look, groups) {
    const { state: { chosen, lasso }, among, at, header: { words } } = this, count = words.length, { size } = look;
    const [x0, y0, width, height] = box, room = /** @type {const} */ ([x0 + 3, y0 + 3, x0 + width - 3, y0 + height - 3]);
    // A word whose place is taken by a more frequent one is not even measured.
    const taken = new Set();
    const spots = function* () {
      const order = among && among.length < count ? among : words.keys();
      let looked = 0;
      if (chosen !== null) yield* spotOf(chosen);
      for (const i of order) {
        if (looked++ > LOOKED) return;
        yield* spotOf(i);
      }
    };
    const spotOf = function* (/** @type {number} */ i) {
      const k = 2 * (side * count + i), x = left + at[k] * scale, y = top - at[k + 1] * scale;
      if (!(x >= room[0] && x <= room[2] && y >= room[1] && y <= room[3])) return;
      const cell = 4096 * Math.floor(y / (1.5 * size)) + Math.floor(x / (2.5 * size));
      if (taken.has(cell)) return;
      taken.add(cell);
      yield { of: i, x, y: y - 2, wide: widthOf(fitted(words[i], 160, look, i === chosen), look, i === chosen) };
    };
    /** @type {Shape[]} */
    const shapes = named(spots(), 1.15 * size, [...room], Math.max(8, Math.round((width * height) / PER_NAME))).map(({ of, x, y }) => {
      const { light, dark, name } = groups[this.groups[side * count + of]];
      const fill = name && of !== chosen ? mix(colour(look.dark ? dark : light), look.ink, 0.45) : look.ink;
      return {
        text: fitted(words[of], 160, look, of === chosen), x, y, size, anchor: "middle", bold: of === chosen, fill, halo: look.paper, part: "name", of,
      };
    });
    const own = chosen === null ? null : 2 * (side * count + chosen);
    if (own !== null && at[own] === at[own]) {
      const x = left + at[own] * scale, y = top - at[own + 1] * scale;
      if (x > x0 && x < x0 + width && y > y0 && y < y0 + height) {
        shapes.push({ ...markAt([x, y], this.radius() + 4, "ring", look.ink, look, { part: "chosen", of: chosen ?? 0 }), fill: undefined, wide: 2 });
      }
    }
    if (lasso && side === this.state.side) {
      const { bounds: [bl, bb, br, bt] } = this.header, points = [];
      for (let i = 0; i < lasso.length; i += 2) {
        const x = left + (bl + (lasso[i] / WHOLE) * (br - bl)) * scale, y = top - (bb + (lasso[i + 1] / WHOLE) * (bt - bb)) * scale;
        points.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
      }
      shapes.push({ path: `M${points.join("L")}Z`, stroke: look.muted, wide: 1.5, dash: [4, 3], part: "lasso" });
    }
    return shapes;
  }

  /**
   * All points as one image of the area.
   * @param {MapPlan} plan
   * @param {Look} look
   * @param {number} ratio
   * @param {ImageData | null} former an image to write into, if it has the same size
   */
  imageOf(plan, look, ratio, former = null) {
    const [areaLeft, areaTop, width, height] = plan.area;
    const across = Math.max(1, Math.round(width * ratio)), down = Math.max(1, Math.round(height * ratio));
    const image = former?.width === across && former.height === down ? former : new ImageData(across, down);
    const { data } = image, whole = new Uint32Array(data.buffer);
    whole.fill(pixelOf(look.paper));
    const { header: { groups, words }, bits, groups: of, at } = this, count = words.length;
    const quick = count > SHARP, colours = groups.map((group) => colour(look.dark ? group.dark : group.light));
    const faint = colours.map((one) => mix(look.paper, one, quick ? 0.25 : 0.6));
    const radius = this.radius() * ratio, solid = stampOf(radius, across, count > 300 ? SOLID : 1), dim = stampOf(radius, across, quick ? SOLID : FAINT);
    plan.panels.forEach((panel, side) => {
      const left = (panel.left - areaLeft) * ratio, top = (panel.top - areaTop) * ratio, scale = panel.scale * ratio;
      const room = panel.box.map((one, k) => Math.round((one - [areaLeft, areaTop, 0, 0][k]) * ratio));
      // Stamps stay inside the frame of their map, and so inside the image.
      const x0 = room[0] + solid.reach + 1, y0 = room[1] + solid.reach + 1;
      const x1 = Math.min(across, room[0] + room[2]) - solid.reach - 2, y1 = Math.min(down, room[1] + room[3]) - solid.reach - 2;
      for (const wanted of bits ? [0, 1] : [1]) { // those that are searched lie in front
        const { pixels } = wanted ? solid : dim, tints = wanted ? colours : faint;
        if (quick) { // a third of the time of mixing each colour with what lies below
          stamped(
            whole, across, { at, of, from: side * count, count }, { scale, left, top }, [x0, y0, x1, y1],
            solidOf(pixels, HALF), Uint32Array.from(tints, pixelOf), bits && { bits, wanted },
          );
          continue;
        }
        for (let i = count - 1; i >= 0; i--) { // and so do frequent ones
          if (bits && bits[i] !== wanted) continue;
          const k = side * count + i, x = Math.round(left + at[2 * k] * scale), y = Math.round(top - at[2 * k + 1] * scale);
          if (!(x >= x0 && x <= x1 && y >= y0 && y <= y1)) continue;
          const [r, g, b] = tints[of[k]], corner = 4 * (y * across + x);
          for (let p = 0; p < pixels.length; p += 2) {
            const to = corner + pixels[p], share = pixels[p + 1];
            data[to] += ((r - data[to]) * share) >> 8;
            data[to + 1] += ((g - data[to + 1]) * share) >> 8;
            data[to + 2] += ((b - data[to + 2]) * share) >> 8;
          }
        }
      }
    });
    return image;
  }

  /** @param {number} ratio */
  still(ratio) {
    const look = lookOf(this.frame), plan = this.planOf(look);
    return {
      look, shapes: plan.shapes,
      paint: (/** @type {CanvasRenderingContext2D} */ pen) => {
        const canvas = document.createElement("canvas");
        showImage(canvas, this.imageOf(plan, look, ratio));
        pen.drawImage(canvas, ...plan.area);
      },
      asSvg: () => this.pointsAsSvg(plan, look),
    };
  }

  /** @param {MapPlan} plan @param {Look} look */
  pointsAsSvg(plan, look) {
    const count = this.header.words.length, r = this.radius().toFixed(1), wide = (2 * this.radius()).toFixed(1);
    return plan.panels.map(({ box: [x0, y0, width, height], scale, left, top }, side) => {
      const marked = this.header.groups.map((group, g) => {
        let path = "";
        for (let i = count - 1; i >= 0; i--) {
          const k = side * count + i;
          if (this.groups[k] !== g || (this.bits && !this.bits[i])) continue;
          const x = left + this.at[2 * k] * scale, y = top - this.at[2 * k + 1] * scale;
          if (x > x0 && x < x0 + width && y > y0 && y < y0 + height) path += `M${(x - Number(r)).toFixed(1)} ${y.toFixed(1)}h0`;
        }
        const fill = look.dark ? group.dark : group.light;
        return path && `<path d="${path}" stroke="${rgb(colour(fill))}" stroke-width="${wide}" stroke-linecap="round" fill="none" data-part="mark" data-of="${g}"/>`;
      });
      return `<g opacity="${SOLID}">${marked.join("")}</g>`;
    }).join("");
  }

  /** @param {MouseEvent} event */
  under({ offsetX, offsetY }) {
    if (this.down.size && this.moved) return null;
    const { plan: { area: [left, top] }, at, header: { words }, bits } = this, u = left + offsetX, v = top + offsetY, count = words.length;
    const side = this.panelAt(u, v), panel = this.plan.panels[side];
    let best = null, least = NEAR ** 2;
    for (let k = side * count; k < (side + 1) * count; k++) {
      const x = panel.left + at[2 * k] * panel.scale - u, y = panel.top - at[2 * k + 1] * panel.scale - v;
      const far = x * x + y * y;
      if (far < least && (!bits || bits[k - side * count])) [best, least] = [k, far];
    }
    return best;
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    if (event.button) return;
    const { offsetX: u, offsetY: v, pointerId } = event;
    this.down.set(pointerId, { u, v });
    this.moved = false;
    if (this.draws || this.view.zoom > 1 || event.pointerType === "mouse") this.area.setPointerCapture(pointerId);
    if (this.draws) this.line = [[u, v]];
  }

  /** @param {PointerEvent} event */
  drags(event) {
    const { offsetX: u, offsetY: v, pointerId } = event, was = this.down.get(pointerId);
    if (!was) return;
    const others = [...this.down].filter(([id]) => id !== pointerId).map(([, one]) => one);
    if (others.length) { // two fingers magnify
      const [other] = others, before = Math.hypot(was.u - other.u, was.v - other.v), now = Math.hypot(u - other.u, v - other.v);
      was.u = u;
      was.v = v;
      this.moved = true;
      if (before > 10) this.zooms(now / before, [(u + other.u) / 2, (v + other.v) / 2]);
      return;
    }
    if (!this.moved && Math.hypot(u - was.u, v - was.v) < 4) return;
    this.moved = true;
    this.hide();
    if (this.draws) {
      this.line.push([u, v]);
      this.trace();
      return;
    }
    const { bounds: [left, bottom, right, top] } = this.header, { scale } = this.plan.panels[0], { view } = this;
    this.looks(held({ ...view, x: view.x - (u - was.u) / scale / (right - left), y: view.y + (v - was.v) / scale / (top - bottom) }));
    was.u = u;
    was.v = v;
  }

  /** Shows the lasso while it is drawn. */
  trace() {
    const [left, top] = this.plan.area;
    this.scene.querySelector("[data-trace]")?.remove();
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", `M${this.line.map(([u, v]) => `${u + left} ${v + top}`).join("L")}`);
    for (const [name, value] of [["data-trace", ""], ["fill", "none"], ["stroke", "currentColor"], ["stroke-width", "1.5"], ["stroke-dasharray", "4 3"]]) {
      path.setAttribute(name, value);
    }
    this.scene.append(path);
  }

  /** @param {PointerEvent} event */
  lifted(event) {
    if (!this.down.delete(event.pointerId) || !this.draws || !this.line.length) return;
    const { line, plan: { panels, area: [left, top] }, header: { bounds } } = this;
    this.line = [];
    const side = this.panelAt(line[0][0] + left, line[0][1] + top), { scale, left: x, top: y } = panels[side];
    const lasso = lassoOf(line.map(([u, v]) => /** @type {const} */ ([(u + left - x) / scale, (y - v - top) / scale])), bounds);
    if (!lasso) return;
    this.state.lasso = lasso;
    this.state.side = side;
    this.state.found = this.search.value = ""; // else only searched words inside the lasso would show, mostly none
    this.draws = false;
    this.selects();
    this.draw();
    this.report.send();
  }

  /** @param {number | null} thing */
  choose(thing) {
    if (this.moved || this.draws) { // what ends a drag is no click
      this.moved = false;
      return;
    }
    super.choose(thing);
    if (thing !== null) this.pick(thing);
  }

  /** @param {number} thing */
  pick(thing) {
    this.state.chosen = thing % this.header.words.length;
    this.draw();
    this.tabulateWords();
    this.report.send();
  }

  /** @param {number} thing @returns {Tip} */
  tipOf(thing) {
    const { x, y } = this.spot(thing) ?? { x: 0, y: 0 }, r = this.radius();
    const { header: { words, sides, groups }, counts } = this, count = words.length, side = Math.floor(thing / count);
    const { name } = groups[this.groups[thing]], times = counts[thing];
    const other = sides.length > 1 ? `${sides[side]}: ` : "";
    return {
      parts: [words[thing % count]], x, top: y - r - 3, bottom: y + r + 3,
      said: `${other}${mn("{count} occurrence", "{count} occurrences", times, { count: grouped(times) })}${name ? `, ${name}` : ""}`,
    };
  }

  /** @param {number | null} thing */
  hover(thing) {
    super.hover(thing);
    if (thing !== null) this.circle(this.near, thing);
    this.near.style.visibility = thing === null ? "hidden" : "visible";
  }

  hide() {
    super.hide();
    this.near.style.visibility = "hidden";
  }

  place() {
    const { cursor, here } = this, at = here === null ? null : this.spot(here, true);
    cursor.style.visibility = at ? "visible" : "hidden";
    if (at && here !== null) this.circle(cursor, here);
  }

  /** @param {HTMLElement} node @param {number} thing */
  circle(node, thing) {
    const at = this.spot(thing), far = this.radius() + 5;
    if (at) Object.assign(node.style, { left: `${at.x - far}px`, top: `${at.y - far}px`, width: `${2 * far}px`, height: `${2 * far}px` });
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    const { key, ctrlKey } = event;
    if (ctrlKey) return null;
    if (key === "+" || key === "=") this.zooms(STEP);
    else if (key === "-") this.zooms(1 / STEP);
    else if (key === "0") this.looks(unpacked(null));
    else return this.reached(key);
    event.preventDefault();
    return null;
  }

  /** The word that a key goes to; null for none. @param {string} key */
  reached(key) {
    const { header: { words, sides }, among } = this, count = words.length, order = among ?? [...words.keys()];
    const here = this.here ?? order[0] ?? 0, side = Math.floor(here / count), own = here % count;
    if (key === "Enter") {
      this.pick(here);
      return here;
    }
    if (key.toLowerCase() === "s" && sides.length > 1) return this.has(1 - side, own) ? (1 - side) * count + own : null;
    const there = order.filter((i) => this.has(side, i)), at = there.indexOf(own);
    if (key === "Home" || key === "PageUp" || key === "PageDown") {
      const to = there[key === "Home" ? 0 : Math.min(there.length - 1, Math.max(0, at + (key === "PageUp" ? -1 : 1)))];
      if (to === undefined) return null;
      this.goTo(to);
      return side * count + to;
    }
    /** @type {Readonly<Record<string, readonly [number, number]>>} */
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[key], from = this.spot(here);
    if (!way || !from) return null;
    let best = null, least = Infinity;
    for (const i of there) {
      const to = this.spot(side * count + i, true);
      if (!to || i === own) continue;
      const ahead = (to.x - from.x) * way[0] + (to.y - from.y) * way[1], aside = Math.abs((to.x - from.x) * way[1] + (to.y - from.y) * way[0]);
      if (ahead > 0.5 && aside <= CONE * ahead && ahead + aside < least) [best, least] = [side * count + i, ahead + aside];
    }
    return best;
  }

  tabulateWords() {
    const { header: { words, sides, groups }, state: { chosen }, among, counts } = this, count = words.length;
    const first = (among ?? [...words.keys()].slice(0, ROWS)).slice(0, ROWS);
    const shown = [...new Set([...(chosen === null ? [] : [chosen]), ...first])].slice(0, ROWS);
    this.tabulate(
      m("{count} of {all} words", { count: shown.length, all: grouped(count) }), [m("word"), ...sides.map((name) => m("occurrences") + (name && `, ${name}`)), m("group")],
      shown.map((i) => [words[i], ...sides.map((_, side) => grouped(counts[side * count + i])), groups[this.groups[i]].name]),
    );
  }

  remove() {
    cancelAnimationFrame(this.frameAsked);
    clearTimeout(this.stillAsked);
    super.remove();
  }
}

/** @param {Root} root @param {Sent} data @param {Emit} emit */
export function render(root, data, emit) {
  return drawIn(root, data, emit, () => new WordMap(root));
}
