// A page of the folder inside somebody else's page: one picture as it was embedded, and a button that has it computed
// in this tab. Until that is pressed, less than 60 kB are fetched, of which the picture's own script is most
// (`embedded.js` bundles it).
// Each alone, so that a page for others does not bring the whole table along.
import { m } from "../runtime/language.js";
import {
  "embed.computed" as COMPUTED, "embed.live" as LIVE, "embed.none" as NONE, "embed.open" as OPEN,
} from "../../../../sentences/table.json";
import { fill, h } from "../static/dom.js";
import { outside } from "./address.js";
import { arrived } from "./carried.js";

const root = new URL(document.documentElement.dataset.root ?? ".", location.href).href;
/** What the pages read from their link, which says what is shown. */
const TEXTS = ["t", "a", "b"];

/** The texts of the link, as they stand there. */
function texts() {
  const link = new URLSearchParams(location.search);
  return TEXTS.flatMap((name) => link.get(name) ?? []).map((text) => h("p", { class: "embedded-text" }, text));
}

async function begin() {
  document.documentElement.classList.add("embed");
  const main = document.getElementById("main") ?? document.body, drawn = h("div", { class: "drawn" });
  const found = await arrived(location.hash.slice(1)), note = h("p", { class: "quiet" }, m(found ? COMPUTED : NONE));
  const live = h("button", { type: "button", class: "main", click: () => {
    history.replaceState(null, "", location.href.split("#")[0]);
    import(`${root}start.js?live`);
  } }, m(LIVE));
  const away = h("a", { href: outside(location.href), target: "_blank", rel: "noopener" }, m(OPEN));
  // A comparison has its sentences in the picture.
  fill(main, [...(found?.module === "trajectory" ? [] : texts()), ...(found ? [drawn] : []), note, h("p", { class: "ways" }, live, " ", away)]);
  if (!found) return;
  try {
    const { render } = await import(`${root}pictures/embedded/${found.module}.js`);
    render(drawn, { bytes: found.bytes, state: null, autoplay: false, events: [], heard: 0, visit: "tab" }, () => {});
  } catch (error) {
    console.error(error); // whoever made this address made it by hand
    drawn.remove();
  }
}

begin();
