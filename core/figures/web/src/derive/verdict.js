// One meaning, two meanings, or not clear: `core/measures/senses/verdict.py`, and its sentences:
// `core/comparison/say.py`.
/** @import { End, SenseAxis } from "./axis.js" */
/** @import { SentenceName } from "./sentences.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { split } from "../engine/words.js";
import { isContent } from "./foreign.js";
import { formOf } from "./inflections.js";
import { listed, ofText, ofWord, percent, plain, sentence } from "./sentences.js";
import { written } from "../runtime/shared.js";

const { few: FEW, several: SEVERAL, many: MANY } = CONSTANTS.kinds, MOST_LISTED = CONSTANTS.mostListed;

/** @typedef {{ one: number, two: number, distance: number, near: number, fits: number }} Bounds */
/** How ends out of a dictionary came about; null for others. @typedef {"picked" | "guessed" | "unsure" | null} OutOfDictionary */
/** @typedef {"low" | "high"} Side */

/**
 * @typedef {object} Verdict
 * @property {"two meanings" | "one meaning" | "neither" | "not clear" | null} answer null if none can be given
 * @property {number} a the position in A
 * @property {number} b
 * @property {Side} sideA
 * @property {Side} sideB
 * @property {number | null} least how far from the middle both must be; null if that is unknown, or never enough
 * @property {string[]} reasons why it is not clear, or why there is none
 * @property {boolean} unsure whether the ends are meanings of which the model is unsure
 */

/**
 * @typedef {object} OneSide
 * @property {"clear" | "not clear" | null} answer
 * @property {number} at
 * @property {Side} side
 * @property {number | null} least
 * @property {string[]} reasons
 */

/** @typedef {{ layer: number | null, bounds: Readonly<Record<string, { [name in keyof Bounds]: number | null }>> }} Calibration */
/** By model. @type {Readonly<Record<string, Calibration>>} */
const CALIBRATIONS = CONSTANTS.calibrations;

/** The layer that a model is judged by, from 0; null for the last. @param {string} model */
export const layerOf = (model) => CALIBRATIONS[model]?.layer ?? null;

/** @param {number} at @returns {Side} */
const sideOf = (at) => (at > 0 ? "high" : "low");
/** @param {SentenceName} name @param {number} count */
const several = (name, count) => /** @type {SentenceName} */ (count > 1 ? `${name}.several` : name);

/**
 * @param {SenseAxis} axis
 * @param {readonly number[]} a the positions of the word in A, (layers)
 * @param {readonly number[]} b
 * @param {{ proposed: boolean, barred: readonly string[], kind: OutOfDictionary, fit: readonly [number, number] | null }} about
 * `fit`: how well the nearer end describes each word
 * @returns {Verdict}
 */
export function verdict(axis, a, b, { proposed, barred, kind, fit }) {
  const layer = layerOf(axis.model) ?? a.length - 1, atA = a[layer], atB = b[layer], sideA = sideOf(atA), sideB = sideOf(atB);
  const judged = judge(axis, proposed, barred, kind), { bounds } = judged;
  const same = sideA === sideB, least = leastOf(bounds && (same ? bounds.one : bounds.two));
  if (judged.reasons.length || !bounds) return { answer: null, a: atA, b: atB, sideA, sideB, least, reasons: judged.reasons, unsure: kind === "unsure" };
  const far = ["A", "B"].filter((_, i) => fit && fit[i] < bounds.fits);
  if (far.length === 2) {
    const why = sentence("reason.neither", { at_a: signed(atA), at_b: signed(atB) });
    return { answer: "neither", a: atA, b: atB, sideA, sideB, least, reasons: [why], unsure: false };
  }
  const reasons = [
    ...far.map((name) => sentence("reason.fits-not", { name })),
    ...whyUnclear(axis, { A: atA, B: atB }, same ? bounds.one : bounds.two, bounds, layer),
  ];
  const answer = reasons.length ? "not clear" : same ? "one meaning" : "two meanings";
  return { answer, a: atA, b: atB, sideA, sideB, least, reasons, unsure: false };
}

/**
 * On which side the word in one sentence is.
 * @param {SenseAxis} axis @param {readonly number[]} position
 * @param {{ proposed: boolean, barred: readonly string[], kind: OutOfDictionary, fit: number | null }} about
 * @returns {OneSide}
 */
export function oneSide(axis, position, { proposed, barred, kind, fit }) {
  const layer = layerOf(axis.model) ?? position.length - 1, at = position[layer], judged = judge(axis, proposed, barred, kind), { bounds } = judged;
  const least = leastOf(bounds && Math.max(bounds.one, bounds.two));
  if (judged.reasons.length || !bounds) return { answer: null, at, side: sideOf(at), least, reasons: judged.reasons };
  const reasons = whyUnclear(axis, { It: at }, Math.max(bounds.one, bounds.two), bounds, layer);
  if (fit !== null && fit < bounds.fits) reasons.unshift(sentence("reason.fits-not.it"));
  return { answer: reasons.length ? "not clear" : "clear", at, side: sideOf(at), least, reasons };
}

/**
 * How far from the middle a word must be to be given a side; null where none is given. For a guess that the model is not sure
 * of, as far as it must be once a visitor has chosen the same meanings: `core/comparison/judge.py`.
 * @param {string} model @param {Verdict | OneSide} judged @param {Verdict | null} two of two sentences, if it is about them
 */
export function needed(model, judged, two) {
  const picked = CALIBRATIONS[model]?.bounds.picked;
  if (judged.answer) return judged.least;
  if (judged !== two || !picked || two.reasons.length !== 1 || two.reasons[0] !== sentence("reason.unsure")) return null;
  return leastOf((two.sideA === two.sideB ? picked.one : picked.two) ?? Infinity);
}

/** @param {number | null} bound */
const leastOf = (bound) => (bound === Infinity ? null : bound);

/** @param {SenseAxis} axis @param {boolean} proposed @param {readonly string[]} barred @param {OutOfDictionary} outOfDictionary */
function judge({ model, low, high, unknown }, proposed, barred, outOfDictionary) {
  const kind = outOfDictionary ?? kindOf(low, high), own = kind === null ? undefined : CALIBRATIONS[model]?.bounds[kind];
  /** @type {Bounds | null} */
  const bounds = own ? { one: own.one ?? Infinity, two: own.two ?? Infinity, distance: own.distance ?? Infinity, near: own.near ?? Infinity, fits: own.fits ?? Infinity } : null;
  const reasons = [...barred];
  const empty = [...new Set([low, high].filter((end) => end.words.length && !end.sentences.length && !end.words.some(namesSomething))
    .map((end) => m("“{word}”", { word: ofText(end.words[0]) })))];
  if (empty.length) reasons.push(sentence(empty.length > 1 ? "reason.name-nothing" : "reason.names-nothing", { words: listed(empty) }));
  if (proposed) reasons.push(sentence("reason.proposed"));
  if (unknown.length) reasons.push(sentence("reason.unknown", { text: ofText(unknown[0]) }));
  if (kind === null) {
    reasons.push(low.words.length || high.words.length
      ? sentence("reason.one-without-word") : sentence("reason.few-sentences", { few: String(FEW) }));
  } else if (kind === "unsure") reasons.push(sentence("reason.unsure"));
  else if (!bounds) reasons.push(sentence("reason.unmeasured"));
  return { bounds, reasons };
}

/** The kind of an axis's ends, decided by the weaker end; null for one that was not measured. @param {End} low @param {End} high */
function kindOf(low, high) {
  const sentences = Math.min(low.sentences.length, high.sentences.length);
  if (sentences >= MANY) return Math.min(low.words.length, high.words.length) >= MANY ? "both" : "sentences";
  if (Boolean(low.words.length) !== Boolean(high.words.length) || (!low.words.length && sentences < FEW)) return null;
  const items = Math.min(low.words.length + low.sentences.length, high.words.length + high.sentences.length);
  return items >= SEVERAL ? "words" : "word";
}

/** @param {string} item */
const namesSomething = (item) => split(item).some(({ text }) => isContent(text) || /\p{Nd}/u.test(text));

/** @param {SenseAxis} axis @param {Record<string, number>} at @param {number} least @param {Bounds} bounds @param {number} layer */
function whyUnclear(axis, at, least, bounds, layer) {
  /** @type {string[]} */
  const reasons = [];
  for (const end of [axis.low, axis.high]) {
    const nearness = end.near.length ? end.near.reduce((sum, x) => sum + x, 0) / end.near.length : null;
    if (nearness === null || nearness >= bounds.near) continue;
    const far = end.words.filter((_, i) => end.near[i] < bounds.near);
    const words = far.map((word) => m("“{word}”", { word: ofWord(word) })).join(", ");
    reasons.push(sentence(several("reason.unrelated", far.length), { words, word: ofWord(axis.word) }));
  }
  if (Math.fround(axis.distances[layer]) < bounds.distance) reasons.push(sentence("reason.close-ends"));
  const near = Object.entries(at).filter(([, position]) => !(Math.abs(position) > least)).map(([name]) => name);
  if (near.length && least === Infinity) reasons.push(sentence("reason.never"));
  else if (near.length) reasons.push(sentence(several("reason.middle", near.length), { names: listed(near), least: signed(least) }));
  return reasons;
}

const { a: A, b: B } = CONSTANTS.names;
/** @param {number} x */
const signed = (x) => written(x, { digits: 2 });

/**
 * The verdict in a sentence; if there is none, the positions (Markdown).
 * @param {readonly [string, string]} words @param {readonly [string, string]} names of the ends
 * @param {Verdict} judged @param {OneSide | null} same if A and B are the same sentence
 * @param {readonly [number, number] | null} [alone] where the word of each stands alone
 * @param {number | null} [least] how far from the middle a word must be for a side; null if none is given
 */
export function headline(words, names, judged, same, alone = null, least = null) {
  const [low, high] = names.map(called);
  if (same) {
    const both = sentence("verdict.same", { word: plain(words[0]), a: A, b: B });
    if (same.answer === "clear") return sentence("verdict.same.side", { both, side: same.side === "low" ? low : high, at: signed(same.at), does: does(same.at, alone?.[0]) });
    return sentence(same.answer ? "verdict.same.unclear" : "verdict.same.none", { both, stands: stands(names, same) });
  }
  const word = [...new Set(words)].map((one) => `*${plain(one)}*`).join(" / ");
  const atA = judged.sideA === "low" ? low : high, atB = judged.sideB === "low" ? low : high;
  const doesA = does(judged.a, alone?.[0]), doesB = does(judged.b, alone?.[1]), alike = doesA === doesB;
  const with_ = alike ? sentence("verdict.with") : doesB, too = alike ? "" : sentence("verdict.it-too", { does: doesB });
  if (judged.answer === "two meanings") return sentence("verdict.two", { word, at_a: atA, at_b: atB, a: A, b: B, does_a: doesA, does_b: with_ });
  if (judged.answer === "one meaning") return sentence("verdict.one", { word, at_a: atA, a: A, b: B, does_a: doesA, does_b: too });
  if (judged.answer === "neither") return sentence("verdict.neither", { word, low, high, a: A, b: B });
  if (judged.unsure) { // as the picture has it, not as the guess began
    const inBand = [judged.a, judged.b].map((at) => least !== null && Math.abs(at) <= least);
    if (inBand[0] && inBand[1]) return sentence("verdict.which.between", { word, a: A, b: B, low, high });
    if (inBand[0] || inBand[1]) return sentence("verdict.which.half", { word, low, high, ...(inBand[0] ? { near: A, far: B, at: atB } : { near: B, far: A, at: atA }) });
    return sentence(atA === atB ? "verdict.which.one" : "verdict.which", { word, a: A, b: B, at_a: atA, at_b: atB, low, high });
  }
  if (judged.answer === null && judged.reasons.includes(sentence("reason.first"))) return sentence("verdict.first"); // its position, on a sink, would mean nothing
  const where = sentence("verdict.stands", { word, a: A, b: B, at_a: signed(judged.a), at_b: signed(judged.b), low, high });
  return sentence(judged.answer ? "verdict.unclear" : "verdict.none", { stands: where });
}

/**
 * Where the word stands in one sentence, if there is no other.
 * @param {string} word @param {string} name "A" or "B" @param {OneSide} one @param {readonly [string, string]} names
 * @param {number | null} [alone] where the word stands alone
 */
export function ofOne(word, name, one, names, alone = null) {
  const side = called(names[one.side === "low" ? 0 : 1]);
  if (one.answer === "clear") return sentence("verdict.single.side", { name, word: plain(word), side, at: signed(one.at), does: does(one.at, alone) });
  const which = one.answer ? "verdict.single.unclear" : "verdict.single.none";
  return sentence(which, { name, word: plain(word), stands: stands(names, one) });
}

/** Whether a sentence left its word where it stands alone. @param {number} at @param {number | null | undefined} alone */
const hardlyMoved = (at, alone) => alone !== null && alone !== undefined && Math.abs(at - alone) < CONSTANTS.unmoved;

/** The verb of a word with a side: it takes a side only if its sentence moved it. @param {number} at @param {number | null} [alone] */
const does = (at, alone) => sentence(hardlyMoved(at, alone) ? "verdict.stays" : "verdict.sides");

/**
 * In which sentences a word with a clear side ends where it stands alone; "" if it moved.
 * @param {Verdict | null} judged null for one sentence, or the same twice
 * @param {OneSide | null} same @param {readonly [number, number] | null} alone where the word of each stands alone
 */
export function unmoved(judged, same, alone) {
  const at = same ? [same.at] : judged ? [judged.a, judged.b] : [], answer = (same ?? judged)?.answer ?? "";
  const still = ["clear", "one meaning", "two meanings"].includes(answer) ? [0, 1].filter((i) => i in at && hardlyMoved(at[i], alone?.[i])) : [];
  if (!still.length || !alone) return "";
  const before = listed([...new Set(still.map((i) => signed(alone[i])))]);
  return sentence(same ? "verdict.unmoved.it" : several("verdict.unmoved", still.length), { names: listed(still.map((i) => "AB"[i])), alone: before });
}

/**
 * For which end the word needs no sentence: alone, it stands past the limit; "" for none (Markdown).
 * @param {readonly [string, string]} names of the ends @param {Verdict | OneSide} judged @param {readonly number[]} alone where the word stands alone
 * @param {string} behind that it stands behind a neutral beginning, in brackets
 * @param {readonly string[]} words the word of each
 */
export function leans([low, high], judged, alone, behind, words) {
  const { answer, least } = judged, ending = "at" in judged ? [judged.at] : [judged.a, judged.b];
  if (!answer || answer === "neither" || !least) return "";
  return [...new Set(alone)].filter((at) => Math.abs(at) > least).map((at) => sentence(ending.some((one) => one * at > least * Math.abs(at)) ? "verdict.leans" : "verdict.leans.away",
    { behind, word: plain(words[alone.indexOf(at)]), least: signed(least), at: signed(at), side: called(at > 0 ? high : low) })).join(" ");
}

/** That the side alone decided, where a sure guess needs no distance from the middle; "" elsewhere. @param {Verdict | OneSide} judged */
export const bySide = ({ answer, least }) => (
  ["one meaning", "two meanings"].includes(answer ?? "") && least === 0 ? sentence("verdict.by-side", { sure: percent(CONSTANTS.sure) }) : "");

/**
 * No verdict rests on a sentence of which a model from left to right has read nothing that could decide.
 * @template {Verdict | OneSide} T
 * @param {T} judged @param {readonly { name: string, causal: boolean, read: string }[]} sides whether the model reads from left to right, and what stands before the word
 * @param {readonly number[]} alone where the word of each stands alone
 * @returns {{ judged: T, names: string[] }} the verdict, and these sentences
 */
export function withoutReading(judged, sides, alone) {
  const one = "at" in judged, at = one ? sides.map(() => judged.at) : [judged.a, judged.b];
  const still = sides.map((_, i) => i).filter((i) => sides[i].causal && hardlyMoved(at[i], alone[i]) && !split(sides[i].read).some(({ text }) => isContent(text)));
  const names = still.map((i) => sides[i].name);
  if (!names.length || !["clear", "one meaning", "two meanings"].includes(judged.answer ?? "")) return { judged, names };
  const before = listed([...new Set(still.map((i) => signed(alone[i])))]);
  const why = one ? sentence("reason.nothing-read.it", { alone: before }) : sentence("reason.nothing-read", { names: listed(names), alone: before });
  return { judged: { ...judged, answer: "not clear", reasons: [why] }, names };
}

/**
 * What a model that reads from left to right has not read when it is at the word; "" for nothing (Markdown).
 * @param {SenseAxis} axis @param {readonly { name: string, text: string, word: string, end: number }[]} sides with where the word ends @param {boolean} cased
 * @param {boolean} [clue] whether to say first what could have decided, and that it belongs before the word
 */
export function unread({ low, high }, sides, cased, clue = false) {
  const where = sides.flatMap(({ name, text, end }) => {
    const words = beginningOf([...text].slice(end).join(""));
    return words ? [sentence("verdict.unread.in", { words, name })] : [];
  });
  if (!where.length) return "";
  const word = [...new Set(sides.map((side) => side.word))].map((one) => `*${plain(one)}*`).join(" / ");
  if (clue) return sentence("verdict.unread", { word, where: listed(where), then: sentence("verdict.unread.clue", { word }) });
  const missed = [...new Set(sides.flatMap(({ text, end }) => [...low.words, ...high.words].filter((one) =>
    formOf(text, one, cased) && !formOf([...text].slice(0, end).join(""), one, cased)).map((one) => `*${plain(one)}*`)))];
  return sentence(missed.length ? several("verdict.unread.names", missed.length) : "verdict.unread", { word, where: listed(where), words: listed(missed), then: "" });
}

/** The first words of what comes after a word; "" if none do. @param {string} text */
function beginningOf(text) {
  const words = split(text).filter((one) => /[\p{L}\p{N}]/u.test(one.text)), last = words[Math.min(words.length, MOST_LISTED) - 1];
  if (!last) return "";
  return plain([...text].slice(words[0].start, last.end).join("")) + (words.length > MOST_LISTED ? " …" : "");
}

/** @param {readonly [string, string]} names @param {OneSide} one */
const stands = ([low, high], { at }) => sentence("verdict.it", { at: signed(at), low: called(low), high: called(high) });

/** The name of an end in a sentence: one of several words, often a definition, in quotation marks. @param {string} name */
const called = (name) => (name.includes(" ") ? m("“{word}”", { word: plain(name) }) : plain(name));

/**
 * The words of the ends that occur in the sentences; "" if none does (Markdown).
 * @param {SenseAxis} axis @param {readonly string[]} texts @param {boolean} cased
 */
export function standing({ low, high }, texts, cased) {
  const where = texts.flatMap((text, i) => {
    const all = [...low.words, ...high.words].filter((word) => formOf(text, word, cased)).map((word) => `*${plain(word)}*`);
    if (!all.length) return [];
    const left = all.length - MOST_LISTED;
    const words = left > 0 ? [...all.slice(0, MOST_LISTED), sentence("standing.more", { count: String(left) })] : all;
    return [sentence("standing.in", { name: "AB"[i], words: words.join(", ") })];
  });
  return where.length ? sentence("standing", { where: where.join("; ") }) : "";
}
