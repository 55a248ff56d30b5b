// Named points in a plane that move with a slider; values are (points, depths, 2), NaN where there is none.
import { lookOf, written } from "./shared.js";
import { live } from "./life.js";
import { Marks } from "./marks.js";
import { planeOf } from "./planeplan.js";
import { Play } from "./play.js";
import { fillSlider, setSlider, sliderIn } from "./slider.js";

const MOTION = 150; // milliseconds
const TABLE_ROWS = 20;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

class Plane extends Marks {
  constructor(root) {
    super(root, "scatter plot");
    this.slider = sliderIn(this);
    this.play = new Play(this, this.slider);
    this.awaited = []; // depths that were reported and not answered yet
    this.on(this.slider.input, "input", () => this.go(Number(this.slider.input.value)));
    this.on(this.slider.input, "change", () => this.report());
  }

  take(first) {
    const { header, at } = this, { steps, points, depth } = header, asked = this.asked;
    this.keys.textContent = "Left and Right go through the points from left to right, Up and Down by their "
      + "height; Home and End to the outermost.";
    this.asked = depth;
    const answered = this.answer(depth);
    const stays = !first && (answered || depth === asked) && this.depth < steps.length;
    fillSlider(this.slider, header.slider, steps);
    this.play.offer(header);
    if (first || this.here >= points.length) this.here = 0;
    this.turnTo(stays ? this.depth : depth, at?.length === 2 * points.length);
  }

  /** Bytes that answer a report do not turn back a slider that has been moved on since. */
  answer(depth) {
    const i = this.awaited.lastIndexOf(depth);
    this.awaited = this.awaited.slice(i + 1);
    return i >= 0;
  }

  again() {
    this.answer(this.header.depth);
  }

  report() {
    if (!(this.header.events ?? []).includes("depth")) return;
    this.awaited.push(this.depth);
    this.emit("depth", { depth: this.depth });
  }

  go(depth) {
    this.hide();
    if (!this.turnTo(depth, true)) this.draw();
  }

  /** Sets the depth; true where the points are on their way and will draw themselves. */
  turnTo(depth, move) {
    const { header } = this, to = this.placesAt(depth), from = this.at;
    this.depth = depth;
    setSlider(this.slider, depth, header.steps[depth]);
    cancelAnimationFrame(this.motion);
    this.tabulatePoints();
    const moves = move && this.width > 0 && !still() && from.some((x, i) => x !== to[i] && to[i] === to[i]);
    this.at = moves ? from : to;
    this.frame.toggleAttribute("data-moving", moves);
    if (moves) this.travel(from, to);
    return moves;
  }

  travel(from, to) {
    const begin = performance.now();
    const step = (now) => {
      const share = Math.min(1, Math.max(0, now - begin) / MOTION), eased = share * (2 - share);
      this.at = share === 1 ? to
        : to.map((end, i) => (Number.isNaN(from[i]) ? end : from[i] + (end - from[i]) * eased));
      if (share === 1) this.frame.removeAttribute("data-moving");
      else this.motion = requestAnimationFrame(step);
      this.draw();
    };
    this.motion = requestAnimationFrame(step);
  }

  placesAt(depth) {
    const { values, header } = this, depths = header.steps.length;
    return Float32Array.from({ length: 2 * header.points.length }, (_, i) =>
      values[2 * ((i >> 1) * depths + depth) + (i & 1)]);
  }

  paint = (look) => planeOf(this, look, this.at);

  still() {
    const look = lookOf(this.frame);
    return { look, shapes: planeOf(this, look, this.placesAt(this.depth), true).shapes };
  }

  /** Both numbers at the depth that is shown, also while the points move there. */
  numbers(i) {
    const { values, header } = this, first = 2 * (i * header.steps.length + this.depth);
    return [values[first], values[first + 1]];
  }

  /** Points that stand at one place are read together. */
  read(i) {
    const { points, words, moments, number } = this.header, [x, y] = this.numbers(i);
    const there = (j) => this.numbers(j)[0] === x && this.numbers(j)[1] === y;
    const names = points.filter((_, j) => there(j)).map(({ name }) => name);
    return {
      parts: names.flatMap((name, j) => (j ? [", ", name] : [name])),
      said: `${written(x, number)} ${words[0]}, ${written(y, number)} ${words[1]}, ${moments[this.depth]}`,
    };
  }

  next({ key, ctrlKey }) {
    const { marks } = this.plan, { here } = this;
    if (here === null || ctrlKey) return null;
    const [by, sign] = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 1], ArrowDown: [1, -1], Home: [0, 0], End: [0, 0],
    }[key] ?? [];
    if (by === undefined) return null;
    const size = (i) => this.numbers(i)[by];
    const order = [...marks.keys()].filter((i) => marks[i]).sort((a, b) => size(a) - size(b) || a - b);
    if (!sign) return order.at(key === "Home" ? 0 : -1);
    const read = JSON.stringify(this.read(here)); // what stands at the same place has been read already
    for (let i = order.indexOf(here) + sign; i in order; i += sign) {
      if (JSON.stringify(this.read(order[i])) !== read) return order[i];
    }
    return here;
  }

  tabulatePoints() {
    const { points, words, moments, number } = this.header, all = [...points.keys()];
    const shown = [...all.filter((i) => points[i].bold), ...all.filter((i) => !points[i].bold)].slice(0, TABLE_ROWS);
    const text = (value) => (Number.isNaN(value) ? "–" : written(value, number));
    this.tabulate(
      `${shown.length < all.length ? `${shown.length} of ${all.length}` : `All ${all.length}`} points, ${
        moments[this.depth]}`,
      ["", ...words],
      shown.map((i) => [points[i].name, ...this.numbers(i).map(text)]),
    );
  }

  remove() {
    this.play.stop();
    cancelAnimationFrame(this.motion);
    super.remove();
  }
}

export function render(root, data, emit) {
  return live(root, data, emit, () => new Plane(root));
}
