// The folder's one script: which page an address means, and how links lead from one to the other without loading
// the model again.
/** @import { Content, House } from "./page.js" */
import { sentence } from "../derive/sentences.js";
import { Compare } from "./compare.js";
import { h } from "./dom.js";
import { glossaryPage } from "./glossary.js";
import { Heads } from "./heads.js";
import { benchOf } from "./bench.js";
import { placeOf } from "./card.js";
import { lessonsPage, otherPage } from "./lessons.js";
import { read } from "./link.js";
import { NextWord } from "./nextword.js";
import { Asks, Room } from "./room.js";
import { Speaks } from "./speaking.js";
import { Embeddings } from "./embeddings.js";
import { Senses } from "./senses.js";
import { StepByStep } from "./steps.js";
import { Training } from "./training.js";
import { keepForOffline } from "./offline.js";
import { current } from "../runtime/language.js";
import FIELDS from "../links/fields.json" with { type: "json" };
import LIMITS from "../links/limits.json" with { type: "json" };
import { asQuery } from "../links/query.js";

const root = new URL(document.documentElement.dataset.root ?? ".", location.href).href;

/** The links of the shell are relative to the first address; from now on they lead there from every address. */
function settleLinks() {
  for (const link of document.querySelectorAll("a[href], link[href]")) {
    link.setAttribute("href", /** @type {HTMLAnchorElement | HTMLLinkElement} */ (link).href);
  }
}

/** @typedef {Compare | Heads | NextWord | StepByStep | Senses | Embeddings | Training} AnyPage */
/** @type {Readonly<Record<string, new (house: House) => AnyPage>>} */
const PAGES = { compare: Compare, heads: Heads, "next-word": NextWord, "step-by-step": StepByStep, senses: Senses, embeddings: Embeddings, training: Training };

/** @type {{ name: string, page: AnyPage } | null} */
let now = null;
/** Pages whose steps in a lesson have their numbers below the card, and not the whole page. */
const BENCHED = ["step-by-step", "senses", "embeddings"];
let leave = () => {}; // what a page that only the full app has computes
/** Where the model of such a page runs. @type {Room<any> | null} */
let elsewhere = null;

/** The field that holds the sentence of each page. @type {Readonly<Record<string, string>>} */
const SENTENCE = FIELDS.sentence;

/**
 * The address of another page, to which a visitor's own sentence and model go along.
 * @param {string} address @param {string} to the page @param {string} from the page that is shown @param {import("./link.js").State} state of that page
 */
function along(address, to, from, state) {
  if (to === from || !SENTENCE[to]) return address;
  const pages = /** @type {Readonly<Record<string, import("./link.js").Field[]>>} */ (FIELDS.pages), own = SENTENCE[from];
  const startOf = (/** @type {string} */ page, /** @type {string} */ key) => pages[page].find(({ url }) => url === key)?.start;
  /** @type {[string, string][]} */
  const kept = state[own] === startOf(from, own) ? [] : [[SENTENCE[to], state[own]]];
  if (state.m !== startOf(from, "m") && startOf(to, "m") === startOf(from, "m")) kept.push(["m", state.m]);
  return kept.length ? `${address}?${asQuery([["v", LIMITS.version], ...kept])}` : address;
}

/** The folder of the page that a link of the menu opens. @param {Element} link */
const pageOf = (link) => (link.getAttribute("href") ?? "").split("/").at(-2) ?? "";

/** @param {House} house */
async function show(house) {
  const path = location.href.slice(root.length).split(/[?#]/)[0], name = path.split("/")[0].replace("index.html", "") || "compare";
  const main = document.getElementById("main");
  for (const link of document.querySelectorAll("nav a")) {
    if (pageOf(link) === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  leave();
  leave = () => {};
  const lesson = new URLSearchParams(location.search).get("lesson") ?? "";
  const step = placeOf(house, lesson)?.step, isBenched = BENCHED.includes(name) || (step?.page === name && benchOf(step) !== null);
  elsewhere = null;
  if (!Object.hasOwn(PAGES, name) || (lesson && isBenched)) {
    now?.page.leave();
    now = null;
    const terms = name === "glossary" && !lesson, other = terms || name === "lessons" ? null : otherPage(house, name, { lesson });
    const life = new AbortController();
    leave = () => life.abort();
    if (other) ({ leave, room: elsewhere } = other);
    const node = other?.node ?? (terms ? glossaryPage(house, new URLSearchParams(location.search)) : lessonsPage(house, life.signal));
    main?.replaceWith(node);
    document.title = `${node.querySelector("h1")?.textContent ?? ""} · Polysee`;
    return;
  }
  if (now?.name !== name) {
    now?.page.leave();
    now = { name, page: new PAGES[name](house) };
    main?.replaceWith(now.page.node);
    document.title = `${now.page.words.title} · Polysee`;
  }
  const { page } = now;
  await page.open(await read(page.fields, location.search));
}

async function begin() {
  settleLinks();
  const name = current() === "en" ? "content.json" : `content.${current()}.json`, answer = await fetch(`${root}${name}`);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  /** @type {Content} */
  const content = await answer.json();
  const room = new Room(root, { offer: "static.offer", graphics: content.graphics, made: (engine, lost) => new Asks(engine, lost) });
  const speaking = new Room(root, { manifest: "smollm2.json", graphics: content.graphics, offer: "static.next-word.offer", small: "static.next-word.small", slow: "static.next-word.slow", made: (engine, lost) => new Speaks(engine, lost) });
  /** @type {House} */
  const house = {
    root, content, room, speaking,
    go: (address) => {
      history.pushState(null, "", address);
      show(house).then(() => beginModel(house));
      document.getElementById("main")?.focus({ preventScroll: true });
      scrollTo(0, 0);
    },
  };
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.("a[data-in], nav a"));
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    house.go(link.closest("nav") && now ? along(link.href, pageOf(link), now.name, now.page.state) : link.href);
  });
  addEventListener("popstate", () => show(house).then(() => beginModel(house)));
  await show(house);
  await keepForOffline(root);
  await beginModel(house);
}

/** Starts the model of the page that is shown, if the browser has it. @param {House} house */
const beginModel = (house) => (now?.page.room ?? elsewhere ?? house.room).begin();

begin().catch((error) => {
  console.error(error);
  document.getElementById("main")?.append(h("p", { class: "wrong", role: "alert" }, sentence("static.no-server")));
});
