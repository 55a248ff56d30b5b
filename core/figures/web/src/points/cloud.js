// Thousands of points in a plane that move with a slider: painted on a canvas, read from where they stand.
// Bytes: places (depths, points, 2) float32, then the group of each point, (1 or depths, points) uint8.
import { element, lookOf, written } from "../runtime/shared.js";
import { cloudOf, imageOfPoints, pointsAsSvg } from "./cloudplan.js";
import { live } from "../runtime/life.js";
import { Marks } from "../runtime/marks.js";
import { STATES } from "../runtime/schema.js";
import { fillSlider, setSlider, sliderIn } from "../runtime/slider.js";

const TRAVEL = 150; // milliseconds
const ROWS = 20; // of the table
const LEAP = 100; // Page Up and Page Down pass this part of all points
const WIDE = `.tip{max-width:min(30em,96%)}.tip u{text-decoration-thickness:2px;text-underline-offset:2px}`;
const quiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

class Cloud extends Marks {
  schema = STATES.cloud;

  constructor(root) {
    super(root, "scatter plot");
    this.host.shadowRoot.append(element("style", {}, WIDE));
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.frame.prepend(this.canvas);
    this.slider = sliderIn(this);
    this.on(this.slider.input, "input", () => this.go(Number(this.slider.input.value)));
    this.on(this.slider.input, "change", () => this.report.tell());
  }

  take(first, takesState) {
    const { header, values } = this, { steps, texts } = header, count = texts.length;
    const numbers = 2 * count * steps.length;
    this.places = new Float32Array(values.buffer, values.byteOffset, numbers);
    this.grouped = values.subarray(4 * numbers);
    this.choosing = this.report.hears;
    this.area.toggleAttribute("data-picks", this.choosing);
    this.keys.textContent = "Left and Right go through the points from left to right, Up and Down by their height, "
      + `Page Up and Page Down faster; Home and End to the outermost.${this.choosing ? " Enter chooses." : ""}`;
    const moves = this.at?.length === 2 * count;
    if (takesState || !moves || this.state.depth >= steps.length) this.state = { ...header.state };
    fillSlider(this.slider, header.slider, steps);
    if (first || this.here >= count) this.here = this.state.chosen ?? 0;
    this.turnTo(this.state.depth, moves && !first);
  }

  go(depth) {
    this.hide();
    if (!this.turnTo(depth, true)) this.draw();
  }

  /** Sets the depth; true where the points are on their way and will draw themselves. */
  turnTo(depth, move) {
    const { header, grouped } = this, to = this.placesAt(depth), from = this.at, count = to.length / 2;
    this.state.depth = depth;
    const own = grouped.length > count ? depth * count : 0;
    this.groups = grouped.subarray(own, own + count);
    this.counts = header.groups.map(() => 0);
    for (const group of this.groups) this.counts[group] += 1;
    this.orders = [null, null];
    setSlider(this.slider, depth, header.steps[depth]);
    cancelAnimationFrame(this.motion);
    this.tabulatePoints();
    const moves = move && this.width > 0 && !quiet() && from.some((x, i) => x !== to[i]);
    this.at = moves ? from : to;
    this.frame.toggleAttribute("data-moving", moves);
    if (moves) this.travel(from, to);
    return moves;
  }

  travel(from, to) {
    const begin = performance.now(), now = new Float32Array(to.length);
    const step = (time) => {
      const share = Math.min(1, Math.max(0, time - begin) / TRAVEL), eased = share * (2 - share);
      for (let i = 0; i < to.length; i++) now[i] = from[i] + (to[i] - from[i]) * eased;
      this.at = share === 1 ? to : now;
      if (share === 1) this.frame.removeAttribute("data-moving");
      else this.motion = requestAnimationFrame(step);
      this.draw();
    };
    this.motion = requestAnimationFrame(step);
  }

  placesAt(depth) {
    const all = 2 * this.header.texts.length;
    return this.places.subarray(depth * all, (depth + 1) * all);
  }

  paint(look) {
    const plan = cloudOf(this, look, this.at, this.placesAt(this.state.depth)), [left, top, width, height] = plan.area;
    this.onCanvas(this.canvas, plan, look, devicePixelRatio || 1);
    Object.assign(this.canvas.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    });
    return plan;
  }

  onCanvas(canvas, plan, look, ratio) {
    const image = imageOfPoints(this, plan, look, ratio);
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  still(ratio) {
    const look = lookOf(this.frame), there = this.placesAt(this.state.depth);
    const plan = cloudOf(this, look, there, there, true);
    return {
      look, shapes: plan.shapes,
      paint: (pen) => {
        const canvas = document.createElement("canvas");
        this.onCanvas(canvas, plan, look, ratio);
        pen.drawImage(canvas, ...plan.area);
      },
      asSvg: () => pointsAsSvg(this, plan, look),
    };
  }

  /** The point nearest to the pointer. */
  under({ offsetX, offsetY }) {
    const { marks, area: [left, top] } = this.plan, u = left + offsetX, v = top + offsetY;
    let best = 0, least = Infinity;
    for (let i = 0; i < marks.length; i++) {
      const far = (marks[i].x - u) ** 2 + (marks[i].y - v) ** 2;
      if (far < least) [best, least] = [i, far];
    }
    return best;
  }

  numbers(i) {
    const first = 2 * (this.state.depth * this.header.texts.length + i);
    return [this.places[first], this.places[first + 1]];
  }

  sentence = (i) => `${i + 1}. ${this.header.texts[i].join("")}`;

  read(i) {
    const { header: { groups, words, moments, number }, state, places } = this, [x, y] = this.numbers(i);
    const all = this.placesAt(state.depth), { name } = groups[this.groups[i]];
    let same = -1;
    for (let j = 0; j < all.length; j += 2) same += all[j] === x && all[j + 1] === y;
    const more = same ? `; ${same.toLocaleString("en")} more in this place` : "";
    return {
      parts: [this.sentence(i), ...(name ? [" · ", name] : [])],
      said: `${written(x, number)} ${words[0]}, ${written(y, number)} ${words[1]}, ${moments[state.depth]}${more}`,
    };
  }

  /** The word itself is underlined in its sentence. */
  tell(i) {
    super.tell(i);
    const [before, word, after] = this.header.texts[i];
    this.tip.firstChild.replaceChildren(`${i + 1}. ${before}`, element("u", {}, word), after);
  }

  choose(i) {
    super.choose(i);
    if (i !== null) this.pick();
  }

  pick() {
    if (!this.choosing || this.here === null) return;
    this.state.chosen = this.here;
    this.draw();
    this.report.tell();
  }

  /** All points by their place along one axis, worked out when a key asks for it. */
  order(by) {
    const all = this.placesAt(this.state.depth), size = (i) => all[2 * i + by];
    this.orders[by] ??= Array.from(this.groups.keys()).sort((a, b) => size(a) - size(b) || a - b);
    return this.orders[by];
  }

  next({ key, ctrlKey }) {
    const { here } = this, leap = Math.ceil(this.groups.length / LEAP);
    if (here === null || ctrlKey) return null;
    if (key === "Enter" && this.choosing) {
      this.pick();
      return here;
    }
    const [by, on] = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 1], ArrowDown: [1, -1], Home: [0, -Infinity],
      End: [0, Infinity], PageUp: [0, -leap], PageDown: [0, leap],
    }[key] ?? [];
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
      `${few ? `${shown.length} of ${texts.length.toLocaleString("en")}` : `All ${texts.length}`} points, ${
        moments[state.depth]}`,
      ["", "group", ...words],
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

export function render(root, data, emit) {
  return live(root, data, emit, () => new Cloud(root));
}
