import { beforeEach, test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { Link } from "../../../../core/figures/web/src/runtime/linkedpictures.js";

/** A picture of a group, and what it hears. */
function linked(group, queries, keys = queries) {
  const heard = [], followed = [];
  const picture = {
    header: { link: group && { group, queries, keys } },
    on: (node, type, act) => node.addEventListener(type, act),
    report: { follows: (leader) => followed.push(leader) },
  };
  const link = new Link(picture, (kind, change) => heard.push([kind, change]));
  return { picture, link, heard, followed };
}

beforeEach(() => { globalThis.document = new EventTarget(); });

test("tokens are told by their numbers in the group, and heard by their positions there", () => {
  const one = linked("pair", [0, 1, null, 3]), other = linked("pair", [0, 3, 1]);
  one.link.tell("state", { way: "to", key: 1 });
  one.link.tell("lit", { query: 3, key: 0 });
  deepEqual(other.heard, [["state", { way: "to", key: 2 }], ["lit", { query: 1, key: 0 }]]);
  deepEqual(one.heard, []); // no picture hears itself
  one.link.tell("state", { key: 2 }); // the other has no such token
  one.link.tell("state", { key: null });
  deepEqual(other.heard.slice(2), [["state", { key: null }], ["state", { key: null }]]);
});

test("only a choice is followed, and only in the same group", () => {
  const one = linked("pair", [0, 1]), other = linked("pair", [1, 0]), third = linked("another", [0, 1]);
  const alone = linked(null, []);
  one.link.tell("lit", { query: 0 });
  equal(other.followed.length, 0);
  one.link.tell("state", { query: 0 });
  deepEqual(other.followed, [one.picture.report]);
  alone.link.tell("state", { query: 0 });
  deepEqual([third.heard, alone.heard, other.heard.length], [[], [], 2]);
});

test("a choice that no picture tells is heard, and followed from nobody", () => {
  const one = linked("pair", [0, 1]);
  document.dispatchEvent(new CustomEvent("polysee-link", { detail: { from: null, group: "pair", kind: "state", change: { key: 1 } } }));
  deepEqual([one.heard, one.followed], [[["state", { key: 1 }]], [null]]);
});
