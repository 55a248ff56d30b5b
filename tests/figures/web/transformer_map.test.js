import assert from "node:assert/strict";
import { test } from "node:test";

import { said, where } from "../../../ui/page/transformer_map/map.js";

const MINILM = { layers: 6, heads: 12 };

for (const [path, query, part, words] of [
  ["/", {}, "vector", "vector"],
  ["/class/", {}, "vector", "vector"], // behind a proxy
  ["/heads", {}, "layers", "all 6 layers"],
  ["/heads", { l: "3" }, "layer", "layer 3 of 6"],
  ["/heads", { l: "3", h: "5", r: "head" }, "head", "layer 3 of 6, head 5 of 12"],
  ["/heads", { l: "3", h: "5", r: "product" }, "score", "layer 3 of 6, head 5 of 12, q·k"],
  ["/heads", { l: "mean" }, "layers", "all 6 layers"],
  ["/embeddings", { p: "words" }, "embedding", "embedding"],
  ["/embeddings", { p: "words", l: "4" }, "vector", "layer 4 of 6, vector"],
  ["/step-by-step", {}, "tokens", "the tiny model, tokens"],
  ["/step-by-step", { ti: "1" }, "head", "the tiny model, its only layer"],
  ["/step-by-step", { ti: "1", st: "scores" }, "score", "the tiny model, q·k"],
  ["/step-by-step", { q: "2" }, "head", "layer 1 of 6, head 1 of 12"],
  ["/step-by-step", { st: "position" }, "position", "position"],
  ["/step-by-step", { st: "weights", l: "2", h: "7" }, "score", "layer 2 of 6, head 7 of 12, q·k"],
  ["/step-by-step", { st: "norm2", l: "2" }, "layer", "layer 2 of 6"],
  ["/step-by-step", { p: "tokens" }, "tokens", "tokens"],
  ["/glossary", {}, "", ""],
]) {
  test(`${path} ${JSON.stringify(query)} is at ${words || "no part"}`, () => {
    const place = where(path, query);
    assert.equal(place.part, part);
    assert.equal(said(place, MINILM), words);
  });
}

test("a model that is not loaded has no counts yet", () => {
  assert.equal(said(where("/heads", { l: "3" }), { layers: 0, heads: 0 }), "layer 3");
});
