// The language of a page of the folder: what its link says, else what was chosen before, else what the browser prefers
// among those that there are. Its catalogue is there before anything is drawn.
import { current, m } from "../runtime/language.js";

const KEY = "polysee language", LANGUAGE = "lang";

/** What was chosen in this browser; "" for nothing. */
function chosen() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

/** @param {string} code */
function keep(code) {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // it is in the link all the same
  }
}

/**
 * The code of the language that a page has.
 * @param {string} search its address from the question mark on
 * @param {string} before what was chosen before
 * @param {readonly string[]} preferred by the browser, the best first
 * @param {readonly string[]} codes those that there are, English first
 */
export function languageOf(search, before, preferred, codes) {
  const said = new URLSearchParams(search).get(LANGUAGE) ?? "", own = preferred.map((tag) => tag.split("-")[0].toLowerCase());
  return [said, before, ...own].find((code) => codes.includes(code)) ?? codes[0];
}

/** The address of this page in another language. @param {string} address @param {string} code */
export function inLanguage(address, code) {
  const url = new URL(address);
  url.searchParams.set(LANGUAGE, code);
  return url.href;
}

/**
 * Brings the language of this page, and has its frame speak it: the menu, and links to the other languages.
 * @param {string} root the address of the folder
 * @param {boolean} [isEmbedded] in a frame, which shows neither, and needs the words of its pictures alone
 */
export async function speak(root, isEmbedded = false) {
  const names = /** @type {Record<string, string>} */ (JSON.parse(document.documentElement.dataset.languages ?? "{}")), codes = Object.keys(names);
  if (!codes.length) return;
  const said = new URLSearchParams(location.search).get(LANGUAGE) ?? "", code = languageOf(location.search, chosen(), navigator.languages, codes);
  if (codes.includes(said)) keep(said);
  if (code !== codes[0]) {
    // Without its catalogue, a page is English, and says so.
    const brought = await fetch(`${root}${isEmbedded ? "embed" : "language"}.${code}.json`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
    if (brought) Object.assign(globalThis, { polyseeLanguage: brought });
  }
  document.documentElement.lang = current();
  if (isEmbedded) return;
  const menu = document.querySelector("header nav");
  menu?.setAttribute("aria-label", m("Pages"));
  for (const link of menu?.querySelectorAll("a") ?? []) if (link.textContent) link.textContent = m(link.textContent);
  for (const other of codes.filter((one) => one !== current())) {
    const link = Object.assign(document.createElement("a"), { href: inLanguage(location.href, other), textContent: names[other], lang: other, hreflang: other });
    link.addEventListener("click", () => { link.href = inLanguage(location.href, other); }); // where the page has come to
    document.querySelector("header")?.append(link);
  }
}
