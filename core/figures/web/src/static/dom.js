// Elements, and sentences in the little Markdown that our pages use: emphasis, code, links, and the two colours of
// the sentences. What a visitor typed is text: no HTML is ever parsed.

/**
 * An element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Readonly<Record<string, string | boolean | ((event: any) => void)>>} [has] attributes; functions listen
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, has = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(has)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (typeof value === "boolean") node.toggleAttribute(name, value);
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const MATHML = "http://www.w3.org/1998/Math/MathML";

/**
 * A formula as elements, from nested lists: the name of an element, perhaps its attributes, and what it has
 * (`tools/mathml.py`).
 * @param {any[]} formula
 */
export function math(formula) {
  const node = document.createElementNS(MATHML, "math");
  node.append(element(formula));
  return node;
}

/** @param {any[]} formula @returns {Element} */
function element([name, ...parts]) {
  const node = document.createElementNS(MATHML, name);
  for (const part of parts) {
    if (Array.isArray(part)) node.append(element(part));
    else if (typeof part === "string") node.append(part);
    else for (const [key, value] of Object.entries(part)) node.setAttribute(key, value);
  }
  return node;
}

const INLINE = /\\([!-/:-@[-`{-~])|`([^`]+)`|\*\*((?:\\.|[^\\])+?)\*\*|\*((?:\\.|[^*\\])+?)\*|:(blue|orange)\[((?:\\.|[^[\]\\])*)\]|\[((?:\\.|[^[\]\\])*)\]\(((?:[^)\s\]]|\](?!\())*)\)/g;

/**
 * A sentence as nodes.
 * @param {string} markdown
 * @param {(address: string) => string | null} [leads] the address of a link; null for none
 * @returns {(Node | string)[]}
 */
export function inline(markdown, leads = () => null) {
  /** @type {(Node | string)[]} */
  const nodes = [];
  let at = 0;
  for (const found of markdown.matchAll(INLINE)) {
    const [all, sign, code, strong, soft, hue, coloured, words, address] = found;
    if (found.index > at) nodes.push(markdown.slice(at, found.index));
    at = found.index + all.length;
    if (sign !== undefined) nodes.push(sign);
    else if (code !== undefined) nodes.push(h("code", {}, code));
    else if (strong !== undefined) nodes.push(h("strong", {}, ...inline(strong, leads)));
    else if (soft !== undefined) nodes.push(h("em", {}, ...inline(soft, leads)));
    else if (hue !== undefined) nodes.push(h("span", { class: hue === "blue" ? "a" : "b" }, ...inline(coloured, leads)));
    else {
      const to = leads(address);
      nodes.push(to === null ? h("span", {}, ...inline(words, leads)) : h("a", { href: to }, ...inline(words, leads)));
    }
  }
  if (at < markdown.length) nodes.push(markdown.slice(at));
  return nodes;
}

/**
 * Paragraphs and lists.
 * @param {string} markdown
 * @param {(address: string) => string | null} [leads]
 */
export function block(markdown, leads) {
  return markdown.split(/\n{2,}/).map((part) => {
    const lines = part.split("\n");
    if (lines.every((line) => line.startsWith("- "))) {
      return h("ul", {}, ...lines.map((line) => h("li", {}, ...inline(line.slice(2), leads))));
    }
    return h("p", {}, ...inline(lines.join(" "), leads));
  });
}

/** Puts nodes in the place of all that an element has. @param {Element} host @param {(Node | string)[]} nodes */
export function fill(host, nodes) {
  host.replaceChildren(...nodes);
}
