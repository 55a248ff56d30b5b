// The card of a lesson above a page: what to look at, a question, a prediction, the answer. The answers are those that
// the model gave for the lesson's own sentences when the folder was made.
/** @import { State } from "./link.js" */
/** @import { House } from "./page.js" */
import { plain, sentence } from "../derive/sentences.js";
import FIELDS from "../links/fields.json" with { type: "json" };
import { parse } from "../links/formats.js";
import { block, fill, h, inline } from "./dom.js";

const PLACE = /** @type {import("../links/formats.js").Format} */ (FIELDS.pages.compare.find(({ url }) => url === "lesson")?.format);

/**
 * The answer of a step, for the first or the second texts of its lesson.
 * @typedef {object} Answer
 * @property {string} key in words
 * @property {unknown} value
 * @property {string} reveal (Markdown)
 */

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} called the name of its page
 * @property {string} page its address
 * @property {[string, string][]} state the query of its link; values may contain the lesson's texts
 * @property {string} text (Markdown)
 * @property {string} question
 * @property {{ choices?: string[], tolerance?: number, click?: string[] }} prediction
 * @property {string[]} covers
 * @property {[Answer, Answer] | null} answers null for a page that only the full app has
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
 * @property {Step[]} steps
 */

/** What was predicted and revealed in this visit, by step. @type {Map<string, { predicted?: string, revealed?: boolean }>} */
const memory = new Map();

/** @param {string} template @param {State} texts @param {(text: string) => string} [encode] */
const filled = (template, texts, encode = (text) => text) => template.replace(/\{([a-z][a-z0-9_]*)\}/g, (all, name) => (name in texts ? encode(texts[name]) : all));

/** The place that a link names: "one-vector.3" or "one-vector.3.second". @param {House} house @param {string} typed */
export function placeOf({ content }, typed) {
  /** @type {{ name: string, step: number, second: boolean } | null | undefined} */
  const place = parse(PLACE, typed || "");
  const lesson = content.lessons.find((one) => one.name === place?.name);
  return place && lesson ? { lesson, step: lesson.steps[place.step - 1], number: place.step, second: place.second } : null;
}

/** The address of a step. @param {House} house @param {Lesson} lesson @param {number} number @param {boolean} second */
export function addressOf({ root }, lesson, number, second) {
  const step = lesson.steps[number - 1], texts = second ? { ...lesson.texts, ...lesson.second } : lesson.texts;
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
 */
export function card(house, page, state) {
  const place = placeOf(house, state.lesson);
  if (!place) return null;
  const { lesson, step, number, second } = place, own = second ? { ...lesson.texts, ...lesson.second } : lesson.texts;
  const here = step.page === page, live = here && step.answers !== null;
  const bound = here ? step.state.flatMap(([key, value]) => {
    const name = /^\{(\w+)\}$/.exec(value)?.[1];
    return name && name in own && state[key] ? [[name, state[key]]] : [];
  }) : [];
  /** @type {State} */
  const texts = { ...own, ...Object.fromEntries(bound) };
  const id = state.lesson;
  const answer = step.answers?.[second ? 1 : 0] ?? null;
  /** @param {Element} host @param {Element} main */
  const into = (host, main) => {
    const again = () => into(host, main), known = memory.get(id) ?? {};
    const say = (/** @type {string} */ template) => filled(template, texts, plain);
    const link = (/** @type {string} */ words, /** @type {number} */ to, of = second) =>
      h("a", { href: addressOf(house, lesson, to, of), "data-in": true }, words);
    const asked = live && answer ? question(step, { texts, own, state, known, answer, id, again }) : [
      h("p", { class: "asked" }, ...inline(say(step.question))), h("p", {}, ...inline(sentence("static.step-elsewhere", { page: step.called }))),
    ];
    fill(host, [
      h("p", { class: "quiet" }, h("strong", {}, `Lesson ${lesson.number}: ${lesson.title}`), ` · step ${number} of ${lesson.steps.length}`),
      h("h2", {}, step.title),
      h("div", { class: "card" }, h("div", {}, ...block(say(step.text))), h("div", {}, ...asked)),
      h("p", { class: "ways" },
        ...(number > 1 ? [link("Back", number - 1)] : []),
        ...(number < lesson.steps.length ? [link("Next", number + 1)] : []),
        link(second ? "The first sentence" : "Another sentence", number, !second),
        h("a", { href: `${house.root}lessons/`, "data-in": true }, "All lessons")),
    ]);
    const covered = live && !known.revealed ? step.covers : [];
    for (const part of main.querySelectorAll("[data-part]")) {
      const name = /** @type {HTMLElement} */ (part).dataset.part ?? "";
      part.classList.toggle("covered", covered.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name)));
    }
  };
  return { into };
}

/**
 * @param {Step} step
 * @param {{ texts: State, own: State, state: State, known: { predicted?: string, revealed?: boolean }, answer: Answer, id: string, again: () => void }} about
 */
function question(step, { texts, own, state, known, answer, id, again }) {
  const { choices, tolerance, click } = step.prediction;
  const nodes = /** @type {Node[]} */ ([h("p", { class: "asked" }, ...inline(filled(step.question, texts, plain)))]);
  const predict = (/** @type {string} */ predicted) => { memory.set(id, { ...memory.get(id), predicted }); };
  if (choices) {
    nodes.push(h("fieldset", {}, h("legend", { class: "hidden" }, "Your prediction"), ...choices.map((choice) => {
      const words = filled(choice, texts);
      return h("label", {}, h("input", {
        type: "radio", name: `predict ${id}`, value: words, checked: known.predicted === words, disabled: Boolean(known.revealed), change: () => predict(words),
      }), ` ${words}`);
    })));
  } else if (tolerance !== undefined) {
    nodes.push(h("label", {}, "Your prediction: ", h("input", {
      inputmode: "decimal", size: "8", value: known.predicted ?? "", disabled: Boolean(known.revealed),
      input: (/** @type {Event} */ event) => predict(/** @type {HTMLInputElement} */ (event.target).value),
    })));
  } else if (click && !known.revealed) nodes.push(h("p", { class: "quiet" }, sentence("static.predict-in-picture")));
  if (!known.revealed) {
    nodes.push(h("button", { type: "button", class: "main", click: () => {
      const predicted = click ? JSON.stringify(click.map((key) => state[key])) : memory.get(id)?.predicted;
      memory.set(id, { predicted, revealed: true });
      again();
    } }, "Reveal"));
    return nodes;
  }
  const right = holds(step, known.predicted, answer);
  const lead = right === null ? "" : right ? "**Your prediction holds.** " : "**You predicted otherwise.** ";
  nodes.push(h("div", { class: "reveal", role: "status" }, ...block(`${lead}${answer.reveal.startsWith("It is ") ? "" : `**${plain(answer.key)}.** `}${answer.reveal}`)));
  if (JSON.stringify(texts) !== JSON.stringify(own)) nodes.push(h("p", { class: "quiet" }, sentence("static.answer-of-own-text")));
  return nodes;
}

/** Whether a prediction holds; null without one. @param {Step} step @param {string | undefined} predicted @param {Answer} answer */
function holds({ prediction: { choices, tolerance, click } }, predicted, answer) {
  if (!predicted) return null;
  if (choices) return predicted === answer.key;
  if (click) return JSON.stringify(/** @type {number[]} */ (answer.value).map(String)) === predicted;
  const number = Number(predicted.trim().replace("−", "-").replace(",", "."));
  return Number.isFinite(number) && predicted.trim() !== "" ? Math.abs(number - Number(answer.value)) <= (tolerance ?? 0) + 1e-9 : null;
}
