// What a model wrote and its curves, as pictures: `pages/training/own_text/pictures.py`.
/** @import { LinesHeader, ShadedHeader } from "../headers" */
/** @import { Made } from "../derive/packed.js" */
/** @import { Copied } from "./copies.js" */
/** @import { Pause } from "./training.js" */
import STYLE from "../derive/constants.json" with { type: "json" };
import { floats } from "../derive/packed.js";
import { shadedText } from "../derive/nextword.js";
import { sentence } from "../derive/sentences.js";
import { decimal, m } from "../runtime/language.js";
import { fixed, grouped } from "../runtime/shared.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { LEAST, readable, sentenceAround } from "./copies.js";

const { high: HIGH, apart: APART, kinds: KINDS } = CONSTANTS;

/**
 * What a model wrote, with the copies from its text and the prompt on backgrounds of their own.
 * @param {string} written behind the prompt @param {readonly Copied[]} copies @param {string} text what it learned from
 * @param {{ name: string, prompt?: string }} more `name`: of the saved file
 * @returns {Made<ShadedHeader>}
 */
export function writing(written, copies, text, { name, prompt = "" }) {
  /** @type {[piece: string, kind: number, note: string][]} */
  const pieces = prompt ? [[prompt, 2, m("your words")]] : [];
  const put = (/** @type {string} */ part, /** @type {number} */ kind, /** @type {string} */ note) => {
    for (const piece of words(readable(part, text))) pieces.push([piece, kind, note]);
  };
  let place = 0;
  for (const { start, end, source } of copies) {
    put(written.slice(place, start), 0, "");
    put(written.slice(start, end), 1, m("from: {text}", { text: sentenceAround(text, source, source + end - start) }));
    place = end;
  }
  put(written.slice(place), 0, "");
  const last = pieces.at(-1);
  if (last && /[^\s.!?]$/.test(written)) last[0] += " …"; // after so many tokens, often within a word
  if (!pieces.length) pieces.push([m("(nothing)"), 0, ""]);
  const there = [0, 1, 2].filter((kind) => pieces.some(([, own]) => own === kind));
  const made = shadedText(pieces.map(([piece]) => piece), Float32Array.from(pieces, ([, kind]) => there.indexOf(kind)), {
    unit: m("where from"), most: there.length - 1, notes: pieces.map(([, , note]) => note), firstWritten: prompt ? 1 : null, sentence: m("A model wrote: {text}", { text: readable(written, text) }), name,
  });
  const names = [text ? m("no copy of {count} letters or more", { count: LEAST }) : m("what it wrote"), m("copied: {count} letters or more in a row", { count: LEAST }), m("your words")];
  const of = (/** @type {readonly any[]} */ all) => there.map((kind) => all[kind]);
  /** @type {ShadedHeader["scale"]} */
  const scale = { kind: "kinds", names: of(names), light: of(KINDS.light), dark: of(KINDS.dark), framed: [], frame: "", title: "", notes: [] };
  return { ...made, header: { ...made.header, scale } };
}

const two = (/** @type {number} */ bits) => decimal(fixed(bits, 2));

/** A text in pieces that begin with a space or behind the end of a line. @param {string} text */
const words = (text) => text.split(/(?= )|(?<=\n)/).filter(Boolean);

/**
 * Bits a letter at each pause, on the text and on its held-out end, and the 5-gram's.
 * @param {readonly Pause[]} pauses so far @param {readonly number[]} planned the steps of all @param {number} gram @param {number} shown which pause
 * @returns {Made<LinesHeader>}
 */
export function curves(pauses, planned, gram, shown) {
  const last = pauses[pauses.length - 1], steps = [...new Set([...planned, last.step])].sort((a, b) => a - b), here = pauses[shown].step;
  const at = (/** @type {number} */ step) => pauses.find((one) => one.step === step);
  /** @type {[string, "held" | "bits", string, string][]} */
  const rows = [[m("held-out end"), "held", STYLE.style.b, m("held out")], [m("what it reads"), "bits", STYLE.style.a, m("read")]];
  /** @type {Float32Array[]} */
  const values = [];
  const lines = rows.flatMap(([name, which, colour, label]) => {
    values.push(Float32Array.from(steps, (step) => at(step)?.[which] ?? NaN), Float32Array.from(steps, (step) => (step === here ? pauses[shown][which] : NaN)));
    return [{ name, label, colour, mark: /** @type {const} */ ("none") }, { name: m("shown here"), label: "", colour, mark: /** @type {const} */ ("circle") }];
  });
  const top = Math.max(gram, ...pauses.flatMap(({ bits, held }) => [bits, held])), ticks = steps.map(grouped);
  const low = Math.min(0, gram), drawn = Math.max(top, ...values.flatMap((row) => [...row].filter(Number.isFinite)));
  /** @type {LinesHeader["guides"]} */
  const guides = [...(gram > APART * top ? [/** @type {[number, string]} */ ([0, "0"])] : []), [gram, m("5-gram {bits}", { bits: two(gram) })]];
  /** @type {LinesHeader} */
  const header = {
    lines, steps: ticks.map((step) => m("step {step}", { step })), ticks, axis: m("steps"), guides, bounds: [low, drawn], start: null, startColour: STYLE.style.learned,
    band: null, number: { digits: 2, plus: false }, log: false, unit: m("bits a letter"), height: HIGH, dtype: "float32",
    sentence: sentence("own-text.curves", { bits: two(last.bits), held: two(last.held), gram: two(gram) }), file: "polysee-own-text-curves",
  };
  return { module: "lines", header, payload: floats(values) };
}
