// Named points that move with a slider, in a plane or in space; values are (points, depths, 2 or 3), NaN where
// there is none.
import { lookOf, written } from "./shared.js";
import { live } from "./life.js";
import { Marks } from "./marks.js";
import { planeOf } from "./planeplan.js";
import { Play } from "./play.js";
import { fillSlider, setSlider, sliderIn } from "./slider.js";
import { FRONT, viewed, turned } from "./turning.js";

const MOTION = 150; // milliseconds
const TABLE_ROWS = 20;
const TURN = 24; // pixels of a drag, for a key
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

class Plane extends Marks {
  constructor(root) {
    super(root, "scatter plot");
    this.slider = sliderIn(this);
    this.play = new Play(this, this.slider);
    this.awaited = []; // depths that were reported and not answered yet
    this.camera = FRONT;
    this.dragged = null; // where the pointer was that turns the picture
    this.on(this.area, "pointerdown", (event) => this.hold(event));
    this.on(this.area, "pointermove", (event) => this.drag(event));
    for (const type of ["pointerup", "pointercancel"]) this.on(this.area, type, () => (this.dragged = null));
    this.on(this.slider.input, "input", () => this.go(Number(this.slider.input.value)));
    this.on(this.slider.input, "change", () => this.report());
  }

  take(first) {
    const { header, at } = this, { steps, points, depth } = header, asked = this.asked;
    this.keys.textContent = "Left and Right go through the points from left to right, Up and Down by their "
      + `height; Home and End to the outermost.${header.solid ? " With Shift, the arrows turn the picture." : ""}`;
    this.area.style.touchAction = header.solid ? "pan-y" : "";
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

  hold({ clientX, clientY, pointerId }) {
    if (!this.header?.solid) return;
    this.dragged = [clientX, clientY];
    this.area.setPointerCapture(pointerId);
  }

  drag({ clientX, clientY }) {
    if (!this.dragged) return;
    const [x, y] = this.dragged;
    this.dragged = [clientX, clientY];
    this.turnBy(clientX - x, clientY - y);
  }

  /** Sees the places in space from another side; what moved there is there. */
  turnBy(x, y) {
    this.camera = turned(this.camera, x, y);
    cancelAnimationFrame(this.motion);
    this.frame.removeAttribute("data-moving");
    this.at = this.placesAt(this.depth);
    this.hide();
    this.draw();
  }

  hover(i) {
    super.hover(this.dragged ? null : i);
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
    return Float32Array.from(this.header.points.flatMap((_, i) => {
      const place = this.numbers(i, depth), { solid } = this.header;
      return solid ? viewed(this.camera, place.map((at, axis) => at - solid.middle[axis])) : [...place];
    }));
  }

  paint = (look) => planeOf(this, look, this.at);

  still() {
    const look = lookOf(this.frame);
    return { look, shapes: planeOf(this, look, this.placesAt(this.depth), true).shapes };
  }

  /** Its numbers at the depth that is shown, also while the points move there. */
  numbers(i, depth = this.depth) {
    const { values, header } = this, count = header.words.length, at = count * (i * header.steps.length + depth);
    return values.subarray(at, at + count);
  }

  /** Points that stand at one place are read together. */
  read(i) {
    const { points, words, moments, number } = this.header, place = this.numbers(i);
    const there = (j) => this.numbers(j).every((at, axis) => at === place[axis]);
    const names = points.filter((_, j) => there(j)).map(({ name }) => name);
    return {
      parts: names.flatMap((name, j) => (j ? [", ", name] : [name])),
      said: `${words.map((word, axis) => `${written(place[axis], number)} ${word}`).join(", ")}, ${
        moments[this.depth]}`,
    };
  }

  next({ key, ctrlKey, shiftKey }) {
    const { marks } = this.plan, { here } = this;
    if (here === null || ctrlKey) return null;
    const [by, sign] = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 1], ArrowDown: [1, -1], Home: [0, 0], End: [0, 0],
    }[key] ?? [];
    if (by === undefined) return null;
    if (shiftKey && sign && this.header.solid) {
      this.turnBy(by ? 0 : -sign * TURN, by ? sign * TURN : 0);
      return here;
    }
    const places = this.placesAt(this.depth), size = (i) => places[2 * i + by];
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
      shown.map((i) => [points[i].name, ...Array.from(this.numbers(i), text)]),
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
