// A message in the language of the page, which may be another one the next time that it is drawn.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { current, decimal, m, mn } from "../../../../core/figures/web/src/runtime/language.js";
import { written } from "../../../../core/figures/web/src/runtime/shared.js";

const GERMAN = {
  language: "de", decimal: ",", group: "\u202f", forms: `10${"1".repeat(198)}`,
  messages: { "at {at}": "bei {at}", "{count} row": ["{count} Zeile", "{count} Zeilen"] },
};

afterEach(() => { globalThis.polyseeLanguage = null; });

test("without a catalogue, a message is English", () => {
  assert.equal(current(), "en");
  assert.equal(m("at {at}", { at: "{at}" }), "at {at}"); // what is filled in is no template
  assert.deepEqual([0, 1, 2].map((count) => mn("{count} row", "{count} rows", count, { count })), ["0 rows", "1 row", "2 rows"]);
  assert.equal(decimal("1,234.5"), "1,234.5");
  assert.throws(() => m("at {at}"), /needs at/);
});

test("with one, it is in that language; what that lacks is English", () => {
  globalThis.polyseeLanguage = GERMAN;
  assert.equal(current(), "de");
  assert.equal(m("at {at}", { at: 3 }), "bei 3");
  assert.equal(m("no such message"), "no such message");
  assert.deepEqual([0, 1, 2, 301].map((count) => mn("{count} row", "{count} rows", count, { count })),
    ["0 Zeilen", "1 Zeile", "2 Zeilen", "301 Zeilen"]);
  assert.equal(decimal("1,234.5"), "1\u202f234,5");
  assert.equal(written(-0.625, { digits: 2 }), "−0,62");
});
