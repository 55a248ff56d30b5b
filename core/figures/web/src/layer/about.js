// What the heads that are drawn do, in words beneath their picture, and the heads that are like one.
import { leave } from "../runtime/arrival.js";
import { element, written } from "../runtime/shared.js";
import { MEAN } from "./state.js";

const SAID = `
.about{color:var(--st-text-color,var(--jp-content-font-color1,var(--vscode-editor-foreground,inherit)));
 font-family:var(--st-font,system-ui,sans-serif);font-size:.875em;line-height:1.5;margin-top:.4em}
.about p{margin:0 0 .3em;opacity:.8}
.about div{display:flex;flex-wrap:wrap;align-items:center;gap:.3em .4em}
.about :is(button,i){font-size:.93em;font-style:normal;opacity:1;min-height:1.85em;padding:.15em .6em}`;

const share = (value) => (value === null ? "–" : written(value, { digits: 2 }));
const bold = (text) => element("b", {}, text);

export class LayerAbout {
  constructor(picture) {
    this.picture = picture;
    this.all = element("div", { class: "about" });
    picture.host.shadowRoot.append(element("style", {}, SAID), this.all);
  }

  /** After a choice, or new bytes; the same heads need no new words. */
  set() {
    const { state, header: { about } } = this.picture;
    const drawn = state.level === "lines" ? state.on : [state.head];
    const shown = !about || drawn.includes(MEAN) ? [] : drawn;
    const same = this.of === about && this.shown?.join() === shown.join();
    Object.assign(this, { of: about, shown });
    if (same) return;
    const parts = [];
    if (shown.length === 1) parts.push(this.one(about, shown[0]), ...this.similar(about, shown[0]));
    else if (shown.length) parts.push(this.several(about, shown));
    this.all.replaceChildren(...parts);
  }

  one({ names, here, usual, also }, head) {
    const said = element("p", {}, `Head ${head + 1} attends to: `);
    names.forEach((name, i) => said.append(i ? " · " : "", `${name} `, bold(share(here[i][head])),
      usual ? ` (usually ${share(usual[i][head])})` : ""));
    said.append(`. ${also}`);
    return said;
  }

  several({ names, here, follows }, heads) {
    const found = new Map();
    for (const head of heads) {
      const which = follows[head];
      if (which !== null) found.set(which, [...(found.get(which) ?? []), head]);
    }
    if (!found.size) return element("p", {}, `None of these ${heads.length} heads follows a pattern.`);
    const said = element("p", {}, `Which of these ${heads.length} heads attend to: `);
    [...found].forEach(([which, those], i) => {
      said.append(i ? " · " : "", `${names[which]}: `);
      those.forEach((head, n) => said.append(n ? ", " : "", bold(String(head + 1)),
        ` (${share(here[which][head])})`));
    });
    const rest = heads.some((head) => follows[head] === null);
    said.append(rest ? ". The others follow no pattern." : ".");
    return said;
  }

  /**
   * The heads that are like one, if there is any other: each a button that opens it; one of another
   * layer only where there is a page to fetch it.
   */
  similar({ similar, layer: own }, head) {
    if (!similar[head].length) return [];
    const { picture } = this, row = element("div", {}, `Like head ${head + 1}, as layer·head (1: the same):`);
    for (const [layer, other, cosine] of similar[head]) {
      const text = `${layer + 1}·${other + 1} (${share(cosine)})`, here = layer === own;
      const opens = here || picture.report.hears;
      const name = `Open layer ${layer + 1}, head ${other + 1}`;
      const one = element(opens ? "button" : "i", opens ? { type: "button", title: name } : {}, text);
      if (opens) {
        picture.on(one, "click", () => (here ? this.open(other) : this.leave(layer, other)));
      }
      row.append(one);
    }
    return [row];
  }

  /** The keys go on in the picture: the button is about to go. */
  open(head) {
    this.picture.area.focus({ preventScroll: true });
    this.picture.go({ level: "head", head });
  }

  leave(layer, head) {
    leave(this.picture);
    this.picture.report.tell(0, { open: { layer, head } });
  }
}
