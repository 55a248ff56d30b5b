// Points in three dimensions that move with a slider: drawn by Plotly, and listed beside it for keyboard users
// and for those who do not see the picture. Bytes: coordinates (depths, points, 3) float32, NaN for an absent
// point; then the group of each point, (1 or depths, points) uint8.
//
// Plotly draws inside our own picture instead of in Streamlit's chart: all pictures then share one protocol with
// the page (choices that cross messages, links, Back, a restarted server), and the same module draws in a saved
// page and a notebook. Streamlit's chart reports neither clicks on three-dimensional points nor the camera.
/** @import { SpaceHeader } from "../headers" */
/** @import { SpaceState } from "../states" */
/** @import { Box, Emit, Look, Plan, PlotlyApi, PlotlyNode, Reading, Root, Sent, Shape } from "../types" */
/** @import { Traced } from "./spaceplot" */
import { m } from "../runtime/language.js";
import { element, lookOf, rgb, widthOf, wrapped, written } from "../runtime/shared.js";
import { BAR } from "./planeframe.js";
import { cameraAt, cameraOf, inDegrees, moved, turned } from "./camera.js";
import { fillSlider, setSlider, sliderIn } from "../runtime/slider.js";
import { footOf } from "../draw/placing.js";
import { isQuiet } from "../runtime/motion.js";
import { later } from "../runtime/later.js";
import { LIST, PointList } from "./pointlist.js";
import { Picture, drawIn } from "../runtime/picture.js";
import { Play } from "../runtime/play.js";
import { plotly } from "../runtime/plotly.js";
import { STATES } from "../runtime/schema.js";
import { svg } from "../draw/scene.js";
import { colourOf, layoutOf, notesOf, signOf, tracesOf, viewOf } from "./spaceplot.js";
import { travel } from "./travel.js";

const TURN = 11; // degrees per key press
const NEARER = 1.15; // per key press, or notch of the wheel
const RESTED = 250; // milliseconds without a further rotation before the camera is reported
const TRAVELLERS = 500; // with more points, a change of depth is not animated
const STILL = 4; // pixels: if the pointer moves farther, it rotates the picture instead of choosing a point
const WIDE = 520; // pixels, from which on the list is beside the picture instead of below it
const BELOW = 190; // pixels of the list below
const SHORT = 2; // digits in the list
const STYLE = `.plot{position:absolute;overflow:hidden;touch-action:pan-y}
.plot .plot-container,.plot .svg-container{position:relative}
.plot .lacks{padding:2em 1em}
.tip{z-index:2}${LIST}`;

/**
 * The boxes of the plot and the list, and the shapes around them.
 * @typedef {Plan & { plot: Box, list: Box }} SpacePlan
 */

/** @extends {Picture<SpaceHeader, SpaceState, number | null, SpacePlan>} */
class Space extends Picture {
  schema = STATES.space;
  camera = cameraOf(null);
  /** All points at all depths, (depths, points, 3). @type {Float32Array} */
  places = later();
  /** The group of each point, at each depth or at all. @type {Uint8Array} */
  grouped = later();
  /** The group of each point at this depth. @type {Uint8Array} */
  groups = later();
  /** Where the points are drawn, (points, 3), possibly on their way. @type {Float32Array} */
  at = new Float32Array();
  /** The requested animation frame. */
  motion = 0;
  /** The point under the keyboard cursor, which is highlighted. @type {number | null} */
  lit = null;
  /** The colours and fonts of the last drawing. @type {Look | null} */
  lookNow = null;
  /** The position of the pointer, in pixels of the picture. */
  pointer = { x: 0, y: 0 };
  /** The content of the list. @type {SpaceHeader["texts"] | null} */
  listed = null;
  /** A point chosen elsewhere that the list has yet to show. @type {number | null} */
  reveals = null;
  /** Plotly, once it has loaded. @type {PlotlyApi | null} */
  plotly = null;
  /** @type {Traced[]} */
  traces = [];
  /** The mark under the pointer: its point and depth. @type {{ i: number, depth: number } | null} */
  pointed = null;
  /** Where the pointer was pressed. @type {{ x: number, y: number, pointed: { i: number } | null } | null} */
  pressed = null;

  /** @param {Root} root */
  constructor(root) {
    super(root, m("scatter plot"));
    this.shadow.append(element("style", {}, STYLE));
    this.plot = /** @type {PlotlyNode} */ (element("div", { class: "plot", "aria-hidden": "true" }));
    this.frame.prepend(this.plot);
    this.list = new PointList(this.area, (i) => this.row(i), () => ({ here: this.here, chosen: this.state.chosen }));
    this.slider = sliderIn(this);
    this.list.find.before(this.slider.bar);
    this.play = new Play(this, this.slider);
    this.on(this.slider.input, "input", () => this.go(Number(this.slider.input.value)));
    this.on(this.slider.input, "change", () => this.report.send());
    this.on(this.area, "scroll", () => this.list.draw());
    this.on(this.list.input, "input", () => this.finds());
    this.on(this.list.input, "keydown", (event) => this.leavesSearch(event));
    this.on(this.plot, "pointermove", ({ clientX, clientY }) => {
      const { left, top } = this.frame.getBoundingClientRect();
      this.pointer = { x: clientX - left, y: clientY - top };
    });
    this.on(this.plot, "pointerdown", ({ clientX, clientY, button }) => {
      this.pressed = button ? null : { x: clientX, y: clientY, pointed: this.pointed };
    });
    this.on(this.plot, "pointerup", (event) => this.released(event));
    this.on(this.plot, "pointerleave", () => this.away());
    // Before Plotly receives it: scrolling the page over a picture must not zoom the picture.
    this.plot.addEventListener("wheel", (event) => this.wheel(event), { capture: true, signal: this.life.signal });
  }

  /** @param {boolean} first @param {boolean} takesState */
  take(first, takesState) {
    const { header, values, state } = this, { steps, texts } = header, count = texts.length;
    const numbers = 3 * count * steps.length, moves = this.at.length === 3 * count;
    this.places = new Float32Array(values.buffer, values.byteOffset, numbers);
    this.grouped = values.subarray(4 * numbers);
    this.keys.textContent = m("Up and Down go through the points, Page Up and Page Down faster, Home and End to the first "
      + "and the last. Enter chooses. With Shift, the arrows turn the picture; plus and minus zoom.");
    this.state = takesState || !moves || state.depth >= steps.length ? { ...header.state } : state;
    if (this.state.chosen !== null && this.state.chosen >= count) this.state.chosen = null;
    if (takesState && (first || JSON.stringify(header.state.view) !== JSON.stringify(inDegrees(this.camera)))) {
      if (first || header.state.view || state?.view) this.camera = { ...cameraOf(header.state.view), far: this.camera.far };
    }
    fillSlider(this.slider, header.slider, steps);
    this.slider.bar.hidden = steps.length < 2;
    this.play.offer(header);
    if (first || (this.here !== null && this.here >= count)) [this.here, this.lit] = [this.state.chosen ?? 0, null];
    const { chosen } = this.state;
    if (chosen !== null && chosen !== state?.chosen) [this.here, this.reveals] = [chosen, chosen];
    if (texts !== this.listed) this.list.fill(texts.map((_, i) => this.nameOf(i)));
    this.listed = texts;
    this.turnTo(this.state.depth, moves && !first);
    if (first) this.begin();
  }

  /** Requests Plotly, whose address the page has; the list works without it. */
  async begin() {
    const sees = document.createElement("canvas").getContext("webgl");
    if (!sees) return this.lacks(m("This browser cannot draw in three dimensions."));
    let loaded;
    try {
      loaded = await plotly(this.wanted.library ?? null);
    } catch {
      return this.lacks(m("The code that draws in three dimensions did not arrive. Reload the page."));
    }
    if (this.life.signal.aborted) return;
    this.plotly = loaded;
    this.draw();
  }

  /** Shows why nothing is drawn. @param {string} why */
  lacks(why) {
    this.plot.replaceChildren(element("p", { class: "lacks" }, m("{why} The list has all points.", { why })));
    this.plot.removeAttribute("aria-hidden");
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
    const { header, grouped } = this, to = this.placesAt(depth), from = this.at, count = to.length / 3;
    this.state.depth = depth;
    const own = grouped.length > count ? depth * count : 0;
    this.groups = grouped.subarray(own, own + count);
    setSlider(this.slider, depth, header.steps[depth]);
    cancelAnimationFrame(this.motion);
    const moves = move && this.width > 0 && count <= TRAVELLERS && !isQuiet()
      && from.some((x, i) => x !== to[i] && to[i] === to[i]);
    this.at = moves ? from : to;
    this.frame.toggleAttribute("data-moving", moves);
    if (moves) travel(this, from, to);
    return moves;
  }

  /**
   * The coordinates of the points at a depth, (points, 3).
   * @param {number} depth
   */
  placesAt(depth) {
    const all = 3 * this.header.texts.length;
    return this.places.subarray(depth * all, (depth + 1) * all);
  }

  /** @param {number} i @param {number} depth */
  numbers(i, depth = this.state.depth) {
    return this.placesAt(depth).subarray(3 * i, 3 * i + 3);
  }

  /** @param {number} i */
  nameOf(i) {
    const { header: { numbered, texts } } = this;
    return `${numbered ? `${i + 1}. ` : ""}${texts[i].join("")}`;
  }

  /** A row of the list. @param {number} i */
  row(i) {
    const { header: { groups, number, numbered, texts }, lookNow: look } = this, [before, word, after] = texts[i];
    const group = groups[this.groups[i]], numbers = this.numbers(i), there = !Number.isNaN(numbers[0]);
    const { parts, said } = this.read(i, this.state.depth, SHORT);
    const short = [...numbers].map((value) => written(value, { ...number, digits: SHORT })).join("  ");
    /** @type {[string, string, string]} */
    const shown = [before, word, after];
    return {
      number: numbered ? `${i + 1}. ` : "", parts: shown, sign: signOf(group, this.groups.length), colour: look ? colourOf(group, look) : group.light,
      at: `${there ? short : m("no position")}${group.name ? ` · ${group.name}` : ""}`, said: `${parts.join("")}: ${said}`,
    };
  }

  /**
   * @param {number} i
   * @param {number} depth
   * @param {number} digits
   * @returns {Reading}
   */
  read(i, depth, digits = this.header.number.digits) {
    const { header: { groups, words, moments, number } } = this, numbers = this.numbers(i, depth);
    const { name } = groups[this.groups[i]], parts = [this.nameOf(i), ...(name ? [" · ", name] : [])];
    if (Number.isNaN(numbers[0])) return { parts, said: m("no position {when}", { when: moments[depth] }) };
    const said = words.map((word, axis) => `${written(numbers[axis], { ...number, digits })} ${word}`);
    return { parts, said: `${said.join(", ")}, ${moments[depth]}` };
  }

  /** @param {Look} look */
  paint(look) {
    this.lookNow = look;
    const plan = this.planned(look, true), [left, top, width, height] = plan.plot;
    this.frame.style.height = `${this.header.height + (this.width < WIDE ? BELOW : 0)}px`;
    Object.assign(this.plot.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    if (this.plotly) this.plots(this.plotly, look, width, height);
    return { ...plan, area: this.list.place(plan.list, look) };
  }

  /**
   * @param {PlotlyApi} api
   * @param {Look} look
   * @param {number} width
   * @param {number} height
   */
  plots(api, look, width, height) {
    const { plot } = this, begins = !plot.on;
    this.traces = tracesOf(this, look);
    const drawn = this.traces.map(({ trace }) => trace);
    api.react(plot, drawn, layoutOf(this, look, this.camera, { width, height }), { displayModeBar: false, displaylogo: false })
      .then(() => { this.frame.dataset.plotted = String(Number(this.frame.dataset.plotted ?? 0) + 1); });
    if (!begins || !plot.on) return;
    plot.on("plotly_hover", ({ points: [{ curveNumber, pointNumber }] }) => this.points(curveNumber, pointNumber));
    plot.on("plotly_unhover", () => this.away());
    plot.on("plotly_relayout", ({ "scene.camera": seen }) => seen && this.sees(seen.eye));
  }

  /**
   * The picture was rotated or zoomed by hand; at another elevation, the whole may be larger.
   * @param {{ x: number, y: number, z: number }} eye
   */
  sees(eye) {
    this.camera = cameraAt(eye, this.camera.far);
    this.turnPlot();
    const view = inDegrees(this.camera);
    if (JSON.stringify(view) === JSON.stringify(this.state.view ?? inDegrees(cameraOf(null)))) return;
    this.state.view = view;
    this.report.send(RESTED);
  }

  /** @param {number} trace @param {number} mark */
  points(trace, mark) {
    const { of = [], depths } = this.traces[trace] ?? {}, i = of[mark];
    if (i === undefined || this.pressed) return;
    this.pointed = { i, depth: depths ? depths[mark] : this.state.depth };
    this.plot.style.cursor = "pointer";
    this.showTip(i);
  }

  away() {
    this.pointed = null;
    this.plot.style.cursor = "";
    this.hide();
  }

  /** @param {number} i */
  tipOf(i) {
    const { x, y } = this.pointer;
    return { ...this.read(i, this.pointed?.depth ?? this.state.depth), x, top: y - 8, bottom: y + 12 };
  }

  /**
   * The tooltip, with the word itself underlined in its sentence.
   * @param {number} i
   */
  showTip(i) {
    super.showTip(i);
    const [before, word, after] = this.header.texts[i];
    if (before || after) {
      this.tip.querySelector("bdi")?.replaceChildren(`${this.header.numbered ? `${i + 1}. ` : ""}${before}`, element("u", {}, word), after);
    }
  }

  /** @param {PointerEvent} event */
  released({ clientX, clientY }) {
    const { pressed } = this;
    this.pressed = null;
    if (!pressed?.pointed || Math.hypot(clientX - pressed.x, clientY - pressed.y) > STILL) return;
    this.choose(pressed.pointed.i);
    const { said } = this.row(pressed.pointed.i);
    this.live.textContent = this.state.chosen === null ? m("No longer chosen: {point}", { point: said }) : m("Chosen: {point}", { point: said });
    this.list.show(pressed.pointed.i);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.stopPropagation();
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? NEARER : 1 / NEARER);
  }

  /** @param {number} by */
  zoom(by) {
    this.camera = moved(this.camera, by);
    this.turnPlot();
  }

  /** Draws the same marks from another angle. */
  turnPlot() {
    if (!this.plotly || !this.plot.on) return;
    const [, , width, height] = this.plan.plot, { eye, aspectratio } = viewOf(this.header, this.camera, { width, height });
    this.plotly.relayout(this.plot, { "scene.camera.eye": eye, "scene.aspectratio": aspectratio });
  }

  /** @param {number | null} i */
  choose(i) {
    if (i === null) return;
    this.here = i;
    this.lit = null;
    this.state.chosen = this.state.chosen === i ? null : i;
    this.draw();
    this.report.send();
  }

  /** The pointer over the list shows no tooltip: a row already says everything. */
  hover() {}

  /** The list itself announces the current row. */
  announce() {}

  place() {
    const { reveals } = this;
    this.reveals = null;
    if (reveals === null) this.list.draw();
    else this.list.show(reveals);
  }

  /** @param {MouseEvent} event */
  under(event) {
    return this.list.under(event);
  }

  finds() {
    this.list.look();
    if (this.here === null || !this.list.found.includes(this.here)) this.here = this.list.found[0] ?? null;
    this.list.draw();
  }

  /** @param {KeyboardEvent} event */
  leavesSearch(event) {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    this.area.focus();
  }

  /** @param {KeyboardEvent} event @returns {number | null} */
  next({ key, ctrlKey, shiftKey }) {
    const { here } = this;
    if (ctrlKey) return null;
    if (shiftKey && key.startsWith("Arrow")) {
      this.turnBy(key === "ArrowRight" ? TURN : key === "ArrowLeft" ? -TURN : 0, key === "ArrowUp" ? TURN : key === "ArrowDown" ? -TURN : 0);
      return here;
    }
    if (key === "+" || key === "-") {
      this.zoom(key === "-" ? NEARER : 1 / NEARER);
      return here;
    }
    if (here !== null && (key === "Enter" || key === " ")) {
      this.choose(here);
      return here;
    }
    const there = this.list.next(key, here);
    if (there === null) return null;
    this.here = this.lit = there;
    this.list.show(there);
    this.light();
    return there;
  }

  /** Highlights the point under the keyboard cursor; the marks stay as they are. */
  light() {
    if (this.plotly && this.plot.on && this.lookNow) this.plotly.relayout(this.plot, { "scene.annotations": notesOf(this, this.lookNow) });
  }

  /** Rotates the camera. @param {number} round degrees @param {number} up */
  turnBy(round, up) {
    this.camera = turned(this.camera, round, up);
    this.state.view = inDegrees(this.camera);
    this.turnPlot();
    this.report.send(RESTED);
  }

  /**
   * @param {Look} look
   * @param {boolean} listed whether to include the list and the slider, as on the page; a saved picture has neither
   * @returns {SpacePlan}
   */
  planned(look, listed) {
    const { header, width, state } = this, { size } = look, { height } = header;
    const beside = listed && width >= WIDE, wide = beside ? Math.max(190, Math.min(300, 0.32 * width)) : width;
    const across = beside ? width - wide - 12 : width, foot = footOf(matchMedia("(pointer: coarse)").matches ? m("One scale for all three directions. Drag to turn the picture.")
      : m("One scale for all three directions. Drag to turn the picture, Ctrl and wheel to zoom."), look, { width: across, height }, across / 2);
    const key = this.legend(look, across), top = BAR * size + key.high, plot = /** @type {Box} */ ([0, top, across, foot.top - top]);
    /** @type {Shape[]} */
    const shapes = [...key.shapes, ...foot.shapes, { rect: [0.5, top + 0.5, across - 1, plot[3] - 1], stroke: look.line }];
    if (!listed) {
      shapes.push({ text: header.moments[state.depth], x: 0, y: (BAR * size) / 2, size, bold: true, fill: look.ink, part: "moment" });
    }
    /** @type {Box} */
    const list = beside ? [across + 12, BAR * size, wide, height - BAR * size - 0.4 * size] : [0, height + 8, width, BELOW - 12];
    return { shapes, plot, list, area: list, bar: foot.bar, end: across };
  }

  /**
   * The legend of the groups, in lines; groups without points or names are left out.
   * @param {Look} look
   * @param {number} across
   */
  legend(look, across) {
    const { header: { groups } } = this, { size } = look, counts = groups.map(() => 0);
    for (const group of this.groups) counts[group] += 1;
    /** @type {Shape[]} */
    const shapes = [];
    let x = 0, line = 0;
    groups.forEach((group, i) => {
      if (!counts[i] || !group.name) return;
      const [text] = wrapped(`${group.name} (${counts[i].toLocaleString("en")})`, 0.6 * across, look, 1);
      const wide = 2.5 * size + widthOf(text, look);
      if (x && x + wide > across) [x, line] = [0, line + 1];
      const y = (BAR + (line + 0.5) * 1.35) * size;
      shapes.push({ text: signOf(group, this.groups.length), x: x + 0.5 * size, y, size, anchor: "middle", fill: colourOf(group, look), part: "key", of: i });
      shapes.push({ text, x: x + 1.3 * size, y, size, fill: look.ink, part: "group", of: i });
      x += wide;
    });
    return { shapes, high: shapes.length ? (line + 1) * 1.35 * size : 0 };
  }

  /** @param {number} ratio */
  async still(ratio) {
    const look = lookOf(this.frame), { shapes, plot: [left, top, width, height] } = this.planned(look, false);
    const image = new Image(), scale = ratio === Infinity ? 4 : ratio;
    if (this.plotly) {
      const still = this.atRest(), data = tracesOf(still, look).map(({ trace }) => trace);
      image.src = await this.plotly.toImage(
        { data, layout: { ...layoutOf(still, look, this.camera, { width, height }), paper_bgcolor: rgb(look.paper) } },
        { format: "png", width, height, scale },
      );
      await image.decode();
    }
    return {
      look, shapes,
      paint: (/** @type {CanvasRenderingContext2D} */ pen) => pen.drawImage(image, left, top, width, height),
      asSvg: () => new XMLSerializer().serializeToString(svg("image", { href: image.src, x: left, y: top, width, height })),
    };
  }

  /**
   * The argument of `tracesOf`, with all points at their final positions, and only the chosen one
   * highlighted.
   */
  atRest() {
    const { header, groups, state } = this, placesAt = (/** @type {number} */ depth) => this.placesAt(depth);
    return { header, groups, state, lit: null, at: placesAt(state.depth), placesAt };
  }

  remove() {
    this.play.stop();
    cancelAnimationFrame(this.motion);
    if (this.plot.on) this.plotly?.purge(this.plot);
    super.remove();
  }
}

/** @param {Root} root @param {Sent} data @param {Emit} emit */
export function render(root, data, emit) {
  return drawIn(root, data, emit, () => new Space(root));
}
