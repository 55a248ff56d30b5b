// What is chosen in a picture of a layer stands in the address at once; the page need not answer for that.
import { writeAddress } from "../runtime/address.js";
import { LayerLeave } from "./leave.js";
import { Report } from "../runtime/report.js";

const HOVERS = matchMedia("(hover: hover)"); // a finger is nowhere after a tap, so that it never leaves

/**
 * Where the page gives its address in the header, a choice that has come to rest is written there, and
 * the page hears of it when the visitor leaves the picture. Elsewhere it is told when it rests.
 */
export class LayerReport extends Report {
  constructor(picture) {
    super(picture);
    Object.assign(this, { unsaid: false, unanswered: false, known: null });
    this.leave = new LayerLeave(this);
    picture.on(window, "popstate", () => this.back());
  }

  /** A server that was begun anew counts its turns anew: what it was not told yet is not turned back. */
  asks(header) {
    const other = super.asks(header) && !this.unsaid;
    if (other) this.known = { ...header.state };
    return other;
  }

  rested() {
    const { address } = this.picture.header;
    this.unsaid = Boolean(address && HOVERS.matches);
    if (!this.unsaid) return this.tell();
    this.write();
    this.waiting = 0;
  }

  write() {
    const { state, header: { address } } = this.picture;
    if (address) writeAddress(state, address);
  }

  say(more) {
    this.write(); // a step of Back of its own, whatever follows it
    this.unanswered = Boolean(this.picture.header.address);
    Object.assign(this, { unsaid: false, known: { ...this.picture.state } });
    super.say(more);
  }

  now() {
    if (this.waiting || this.unsaid) this.tell();
  }

  /** The page has run: it is to know what is on the screen. */
  again() {
    this.unanswered = false;
    this.leave.answered();
    if (this.unsaid) this.tell();
  }

  /** Back and Forward: the page knows what it has heard, and asks for what differs from that. */
  back() {
    const { waiting, unsaid, known } = this;
    clearTimeout(waiting);
    Object.assign(this, { waiting: 0, unsaid: false });
    if (waiting || unsaid) this.picture.follow(known);
  }
}
