// The parts of a picture in the page: all in a shadow root of their own, which keeps styles from leaking.
/** @import { Root } from "../types" */
import { element } from "./shared.js";

const STYLE = `
:host{display:block}
.picture{--page:#fff;--text:#262a30;position:relative;width:100%;overflow:hidden;
 --paper:var(--jp-layout-color0,var(--vscode-editor-background,var(--page)));
 --ink:var(--jp-content-font-color1,var(--vscode-editor-foreground,var(--text)));
 background:var(--st-background-color,var(--paper));
 color:var(--st-text-color,var(--ink));
 font-family:var(--st-font,system-ui,sans-serif)}
@media (prefers-color-scheme:dark){.picture{--page:#0e1117;--text:#e8eaed}}
canvas,svg,.area,.cursor,.near{position:absolute}
svg{direction:ltr;left:0;top:0;width:100%;height:100%;pointer-events:none;text-rendering:geometricPrecision}
.area{outline:none;border-radius:1px;-webkit-tap-highlight-color:transparent}
.area:focus-visible{box-shadow:0 0 0 2px var(--st-primary-color,Highlight)}
.area[data-picks]{cursor:pointer}
.cursor{display:none;pointer-events:none;border:2px solid currentColor;border-radius:2px;
 box-sizing:border-box;box-shadow:0 0 0 1px var(--st-background-color,var(--paper)),
 inset 0 0 0 1px var(--st-background-color,var(--paper))}
.area:focus~.cursor{display:block}
.tip{position:absolute;visibility:hidden;pointer-events:none;max-width:min(20em,92%);padding:.25em .55em;
 border-radius:.3em;background:var(--st-text-color,var(--ink));color:var(--st-background-color,var(--paper));
 font-size:.875em;line-height:1.35;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
button{font:inherit;font-size:.75em;color:inherit;background:none;opacity:.72;cursor:pointer;
 border:1px solid color-mix(in srgb,currentColor 35%,transparent);border-radius:.3em;padding:.15em .5em}
button:hover,button:focus-visible{opacity:1;border-color:currentColor}
button:focus-visible{outline:2px solid var(--st-primary-color,Highlight);outline-offset:1px}
.heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}`;

/**
 * Adds an empty picture to `root`; the parts that can be read or pressed are in reading order.
 * @param {Root} root
 * @param {string} roledescription
 */
export function frameIn(root, roledescription) {
  const host = root.appendChild(element("div"));
  const frame = element("div", { class: "picture" });
  const scene = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  scene.setAttribute("aria-hidden", "true");
  const area = element("div", {
    class: "area", role: "application", tabindex: "0", "aria-roledescription": roledescription,
    "aria-describedby": "keys",
  });
  const cursor = element("div", { class: "cursor" });
  const tip = element("div", { class: "tip", "aria-hidden": "true" });
  const save = element("div", { class: "save" });
  const keys = element("p", { class: "heard", id: "keys" });
  const live = element("div", { class: "heard", role: "status", "aria-live": "polite" });
  const table = element("div", { class: "heard" });
  frame.append(scene, area, cursor, tip, save, keys, live, table);
  const shadow = host.attachShadow({ mode: "open" });
  shadow.append(element("style", {}, STYLE), frame);
  return { host, shadow, frame, scene, area, cursor, tip, save, keys, live, table };
}
