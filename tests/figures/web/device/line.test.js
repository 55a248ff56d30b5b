// What the line and the switch say, the link of what is typed, and how far two pictures differ.
import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { small } from "../../../../core/figures/web/src/runtime/small.js";
import { lineSentence, switchSentence } from "../../../../core/figures/web/src/device/sentences.js";
import { linked } from "../../../../core/figures/web/src/device/link.js";
import { differenceOf } from "../../../../core/figures/web/src/device/difference.js";
import { asText } from "../../../../core/figures/web/src/device/plaintext.js";
import { largest } from "../../../../core/figures/web/src/device/makers.js";
import { packed } from "../../../../core/figures/web/src/derive/packed.js";

const idle = { by: "server", isAhead: false, isAway: false, took: 0, difference: null, note: "" };

test("small numbers keep their size", () => {
  deepEqual([2.4e-6, 1e-5, 9.96e-7, 0.0123, 0].map(small), ["2.4 × 10⁻⁶", "1.0 × 10⁻⁵", "1.0 × 10⁻⁶", "1.2 × 10⁻²", "0"]);
});

test("the line says whose picture it is, and how far the engines differ", () => {
  equal(lineSentence(idle, false, ""), "");
  const told = (more) => lineSentence({ ...idle, ...more }, true, "");
  ok(told({ by: "device", took: 41.7, isAhead: true }).includes("42 ms"));
  ok(told({ difference: 2.4e-6 }).includes("2.4 × 10⁻⁶"));
  ok(!told({ difference: NaN }).includes("NaN"));
  ok(told({ by: "device", took: 5, isAway: true }) !== told({ by: "device", took: 5 }));
  equal(lineSentence(idle, true, "Only one text."), "Only one text.");
  const sentences = ["off", "loading", "on"].map((kind) => switchSentence({ kind, done: 34e6, total: 91e6 }, 91e6, "MiniLM"));
  ok(sentences[0].includes("91 MB") && sentences[1].includes("34 of 91"));
  ok(!/\d/.test(switchSentence({ kind: "loading", done: 0, total: 0 }, 91e6)), "nothing has to be fetched");
  equal(new Set(["slow", "small", "broken", "download", "old"].map((why) => switchSentence({ kind: "refused", why, detail: "" }, 1))).size, 5);
});

test("the link has what is typed, where the page itself can write it", () => {
  equal(linked("", { a: "the bank" }), "?v=2&a=the+bank");
  equal(linked("?v=2&b=x&a=old", { a: "new & old" }), "?v=2&b=x&a=new+%26+old");
  equal(linked("?v=2&a=same", { a: "same" }), null);
  equal(linked("?v=2&z=packed", { a: "new" }), null);
  equal(linked("", { a: "x".repeat(8000) }), null);
});

const picture = (header, numbers = []) => packed({ header, payload: new Uint8Array(Float32Array.from(numbers).buffer) });

test("the largest difference of two pictures, wherever their numbers stand", () => {
  const one = picture({ sides: [{ position: [1, 2] }], file: "a" }, [0.5, 7]);
  equal(differenceOf(one, one), 0);
  equal(differenceOf(one, picture({ sides: [{ position: [1, 2.25] }], file: "a" }, [0.5, 7])), 0.25);
  equal(differenceOf(one, picture({ sides: [{ position: [1, 2] }], file: "b" }, [0.5, 7.5])), 0.5);
  equal(differenceOf(one, picture({ sides: [{ position: [1, 2], adds: { parts: [9] } }] }, [0.5, 7])), 0, "only the server's");
  ok(Number.isNaN(differenceOf(one, picture({ sides: [{ position: [1] }] }, [0.5, 7]))));
  ok(Number.isNaN(differenceOf(one, picture({ sides: [{ position: [1, null] }] }, [0.5, 7]))));
  ok(Number.isNaN(differenceOf(one, picture({ sides: [{ position: [1, 2] }] }, [0.5]))));
});

test("the largest difference of the weights of one query", () => {
  const trace = { layers: 2, heads: 3, n: 5, weight: (layer, head, query, key) => layer + head / 8 + query / 64 + key / 512 };
  const row = (query, more = 0) => Float32Array.from({ length: 30 }, (_, i) =>
    trace.weight(Math.floor(i / 15), Math.floor(i / 5) % 3, query, i % 5) + (i === 17 ? more : 0));
  equal(largest(trace, 2, row(2)), 0);
  equal(largest(trace, 2, row(2, 0.25)), 0.25);
  ok(Number.isNaN(largest(trace, 2, row(2).slice(1))));
});

test("sentences in Markdown as text", () => {
  equal(asText(["**Two meanings:** *bank* in :blue[A].", "", "1\\*2"]), "Two meanings: bank in A. 1*2");
});
