import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { completeLayer as complete } from "../../../../core/figures/web/src/derive/layer.js";
import { layerChosen, layerFields, overviewChosen, overviewFields } from "../../../../core/figures/web/src/static/layerlink.js";

const OPEN = { r: "", on: "", h: "", q: "", k: "", pin: "", th: "", ta: "", al: "", s: "", vw: "", so: "" };
const ALL = { x: "0", y: "to", f: "", us: "0", ge: "0", s: "", q: "", k: "" };

test("a link's choices in a layer become a state, and the state the same link", () => {
  for (const link of [
    {}, { r: "head", h: "3", q: "10", k: "2" }, { on: "1.9", pin: "query", q: "5", ta: "0.2" }, { on: "none", h: "mean" },
    { on: "mean", th: "0.3", s: "1", vw: "scores", so: "size" }, { s: "0" }, { al: "1" }, { th: "0.3", al: "0" },
  ]) {
    const state = complete(layerChosen({ ...OPEN, ...link }), 12, 14);
    deepEqual(layerFields(state, complete({}, 12, 14)), { ...OPEN, ...link });
  }
});

test("what nobody could have chosen is left out", () => {
  const state = complete(layerChosen({ ...OPEN, h: "13", q: "15", k: "0", on: "1.99", th: "7", ta: "x", pin: "key" }), 12, 14);
  deepEqual(state, complete({}, 12, 14));
});

test("a token among all heads is the row or the column of a weight, and turns with the direction", () => {
  const told = { token: 3, direction: "to", pattern: 1, typical: true, threshold: 0.35, special: true };
  const to = overviewFields(told, ALL);
  deepEqual(to, { x: "4", y: "to", f: "next", us: "1", ge: "0.35", k: "4", s: "" });
  deepEqual(overviewChosen({ ...ALL, ...to }), told);
  const from = overviewFields({ ...told, direction: "from" }, { ...ALL, ...to });
  equal(from.q, "4");
  equal(from.k, "");
  equal(overviewFields({ ...told, special: false }, ALL).s, "0");
});
