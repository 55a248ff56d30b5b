// The box for a text, in the browser. What the server tells comes as `data`:
//
//   text     what is to stand in the box          heard   the number of what it has heard last
//   visit    a name that each visit has anew      pause   milliseconds without a key, or null
//   kind     what Enter does (box.py)             label, named, placeholder, most, height: its look
//
// What is typed is told as {n, text}, with a number that counts up: no two are equal, and of several
// that wait for a busy server the last one counts. A server that was begun anew knows the link alone, in
// which the text need not be yet: where the visit is another one, the box tells once more what was typed.

const AGAIN = 3000; // milliseconds; Streamlit drops what is said while no server is there
const boxes = new WeakMap(); // by their elements

/** A text as a box has it. */
const plain = (text) => text.replace(/\r\n?/g, "\n");

class Box {
  constructor(label) {
    this.label = label;
    this.area = label.querySelector("textarea");
    this.visit = null;
    this.n = 0; // of what was told last
    this.heard = 0; // what the server has heard of that
    this.said = ""; // what stood in the box when it was told, or when the server put it there
    this.own = false; // whether that was typed, and not replaced since
    this.composing = false;
    const on = (type, then) => this.area.addEventListener(type, then);
    on("keydown", (event) => this.key(event));
    on("beforeinput", (event) => this.oneLine(event));
    on("input", () => this.typed());
    on("blur", () => this.tell());
    on("compositionstart", () => {
      this.composing = true;
      clearTimeout(this.later);
    });
    on("compositionend", () => {
      this.composing = false;
      this.typed();
    });
  }

  /** What the server tells, and how to answer. */
  take(data, answer) {
    this.data = data;
    this.answer = answer;
    this.dress();
    if (data.visit === this.visit) {
      this.heard = Math.max(this.heard, data.heard);
      if (this.n <= this.heard && !this.isTyped()) this.show(data.text);
      return;
    }
    const mine = this.own || (this.visit !== null && this.isTyped());
    this.visit = data.visit;
    this.n = this.heard = Math.max(this.n, data.heard);
    if (mine) {
      this.said = plain(data.text);
      this.tell();
    } else {
      this.show(data.text);
    }
  }

  isTyped() {
    return this.composing || this.area.value !== this.said;
  }

  dress() {
    const { label, named, kind, placeholder, most, height } = this.data;
    const { area } = this;
    this.label.toggleAttribute("data-named", named);
    this.label.dataset.kind = kind;
    this.label.querySelector("span").textContent = label;
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
      this.own = false;
      const { selectionStart, selectionEnd } = area;
      area.value = text;
      if (document.activeElement === area) area.setSelectionRange(selectionStart, selectionEnd);
    }
    this.said = area.value;
    this.grow();
  }

  grow() {
    this.area.parentElement.dataset.text = this.area.value;
  }

  tell() {
    clearTimeout(this.later);
    const { area } = this;
    if (this.composing || area.value === this.said || !area.isConnected) return;
    this.n = Math.max(this.n + 1, Date.now()); // counts up over all boxes that had this name
    this.said = area.value;
    this.own = true;
    this.say();
  }

  /** Until it is heard. A server that is busy takes what waits for it as one. */
  say() {
    clearTimeout(this.again);
    if (this.n <= this.heard || !this.area.isConnected) return;
    this.answer("typed", { n: this.n, text: this.said });
    this.again = setTimeout(() => this.say(), AGAIN);
  }

  typed() {
    const { area, data } = this;
    if (data.kind === "sentence" && !this.composing && area.value.includes("\n")) {
      area.value = area.value.replaceAll("\n", " "); // dropped there: see `oneLine`
    }
    this.grow();
    clearTimeout(this.later);
    if (data.pause !== null && !this.composing) this.later = setTimeout(() => this.tell(), data.pause);
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
      // The one way that Ctrl+Z can take back.
      document.execCommand("insertText", false, event.data.replace(/\r\n?|\n/g, " "));
    }
  }
}

export default ({ data, parentElement, setStateValue }) => {
  const label = parentElement.querySelector(".polysee-text");
  if (!boxes.has(label)) boxes.set(label, new Box(label));
  boxes.get(label).take(data, setStateValue);
};
