// In the place of the menu with the formats to save, where a picture is embedded: its button alone. The menu is fetched when
// somebody presses it, and takes the place of this one.
/** @import { AnyPicture } from "../types" */
import { SAVE_BUTTON, saveButton } from "../runtime/savebutton.js";
import { element } from "../runtime/shared.js";

/** @typedef {import("../runtime/savemenu.js").SaveMenu} Menu */

export class SaveMenu {
  /** The files that the page makes. @type {Parameters<Menu["offer"]>[0]} */
  files = [];
  /** @type {Promise<Menu> | null} */
  #whole = null;

  /** @param {AnyPicture} picture @param {HTMLElement} bar the line that contains it */
  constructor(picture, bar) {
    this.picture = picture;
    this.bar = bar;
    this.button = saveButton();
    this.style = element("style", {}, SAVE_BUTTON);
    picture.shadow.append(this.style);
    bar.append(this.button);
    picture.on(this.button, "click", async () => (await this.whole()).open());
  }

  /** @param {Parameters<Menu["offer"]>[0]} files */
  offer(files) {
    this.files = files;
    this.#whole?.then((menu) => menu.offer(files), () => {});
  }

  /** @param {string} kind */
  async made(kind) {
    return (await this.whole()).made(kind);
  }

  /** The menu; after a failure, it is asked for again. */
  whole() {
    this.#whole ??= this.#fetched();
    this.#whole.catch(() => (this.#whole = null));
    return this.#whole;
  }

  async #fetched() {
    const { SaveMenu: Whole } = await import("../runtime/savemenu.js");
    this.button.remove();
    this.style.remove();
    const menu = new Whole(this.picture, this.bar);
    menu.offer(this.files);
    return menu;
  }
}
