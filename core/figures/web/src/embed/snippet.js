// The control that gives what a page of somebody else needs to show this picture: a frame, or a script that makes one.
/** @import { Made } from "../derive/packed.js" */
import { sentence } from "../derive/sentences.js";
import { fill, h, inline } from "../static/dom.js";
import { embedded } from "./address.js";
import { carried } from "./carried.js";

const AROUND = 130; // pixels of an embedded page around its picture

const escaped = (/** @type {string} */ text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What a page of somebody else needs, each as HTML. @typedef {{ frame: string, script: string }} Snippets */

/** @param {string} tag @param {Readonly<Record<string, string>>} has */
const element = (tag, has) => `<${tag} ${Object.entries(has).map(([name, value]) => `${name}="${escaped(value)}"`).join(" ")}></${tag}>`;

/**
 * The frame, and the script that makes one which fits its content.
 * @param {string} address of the page in its state @param {string} title @param {Made<{ height: number }> | null} made @param {string} root the address of the folder
 * @returns {Promise<Snippets>}
 */
export async function snippets(address, title, made, root) {
  const src = embedded(address, made ? await carried(made) : ""), height = String(Math.ceil((made?.header.height ?? 400) + AROUND));
  return {
    frame: element("iframe", { src, title, width: "100%", height, loading: "lazy", style: "border:0" }),
    script: element("script", { src: `${root}show.js`, "data-address": src, "data-title": title, "data-height": height }),
  };
}

/**
 * A fold with both, of the picture that is there when it is opened.
 * @param {() => Promise<Snippets>} made
 */
export function embedFold(made) {
  const parts = /** @type {const} */ (["frame", "script"]).map((name) => ({ name, ...copied(sentence(`embed.${name}`)) }));
  const node = h("details", { "data-part": "embed", toggle: async () => {
    const found = node.open ? await made() : null;
    for (const { name, area, said } of parts) {
      if (found) area.value = found[name];
      fill(said, []);
    }
  } }, h("summary", {}, sentence("embed.title")), h("p", { class: "quiet" }, ...inline(sentence("embed.about"))), ...parts.map(({ box }) => box));
  return node;
}

/** A text with a button that copies it. @param {string} name */
function copied(name) {
  const area = h("textarea", { rows: "3", readonly: true, "aria-label": name, click: () => area.select() }), said = h("span", { role: "status" });
  const copy = h("button", { type: "button", click: async () => {
    area.select();
    const done = await navigator.clipboard?.writeText(area.value).then(() => true, () => false);
    fill(said, [` ${sentence(done ? "embed.copied" : "embed.selected")}`]);
  } }, sentence("embed.copy"));
  return { area, said, box: h("div", {}, h("p", { class: "quiet" }, name), area, h("p", {}, copy, said)) };
}
