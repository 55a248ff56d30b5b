// What the card of a lesson says beside its answer: whole sentences, each number once, and no prediction that nobody made.
import { test } from "node:test";
import { equal } from "node:assert/strict";
import { lead } from "../../../../core/figures/web/src/static/card.js";

/** @param {any} prediction @param {boolean} saysKey */
const step = (prediction, saysKey = false) => /** @type {any} */ ({ prediction, saysKey });
const side = step({ choices: ["{low}", "{high}"] }), texts = { low: "money", high: "river" };
/** @param {any} of @param {string | undefined} predicted @param {any} answer */
const said = (of, predicted, answer) => lead(of, predicted, answer, texts).replaceAll("\\", "");

test("a choice", () => {
  const answer = { key: "river", value: "river", reveal: "It learned it." };
  equal(said(side, undefined, answer), "The answer is **river**. It learned it.");
  equal(said(side, "1", answer), "You predicted **river**, and that is right. It learned it.");
  equal(said(side, "0", answer), "You predicted **money**, and the model answers otherwise. The answer is **river**. It learned it.");
  equal(said(side, "0", { ...answer, key: "neither" }), "None of the answers offered is right here. The answer is **neither**. It learned it.");
});

test("a number that its reveal names is said once", () => {
  const far = step({ tolerance: 0.5 }, true), answer = { key: "−1.23", value: -1.23, reveal: "It ends up at −1.23." };
  equal(said(far, undefined, answer), "It ends up at −1.23.");
  equal(said(far, "−1", answer), "You predicted **−1**, and that is near enough: anything within 0.5 of the answer counts. It ends up at −1.23.");
  equal(said(far, "-0,9", answer), "You predicted **-0,9**, and that is near enough: anything within 0.5 of the answer counts. It ends up at −1.23.");
  equal(said(far, "3", answer), "You predicted **3**, and the model answers otherwise. It ends up at −1.23.");
  for (const nothing of ["", " ", "about one", "Infinity"]) equal(said(far, nothing, answer), "It ends up at −1.23.");
});

test("a count takes whole numbers alone", () => {
  const count = step({ tolerance: 1, kind: "whole" }, true), answer = { key: "7", value: 7, reveal: "It is 7." };
  equal(said(count, "0.4", answer), "It is 7.");
  equal(said(count, "7.5", answer), "It is 7.");
  equal(said(count, "8", answer), "You predicted **8**, and that is near enough: anything within 1 of the answer counts. It is 7.");
});

test("a click is said by the names of what was clicked", () => {
  const head = step({ click: ["l", "h"], called: ["layer", "head"] }), answer = { key: "layer 1, head 3", value: [1, 3], reveal: "It does." };
  equal(said(head, undefined, answer), "The answer is **layer 1, head 3**. It does.");
  equal(said(head, '["1","3"]', answer), "You predicted **layer 1, head 3**, and that is right. The answer is **layer 1, head 3**. It does.");
  equal(said(head, '["2","5"]', answer), "You predicted **layer 2, head 5**, and the model answers otherwise. The answer is **layer 1, head 3**. It does.");
});
