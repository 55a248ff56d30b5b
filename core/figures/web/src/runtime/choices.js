// Choices above a picture, inside its shadow root: each group is one stop of the Tab key, and arrows move in it.
/** @import { AnyPicture } from "../types" */
import { element } from "./shared.js";

const CHOOSING = `
.controls{position:absolute;top:0;left:0;right:0;display:flex;flex-wrap:wrap;align-items:center;
gap:.4em .9em;direction:ltr;font-size:.875em;line-height:1.2}
.choices{display:flex;gap:.25em;min-width:0;max-width:100%;align-items:center}
.choices.long{overflow-x:auto;overflow-y:hidden;scrollbar-width:thin;padding:.15em}
.choices button{flex:none;font-size:.93em;opacity:1;
min-width:1.85em;min-height:1.85em;padding:.2em .5em}
.choices [aria-checked=true],.choices button[aria-pressed=true]{font-weight:700;
background:var(--own,var(--st-text-color,currentColor));border-color:transparent}
.choices :is([aria-checked=true],[aria-pressed=true])>bdi{
color:var(--st-background-color,var(--paper))}
.choices.tabs{gap:0;border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent);width:100%}
.choices.tabs button{border:0;border-radius:.3em .3em 0 0;border-bottom:3px solid transparent;
padding:.3em .75em;font-size:1em}
.choices.tabs [aria-selected=true]{font-weight:700;
border-bottom-color:var(--st-primary-color,currentColor)}
.choices:is(.tabs,.long) button:focus-visible{outline-offset:-2px}
.controls label{display:flex;align-items:center;gap:.4em;min-width:0}
.controls select{font:inherit;max-width:12em;min-width:0;color:inherit;
background:var(--st-secondary-background-color,transparent);padding:.2em .3em;min-height:1.85em;
border:1px solid color-mix(in srgb,currentColor 35%,transparent);border-radius:.3em}
.controls option{color:CanvasText;background:Canvas}
.controls input{accent-color:var(--st-primary-color,auto);margin:0;min-height:1.6em}
.controls :is(select,input):focus-visible{
outline:2px solid var(--st-primary-color,Highlight);outline-offset:1px}
.controls[hidden],.controls [hidden]{display:none}
.controls .value{font-variant-numeric:tabular-nums;font-weight:600;min-width:2.2em}`;

/** @type {Readonly<Record<string, number>>} */
const STEP = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
/** @typedef {"tabs" | "one" | "many"} Kind */
/**
 * A choice; screen readers read `name` aloud.
 * @typedef {object} Item
 * @property {string} text
 * @property {string} [name]
 * @property {string} [colour]
 * @property {boolean} [dashed]
 * @property {boolean} [apart] further from the one before it
 */
/** @typedef {(i: number, event: MouseEvent | KeyboardEvent) => void} Chosen */

// For screen readers: the role of a group, the role of each choice, and the attribute of a chosen one.
/** @type {Readonly<Record<Kind, readonly [string, string | null, string]>>} */
const KINDS = {
  tabs: ["tablist", "tab", "aria-selected"],
  one: ["radiogroup", "radio", "aria-checked"],
  many: ["group", null, "aria-pressed"],
};

/**
 * The place for choices, before `area` in the order of reading.
 * @param {AnyPicture} picture
 */
export function controlsIn({ shadow, area }) {
  shadow.append(element("style", {}, CHOOSING));
  const bar = element("div", { class: "controls" });
  area.before(bar);
  return bar;
}

/** A group of buttons; `chosen(i, event)` is called when one is pressed. */
export class Choices {
  /** @type {HTMLButtonElement[]} */
  buttons = [];
  /** The one at which the Tab key stops. */
  here = 0;
  /** @type {Kind} */
  kind = "one";
  /** The attribute that says which are chosen. */
  how = "";
  /** Its last content, as JSON. */
  filled = "";

  /**
   * @param {AnyPicture} picture
   * @param {string} label
   * @param {Chosen} chosen
   * @param {string} more classes of the group
   */
  constructor(picture, label, chosen, more = "") {
    this.shadow = picture.shadow;
    this.bar = element("div", { class: `choices ${more}`, "aria-label": label });
    picture.on(this.bar, "click", (event) => {
      const path = event.composedPath(), i = this.buttons.findIndex((button) => path.includes(button));
      if (i < 0) return;
      this.stop(i);
      chosen(i, event);
    });
    picture.on(this.bar, "keydown", (event) => this.key(event, chosen));
  }

  /**
   * New choices.
   * @param {readonly Item[]} items
   * @param {Kind} kind
   */
  fill(items, kind) {
    const [role, each, how] = KINDS[kind];
    const same = JSON.stringify([items, kind]);
    if (same === this.filled) return;
    const focused = this.buttons.some((button) => button === this.shadow.activeElement);
    this.filled = same;
    this.how = how;
    this.kind = kind;
    this.bar.setAttribute("role", role);
    this.buttons = items.map(({ text, name, colour, dashed, apart }) => {
      const button = element("button", { type: "button", "aria-label": name ?? text,
        ...(each && { role: each }) });
      if (colour) button.style.cssText = `--own:${colour};border-color:${colour}`;
      if (dashed) button.style.cssText += `border:2px dashed ${colour};background-clip:padding-box`;
      if (apart) button.style.marginLeft = ".7em";
      button.append(element("bdi", {}, text));
      return button;
    });
    this.bar.replaceChildren(...this.buttons);
    this.stop(Math.min(this.here, items.length - 1));
    if (focused) this.buttons[this.here]?.focus();
  }

  /**
   * Shows which are chosen: an index, or a set of them.
   * @param {number | Set<number>} chosen
   */
  set(chosen) {
    const is = (/** @type {number} */ i) => (chosen instanceof Set ? chosen.has(i) : chosen === i);
    this.buttons.forEach((button, i) => button.setAttribute(this.how, String(is(i))));
    if (typeof chosen === "number" && this.kind !== "many" && chosen >= 0) this.stop(chosen);
  }

  /**
   * Makes this choice the stop of the Tab key.
   * @param {number} here
   */
  stop(here) {
    this.here = here;
    this.buttons.forEach((button, i) => button.setAttribute("tabindex", i === here ? "0" : "-1"));
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Chosen} chosen
   */
  key(event, chosen) {
    const { key, ctrlKey, altKey, metaKey } = event, last = this.buttons.length - 1;
    if (ctrlKey || altKey || metaKey) return;
    const to = key in STEP ? this.here + STEP[key] : /** @type {Readonly<Record<string, number>>} */ ({ Home: 0, End: last })[key];
    if (to === undefined) return;
    event.preventDefault();
    this.stop(Math.min(last, Math.max(0, to)));
    this.buttons[this.here].focus();
    this.buttons[this.here].scrollIntoView({ block: "nearest", inline: "nearest" });
    if (this.kind !== "many") chosen(this.here, event);
  }
}

/**
 * A native list of tokens, searched by typing; `chosen(i)` is called with -1 for the first line.
 * @param {AnyPicture} picture
 * @param {string} label
 * @param {string} name
 * @param {(i: number) => void} chosen
 */
export function tokensIn(picture, label, name, chosen) {
  const whole = element("label"), select = element("select", { "aria-label": name });
  whole.append(element("span", {}, label), select);
  picture.on(select, "change", () => chosen(Number(select.value)));
  const option = (/** @type {string} */ token, /** @type {number} */ i) => element("option", { value: String(i) }, `${token} (${i + 1})`);
  /** @param {readonly string[]} tokens @param {string | null} first the line of no token */
  const fill = (tokens, first = null) => {
    const options = tokens.map(option);
    select.replaceChildren(...(first === null ? [] : [element("option", { value: "-1" }, first)]),
      ...options);
  };
  /** @param {readonly string[]} tokens @param {number} i */
  const only = (tokens, i) => select.replaceChildren(option(tokens[i], i));
  return { whole, select, fill, only };
}
