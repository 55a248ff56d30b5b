// The heads of a model by position, or in the order of a pattern: which are shown, and captions for that.
/** @import { OverviewState } from "../states" */
/** @import { OverviewHeader } from "../headers" */
import { m } from "../runtime/language.js";
import { written } from "../runtime/shared.js";

const SCORE = { digits: 2, plus: false };
const inThisText = () => m("in this text"), usually = () => m("usually");

/** @typedef {readonly (number | null)[]} Scores for each head, layer by layer; null if the text has no position for the pattern */

/**
 * How the heads are ordered.
 * @typedef {object} Ranking
 * @property {string} pattern its name
 * @property {Scores} here the scores in this text
 * @property {Scores | null} typical those in other texts
 * @property {Scores} scores the ones that count
 * @property {number} threshold the least score at which a head counts as following the pattern
 */

const scoreText = (/** @type {number | null} */ value) => (value === null ? "–" : written(value, SCORE));

/**
 * Adapts a state to the options of a picture of all heads.
 * @param {OverviewState} state
 * @param {OverviewHeader} header
 */
export function fitState(state, header) {
  const { patterns } = header;
  if (state.token !== null && !positionsOf(header, state.direction).includes(state.token)) state.token = null;
  if (state.pattern !== null && !(patterns && state.pattern < patterns.names.length)) state.pattern = null;
  if (!patterns?.typical) state.typical = false;
}

/**
 * @param {OverviewHeader} header
 * @param {Pick<OverviewState, "pattern" | "typical">} state
 * @returns {Ranking | null} null: by position
 */
function rankingOf({ patterns }, { pattern, typical }) {
  if (!patterns || pattern === null) return null;
  const here = patterns.scores[pattern], other = patterns.typical?.[pattern] ?? null;
  return {
    pattern: patterns.names[pattern], here, typical: other, scores: typical && other ? other : here,
    threshold: patterns.thresholds[pattern],
  };
}

export class HeadOrder {
  /**
   * @param {OverviewHeader} header
   * @param {Pick<OverviewState, "pattern" | "typical" | "threshold">} state
   */
  constructor(header, state) {
    const count = header.layers.length * header.heads;
    this.perLayer = header.heads;
    /** All heads, including those that are left out. */
    this.count = count;
    this.threshold = state.threshold;
    this.typical = state.typical;
    this.ranking = rankingOf(header, state);
    /** The visible heads, in order. */
    this.heads = ordered(Array.from({ length: count }, (_, i) => i), this.ranking, state.threshold);
  }

  get sorted() {
    return this.ranking !== null;
  }

  /**
   * The short name of a head: its layer, its number, its score.
   * @param {number} i
   * @param {boolean} scored
   */
  title(i, scored) {
    const name = `${Math.floor(i / this.perLayer) + 1}·${(i % this.perLayer) + 1}`;
    return scored && this.ranking ? `${name} ${scoreText(this.ranking.scores[i])}` : name;
  }

  /**
   * Whether a head counts as following the pattern.
   * @param {number} i
   */
  follows(i) {
    const score = this.ranking?.scores[i] ?? null;
    return this.ranking !== null && score !== null && score >= this.ranking.threshold;
  }

  /**
   * Both scores of a head, whether or not they order the heads: the texts, and the score.
   * @param {number} i
   * @returns {[string, string][]}
   */
  scoresOf(i) {
    if (!this.ranking) return [];
    const { here, typical } = this.ranking;
    /** @type {[string, string][]} */
    const scores = [[inThisText(), scoreText(here[i])]];
    if (typical) scores.push([usually(), scoreText(typical[i])]);
    return scores;
  }

  /**
   * How much a head follows the pattern, in words.
   * @param {number} i
   */
  scoreCaption(i) {
    return `${this.ranking?.pattern} ${this.scoresOf(i).map(([texts, score]) => `${score} ${texts}`).join(", ")}`;
  }

  get countText() {
    return m("{count} of {all} heads", { count: this.heads.length, all: this.count });
  }

  /** Which heads are shown, and in which order, in words. */
  get caption() {
    if (!this.ranking) return m("all {count} heads by position", { count: this.count });
    const { countText: heads, ranking: { pattern } } = this, texts = this.typical ? usually() : inThisText();
    return m("{heads}, in order of “{pattern}” {texts}", { heads, pattern, texts })
      + (this.threshold ? m(", from {threshold}", { threshold: written(this.threshold, SCORE) }) : "");
  }

  /** Remarks on the order, below the maps. */
  get notes() {
    if (!this.ranking || !this.heads.length) return [];
    if (this.ranking.scores.every((score) => score === null)) return [this.emptyText];
    const from = written(this.ranking.threshold, SCORE);
    return [m("layer·head and its score; bold from {from} upwards, where a head follows this pattern", { from })];
  }

  /** Shown instead of the maps, if no head is left. */
  get emptyText() {
    if (this.ranking?.scores.every((score) => score === null)) {
      const { pattern } = this.ranking;
      return this.typical ? m("No text has a position for “{pattern}”.", { pattern })
        : m("This text has no position for “{pattern}”.", { pattern });
    }
    return m("No head scores {threshold} or more.", { threshold: written(this.threshold, SCORE) });
  }
}

/**
 * The highest score first, ties in order of position, heads without a score last.
 * @param {number[]} heads
 * @param {Ranking | null} ranking
 * @param {number} threshold heads with a lower score are left out
 */
function ordered(heads, ranking, threshold) {
  if (!ranking) return heads;
  const score = (/** @type {number} */ i) => ranking.scores[i] ?? -1;
  return heads.filter((i) => !threshold || score(i) >= threshold).sort((a, b) => score(b) - score(a) || a - b);
}

/**
 * The selectable tokens are numbered by their positions in the whole text.
 * @param {OverviewHeader} header
 * @param {OverviewState["direction"]} direction
 * @returns {readonly number[]}
 */
export function positionsOf({ tokens, queryTokens, positions }, direction) {
  if (positions) return positions[direction === "from" ? 0 : 1];
  return ((direction === "from" && queryTokens) || tokens).map((_, i) => i);
}

/**
 * The keys move among the visible heads: by position within a layer and from layer to layer, or in the
 * order.
 * @param {{ here: number | null, plan: { order: readonly number[], per: number }, order: { sorted: boolean } }} heads
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey">} event
 * @returns {number | null}
 */
export function nextHead({ here, plan: { order, per }, order: { sorted } }, { key, ctrlKey }) {
  const at = here === null ? -1 : order.indexOf(here), first = at - (at % per);
  if (at < 0 || (ctrlKey && key.startsWith("Arrow"))) return null;
  const last = Math.min(first + per, order.length) - 1;
  const ends = sorted ? [0, order.length - 1] : [first, last];
  /** @type {Readonly<Record<string, number>>} */
  const to = {
    ArrowLeft: Math.max(at - 1, ends[0]), ArrowRight: Math.min(at + 1, ends[1]),
    ArrowUp: at >= per ? at - per : at, ArrowDown: at + per < order.length ? at + per : at,
    Home: ctrlKey ? 0 : first, End: ctrlKey ? order.length - 1 : last,
  };
  return key in to ? order[to[key]] : null;
}
