// One word's trajectory through the layers in two sentences: both sentences, its positions between two
// ends, and a map of each layer, controlled by one slider.
/** @import { Emit, Look, Reading, Root, Sent, Still } from "../types" */
/** @import { TrajectoryState } from "../states" */
/** @import { TrajectoryHeader } from "../headers" */
/** @import { TrajectoryPlan } from "./plan.js" */
import { m } from "../runtime/language.js";
import { element, lookOf, roomIn, written } from "../runtime/shared.js";
import { Marks } from "../runtime/marks.js";
import { drawIn } from "../runtime/picture.js";
import { Motion, isQuiet, presses, untilActed } from "../runtime/motion.js";
import { STATES } from "../runtime/schema.js";
import { whenSeen } from "../runtime/seen.js";
import { fillSlider, setSlider, sliderIn } from "../runtime/slider.js";
import { heightOf, trajectoryPlan } from "./plan.js";
import { Sentence, sentenceShapes } from "./sentences.js";
import { alonePaths, depthCaption, depthNames, positionText } from "./captions.js";

const REST = 250; // milliseconds after a key press until the layer is reported
const OWN_SCALE = () => m(", on its own scale"); // lengths of two layers cannot be compared
/** @param {TrajectoryHeader} data @param {number} depth */
const scaleOf = ({ close = [] }, depth) => (close.includes(depth) ? m(", where the two ends hardly differ") : OWN_SCALE());
const LAYER = "polysee-layer"; // an event of the document; what draws the whole model marks the layer with it
const GAP = 8; // pixels

const SENTENCES = `
.sentences{position:absolute;inset:0 0 auto;display:var(--polysee-sentences,grid);gap:.1em 1.8em;grid-template-columns:1fr 1fr;
 line-height:1.9;--most:.5em}
.sentences[data-narrow]{grid-template-columns:1fr}
.note{grid-column:1/-1;line-height:1.2;opacity:.8}
.sentence{position:relative;padding:.1em .2em .15em;border-radius:.3em;outline:none;overflow-wrap:anywhere}
.sentence:focus-visible{box-shadow:0 0 0 2px var(--st-primary-color,Highlight)}
.name{font-weight:700;margin-inline-end:.5em}
.word{background-repeat:no-repeat;padding-bottom:var(--most);cursor:default}
[data-here]{outline:2px solid currentColor;outline-offset:1px;border-radius:2px}
.chosen{font-weight:700;border-radius:.25em .25em 0 0;padding-inline:.2em}
.shares:not([hidden]){display:flex;margin-top:.2em;gap:1px;height:1.3em;line-height:1.3;overflow:hidden}
.shares span{flex:none;text-indent:.35em;white-space:nowrap}
.shares,.sum,.note{font-size:max(13px,.82em)}
.sum{display:grid;margin-top:.2em;line-height:1.35;font-variant-numeric:tabular-nums;
 min-height:1.35em;opacity:.8}
.sum::before{content:attr(data-room);visibility:hidden}
.sum::before,.sum>*{grid-area:1/1}`;

/**
 * @param {Root} root
 * @param {Sent} sent
 * @param {Emit} emit
 */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new Trajectory(root));
}

/** The depth that is named while it plays: on the way to layer 1, that layer, once the dots are nearer to it. @param {number} at */
const named = (at) => (at < 1 ? Math.round(at) : Math.floor(at + 1e-9));

/** @extends {Marks<TrajectoryHeader, TrajectoryState, TrajectoryPlan>} */
export class Trajectory extends Marks {
  schema = STATES.trajectory;
  state = { depth: 0 };
  /** @type {number | null} */
  here = 0;
  /** The depth drawn, which may be between two layers. */
  at = 0;
  /** Whether it has played to its end. */
  played = false;
  /** Ends the wait of an opening motion that nobody has seen yet. */
  waiting = new AbortController();
  /** Whether a message asked for an opening motion, before there were numbers to move. */
  opens = false;
  /** The layer that was told last. */
  told = NaN;
  /** The identity of the content: new numbers with the same id do not interrupt a visitor. */
  id = "";
  /** @type {Sentence[]} */
  sentences = [];
  /** What the parts of the bars are. */
  note = element("div", { class: "note" });

  /** @param {Root} root */
  constructor(root) {
    super(root, m("line chart and map"));
    this.shadow.append(element("style", {}, SENTENCES));
    this.block = element("div", { class: "sentences" });
    this.frame.prepend(this.block);
    this.slider = sliderIn(this);
    this.button = element("button", { type: "button", class: "play" });
    this.slider.bar.prepend(this.button);
    this.motion = new Motion((at) => this.reach(at), () => this.arrived());
    this.on(this.button, "click", () => (this.motion.going ? this.pause() : this.play()));
    this.on(this.slider.input, "input", () => this.go(Number(this.slider.input.value)));
    this.on(this.slider.input, "change", () => this.report.send());
    // What has come too late to hear of a layer asks for it.
    this.on(document, `${LAYER}-asked`, () => Number.isFinite(this.told) && this.tellLayer(this.told));
    // Any action of a visitor stops an animation that started by itself; outside the picture, it jumps to
    // the end.
    untilActed(this.life.signal, (event) => this.act(event));
  }

  get last() {
    return this.header.layers;
  }

  get depth() {
    return this.state.depth;
  }

  set depth(depth) {
    this.state = { depth };
  }

  /**
   * @param {boolean} first
   * @param {boolean} takesState
   */
  take(first, takesState) {
    const { header } = this, same = !first && this.id === header.id, depth = Math.min(header.state.depth, header.layers);
    this.id = header.id;
    this.note.textContent = header.parts;
    this.hide();
    fillSlider(this.slider, m("Layer"), depthNames(header));
    this.keys.textContent = m("Left and Right: layers; Up and Down: sentences, then the points of the map; the "
      + "space bar plays and pauses.");
    if (!same) this.here = 0;
    if (same && this.sentences.length === header.sides.length) { // a visitor who is reading a sentence stays in it
      this.sentences.forEach((sentence, i) => { sentence.side = header.sides[i]; });
    } else {
      this.sentences = header.sides.map((side) => new Sentence(this, side));
      this.block.replaceChildren(...this.sentences.map(({ node }) => node), this.note);
    }
    // New contributions appear wherever the picture is, even while it moves.
    if (same && !takesState) this.settle();
    else this.set(depth);
    if (!same && this.live.textContent) this.hear(depth); // no longer of another word
    if (header.awaitsContributions && this.events.includes("wanted")) this.emit("wanted", { id: header.id });
  }

  /**
   * A message that another one overtakes, before its numbers are there, may be the one that asked for the motion.
   * @param {Sent<TrajectoryState>} sent
   * @param {Emit} emit
   */
  show(sent, emit) {
    const turn = super.show(sent, emit);
    this.opens ||= this.wanted.autoplay;
    return turn;
  }

  arrive() {
    if (!(this.header.autoplay || this.opens) || isQuiet()) return;
    whenSeen(this.frame, this.waiting.signal, () => isQuiet() || this.play(0));
  }

  /** @param {TrajectoryState} state */
  turnedTo({ depth }) {
    if (depth === this.depth) return;
    this.waiting.abort();
    this.halt();
    this.set(Math.min(depth, this.last));
    this.draw();
  }

  /**
   * Goes to a layer without animation.
   * @param {number} depth
   */
  set(depth) {
    this.motion.stop();
    this.depth = this.at = depth;
    this.settle();
  }

  settle() {
    const { header: data, depth } = this;
    setSlider(this.slider, depth, depthNames(data)[depth]);
    const { going } = this.motion;
    const [sign, does] = going ? ["❚❚", m("Pause")] : this.played && depth === this.last ? ["↻", m("Replay")] : ["▶", m("Play")];
    this.button.textContent = does;
    this.button.dataset.sign = sign;
    this.frame.toggleAttribute("data-moving", going);
    if (depth !== this.told) this.tellLayer(depth);
    for (const sentence of this.sentences) sentence.mark(depth, lookOf(this.frame));
    this.note.style.visibility = depth && data.sides[0].adds ? "" : "hidden";
    const alone = alonePaths(data).map(({ word, position }) => (
      [m("{word} alone", { word }), depth ? written(position[depth - 1], { digits: 4 }) : m("no position yet")]));
    this.tabulate(m("After {step}", { step: depthNames(data)[depth] }), ["", m("position")], [...data.sides.map(({ name }, i) => (
      [m("{word} in {name}", { word: data.sides[i].word, name }), positionText(data, i, depth, 4)])), ...alone]);
  }

  /** @param {number} layer 0 before the first; NaN where there is no picture any more */
  tellLayer(layer) {
    this.told = layer;
    document.dispatchEvent(new CustomEvent(LAYER, { detail: { layer, layers: this.last } }));
  }

  /** @param {number} depth */
  go(depth) {
    this.waiting.abort();
    this.hide();
    this.depth = depth;
    if (isQuiet()) this.set(depth);
    else this.motion.to(this.at, depth);
    this.settle();
    this.draw();
  }

  play(from = this.depth === this.last ? 0 : this.at) {
    this.waiting.abort();
    this.hide();
    this.at = from;
    this.depth = named(from);
    this.motion.through(from, this.last);
    this.settle();
    this.draw();
  }

  /**
   * The animation is at a depth, which may be between two layers.
   * @param {number} at
   */
  reach(at) {
    this.at = at;
    if (this.motion.playing && named(at) !== this.depth) {
      this.depth = named(at);
      this.settle();
    }
    this.draw();
  }

  /** What a screen reader hears of a depth. @param {number} depth */
  hear(depth) {
    this.live.textContent = depthCaption(this.header, depth);
  }

  /** An animation reports only its end: a page that reruns at each layer would lag behind. */
  arrived() {
    this.depth = this.at;
    this.played ||= this.depth === this.last;
    this.settle();
    this.draw();
    this.hear(this.depth);
    this.soon();
  }

  /** Stops the animation at the layer that it has reached. */
  halt(at = Math.round(this.at)) {
    if (!this.motion.going) return;
    this.set(at);
    this.draw();
  }

  /**
   * A visitor stopped it: the current layer is then a choice like any other.
   * @param {number} [at]
   */
  pause(at) {
    this.halt(at);
    this.soon();
  }

  /** @param {PointerEvent | KeyboardEvent | WheelEvent} event */
  act(event) {
    if (!this.motion.playing) return;
    const path = event.composedPath();
    // The button, and the space bar in the picture, have their own way to pause.
    if (path.includes(this.button) && presses(event)) return;
    if (event instanceof KeyboardEvent && event.key === " " && path.includes(this.area)) return;
    // The wheel scrolls the page, and does not choose a layer.
    this.pause(path.includes(this.frame) && event.type !== "wheel" ? undefined : this.last);
  }

  soon() {
    this.report.send(REST);
  }

  /** @param {Look} look */
  paint(look) {
    const narrow = this.width < 640;
    this.block.toggleAttribute("data-narrow", narrow);
    for (const sentence of this.sentences) sentence.mark(this.depth, look);
    const top = this.block.offsetHeight + GAP, bar = this.slider.bar;
    bar.style.top = `${top}px`;
    const begin = top + bar.offsetHeight + GAP, underlined = this.block.offsetHeight > 0; // not while a class types
    const most = roomIn(this.frame) - begin;
    this.header.height = Math.ceil(begin + heightOf(this.header, look, this.width, most));
    this.frame.style.height = `${this.header.height}px`;
    const where = { at: this.at, depth: this.depth, width: this.width, top: begin, most, underlined };
    return trajectoryPlan(this.header, look, where);
  }

  /** @returns {Still} */
  still() {
    const look = lookOf(this.frame), { header: data, width, depth } = this;
    const words = sentenceShapes(data, look, { depth, width });
    const plan = trajectoryPlan(data, look, { at: depth, width, top: words.height + GAP });
    return { look, shapes: [...words.shapes, ...plan.shapes] };
  }

  /**
   * @param {number} i
   * @returns {Reading}
   */
  read(i) {
    const { header: data } = this, mark = this.plan.marks[i], { depth } = mark, step = depthNames(data)[depth];
    if (mark.side !== undefined) {
      const { word, name } = data.sides[mark.side];
      return { parts: [m("{word} in {name}", { word, name })], said: `${positionText(data, mark.side, depth, 4)}, ${step}${depth ? scaleOf(data, depth) : ""}` };
    }
    const exact = { digits: 4 };
    if (mark.alone !== undefined) {
      const { word, position } = alonePaths(data)[mark.alone];
      return { parts: [m("{word} alone, without a sentence", { word })], said: `${written(position[depth - 1], exact)}, ${step}` };
    }
    const { name, along, across } = data.map.points[mark.point];
    return { parts: [name], said: m("{along} along, {across} across, {step}", {
      along: written(along[depth - 1], exact), across: written(across[depth - 1], exact), step }) };
  }

  /**
   * Up and Down go from point to point; Left and Right move the slider, and read the same point aloud
   * there.
   * @param {KeyboardEvent} event
   */
  next({ key, ctrlKey }) {
    const step = Number(key === "ArrowDown") - Number(key === "ArrowUp");
    if (ctrlKey || this.here === null || !step) return null;
    const there = this.here + step;
    return there in this.plan.marks ? there : this.here;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.metaKey || event.ctrlKey || !this.plan) return;
    const { key } = event;
    /** @type {Readonly<Record<string, number>>} */
    const depths = { ArrowLeft: this.depth - 1, ArrowRight: this.depth + 1, Home: 0, End: this.last };
    if (key === " ") {
      event.preventDefault();
      this.motion.going ? this.pause() : this.play();
    } else if (key in depths) {
      event.preventDefault();
      const to = depths[key];
      if (to < 0 || to > this.last) return;
      this.go(to);
      this.hear(to);
      this.soon();
    } else super.key(event);
  }

  remove() {
    this.motion.stop();
    this.waiting.abort();
    if (Number.isFinite(this.told)) this.tellLayer(NaN); // nothing was told before its numbers came
    super.remove();
  }
}
