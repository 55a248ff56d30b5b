// The glossary in the folder: each term with its meaning, an example and its paper. Formulas and code are in the full app.
/** @import { House } from "./page.js" */
import { m } from "../runtime/language.js";
import { sentence } from "../derive/sentences.js";
import { fill, h, inline } from "./dom.js";
import { textBox } from "./page.js";

/**
 * A term, as `tools/static.py` writes it.
 * @typedef {{ name: string, anchor: string, subject: string, also: string[], meaning: string, example: string, link: ?[words: string, address: string], paper: string }} Term
 */

/** @param {House} house @param {URLSearchParams} link its term "g", and its search "f" */
export function glossaryPage(house, link) {
  const { content, root } = house, { title, point } = content.pages.glossary, list = h("div", { class: "terms" });
  const asked = link.get("g") ?? "";
  const show = (/** @type {string} */ typed) => {
    const found = content.terms.filter((term) => matches(term, typed));
    const nodes = found.flatMap((term, i) => [...(term.subject === found[i - 1]?.subject ? [] : [h("h2", {}, term.subject)]), entry(term, root, term.anchor === asked)]);
    fill(list, nodes.length ? nodes : [h("p", {}, sentence("static.no-term"))]);
  };
  const box = textBox(m("Find a term"), (typed) => {
    show(typed);
    history.replaceState(null, "", `${root}glossary/${typed ? `?${new URLSearchParams({ v: "2", f: typed })}` : ""}`);
  });
  box.set(link.get("f") ?? "");
  show(box.area.value);
  const node = h("main", { id: "main", tabindex: "-1" }, h("h1", {}, title), h("p", { class: "point" }, ...inline(point)), box.label, list,
    h("p", { class: "quiet" }, ...inline(sentence("static.formulas"))));
  queueMicrotask(() => list.querySelector(".asked-term")?.scrollIntoView({ block: "center" }));
  return node;
}

/** @param {Term} term @param {string} typed */
const matches = ({ name, also, meaning }, typed) => [name, ...also, meaning].some((one) => one.toLowerCase().includes(typed.trim().toLowerCase()));

/** @param {Term} term @param {string} root @param {boolean} isAsked */
function entry({ name, also, meaning, example, link, paper }, root, isAsked) {
  const to = link && link[1].split("?"), leads = to ? [" ", h("a", { href: `${root}${to[0]}/${to[1] ? `?${to[1]}` : ""}`, "data-in": true }, link[0])] : [];
  return h("section", { class: isAsked ? "asked-term" : "" }, h("p", {}, h("strong", {}, name), also.length ? ` (${also.join(", ")})` : ""), h("p", {}, meaning),
    h("p", {}, h("em", {}, m("For example:")), " ", ...inline(example), ...leads), h("p", { class: "quiet" }, m("Paper: {paper}", { paper })));
}
