// The button at the end of a picture's last line, that opens the menu with the formats to save (`savemenu.js`).
import { m } from "./language.js";
import { element } from "./shared.js";

// The icon is a mask over the text colour: nothing has to be fetched for it.
export const SAVE_BUTTON = `
.save{position:absolute;right:0;margin-top:-.125em}
.save>button{display:block;width:1.9em;height:1.5em;font-size:1em;padding:0;border-color:transparent;opacity:.72}
.save>button::before{content:"";display:block;width:16px;height:16px;margin:auto;background:currentColor;
 forced-color-adjust:none;clip-path:path("M7 1h2v7l2.4-2.4L12.8 7 8 11.8 3.2 7l1.4-1.4L7 8zM2 13h12v2H2z")}
.save>button[aria-expanded=true]{opacity:1;border-color:currentColor}
.save>button[aria-busy=true]::before{opacity:.3}`;

/** The button, of a menu that is not open. */
export const saveButton = () => element("button", { type: "button", "aria-label": m("Save this picture"), title: m("Save this picture"),
  "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": "save" });
