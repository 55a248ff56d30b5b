// The next word: its likeliest tokens as bars, reshaped by temperature and cuts while a visitor drags.
/** @import { Emit, Look, Root, Sent, Still, TextShape, Tip } from "../types" */
/** @import { NextwordState } from "../states" */
/** @import { NextwordHeader } from "../headers" */
/** @import { NextWordPlan } from "./plan.js" */
/** @import { Shaped } from "../derive/sampling.js" */
import { m } from "../runtime/language.js";
import { grouped, lookOf, roomIn } from "../runtime/shared.js";
import { later } from "../runtime/later.js";
import { drawIn, Picture } from "../runtime/picture.js";
import { STATES } from "../runtime/schema.js";
import { PAGE, stepped } from "../draw/written.js";
import { draw, probabilities, shaped } from "../derive/sampling.js";
import { NextWordControls, SLIDES } from "./controls.js";
import { heightOf, nextWordPlan, percent, rowsOf } from "./plan.js";

/** @extends {Picture<NextwordHeader, NextwordState, number, NextWordPlan>} */
export class NextWordPicture extends Picture {
  schema = STATES.nextword;
  here = 0;
  /** Whether the page listens for the chosen word. */
  choosing = false;
  /** The model's own probabilities. */
  own = new Float64Array();
  /** @type {Shaped} */
  shape = later();
  /** @type {number | null} The place of the token that the number draws. */
  drawn = null;

  /** @param {Root} root */
  constructor(root) {
    super(root, m("bar chart"));
    this.controls = new NextWordControls(this);
  }

  /** @param {boolean} first @param {boolean} takesState */
  take(first, takesState) {
    const { header, values } = this;
    if (takesState || first) this.state = { .../** @type {NextwordState} */ (header.state) };
    this.own = probabilities(values, 1);
    this.choosing = this.events.includes("bar");
    this.area.toggleAttribute("data-picks", this.choosing);
    this.keys.textContent = m("Up and Down, Home and End read the words one by one.") + (this.choosing ? m(" Enter writes the word.") : "");
    this.turned();
    this.here = Math.min(this.here, rowsOf(this).length - 1);
  }

  /** Computes what follows from the state. */
  turned() {
    const { header, state, values } = this;
    this.shape = shaped(values, state);
    this.drawn = state.temperature === 0 ? 0 : header.number === null ? null : draw(this.shape, header.number);
    this.controls.set();
    this.tabulate(m("The next word"), [m("token"), m("the model’s probability"), m("probability of being drawn")], rowsOf(this).map(({ name, own, left, cut }) =>
      [name, percent(own), cut && !left ? "cut" : percent(left)]));
  }

  /**
   * Takes a choice of the visitor; nothing is sent before the slider rests.
   * @param {Partial<NextwordState>} change @param {number} rest milliseconds
   */
  go(change, rest) {
    Object.assign(this.state, change);
    this.turned();
    this.hide();
    this.draw();
    this.report.send(rest);
  }

  /** @param {NextwordState} state */
  turnedTo(state) {
    Object.assign(this.state, state);
    this.turned();
    this.draw();
  }

  /** @param {Look} look */
  paint(look) {
    const controls = this.controls.height(this.width), below = this.controls.below(this.width);
    const plan = nextWordPlan(this, look, below ? 0 : controls, roomIn(this.frame), below ? controls : 0), high = heightOf(plan, look.size);
    this.controls.place(below ? plan.below : 0);
    this.here = Math.min(this.here, plan.rows.length - 1);
    this.header.height = high;
    this.frame.style.height = `${high}px`;
    return plan;
  }

  /** @returns {Still} */
  still() {
    const look = lookOf(this.frame), top = this.controls.height(this.width), { shapes } = nextWordPlan(this, look, top);
    const text = SLIDES.map(({ of, name, said }) => `${name} ${said(this.state[of])}`).join(", ");
    /** @type {TextShape} In a saved file, a line replaces the controls. */
    const caption = { text, x: 0, y: Math.max(look.size, top / 2), size: look.size, fill: look.ink, part: "caption" };
    return { look, shapes: [...shapes, caption] };
  }

  /** @param {MouseEvent} event */
  under({ clientY }) {
    return this.plan.under(clientY - this.area.getBoundingClientRect().top);
  }

  /** @param {number} i @returns {Tip} */
  tipOf(i) {
    const { rows, box } = this.plan, { name, own, left, cut, places } = rows[i], [x, y, wide, high] = box(i);
    const said = [m("the model {share}", { share: percent(own) })];
    if (cut) said.push(places > 1 ? m("{share} cut at this temperature", { share: percent(cut) }) : m("{share} at this temperature, cut", { share: percent(cut) }));
    if (left || !cut) said.push(m("drawn with {share}", { share: percent(left) }));
    if (places === 1) said.push(m("place {place} of {all}", { place: grouped(i + 1), all: grouped(this.own.length) }));
    return { parts: [name], said: said.join(", "), x: x + wide / 2, top: y, bottom: y + high };
  }

  /** @param {number | null} i */
  choose(i) {
    super.choose(i);
    if (i !== null) this.pick();
  }

  pick() {
    if (this.choosing && this.plan.rows[this.here].places === 1) this.emit("bar", { index: this.here });
  }

  /** @param {KeyboardEvent} event */
  next(event) {
    if (event.key === "Enter" && this.choosing) {
      this.pick();
      return this.here;
    }
    return stepped(event, this.here, this.plan.rows.length, PAGE);
  }

  place() {
    const [left, top, width, height] = this.plan.box(this.here).map((x) => `${x}px`);
    Object.assign(this.cursor.style, { left, top, width, height });
  }
}

/** @param {Root} root @param {Sent<NextwordState>} sent @param {Emit} emit */
export function render(root, sent, emit) {
  return drawIn(root, sent, emit, () => new NextWordPicture(root));
}
