// The key of a lesson's question, computed in the tab: the language of `core.lessons.expressions`, over traces. An
// operation that needs more than a trace has is not here: a step that uses one has the answer that was stored.
/** @import { Trace } from "../engine/trace.js" */
/** @import { Comparer } from "../derive/compare.js" */
import { decimal } from "../runtime/language.js";
import { sinusoid } from "../engine/sinusoid.js";
import { cosine, inner, lengthOf, mean, range } from "../derive/numbers.js";
import { patternScores } from "../derive/patterns.js";
import { percent } from "../derive/sentences.js";
import FIELDS from "../links/fields.json" with { type: "json" };
import { NoAnswer, fromZero, strongest, sum, there, tokensOf } from "./given.js";
import { LEARNED } from "./learned.js";
import { OPERATIONS as SPOKEN } from "./spoken.js";

export { NoAnswer, sinusoid };

/** @typedef {any} Value a number, a string, true, false, or a list of values */
/** @typedef {number | string | boolean | Readonly<Record<string, any>>} Tree */
/** @typedef {Record<string, Value>} Names */
/**
 * @typedef {object} Records
 * @property {(text: string) => Promise<Trace>} traceOf
 * @property {Comparer} comparer
 * @property {number} vocabulary how many rows the table of learned vectors has
 * @property {import("./spoken.js").Spoken | null} spoken what a model gives that predicts the next token; null for another one
 * @property {((after: number) => Promise<import("../copying/learning.js").Look>) | null} learned what a model that learns in this tab is after so many steps; null for another one
 */

/** @param {number[]} of */
function filledList(of) {
  if (!of.length) throw new NoAnswer("This list has no entries.");
  return of;
}
/** @param {number[]} of */
const argmax = (of) => filledList(of).indexOf(Math.max(...of)) + 1;
/** @param {number[]} of */
export function softmax(of) {
  const most = Math.max(...filledList(of)), raised = of.map((one) => Math.exp(one - most)), all = sum(raised);
  return raised.map((one) => one / all);
}
/** @param {Trace} trace */
export const sentenceOf = (trace) => mean(range(trace.n).map((token) => trace.hiddenOf(trace.layers, token)));
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const distance = (a, b) => Math.hypot(...Array.from(a, (x, i) => x - b[i]));
const same = (/** @type {Value} */ a, /** @type {Value} */ b) => JSON.stringify(a) === JSON.stringify(b);

/** @param {Trace} trace @param {"q" | "k"} what @param {any} given */
function ofHead(trace, what, { word, layer, head }) {
  const at = (fromZero(trace.layers, layer) * trace.heads + fromZero(trace.heads, head)) * trace.n, d = trace.headSize;
  return mean(tokensOf(trace, word).map((token) => trace[what].subarray((at + token) * d, (at + token + 1) * d)));
}
/** The mean over the tokens of a word of what each has for every token. @param {Trace} trace @param {any} given @param {(layer: number, head: number, query: number) => ArrayLike<number>} rowOf */
const rowsOf = (trace, given, rowOf) => mean(tokensOf(trace, given.from).map((query) =>
  rowOf(fromZero(trace.layers, given.layer), fromZero(trace.heads, given.head), query)));
/** @param {Trace} trace @param {any} given */
export const scoresOf = (trace, given) => rowsOf(trace, given, (layer, head, query) => range(trace.n).map((key) => trace.score(layer, head, query, key)));
/** @param {Trace} trace @param {any} given */
export const weightsOf = (trace, given) => rowsOf(trace, given, (layer, head, query) => trace.row(layer, head, query));
/** @param {Trace} trace @param {any} given */
const weightTo = (trace, given) => {
  const row = weightsOf(trace, given);
  return sum(tokensOf(trace, given.to).map((key) => row[key]));
};
/** @param {Trace} trace @param {any} word */
export function unweighted(trace, word) {
  const own = mean(tokensOf(trace, word).map((token) => trace.hiddenOf(0, token)));
  return softmax(range(trace.n).map((token) => inner(trace.hiddenOf(0, token), own) / Math.sqrt(trace.size)));
}
/** @param {Trace} trace */
const patternsOf = (trace) => patternScores(trace, (layer, head) => trace.matrix(layer, head)).values;
const KINDS = FIELDS.pages.heads.find(({ url }) => url === FIELDS.overview.pattern)?.format.words?.slice(1) ?? []; // the first is for none
/** @param {string} kind */
const pattern = (kind) => there(range(KINDS.length).find((i) => KINDS[i] === kind));

/** One word of the app's between its two ends. @param {Records} records @param {any} given */
async function compared({ comparer, spoken }, { word, text, other = text }) {
  if (spoken) throw new NoAnswer("Its words are compared on the page Compare.");
  const one = String(word).split(":")[0];
  const found = await comparer.compare({ a: text, b: other, w: one, o: Number(String(word).split(":")[1] ?? 1), w2: "", o2: 1, lo: "", hi: "", d: 0 });
  if (found.word !== one || found.picture?.module !== "trajectory") throw new NoAnswer("This text has no such word.");
  return { judged: found.judged, header: /** @type {import("../headers").TrajectoryHeader} */ (found.picture.header) };
}
/** @param {Records} records @param {any} given */
async function onAxis(records, given) {
  const { header } = await compared(records, given), { position } = header.sides[0];
  return { at: there(position[given.layer === undefined ? position.length - 1 : fromZero(position.length, given.layer)]), ends: header.ends };
}

/** What each operation gives; `_` stands for arguments of any number. @type {Record<string, (given: any, records: Records) => Value | Promise<Value>>} */
const OPERATIONS = {
  ...SPOKEN, ...LEARNED,
  number: ({ digits }) => (/^[-−]?\d{1,9}(\.\d{1,9})?$/.test(digits) ? Number(digits.replace("−", "-")) : there(null)),
  "+": (given) => sum(Object.values(given)), "-": ({ x, less }) => x - less, "*": (given) => Object.values(given).reduce((all, one) => all * one, 1),
  "/": ({ x, by }) => (by ? x / by : there(null)), exp: ({ x }) => Math.exp(x), sqrt: ({ x }) => Math.sqrt(x), abs: ({ x }) => Math.abs(x),
  "=": ({ a, b }) => same(a, b), "!=": ({ a, b }) => !same(a, b), not: ({ condition }) => !condition,
  "<": ({ x, other }) => x < other, "<=": ({ x, other }) => x <= other, ">": ({ x, other }) => x > other, ">=": ({ x, other }) => x >= other,
  and: (given) => Object.values(given).every(Boolean), or: (given) => Object.values(given).some(Boolean),
  list: (given) => Object.values(given), item: ({ of, at }) => there(of[at - 1]), count: ({ of }) => of.length,
  contains: ({ of, string }) => of.includes(string), join: ({ of, with: by = ", " }) => of.join(by), sum: ({ of }) => sum(of),
  mean: ({ of }) => sum(filledList(of)) / of.length, max: ({ of }) => Math.max(...filledList(of)), min: ({ of }) => Math.min(...filledList(of)),
  argmax: ({ of }) => argmax(of), argmin: ({ of }) => argmax(of.map((/** @type {number} */ one) => -one)),
  "count above": ({ of, least }) => of.filter((/** @type {number} */ one) => one > least).length,
  scale: ({ of, by }) => of.map((/** @type {number} */ one) => one * by), products: ({ a, b }) => a.map((/** @type {number} */ one, /** @type {number} */ i) => one * b[i]),
  dot: ({ a, b }) => inner(a, b), cosine: ({ a, b }) => cosine(a, b), distance: ({ a, b }) => distance(a, b), length: ({ of }) => lengthOf(of),
  softmax: ({ of }) => softmax(of), entropy: ({ of }) => -sum(of.filter((/** @type {number} */ p) => p > 0).map((/** @type {number} */ p) => p * Math.log(p))),
  sinusoid: ({ place, width, base }) => sinusoid(place, width, base),
  tokens: (given) => given.trace.tokens, ids: ({ trace }) => Array.from(trace.ids), position: ({ trace, word }) => tokensOf(trace, word)[0] + 1,
  pieces: ({ trace, word }) => tokensOf(trace, word).map((token) => trace.tokens[token]), vocabulary: (_, { vocabulary }) => vocabulary,
  learned: ({ trace, word }) => mean(tokensOf(trace, word).map((token) => trace.learnedOf(token))),
  vector: ({ trace, word, layer = trace.layers }) => {
    const at = fromZero(trace.layers + 1, layer + 1);
    return mean(tokensOf(trace, word).map((token) => trace.hiddenOf(at, token)));
  },
  sentence: ({ trace }) => sentenceOf(trace),
  query: (given) => ofHead(given.trace, "q", given), key: (given) => ofHead(given.trace, "k", given),
  scores: (given) => scoresOf(given.trace, given), weights: (given) => weightsOf(given.trace, given), weight: (given) => weightTo(given.trace, given),
  unweighted: ({ trace, word }) => unweighted(trace, word),
  "strongest head": (given) => {
    const { trace, layer: only } = given;
    return strongest(range(trace.layers).map((layer) => range(trace.heads).map((head) => weightTo(trace, { ...given, layer: layer + 1, head: head + 1 }))), only);
  },
  pattern: ({ trace, kind, layer, head }) => patternsOf(trace)[fromZero(trace.layers, layer)][fromZero(trace.heads, head)][pattern(kind)],
  "strongest pattern": ({ trace, kind, layer }) => strongest(patternsOf(trace).map((heads) => heads.map((scores) => scores[pattern(kind)])), layer),
  "on axis": async (given, records) => (await onAxis(records, given)).at,
  side: async (given, records) => {
    const { at, ends } = await onAxis(records, given);
    return at > 0 ? ends.high : ends.low;
  },
  verdict: async ({ word, a, b }, records) => {
    const { judged } = await compared(records, { word, text: a, other: b });
    return /** @type {{ answer?: string | null }} */ (judged).answer ?? "no verdict";
  },
};
const OF_PAIR = ["second", "after"]; // arguments that name what a trace of one text does not have
const ALONE = new Set(["on axis", "side", "verdict", ...Object.keys(SPOKEN)]); // they read their texts themselves

/** Whether all that a key asks for can be computed in a tab. @param {Tree} tree @param {boolean} [learns] whether it is about a model that learns there @returns {boolean} */
export function canCompute(tree, learns = false) {
  if (typeof tree !== "object") return true;
  const [[name, given]] = Object.entries(tree);
  if (name === "value") return true;
  if (Object.hasOwn(LEARNED, name)) return learns;
  return (name === "if" || Object.hasOwn(OPERATIONS, name)) && Object.entries(given).every(([key, one]) => !OF_PAIR.includes(key) && canCompute(one, learns));
}

/** The texts of a lesson in a string. @param {string} template @param {Names} names */
export const withTexts = (template, names) => template.replace(/\{([a-z][a-z0-9_]*)\}/g, (all, name) => (name in names ? String(names[name]) : all));

/**
 * The value of a key.
 * @param {Tree} tree @param {Records} records @param {Names} names the lesson's texts, and the values before
 * @returns {Promise<Value>}
 */
export async function evaluate(tree, records, names) {
  if (typeof tree === "string") return withTexts(tree, names);
  if (typeof tree !== "object") return tree;
  const [[name, given]] = Object.entries(tree);
  if (name === "value") return there(names[given.name]);
  if (name === "if") return evaluate((await evaluate(given.condition, records, names)) ? given.then : given.else, records, names);
  /** @type {Record<string, Value>} */
  const values = {};
  for (const [key, one] of Object.entries(given)) values[key] = await evaluate(one, records, names);
  if (typeof values.text === "string" && !ALONE.has(name)) values.trace = await records.traceOf(values.text);
  const found = await OPERATIONS[name](values, records);
  if (typeof found === "number" && !Number.isFinite(found)) throw new NoAnswer("This is no finite number.");
  return ArrayBuffer.isView(found) ? Array.from(/** @type {Float32Array} */ (found)) : found;
}

/** @param {number} value @param {number} decimals */
const fixed = (value, decimals) => {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
};

/** A value as `written`; a number as the language of the page writes it, as a percentage is already. @param {Value} value @param {string} [style] @returns {string} */
function shown(value, style = "") {
  const text = written(value, style);
  return typeof value === "number" && style !== "%" && /^[^a-z]*$/.test(text) ? decimal(text) : text;
}

/** A number as every page writes it: a whole one in groups of three digits. @param {number} value */
export const counted = (value) => shown(value, Number.isInteger(value) ? ":," : "");

/** A whole number in groups of three digits. @param {string} digits perhaps with a sign before it */
function grouped(digits) {
  const sign = /^\d/.test(digits) ? "" : digits[0], rest = digits.slice(sign.length), first = rest.length % 3;
  const groups = first ? [rest.slice(0, first)] : [];
  for (let i = first; i < rest.length; i += 3) groups.push(rest.slice(i, i + 3));
  return sign + groups.join(",");
}

const LITTLE = 0.005; // a share below it, or so near to 1, has a decimal in a percentage

/** A value as a sentence has it: two decimals, none for a whole number. @param {Value} value @param {string} [style] "%", ":3" or ":," @returns {string} */
export function written(value, style = "") {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((one) => written(one)).join(", ");
  if (typeof value !== "number") return String(value);
  if (style === "%" && ((value > 0 && value < LITTLE) || (value > 1 - LITTLE && value < 1))) return percent(value);
  if (style === "%") return `${fixed(100 * value, 0)} %`;
  if (style === ":,") return grouped(fixed(value, 0));
  return fixed(value, style ? Number(style.slice(1)) : Number.isInteger(value) ? 0 : 2);
}

/**
 * The key and the reveal of a step, on these texts.
 * @param {{ values: [string, Tree][], key: Tree, reveal: string }} step
 * @param {Records} records
 * @param {Names} texts
 * @param {(text: string) => string} encode makes what a visitor typed plain text
 * @returns {Promise<{ key: string, value: Value, reveal: string }>}
 */
export async function answerOf({ values, key, reveal }, records, texts, encode) {
  /** @type {Names} */
  const names = { ...texts };
  for (const [name, tree] of values) names[name] = await evaluate(tree, records, names);
  const value = names.key = await evaluate(key, records, names);
  const filled = reveal.replace(/\{([a-z][a-z0-9_]*)(%|:[0-9,])?\}/g, (all, name, style) => (name in names ? encode(shown(names[name], style)) : all));
  return { key: shown(value), value, reveal: filled };
}
