// The card of a lesson above a page: what to look at, a question, a prediction, the answer. The answers to the lesson's
// own sentences are those that the model gave when the folder was made; to others, the tab computes what it can.
/** @import { State } from "./link.js" */
/** @import { House } from "./page.js" */
import { decimal, m } from "../runtime/language.js";
import { Comparer } from "../derive/compare.js";
import { plain, sentence } from "../derive/sentences.js";
import { number as typedNumber } from "../derive/typed.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import FIELDS from "../links/fields.json" with { type: "json" };
import { parse } from "../links/formats.js";
import { block, fill, h, inline } from "./dom.js";
import { answerOf, canCompute, counted, withTexts as filledPlainly } from "./expressions.js";
import { drawn, kept } from "./app_parts.js";
import { learnedOf } from "./learned.js";
import { GivenUp, Spoken } from "./spoken.js";
import { say as tell } from "./words.js";

const PLACE = /** @type {import("../links/formats.js").Format} */ (FIELDS.pages.compare.find(({ url }) => url === "lesson")?.format);

/**
 * The answer of a step, for the first or the second texts of its lesson.
 * @typedef {object} Answer
 * @property {string} key in words; of a click, each value with its name
 * @property {unknown} value
 * @property {string} reveal (Markdown)
 */

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} called the name of its page
 * @property {string} page its address
 * @property {string} model the name of its model
 * @property {import("../copying/net.js").Recipe | null} learns how its model learns, if it does so in a tab
 * @property {[string, string][]} state the query of its link; values may contain the lesson's texts
 * @property {string} text (Markdown)
 * @property {string} question
 * @property {{ choices?: string[], tolerance?: number, kind?: import("../derive/typed.js").Kind, positive?: boolean, click?: string[], called?: string[] }} prediction
 * @property {{ at: number, name: string }[]} marks on the line of a number; a name may contain the lesson's texts
 * @property {string} own the name of the text for which a visitor types one of their own; "" for none
 * @property {string[]} covers
 * @property {string[]} hides what the step leaves out, before the reveal and after it
 * @property {boolean} live whether the folder has its page
 * @property {[string, import("./expressions.js").Tree][]} values of its reveal
 * @property {import("./expressions.js").Tree} key
 * @property {string} reveal (Markdown)
 * @property {boolean} saysKey whether the reveal names the key itself
 * @property {[Answer, Answer] | null} answers null if the model has none
 */

/**
 * @typedef {object} Lesson
 * @property {string} name
 * @property {number} number
 * @property {string} title
 * @property {string} aim
 * @property {number} minutes
 * @property {State} texts
 * @property {State} second
 * @property {[import("./app_parts.js").Asked, import("./app_parts.js").Asked] | null} check the question before and after, with either texts
 * @property {Step[]} steps
 */

/** What was predicted and revealed in this visit, by step, and about which text of a visitor's own. @type {Map<string, { predicted?: string, revealed?: boolean, about?: string }>} */
const memory = new Map();

/** Whether the tab can compute the answer of a step. @param {Step} step */
export const isComputed = ({ values, key, learns }) => [key, ...values.map(([, tree]) => tree)].every((tree) => canCompute(tree, learns !== null));

/** Whether the model of a step predicts the next token. @param {Step} step */
export const isSpoken = ({ model }) => model === CONSTANTS.languageModel;

/** What each card computes now, by its place. @type {WeakMap<Element, AbortController>} */
const computing = new WeakMap();

/** What a model that learns in this tab has of texts. @type {(text: string) => Promise<import("../engine/trace.js").Trace>} */
const noTrace = () => Promise.reject(new Error("no model"));

/** @type {WeakMap<Function, Comparer>} */
const comparers = new WeakMap();
/** @param {(text: string) => Promise<import("../engine/trace.js").Trace>} traceOf */
function comparerOf(traceOf) {
  const known = comparers.get(traceOf) ?? new Comparer(traceOf);
  comparers.set(traceOf, known);
  return known;
}

/** @param {string} template @param {State} texts @param {(text: string) => string} [encode] */
const filled = (template, texts, encode = (text) => text) => template.replace(/\{([a-z][a-z0-9_]*)\}/g, (all, name) => (name in texts ? encode(texts[name]) : all));

/** The place that a link names: "one-vector.3" or "one-vector.3.second". @param {House} house @param {string} typed */
export function placeOf({ content }, typed) {
  /** @type {{ name: string, step: number, second: boolean } | null | undefined} */
  const place = parse(PLACE, typed || "");
  const lesson = content.lessons.find((one) => one.name === place?.name);
  return place && lesson ? { lesson, step: lesson.steps[place.step - 1], number: place.step, second: place.second } : null;
}

/**
 * The text that a field of a link holds for a lesson, "{own}" or one said twice, with its name.
 * @param {string} template @param {State} texts of the lesson @param {string} typed @returns {[string, string][]}
 */
export function textIn(template, texts, typed) {
  const names = [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))], [name] = names;
  if (names.length !== 1 || !(name in texts)) return [];
  const around = template.split(`{${name}}`), count = around.length - 1, long = (typed.length - around.join("").length) / count;
  const text = typed.slice(around[0].length, around[0].length + long);
  if (text && template.replaceAll(`{${name}}`, () => text) === typed) return [[name, text]];
  return count > 1 ? [[name, typed]] : []; // typed once, in the page's own box
}

/** The address of a step. @param {House} house @param {Lesson} lesson @param {number} number @param {boolean} second @param {State} [own] texts of a visitor's */
export function addressOf({ root }, lesson, number, second, own = {}) {
  const step = lesson.steps[number - 1], texts = { ...lesson.texts, ...(second ? lesson.second : {}), ...own };
  const query = new URLSearchParams({
    v: "2", ...Object.fromEntries(step.state.map(([key, value]) => [key, filled(value, texts)])),
    lesson: `${lesson.name}.${number}${second ? ".second" : ""}`,
  });
  return `${root}${step.page}/?${query}`;
}

/**
 * The card of the step that a state names; null outside of a lesson.
 * @param {House} house
 * @param {string} page its address
 * @param {State} state
 * @param {State} [typed] texts of the lesson that a visitor has replaced, on a page that only the full app has
 */
export function card(house, page, state, typed = {}) {
  const place = placeOf(house, state.lesson);
  if (!place) return null;
  const { lesson, step, number, second } = place, own = second ? { ...lesson.texts, ...lesson.second } : lesson.texts;
  const here = step.page === page;
  const bound = here ? step.state.flatMap(([key, value]) => (state[key] ? textIn(value, own, state[key]) : [])) : [];
  /** @type {State} */
  const texts = { ...own, ...Object.fromEntries(bound), ...typed };
  const id = state.lesson, about = step.own ? texts[step.own] ?? "" : "";
  if (memory.get(id)?.revealed && memory.get(id)?.about !== about) memory.delete(id); // a prediction is about its text
  const answer = step.answers?.[second ? 1 : 0] ?? null;
  /** @param {Element} host @param {Element} main @param {AbortSignal} [left] ends with the page */
  const into = (host, main, left) => {
    const again = () => into(host, main, left), known = memory.get(id) ?? {}, life = new AbortController();
    computing.get(host)?.abort(); // of another text, or another step
    computing.set(host, life);
    left?.addEventListener("abort", () => life.abort(), { once: true });
    const say = (/** @type {string} */ template) => filled(template, texts, plain);
    const link = (/** @type {string} */ words, /** @type {number} */ to, of = second) =>
      h("a", { href: addressOf(house, lesson, to, of), "data-in": true }, words);
    const check = here && answer ? lesson.check?.[second ? 1 : 0] ?? null : null;
    const ask = (/** @type {"before" | "after"} */ moment) => kept(house, { do: "check", lesson: lesson.name, moment, folded: moment === "before" && Boolean(known.revealed), ...check }, life.signal);
    const asked = here && answer ? question(house, step, { about, texts, own, state, known, answer, id, again, signal: life.signal }) : [
      h("p", { class: "asked" }, ...inline(say(step.question))), h("p", {}, ...inline(tell("elsewhere", { page: step.called }))),
    ];
    // Of a text that the page's own box has as it is, there is no second one.
    const typesHere = here && step.live && step.own !== "" && step.state.every(([, value]) => value !== `{${step.own}}`);
    const box = h("input", { type: "text", value: texts[step.own] ?? "", change: () => house.go(addressOf(house, lesson, number, second, { [step.own]: box.value.trim() || own[step.own] })) });
    fill(host, [
      h("p", { class: "quiet" }, h("strong", {}, m("Lesson {number}: {title}", { number: lesson.number, title: lesson.title })), " · ", m("step {number} of {count}", { number, count: lesson.steps.length })),
      h("h2", {}, step.title),
      // The question before stands above the words: they say its answer.
      h("div", { class: "card" }, h("div", {}, ...(check && number === 1 ? [ask("before")] : []), ...block(say(step.text)), ...(typesHere ? [h("label", {}, h("span", {}, m("Your own text")), box)] : [])), h("div", {}, ...asked, ...(check && number === lesson.steps.length ? [known.revealed ? ask("after") : h("p", { class: "quiet" }, ...inline(sentence("lesson.waits")))] : []))),
      h("p", { class: "ways" },
        ...(number > 1 ? [link(m("Back"), number - 1)] : []),
        ...(number < lesson.steps.length ? [link(m("Next"), number + 1)] : []),
        link(second ? m("The first sentence") : m("Another sentence"), number, !second),
        h("a", { href: `${house.root}lessons/`, "data-in": true }, m("All lessons"))),
    ]);
    kept(house, { do: "note", lesson: lesson.name, step: number, revealed: Boolean(known.revealed) }, life.signal);
    const parts = /** @type {HTMLElement[]} */ ([...main.querySelectorAll("[data-part]")]);
    const asksHere = parts.some((part) => among(part, step.covers));
    const covered = here && answer && !known.revealed ? [...step.covers, "bench"] : [];
    // A part that the folder lacks, such as a cut, leaves nothing in the place of what it was to replace.
    const out = here && asksHere ? step.hides : [];
    document.documentElement.style.setProperty("--polysee-sentences", out.includes("trajectory-words") ? "none" : "");
    for (const part of parts) {
      part.classList.toggle("covered", among(part, covered));
      part.classList.toggle("left-out", among(part, out));
    }
  };
  return { into };
}

/** @param {HTMLElement} part @param {string[]} names those that end in * are beginnings */
function among({ dataset: { part: name = "" } }, names) {
  return names.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name));
}

/**
 * @param {House} house
 * @param {Step} step
 * @param {{ about: string, texts: State, own: State, state: State, known: { predicted?: string, revealed?: boolean }, answer: Answer, id: string, again: () => void, signal: AbortSignal }} about
 */
function question(house, step, { about, texts, own, state, known, answer, id, again, signal }) {
  const { choices, tolerance, kind, click } = step.prediction;
  const nodes = /** @type {Node[]} */ ([h("p", { class: "asked" }, ...inline(filled(step.question, texts, plain)))]), why = kept(house, { do: "why", of: id }, signal);
  const predict = (/** @type {string} */ predicted) => { memory.set(id, { ...memory.get(id), predicted }); };
  const isDrawn = Boolean(known.revealed) && known.predicted !== undefined; // with the answer, below
  if (choices && !isDrawn) {
    nodes.push(h("fieldset", {}, h("legend", { class: "hidden" }, m("Your prediction")), ...choices.map((choice, i) => {
      return h("label", {}, h("input", {
        type: "radio", name: `predict ${id}`, value: String(i), checked: known.predicted === String(i), disabled: Boolean(known.revealed), change: () => predict(String(i)),
      }), ` ${filled(choice, texts)}`);
    })));
  } else if (tolerance !== undefined && !isDrawn) {
    nodes.push(h("label", {}, m("Your prediction"), ": ", h("input", {
      type: "text", size: "8", value: known.predicted ?? "", disabled: Boolean(known.revealed),
      input: (/** @type {Event} */ event) => predict(/** @type {HTMLInputElement} */ (event.target).value),
    })));
  } else if (click && !known.revealed) nodes.push(h("p", { class: "quiet" }, sentence("static.predict-in-picture")));
  if (!known.revealed) {
    const wrong = h("p", { class: "quiet", role: "status" });
    nodes.push(wrong, h("button", { type: "button", class: "main", click: () => {
      const predicted = click ? clicked(step, click, state) : memory.get(id)?.predicted;
      if (tolerance !== undefined && predicted?.trim() && typedNumber(predicted, kind ?? "number") === null) {
        wrong.textContent = sentence(`typed.${kind ?? "number"}`);
        return;
      }
      // What is clicked needs its picture, which is here where the model runs on its page.
      if (!predicted?.trim() && (!click || (step.live && (isSpoken(step) ? house.speaking : house.room).model))) {
        fill(wrong, inline(click ? sentence("static.predict-in-picture") : m("Make a prediction first. A wrong one costs you nothing.")));
        return;
      }
      memory.set(id, { predicted, revealed: true, about });
      again();
    } }, m("Reveal")), why);
    return nodes;
  }
  const told = h("div", { class: "reveal", role: "status" }), on = h("div"), note = h("p", { class: "quiet" });
  const show = (/** @type {Answer} */ found, /** @type {string} */ said) => {
    fill(told, block(lead(step, known.predicted, found, texts)));
    fill(note, inline(said));
    const { own: predicted, right } = judged(step, known.predicted, found, texts);
    const facts = right === null ? null : factsOf(step, predicted, known.predicted, found, texts, house.content.models.find(({ name }) => name === step.model)?.heads ?? null);
    fill(on, facts ? [drawn(house, facts, signal)] : []);
    if (right !== null) kept(house, { do: "keep", of: id, said: { asked: filledPlainly(step.question, texts), predicted, model: found.key, right } }, signal);
  };
  nodes.push(told, on, note, h("button", { type: "button", click: () => {
    memory.set(id, { ...(click ? {} : { predicted: known.predicted }) });
    again();
  } }, known.predicted === undefined ? m("Hide the answer") : m("Predict again")), why);
  const isOwn = JSON.stringify(texts) === JSON.stringify(own); // the lesson's
  if (isOwn && !isSpoken(step) && !step.learns) show(answer, "");
  else answered(house, step, texts, answer, { isOwn, signal, told }).then((made) => {
    if (signal.aborted || !made) return;
    if (made.found) show(made.found, made.said);
    else fill(told, [h("p", {}, made.said)]);
  });
  return nodes;
}

/**
 * The answer to these texts, and what is to be said of it; null if nobody waits any more.
 * @param {House} house @param {Step} step @param {State} texts @param {Answer} stored
 * @param {{ isOwn: boolean, signal: AbortSignal, told: Element }} how `isOwn`: whether the texts are the lesson's; `told`: where it says that it computes
 * @returns {Promise<{ found: Answer | null, said: string } | null>}
 */
async function answered({ root, room, speaking, content }, step, texts, stored, { isOwn, signal, told }) {
  if (!isComputed(step)) return { found: stored, said: isOwn ? "" : tell("ofLesson") };
  const speaks = isSpoken(step) ? speaking.model : null, model = isSpoken(step) ? speaks : room.model, learning = step.learns && learnedOf(root, step.learns);
  if (!model && !learning) return { found: stored, said: tell(isOwn ? "recorded" : "noModel") };
  const traceOf = model?.traceOf ?? noTrace, bar = h("progress", { "aria-label": tell(learning ? "learning" : "computing") });
  const heard = (/** @type {number} */ done, /** @type {number} */ of) => { bar.value = Math.min(1, done / of); };
  if (speaks || learning) fill(told, [h("p", { class: "quiet" }, bar, " ", tell(learning ? "learning" : "computing"))]);
  const spoken = speaks && new Spoken(speaks, content.repeated, { signal, heard }), learned = learning && ((/** @type {number} */ after) => learning.at(after, { signal, heard }));
  try {
    const made = await answerOf(step, { traceOf: (text) => (spoken ? spoken.trace(text) : traceOf(text)), comparer: comparerOf(traceOf), vocabulary: spoken?.shape.vocabulary ?? content.vocabulary, spoken, learned }, texts, plain);
    return { found: { ...made, key: inWords(step, made) }, said: tell(learning ? "ofLearning" : isOwn ? "ofTab" : "ofOwn") };
  } catch (error) {
    if (error instanceof GivenUp) return null;
    console.warn(error); // a word of the question is not in this text, or the model has stopped
    return isOwn ? { found: stored, said: tell("recorded") } : { found: null, said: tell(/** @type {Error} */ (error).name === "TextRefused" ? "refused" : "failed") };
  }
}

/** @param {Step} step @param {{ key: string, value: unknown }} answer */
const inWords = ({ prediction: { called } }, { key, value }) => (called ? called.map((name, i) => `${name} ${/** @type {number[]} */ (value)[i]}`).join(", ") : key);

/** What is chosen in the picture, by the keys of the link; undefined where it is as the step opened. @param {Step} step @param {string[]} keys @param {State} state */
function clicked(step, keys, state) {
  const opened = Object.fromEntries(step.state), fields = /** @type {Readonly<Record<string, import("./link.js").Field[]>>} */ (FIELDS.pages)[step.page] ?? [];
  const before = keys.map((key) => opened[key] ?? fields.find(({ url }) => url === key)?.leftOut), now = keys.map((key) => state[key]);
  return JSON.stringify(before) === JSON.stringify(now) ? undefined : JSON.stringify(now);
}

/**
 * What stands beside the answer, as in `core/lessons/told.py`: the prediction, if there was one, and whether it holds; then the answer, once.
 * @param {Step} step @param {string | undefined} predicted @param {Answer} answer @param {State} texts
 */
export function lead(step, predicted, answer, texts) {
  const { choices, tolerance, called } = step.prediction, { own: predictedWords, right, exact, offered } = judged(step, predicted, answer, texts);
  const own = plain(predictedWords), key = sentence("lesson.answer", { key: plain(answer.key) }), saysKey = step.saysKey && !called;
  const verdict = right === null ? "" : right ? sentence(tolerance ? (exact ? "lesson.exactly" : "lesson.within") : "lesson.holds", { own, by: decimal(String(tolerance)) }) : sentence("lesson.otherwise", { own });
  return [offered ? verdict : sentence("lesson.none"), offered && (saysKey || (right && choices)) ? "" : key, answer.reveal].filter(Boolean).join(" ");
}

/**
 * A prediction in words, whether it holds (null without one) and is the answer itself, and whether the answer was among those offered.
 * @param {Step} step @param {string | undefined} predicted @param {Answer} answer @param {State} texts
 */
function judged(step, predicted, answer, texts) {
  const { choices, called } = step.prediction, options = (choices ?? []).map((one) => filledPlainly(one, texts));
  const own = called ? called.map((name, i) => `${name} ${JSON.parse(predicted ?? "[]")[i]}`).join(", ") : choices ? options[Number(predicted)] ?? "" : (predicted ?? "").trim();
  const exact = typedNumber(predicted ?? "", step.prediction.kind ?? "number") === answer.value;
  return { own, right: holds(step, predicted, answer, options), exact, offered: !choices || options.includes(answer.key) };
}

/**
 * What is drawn of a prediction and the answer, as `ui/lessons/drawn.py` has it; null if they cannot be drawn.
 * @param {Step} step @param {string} own the prediction in words @param {string | undefined} predicted @param {Answer} answer @param {State} texts
 * @param {[number, number] | null} heads how many layers the model has, and heads in each
 */
export function factsOf({ prediction: { choices, tolerance, positive, kind, click }, marks }, own, predicted, answer, texts, heads) {
  if (choices) return { kind: "choice", options: choices.map((one) => filledPlainly(one, texts)), predicted: own, right: answer.key };
  if (click) return click.join() === "l,h" ? { kind: "heads", predicted: JSON.parse(predicted ?? "[]"), right: answer.value, heads } : null;
  const typed = typedNumber(predicted ?? "", kind ?? "number");
  if (typed === null || typeof answer.value !== "number") return null;
  const named = marks.map(({ at, name }) => ({ at, name: `${counted(at)} ${filledPlainly(name, texts)}` }));
  return { kind: "number", predicted: typed, right: answer.value, own: counted(typed), key: counted(answer.value), tolerance, positive, marks: named };
}

/** Whether a prediction holds; null without one. @param {Step} step @param {string | undefined} predicted @param {Answer} answer @param {string[]} options */
function holds({ prediction: { choices, tolerance, kind, click } }, predicted, answer, options) {
  if (!predicted?.trim()) return null;
  if (choices) return options[Number(predicted)] === answer.key;
  if (click) return JSON.stringify(/** @type {number[]} */ (answer.value).map(String)) === predicted;
  const found = typedNumber(predicted, kind ?? "number");
  return found === null ? null : Math.abs(found - Number(answer.value)) <= (tolerance ?? 0) + 1e-9;
}
