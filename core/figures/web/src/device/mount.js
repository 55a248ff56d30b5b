// The switch and the line in a page of the app. Both belong to one device, whose model stays loaded while a visitor
// goes from page to page.
/** @import { Around } from "./device.js" */
/** @import { Context } from "./follow.js" */
import { element } from "../runtime/shared.js";
import { Device } from "./device.js";
import { Follower } from "./follow.js";
import { goOn } from "./outage.js";
import { lineSentence, NAME, switchSentence } from "./sentences.js";

const STYLE = `
.polysee-switch label{display:flex;align-items:center;gap:.5em;cursor:pointer;font-size:.875rem;min-height:1.5rem}
.polysee-switch input{accent-color:var(--st-primary-color,auto);width:1.1em;height:1.1em;margin:0;flex:none}
.polysee-switch p,.polysee-line{margin:.25rem 0 0;font-size:.875rem;line-height:1.4;
color:color-mix(in srgb,var(--st-text-color,currentColor) 75%,transparent)}
.polysee-switch progress{width:100%;height:.4rem;accent-color:var(--st-primary-color,auto)}
.polysee-line{margin:0;min-height:1.4em}
.polysee-line:empty{display:none}
.stElementContainer:has(.polysee-line:empty){display:none}`;

/** @typedef {{ device: Device, follower: Follower }} Here */
/** By model: only one is on at a time. @type {Map<string, Here>} */
const all = new Map();
let styled = false;

/**
 * The device of this tab for a model; made by whoever asks first.
 * @param {string} model
 * @param {Around} around
 * @param {() => Readonly<Record<string, import("./follow.js").Maker>>} makers
 */
export function deviceOf(model, around, makers) {
  const known = all.get(model);
  if (known) {
    known.device.beginIfCached();
    return known;
  }
  const device = new Device(around), follower = new Follower(device, makers(), document), made = { device, follower };
  all.set(model, made);
  device.heard.add(({ kind }) => {
    if (kind === "loading") for (const [other, one] of all) if (other !== model && one.device.isOn) one.device.leave({ kind: "off" });
  });
  goOn(() => device.isOn && follower.follows, () => follower.away());
  device.beginIfCached();
  return made;
}

/** How each part stops to listen. @type {WeakMap<HTMLElement, () => void>} */
const leaving = new WeakMap();

/**
 * Calls `show` at each change, in place of the function before it, which an earlier run of the page gave.
 * @param {HTMLElement} part
 * @param {readonly Set<(now: any) => void>[]} told
 * @param {() => void} show
 * @returns {() => boolean} ends it; whether no later run has taken over
 */
function listening(part, told, show) {
  leaving.get(part)?.();
  const leave = () => told.forEach((set) => set.delete(show));
  leaving.set(part, leave);
  told.forEach((set) => set.add(show));
  show();
  return () => {
    const isLast = leaving.get(part) === leave;
    if (isLast) leaving.delete(part);
    leave();
    return isLast;
  };
}

/** @param {HTMLElement} root @param {string} name */
function partIn(root, name) {
  if (!styled) document.head.append(element("style", {}, STYLE));
  styled = true;
  const known = root.querySelector(`.${name}`);
  if (known instanceof HTMLElement) return { part: known, isNew: false };
  const part = element("div", { class: name });
  root.append(part);
  return { part, isNew: true };
}

/**
 * The switch, among the settings of the page.
 * @param {HTMLElement} root
 * @param {Here & { choice: Promise<HTMLElement | null> }} own and the control of the graphics card, where there is one
 * @param {{ title: string, size: number }} model its name on the screen, and the bytes that have to be fetched
 */
export function mountSwitch(root, { device, choice }, { title, size }) {
  const { part, isNew } = partIn(root, "polysee-switch");
  if (isNew) {
    const label = element("label");
    label.append(element("input", { type: "checkbox", role: "switch" }), element("span", {}, NAME()));
    part.append(label, element("progress", { "aria-label": NAME(), max: "1" }), element("p", { role: "status" }));
  }
  const [input, bar, said] = /** @type {[HTMLInputElement, HTMLProgressElement, HTMLElement]} */ (
    [...part.querySelectorAll("input, progress, p")]);
  choice.then((node) => node && part.append(node));
  input.onchange = () => (input.checked ? device.begin() : device.end());
  const show = () => {
    const { state } = device;
    input.checked = state.kind === "on" || state.kind === "loading";
    bar.hidden = state.kind !== "loading";
    if (state.kind === "loading") {
      if (state.done < state.total) bar.value = state.done / state.total;
      else bar.removeAttribute("value");
    }
    const sentence = switchSentence(state, size, title);
    if (said.textContent !== sentence) said.textContent = sentence;
    part.dataset.state = state.kind;
    part.dataset.why = state.kind === "refused" ? state.why : "";
  };
  return listening(part, [device.heard], show);
}

/**
 * The line beside the pictures of a page.
 * @param {HTMLElement} root
 * @param {Here} own
 * @param {Context} context
 */
export function mountLine(root, { device, follower }, context) {
  const { part, isNew } = partIn(root, "polysee-line");
  const dim = styleFor(root);
  dim.textContent = context.behind.map((one) => `:root[data-polysee-ahead] ${one}`).join(",\n")
    + "{opacity:.4;transition:opacity .2s}";
  if (isNew) part.setAttribute("role", "status");
  const show = () => {
    const sentence = lineSentence(follower.status, device.isOn, follower.context?.why ?? "");
    // A screen reader reads what changes, but not the time of each key.
    const { by, took, isAhead, note } = follower.status, said = JSON.stringify([isAhead, note, follower.status.isAway]);
    part.setAttribute("aria-live", by === "device" && took && part.dataset.said === said ? "off" : "polite");
    part.dataset.said = said;
    if (part.textContent !== sentence) part.textContent = sentence;
    part.dataset.by = device.isOn ? follower.status.by : "server";
    part.dataset.ahead = String(follower.status.isAhead);
    part.dataset.difference = String(follower.status.difference);
    part.dataset.ms = follower.status.took.toFixed(1);
  };
  follower.attend(context);
  const leave = listening(part, [follower.heard, device.heard], show);
  return () => {
    if (leave() && follower.context === context) follower.attend(null);
  };
}

/** @param {HTMLElement} root */
function styleFor(root) {
  const known = root.querySelector("style.polysee-ahead");
  if (known) return known;
  const style = element("style", { class: "polysee-ahead" });
  root.append(style);
  return style;
}
