// The control that gives what a page of somebody else needs to show this picture: a frame.
/** @import { Made } from "../derive/packed.js" */
import { sentence } from "../derive/sentences.js";
import { fill, h, inline } from "../static/dom.js";
import { embedded } from "./address.js";
import { carried } from "./carried.js";

const AROUND = 130; // pixels of an embedded page around its picture

const escaped = (/** @type {string} */ text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * The frame, as HTML.
 * @param {string} address of the page in its state @param {string} title @param {Made<{ height: number }> | null} made
 */
export async function snippet(address, title, made) {
  const has = {
    src: embedded(address, made ? await carried(made) : ""), title, width: "100%",
    height: String(Math.ceil((made?.header.height ?? 400) + AROUND)), loading: "lazy", style: "border:0",
  };
  return `<iframe ${Object.entries(has).map(([name, value]) => `${name}="${escaped(value)}"`).join(" ")}></iframe>`;
}

/**
 * A fold with the frame of the picture that is there when it is opened.
 * @param {() => Promise<string>} made the frame, as HTML
 */
export function embedFold(made) {
  const area = h("textarea", { rows: "4", readonly: true, "aria-label": sentence("embed.frame"), click: () => area.select() });
  const copied = h("span", { role: "status" });
  const copy = h("button", { type: "button", click: async () => {
    area.select();
    const done = await navigator.clipboard?.writeText(area.value).then(() => true, () => false);
    fill(copied, [` ${sentence(done ? "embed.copied" : "embed.selected")}`]);
  } }, sentence("embed.copy"));
  const node = h("details", { "data-part": "embed", toggle: async () => {
    if (node.open) area.value = await made();
    fill(copied, []);
  } }, h("summary", {}, sentence("embed.title")), h("p", { class: "quiet" }, ...inline(sentence("embed.about"))), area, h("p", {}, copy, copied));
  return node;
}
