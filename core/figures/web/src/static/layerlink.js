// The choices inside the pictures of Heads as fields of a link: `ui/state/layer.py` and `pages/heads/state.py`. In a
// link, heads and tokens count from 1, and a part that has its default is left out.
/** @import { LayerState, OverviewState } from "../states" */
/** @import { Field, State } from "./link.js" */
import FIELDS from "../links/fields.json" with { type: "json" };
import { parse, write } from "../links/formats.js";

const FORMATS = Object.fromEntries(/** @type {Field[]} */ (FIELDS.pages.heads).map(({ url, format }) => [url, format]));
const IN = FIELDS.layer, OF = FIELDS.overview, PATTERNS = FORMATS[OF.pattern].words?.slice(1) ?? []; // the first is for none
/** What is not a field's value counts as not said. @param {State} state @param {string} url */
const read = (state, url) => (url in state ? parse(FORMATS[url], state[url]) : undefined);
/** @param {string} url @param {any} value */
const text = (url, value) => write(FORMATS[url], value);

/**
 * The choices in the picture of a layer that a link names; what cannot be read is left out.
 * @param {State} state
 * @returns {Partial<LayerState>}
 */
export function layerChosen(state) {
  const values = Object.entries(IN).map(([name, url]) => [name, read(state, url) ?? undefined]);
  return /** @type {Partial<LayerState>} */ (Object.fromEntries(values.filter(([, value]) => value !== undefined)));
}

/**
 * The fields of a state that a visitor has chosen in the picture of a layer.
 * @param {LayerState} told
 * @param {LayerState} start the state if nothing is chosen
 * @returns {State}
 */
export function layerFields(told, start) {
  return Object.fromEntries(Object.entries(IN).map(([name, url]) => {
    const field = /** @type {keyof typeof IN} */ (name), value = told[field];
    return [url, text(url, JSON.stringify(value) === JSON.stringify(start[field]) ? null : value)];
  }));
}

/** The choices in the picture of all heads that a link names. @param {State} state @returns {Partial<OverviewState>} */
export function overviewChosen(state) {
  const token = read(state, OF.token), pattern = read(state, OF.pattern);
  return {
    token: token ? token - 1 : null,
    direction: read(state, OF.direction) ?? "to",
    pattern: pattern ? PATTERNS.indexOf(pattern) : null,
    typical: read(state, OF.typical) ?? false,
    threshold: read(state, OF.threshold) ?? 0,
    special: read(state, OF.special) ?? true,
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
  const at = told.token, token = text(OF.token, at === null ? 0 : at + 1);
  const [now, other] = told.direction === "from" ? [IN.query, IN.key] : [IN.key, IN.query];
  /** @type {State} */
  const fields = {
    [OF.token]: token, [OF.direction]: told.direction, [OF.pattern]: told.pattern === null ? "" : PATTERNS[told.pattern],
    [OF.typical]: text(OF.typical, told.typical), [OF.threshold]: text(OF.threshold, told.threshold),
  };
  if (at !== null) {
    const turned = told.direction !== state[OF.direction] && state[OF.token] === token;
    if (turned && state[other] === token) fields[other] = "";
    fields[now] = token;
  }
  if (told.special !== null) fields[OF.special] = told.special ? (state[OF.special] === "1" ? "1" : "") : "0";
  return fields;
}

/** Positions belong to one text, and have no meaning in another. @type {State} */
export const FORGOTTEN = { [OF.token]: text(OF.token, 0), [IN.query]: "", [IN.key]: "", [IN.pin]: "" };
