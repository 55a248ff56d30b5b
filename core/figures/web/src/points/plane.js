// Named points in a plane that move with a slider; values are (points, depths, 2), NaN if a point is
// absent.
/** @import { PlaneHeader } from "../headers" */
/** @import { PlaneState } from "../states" */
/** @import { Emit, Look, Reading, Root, Sent } from "../types" */
import { m } from "../runtime/language.js";
import { lookOf, written } from "../runtime/shared.js";
import { drawIn } from "../runtime/picture.js";
import { Marks } from "../runtime/marks.js";
import { isQuiet } from "../runtime/motion.js";
import { planeOf } from "./planeplan.js";
import { Play } from "../runtime/play.js";
import { STATES } from "../runtime/schema.js";
import { fillSlider, setSlider, sliderIn } from "../runtime/slider.js";
import { travel } from "./travel.js";

const TABLE_ROWS = 20;

/**
 * The axis along which a key moves, and in which direction; 0 moves to the end.
 * @type {Readonly<Record<string, readonly [0 | 1, -1 | 0 | 1]>>}
 */
const WAYS = {
  ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 1], ArrowDown: [1, -1], Home: [0, 0], End: [0, 0],
};

/** @extends {Marks<PlaneHeader, PlaneState>} */
export class Plane extends Marks {
  schema = STATES.plane;
  /** Where the points are drawn, (points, 2), possibly on their way. @type {Float32Array} */
  at = new Float32Array();
  /** The requested animation frame. */
  motion = 0;

  /** @param {Root} root */
  constructor(root) {
    super(root, m("scatter plot"));
    this.slider = sliderIn(this);
    this.play = new Play(this, this.slider);
    this.on(this.slider.input, "input", () => this.go(Number(this.slider.input.value)));
    this.on(this.slider.input, "change", () => this.report.send());
  }

  /** @param {boolean} first @param {boolean} takesState */
  take(first, takesState) {
    const { header, at, here, state } = this, { steps, points } = header;
    this.keys.textContent = m("Left and Right go through the points from left to right, Up and Down by "
      + "height, Home and End to the outermost.");
    fillSlider(this.slider, header.slider, steps);
    this.play.offer(header);
    if (first || (here !== null && here >= points.length)) this.here = 0;
    this.state = takesState || state.depth >= steps.length ? { ...header.state } : state;
    this.turnTo(this.state.depth, at.length === 2 * points.length);
  }

  arrive() {
    this.play.open(this.header);
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
    const { header } = this, to = this.placesAt(depth), from = this.at;
    this.state.depth = depth;
    setSlider(this.slider, depth, header.steps[depth]);
    cancelAnimationFrame(this.motion);
    this.tabulatePoints();
    const moves = move && this.width > 0 && !isQuiet() && from.some((x, i) => x !== to[i] && to[i] === to[i]);
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
    return Float32Array.from(this.header.points.flatMap((_, i) => [...this.numbers(i, depth)]));
  }

  /** @param {Look} look */
  paint(look) {
    return planeOf(this, look, this.at);
  }

  still() {
    const look = lookOf(this.frame);
    return { look, shapes: planeOf(this, look, this.placesAt(this.state.depth), true).shapes };
  }

  /**
   * A point's numbers at the current depth, even while the points move there.
   * @param {number} i
   * @param {number} depth
   */
  numbers(i, depth = this.state.depth) {
    const { values, header } = this, count = header.words.length, at = count * (i * header.steps.length + depth);
    return values.subarray(at, at + count);
  }

  /**
   * Points at the same position are read aloud together.
   * @param {number} i
   * @returns {Reading}
   */
  read(i) {
    const { points, words, moments, number } = this.header, coordinates = this.numbers(i);
    const there = (/** @type {number} */ j) => this.numbers(j).every((at, axis) => at === coordinates[axis]);
    const names = points.filter((_, j) => there(j)).map(({ name }) => name);
    return {
      parts: names.flatMap((name, j) => (j ? [", ", name] : [name])),
      said: `${words.map((word, axis) => `${written(coordinates[axis], number)} ${word}`).join(", ")}, ${
        moments[this.state.depth]}`,
    };
  }

  /** @param {KeyboardEvent} event @returns {number | null} */
  next({ key, ctrlKey }) {
    const { marks } = this.plan, { here } = this, [by, sign] = WAYS[key] ?? [];
    if (here === null || ctrlKey || by === undefined) return null;
    const places = this.placesAt(this.state.depth), size = (/** @type {number} */ i) => places[2 * i + by];
    const order = [...marks.keys()].filter((i) => marks[i]).sort((a, b) => size(a) - size(b) || a - b);
    if (!sign) return order[key === "Home" ? 0 : order.length - 1];
    const read = JSON.stringify(this.read(here)); // points at the same position have already been read aloud
    for (let i = order.indexOf(here) + sign; i in order; i += sign) {
      if (JSON.stringify(this.read(order[i])) !== read) return order[i];
    }
    return here;
  }

  tabulatePoints() {
    const { points, words, moments, number } = this.header, all = [...points.keys()];
    const shown = [...all.filter((i) => points[i].bold), ...all.filter((i) => !points[i].bold)].slice(0, TABLE_ROWS);
    const text = (/** @type {number} */ value) => (Number.isNaN(value) ? "–" : written(value, number));
    this.tabulate(
      (shown.length < all.length ? m("{count} of {all} points", { count: shown.length, all: all.length })
        : m("All {count} points", { count: all.length })) + `, ${moments[this.state.depth]}`,
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

/** @param {Root} root @param {Sent} data @param {Emit} emit */
export function render(root, data, emit) {
  return drawIn(root, data, emit, () => new Plane(root));
}
