// No text takes our JavaScript time in proportion to its square: each regular expression of the tree, found by its
// syntax, and each function that reads what a visitor typed. A ratio is measured, which a busy machine does not decide.
import { test } from "node:test";
import { deepEqual, ok } from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { asText } from "../../../core/figures/web/src/device/plaintext.js";
import { contextKey } from "../../../core/figures/web/src/concordance/lines.js";
import { endOf, typedEnd } from "../../../core/figures/web/src/fromtrace/ends.js";
import { isContent, looksForeign, smallWords } from "../../../core/figures/web/src/fromtrace/foreign.js";
import { formOf } from "../../../core/figures/web/src/fromtrace/inflections.js";
import { label, runsLeft } from "../../../core/figures/web/src/fromtrace/labels.js";
import { plain } from "../../../core/figures/web/src/fromtrace/sentences.js";
import { occurrenceSpans } from "../../../core/figures/web/src/fromtrace/spans.js";
import { inLines } from "../../../core/figures/web/src/points/spaceplot.js";
import { foundIn, shortly } from "../../../core/figures/web/src/points/pointlist.js";
import { keyOf, occurrences, split, trimmed, wellFormed, wordIds } from "../../../core/figures/web/src/engine/words.js";

const ROOT = new URL("../../../", import.meta.url);
const MOST = 8; // four times the text takes four times as long; with its square, sixteen times
const repeated = (unit, before = "", after = "") => (n) => before + unit.repeat(Math.max(1, Math.floor(n / unit.length))) + after;
const SHAPES = {
  "one run of letters": repeated("x"), "Chinese": repeated("河"), "marks": repeated("\u0301", "a", "b"), "flags": repeated("🇩"),
  "emoji joined": repeated("👩\u200d"), "joiners in a word": repeated("\u200d", "a", "b"), "spaces": repeated(" ", "", "x"), "newlines": repeated("\n", "", "x"),
  "digits": repeated("0", "", "x"), "apostrophes": repeated("'", "a", "b"), "at signs": repeated("@"), "addresses": repeated("a://"),
  "brackets": repeated("["), "links": repeated("[]("), "braces": repeated("{a"), "colours": repeated(":blue["), "stars": repeated("*"),
  "stars and letters": repeated("**a"), "backticks": repeated("`a`", "`"), "backslashes": repeated("\\"), "commas": repeated(", ", "", "x"),
  "full stops": repeated("."), "equals signs": repeated("=", "", "x"), "slashes": repeated("/"), "one word": repeated("bank "), "lines": repeated("bank a\n"),
};

/** The least milliseconds for a text. */
function least(read, text, times) {
  let found = Infinity;
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    read(text);
    found = Math.min(found, performance.now() - began);
  }
  return Math.max(found, 0.005); // the clock's steps
}

/** Where the time grows faster than the text, the times that show it; longer texts decide where chance may have. */
function growth(read, shape, n) {
  let found = "";
  for (let size = n; size <= 8 * n; size *= 2) {
    const short = shape(size), long = shape(4 * size);
    if (least(read, long, 1) <= MOST * least(read, short, 2)) return "";
    const times = [least(read, short, 8), least(read, long, 4)];
    if (times[1] <= MOST * times[0]) return "";
    found = `${size}: ${times[0].toFixed(3)} ms, ${4 * size}: ${times[1].toFixed(3)} ms`;
  }
  return found;
}

const FEW = ["one run of letters", "Chinese", "marks", "joiners in a word", "spaces", "apostrophes", "brackets", "one word", "lines"];
const slow = (read, n, names = Object.keys(SHAPES)) =>
  names.map((name) => [name, growth(read, SHAPES[name], n)]).filter(([, found]) => found);

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
  "core/figures/web/src/fromtrace/ends.js /[ ,;:]+$/": "the beginning of a sentence, of 25 letters",
  "core/figures/web/src/static/layerlink.js /0+$/": "a number that we have written",
  "core/figures/web/src/static/link.js /=+$/": "base64 that we have written",
  "core/figures/web/src/working/captions.js /\\.?0+$/": "a number that we have written",
  "core/figures/web/src/working/marks.js /(\\.\\d*?)0+$/": "a number that we have written",
  // with no name of its own in the syntax; `split` is measured below
  "core/figures/web/src/engine/words.js RegExp": "it is run by `split`",
};

test("each regular expression takes time in proportion to its text, or reads our own alone", () => {
  const found = [...expressions()];
  ok(found.length > 60);
  const bad = found.filter(([place, pattern]) => !(place in OURS) && (pattern === null || slow((text) => {
    pattern.lastIndex = 0;
    text.replace(pattern, "");
  }, 500).length));
  deepEqual(bad.map(([place]) => place), []);
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

for (const [name, of] of Object.entries({
  "words": split, "the key of a word": (text) => keyOf(text, false), "well-formed text": wellFormed,
  "words with tokens": (text) => occurrences(encoded(text), false), "the words of tokens": (text) => wordIds(encoded(text)),
  "a text without signs at its ends": (text) => trimmed(text, "'\u200d 0"),
  "a word in a text": (text) => occurrenceSpans(text, "bank", false), "a text in itself": (text) => occurrenceSpans(text, text, false),
  "half of a text in it": (text) => occurrenceSpans(text, `${text.slice(0, text.length >> 1)} b`, false),
  "a form of a word": (text) => formOf(text, "bank"), "a long word in a text": (text) => formOf(text, text),
  "an end": (text) => endOf(text, "bank"), "an end of its own word": (text) => endOf(text, text),
  "an end, typed": (text) => typedEnd("a", text.split("\n"), "bank"),
  "another language": (text) => looksForeign(read(text)), "small words": (text) => smallWords(read(text)), "content": isContent,
  "a label": label, "the direction of labels": (text) => runsLeft([text]), "plain text": plain, "our sentence as text": (text) => asText([text]),
  "a context": (text) => contextKey(text, true), "a title in lines": inLines, "a search": (text) => foundIn(["bank"], text), "what stands before": shortly,
})) test(`${name}: four times the text takes four times as long`, () => deepEqual(slow(of, 120, FEW), []));
