// The chosen word: its occurrences by their numbers, in all forms; and words that the model does not know.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { occurrences as wordsOf, tokensOf } from "../../../../core/figures/web/src/engine/words.js";
import { Comparer } from "../../../../core/figures/web/src/derive/compare.js";
import { occurrences, settle, unknownWord } from "../../../../core/figures/web/src/derive/choice.js";

/** A trace of a text with a token for each character, of which some words are unknown. */
function traceOf(text, unknown = []) {
  const signs = [...text], n = signs.length, starts = signs.map((_, i) => i), ends = starts.map((i) => i + 1);
  const encoded = { text, length: n, leftOut: null, starts, ends }, words = wordsOf(encoded, false), tokens = [...signs];
  for (const { word, tokens: at } of words) if (unknown.includes(word)) for (const i of at) tokens[i] = "[UNK]";
  return { ...encoded, words, tokens, cased: false, special: signs.map(() => false), spelled: [], n, layers: 1, hiddenOf: () => [1, 0], at: tokensOf };
}

test("each number of a word is the occurrence that a search finds by it", () => {
  for (const [text, word, found] of [
    ["بنك كبير قرب البنك ثم بنك", "بنك", ["بنك", "البنك", "بنك"]],
    ["은행에서 은행", "은행", ["은행에서", "은행"]],
    ["fine and ﬁne", "fine", ["fine", "ﬁne"]],
    ["the bank", '"bank"', ["bank"]],
  ]) {
    const trace = traceOf(text), there = occurrences(trace, [word]), none = () => [];
    const names = found.map((_, i) => settle([there, there], [word, ""], [i, i], none)[0]).map(({ start, end }) => [...text].slice(start, end).join(""));
    assert.deepEqual(names, found);
    for (const one of there) assert.equal(settle([there, there], [one.word, ""], [one.number, 0], none)[0], one); // under its own name
  }
});

test("a word that the model does not know is told from one that is not there", async () => {
  const traces = { "I ❤ you": traceOf("I ❤ you", ["❤"]), "ไปธนาคาร": traceOf("ไปธนาคาร", ["ไป", "ธนาคาร"]) };
  assert.equal(unknownWord(traces["I ❤ you"], "❤"), "❤");
  assert.equal(unknownWord(traces["I ❤ you"], "you"), null);
  assert.equal(unknownWord(traces["ไปธนาคาร"], ""), "ไป");
  const comparer = new Comparer(async (text) => traces[text]);
  const query = { o: 1, w2: "", o2: 1, lo: "", hi: "", d: 0 };
  const thai = await comparer.compare({ ...query, a: "ไปธนาคาร", b: "ไปธนาคาร", w: "ธนาคาร" });
  assert.match(thai.notes.join(), /does not know “ธนาคาร”/);
  const none = await comparer.compare({ ...query, a: "ไปธนาคาร", b: "ไปธนาคาร", w: "bank" });
  assert.match(none.notes.join(), /does not know “ไป”/);
});
