import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { look } from "../support.js";
import { fitted, mix, rounded, strongest, thinned, unpack, widthOf, wrapped, written } from "../../../../core/figures/web/src/runtime/shared.js";

test("numbers are written with a real minus sign, and nothing has no sign", () => {
  equal(written(-0.617, { digits: 2 }), "−0.62");
  equal(written(0.617, { digits: 2, plus: true }), "+0.62");
  deepEqual([0.001, -0.001, 0].map((x) => written(x, { digits: 2, plus: true })), ["0.00", "0.00", "0.00"]);
});

test("bytes are a header and numbers, from wherever they begin in their buffer", () => {
  for (const dtype of ["float32", "uint8"]) {
    const head = new TextEncoder().encode(JSON.stringify({ dtype, name: "שלום" }));
    const numbers = dtype === "uint8" ? Uint8Array.of(1, 2, 255) : new Uint8Array(Float32Array.of(0.5, NaN).buffer);
    const whole = new Uint8Array(3 + 4 + head.length + numbers.length);
    new DataView(whole.buffer).setUint32(3, head.length, true);
    whole.set(head, 7);
    whole.set(numbers, 7 + head.length);
    const { header, values } = unpack(whole.subarray(3));
    equal(header.name, "שלום");
    deepEqual([...values], dtype === "uint8" ? [1, 2, 255] : [0.5, NaN]);
  }
});

test("texts are cut between whole signs, and broken between words", () => {
  equal(widthOf("river", look), 25);
  equal(fitted("river", 25, look), "river");
  equal(fitted("river bank", 25, look), "rive…");
  ok(fitted("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 50, look).startsWith("👩‍👩‍👧"));
  deepEqual(wrapped("one two three four", 40, look, 3), ["one two", "three", "four"]);
  deepEqual(wrapped("one two three four", 40, look, 2), ["one two", "three f…"]);
});

test("steps are 1, 2, 5, 10, …", () => {
  deepEqual([1, 1.5, 3, 5, 7, 12, 0.03].map(rounded), [1, 2, 5, 5, 10, 20, 0.05]);
});

const names = (from, count) => Array.from({ length: count }, (_, i) => String(from + i));

test("labels that have no room leave out as many as need be, round numbers where they count", () => {
  deepEqual(thinned(6, 10, 10, []), [0, 1, 2, 3, 4, 5]);
  deepEqual(thinned(7, 10, 25, []), [0, 3, 6]);
  deepEqual(thinned(24, 10, 25, [], names(0, 24)), [0, 5, 10, 15, 20]);
  deepEqual(thinned(24, 10, 25, [], names(1, 24)).map((i) => i + 1), [5, 10, 15, 20]);
});

test("marked labels are shown first, and the others keep clear of them", () => {
  deepEqual(thinned(24, 10, 25, [11], names(0, 24)), [0, 5, 11, 20]);
  deepEqual(thinned(6, 10, 15, [2, 3]), [0, 2, 4]); // of two that would meet, the first
});

test("the strongest numbers are found in these rows, of either sign, without what is missing", () => {
  const values = [1, -9, 2, 5, NaN, -6, 7, 7, 8];
  deepEqual(strongest(values, 3, [0, 1], 3).map(({ row, column, size }) => [row, column, size]), [[0, 1, 9], [1, 2, 6], [1, 0, 5]]);
  deepEqual(strongest(values, 3, [2], 2).map(({ column }) => column), [2, 0]); // of equal ones the first
});

test("colours are mixed by their share", () => {
  deepEqual(mix([0, 100, 200], [100, 0, 200], 0.25), [25, 75, 200]);
});
