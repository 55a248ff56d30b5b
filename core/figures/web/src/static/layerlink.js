// The choices inside the pictures of Heads as fields of a link: `ui/state/layer.py` and `pages/heads/state.py`. In a
// link, heads and tokens count from 1, and a part that has its default is left out.
/** @import { LayerState, OverviewState } from "../states" */
/** @import { State } from "./link.js" */
import { MEAN } from "../layer/state.js";

const PATTERNS = ["previous", "next", "itself", "first", "separators", "same", "broad"];
/** @type {Record<Exclude<keyof LayerState, "up" | "open">, string>} */
const KEYS = {
  level: "r", on: "on", head: "h", query: "q", key: "k", pin: "pin", threshold: "th", alone: "ta", special: "s", view: "vw", sort: "so",
};
const NONE = "none", OF_ALL = "mean";

/** @param {string} typed */
const position = (typed) => (/^\s*\d+\s*$/.test(typed) && Number(typed) > 0 ? Number(typed) - 1 : undefined);
/** @param {string} typed */
const head = (typed) => (typed === OF_ALL ? MEAN : position(typed));
/** @param {number} at */
const headName = (at) => (at === MEAN ? OF_ALL : String(at + 1));
/** @param {string} typed */
const share = (typed) => (typed.trim() && Number(typed) >= 0 && Number(typed) <= 1 ? Number(typed) : undefined);
/** 0.00001, not 1e-5. @param {number} x */
const decimal = (x) => (String(x).includes("e") ? x.toFixed(20).replace(/0+$/, "") : String(x));

/**
 * The choices in the picture of a layer that a link names; what cannot be read is left out.
 * @param {State} state
 * @returns {Partial<LayerState>}
 */
export function layerChosen(state) {
  const on = state.on === NONE ? [] : state.on ? state.on.split(".").map(head) : undefined;
  const read = {
    level: state.r || undefined, on: on?.every((one) => one !== undefined) ? on : undefined, head: head(state.h), query: position(state.q),
    key: position(state.k), pin: state.pin || undefined, threshold: share(state.th), alone: share(state.ta),
    special: { 0: false, 1: true }[state.s], view: state.vw || undefined, sort: state.so || undefined,
  };
  return /** @type {Partial<LayerState>} */ (Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)));
}

/**
 * The fields of a state that a visitor has chosen in the picture of a layer.
 * @param {LayerState} told
 * @param {LayerState} start the state if nothing is chosen
 * @returns {State}
 */
export function layerFields(told, start) {
  const write = (/** @type {string} */ name, /** @type {any} */ value) => {
    if (value === null) return "";
    if (name === "on") return value.map(headName).join(".") || NONE;
    if (name === "head" || name === "query" || name === "key") return headName(value);
    if (name === "special") return value ? "1" : "0";
    return typeof value === "number" ? decimal(value) : value;
  };
  return Object.fromEntries(Object.entries(KEYS).map(([name, url]) => {
    const field = /** @type {keyof typeof KEYS} */ (name), value = told[field];
    return [url, JSON.stringify(value) === JSON.stringify(start[field]) ? "" : write(name, value)];
  }));
}

/** The choices in the picture of all heads that a link names. @param {State} state @returns {Partial<OverviewState>} */
export function overviewChosen(state) {
  return {
    token: Number(state.x) > 0 ? Number(state.x) - 1 : null,
    direction: state.y === "from" ? "from" : "to",
    pattern: PATTERNS.includes(state.f) ? PATTERNS.indexOf(state.f) : null,
    typical: state.us === "1",
    threshold: Number(state.ge),
    special: state.s !== "0",
  };
}

/**
 * The fields of a state that a visitor has chosen in the picture of all heads. A token chosen there is one of the
 * two tokens of a weight: its row or its column.
 * @param {OverviewState} told
 * @param {State} state as it was
 * @returns {State}
 */
export function overviewFields(told, state) {
  const token = told.token === null ? 0 : told.token + 1, [now, other] = told.direction === "from" ? ["q", "k"] : ["k", "q"];
  /** @type {State} */
  const fields = {
    x: String(token), y: told.direction, f: told.pattern === null ? "" : PATTERNS[told.pattern], us: told.typical ? "1" : "0",
    ge: told.threshold ? decimal(told.threshold) : "0.0",
  };
  if (token) {
    const turned = told.direction !== state.y && state.x === String(token);
    if (turned && state[other] === String(token)) fields[other] = "";
    fields[now] = String(token);
  }
  if (told.special !== null) fields.s = told.special ? (state.s === "1" ? "1" : "") : "0";
  return fields;
}

/** Positions belong to one text, and have no meaning in another. @type {State} */
export const FORGOTTEN = { x: "0", q: "", k: "", pin: "" };
