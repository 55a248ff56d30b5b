// What the picture of a layer shares with linked pictures: the zoom level and the tokens, chosen or under
// the pointer; but not the heads.
/** @import { LayerState } from "../states" */
/** @import { Change, Schema } from "../types" */
/** @import { Layer } from "./layer.js" */
/** @import { Pointed } from "./types" */
import { m } from "../runtime/language.js";
import { Link } from "../runtime/linkedpictures.js";
import { STATES } from "../runtime/schema.js";
import { quoted } from "./names.js";

const FIELDS = /** @type {Schema} */ (STATES.layer);
/** Whether a field of the state is shared. @param {string} name */
const isShared = (name) => name in FIELDS && !FIELDS[name].own && !FIELDS[name].optional;
const CLEARED = ["pin", "special"]; // shared also when they are cleared
const NOTHING = JSON.stringify(null);

export class LinkedChoice {
  /** The choices made here since the last message to the others. @type {Change} */
  changed = {};
  /** The thing under the pointer here, as last reported to the others, in JSON. */
  #toldPointed = NOTHING;
  /** The thing under the pointer in another picture. @type {?Pointed} */
  #heard = null;
  /** The animation frame that will send the next message to the others; 0 for none. */
  frame = 0;

  /** @param {Layer} layer */
  constructor(layer) {
    this.layer = layer;
    this.link = new Link(layer, (kind, change) => {
      // The messages come from a picture of the same kind, through its `tell` and `tellPointed`.
      if (kind === "state") layer.follow(/** @type {Partial<LayerState>} */ (change));
      else this.#hearPointed(change);
    });
  }

  /**
   * Reports once, in the next frame, everything that has changed by then, and the thing under the pointer.
   * @param {Partial<LayerState>} change
   */
  tell(change = {}) {
    if (!this.link.own) return;
    for (const [name, value] of Object.entries(change)) {
      if (isShared(name) && ((value ?? null) !== null || CLEARED.includes(name))) this.changed[name] = value;
    }
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      const { changed } = this;
      this.changed = {};
      if (Object.keys(changed).length) this.link.tell("state", changed);
      this.#tellPointed();
    });
  }

  /** The thing under the pointer or the keyboard cursor. */
  #tellPointed() {
    const { pointed, here, focused, level } = this.layer, thing = pointed ?? (focused ? here : null);
    const found = (thing && level.toPointed?.(thing)) ?? null, told = JSON.stringify(found);
    if (told === this.#toldPointed) return;
    this.#toldPointed = told;
    this.link.tell("lit", found && { ...found });
  }

  /** The thing under the pointer in another picture; null if it is not visible here. */
  get thing() {
    return this.#heard && (this.layer.level.fromPointed?.(this.#heard) ?? null);
  }

  /** Marks it here as well, but does not read it aloud. @param {Change} pointed */
  #hearPointed({ query = null, key = null }) {
    const { layer } = this, before = JSON.stringify(this.thing);
    this.#heard = query === null && key === null ? null : { query, key };
    const { thing } = this;
    if (JSON.stringify(thing) === before) return;
    if (thing) layer.scroll.reveals = true;
    else if (layer.focused && !layer.level.drawsPointed && layer.here) layer.showTip(layer.here);
    else layer.tip.style.visibility = "hidden";
    layer.drawSoon();
  }

  /**
   * A message about a query and a key that the other picture lacks; "" if it has them.
   * @param {{ queries?: number, keys?: number }} chosen
   */
  missingBeside(chosen) {
    const { own } = this.link, { header } = this.layer;
    const names = /** @type {const} */ (["queries", "keys"]).flatMap((side) => {
      const i = chosen[side];
      return own && i !== undefined && (own[side][i] ?? null) === null ? [quoted(header[side][i])] : [];
    });
    const between = m(" and no "), tokens = [...new Set(names)].join(between);
    return names.length ? m("The other model has no token {tokens} here: another token is shown in its place.", { tokens }) : "";
  }

  remove() {
    cancelAnimationFrame(this.frame);
    if (this.#toldPointed !== NOTHING) this.link.tell("lit", null);
  }
}
