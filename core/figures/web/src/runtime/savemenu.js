// The menu with the formats to save, that the button at the end of a picture's last line opens.
/** @import { AnyPicture } from "../types" */
import { m } from "./language.js";
import { element } from "./shared.js";
import { fileOf } from "./files.js";
import { beside, entriesOf, entryAt } from "./menu.js";
import { SAVE_BUTTON, saveButton } from "./savebutton.js";
import { pngOf, save, svgOf } from "./saving.js";

const SAVING = `${SAVE_BUTTON}
.save>:is(.menu,.fault){display:none;position:fixed;inset:auto;margin:0;z-index:10;box-sizing:border-box;
 width:max-content;max-width:min(21em,calc(100vw - 16px));max-height:calc(100vh - 16px);overflow:auto;
 padding:.3em;border:1px solid color-mix(in srgb,currentColor 30%,transparent);border-radius:.5em;
 font-size:.875em;line-height:1.35;text-align:start;
 background:var(--st-background-color,var(--paper));color:var(--st-text-color,var(--ink));
 box-shadow:0 4px 16px rgb(0 0 0/.22)}
.save>.open{display:block}
.save>.fault{padding:.5em .8em}
.menu button{display:flex;gap:.8em;width:100%;align-items:baseline;border:0;border-radius:.3em;opacity:1;
 font-size:1em;padding:.4em .6em;text-align:start;min-height:2em}
.menu .kind{flex:none;min-width:3.2em;font-weight:600;color:inherit}
.menu span{color:color-mix(in srgb,currentColor 75%,transparent)}
.menu button:is(:hover,:focus){background:color-mix(in srgb,currentColor 10%,transparent)}
.menu button:focus-visible{outline-offset:-2px}`;

export class SaveMenu {
  /** Its entries, in order. @type {{ kind: string, about: string }[]} */
  entries = [];
  /** @type {HTMLButtonElement[]} */
  items = [];
  /** How many files are being made. */
  making = 0;

  /**
   * @param {AnyPicture} picture
   * @param {HTMLElement} bar the line that contains it
   */
  constructor(picture, bar) {
    this.picture = picture;
    this.bar = bar;
    this.button = saveButton();
    // A popover is in the top layer of the page, where nothing cuts it off.
    this.menu = element("div", { class: "menu", role: "menu", id: "save", "aria-label": m("Save this picture as"), popover: "manual" });
    this.fault = element("p", { class: "fault", role: "alert", popover: "manual" });
    picture.shadow.append(element("style", {}, SAVING));
    bar.append(this.button, this.menu, this.fault);
    this.offer([]);
    picture.on(this.button, "click", () => (this.isOpen ? this.close() : this.open()));
    picture.on(this.button, "keydown", (event) => this.opens(event));
    picture.on(this.menu, "keydown", (event) => this.key(event));
    picture.on(this.menu, "mousedown", (event) => event.preventDefault()); // the focus stays where the keys are
    picture.on(this.menu, "click", (event) => {
      const path = event.composedPath(), i = this.items.findIndex((item) => path.includes(item));
      if (i >= 0) this.pick(this.entries[i].kind);
    });
    picture.on(bar, "focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !bar.contains(relatedTarget)) this.hide(this.menu);
    });
    const { signal } = picture.life;
    for (const type of ["pointerdown", "keydown"]) {
      document.addEventListener(type, (event) => this.acted(event), { capture: true, signal });
    }
    document.addEventListener("scroll", (event) => event.composedPath().includes(this.menu) || this.moved(), { capture: true, passive: true, signal });
    addEventListener("resize", () => this.moved(), { signal });
  }

  get isOpen() {
    return this.menu.classList.contains("open");
  }

  /**
   * Sets the files that the page makes, besides those that the browser makes itself.
   * @param {Parameters<typeof entriesOf>[0]} files
   */
  offer(files) {
    const entries = entriesOf(files);
    if (JSON.stringify(entries) === JSON.stringify(this.entries)) return;
    const at = this.at();
    this.entries = entries;
    this.items = entries.map(({ kind, about }) => {
      const item = element("button", { type: "button", role: "menuitem", tabindex: "-1" });
      item.append(element("span", { class: "kind" }, kind), " ", element("span", {}, about));
      return item;
    });
    this.menu.replaceChildren(...this.items);
    if (at >= 0) this.items[Math.min(at, this.items.length - 1)].focus();
  }

  /** The index of the entry that has the focus; −1 if none has. */
  at() {
    return this.items.findIndex((item) => item === this.picture.shadow.activeElement);
  }

  open(at = 0) {
    this.show(this.menu);
    this.button.setAttribute("aria-expanded", "true");
    this.items.at(at)?.focus({ preventScroll: true });
  }

  /** The focus goes back to the button. */
  close() {
    this.button.focus({ preventScroll: true });
    this.hide(this.menu);
  }

  /** @param {HTMLElement} box */
  show(box) {
    if (box.classList.contains("open")) return;
    box.classList.add("open");
    box.showPopover?.();
    this.place(box);
  }

  /** @param {HTMLElement} box */
  place(box) {
    const { clientWidth, clientHeight } = document.documentElement, button = this.button.getBoundingClientRect();
    if (button.bottom < 0 || button.top > clientHeight) {
      if (box === this.menu && this.at() >= 0) this.close(); // it has left the window
      else this.hide(box);
      return;
    }
    const to = beside(button, box.getBoundingClientRect(), { width: clientWidth, height: clientHeight });
    Object.assign(box.style, { left: `${to.left}px`, top: `${to.top}px` });
  }

  /** @param {HTMLElement} box */
  hide(box) {
    if (!box.classList.contains("open")) return;
    box.classList.remove("open");
    box.hidePopover?.();
    if (box === this.menu) this.button.setAttribute("aria-expanded", "false");
  }

  /**
   * Handles keys on the button; the browser handles Enter and Space.
   * @param {KeyboardEvent} event
   */
  opens(event) {
    const at = { ArrowDown: 0, ArrowUp: -1 }[event.key];
    if (at === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.open(at);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { key, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey) return;
    if (key === "Tab" || key === "Escape") {
      this.close(); // from the button, the Tab key moves on
      if (key === "Tab") return;
    } else {
      const to = entryAt(key, this.at(), this.entries.map(({ kind }) => kind));
      if (to === null) return;
      this.items[to].focus();
    }
    event.preventDefault();
    event.stopPropagation(); // a page may have keys of its own
  }

  /**
   * Closes the menu after an action of the visitor elsewhere.
   * @param {Event} event
   */
  acted(event) {
    const path = event.composedPath();
    if (!path.includes(this.fault)) this.hide(this.fault);
    if (event.type === "pointerdown" && !path.includes(this.bar)) this.hide(this.menu);
  }

  /** When the page scrolls, the open box stays at its button. */
  moved() {
    for (const box of [this.menu, this.fault]) if (box.classList.contains("open")) this.place(box);
  }

  /** @param {string} kind */
  async pick(kind) {
    this.close();
    this.waits(1);
    try {
      const { blob, name } = await this.made(kind);
      save(blob, name);
    } catch (error) {
      if (this.picture.life.signal.aborted) return;
      this.show(this.fault);
      this.fault.textContent = error instanceof Error ? error.message : String(error);
      this.place(this.fault); // the box changes its size with its text
    } finally {
      this.waits(-1);
    }
  }

  /** @param {string} kind */
  async made(kind) {
    const { picture } = this, own = { PNG: pngOf, SVG: svgOf }[kind];
    if (!own) return fileOf(picture, kind);
    return { blob: await own(picture), name: `${picture.header.file}.${kind.toLowerCase()}` };
  }

  /** @param {number} more */
  waits(more) {
    this.making += more;
    this.button.setAttribute("aria-busy", String(this.making > 0));
  }
}
