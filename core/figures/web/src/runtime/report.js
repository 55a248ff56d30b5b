// What a visitor has chosen in a picture, told to the page; and whether what the page sends counts.
//
// Each choice that is told has a number, and the page says which it has heard last. What it sends before it has
// heard all of them answers an earlier one, and turns nothing back. When it has, its state counts where it is
// another one than both agreed on last: then it was chosen elsewhere, by Back, a link, or another control.

/** @import { Message, AnyPicture, Schema } from "../types" */
const PATIENCE = 5000; // milliseconds after which a choice that was not heard is told again

/**
 * Throws where what a picture tells has a field that its schema has not, or lacks one.
 * @param {Schema} schema
 * @param {object} told
 */
export function checkNames(schema, told) {
  const wrong = Object.keys({ ...schema, ...told }).filter((name) => !(name in schema && (name in told || schema[name].optional)));
  if (wrong.length) throw new Error(`The state of this picture does not fit schema.json: ${wrong}`);
}

export class Report {
  /** The visit that hears; undefined before the first message. @type {string | null | undefined} */
  visit = undefined;
  /** The number of the choice that was told last. */
  lastSent = 0;
  /** The number that the page has heard. */
  heard = 0;
  /** Whether the page has yet to hear what was told last. */
  unheard = false;
  /** When that was, in milliseconds. */
  sentAt = 0;
  /** The timer of what is about to be told. */
  waiting = 0;
  /** The state that was told or sent last, as JSON. @type {string | null | undefined} */
  agreed = null;
  /** The state that was told last, as JSON. @type {string | null} */
  sent = null;
  /**
   * Of the picture beside this one that was followed last: what the page sends before it has heard that one's
   * choice counts no more than for itself.
   * @type {Report | null}
   */
  leader = null;
  followed = false;
  /** Those that wait for this one so. @type {Set<Report>} */
  behind = new Set();

  /** @param {AnyPicture} picture */
  constructor(picture) {
    this.picture = picture;
    const { host, life: { signal } } = picture;
    signal.addEventListener("abort", () => this.forget());
    // What is done elsewhere on the page comes after what was chosen here: that is told first.
    host.addEventListener("pointerleave", () => this.now(), { signal });
    for (const type of ["pointerdown", "focusin"]) {
      document.addEventListener(type, (event) => event.composedPath().includes(host) || this.now(),
        { capture: true, signal });
    }
    // Back: what the address says counts, and not what was about to be told.
    window.addEventListener("popstate", () => this.forget(), { signal });
  }

  /**
   * Whether the state of a message is to be shown.
   * @param {Message} message
   */
  takes({ visit, heard, state }) {
    const first = this.visit === undefined, anew = visit !== this.visit, sent = JSON.stringify(state);
    this.visit = visit;
    if (visit === null) return first;
    if (anew) return this.begins(heard, sent, first);
    if (heard !== this.lastSent) {
      if (this.unheard && performance.now() - this.sentAt > PATIENCE) this.sendNow();
      return false;
    }
    this.unheard = false;
    this.catchUp();
    if (this.leader?.busy) {
      this.leader.behind.add(this);
      return false;
    }
    const answers = heard !== this.heard, changed = sent !== this.agreed, { followed, waiting } = this;
    this.heard = heard;
    this.agreed = sent;
    this.followed = false;
    // The visitor may have gone on since; then an answer that is put in another way is an answer all the same,
    // and so is one to the picture that this one has followed.
    const ahead = (answers && (waiting || JSON.stringify(this.picture.state) !== this.sent)) || (followed && waiting);
    if (!changed || ahead) return false;
    this.forget();
    return true;
  }

  /**
   * Another picture's choice is shown here too: the page hears of it from that one.
   * @param {Report | null} leader
   */
  follows(leader) {
    this.leader = leader;
    this.followed = true;
  }

  /** Those that wait for this one look once more at what they were sent last, if nothing newer comes by then. */
  catchUp() {
    if (!this.behind.size || this.busy) return;
    const all = [...this.behind];
    this.behind.clear();
    setTimeout(() => {
      for (const { picture: { life, message }, picture } of all) if (message && !life.signal.aborted) picture.again(message);
    }, 50);
  }

  /**
   * A visit begins, or begins anew where its server was killed: what that one did not hear is told to this one.
   * @param {number} heard
   * @param {string} sent
   * @param {boolean} first
   */
  begins(heard, sent, first) {
    const { unheard } = this;
    this.heard = this.lastSent = heard;
    this.agreed = sent;
    this.unheard = false;
    if (unheard) this.sendNow();
    else this.forget();
    return first || !unheard;
  }

  /** Whether the page knows less than the picture shows. */
  get busy() {
    return this.waiting > 0 || this.unheard;
  }

  /** Whether there is a page that hears what is told. */
  get hears() {
    return this.picture.events.includes("state");
  }

  /**
   * Tells the page, after `rest` milliseconds without a further change.
   * @param {number} rest
   * @param {object | null} more told beside the state
   */
  send(rest = 0, more = null) {
    clearTimeout(this.waiting);
    this.waiting = 0;
    if (!this.hears) return;
    if (rest) this.waiting = setTimeout(() => this.send(), rest);
    else if (more || JSON.stringify(this.picture.state) !== this.agreed) this.sendNow(more);
  }

  /** @param {object | null} more */
  sendNow(more = null) {
    const { state, schema } = this.picture;
    checkNames(schema, { ...state, ...more });
    this.agreed = this.sent = JSON.stringify(state);
    this.lastSent += 1;
    this.unheard = true;
    this.sentAt = performance.now();
    this.picture.emit("state", { n: this.lastSent, ...state, ...more });
  }

  /** What waits is told at once, before something else is. */
  now() {
    if (this.waiting) this.send();
  }

  /** What waits is told at once; and the page has heard all, unless it does not answer. */
  async isHeard() {
    this.now();
    const { signal } = this.picture.life, until = performance.now() + PATIENCE;
    while (this.busy && !signal.aborted && performance.now() < until) {
      await new Promise((done) => { setTimeout(done, 40); });
    }
  }

  forget() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    this.unheard = false;
  }
}
