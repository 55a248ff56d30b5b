// Tokens, word ids and words of many texts: `node encode.js TABLES TEXTS FOUND`, all of them JSON files.
// Python compares the result with its own (`tests/web/test_wordpiece.py`).
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { WordPiece } from "../../../../core/figures/web/src/engine/wordpiece.js";
import { findAll } from "../../../../core/figures/web/src/engine/finding.js";
import { keyOf, occurrences, split, wordIds } from "../../../../core/figures/web/src/engine/words.js";

const [tables, texts] = argv.slice(2, 4).map((file) => JSON.parse(readFileSync(file, "utf8")));
const tokenizer = new WordPiece(tables);
const every = texts.map(({ text, phrase }) => {
  const encoded = tokenizer.encode(text), words = split(encoded.text);
  return {
    text: encoded.text,
    ids: [...encoded.ids],
    tokens: encoded.tokens,
    offsets: [...encoded.starts].map((start, i) => [start, encoded.ends[i]]),
    special: encoded.special,
    leftOut: encoded.leftOut,
    words: words.map((word) => [word.text, word.start, word.end]),
    wordIds: [...wordIds(encoded, words)],
    occurrences: occurrences(encoded, false, words)
      .map(({ word, number, start, end, tokens }) => [word, number, start, end, tokens]),
    keys: words.map((word) => [keyOf(word.text, true), keyOf(word.text, false)]),
    unassigned: [...encoded.text].filter((one) => /\p{Cn}/u.test(one)), // in this Unicode
    found: findAll(encoded, phrase, false).map(({ tokens }) => tokens),
  };
});
writeFileSync(argv[4], JSON.stringify(every));
