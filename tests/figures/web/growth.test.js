// No text takes our JavaScript time in proportion to its square: each regular expression of the tree, found by its
// syntax, and each function that reads what a visitor typed. A ratio is measured, which a busy machine does not decide.
import { test } from "node:test";
import { deepEqual, ok } from "node:assert/strict";
import "./support.js";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { linked } from "../../../core/figures/web/src/device/link.js";
import { asText } from "../../../core/figures/web/src/device/plaintext.js";
import { contextKey, runsLeft as lineRunsLeft } from "../../../core/figures/web/src/concordance/lines.js";
import { findAll, fitsOf, hasStar, isPhrase, occurrenceSpans } from "../../../core/figures/web/src/engine/finding.js";
import { stems, withParticles } from "../../../core/figures/web/src/engine/particles.js";
import { normalized } from "../../../core/figures/web/src/engine/normal.js";
import { WordPiece } from "../../../core/figures/web/src/engine/wordpiece.js";
import { isElided, isUnspaced, keyOf, looseOf, occurrences, split, trimmed, wellFormed, wordIds } from "../../../core/figures/web/src/engine/words.js";
import { isForm, occurrences as chosenFrom, settle } from "../../../core/figures/web/src/derive/choice.js";
import { between, contextsShown, endOf, namesShown, typedEnd, unnamed } from "../../../core/figures/web/src/derive/ends.js";
import { isContent, looksForeign, smallWords } from "../../../core/figures/web/src/derive/foreign.js";
import { formOf, sameWord } from "../../../core/figures/web/src/derive/inflections.js";
import { knownEnds, knownWord } from "../../../core/figures/web/src/derive/labelled.js";
import { label, runsLeft, short, written } from "../../../core/figures/web/src/derive/labels.js";
import { packed } from "../../../core/figures/web/src/derive/packed.js";
import { plain } from "../../../core/figures/web/src/derive/sentences.js";
import { fromBase64, toBase64 } from "../../../core/figures/web/src/saved/base64.js";
import { foundIn, shortly } from "../../../core/figures/web/src/points/pointlist.js";
import { inLines } from "../../../core/figures/web/src/points/spaceplot.js";
import { raised, unpack } from "../../../core/figures/web/src/runtime/shared.js";
import { linesOf } from "../../../core/figures/web/src/writing/lines.js";
import { inert } from "../../../core/figures/web/src/static/numbers.js";
import CONSTANTS from "../../../core/figures/web/src/derive/constants.json" with { type: "json" };
import { inertBy } from "../../../ui/lessons/progress.js";
import { layerChosen, overviewChosen } from "../../../core/figures/web/src/static/layerlink.js";
import { read as readLink, write as writeLink } from "../../../core/figures/web/src/static/link.js";

const ROOT = new URL("../../../", import.meta.url);
const MOST = 8; // four times the text takes four times as long; with its square, sixteen times
const repeated = (unit, before = "", after = "") => (n) => before + unit.repeat(Math.max(1, Math.floor(n / unit.length))) + after;
const SHAPES = {
  "one run of letters": repeated("x"), "Chinese": repeated("河"), "marks": repeated("\u0301", "a", "b"), "flags": repeated("🇩"),
  "marks of two kinds": repeated("\u0301\u0316", "a", "b"), "Thai": repeated("ธนาคาร"), "Chinese words": repeated("银行在河边"), "Korean": repeated("은행"), "Arabic": repeated("البنك "),
  "l'un'un": repeated("l'un'"), "elision": repeated("l'un'un'un "), "Chinese with joiners": repeated("河\u200d"), "special tokens": repeated("[MASK]"), "open JSON": repeated("{\"a\":["),
  "digits and a sign": repeated("7", "", "x"), "different words": (n) => Array.from({ length: n >> 3 }, (_, i) => `w${i}`).join(" "),
  "emoji joined": repeated("👩\u200d"), "joiners in a word": repeated("\u200d", "a", "b"), "spaces": repeated(" ", "", "x"), "newlines": repeated("\n", "", "x"),
  "digits": repeated("0", "", "x"), "apostrophes": repeated("'", "a", "b"), "at signs": repeated("@"), "addresses": repeated("a://"),
  "brackets": repeated("["), "links": repeated("[]("), "braces": repeated("{a"), "colours": repeated(":blue["), "stars": repeated("*"),
  "stars and letters": repeated("**a"), "backticks": repeated("`a`", "`"), "backslashes": repeated("\\"), "commas": repeated(", ", "", "x"),
  "full stops": repeated("."), "equals signs": repeated("=", "", "x"), "slashes": repeated("/"), "one word": repeated("bank "), "lines": repeated("bank a\n"),
};

/** The least milliseconds for a text. */
async function least(read, text, times) {
  let found = Infinity;
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    await read(text);
    found = Math.min(found, performance.now() - began);
  }
  return Math.max(found, 0.005); // the clock's steps
}

/** Where the time grows faster than the text, the times that show it; longer texts decide where chance may have. */
async function growth(read, shape, n) {
  let found = "";
  for (let size = n; size <= 8 * n; size *= 2) {
    const brief = shape(size), long = shape(4 * size);
    if (await least(read, long, 1) <= MOST * await least(read, brief, 2)) return "";
    const times = [await least(read, brief, 8), await least(read, long, 4)];
    if (times[1] <= MOST * times[0]) return "";
    found = `${size}: ${times[0].toFixed(3)} ms, ${4 * size}: ${times[1].toFixed(3)} ms`;
  }
  return found;
}

const FEW = ["one run of letters", "Chinese", "marks", "joiners in a word", "spaces", "apostrophes", "brackets", "one word", "lines", "marks of two kinds", "Chinese words", "l'un'un", "stars"];
/** @returns {Promise<[string, string][]>} */
async function slow(read, n, names = Object.keys(SHAPES)) {
  const found = [];
  for (const name of names) found.push([name, await growth(read, SHAPES[name], n)]);
  return found.filter(([, times]) => times);
}

/** Every regular expression of the tree: where it stands, and itself. */
function* expressions() {
  const { parse } = createRequire(new URL("core/figures/web/package.json", ROOT))("espree");
  for (const file of globSync(["core/**/*.js", "ui/**/*.js"], { cwd: ROOT }).sort()) {
    if (/node_modules|[/\\]dist[/\\]/.test(file)) continue;
    const tree = parse(readFileSync(new URL(file, ROOT), "utf8"), { ecmaVersion: "latest", sourceType: "module" });
    yield* within(tree, file.replaceAll("\\", "/"));
  }
}

function* within(node, file) {
  if (node === null || typeof node !== "object") return;
  if (node.regex) yield [`${file} /${node.regex.pattern}/`, new RegExp(node.regex.pattern, node.regex.flags)];
  if (/^(New|Call)Expression$/.test(node.type ?? "") && node.callee.name === "RegExp") yield [`${file} RegExp`, null];
  for (const [key, inner] of Object.entries(node)) if (key !== "regex") yield* within(inner, file);
}

// Those that would take long, but never meet a text of anybody else, or only a bounded part of one.
const OURS = {
  "core/figures/web/src/derive/ends.js /[ ,;:]+$/": "the beginning of a sentence, of 25 letters",
  "core/figures/web/src/static/link.js /=+$/": "base64 that we have written",
  "core/figures/web/src/steps/captions.js /\\.?0+$/": "a number that we have written",
  "core/figures/web/src/steps/marks.js /(\\.\\d*?)0+$/": "a number that we have written",
  // with no name of its own in the syntax; `split` is measured below
  "core/figures/web/src/engine/words.js RegExp": "it is run by `split`",
  "core/figures/web/src/static/numbers.js RegExp": "they are run by `inert`",
  "ui/lessons/progress.js RegExp": "they are run by `inertBy`",
  "core/figures/web/src/derive/nextword.js RegExp": "one class of signs",
  "core/figures/web/src/derive/ends.js RegExp": "it is run by `endOf`",
  "core/figures/web/src/derive/sentences.js RegExp": "they are run by `plain`",
  "core/figures/web/src/links/formats.js RegExp": "they are run by `readLink`",
};

test("each regular expression takes time in proportion to its text, or reads our own alone", async () => {
  const found = [...expressions()];
  ok(found.length > 60);
  const bad = [];
  for (const [place, pattern] of found) {
    if (place in OURS) continue;
    if (pattern === null || (await slow((text) => {
      pattern.lastIndex = 0;
      text.replace(pattern, "");
    }, 500)).length) bad.push(place);
  }
  deepEqual(bad, []);
  const places = new Set(found.map(([place]) => place));
  deepEqual(Object.keys(OURS).filter((place) => !places.has(place)), [], "these are gone");
});

/** What a model without any token would return for a text. */
const read = (text) => ({ text, tokens: [], starts: [], ends: [], special: [], words: split(text).map(({ text: word }) => ({ word })), leftOut: null });
/** A text of which each character is a token, as far as a model reads. */
function encoded(text) {
  const length = [...text].length, count = Math.min(length, 256), at = Array.from({ length: count }, (_, i) => i);
  return { text, starts: at, ends: at.map((i) => i + 1), leftOut: count < length ? [count, length] : null, length };
}

/** A text of which each word has one token. */
const traced = (text) => ({ ...read(text), words: split(text).map(({ text: word, start, end }) => ({ word, start, end, tokens: [] })), cased: false });
const TOKENIZER = new WordPiece({
  vocabulary: "[UNK]\n[CLS]\n[SEP]\n[MASK]\nx\n##x\nbank\na\n河", longest: 100, most: 256, continues: "##", unknown: "[UNK]",
  classify: ["[CLS]", "[SEP]"], added: ["[UNK]", "[CLS]", "[SEP]", "[MASK]"], becomes: "É\te", order: { "\u0301": 230, "\u0316": 220 },
  gone: [0, 8, 0x200b, 0x200f, 0x300, 0x36f], spaces: [9, 13, 32, 32], apart: [0x4e00, 0x9fff], punctuation: [33, 47, 58, 64, 91, 96],
});
const half = (text) => text.slice(0, text.length >> 1), stars = (text) => `*${[...text].join("*")}*`;
const inText = (phrase) => (text) => occurrenceSpans(text, phrase(text), false);
const told = (word) => (text) => {
  const fits = fitsOf(word(text), false);
  return [fits(text), fits(`${text}b`)];
};
/** @type {Record<string, string>} */
const STATE = { r: "", on: "", head: "", q: "", k: "", pin: "", th: "", ta: "", s: "", vw: "", so: "" };
const everywhere = (keys, text) => ({ ...STATE, ...Object.fromEntries(keys.map((key) => [key, text])) });
const FIELDS = ["whole", "real", "switch", "text", "name"].map((kind) => ({ url: kind, start: "", leftOut: "", format: { kind } }));

const READERS = {
  "words": split, "the key of a word": (text) => keyOf(text, false), "the key of a cased word": (text) => keyOf(text, true),
  "the loose form of a word": (text) => [looseOf(text, false), looseOf(text, true)], "well-formed text": wellFormed,
  "normal forms": (text) => ["NFC", "NFD", "NFKC", "NFKD"].map((form) => normalized(form, text)),
  "a script without spaces": (text) => [isUnspaced(text), isElided(text)],
  "words with tokens": (text) => occurrences(encoded(text), false), "the words of tokens": (text) => wordIds(encoded(text)),
  "tokens": (text) => TOKENIZER.encode(text),
  "a text without signs at its ends": (text) => trimmed(text, "'\u200d 0"),
  "a word in a text": inText(() => "bank"), "a beginning in a text": inText(() => "b*"), "stars in a text": inText(() => "*a*b*"),
  "a Korean word in a text": inText(() => "은행"), "an elided word in a text": inText(() => "l'"),
  "words with stars in a text": inText(() => "b* *n* a* *e ".repeat(8)), "a text in itself": inText((text) => text),
  "half of a text in it": inText((text) => `${half(text)} b`), "half of a text after a word in it": inText((text) => `b ${half(text)}`),
  "half of a text without spaces in it": inText((text) => `b${half(text)}`), "the second half of a text in it": inText((text) => text.slice(text.length >> 1)),
  "a text between stars in itself": inText(stars), "a text with a star in itself": inText((text) => `${text}*`),
  "half of a text with stars in it": inText((text) => `*${half(text)}*b`), "stars as long as a text": inText((text) => `${"*".repeat(text.length)}b`),
  "a phrase with tokens": (text) => findAll(encoded(text), half(text), false), "kinds of phrases": (text) => [hasStar(text), isPhrase(text), hasStar(`${text}*`)],
  "tests of a word": told((text) => text), "tests of a word with stars": told(stars), "particles": (text) => [stems(text), withParticles(text)],
  "a form of a word": (text) => formOf(text, "bank"), "a long word in a text": (text) => formOf(text, text),
  "one word or two": (text) => sameWord(text, `${text}s`), "a known word": (text) => knownWord(text, false), "known ends": (text) => knownEnds("bank", [text], { cased: false, causal: true }),
  "the words to choose from": (text) => chosenFrom(traced(text), ["bank", text, half(text)]),
  "the chosen words": (text) => settle([traced(text).words, traced(text).words], [text, "b*"], [0, 0], () => []), "a form that is shown": (text) => isForm(text, `${text}s`, false),
  "an end": (text) => endOf(text, "bank"), "an end of its own word": (text) => endOf(text, text),
  "an end, typed": (text) => typedEnd("a", text.split("\n"), "bank"), "an end without a meaning": (text) => unnamed([text]),
  "both ends": (text) => [between([text, text], "bank", null), namesShown([text, text], "bank", null), contextsShown(text, 0, "bank", null)],
  "another language": (text) => looksForeign(traced(text)), "small words": (text) => smallWords(traced(text)), "content": isContent,
  "a label": label, "a token that is shown": (text) => [written(text), short(text)], "the direction of labels": (text) => runsLeft([text]), "plain text": plain, "our sentence as text": (text) => asText([text]),
  "a context": (text) => contextKey(text, true), "the direction of a line": lineRunsLeft, "a title in lines": inLines, "a shaded text": (text) => linesOf([text, "x", ...text.slice(0, 1000)], "n".repeat(1002), false, 200, { font: "test", size: 10 }), "a search": (text) => foundIn(["bank"], text), "what stands before": shortly,
  "a link of a page": (text) => readLink(FIELDS, `?v=1&whole=${encodeURIComponent(wellFormed(text))}&real=${encodeURIComponent(wellFormed(text))}&switch=1`),
  "a link that is packed": (text) => readLink(FIELDS, `?z=${encodeURIComponent(wellFormed(text))}`), "a raw link": (text) => readLink(FIELDS, text),
  "a link to write": (text) => writeLink(FIELDS, { whole: text, real: "", switch: "", text }), "a link of this device": (text) => linked(text, { a: text }),
  "the choices in a layer": (text) => layerChosen(everywhere(["r", "on", "h", "q", "k", "pin", "th", "ta", "s", "vw", "so"], text)),
  "heads in a layer": (text) => layerChosen(everywhere(["on"], text.replaceAll(/./gu, "1."))), "the choices in all heads": (text) => overviewChosen(everywhere(["x", "y", "f", "us", "ge", "s"], text)),
  "a cell of a spreadsheet": inert, "an answer in a spreadsheet": inertBy(CONSTANTS.spreadsheet), "a number that is raised": raised,
  "a picture's message": (text) => unpack(packed({ header: { text }, payload: new Uint8Array(4) })), "bytes in base64": (text) => fromBase64(toBase64(new TextEncoder().encode(text))),
};

for (const [name, of] of Object.entries(READERS)) test(`${name}: four times the text takes four times as long`, async () => deepEqual(await slow(of, 120, FEW), []));

// A browser copies all of a text for each word that its dictionary finds in it.
test("a long run without spaces: four times the text takes four times as long", async () => {
  deepEqual(await slow(split, 2_000, ["Chinese", "Chinese words", "Thai", "Chinese with joiners"]), []);
});

test("normal forms of many marks are those of Unicode", () => {
  const marks = Array.from({ length: 0x1e950 }, (_, i) => String.fromCodePoint(i)).filter((one) => /\p{M}|[\uff9e\uff9f]/u.test(one));
  for (const form of ["NFC", "NFD", "NFKC", "NFKD"]) {
    for (let step = 1; step < 40; step++) {
      const text = `aé가${Array.from({ length: 90 }, (_, i) => marks[(i * step * 37) % marks.length]).join("")}b${"\u0316\u0301".repeat(step)}`;
      ok(normalized(form, text) === text.normalize(form), `${form}, ${step}`);
    }
  }
});
