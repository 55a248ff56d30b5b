// From one picture of a layer to the next, and back up to all heads.
import { cameFrom, leave, sayAt } from "../runtime/arrival.js";
import { LEVELS } from "./state.js";

export class LayerClimb {
  constructor(picture) {
    this.picture = picture;
    picture.on(picture.area, "dblclick", () => picture.plan && this.down());
  }

  /** Whether there is a page that shows all heads when it is asked. */
  get above() {
    return this.picture.header.above && this.picture.report.hears;
  }

  /** Whether it was a key that leads to another picture. */
  key({ key, ctrlKey, altKey, metaKey }) {
    if (ctrlKey || altKey || metaKey || !(key === "Enter" || key === "Backspace")) return false;
    if (key === "Enter") this.down();
    else this.by(-1);
    return true;
  }

  down() {
    const { state, level } = this.picture;
    Object.assign(state, level.deeper?.() ?? {});
    this.by(1);
  }

  by(steps) {
    const { picture } = this, at = LEVELS.indexOf(picture.state.level) + steps, to = LEVELS[at];
    if (at < 0 && this.above) this.up();
    if (!to) return;
    picture.go({ level: to });
    if (picture.area.matches(":focus-visible")) sayAt(picture, this.where);
  }

  /** To all heads: the keys go on there, at the head that was open here. */
  up() {
    const { header, state, report } = this.picture;
    leave(this.picture, { layer: header.layer, head: state.head });
    report.tell(0, { up: true });
  }

  /** In the place of all heads, if a key has opened this. */
  arrive() {
    if (!cameFrom()) return;
    this.picture.area.focus({ preventScroll: true });
    sayAt(this.picture, this.where);
  }

  /** What the keys do, in a sentence. */
  get keys() {
    const at = LEVELS.indexOf(this.picture.state.level), last = at ? "the last one" : "all heads";
    return `${[...(at < LEVELS.length - 1 ? ["Enter goes on to the next picture"] : []),
      ...(at || this.above ? [`Backspace goes back to ${last}`] : [])].join(", ")}.`;
  }

  get where() {
    const { controls, level } = this.picture;
    return `${controls.name}: ${level.caption()}.`;
  }
}
