// Reports a visitor's choices in a picture to the page, and decides whether a message of the page counts.
//
// Each reported choice has a number, and the page confirms the last number that it has received. A message
// sent before the page has received all choices answers an earlier one, and the picture does not revert to it.
// After that, the page's state counts if it differs from the last agreed state: it was then chosen elsewhere,
// by Back, a link, or another control.

/** @import { Message, AnyPicture, Schema } from "../types" */
const PATIENCE = 5000; // milliseconds after which an unconfirmed choice is reported again

/**
 * Throws if a reported state has a field that its schema lacks, or lacks a field of its schema.
 * @param {Schema} schema
 * @param {object} told
 */
export function checkNames(schema, told) {
  const wrong = Object.keys({ ...schema, ...told }).filter((name) => !(name in schema && (name in told || schema[name].optional)));
  if (wrong.length) throw new Error(`The state of this picture does not fit schema.json: ${wrong}`);
}

export class Report {
  /** The session that receives the reports; undefined before the first message. @type {string | null | undefined} */
  visit = undefined;
  /** The number of the last reported choice. */
  lastSent = 0;
  /** The last number that the page has confirmed. */
  heard = 0;
  /** Whether the page has not confirmed the last report yet. */
  unheard = false;
  /** The time of the last report, in milliseconds. */
  sentAt = 0;
  /** The timer of the next report. */
  waiting = 0;
  /** The state that was reported or received last, as JSON. @type {string | null | undefined} */
  agreed = null;
  /** The state that was reported last, as JSON. @type {string | null} */
  sent = null;
  /**
   * The report of the linked picture whose choice this one has last taken over. A message that the page sent
   * before it had received that choice does not count here either.
   * @type {Report | null}
   */
  leader = null;
  followed = false;
  /** The reports that wait for this one as their leader. @type {Set<Report>} */
  behind = new Set();

  /** @param {AnyPicture} picture */
  constructor(picture) {
    this.picture = picture;
    const { host, life: { signal } } = picture;
    signal.addEventListener("abort", () => this.forget());
    // A visitor who acts elsewhere on the page has chosen here before: the choice is reported first.
    host.addEventListener("pointerleave", () => this.now(), { signal });
    for (const type of ["pointerdown", "focusin"]) {
      document.addEventListener(type, (event) => event.composedPath().includes(host) || this.now(),
        { capture: true, signal });
    }
    // After Back, the state in the address counts, and a waiting report is dropped.
    window.addEventListener("popstate", () => this.forget(), { signal });
  }

  /**
   * Whether to show the state of a message.
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
    // The visitor may have changed the choice since. The message then answers an earlier choice, even if it
    // states that choice differently, or if it answers the leader of this picture.
    const ahead = (answers && (waiting || JSON.stringify(this.picture.state) !== this.sent)) || (followed && waiting);
    if (!changed || ahead) return false;
    this.forget();
    return true;
  }

  /**
   * This picture also shows the choice of a linked one, which reports it to the page.
   * @param {Report | null} leader
   */
  follows(leader) {
    this.leader = leader;
    this.followed = true;
  }

  /** The pictures that wait for this one read their last message again, unless a newer one arrives first. */
  catchUp() {
    if (!this.behind.size || this.busy) return;
    const all = [...this.behind];
    this.behind.clear();
    setTimeout(() => {
      for (const { picture: { life, message }, picture } of all) if (message && !life.signal.aborted) picture.again(message);
    }, 50);
  }

  /**
   * A session begins, perhaps after the server was killed: it receives the report that the last one missed.
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

  /** Whether the picture shows a choice that the page does not know yet. */
  get busy() {
    return this.waiting > 0 || this.unheard;
  }

  /** Whether a page receives the reports. */
  get hears() {
    return this.picture.events.includes("state");
  }

  /**
   * Reports to the page after `rest` milliseconds without a further change.
   * @param {number} rest
   * @param {object | null} more reported beside the state
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

  /** Sends a waiting report at once, before any other message. */
  now() {
    if (this.waiting) this.send();
  }

  /** Sends a waiting report, and resolves once the page has confirmed all, or does not answer in time. */
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
