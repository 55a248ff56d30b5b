// Which forms of a word are one word, by the table that Python's are held to (`tests/records/test_inflections.py`).
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { formOf, sameWord } from "../../../../core/figures/web/src/derive/inflections.js";

const { alike } = JSON.parse(readFileSync(new URL("../../../records/languages/cases.json", import.meta.url), "utf8"));

test("what the model reads alike is one word", () => {
  for (const [one, ...others] of alike) {
    for (const other of others) {
      assert.ok(sameWord(one, other), `${one} ${other}`);
      assert.equal(formOf(`lamp ${other}`, one)?.text, other);
    }
  }
});

test("forms of a word are one word, and others are not", () => {
  for (const [one, other] of [["bank", "banks"], ["mouse", "mice"], ["ﬁne", "fine"], ["은행", "은행에서"], ["البَنْكِ", "بنك"], ["ΛΌΓΟΣ", "λόγος"]]) {
    assert.ok(sameWord(one, other), `${one} ${other}`);
    assert.equal(formOf(`lamp ${other}`, one)?.text, other);
  }
  for (const [one, other] of [["bank", "banker"], ["glas", "glass"], ["a", "as"]]) assert.ok(!sameWord(one, other), `${one} ${other}`);
  assert.ok(formOf("بنك", `ب${"ـ".repeat(40)}نك`));
});
