// Which language a page of the folder has, and that its frame speaks it.
import { afterEach, test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { inLanguage, languageOf, speak } from "../../../../core/figures/web/src/embed/language.js";

const CODES = ["en", "de", "fr"], NAMES = { en: "English", de: "Deutsch", fr: "Français" };
const ROOT = "https://x.y/z/", PAGE = `${ROOT}heads/`;
const GERMAN = { language: "de", messages: { Pages: "Seiten", Heads: "Köpfe" }, decimal: ",", group: " ", forms: "" };
const OF_NODE = Object.fromEntries(["document", "location", "localStorage", "navigator", "fetch", "polyseeLanguage"].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));

afterEach(() => {
  for (const [name, own] of Object.entries(OF_NODE)) {
    if (own) Object.defineProperty(globalThis, name, own);
    else delete globalThis[name];
  }
});

/** What a script needs of a page, with the header of the folder's pages. */
function around({ address = PAGE, names = NAMES, kept = {}, preferred = ["en"], storage = true, answer = async () => Response.json(GERMAN) } = {}) {
  const element = (more) => {
    const made = { attributes: {}, inside: [], heard: {}, ...more };
    return Object.assign(made, {
      setAttribute: (name, value) => { made.attributes[name] = value; },
      append: (one) => made.inside.push(one),
      addEventListener: (name, does) => { made.heard[name] = does; },
    });
  };
  const links = [element({ textContent: "Heads" }), element({ textContent: "Untold" }), element({ textContent: "" })];
  const menu = element({ querySelectorAll: () => links }), header = element();
  const root = element({ dataset: names ? { languages: JSON.stringify(names) } : {}, lang: "en" }), asked = [];
  const given = {
    document: { documentElement: root, createElement: () => element(), querySelector: (found) => ({ header, "header nav": menu })[found] },
    location: new URL(address),
    navigator: { languages: preferred },
    fetch: (url) => { asked.push(url); return answer(); },
    localStorage: {
      getItem: (key) => { if (!storage) throw new Error("no storage"); return kept[key] ?? null; },
      setItem: (key, value) => { if (!storage) throw new Error("no storage"); kept[key] = value; },
    },
  };
  for (const [name, value] of Object.entries(given)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return { root, menu, links, header, asked, kept };
}

test("the link is asked first, then what was chosen, then the browser's own, then English", () => {
  equal(languageOf("?v=2&lang=fr", "de", ["en"], CODES), "fr");
  equal(languageOf("?v=2", "de", ["fr"], CODES), "de");
  equal(languageOf("", "", ["it-IT", "FR-ca", "de"], CODES), "fr");
  equal(languageOf("", "", [], CODES), "en");
});

test("a language that is not there is passed over, whoever asks for it", () => {
  equal(languageOf("?lang=xx", "yy", ["zz", "de-CH"], CODES), "de");
  equal(languageOf("?lang=constructor", "../de", ["en"], CODES), "en");
});

test("the address in another language keeps the page's state and place", () => {
  equal(inLanguage(`${PAGE}?v=2&t=a+b&lang=de#c`, "en"), `${PAGE}?v=2&t=a+b&lang=en#c`);
  equal(inLanguage(PAGE, "de"), `${PAGE}?lang=de`);
});

test("an English page fetches no catalogue, and leads to the other languages", async () => {
  const { root, asked, header, links, kept } = around();
  await speak(ROOT);
  deepEqual([asked, root.lang, links[0].textContent, kept], [[], "en", "Heads", {}]);
  deepEqual(header.inside.map(({ textContent, lang, hreflang, href }) => [textContent, lang, hreflang, href]), [
    ["Deutsch", "de", "de", `${PAGE}?lang=de`],
    ["Français", "fr", "fr", `${PAGE}?lang=fr`],
  ]);
});

test("a link leads to the state that the page has come to when it is pressed", async () => {
  const { header } = around();
  await speak(ROOT);
  location.search = "?v=2&t=new";
  header.inside[0].heard.click();
  equal(header.inside[0].href, `${PAGE}?v=2&t=new&lang=de`);
});

test("a page in another language has its catalogue and its menu, and is remembered", async () => {
  const { root, asked, menu, links, header, kept } = around({ address: `${PAGE}?lang=de` });
  await speak(ROOT);
  deepEqual([asked, root.lang, menu.attributes], [[`${ROOT}language.de.json`], "de", { "aria-label": "Seiten" }]);
  deepEqual(links.map(({ textContent }) => textContent), ["Köpfe", "Untold", ""]);
  deepEqual(header.inside.map(({ textContent }) => textContent), ["English", "Français"]);
  const again = around({ kept });
  await speak(ROOT);
  equal(again.root.lang, "de");
});

test("what the browser prefers, or what a link cannot ask for, is not remembered", async () => {
  const german = around({ preferred: ["de-AT"] });
  await speak(ROOT);
  deepEqual([german.root.lang, german.kept], ["de", {}]);
  const nothing = around({ address: `${PAGE}?lang=xx` });
  await speak(ROOT);
  deepEqual(nothing.kept, {});
});

test("a browser that keeps nothing has the language of its link", async () => {
  const { root } = around({ address: `${PAGE}?lang=de`, storage: false });
  await speak(ROOT);
  equal(root.lang, "de");
});

test("a page whose catalogue is missing is English, and says so", async () => {
  const { root, links, header } = around({ address: `${PAGE}?lang=de`, answer: async () => new Response("", { status: 404 }) });
  await speak(ROOT);
  deepEqual([root.lang, links[0].textContent], ["en", "Heads"]);
  deepEqual(header.inside.map(({ lang }) => lang), ["de", "fr"]);
});

test("a page that names no languages asks for none", async () => {
  const { header, asked } = around({ names: null, preferred: ["de"] });
  await speak(ROOT);
  deepEqual([header.inside, asked], [[], []]);
});

test("a catalogue that cannot be fetched leaves the page English, with its links", async () => {
  const { root, header } = around({ address: `${PAGE}?lang=de`, answer: async () => { throw new TypeError("no network"); } });
  await speak(ROOT);
  deepEqual([root.lang, header.inside.length], ["en", 2]);
});

test("a frame brings the words of its pictures alone, and has no menu to speak", async () => {
  const { root, asked, links, header } = around({ address: `${PAGE}?embed&lang=de` });
  await speak(ROOT, true);
  deepEqual([asked, root.lang], [[`${ROOT}embed.de.json`], "de"]);
  deepEqual([links[0].textContent, header.inside], ["Heads", []]);
});
