// The box for a text, in the browser. The server's message is `data`:
//
//   text     the content of the box               heard   the number of the last message that it has received
//   visit    the name of the session              lost    the number of the last message that it has discarded
//   kind     the action of Enter (box.py)         pause   milliseconds without a key, or null
//   name     its name on the page
//   label, named, placeholder, most, height: its look
//
// The box sends its text as {n, text}, with a number that counts up: no two messages are equal, and of several
// that wait for a busy server, the last one counts. Three rules (docs/state.md explains them):
//
//   A message that the server sent before it had received everything typed is outdated, and is not shown.
//   If a button and a text reach the server together, the button's text wins. If the visitor typed the text
//   after pressing the button, which only the box knows, the box sends it again.
//   A restarted server knows only the link, which may be older than the screen: the box sends it the text on
//   the screen, unless Back has led elsewhere meanwhile.

// Milliseconds until a message is sent again, because Streamlit drops messages while no server is there. The
// interval doubles each time: each message starts another run, and a long run must be able to finish.
const AGAIN = 3000, SELDOM = 12_000;
const boxes = new WeakMap(); // by their elements
// The boxes of the page by their names, for whatever computes in the page (`core/figures/web/src/device`). A key there is
// the event "polysee-typed"; whoever prevents its default follows the text, and no pause sends it.
const byName = (globalThis.polyseeBoxes ??= new Map());
let count = 0; // of all boxes, to name the hint of each
const shown = new Set(); // the boxes that may be on the page

// After Back and Forward, the address counts, and text that has not been sent yet is discarded.
window.addEventListener("popstate", () => {
  for (const box of shown) {
    if (box.area.isConnected) box.forget();
    else shown.delete(box);
  }
  document.dispatchEvent(new CustomEvent("polysee-back"));
});

/** A text with the line breaks of a text box. */
const plain = (text) => text.replace(/\r\n?/g, "\n");

class Box {
  constructor(root) {
    this.root = root;
    this.area = root.querySelector("textarea");
    this.hint = root.querySelector("small");
    this.status = root.querySelector("p");
    this.hint.id = `polysee-text-${++count}`;
    this.area.setAttribute("aria-describedby", this.hint.id);
    this.visit = null;
    this.n = 0; // of what was told last, by this box or one of its name that has gone
    this.told = -1; // of what this box told last
    this.heard = 0; // what the server has heard of that
    this.said = ""; // what stood in the box when it was told, or when the server put it there
    this.fresh = false; // whether nothing was done elsewhere since it was typed
    this.composing = false;
    shown.add(this);
    const on = (type, then) => this.area.addEventListener(type, then);
    on("keydown", (event) => this.key(event));
    on("beforeinput", (event) => this.oneLine(event));
    on("input", () => this.typed());
    on("blur", () => {
      this.tell();
      this.fresh = false;
    });
    on("compositionstart", () => {
      this.composing = true;
      clearTimeout(this.later);
    });
    on("compositionend", () => {
      this.composing = false;
      this.typed();
    });
  }

  /** Takes a message of the server, and the function that answers it. */
  take(data, answer) {
    this.data = data;
    this.answer = answer;
    this.dress();
    byName.set(data.name, this);
    this.hear(data);
    document.dispatchEvent(new CustomEvent("polysee-box", { detail: { name: data.name } }));
  }

  hear(data) {
    if (data.visit !== this.visit) this.begin();
    else {
      this.heard = Math.max(this.heard, data.heard);
      if (this.n > this.heard || this.isTyped()) return;
      const again = this.fresh && data.lost === this.told;
      this.fresh = this.left = false;
      if (again) this.retell();
      else this.show(data.text);
    }
  }

  /** A session begins, perhaps because the server was killed, or had forgotten the last one. */
  begin() {
    const { data } = this, first = this.visit === null;
    this.visit = data.visit;
    this.n = this.heard = Math.max(this.n, data.heard);
    if (first || this.left) this.show(data.text);
    else this.retell();
    this.left = false;
  }

  /** Sends the text in the box to a server that has another one. */
  retell() {
    this.said = plain(this.data.text);
    this.tell();
  }

  isTyped() {
    return this.composing || this.area.value !== this.said;
  }

  /** What stands in the box. */
  get text() {
    return this.area.value;
  }

  /** Whether the server has this text. */
  get isHeard() {
    return !this.isTyped() && this.n <= this.heard;
  }

  dress() {
    const { label, named, kind, pause, placeholder, hints, most, height } = this.data;
    const { area } = this;
    this.root.toggleAttribute("data-named", named);
    this.root.dataset.kind = kind;
    this.root.querySelector("span").textContent = label;
    this.hint.textContent = pause === null ? hints.applies : hints.follows;
    area.placeholder = placeholder;
    area.enterKeyHint = kind === "lines" ? "enter" : "done";
    if (most === null) area.removeAttribute("maxlength");
    else area.maxLength = most;
    if (this.height !== height) { // or a visitor has drawn it larger
      this.height = height;
      area.style.height = height === null ? "" : `${height - 2}px`;
    }
  }

  show(text) {
    const { area } = this;
    if (area.value !== plain(text)) {
      const { selectionStart, selectionEnd } = area;
      area.value = text;
      if (document.activeElement === area) area.setSelectionRange(selectionStart, selectionEnd);
    }
    this.said = area.value;
    this.grow();
  }

  grow() {
    const { area, data: { hints, most } } = this;
    area.parentElement.dataset.text = area.value;
    const full = most !== null && area.value.length >= most;
    this.status.textContent = full ? hints.full : "";
  }

  tell() {
    clearTimeout(this.later);
    const { area } = this;
    if (this.composing || area.value === this.said || !area.isConnected) return;
    this.n = this.told = Math.max(this.n + 1, Date.now()); // counts up over all boxes that had this name
    this.said = area.value;
    this.say(AGAIN);
  }

  /** After Back, the text in the box counts as one that it only showed, and is not sent. */
  forget() {
    clearTimeout(this.later);
    clearTimeout(this.again);
    this.n = this.heard;
    this.said = this.area.value;
    this.fresh = false;
    this.left = true;
  }

  /** Sends until the server confirms. A busy server merges the messages that wait for it. */
  say(patience) {
    clearTimeout(this.again);
    if (this.n <= this.heard || !this.area.isConnected) return;
    this.answer("typed", { n: this.n, text: this.said });
    this.again = setTimeout(() => this.say(Math.min(2 * patience, SELDOM)), patience);
  }

  typed() {
    const { area, data } = this;
    if (data.kind === "sentence" && !this.composing && area.value.includes("\n")) {
      area.value = area.value.replaceAll("\n", " "); // dropped there: see `oneLine`
    }
    this.grow();
    this.fresh = true;
    this.left = false;
    clearTimeout(this.later);
    const typed = new CustomEvent("polysee-typed", { cancelable: true, detail: { name: data.name } });
    const isFollowed = !document.dispatchEvent(typed);
    if (data.pause === null || this.composing || isFollowed) return;
    this.later = setTimeout(() => this.tell(), data.pause);
  }

  key(event) {
    if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return; // 229: Safari's
    const { kind } = this.data;
    const command = event.ctrlKey || event.metaKey;
    if (kind === "lines" ? !command : kind === "paragraph" && event.shiftKey && !command) return;
    event.preventDefault();
    this.tell();
  }

  /** In a sentence a line break becomes a space, as in a box of one line. */
  oneLine(event) {
    if (this.data.kind !== "sentence") return;
    const { inputType } = event;
    if (inputType === "insertLineBreak" || inputType === "insertParagraph") {
      event.preventDefault();
      this.tell(); // some keyboards on a screen have no key Enter
    } else if (inputType === "insertFromPaste" && /[\r\n]/.test(event.data ?? "")) {
      event.preventDefault();
      // The only way that Ctrl+Z can undo.
      document.execCommand("insertText", false, event.data.replace(/\r\n?|\n/g, " "));
    }
  }
}

export default ({ data, parentElement, setStateValue }) => {
  const root = parentElement.querySelector(".polysee-text");
  if (!boxes.has(root)) boxes.set(root, new Box(root));
  boxes.get(root).take(data, setStateValue);
};
