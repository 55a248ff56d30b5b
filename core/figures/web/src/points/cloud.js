// Thousands of points in a plane that move with a slider: painted on a canvas, read aloud from their
// positions. Bytes: coordinates (depths, points, 2) float32, then the group of each point, (1 or depths,
// points) uint8.
/** @import { CloudHeader } from "../headers" */
/** @import { CloudState } from "../states" */
/** @import { Emit, Look, Reading, Root, Sent } from "../types" */
/** @import { CloudPlan } from "./cloudplan" */
import { m } from "../runtime/language.js";
import { element, grouped as counted, lookOf, written } from "../runtime/shared.js";
import { showImage } from "../draw/cells.js";
import { cloudOf, imageOfPoints, pointsAsSvg } from "./cloudplan.js";
import { drawIn } from "../runtime/picture.js";
import { later } from "../runtime/later.js";
import { Marks } from "../runtime/marks.js";
import { isQuiet } from "../runtime/motion.js";
import { STATES } from "../runtime/schema.js";
import { fillSlider, setSlider, sliderIn } from "../runtime/slider.js";
import { travel } from "./travel.js";

const ROWS = 20; // of the table
const LEAP = 100; // Page Up and Page Down skip this fraction of all points
const WIDE = `.tip{max-width:min(30em,96%)}.tip u{text-decoration-thickness:2px;text-underline-offset:2px}`;

/** @extends {Marks<CloudHeader, CloudState, CloudPlan>} */
class Cloud extends Marks {
  schema = STATES.cloud;
  /** All points at all depths, (depths, points, 2). @type {Float32Array} */
  places = later();
  /** The group of each point, at each depth or at all. @type {Uint8Array} */
  grouped = later();
  /** The group of each point at this depth. @type {Uint8Array} */
  groups = later();
  /** The number of points in each group. @type {number[]} */
  counts = [];
  /** All points sorted along each axis, once a key has needed it. @type {[number[] | null, number[] | null]} */
  orders = [null, null];
  /** Where the points are drawn, (points, 2), possibly on their way. @type {Float32Array} */
  at = new Float32Array();
  /** The requested animation frame. */
  motion = 0;
  /** Whether the page listens for a chosen point. */
  choosing = false;

  /** @param {Root} root */
  constructor(root) {
    super(root, m("scatter plot"));
    this.shadow.append(element("style", {}, WIDE));
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
    this.slider = sliderIn(this);
    this.on(this.slider.input, "input", () => this.go(Number(this.slider.input.value)));
    this.on(this.slider.input, "change", () => this.report.send());
  }

  /** @param {boolean} first @param {boolean} takesState */
  take(first, takesState) {
    const { header, values, state, here } = this, { steps, texts } = header, count = texts.length;
    const numbers = 2 * count * steps.length;
    this.places = new Float32Array(values.buffer, values.byteOffset, numbers);
    this.grouped = values.subarray(4 * numbers);
    this.choosing = this.report.hears;
    this.area.toggleAttribute("data-picks", this.choosing);
    this.keys.textContent = m("Left and Right go through the points from left to right, Up and Down by height, "
      + "Page Up and Page Down faster, Home and End to the outermost.") + (this.choosing ? m(" Enter chooses.") : "");
    const moves = this.at.length === 2 * count;
    this.state = takesState || !moves || state.depth >= steps.length ? { ...header.state } : state;
    fillSlider(this.slider, header.slider, steps);
    if (first || (here !== null && here >= count)) this.here = this.state.chosen ?? 0;
    this.turnTo(this.state.depth, moves && !first);
  }

  /** @param {number} depth */
  go(depth) {
    this.hide();
    if (!this.turnTo(depth, true)) this.draw();
  }

  /**
   * Sets the depth; returns true if the points are moving and will draw themselves.
   * @param {number} depth
   * @param {boolean} move
   */
  turnTo(depth, move) {
    const { header, grouped } = this, to = this.placesAt(depth), from = this.at, count = to.length / 2;
    this.state.depth = depth;
    const own = grouped.length > count ? depth * count : 0;
    const groups = grouped.subarray(own, own + count), counts = header.groups.map(() => 0);
    for (const group of groups) counts[group] += 1;
    this.groups = groups;
    this.counts = counts;
    this.orders = [null, null];
    setSlider(this.slider, depth, header.steps[depth]);
    cancelAnimationFrame(this.motion);
    this.tabulatePoints();
    const moves = move && this.width > 0 && !isQuiet() && from.some((x, i) => x !== to[i]);
    this.at = moves ? from : to;
    this.frame.toggleAttribute("data-moving", moves);
    if (moves) travel(this, from, to);
    return moves;
  }

  /**
   * The coordinates of the points at a depth, (points, 2).
   * @param {number} depth
   */
  placesAt(depth) {
    const all = 2 * this.header.texts.length;
    return this.places.subarray(depth * all, (depth + 1) * all);
  }

  /** @param {Look} look */
  paint(look) {
    const plan = cloudOf(this, look, this.at, this.placesAt(this.state.depth)), [left, top, width, height] = plan.area;
    this.onCanvas(this.canvas, plan, look, devicePixelRatio || 1);
    Object.assign(this.canvas.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
    return plan;
  }

  /** @param {HTMLCanvasElement} canvas @param {CloudPlan} plan @param {Look} look @param {number} ratio */
  onCanvas(canvas, plan, look, ratio) {
    showImage(canvas, imageOfPoints(this, plan, look, ratio));
  }

  /** @param {number} ratio */
  still(ratio) {
    const look = lookOf(this.frame), there = this.placesAt(this.state.depth);
    const plan = cloudOf(this, look, there, there, true);
    return {
      look, shapes: plan.shapes,
      paint: (/** @type {CanvasRenderingContext2D} */ pen) => {
        const canvas = document.createElement("canvas");
        this.onCanvas(canvas, plan, look, ratio);
        pen.drawImage(canvas, ...plan.area);
      },
      asSvg: () => pointsAsSvg(this, plan, look),
    };
  }

  /**
   * The point nearest to the pointer.
   * @param {MouseEvent} event
   */
  under({ offsetX, offsetY }) {
    const { marks, area: [left, top] } = this.plan, u = left + offsetX, v = top + offsetY;
    let best = 0, least = Infinity;
    for (let i = 0; i < marks.length; i++) {
      const far = (marks[i].x - u) ** 2 + (marks[i].y - v) ** 2;
      if (far < least) [best, least] = [i, far];
    }
    return best;
  }

  /** @param {number} i */
  numbers(i) {
    const first = 2 * (this.state.depth * this.header.texts.length + i);
    return [this.places[first], this.places[first + 1]];
  }

  /** @param {number} i */
  sentence(i) {
    return `${i + 1}. ${this.header.texts[i].join("")}`;
  }

  /** @param {number} i @returns {Reading} */
  read(i) {
    const { header: { groups, words, moments, number }, state } = this, [x, y] = this.numbers(i);
    const all = this.placesAt(state.depth), { name } = groups[this.groups[i]];
    let same = -1;
    for (let j = 0; j < all.length; j += 2) if (all[j] === x && all[j + 1] === y) same += 1;
    const more = same ? `; ${same.toLocaleString("en")} more at this position` : "";
    return {
      parts: [this.sentence(i), ...(name ? [" · ", name] : [])],
      said: `${written(x, number)} ${words[0]}, ${written(y, number)} ${words[1]}, ${moments[state.depth]}${more}`,
    };
  }

  /**
   * The tooltip, with the word itself underlined in its sentence.
   * @param {number} i
   */
  showTip(i) {
    super.showTip(i);
    const [before, word, after] = this.header.texts[i];
    this.tip.querySelector("bdi")?.replaceChildren(`${i + 1}. ${before}`, element("u", {}, word), after);
  }

  /** @param {number | null} i */
  choose(i) {
    super.choose(i);
    if (i !== null) this.pick();
  }

  pick() {
    if (!this.choosing || this.here === null) return;
    this.state.chosen = this.here;
    this.draw();
    this.report.send();
  }

  /**
   * All points sorted along one axis, computed when a key needs it.
   * @param {0 | 1} by
   */
  order(by) {
    const all = this.placesAt(this.state.depth), size = (/** @type {number} */ i) => all[2 * i + by];
    return (this.orders[by] ??= Array.from(this.groups.keys()).sort((a, b) => size(a) - size(b) || a - b));
  }

  /** @param {KeyboardEvent} event @returns {number | null} */
  next({ key, ctrlKey }) {
    const { here } = this, leap = Math.ceil(this.groups.length / LEAP);
    if (here === null || ctrlKey) return null;
    if (key === "Enter" && this.choosing) {
      this.pick();
      return here;
    }
    /** @type {Readonly<Record<string, readonly [0 | 1, number]>>} */
    const ways = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 1], ArrowDown: [1, -1], Home: [0, -Infinity],
      End: [0, Infinity], PageUp: [0, -leap], PageDown: [0, leap],
    };
    const [by, on] = ways[key] ?? [];
    if (by === undefined) return null;
    const order = this.order(by), at = order.indexOf(here) + on;
    return order[Math.max(0, Math.min(order.length - 1, at))];
  }

  tabulatePoints() {
    const { header: { groups, words, moments, number, texts }, state } = this, { chosen } = state;
    const first = [...texts.keys()].slice(0, ROWS + 1).filter((i) => i !== chosen);
    const shown = [...(chosen === null ? [] : [chosen]), ...first].slice(0, ROWS);
    const few = shown.length < texts.length;
    this.tabulate(
      `${few ? m("{count} of {all} points", { count: shown.length, all: counted(texts.length) })
        : m("All {count} points", { count: counted(texts.length) })}, ${moments[state.depth]}`,
      ["", m("group"), ...words],
      shown.map((i) => [
        this.sentence(i), groups[this.groups[i]].name, ...this.numbers(i).map((value) => written(value, number)),
      ]),
    );
  }

  remove() {
    cancelAnimationFrame(this.motion);
    super.remove();
  }
}

/** @param {Root} root @param {Sent} data @param {Emit} emit */
export function render(root, data, emit) {
  return drawIn(root, data, emit, () => new Cloud(root));
}
