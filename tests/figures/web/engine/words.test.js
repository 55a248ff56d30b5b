// Words of many languages, by the table that Python's are held to (`tests/records/languages`).
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { occurrenceSpans } from "../../../../core/figures/web/src/engine/finding.js";
import { stems, withParticles } from "../../../../core/figures/web/src/engine/particles.js";
import { keyOf, looseOf, occurrences, split } from "../../../../core/figures/web/src/engine/words.js";

const { cases, alike, apart } = JSON.parse(readFileSync(new URL("../../../records/languages/cases.json", import.meta.url), "utf8"));
const slice = (text, start, end) => [...text].slice(start, end).join("");

for (const { language, text, words, find } of cases) {
  test(`the words of ${language}, and what is found`, () => {
    assert.deepEqual(split(text).map((word) => word.text), words);
    for (const { text: word, start, end } of split(text)) assert.equal(slice(text, start, end), word);
    for (const [phrase, expected] of Object.entries(find)) {
      assert.deepEqual(occurrenceSpans(text, phrase, false).map(([start, end]) => slice(text, start, end)), expected, phrase);
    }
  });
}

test("spellings that MiniLM reads alike have one key, and others do not", () => {
  for (const spellings of alike) assert.equal(new Set(spellings.map((one) => keyOf(one, false))).size, 1, spellings);
  for (const spellings of apart) assert.equal(new Set(spellings.map((one) => keyOf(one, false))).size, spellings.length, spellings);
});

test("letters in another shape are loosely the same, whether or not case matters", () => {
  for (const [one, other] of [["ﬁne", "fine"], ["Ｂａｎｋ", "Bank"], ["بـــنك", "بنك"]]) {
    for (const cased of [true, false]) assert.equal(looseOf(one, cased), looseOf(other, cased));
  }
  assert.notEqual(looseOf("Bank", true), looseOf("bank", true));
});

test("what nobody sees changes no end of a word of a dictionary", () => {
  const ends = (letters) => {
    let length = 0;
    const behind = letters.map((letter) => (length += [...letter].length));
    return split(letters.join("")).map(({ end }) => behind.indexOf(end));
  };
  const letters = [..."学生が銀行でかぎを葛城へ"], wanted = ends(letters);
  assert.deepEqual(ends(letters.map((one) => one.normalize("NFD"))), wanted);
  for (const sign of ["\u00ad", "\u200d", "\ufe00"]) assert.deepEqual(ends(letters.map((one) => one + sign)), wanted);
});

test("words that the model reads alike are counted under one name", () => {
  const text = "Café cafe", encoded = { text, length: 9, leftOut: null, starts: [0, 0, 5], ends: [0, 4, 9] };
  assert.deepEqual(occurrences(encoded, false).map(({ word, number }) => [word, number]), [["café", 0], ["café", 1]]);
});

test("particles are put on and taken off", () => {
  assert.ok(withParticles("은행").has("은행에서는"));
  assert.ok(withParticles("بنك").has("للبنك"));
  assert.ok(stems("والبنك").includes("بنك"));
  assert.deepEqual(stems("bank"), ["bank"]);
});

test("a name never gets a second dot", () => {
  for (const text of ["İ", "İyi", "I\u0307yi"]) {
    const length = [...text].length, encoded = { text, length, leftOut: null, starts: [0], ends: [length] };
    assert.equal(occurrences(encoded, false)[0].word, text);
  }
});
