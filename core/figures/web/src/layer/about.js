// Captions below the picture of a layer: what the heads with lines do, and which heads are similar.
/** @import { AboutHeader } from "../headers" */
/** @import { Layer } from "./layer.js" */
import { m } from "../runtime/language.js";
import { leave } from "../runtime/arrival.js";
import { element, written } from "../runtime/shared.js";
import { MEAN } from "./state.js";

const STYLE = `
.about{color:var(--st-text-color,var(--jp-content-font-color1,var(--vscode-editor-foreground,inherit)));
 font-family:var(--st-font,system-ui,sans-serif);font-size:.875em;line-height:1.5;margin-top:.4em}
.about p{margin:0 0 .3em;opacity:.8}
.about div{display:flex;flex-wrap:wrap;align-items:center;gap:.3em .4em}
.about :is(button,i){font-size:.93em;font-style:normal;opacity:1;min-height:1.85em;padding:.15em .6em}`;

/** @param {?number} value */
const share = (value) => (value === null ? "–" : written(value, { digits: 2 }));
/** @param {string} text */
const bold = (text) => element("b", {}, text);

export class AboutHeads {
  box = element("div", { class: "about" });
  // The content of the current captions.
  /** @type {AboutHeader | undefined} */
  about = undefined;
  /** @type {number[]} */
  heads = [];

  /** @param {Layer} layer */
  constructor(layer) {
    this.layer = layer;
    layer.shadow.append(element("style", {}, STYLE), this.box);
  }

  /** After a choice, or new bytes; the same heads need no new captions. */
  set() {
    const { state, header: { about } } = this.layer;
    const drawn = state.level === "lines" ? state.on : [state.head];
    const heads = !about || drawn.includes(MEAN) ? [] : drawn;
    if (this.about === about && this.heads.join() === heads.join()) return;
    this.about = about;
    this.heads = heads;
    const parts = [];
    if (about && heads.length === 1) parts.push(this.one(about, heads[0]), ...this.#similar(about, heads[0]));
    else if (about && heads.length) parts.push(this.several(about, heads));
    this.box.replaceChildren(...parts);
  }

  /** @param {AboutHeader} about @param {number} head */
  one({ names, scores, typical, note }, head) {
    const words = element("p", {}, m("In head {head}, a token’s attention goes, on average, to: ", { head: head + 1 })), last = names.length - 1;
    names.forEach((name, i) => words.append(i === last ? m(". How evenly, from 0 to 1: ") : `${i ? " · " : ""}${name}: `, bold(share(scores[i][head])),
      typical ? m(" (usually {share})", { share: share(typical[i][head]) }) : ""));
    words.append(m("; at 0 one token gets everything, at 1 all get the same. A token can be several of these at once, so their shares may add up to more than 1. "), typical ? m("“Usually” is in other sentences. ") : "", note);
    return words;
  }

  /** @param {AboutHeader} about @param {number[]} heads */
  several({ names, scores, follows }, heads) {
    /** @type {Map<number, number[]>} */
    const followers = new Map();
    for (const head of heads) {
      const pattern = follows[head];
      if (pattern !== null) followers.set(pattern, [...(followers.get(pattern) ?? []), head]);
    }
    if (!followers.size) return element("p", {}, m("None of these {count} heads follows a pattern.", { count: heads.length }));
    const words = element("p", {}, m("Patterns that these {count} heads follow, with the heads and their scores: ", { count: heads.length }));
    [...followers].forEach(([pattern, those], i) => {
      words.append(i ? " · " : "", `${names[pattern]}: `);
      those.forEach((head, n) => words.append(n ? ", " : "", bold(String(head + 1)), ` (${share(scores[pattern][head])})`));
    });
    words.append(heads.some((head) => follows[head] === null) ? m(". The other heads follow none of these simple patterns.") : ".");
    return words;
  }

  /**
   * The heads that are similar to one, if any: each is a button that opens it; heads of other layers only
   * if there is a page to fetch them from.
   * @param {AboutHeader} about
   * @param {number} head
   */
  #similar({ similar, layer: own }, head) {
    if (!similar[head].length) return [];
    const row = element("div", {}, m("Heads similar to head {head}, as layer·head (1: identical):", { head: head + 1 }));
    for (const [layer, other, cosine] of similar[head]) {
      const text = `${layer + 1}·${other + 1} (${share(cosine)})`;
      if (layer !== own && !this.layer.report.hears) {
        row.append(element("i", {}, text));
        continue;
      }
      const name = m("Open layer {layer}, head {head}", { layer: layer + 1, head: other + 1 });
      const button = element("button", { type: "button", title: name }, text);
      this.layer.on(button, "click", () => (layer === own ? this.#open(other) : this.leave(layer, other)));
      row.append(button);
    }
    return [row];
  }

  /** Keyboard focus moves to the picture, because the button is about to disappear. @param {number} head */
  #open(head) {
    this.layer.area.focus({ preventScroll: true });
    this.layer.update({ level: "head", head });
  }

  /** @param {number} layer @param {number} head */
  leave(layer, head) {
    leave(this.layer);
    this.layer.report.send(0, { open: { layer, head } });
  }
}
