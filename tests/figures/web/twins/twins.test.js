// What is written twice, here and in Python, does the same: one table of cases, made by Python (`cases.py`), over every
// function. A module is a twin if its comments name the file of Python that it says again; V8 counts which of its
// functions the table has called, and one that none has fails.
import { test } from "node:test";
import { deepEqual, ok } from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { globSync, readFileSync } from "node:fs";
import { tracing } from "./traces.js";

const MOST_LINES = 3980; // of code, in all twins; docs/parts.md says so
const SAMPLE = 41; // as in cases.py
const SOURCE = new URL("../../../../core/figures/web/src/", import.meta.url);
const { tokenizer, traces, cases } = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8"));
// Before any of them is loaded.
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const load = (/** @type {string} */ module) => import(new URL(module, SOURCE).href);
const { Trace } = await load("engine/trace.js");
const axes = await load("derive/axis.js");
const { unpack } = await load("runtime/shared.js");
const { packed } = await load("derive/packed.js");
const made = new Map();
const { pages: FIELDS } = (await import(new URL("links/fields.json", SOURCE).href, { with: { type: "json" } })).default;
/** @param {string} text */
const trace = (text) => made.get(text) ?? made.set(text, tracing(Trace, traces)(text)).get(text);
const contexts = new axes.Contexts(async (/** @type {string} */ text) => trace(text));
const axisOf = (/** @type {[string, string[], string[], boolean?]} */ [word, low, high, causal = false]) =>
  axes.senseAxis(word, low, high, contexts, { model: "minilm", cased: causal, causal });

/** What of an axis the table has. */
const summary = ({ midpoints, halves, unknown, distances, low, high }) => ({
  midpoints, halves, unknown, distances,
  ends: [low, high].map((end) => ({ words: end.words, sentences: end.sentences, near: end.near, contexts: end.contexts.map(({ text, start, end: stop }) => [text, start, stop]) })),
});
/** A picture as it is sent. */
const picture = (own, but = []) => {
  const { header, values } = unpack(packed(own)), gone = new Set(but);
  const kind = values instanceof Uint8Array ? "levels" : "numbers";
  return {
    module: own.module, header: Object.fromEntries(Object.entries(header).filter(([name]) => !gone.has(name))),
    length: values.length, sum: values.reduce((sum, x) => sum + x, 0), [kind]: values.filter((_, i) => i % SAMPLE === 0),
  };
};
const bare = (one) => one && (({ word, number, start, end }) => ({ word, number, start, end }))(one);
const sharedOf = (choice, a, b) => choice.sharedWords(trace(a), trace(b));
/** The patterns of other texts are those of a real model; the table's model has none. */
const withoutTypical = (own) => {
  const { header } = own;
  for (const patterns of [header.patterns, header.about]) if (patterns) patterns.typical = patterns.typical.map((row) => row.map(() => 0));
  return own;
};

/** Numbers of the table, "nan" among them, as a model has them. */
const asNumbers = (some) => Float32Array.from(some, Number);
let pairs = null; // the tokenizer of the table
/** A page as it opens, and what of a state is not so. */
const opened = (page) => Object.fromEntries(FIELDS[page].map(({ url, start }) => [url, start]));
const changed = (page, state) => Object.fromEntries(Object.entries(state).filter(([url, value]) => value !== opened(page)[url]));

/** How a function is called where its arguments in the table stand for more: a trace for its text, an axis for its ends. */
const CALLS = {
  "derive/hidden.js Hidden": (Hidden, sums, name, ...args) => new Hidden(sums)[name](...args),
  "derive/sampling.js idAt": async (f, logits, place) => f(asNumbers(logits), (await load("derive/sampling.js")).descending(asNumbers(logits)), place),
  "derive/verdict.js needed": (f, model, judged) => f(model, judged, judged),
  "derive/expecting.js headline": (f, top, ends, ended) => f(top, new Set(ends), ended),
  "derive/nextword.js nextWord": (f, logits, ...rest) => picture(f(asNumbers(logits), ...rest)),
  "derive/nextword.js shadedText": (f, pieces, values, more) => picture(f(pieces, asNumbers(values), more)),
  "derive/nextword.js branches": (f, ...args) => picture(f(...args)),
  "derive/scales.js signedScale": (f, values, title) => f(asNumbers(values), title),
  "engine/bytepairs.js BytePairs": (BytePairs, name, ...args) => {
    pairs ??= new BytePairs(new Map(Object.entries(tokenizer)), 60);
    return name === "continued" ? pairs.continued(pairs.encode(args[0]), args[1]) : pairs[name](...args);
  },
  "engine/finding.js fitsOf": (f, word, cased, others) => others.map(f(word, cased)),
  "engine/particles.js stems": (f, word) => [...f(word)].sort(),
  "links/formats.js canonical": (f, format, texts) => texts.map((text) => f(format, text)),
  "static/link.js read": async (f, page, search) => changed(page, await f(FIELDS[page], search)),
  "static/link.js write": async (f, page, choices) => {
    const own = Object.entries(choices).filter(([url]) => url in opened(page));
    const { query, fits } = await f(FIELDS[page], { ...opened(page), ...Object.fromEntries(own) });
    if (!new URLSearchParams(query).has("z")) return { query, fits };
    const { read } = await load("static/link.js"); // deflated by another library
    return { packed: changed(page, await read(FIELDS[page], `?${query}`)), fits };
  },
  "derive/inflections.js sameAs": (f, word, other, cased) => f(word, cased)(other),
  "static/layerlink.js overviewFields": (f, told, state) => ({ ...state, ...f(told, state) }),
  "derive/axis.js senseAxis": async (_, spec) => {
    try {
      return summary(await axisOf(spec));
    } catch (error) {
      if (!(error instanceof axes.Refused)) throw error;
      return { refused: error.message };
    }
  },
  "derive/axis.js fit": async (_, spec, text, tokens, layer) => (await axisOf(spec)).fit(trace(text), tokens, layer),
  "derive/axis.js coordinates": async (_, spec, text, tokens) => (await axisOf(spec)).coordinates(trace(text), tokens),
  "derive/axis.js senseMap": async (f, spec, some) => f(await axisOf(spec), some.map(([text, tokens]) => axes.vectorsAt(trace(text), tokens))),
  "derive/choice.js occurrences": (f, text, typed) => f(trace(text), typed).map(bare).map((one) => ({ ...one, tokens: null })),
  "derive/choice.js settle": async (f, a, b, words, numbers) => {
    const choice = await load("derive/choice.js"), typed = [words[0], words[1] || words[0]];
    const shared = () => sharedOf(choice, a, b).map((one) => [one.a.word, one.b.word]);
    return f([a, b].map((text) => choice.occurrences(trace(text), typed)), words, numbers, shared).map(bare);
  },
  "derive/choice.js sharedWords": (f, a, b) => f(trace(a), trace(b)).map((one) => [one.a.word, one.b.word, one.known, one.difference]),
  "derive/choice.js proposedEnds": async (f, a, b) => sharedOf(await load("derive/choice.js"), a, b)
    .map((one) => f(trace(a), trace(b), one.a, one.b)).map((ends) => ends && [ends.a, ends.b]),
  "derive/patterns.js patternScores": (f, text) => f(trace(text), (layer, head) => trace(text).matrix(layer, head)),
  "derive/patterns.js notes": async (f, text) => {
    const { patternScores } = await load("derive/patterns.js");
    return f(patternScores(trace(text), (layer, head) => trace(text).matrix(layer, head)));
  },
  "derive/overview.js overviewOf": (f, text, chosen) => withoutTypical(picture(f(trace(text), chosen))),
  "derive/layer.js layerOf": (f, text, layer, chosen) => withoutTypical(picture(f(trace(text), layer, chosen))),
  "derive/layer.js meanOf": (f, text, chosen) => picture(f(trace(text), chosen)),
  "derive/trajectory.js trajectoryOf": async (f, spec, sides, names, depth, why, unclear) => {
    const axis = await axisOf(spec), both = sides.map(([text, chosen], i) => ({ name: "AB"[i], trace: trace(text), chosen }));
    const at = both.map((one) => axis.coordinates(one.trace, one.chosen.tokens));
    const alone = both.map(({ trace: { text }, chosen: { start, end } }) => {
      const word = trace([...text].slice(start, end).join(""));
      return [word, word.special.flatMap((one, i) => (one ? [] : [i]))];
    });
    return picture(f([axis, axis], both, at, { ends: ["river", "money"], names, alone, depth, why, unclear }), ["id"]);
  },
  "derive/trajectory.js cosinesOf": async (f, a, b, alone, word) => {
    const { findAll } = await load("engine/finding.js");
    const found = (text) => findAll({ ...trace(text), length: [...text].length }, word, false)[0];
    const side = (text) => ({ trace: trace(text), chosen: found(text) }), own = [trace(alone), found(alone).tokens];
    return picture(f([side(a), side(b)], own, own));
  },
};
// The first argument of these is a text, which stands for its trace.
for (const name of ["axis.js vectorsAt", "tokennames.js namesOf", "choice.js unknownWord", "choice.js allUnknown", "choice.js tokensIn", "foreign.js looksForeign", "foreign.js smallWords", "trajectory.js partsOf"]) {
  CALLS[`derive/${name}`] = (f, text, ...rest) => f(trace(text), ...rest);
}

for (const name of ["sampling.js choose", "sampling.js descending", "surprise.js surprise", "surprise.js likeliest"]) {
  CALLS[`derive/${name}`] = (f, logits, ...rest) => f(asNumbers(logits), ...rest);
}
/** A matrix of the table with its numbers as a model has them. */
const matrixOf = (one) => ({ ...one, values: Float32Array.from(one.values), ...(one.unmasked && { unmasked: Float32Array.from(one.unmasked) }) });
const stepsOf = (steps) => steps.map((one) => ({ ...one, operands: one.operands.map(matrixOf), result: matrixOf(one.result) }));
Object.assign(CALLS, {
  "forward/made.js forward": (f, steps, ...rest) => picture(f(stepsOf(steps), ...rest)),
  "forward/made.js flow": (f, steps) => f(stepsOf(steps)),
  "forward/made.js boundOf": (f, one) => f(matrixOf(one)),
  "forward/told.js notesOf": (f, text, words) => f({ encoded: trace(text), words }),
});
Object.assign(CALLS, {
  // The signs of components are arbitrary, at the first depth that has any; distances are not.
  "derive/senses.js maps": (f, depths) => {
    const { coordinates, shares } = f(depths);
    return {
      apart: coordinates.map((points) => points.map((point) => Math.hypot(point[0] - points[0][0], point[1] - points[0][1]))), shares,
      turned: coordinates.map((points) => points.reduce((sum, point, i) => sum + point[0] * coordinates[1][i][0] + point[1] * coordinates[1][i][1], 0)),
    };
  },
  "derive/senses.js cloudOf": (f, ...args) => picture(f(...args)),
  "derive/senses.js accuracyLines": async (f, depths, labels) => picture(f((await load("derive/senses.js")).labelAccuracy(depths, labels))),
});
for (const name of ["lens.js lensGrid", "lens.js ranksOf", "why.js whyText", "why.js whyWords", "why.js whyParts"]) CALLS[`derive/${name}`] = (f, ...args) => picture(f(...args));
for (const name of ["expected", "surprised"]) {
  CALLS[`derive/expecting.js ${name}`] = (f, score, ...rest) => f({ ...score, bits: asNumbers(score.bits) }, ...rest);
}

/** What no case calls by its name, and why. */
const NOT_HERE = {
  "engine/gguf/header.js": "files of bytes: header.test.js, tests/web/test_gguf.py",
  "engine/gguf/unpack.js": "the same",
  "engine/speaker.js": "it needs a model: tests/web/test_speaker.py",
  "engine/lens.js": "the same: tests/web/test_language.py",
  "engine/why.js": "the same",
  "engine/changed.js": "the same",
  "engine/sink.js": "the same",
  "engine/sources.js": "the same",
  "engine/steps/record.js": "the same", "engine/steps/decoder.js": "the same", "engine/steps/encoder.js": "the same: tests/browser/engine/test_engine.py",
  "engine/spelled.js": "spelled.test.js, tests/web/test_speaker.py",
  "engine/steps/sentence.js": "the same: tests/web/test_language.py",
  "forward/told.js told": "the same",
  "derive/senses.js occurrencesIn": "it needs a model: tests/browser/static/test_senses.py",
  "derive/senses.js nearestTo": "the same",
  "derive/adds.js": "it needs contributions: test_left_to_right.py",
  "derive/trajectory.js spansOf": "partsOf",
  "derive/compare.js": "it puts the others together: test_payloads.py asks it and the app about the same sentences",
  "engine/wordpiece.js": "its tables are asked of the tokenizer: tests/web/test_wordpiece.py",
  "engine/trace.js": "the arithmetic of a trace: trace.test.js, and every picture here",
  "static/numbers.js positionsTable": "which columns a header has: numbers.test.js",
  "static/numbers.js linesTable": "the same",
  "static/numbers.js numbersOf": "it draws a table",
  "derive/attention.js": "every picture of heads",
  "derive/patterns.js patternsHeader": "overviewOf",
  "derive/patterns.js about": "layerOf",
  "derive/patterns.js typicalOf": "overviewOf and layerOf",
  "derive/states.js complete": "completeLayer and completeOverview",
  "engine/finding.js stems": "particles.js",
  "engine/finding.js withParticles": "particles.js",
  "derive/overview.js bits": "a row of which nothing is left, which no trace of the table has",
  "derive/packed.js": "the bytes of a message: device.test.js, and every picture here",
};

/** A result as the table has it. */
function plain(value) {
  if (typeof value === "number") return Number.isFinite(value) ? value : { NaN: "nan", Infinity: "inf", "-Infinity": "-inf" }[String(value)];
  if (value instanceof Set) return [...value].sort();
  if (ArrayBuffer.isView(value)) return Array.from(value, plain);
  if (Array.isArray(value)) return value.map(plain);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  return value === undefined ? null : value;
}

// A number that is rounded may be one unit off where processors differ: levels of a colour, four decimals.
const toleranceAt = (path) => (/\.levels\./.test(path) ? 1 : /\.(similar|strongest|scores)\./.test(path) ? 1.5e-4 : 2e-5);

/** Whether two results are equal, numbers to the rounding of 32-bit floats; otherwise where they differ. */
function difference(own, wanted, path = "") {
  if (typeof own === "number" && typeof wanted === "number") return Math.abs(own - wanted) <= toleranceAt(path) * Math.max(1, Math.abs(wanted)) ? "" : `${path}: ${own} is not ${wanted}`;
  if (own === null || wanted === null || typeof own !== "object" || typeof wanted !== "object") return own === wanted ? "" : `${path}: ${JSON.stringify(own)} is not ${JSON.stringify(wanted)}`;
  const [some, others] = [own, wanted].map((one) => Object.keys(one).sort());
  if (String(some) !== String(others)) return `${path}: ${JSON.stringify(own).slice(0, 300)} is not ${JSON.stringify(wanted).slice(0, 300)}`;
  for (const name of others) {
    const found = difference(own[name], wanted[name], `${path}.${name}`);
    if (found) return found;
  }
  return "";
}

for (const [module, functions] of Object.entries(cases)) {
  for (const [name, some] of Object.entries(functions)) {
    test(`${module} ${name}: ${some.length} cases of Python`, async () => {
      const own = (await load(module))[name], call = CALLS[`${module} ${name}`] ?? ((f, ...args) => f(...args));
      const wrong = [];
      for (const [args, wanted] of some) {
        const found = difference(plain(await call(own, ...structuredClone(args))), wanted);
        if (found) wrong.push(`${JSON.stringify(args).slice(0, 200)} ${found}`);
      }
      deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${some.length}`);
    });
  }
}

const read = (/** @type {string} */ file) => readFileSync(new URL(file, SOURCE), "utf8");
const named = globSync("**/*.js", { cwd: SOURCE }).map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /^(engine|derive|links)\/|^static\/(link|layerlink|numbers)\.js$|^device\/link\.js$|^forward\/(made|told)\.js$/.test(file))
  .filter((file) => /`(core|ui|pages)\/[\w/]+\.py`/.test(read(file)) || file.startsWith("derive/"));

test("no more lines must be changed in two languages than before", () => {
  const lines = named.flatMap((file) => read(file).replace(/\/\*[^]*?\*\//g, "").split("\n"))
    .filter((line) => line.trim() && !/^\s*(\/\/|import )/.test(line)).length;
  ok(lines > 1000 && lines <= MOST_LINES, `${lines} lines of code: declare or generate what you can (docs/parts.md)`);
});

test("every function of a twin has a case", async () => {
  ok(named.length > 20);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const counts = new Map(result.map(({ url, functions }) => [url, functions]));
  const without = [];
  for (const file of named) {
    for (const [name, own] of Object.entries(await load(file))) {
      const isOne = typeof own === "function" && !/^class\b/.test(String(own));
      if (isOne && !(name in (cases[file] ?? {})) && !(file in NOT_HERE) && !(`${file} ${name}` in NOT_HERE)) without.push(`${file} ${name}`);
    }
  }
  deepEqual(without, [], "exported without cases of their own");
  const left = named.filter((file) => !(file in NOT_HERE)).flatMap((file) => {
    const functions = counts.get(new URL(file, SOURCE).href);
    if (!functions) return [file];
    return functions.filter(({ functionName, ranges: [{ count }] }) => functionName && !count).map(({ functionName }) => `${file} ${functionName}`);
  }).filter((name) => !(name in NOT_HERE));
  deepEqual(left, []);
});
