// What the card of a lesson says beside its answer: whole sentences, each number once, and no prediction that nobody made.
import { test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { factsOf, lead, textIn } from "../../../../core/figures/web/src/static/card.js";

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

test("what is drawn of a prediction is what the app draws", () => {
  const kind = (/** @type {any} */ prediction, /** @type {any} */ marks = []) => /** @type {any} */ ({ prediction, marks });
  const number = kind({ tolerance: 2000, kind: "whole", positive: true }, [{ at: 0, name: "{low}" }]);
  deepEqual(factsOf(number, "11520", "11520", { key: "34,560", value: 34560, reveal: "" }, texts, null), {
    kind: "number", predicted: 11520, right: 34560, own: "11,520", key: "34,560", tolerance: 2000, positive: true, marks: [{ at: 0, name: "0 money" }],
  });
  equal(factsOf(number, "", "", { key: "1", value: 1, reveal: "" }, texts, null), null);
  deepEqual(factsOf(kind({ choices: ["{low}", "{high}"] }), "river", "1", { key: "money", value: "money", reveal: "" }, texts, null),
    { kind: "choice", options: ["money", "river"], predicted: "river", right: "money" });
  deepEqual(factsOf(kind({ click: ["l", "h"] }), "", '["1","3"]', { key: "", value: [4, 11], reveal: "" }, texts, [6, 12]),
    { kind: "heads", predicted: ["1", "3"], right: [4, 11], heads: [6, 12] });
  equal(factsOf(kind({ click: ["q", "k"] }), "", '["1","3"]', { key: "", value: [4, 11], reveal: "" }, texts, null), null);
});

test("a text is found in its field, though it stands there twice", () => {
  const own = { own: "one two", n: "25" };
  deepEqual(textIn("{own}", own, "three"), [["own", "three"]]);
  deepEqual(textIn("{own} {own}", own, "a b a b"), [["own", "a b"]]);
  deepEqual(textIn("{own} {own}", own, "typed once"), [["own", "typed once"]]);
  deepEqual(textIn("{own} {own}", own, "a a a"), [["own", "a a a"]]);
  deepEqual(textIn("say {own}!", own, "say x!"), [["own", "x"]]);
  for (const [template, typed] of [["say {own}!", "x"], ["plain", "plain"], ["{own} {n}", "a 1"], ["{other}", "x"]]) deepEqual(textIn(template, own, typed), []);
});
