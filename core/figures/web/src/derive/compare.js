// What the page Compare shows of two sentences, computed from traces: the chosen words, the ends, the verdict and
// the first picture. The counterpart of `core/comparison`.
/** @import { Trace } from "../engine/trace.js" */
/** @import { LinesHeader, TrajectoryHeader } from "../headers" */
/** @import { Chosen } from "./choice.js" */
/** @import { Ends } from "./labelled.js" */
/** @import { Made } from "./packed.js" */
/** @import { Alone, Side } from "./trajectory.js" */
/** @import { OneSide, Verdict } from "./verdict.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { SPACES, isElided, split, stripped } from "../engine/words.js";
import { Contexts, Refused, senseAxis } from "./axis.js";
import { isForm, occurrences, proposedEnds, settle, sharedWords, tokensIn, unknownWord } from "./choice.js";
import { between, short, unnamed } from "./ends.js";
import { looksForeign } from "./foreign.js";
import { asRead, sameWord } from "./inflections.js";
import { knownEnds } from "./labelled.js";
import { listed, plain, sentence, specialTokens } from "./sentences.js";
import { written } from "../runtime/shared.js";
import { cosinesOf, trajectoryOf } from "./trajectory.js";
import { bySide, headline, layerOf, leans, needed, oneSide, ofOne, standing, unmoved, unread, verdict, withoutReading } from "./verdict.js";

const ARTICLES = CONSTANTS.articles, BEGINNING = CONSTANTS.beginning, BEHIND = stripped(BEGINNING.split("{word}")[0]);
const ROOM = 55_000; // numbers of a vector after all layers, times the axes that are kept: 24 of MiniLM, 3 of SmolLM2
/** @type {Readonly<Record<string, string>>} */
const ENGLISH_ALONE = CONSTANTS.englishAlone;

/**
 * The choices of the page, as its link has them (`pages/compare/state.py`).
 * @typedef {object} CompareQuery
 * @property {string} a
 * @property {string} b
 * @property {string} w the word in A
 * @property {number} o which of its occurrences, from 1
 * @property {string} w2 the word in B; "" for the same
 * @property {number} o2
 * @property {string} lo the end at −1 as it was typed; "" for the page's own
 * @property {string} hi
 * @property {"picked" | "guessed" | "unsure" | ""} [by] how these ends came about, if they are those of a dictionary
 * @property {number} d layers back from that of the verdict
 */

/**
 * @typedef {object} Compared
 * @property {{ A: Trace | null, B: Trace | null }} traces
 * @property {{ A: Chosen[], B: Chosen[] }} there the occurrences to choose from
 * @property {{ A: Chosen | null, B: Chosen | null }} chosen
 * @property {string} word the word in A that the link names from now on
 * @property {Ends | null} own the ends of the page, if none are typed
 * @property {Ends | null} ends
 * @property {string[]} notes what a visitor must know first, each a sentence (Markdown)
 * @property {string} headline the verdict (Markdown); "" for none
 * @property {string} caption what stands below it (Markdown)
 * @property {Verdict | OneSide | null} judged
 * @property {Made<TrajectoryHeader> | Made<LinesHeader> | null} picture
 * @property {boolean} leftBehind whether the link named a word that B no longer has, and ends with it
 */

/**
 * A depth so many layers before that of the verdict, or how many a depth is before it; before 0, it goes on from the last.
 * @param {number} judged the layer of the verdict, from 1 @param {number} layers @param {number} count of layers, or the depth
 */
export const counted = (judged, layers, count) => (judged - Math.min(count, layers) + layers + 1) % (layers + 1);

/** The layer that a comparison is judged by, from 1. @param {string} model @param {number} layers */
export const judgedOf = (model, layers) => (layerOf(model) ?? layers - 1) + 1;

/** Answers the questions of a page; what it has computed for one serves the next. */
export class Comparer {
  /** @type {Map<string, Promise<import("./axis.js").SenseAxis>>} */
  #axes = new Map();
  /** What the pictures were made of. @type {WeakMap<Compared, { sides: Side[], axes: import("./axis.js").SenseAxis[], byItself: Alone[] }>} */
  #made = new WeakMap();
  /** The word that was shown last. */
  #shown = "";
  /** The same in B, if it was another. */
  #shownB = "";

  /** @param {(text: string) => Promise<Trace>} traceOf */
  constructor(traceOf) {
    this.traceOf = traceOf;
    this.contexts = new Contexts(traceOf);
  }

  /** @param {string} word @param {Ends} ends @param {Trace} reads a trace of the model @param {(done: number, of: number) => void} [onProgress] */
  #axis(word, ends, reads, onProgress) {
    const key = JSON.stringify([word, ends.low, ends.high]), known = this.#axes.get(key);
    if (known) return known;
    const made = senseAxis(word, ends.low, ends.high, this.contexts, reads, onProgress);
    made.catch(() => this.#axes.delete(key));
    this.#axes.set(key, made);
    for (const old of [...this.#axes.keys()].slice(0, -Math.ceil(ROOM / (reads.layers * reads.size)))) this.#axes.delete(old);
    return made;
  }

  /**
   * @param {CompareQuery} query
   * @param {object} [about]
   * @param {(done: number, of: number) => void} [about.onProgress] while the ends of a new word are read
   * @param {string} [about.why] why there are no contributions
   * @param {boolean} [about.explains] whether somebody asks for them next: `derive/adds.js`
   * @returns {Promise<Compared>}
   */
  async compare(query, { onProgress, why = "", explains = false } = {}) {
    const notes = /** @type {string[]} */ ([]);
    const traces = {
      A: await readable(query.a, "Sentence A", this.traceOf, notes),
      B: await readable(query.b, "Sentence B", this.traceOf, notes),
    };
    const { A, B } = traces, typed = [query.w, query.w2 || query.w];
    const there = { A: A ? occurrences(A, typed) : [], B: B ? occurrences(B, typed) : [] };
    const reads = A ?? B, { cased } = reads ?? { cased: false };
    const shared = () => (A && B ? sharedWords(A, B).map((one) => /** @type {const} */ ([one.a.word, one.b.word])) : []);
    let [inA, inB] = settle([there.A, there.B], [query.w, query.w2], [query.o - 1, query.o2 - 1], shared, cased);
    let { w: word, lo, hi, by = "" } = query, leftBehind = false;
    if (A && B && inA && !inB && query.w2 && unknownWord(B, query.w2) === null) {
      // A word that B no longer has, of a sentence that was there before: B has the word of A, and the ends were for others.
      const [, again] = settle([there.A, there.B], [query.w, ""], [query.o - 1, 0], () => [], cased);
      if (again) {
        if (query.w2 !== this.#shownB) notes.push(sentence("word.not-there", { name: "B", word: plain(query.w2) }));
        inB = again;
        lo = hi = by = "";
        leftBehind = true;
      }
    }
    if (A && B) {
      if (inA && inB && !isForm(inA.word, word, cased)) {
        const unknown = unknownNote(word, [A, B]), shown = plain(inA.word);
        // Whoever types other sentences over the old ones did not ask for the old word.
        if (unknown) notes.push(sentence("word.unknown-instead", { unknown, shown }));
        else if (word !== this.#shown) notes.push(sentence("word.instead", { wanted: plain(word), shown }));
        word = inA.word;
        lo = hi = by = "";
      } else if (!inA && !inB) {
        const none = [A, B].filter((trace) => !occurrences(trace, []).length);
        notes.push(unknownNote(query.w, [A]) || unknownNote(query.w2 || query.w, [B]) || unknownNote("", none) || noneShared(A, B));
      } else if (!inA || !inB) {
        notes.push((inA ? unknownNote(query.w2 || query.w, [B]) : unknownNote(query.w, [A])) || sentence("word.not-there", { name: inA ? "B" : "A", word: plain(inA ? query.w2 || query.w : query.w) }));
      }
    }
    /** @type {Compared} */
    const result = {
      traces, there, chosen: { A: inA, B: inB }, word, own: null, ends: null, notes, headline: "", caption: "", judged: null, picture: null, leftBehind,
    };
    if (inA || inB) {
      this.#shown = word;
      this.#shownB = leftBehind ? "" : query.w2;
    }
    const sides = /** @type {Side[]} */ ([
      ...(A && inA ? [{ name: "A", trace: A, chosen: inA }] : []), ...(B && inB ? [{ name: "B", trace: B, chosen: inB }] : []),
    ]);
    if (!sides.length || !reads) return result;
    const texts = [A, B].flatMap((trace) => (trace ? [trace.text] : []));
    result.own = knownEnds(sides[0].chosen.word, texts, reads);
    if (!result.own && A && B && inA && inB && isShared(A, B, inA, inB)) {
      const drawn = proposedEnds(A, B, inA, inB);
      if (drawn) result.own = { names: [drawn.b, drawn.a], low: [drawn.b], high: [drawn.a], proposed: true, guessed: false, unsure: false };
    }
    result.ends = between([stripped(lo), stripped(hi)], sides[0].chosen.word, result.own, cased);
    try {
      await this.#judge(result, sides, [stripped(lo), stripped(hi)], { depth: query.d, kind: by || null, onProgress, why: explains ? "" : why, awaits: explains });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notes.push(plain(error.message));
      if (sides.length === 2) await this.#cosines(result, sides, "ends.no-axis", "");
    }
    return result;
  }

  /**
   * @param {Compared} result @param {Side[]} sides @param {string[]} typed
   * @param {{ depth: number, kind: import("./verdict.js").OutOfDictionary, onProgress?: (done: number, of: number) => void, why: string, awaits: boolean }} about
   */
  async #judge(result, sides, typed, { depth, kind, onProgress, why, awaits }) {
    const { ends } = result, [first] = sides, second = sides[1] ?? first;
    const words = /** @type {[string, string]} */ ([first.chosen.word, second.chosen.word]);
    const { model, cased, layers } = first.trace, layer = layerOf(model), last = judgedOf(model, layers) - 1;
    const warning = sides.some(({ trace }) => looksForeign(trace)) ? sentence("tab.english", { name: ENGLISH_ALONE[model] }) : "";
    if (sides.length === 2 && !sameWord(...words, cased)) {
      await this.#cosines(result, sides, "ends.two-words", warning);
      return;
    }
    if (!ends) {
      const empty = unnamed(typed).map((one) => m("“{word}”", { word: plain(one) }));
      if (sides.length === 2) {
        const none = empty.length ? `${sentence(empty.length > 1 ? "ends.name-nothing" : "ends.names-nothing", { words: listed(empty) })} ` : "";
        await this.#cosines(result, sides, "ends.missing", warning, none);
      }
      return;
    }
    const axes = [await this.#axis(words[0], ends, first.trace, onProgress), await this.#axis(words[1], ends, first.trace, onProgress)];
    const at = /** @type {[number[], number[]]} */ ([first, second].map(({ trace, chosen }, i) => axes[i].coordinates(trace, chosen.tokens)));
    const fit = /** @type {[number, number]} */ ([first, second].map(({ trace, chosen }, i) => axes[i].fit(trace, chosen.tokens, last)));
    const alone = sides.length === 1;
    const byItself = /** @type {[Alone, Alone]} */ ([await this.#byItself(first), await this.#byItself(second)]);
    const before = /** @type {[number, number]} */ (byItself.map((one, i) => axes[i].coordinates(...one)[last]));
    const after = layer === null ? "" : sentence("verdict.after", { layer: String(last + 1) });
    /** @type {OneSide | null} */
    let same = null;
    /** @type {Verdict | null} */
    let judged = null;
    let unheard = /** @type {string[]} */ ([]);
    if (alone || areSame(first, second)) {
      const found = oneSide(axes[0], at[0], { proposed: ends.proposed, barred: [...barredBy([first], () => sentence("the-sentence")), ...beginsBy([first])], kind, fit: fit[0] });
      ({ judged: same, names: unheard } = withoutReading(found, readBy(sides.slice(0, 1)), before));
    }
    if (alone) {
      result.judged = /** @type {OneSide} */ (same);
      result.headline = after + ofOne(first.chosen.word, first.name, result.judged, ends.names, before[0]);
    } else {
      const twice = same ? [sentence("reason.twice")] : agreeUpTo(first, second) ? [sentence("reason.left-to-right")] : [];
      const barred = [...barredBy(sides, ({ name }) => name), ...beginsBy(sides), ...twice];
      judged = verdict(axes[0], at[0], at[1], { proposed: ends.proposed, barred, kind, fit });
      if (!same) ({ judged, names: unheard } = withoutReading(judged, readBy(sides), before));
      result.judged = same ?? judged;
      result.headline = after + headline(words, ends.names, judged, same, before, needed(model, result.judged, judged));
    }
    const texts = sides.map(({ trace }) => trace.text);
    const least = needed(model, result.judged, judged), once = !result.judged.answer && least ? sentence("verdict.once-chosen", { least: written(least, { digits: 2 }) }) : "";
    const { causal } = first.trace, behind = causal ? sentence("trajectory.behind", { word: BEHIND }) : "";
    const readOf = sides.map(({ name, trace, chosen }) => ({ name, text: trace.text, word: chosen.word, end: chosen.end }));
    const unreadOf = unheard.length ? readOf.filter(({ name }) => unheard.includes(name)) : same ? readOf.slice(0, 1) : readOf;
    const started = causal ? readOf.map(({ text, end }) => [...text].slice(0, end).join("")) : texts;
    result.caption = [
      result.judged.reasons.map(plain).join(" "), once, bySide(result.judged),
      unmoved(judged, same, before) || leans(ends.names, result.judged, before, behind, words),
      ends !== result.own && judged && ["one meaning", "two meanings"].includes(judged.answer ?? "") ? sentence("verdict.picked") : "", warning,
      alone || ends.proposed ? "" : standing(axes[0], started, cased), causal ? unread(axes[0], unreadOf, cased, unheard.length > 0) : "",
      alone ? "" : twoTokens(first, second),
    ].filter(Boolean).join(" ");
    const names = sides.map(({ name }) => name);
    result.picture = trajectoryOf(axes, [first, second], at, {
      ends: /** @type {[string, string]} */ (short(ends.names)), names, alone: byItself, depth: counted(last + 1, layers, depth), judged: last + 1, why, unclear: least,
      guessed: kind === "guessed" || kind === "unsure", two: !alone && !isOneToken(first, second), awaits,
    });
    this.#made.set(result, { sides, axes, byItself });
  }

  /** What a picture with positions was made of. @param {Compared} found */
  madeOf(found) {
    return this.#made.get(found);
  }

  /**
   * @param {Compared} result @param {Side[]} sides @param {"ends.missing" | "ends.no-axis" | "ends.two-words"} which
   * @param {string} warning @param {string} [before]
   */
  async #cosines(result, sides, which, warning, before = "") {
    const words = [...new Set(sides.map(({ chosen }) => chosen.word))];
    result.headline = before + sentence(which, { word: words.map((one) => `*${plain(one)}*`).join(m(" and ")) });
    const { picture, caption } = await this.#similar(sides);
    result.caption = [warning, caption].filter(Boolean).join(" ");
    result.picture = picture;
  }

  /**
   * How similar the two words are in all directions, with or without ends; null without two words.
   * @param {Pick<Compared, "traces" | "chosen">} found
   * @returns {Promise<{ picture: Made<LinesHeader>, caption: string } | null>}
   */
  async cosines({ traces: { A, B }, chosen }) {
    if (!A || !B || !chosen.A || !chosen.B) return null;
    return this.#similar([{ name: "A", trace: A, chosen: chosen.A }, { name: "B", trace: B, chosen: chosen.B }]);
  }

  /** @param {Side[]} sides two */
  async #similar([a, b]) {
    const alone = [await this.#byItself(a), await this.#byItself(b)];
    const quoted = [...new Set([a.chosen.word, b.chosen.word])].map((one) => m("“{word}”", { word: plain(one) })).join(m(" and "));
    const caption = sentence("legend.cosine", { a: ":blue[A]", b: ":orange[B]", alone: quoted });
    return { picture: cosinesOf([a, b], alone[0], alone[1]), caption };
  }

  /**
   * The word of a sentence, as it is spelled there, in a text that holds nothing else, or nothing but a neutral beginning:
   * `core/comparison/alone.py`.
   * @param {Side} side @returns {Promise<Alone>}
   */
  async #byItself({ trace, chosen }) {
    const word = trace.slice(chosen.start, chosen.end), [before] = trace.causal ? BEGINNING.split("{word}") : [""];
    const alone = await this.traceOf(before + word);
    return [alone, tokensIn(alone, before.length, Infinity)];
  }
}

/**
 * The trace of a text; or null, with the reason among the notes.
 * @param {string} text @param {string} name @param {(text: string) => Promise<Trace>} traceOf @param {string[]} notes
 */
export async function readable(text, name, traceOf, notes) {
  if (!stripped(text)) {
    notes.push(sentence("text.empty", { name }));
    return null;
  }
  if (new TextEncoder().encode(text).length > CONSTANTS.mostTextBytes) {
    notes.push(sentence("text.large", { name, size: String(Math.floor(CONSTANTS.mostTextBytes / 1000)) }));
    return null;
  }
  const trace = await traceOf(text);
  if (trace.special.every(Boolean)) {
    notes.push(sentence("text.unreadable", { name }));
    return null;
  }
  if (trace.leftOut) notes.push(sentence("text.long", { name, end: endOfRead(trace.slice(0, trace.leftOut[0])) }));
  if (trace.spelled.length) notes.push(specialTokens(name, trace.spelled));
  return trace;
}

/** The end of a text as a quotation: `ui.text.end_of`. @param {string} text */
function endOfRead(text, most = CONSTANTS.text.ofEnd) {
  const signs = [...text.split(SPACES).filter(Boolean).join(" ")];
  let end = signs.slice(-most).join("");
  if (signs.length > most && signs[signs.length - most - 1] !== " " && end.includes(" ")) end = end.slice(end.indexOf(" ") + 1);
  return m("“… {end}”", { end: plain(end) });
}

/** That a text has a word, but the model does not know it; "" otherwise (Markdown). @param {string} word @param {readonly Trace[]} traces */
function unknownNote(word, traces) {
  const found = traces.map((trace) => unknownWord(trace, word)).find((one) => one !== null);
  return found ? sentence("word.unknown", { word: plain(found) }) : "";
}

/** That two sentences share no word, and that the model does not know a word that they do share. @param {Trace} a @param {Trace} b */
const noneShared = (a, b, none = sentence("word.none-shared"), word = unknownWord(a, "")) => (
  word !== null && word === unknownWord(b, "") ? sentence("word.unknown-shared", { word: plain(word), none }) : none);

/** Whether two chosen words are ones that the sentences share. @param {Trace} a @param {Trace} b @param {Chosen} inA @param {Chosen} inB */
const isShared = (a, b, inA, inB) => sharedWords(a, b).some((one) => one.a.word === inA.word && one.b.word === inB.word);

/** Whether the model reads the same tokens in A and in B, with the word at the same positions. @param {Side} a @param {Side} b */
const areSame = (a, b) => JSON.stringify([a.trace.tokens, a.chosen.tokens]) === JSON.stringify([b.trace.tokens, b.chosen.tokens]);

/** Whether a model that reads from left to right has read the same when it comes to the word. @param {Side} a @param {Side} b */
function agreeUpTo(a, b) {
  const read = (/** @type {Side} */ { trace, chosen: { tokens } }) => JSON.stringify([trace.tokens.slice(0, tokens[tokens.length - 1] + 1), tokens]);
  return a.trace.causal && read(a) === read(b);
}

/** That the word is the first token of a model that reads from left to right, its sink. @param {Side[]} sides */
const beginsBy = (sides) => (sides.some(({ trace, chosen }) => trace.causal && !trace.special[0] && chosen.tokens.includes(0)) ? [sentence("reason.first")] : []);

/** What a verdict needs to know of what was read before the word. @param {Side[]} sides */
const readBy = (sides) => sides.map(({ name, trace, chosen }) => ({ name, causal: trace.causal, read: trace.slice(0, chosen.start) }));

/** Whether the word is the same token in both, or the same tokens, and has one learned vector. @param {Side} a @param {Side} b */
const isOneToken = (a, b) => new Set([a, b].map(({ trace, chosen }) => chosen.tokens.map((i) => trace.tokens[i]).join("\n"))).size === 1;

/** That a decoder begins with two learned vectors for the word; "" where there is one. @param {Side} a @param {Side} b */
const twoTokens = (a, b) => (a.trace.causal && !isOneToken(a, b) ? sentence("verdict.two-tokens") : "");

/**
 * The reasons in the sentences themselves against a verdict.
 * @param {Side[]} sides @param {(side: Side) => string} nameOf
 */
function barredBy(sides, nameOf) {
  const foreign = sides.filter(({ trace }) => looksForeign(trace)).map(nameOf), bare = sides.filter(isBare).map(nameOf);
  return [
    ...(foreign.length ? [sentence(foreign.length > 1 ? "reason.foreign.several" : "reason.foreign", { names: listed(foreign) })] : []),
    ...(bare.length ? [sentence(bare.length > 1 ? "reason.bare.several" : "reason.bare", { names: listed(bare) })] : []),
  ];
}

/** Whether a sentence consists of only its word, perhaps with an article. @param {Side} side */
function isBare({ trace, chosen }) {
  const own = [...split(chosen.word).map(({ text }) => asRead(text, trace.cased)), ...ARTICLES];
  return split(trace.text).filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .every(({ text }) => own.includes(asRead(text, trace.cased)) || isElided(text) || sameWord(text, chosen.word, trace.cased));
}
