import { test } from "node:test";
import { deepEqual } from "node:assert/strict";
import { latest } from "../../../../core/figures/web/src/static/latest.js";

test("however often it is asked for meanwhile, work is done once more, with what is newest", async () => {
  /** @type {string[]} */
  const done = [];
  let value = "", release = () => {};
  const work = latest(async () => {
    const own = value;
    await new Promise((resolve) => { release = () => resolve(undefined); });
    done.push(own);
  });
  value = "a";
  const all = [work()];
  for (value of ["b", "c", "d"]) all.push(work());
  release();
  await new Promise((resolve) => { setTimeout(resolve); });
  release();
  await Promise.all(all);
  deepEqual(done, ["a", "d"]);
});
