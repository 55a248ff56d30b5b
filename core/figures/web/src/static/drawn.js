// One place of a page where a picture is drawn, by the module that draws it in the app.
/** @import { Emit } from "../types" */
/** @import { Made } from "../derive/packed.js" */
import { packed } from "../derive/packed.js";
import { h } from "./dom.js";

/** The address of the folder, or of each module. @typedef {string | Readonly<Record<string, string>>} Where */
/** @typedef {{ render: (root: HTMLElement, sent: object, emit: Emit) => () => void }} Module */

/**
 * What draws a picture: of a saved page, what it has inside; of the folder, its file there; of the app, its address.
 * @param {string} module @param {Where} root
 * @returns {Promise<Module["render"]>}
 */
async function drawerOf(module, root) {
  const own = /** @type {{ polysee?: Record<string, Module["render"]> }} */ (/** @type {unknown} */ (globalThis)).polysee?.[module];
  if (own) return own;
  /** @type {Module} */
  const { render } = await import(typeof root === "string" ? `${root}pictures/${module}.js` : new URL(root[module], document.baseURI).href);
  return render;
}

export class Drawn {
  #module = "";
  /** The number of the last choice that the page has heard. */
  #heard = 0;
  /** @type {() => void} */
  #remove = () => {};
  #turn = 0;

  /**
   * @param {Where} root
   * @param {Partial<Record<string, (told: any) => void>>} on what to do at each event of a picture
   */
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.node = h("div", { class: "drawn" });
  }

  /**
   * Draws a picture, or the new numbers and choices of the one that is there.
   * @param {Made<{ state?: object, height: number, autoplay?: boolean }>} made
   */
  async show(made) {
    const turn = ++this.#turn;
    const render = await drawerOf(made.module, this.root);
    if (turn !== this.#turn) return; // a later picture has overtaken this one
    if (made.module !== this.#module) {
      this.clear();
      this.#turn = turn;
    }
    this.#module = made.module;
    const { state, autoplay, ...header } = made.header;
    const sent = {
      bytes: packed({ header, payload: made.payload }), state: state ?? null, autoplay: autoplay ?? false,
      events: Object.keys(this.on), heard: this.#heard, visit: "tab",
    };
    this.#remove = render(this.node, sent, (name, told) => {
      if (name === "state") this.#heard = /** @type {{ n: number }} */ (told).n;
      this.on[name]?.(told);
    });
  }

  /** Removes the picture. */
  clear() {
    this.#turn++;
    this.#remove();
    this.#remove = () => {};
    this.#module = "";
    this.#heard = 0;
    this.node.replaceChildren();
  }
}
