import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { AROUND, FIRST, Lines, clipped, contextKey, leftShare, nearby, runsLeft } from "../../../../core/figures/web/src/concordance/lines.js";

const TEXTS = [["the big ", "bank", " of b"], ["a BIG ", "bank", ", of a"], ["", "bank", " x"], ["the old ", "bank", " 👩‍👩‍👧 שלום"]];

/** Lines as Python packs them. */
function linesOf({ texts = TEXTS, groups = [1, 0, 1, 0], ranks = [3, 1, 0, 2], codes = [[1, 2, 3, 0]], numbers = null } = {}) {
  const encoder = new TextEncoder(), raw = texts.map((parts) => parts.map((part) => encoder.encode(part)));
  let at = 0;
  const places = raw.flatMap((parts) => {
    const row = [at];
    for (const part of parts) row.push(at += part.length);
    return row;
  });
  const whole = (values, Kind) => new Uint8Array(new Kind(values).buffer);
  const all = [whole(places, Uint32Array), whole(ranks, Uint32Array), ...codes.map((one) => whole(one, Uint32Array)),
    ...(numbers ? [whole(numbers, Float32Array)] : []), Uint8Array.from(groups), ...raw.flat()];
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  all.reduce((start, one) => (bytes.set(one, start), start + one.length), 0);
  const counts = [0, 1].map((group) => groups.filter((one) => one === group).length);
  return new Lines({ lines: texts.length, counts, columns: codes.map(() => ({})), numbers: numbers && "n" }, bytes);
}
const STATE = { sort: "meaning", column: 0, group: null, chosen: null };
const order = (change, similarity = null) => [...linesOf().order({ ...STATE, ...change }, similarity)];

test("the parts of a line are its text, in any script", () => {
  const lines = linesOf({ numbers: [0.5, 1, -1, 0] });
  deepEqual(TEXTS.map((_, i) => lines.parts(i)), TEXTS);
  deepEqual([...lines.numbers], [0.5, 1, -1, 0]);
  deepEqual([...lines.groups], [1, 0, 1, 0]);
});

test("lines are sorted as Python sorts them for its tables", () => {
  deepEqual(order({}), [1, 3, 2, 0]);
  deepEqual(order({ sort: "text" }), [0, 1, 2, 3]);
  deepEqual(order({ sort: "left" }), [2, 1, 0, 3]);
  deepEqual(order({ sort: "right" }), [1, 0, 2, 3]);
  deepEqual(order({ sort: "column" }), [3, 0, 1, 2]);
  deepEqual(order({ sort: "shuffled" }), [3, 2, 0, 1]);
  deepEqual(order({ sort: "similar", chosen: 1 }, Float32Array.of(0.1, 0.9, 0.3, 0.9)), [1, 3, 2, 0]);
  deepEqual(order({ sort: "similar", chosen: 1 }), [0, 1, 2, 3], "until the similarities have come");
});

test("all groups show their most typical lines first, one group all of its lines", () => {
  const count = 2 * FIRST + 3, texts = Array.from({ length: count }, (_, i) => ["", `${i}`, ""]);
  const lines = linesOf({ texts, groups: texts.map((_, i) => i % 2), ranks: texts.map((_, i) => count - 1 - i), codes: [] });
  const rows = lines.rows(STATE, null);
  deepEqual(rows.map((row) => Object.keys(row)[0]), [...["head", ...Array(FIRST).fill("line"), "more"], ...["head", ...Array(FIRST).fill("line"), "more"]]);
  deepEqual(rows.slice(0, 3), [{ head: 0 }, { line: count - 1 }, { line: count - 3 }]);
  deepEqual(lines.rows({ ...STATE, group: 1 }, null).map(({ line }) => line), texts.map((_, i) => i).filter((i) => i % 2).reverse());
  equal(lines.rows({ ...STATE, sort: "text" }, null).length, count);
});

test("typical lines that are alike stand once with their number, and the chosen one for all", () => {
  const texts = [["the ", "bank", " a"], ["x ", "bank", ""], ["the ", "bank", " a"], ["the ", "bank", " a"], ["", "the", " bank a"], ["y ", "bank", ""], ["x ", "bank", ""]];
  const of = (groups, counts) => Object.assign(linesOf({ texts, groups, ranks: texts.map((_, i) => i), codes: [] }), counts ? { header: { counts, columns: [] } } : {});
  const lines = of([0, 0, 0, 1, 0, 1, 1]), only = (rows) => rows.filter((row) => !("head" in row));
  deepEqual([...lines.alike], [0, 1, 0, 0, 4, 5, 1]);
  deepEqual(only(lines.rows(STATE, null)), [{ line: 0, times: 2 }, { line: 1 }, { line: 4 }, { line: 3 }, { line: 5 }, { line: 6 }], "a cluster has its own");
  deepEqual(only(lines.rows({ ...STATE, chosen: 2 }, null))[0], { line: 2, times: 2 });
  deepEqual(only(lines.rows(STATE, null, 2)), [{ line: 0, times: 2 }, { line: 1 }, { more: 0 }, { line: 3 }, { line: 5 }, { more: 1 }]);
  equal(lines.rows({ ...STATE, group: 0 }, null).length, 4, "a cluster alone has all of its lines");
  equal(lines.rows({ ...STATE, sort: "text" }, null).length, 7);
  deepEqual(of(texts.map(() => 0), [7]).rows(STATE, null), [{ line: 0, times: 3 }, { line: 1, times: 2 }, { line: 4 }, { line: 5 }]);
});

test("a context is sorted by its words, not by its marks", () => {
  equal(contextKey("The (old) Bank’s, ", true), "s bank old the");
  equal(contextKey(" — of a; b", false), "of a b");
});

test("a clipped text ends where a word ends, in any script", () => {
  const room = (most) => (part) => part.length <= most;
  const both = (text, most) => [clipped(text, false, room(most)), clipped(text, true, room(most))];
  deepEqual(both("on the river bank", 17), ["on the river bank", "on the river bank"]);
  deepEqual(both("on the river bank", 14), ["on the river…", "…river bank"]);
  deepEqual(both(" don't stop, she said ", 9), [" don't…", "…said "]);
  deepEqual(both("我们在银行旁边的河岸上散步", 7), ["我们在银行…", "…的河岸上散步"]);
  deepEqual(both("ذهبنا إلى البنك لنسحب المال", 12), ["ذهبنا إلى…", "…لنسحب المال"]);
  deepEqual(both("incomprehensibilities", 6), ["incom…", "…ities"], "no word has room: between two letters");
  deepEqual(both("👩‍👩‍👧👩‍👩‍👧", 9), ["👩‍👩‍👧…", "…👩‍👩‍👧"]);
  deepEqual(both("word", 0), ["…", "…"]);
  deepEqual(both("", 0), ["", ""]);
});

test("what is read aloud of a long context ends where a word ends", () => {
  const long = "abcd ".repeat(200).trim(), [after, before] = [nearby(long, false), nearby(long, true)];
  ok(after.length <= AROUND && before.length <= AROUND && after.length > AROUND - 6);
  ok(/^abcd( abcd)*…$/.test(after) && /^…abcd( abcd)*$/.test(before));
});

test("a line runs in the direction of its first letter", () => {
  deepEqual(["12 שלום", "bank שלום", "👩‍👩‍👧", "البنك"].map(runsLeft), [true, false, false, true]);
});

test("no choice shows more rows than the longest list", () => {
  const many = Array.from({ length: 11 }, (_, i) => [`${i} `, "bank", ""]), zeros = many.map(() => 0);
  for (const groups of [many.map((_, i) => i % 2), many.map((_, i) => Number(i === 3)), zeros]) {
    for (const [count, first] of [[2, 4], [5, 4], [11, 4], [11, 6], [11, 20]]) {
      const lines = linesOf({ texts: many.slice(0, count), groups: groups.slice(0, count), ranks: zeros.slice(0, count), codes: [zeros.slice(0, count)] });
      const rows = ["meaning", "text"].flatMap((sort) => [null, 0, 1].map((group) => lines.rows({ ...STATE, sort, group }, null, first).length));
      equal(lines.longest(first), Math.max(...rows));
    }
  }
});

test("a short context takes what it needs, and leaves the rest to the other", () => {
  equal(leftShare([800, 900], 1000), 0.5);
  const short = leftShare([200, 900], 1000);
  ok(short > 0.2 && short < 0.25, `${short}`);
  ok(Math.abs(leftShare([900, 200], 1000) + short - 1) < 1e-9);
  equal(leftShare([0, 900], 1000), 0.1); // a word never stands at the edge
  ok(leftShare([200, 900], 0) === 0.5); // before there is a width
});
