// What a picture of a layer shares with those beside it: the zoom level and the tokens; not the heads.
import { markBefore } from "./beside.js";
import { Link } from "../runtime/link.js";
import { STATES } from "../runtime/schema.js";

const SHARED = Object.entries(STATES.layer).flatMap(([name, { own, optional }]) => (own || optional ? [] : [name]));
const NONE = JSON.stringify(null);

export class LayerLink {
  constructor(picture) {
    Object.assign(this, { picture, change: {}, told: NONE, heard: null, coming: null });
    this.mark = markBefore(picture.tip);
    this.link = new Link(picture, (kind, change) =>
      (kind === "state" ? picture.follow(change) : this.light(change)));
  }

  /** Told in the next frame, once: what has changed by then, and what is pointed at. */
  tell(change = {}) {
    if (!this.link.own) return;
    for (const what of SHARED) {
      const chosen = what === "pin" || what === "special" || (change[what] ?? null) !== null;
      if (what in change && chosen) this.change[what] = change[what];
    }
    this.coming ??= requestAnimationFrame(() => {
      this.coming = null;
      const changed = this.change;
      this.change = {};
      if (Object.keys(changed).length) this.link.tell("state", changed);
      this.point();
    });
  }

  /** What is said of a query and a key that the picture beside does not have; "" if it has them. */
  alone(chosen) {
    const { own } = this.link, { header } = this.picture;
    const names = Object.entries(chosen).filter(([of, i]) => own && (own[of][i] ?? null) === null)
      .map(([of, i]) => `“\u2068${header[of][i]}\u2069”`);
    return names.length ? `The other model has no token ${[...new Set(names)].join(" and no ")} here, `
      + "so another one is shown beside." : "";
  }

  /** Under the pointer, or where the keys are. */
  point() {
    const { lit, here, focused, level } = this.picture, thing = lit ?? (focused ? here : null);
    const pointed = (thing !== null && level.toLink?.(thing)) || null, told = JSON.stringify(pointed);
    if (told === this.told) return;
    this.told = told;
    this.link.tell("lit", pointed);
  }

  /** What is pointed at in another; null where it is not shown here. */
  get beside() {
    return this.heard && (this.picture.level.ofLink?.(this.heard) ?? null);
  }

  /** Lit here as well, but not read aloud. */
  light({ query = null, key = null }) {
    const { picture } = this, before = JSON.stringify(this.beside);
    this.heard = query === null && key === null ? null : { query, key };
    const { beside } = this;
    if (JSON.stringify(beside) === before) return;
    if (beside) picture.scroll.reveals = true;
    else if (picture.focused && !picture.level.lights) picture.tell(picture.here);
    else picture.tip.style.visibility = "hidden";
    picture.soon();
  }

  remove() {
    cancelAnimationFrame(this.coming);
    if (this.told !== NONE) this.link.tell("lit", null);
  }
}
