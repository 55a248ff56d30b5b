// The pictures of the steps that run the model changed: what comes next before and after, a text of random words said twice, the
// first token as a sink, and what a state of another text brings back. They are those of the app, drawn from records of the tab.
/** @import { Changes } from "../engine/changed.js" */
/** @import { NextToken } from "../engine/speaker.js" */
/** @import { Made } from "../derive/packed.js" */
/** @import { Spoken } from "./spoken.js" */
import { decimal, m, mn } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { pieces } from "../engine/bytepairs.js";
import { label, layerName, spelled, visibleEnds, written } from "../derive/labels.js";
import { range } from "../derive/numbers.js";
import { floats } from "../derive/packed.js";
import { HUE, signedScale } from "../derive/scales.js";
import { fixed, grouped } from "../runtime/shared.js";
import { bitsOfHalf, ranked, shareOf, withoutFirst } from "./spoken.js";

/** A picture, and what is said with it (Markdown). @typedef {{ said: string, made: Made<any> }} Shown */
/** What a step's link has. @typedef {Record<string, string>} Link */

const { words: BARS, parts: CELLS, bar: BAR, row: ROW } = CONSTANTS.why, { ranks: LINES } = CONSTANTS.lens;
const AROUND = BARS.height - BAR, LEGEND = 22; // pixels; of bars of two kinds
const { lengthens: LENGTHENS, height: LENGTHS_HEIGHT } = CONSTANTS.exchanged;
const { heads: { light: COLOURS } } = CONSTANTS.style, BLUE = COLOURS[0], VIOLET = COLOURS[5];
const WORDS = 10; // next words with a bar
const MOST_BITS = 20; // the scale's, unless more are drawn
const PERCENT = 100;

/**
 * @param {readonly string[]} labels @param {readonly number[]} values
 * @param {{ unit: string, sentence: string, name: string, other?: readonly number[], names?: [string, string], kind?: "weights" | "amounts", digits?: number, notes?: string[] }} more
 * @returns {Made<any>}
 */
function barsOf(labels, values, { unit, sentence, name, other, names, kind = "weights", digits = 3, notes = [] }) {
  const header = {
    ...BARS, labels: labels.map((one) => visibleEnds(label(one))), unit: written(unit), kind, notes: notes.map(written), names: names?.map(written) ?? null,
    number: { digits, plus: false }, height: AROUND + BAR * labels.length + (other ? LEGEND : 0), sentence, file: `polysee-${name}`,
  };
  return { module: "bars", header, payload: floats([Float32Array.from(values), ...(other ? [Float32Array.from(other)] : [])]) };
}

/**
 * @param {readonly { name: string, label?: string, values: ArrayLike<number>, colour: string }[]} lines
 * @param {{ steps: string[], ticks: string[], axis: string, unit: string, bounds: [number, number], guides: [number, string][], sentence: string, name: string, digits: number, log?: boolean, height?: number }} more
 *   `log`: values, guides and bounds come as exponents of ten
 * @returns {Made<any>}
 */
export function linesOf(lines, { bounds: [least, most], digits, name, log = false, ...more }) {
  const all = lines.flatMap(({ values }) => Array.from(values).filter(Number.isFinite)), header = {
    ...LINES, ...more, log, number: { digits, plus: false }, bounds: [Math.min(least, ...all), Math.max(most, ...all)], file: `polysee-${name}`,
    lines: lines.map(({ name: own, label: brief = own, colour }) => ({ name: label(own), label: written(brief), colour, mark: "none" })),
  };
  return { module: "lines", header, payload: floats(lines.map(({ values }) => Float32Array.from(values))) };
}

/**
 * @param {readonly string[]} rows @param {readonly string[]} columns @param {readonly (readonly number[])[]} values
 * @param {{ scale: object, names: [string, string, string], sentence: string, name: string, marked?: [number, number] }} more
 * @returns {Made<any>}
 */
export function cellsOf(rows, columns, values, { name, marked, ...more }) {
  const header = {
    ...CELLS, ...more, rows: rows.map(written), columns: columns.map(written), number: { digits: CELLS.number.digits, plus: false }, file: `polysee-${name}`,
    marked: { ...CELLS.marked, rows: marked ? [marked[0]] : [], columns: marked ? [marked[1]] : [] }, height: CELLS.height + ROW * (rows.length - 1),
  };
  return { module: "heatmap", header, payload: floats([Float32Array.from(values.flat())]) };
}

/**
 * The likeliest next words as they are, and in a run that is changed.
 * @param {NextToken} before @param {Float32Array} was @param {Float32Array} now the logits of both runs @param {{ names: [string, string], sentence: string, name: string, called?: (text: string) => string }} more
 */
export function beforeAndAfter({ top }, was, now, { called = (/** @type {string} */ one) => one, ...more }) {
  const ids = top.ids.slice(0, WORDS), shares = (/** @type {Float32Array} */ of) => ids.map((id) => shareOf(of, id));
  return barsOf(ids.map((_, i) => called(top.texts[i])), shares(now), { unit: m("probability"), other: shares(was), ...more });
}

/** @param {Spoken} spoken @param {string} text @param {Changes} changes @param {{ names: [string, string], sentence: string, name: string }} more */
const changedWords = async (spoken, text, changes, more) =>
  beforeAndAfter(await spoken.next(text), (await spoken.run(text, null)).logits, (await spoken.run(text, changes)).logits, more);

/** The parts that were exchanged since the paper: as a model of today has each, and as the paper has it. @returns {[string, string][]} */
export const partsOf = () => Object.entries({
  mask: [m("later words are hidden"), m("an encoder without a mask")], order: [m("norms before each part"), m("norms after each sum")],
  norm: [m("RMSNorm"), m("LayerNorm")], positions: [m("turned queries and keys"), m("sine waves, added")],
  network: [m("SwiGLU"), m("GELU without a gate")], heads: [m("heads that share keys"), m("keys of their own")],
}).map(([part, exchanged]) => [part, exchanged.join(" → ")]);

/**
 * The next words with a part as the paper had it, and where a part changes how long the vectors are, their lengths.
 * @param {Spoken} spoken @param {Link} link @returns {Promise<Shown[]>}
 */
export async function withPart(spoken, { t, wp }) {
  const sentence = m("The {count} words that were most probable, with a part exchanged and as it is.", { count: WORDS });
  const words = await changedWords(spoken, t, { part: wp }, { names: [m("with the part exchanged"), m("as it is")], sentence, name: "paper-part" });
  const long = LENGTHENS.includes(wp) ? [lengthsOf((await spoken.run(t, null)).lengths, (await spoken.run(t, { part: wp })).lengths)] : [];
  return [...long, { said: sentence, made: words }];
}

/** How long the last token's vector is by layer, on a scale of factors. @param {ArrayLike<number>} now @param {ArrayLike<number>} then @returns {Shown} */
function lengthsOf(now, then) {
  const every = [...Array.from(now), ...Array.from(then)].map(Math.log10), low = Math.floor(Math.min(...every)), high = Math.ceil(Math.max(...every));
  const long = (/** @type {number} */ x) => decimal(x.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })), layers = range(now.length), step = Math.max(1, Math.floor(layers.length / 8));
  const line = (/** @type {string} */ name, /** @type {ArrayLike<number>} */ of, /** @type {string} */ colour) => ({ name, label: `${long(of[of.length - 1])} ${name}`, values: Array.from(of, Math.log10), colour });
  const sentence = m("The length of the last token’s vector by layer: {start} before the first, {now} after the last as it is, {then} with the part exchanged.", { start: long(now[0]), now: long(now[now.length - 1]), then: long(then[then.length - 1]) });
  return { said: sentence, made: linesOf([line(m("as it is"), now, BLUE), line(m("exchanged"), then, VIOLET)], {
    steps: layers.map((i) => (i ? layerName(i - 1) : m("Before layer 1"))), ticks: layers.map((i) => (i % step ? "" : String(i))), axis: m("after layer"), unit: m("length of the vector"),
    bounds: [low, high], guides: range(high - low + 1).map((i) => [low + i, grouped(10 ** (low + i))]), sentence, name: "paper-part-lengths", digits: 3, log: true, height: LENGTHS_HEIGHT,
  }) };
}

/** @param {readonly number[]} some */
const meanOf = (some) => some.reduce((sum, one) => sum + one, 0) / some.length;
/** @param {number} share */
const wholePercent = (share) => `${fixed(PERCENT * share, 0)} %`;

/** The first token against the others, and the next words if it is hidden from them. @param {Spoken} spoken @param {Link} link @returns {Promise<Shown[]>} */
export async function firstToken(spoken, { t }) {
  const { attention, written: own, otherWritten } = await spoken.sink(t), layers = range(attention.length), step = Math.max(1, Math.floor(layers.length / 8));
  const shares = m("The first token’s share of the attention, and of the lengths that the heads write, by layer.");
  const hidden = m("The ten tokens that were likeliest, with the first token hidden and before.");
  return [
    { said: shares, made: linesOf([
      { name: m("of the attention"), label: m("{share} of all attention", { share: wholePercent(meanOf(attention)) }), values: attention, colour: BLUE },
      { name: m("of what heads write"), label: m("{share} of all that is written", { share: wholePercent(meanOf(own) / (meanOf(own) + meanOf(otherWritten))) }), values: own.map((one, i) => one / (one + otherWritten[i])), colour: VIOLET },
    ], {
      steps: layers.map(layerName), ticks: layers.map((i) => ((i + 1) % step ? "" : String(i + 1))), axis: m("layer"), unit: m("share"), bounds: [0, 1],
      guides: [[0, "0"], [0.5, decimal(".5")], [1, m("all 1")]], sentence: shares, name: "sink-shares", digits: 2,
    }) },
    { said: hidden, made: await changedWords(spoken, t, await withoutFirst(spoken, t), { names: [m("first token hidden"), m("before")], sentence: hidden, name: "sink-hidden" }) },
  ];
}

/** What each state of A brings back in B, by token and layer. @param {Spoken} spoken @param {Link} link @returns {Promise<Shown[]>} */
export async function statesOfAnother(spoken, { t, t2, wa, wb }) {
  const { first, a, b, leads } = await spoken.patched(t, t2, [wa, wb]), [ofA, ofB] = [await spoken.trace(t), await spoken.trace(t2)].map((trace) => pieces(trace).map((one) => spelled(one.trim() || one)));
  const back = ofA.map((_, token) => leads.map((row) => (token < first ? 0 : (PERCENT * (row[token - first] - b)) / (a - b)))), most = Math.max(...back.flat().map(Math.abs));
  const sentence = m("How much of the difference comes back when one state of A is put into B: {tokens} tokens, at the input (0) and after each of {layers} layers.", { tokens: ofA.length, layers: leads.length - 1 });
  const title = m("% of the difference that comes back"), scale = { ...signedScale(Float32Array.from(back.flat()), title), ...(most <= 125 ? { bound: PERCENT } : {}), between: m(", after layer "), notes: [] };
  return [{ said: sentence, made: cellsOf(ofA.map((one, i) => (one === ofB[i] ? one : `${one} / ${ofB[i]}`)), leads.map((_, depth) => String(depth)), back, {
    scale, names: [m("token"), m("after layer"), title], sentence, name: "patching",
  }) }];
}

/**
 * A text of random words, said twice: its surprise, with every head and without those that copy best, and what the heads attend to.
 * @param {Spoken} spoken @param {Link} link @param {boolean} [beside] whether it is run without random heads as well, which takes longest
 * @returns {Promise<Shown[]>}
 */
export async function saidTwice(spoken, { il, iz, ia }, beside = false) {
  const length = Number(il), { text, controls } = spoken.twice(length, Number(iz)), count = Number(ia), { bits } = await spoken.score(text), found = await spoken.copying(text, length);
  const [best] = ranked(found.induction), runs = /** @type {ArrayLike<number>[]} */ (count ? [await spoken.withoutCopying(text, length, count)] : []);
  for (const some of count && beside ? controls : []) runs.push(/** @type {number[]} */ ((await spoken.run(text, { ablated: some }, [], true)).bits));
  const [without, ...random] = runs, half = (/** @type {ArrayLike<number>} */ of, /** @type {number} */ which) => bitsOfHalf(of, length, which);
  const seconds = random.map((one) => half(one, 2)), mean = seconds.reduce((sum, one) => sum + one, 0) / seconds.length, one = (/** @type {number} */ x) => decimal(fixed(x, 1));
  const rows = /** @type {[string, number, string][]} */ ([[m("1st half, all heads"), half(bits, 1), ""], [m("2nd half, all heads"), half(bits, 2), ""], ...(count ? [
    [m("2nd, no {count} induction", { count }), half(without, 2), ""],
  ] : []), ...(random.length ? [
    [m("2nd, no {count} random", { count }), mean, m("mean of {count} draws, {low} to {high}", { count: random.length, low: one(Math.min(...seconds)), high: one(Math.max(...seconds)) })],
  ] : [])]);
  const last = (/** @type {ArrayLike<number>} */ of) => Array.from(of).slice(-2 * length), places = range(2 * length), every = Math.max(1, Math.floor(length / 5));
  const said = m("Mean surprise of the halves: ") + rows.map(([name, value]) => m("{label} {bits} bits", { label: name, bits: one(value) })).join("; ");
  const what = m("from a repeated token to the one behind its first occurrence, which comes next"), attends = m("Each head’s mean attention {what}.", { what });
  const some = mn("{count} induction head", "{count} induction heads", count, { count });
  return [
    { said: "", made: linesOf([
      ...(count ? [{ name: m("without {heads}", { heads: some }), label: m("no induction"), values: last(without), colour: VIOLET }] : []),
      { name: m("all heads"), values: last(bits), colour: BLUE },
    ], {
      steps: places.map((i) => (i < length ? m("Token {number}, first time", { number: i + 1 }) : m("Token {number}, second time", { number: i - length + 1 }))),
      ticks: places.map((i) => (i % length % every ? "" : String((i % length) + 1))), axis: m("tokens of the first half, then the same again"), unit: m("bits of surprise"),
      bounds: [0, MOST_BITS], guides: [0, 5, 10, 15, 20].map((at) => [at, grouped(at)]), sentence: said, name: "copying-surprise", digits: 1,
    }) },
    { said: "", made: barsOf(rows.map(([name]) => name), rows.map(([, value]) => value), { unit: m("bits a token"), kind: "amounts", digits: 1, notes: rows.map(([,, note]) => note), sentence: said, name: "copying-halves" }) },
    { said: attends, made: cellsOf(found.induction.map((_, layer) => layerName(layer)), found.induction[0].map((_, head) => String(head + 1)), found.induction, {
      scale: { kind: "weights", root: false, hue: HUE, title: m("induction"), between: m(", head "), notes: [] }, names: [m("layer"), m("head"), m("induction")],
      sentence: attends, name: "copying-induction", marked: best,
    }) },
  ];
}
