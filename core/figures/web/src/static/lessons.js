// The list of lessons, and the pages that only the full app has: each says what it would show.
/** @import { State } from "./link.js" */
/** @import { House } from "./page.js" */
import { m } from "../runtime/language.js";
import { sentence } from "../derive/sentences.js";
import { kept } from "./app_parts.js";
import { Bench, benchOf } from "./bench.js";
import { addressOf, card, isComputed, placeOf } from "./card.js";
import { h, inline } from "./dom.js";

/** @param {House} house @param {AbortSignal} signal ends with the page */
export function lessonsPage(house, signal) {
  const { content } = house, words = content.pages.lessons;
  const rows = content.lessons.map((lesson) => h("li", {},
    h("a", { href: addressOf(house, lesson, 1, false), "data-in": true }, `${lesson.number}. ${lesson.title}`),
    h("p", {}, ...inline(lesson.aim)),
    h("p", { class: "quiet" }, sentence("static.lesson", { minutes: String(lesson.minutes), steps: String(lesson.steps.length), live: sentence("static.live-steps", {
      live: String(lesson.steps.filter((step) => step.live || (isComputed(step) && benchOf(step))).length), of: String(lesson.steps.length),
    }) })), kept(house, { do: "show", lesson: lesson.name, steps: lesson.steps.length }, signal)));
  const steps = Object.fromEntries(content.lessons.map((lesson) => [lesson.name, lesson.steps.length]));
  return h("main", { id: "main", tabindex: "-1" }, h("h1", {}, words.title), h("p", { class: "point" }, ...inline(words.point)),
    h("ol", { class: "lessons" }, ...rows), kept(house, { do: "forget", lessons: steps }, signal), h("h2", {}, content.paper.title),
    h("ul", { class: "paper" }, ...content.paper.pages.map(({ title, file }) => h("li", {}, h("a", { href: `${house.root}${file}` }, title)))));
}

/**
 * A page that only the full app has, with the card of the lesson that leads there.
 * @param {House} house @param {string} page its address @param {State} state
 * @returns {{ node: HTMLElement, leave: () => void, room: import("./room.js").Room<any> | null }} `room`: where its model runs
 */
export function otherPage(house, page, state) {
  const place = placeOf(house, state.lesson), called = place?.step.page === page ? place.step.called : undefined;
  const title = called ?? house.content.others[page] ?? house.content.pages[page]?.title ?? m("Not here"), node = h("main", { id: "main", tabindex: "-1" });
  const lesson = h("div", { class: "lesson" }), typed = /** @type {State} */ ({});
  const show = () => card(house, page, state, typed)?.into(lesson, node, bench?.signal);
  const texts = place && { ...place.lesson.texts, ...(place.second ? place.lesson.second : {}) };
  /** @type {Bench | null} */
  let bench = null;
  bench = place && texts && place.step.page === page ? new Bench(house, place.step, texts, (name, text) => {
    if (text === texts[name]) delete typed[name];
    else typed[name] = text;
    show();
  }) : null;
  node.classList.toggle("in-lesson", Boolean(place));
  node.append(h("h1", {}, title), ...(place ? [lesson] : []), ...(bench ? [bench.node] : [h("p", {}, ...inline(sentence("static.page-elsewhere", { page: title })))]),
    h("p", {}, h("a", { href: `${house.root}compare/`, "data-in": true }, m("Compare")), " · ", h("a", { href: `${house.root}heads/`, "data-in": true }, m("Heads")),
      " · ", h("a", { href: `${house.root}lessons/`, "data-in": true }, m("Lessons"))));
  show();
  if (bench) bench.room?.changed(show, bench.signal);
  return { node, leave: () => bench?.leave(), room: bench?.room ?? null };
}
