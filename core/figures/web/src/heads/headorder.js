// The heads of a model by place, or in order of a pattern: which are shown, and how that is said.
import { written } from "../runtime/shared.js";

const SCORE = { digits: 2, plus: false };
const SCORES = ["in this text", "usually"];

const scoreOf = (value) => (value === null ? "–" : written(value, SCORE));

/** Makes a state fit what a picture of all heads has to choose from. */
export function fitState(state, header) {
  const { patterns } = header;
  if (!placesOf(header, state.way).includes(state.token)) state.token = null;
  if (!patterns || state.pattern >= patterns.names.length) state.pattern = null;
  if (!patterns?.usual) state.usual = false;
}

export class HeadOrder {
  constructor({ patterns, layers, heads }, { pattern, usual, least }) {
    const all = Array.from({ length: layers.length * heads }, (_, i) => i);
    Object.assign(this, { patterns, pattern, usual, least, perLayer: heads, count: all.length });
    this.sorted = pattern !== null;
    this.heads = all;
    if (!this.sorted) return;
    this.scores = patterns[usual ? "usual" : "here"][pattern];
    const size = (i) => this.scores[i] ?? -1; // no occasion in this text: last
    this.heads = all.filter((i) => !least || size(i) >= least)
      .sort((a, b) => size(b) - size(a) || a - b);
  }

  /** The name of the pattern. */
  get by() {
    return this.patterns.names[this.pattern];
  }

  /** A head as it is named where there is little room: its layer, its number, its score. */
  title(i, scored) {
    const name = `${Math.floor(i / this.perLayer) + 1}·${(i % this.perLayer) + 1}`;
    return scored ? `${name} ${scoreOf(this.scores[i])}` : name;
  }

  /** Whether a head counts as following the pattern. */
  follows(i) {
    return this.scores[i] !== null && this.scores[i] >= this.patterns.thresholds[this.pattern];
  }

  /** Both scores of a head, those that order the heads or not. */
  both(i) {
    const { here, usual } = this.patterns, { pattern } = this;
    return [here, usual].flatMap((some, k) => (some ? [[SCORES[k], scoreOf(some[pattern][i])]] : []));
  }

  said(i) {
    return `${this.by} ${this.both(i).map(([where, score]) => `${score} ${where}`).join(", ")}`;
  }

  get counted() {
    return `${this.heads.length} of ${this.count} heads`;
  }

  get caption() {
    if (!this.sorted) return `all ${this.count} heads by place`;
    return `${this.counted}, in order of “${this.by}” ${SCORES[Number(this.usual)]}`
      + (this.least ? `, from ${written(this.least, SCORE)}` : "");
  }

  /** What must be said of the order below the maps. */
  get notes() {
    if (!this.sorted || !this.heads.length) return [];
    if (this.scores.every((score) => score === null)) return [this.none];
    const from = written(this.patterns.thresholds[this.pattern], SCORE);
    return [`layer·head and its score; bold: from ${from} on, a head counts as following this pattern`];
  }

  /** In place of the maps, where no head is left. */
  get none() {
    if (this.scores.every((score) => score === null)) {
      return `${this.usual ? "No text gives" : "This text gives no"} occasion for “${this.by}”.`;
    }
    return `No head scores ${written(this.least, SCORE)} or more.`;
  }
}

/** The tokens that can be chosen are numbered by their places in the whole text. */
export function placesOf({ tokens, looking, places }, way) {
  if (places) return places[way === "from" ? 0 : 1];
  return ((way === "from" && looking) || tokens).map((_, i) => i);
}

/** The keys move in what is seen: by place within a layer and from layer to layer, or in the order. */
export function nextHead({ here, plan: { order, per }, order: { sorted } }, { key, ctrlKey }) {
  const at = order.indexOf(here), first = at - (at % per);
  const last = Math.min(first + per, order.length) - 1;
  const ends = sorted ? [0, order.length - 1] : [first, last], there = {
    ArrowLeft: Math.max(at - 1, ends[0]), ArrowRight: Math.min(at + 1, ends[1]),
    ArrowUp: at >= per ? at - per : at, ArrowDown: at + per < order.length ? at + per : at,
    Home: ctrlKey ? 0 : first, End: ctrlKey ? order.length - 1 : last,
  }[key];
  const none = at < 0 || there === undefined || (ctrlKey && key.startsWith("Arrow"));
  return none ? null : order[there];
}
