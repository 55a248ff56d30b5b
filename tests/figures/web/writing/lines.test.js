import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { near } from "../support.js";
import { PAD, atomsOf, linesOf } from "../../../../core/figures/web/src/writing/lines.js";

const LETTERS = { font: "test", size: 10 }; // each letter 5 pixels
const bare = (text) => text.replace(/[\u200d\u200f]/g, "");
const set = (pieces, { sides = "l".repeat(pieces.length), left = false, most = 200 } = {}) => linesOf(pieces, sides, left, most, LETTERS);
const read = (lines) => lines.map((line) => line.map(({ text, kind }) => (kind === "space" ? " " : bare(text))).join(""));
const pieceOf = (line) => line.filter(({ kind }) => kind === "text").map(({ of }) => of);

test("pieces of a word touch, and words stand apart by their spaces", () => {
  const [line] = set([" st", "ore", ",", " John"]);
  deepEqual(line.map(({ kind, of }) => [kind, of]), [["space", 0], ["text", 0], ["text", 1], ["text", 2], ["space", 3], ["text", 3]]);
  near(line.map(({ x }) => x), [0, 5, 5 + 10 + PAD, 5 + 25 + PAD, 5 + 30 + 2 * PAD, 5 + 30 + 2 * PAD + 5]);
  line.slice(1).forEach(({ x }, i) => near(x, line[i].x + line[i].wide));
  near(line.map(({ wide }) => wide), [5, 10 + PAD, 15, 5 + PAD, 5, 20 + 2 * PAD]);
});

test("a line ends between words, where nothing fits any more", () => {
  const pieces = ["one", " two", " th", "ree", " four"];
  deepEqual(read(set(pieces, { most: 60 })), ["one two ", "three four"]);
  deepEqual(read(set(pieces, { most: 200 })), ["one two three four"]);
  for (const most of [30, 47, 60, 83, 120]) {
    for (const line of set(pieces, { most })) ok(line.every(({ x, wide }) => x >= 0 && x + wide <= most + 1e-9));
  }
});

test("a word without room is cut between its pieces, and a piece between its signs", () => {
  deepEqual(read(set(["a", "bcdef", "ghijk"], { most: 40 })), ["abcdef", "ghijk"]);
  const long = set(["x".repeat(30)], { most: 50 });
  deepEqual(read(long), ["x".repeat(10), "x".repeat(10), "x".repeat(10)]);
  ok(long.flat().every(({ of }) => of === 0));
  const family = "👩\u200d👩\u200d👧";
  equal(set([family.repeat(9)], { most: 60 }).flat().map(({ text }) => text).join(""), family.repeat(9));
});

test("a line break is shown and ends its line; the text does not end in an empty line", () => {
  deepEqual(read(set(["a", "\n", "\n\n", "b", " c\nd", "\n"])), ["a↵", "↵", "↵", "b c↵", "d↵"]);
  deepEqual(atomsOf("  ", 0, "n").map(({ text, kind }) => [text, kind]), [["␣␣", "text"]]);
  deepEqual(read(set(["\n   ", "return"])), ["↵", "␣␣␣return"]); // what is only space is drawn, or it could not be pointed at
});

test("what is written without spaces ends a line anywhere, but not before a full stop", () => {
  deepEqual(read(set(["银行", "在", "河边", "。"], { most: 22, sides: "llln" })), ["银行在", "河边。"]);
  deepEqual(read(set(["bank", "bank"], { most: 45 })), ["bankbank"]);
});

test("a text from right to left begins at the right, and a run of the other direction stands in it", () => {
  const pieces = ["ה", "בית", " the", " old", " river", " ליד"], [line] = set(pieces, { sides: "rrlllr", left: true });
  deepEqual(pieceOf(line), [5, 2, 3, 4, 1, 0]);
  near(line.at(-1).x + line.at(-1).wide, 200);
  deepEqual(pieceOf(set(["He", " said", " של", "ום", " עולם", ",", " and"], { sides: "llrrrnl" })[0]), [0, 1, 4, 3, 2, 5, 6]);
});

test("numbers in a text from right to left: their digits from left to right, one number after the other from the right", () => {
  deepEqual(pieceOf(set(["עיר", " 1", "2", " 34", "."], { sides: "rdddn", left: true })[0]), [4, 3, 1, 2, 0]);
  deepEqual(pieceOf(set(["in", " 12", " ", "34"], { sides: "ldnd" })[0]), [0, 1, 2, 3]);
});

test("Arabic letters of two pieces are drawn joined, and others are not", () => {
  const [line] = set(["ضف", "ة", " من"], { sides: "rrr", left: true });
  const texts = new Map(line.filter(({ kind }) => kind === "text").map(({ of, text }) => [of, text.replaceAll("\u200f", "")]));
  deepEqual([texts.get(0), texts.get(1), texts.get(2)], ["ضف\u200d", "\u200dة", "من"]);
  deepEqual(set(["st", "ore"]).flat().map(({ text }) => text), ["st", "ore"]);
});

test("the pieces of long and of odd texts are all there, in order", () => {
  const odd = ["", " ", "\n", "\t", "<b>", "e\u0301", "\u200d", "😀", "\ud800", "  x  y  ", "a".repeat(5000), " ".repeat(3000)];
  for (const most of [1, 17, 360]) {
    const lines = set(odd, { most, sides: "n".repeat(odd.length) });
    deepEqual([...new Set(lines.flat().map(({ of }) => of))], [...odd.keys()].slice(1));
    ok(lines.flat().every(({ x, wide }) => Number.isFinite(x) && wide >= 0));
  }
});
