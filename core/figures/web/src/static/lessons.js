// The list of lessons, and the pages that only the full app has: each says what it would show.
/** @import { State } from "./link.js" */
/** @import { House } from "./page.js" */
import { sentence } from "../derive/sentences.js";
import { addressOf, card } from "./card.js";
import { h, inline } from "./dom.js";

/** @param {House} house */
export function lessonsPage(house) {
  const { content } = house, words = content.pages.lessons;
  const rows = content.lessons.map((lesson) => h("li", {},
    h("a", { href: addressOf(house, lesson, 1, false), "data-in": true }, `${lesson.number}. ${lesson.title}`),
    h("p", {}, ...inline(lesson.aim)),
    h("p", { class: "quiet" }, `${lesson.minutes} minutes, ${lesson.steps.length} steps; ${sentence("static.live-steps", {
      live: String(lesson.steps.filter(({ answers }) => answers).length), of: String(lesson.steps.length),
    })}`)));
  return h("main", { id: "main", tabindex: "-1" }, h("h1", {}, words.title), h("p", { class: "point" }, ...inline(words.point)),
    h("ol", { class: "lessons" }, ...rows));
}

/**
 * A page that only the full app has, with the card of the lesson that leads there.
 * @param {House} house @param {string} page its address @param {State} state
 */
export function otherPage(house, page, state) {
  const title = house.content.others[page] ?? "Not here", node = h("main", { id: "main", tabindex: "-1" }), made = card(house, page, state);
  const lesson = h("div", { class: "lesson" });
  node.append(h("h1", {}, title), ...(made ? [lesson] : []), h("p", {}, ...inline(sentence("static.page-elsewhere", { page: title }))),
    h("p", {}, h("a", { href: `${house.root}compare/`, "data-in": true }, "Compare"), " · ", h("a", { href: `${house.root}heads/`, "data-in": true }, "Heads"),
      " · ", h("a", { href: `${house.root}lessons/`, "data-in": true }, "Lessons")));
  made?.into(lesson, node);
  return node;
}
