// What a byte-level BPE makes of many texts: `node pairs.js SETTINGS TEXTS FOUND`, all of them JSON files. Python
// compares the result with its own (`tests/web/test_bytepairs.py`).
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { BytePairs, pieces } from "../../../../core/figures/web/src/engine/bytepairs.js";
import { occurrences, split, wordIds } from "../../../../core/figures/web/src/engine/words.js";

const [settings, texts] = argv.slice(2, 4).map((file) => JSON.parse(readFileSync(file, "utf8")));
const tokenizer = new BytePairs(new Map(Object.entries(settings)), 8192);
const every = texts.map(({ text, more }) => {
  const encoded = tokenizer.encode(text), words = split(encoded.text), own = encoded.leftOut ? encoded : tokenizer.continued(encoded, more);
  const spans = ({ starts, ends }) => [...starts].map((start, i) => [start, ends[i]]);
  return {
    text: encoded.text,
    ids: [...encoded.ids],
    tokens: encoded.tokens,
    offsets: spans(encoded),
    leftOut: encoded.leftOut,
    decoded: tokenizer.decode(encoded.ids),
    written: more.map((id) => tokenizer.surfaceForm(id)),
    continued: [own.text, spans(own), own.special],
    pieces: pieces(own),
    words: words.map((word) => [word.text, word.start, word.end]),
    wordIds: [...wordIds(encoded, words)],
    occurrences: occurrences(encoded, true, words).map(({ word, number, start, end, tokens }) => [word, number, start, end, tokens]),
    unassigned: [...encoded.text].filter((one) => /\p{Cn}/u.test(one)), // in this Unicode
  };
});
writeFileSync(argv[4], JSON.stringify(every));
