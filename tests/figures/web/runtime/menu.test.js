import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { beside, entriesOf, entryAt } from "../../../../core/figures/web/src/runtime/menu.js";

const KINDS = ["PNG", "SVG", "CSV", "NPZ", "HTML"];

test("a menu has what the browser makes first, then what the page makes, in its order", () => {
  deepEqual(entriesOf([]).map(({ kind }) => kind), ["PNG", "SVG"]);
  const files = ["CSV", "NPZ", "HTML"].map((kind) => ({ kind, about: `as ${kind}`, name: "polysee-x", address: "/files/a/b" }));
  const entries = entriesOf(files);
  deepEqual(entries.map(({ kind }) => kind), KINDS);
  deepEqual(entries[2], { kind: "CSV", about: "as CSV" });
});

test("arrows go round, Home and End to the ends", () => {
  const walk = (from, ...keys) => keys.reduce((at, key) => entryAt(key, at, KINDS), from);
  equal(walk(0, "ArrowDown"), 1);
  equal(walk(4, "ArrowDown"), 0);
  equal(walk(0, "ArrowUp"), 4);
  equal(walk(2, "ArrowUp", "ArrowUp"), 0);
  equal(walk(2, "End"), 4);
  equal(walk(2, "Home"), 0);
  equal(walk(-1, "ArrowDown"), 0); // no entry has the focus
});

test("a letter goes to the next entry that begins with it, and nowhere where none does", () => {
  equal(entryAt("c", 0, KINDS), 2);
  equal(entryAt("H", 4, KINDS), 4);
  equal(entryAt("p", 0, KINDS), 0);
  equal(entryAt("x", 0, KINDS), null);
  equal(entryAt("PageDown", 0, KINDS), null);
  equal(entryAt("Enter", 0, KINDS), null);
  equal(entryAt(" ", 0, KINDS), null);
});

test("a menu stands under its button, its right end under that of the button", () => {
  deepEqual(beside({ right: 700, top: 100, bottom: 124 }, { width: 250, height: 100 }, { width: 1000, height: 800 }),
    { left: 450, top: 128 });
});

test("it stands over its button where below there is too little room", () => {
  deepEqual(beside({ right: 700, top: 700, bottom: 724 }, { width: 250, height: 100 }, { width: 1000, height: 800 }),
    { left: 450, top: 596 });
});

test("all of it is in the window, however small that is", () => {
  for (const width of [300, 390, 1440]) {
    for (const height of [240, 844]) {
      for (const right of [20, 200, width - 2, width + 60]) {
        for (const top of [-30, 2, 100, height - 20]) {
          const box = { width: 280, height: 200 };
          const { left, top: y } = beside({ right, top, bottom: top + 24 }, box, { width, height });
          equal(left >= 8 && left + box.width <= width - 8, true, `${left} of ${width}`);
          equal(y >= 8 && y + box.height <= height - 8, true, `${y} of ${height}`);
        }
      }
    }
  }
});

test("of a menu that is larger than the window the beginning is seen", () => {
  deepEqual(beside({ right: 190, top: 50, bottom: 74 }, { width: 250, height: 400 }, { width: 200, height: 150 }),
    { left: 8, top: 8 });
});
