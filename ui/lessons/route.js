// The route in the browser. Where a scene is new, its first button takes the focus: what had it is gone, and whoever
// goes by keys would begin at the top of the page. Escape leaves the route, unless it belongs to what has the focus.
//
//   do: "scene"  scene: which one is on the screen; focus: the class of its first button, without "st-key-"
//   do: "own"    box: the name of a text box; own: a number that is new each time the route has led to it

const PATIENCE = 4000; // milliseconds for what takes the focus to come
const ARRIVES = 20_000; // the same where another page comes first
let last = null, led = 0; // the scene, and the number, that had the focus in this document

/** Tries until it succeeds, or patience ends. */
const soon = (act, patience = PATIENCE) => {
  const begun = performance.now();
  const again = () => {
    if (!act() && performance.now() < begun + patience) setTimeout(again, 60);
  };
  again();
};

/** Whether Escape belongs to what has the focus: a picture, a box, a list, a menu. */
const taken = () => {
  const at = document.activeElement;
  if (document.querySelector('[data-testid="stPopoverBody"], [data-baseweb="popover"], [role="dialog"]')) return true;
  return Boolean(at?.shadowRoot) || Boolean(at?.matches("input, textarea, select, [role=application], [role=slider]"));
};

const scene = (root, { scene: name, focus }) => {
  if (last !== name) {
    last = name;
    soon(() => {
      const button = document.querySelector(`.st-key-${focus} button`);
      const words = document.querySelector(".st-key-route-words");
      if (!button || last !== name) return last !== name;
      if (words) {
        words.id = "polysee-route-words"; // what is read aloud with the button
        button.setAttribute("aria-describedby", words.id);
      }
      button.focus({ preventScroll: true });
      return true;
    });
  }
  const leave = (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || taken()) return;
    document.querySelector(".st-key-route-leave button")?.click();
  };
  document.addEventListener("keydown", leave);
  return () => document.removeEventListener("keydown", leave);
};

const own = ({ box, own: count }) => {
  if (led === count) return;
  led = count;
  soon(() => {
    const area = globalThis.polyseeBoxes?.get(box)?.area;
    if (!area?.isConnected) return false;
    area.focus();
    area.select();
    area.scrollIntoView({ block: "center" });
    return true;
  }, ARRIVES);
};

export default ({ data, parentElement }) => {
  parentElement.forget?.();
  parentElement.forget = null;
  if (data.do === "own") own(data);
  else parentElement.forget = scene(parentElement, data);
  return () => parentElement.forget?.();
};
