// The list beside points in space: what is found in it, what a row shows, where its keys lead.
import assert from "node:assert/strict";
import test from "node:test";
import { PointList, foundIn, shortly } from "../../../../core/figures/web/src/points/pointlist.js";

test("points are found by all the words that are looked for, in any order, of any case", () => {
  const names = ["1. the river bank", "2. a bank account", "3. the account"];
  assert.deepEqual(foundIn(names, ""), [0, 1, 2]);
  assert.deepEqual(foundIn(names, " BANK "), [0, 1]);
  assert.deepEqual(foundIn(names, "account bank"), [1]);
  assert.deepEqual(foundIn(names, "sea"), []);
});

test("a row keeps the end of what stands before the word, cut between whole signs", () => {
  assert.equal(shortly("On the "), "On the ");
  assert.equal(shortly("She sat for a long time on the "), "…ong time on the ");
  assert.equal(shortly(`${"a".repeat(30)}👩‍👩‍👧 on the `), "…aaaaaaa👩‍👩‍👧 on the ");
});

test("keys lead along what was found, and no farther than its ends", () => {
  const list = Object.assign(Object.create(PointList.prototype), { area: { clientHeight: 200 }, high: 40, found: [2, 5, 7, 11, 13, 17, 19] });
  assert.equal(list.next("ArrowDown", 5), 7);
  assert.equal(list.next("ArrowUp", 2), 2);
  assert.equal(list.next("PageDown", 2), 13); // five rows are seen: one stays
  assert.equal(list.next("PageDown", 13), 19);
  assert.equal(list.next("Home", 13), 2);
  assert.equal(list.next("End", null), 19);
  assert.equal(list.next("ArrowDown", 3), 2); // which was not found
  assert.equal(list.next("x", 2), null);
  assert.equal(Object.assign(list, { found: [] }).next("ArrowDown", 2), null);
});
