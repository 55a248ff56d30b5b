// The presenter in the browser: a button that begins it; then its bar, its keys, and which picture is shown.
//
//   do: "offer"    a button: the whole screen is asked for in its click, as browsers want it
//   do: "present"  the bar below the picture

const MARK = "data-presented", TYPED = "data-presented-text";
const BOX = ".polysee-text";
const ASIDE = ".st-key-none-fits"; // a box that only few need: the picture needs its room
const RUNS = '[data-testid="stStatusWidget"]'; // while the page is still drawn
const COMPONENT = '[data-testid="stBidiComponentRegular"]';
const LEAST = 260; // pixels of a picture, however many words stand above it
const SHARE = 0.52; // of the screen, at least: the last row reads it, and the page can be scrolled
const GAP = 14; // pixels between words, picture and bar

const PATIENCE = 2500; // milliseconds for a picture to come, before the whole page is shown in its place

// In the shadow of the picture: no letter is too small, and less stands around what is shown. What the
// underlines of sentences add up to leaves its height to the curve.
const LARGE = new CSSStyleSheet();
LARGE.replaceSync(`
button, .slider .play, .tip {font-size: max(.8rem, .75em) !important;}
.sentences {font-size: .84em; line-height: 1.7;}
.sentence :is(.shares, .sum), .sentences .note {display: none !important;}
.controls:has(.order), .about, .choices[aria-label="Steps"], .controls label:has(select, [type="checkbox"]) {display: none !important;}
`);

const button = (label, act, { about = "", name = "", off = false, key = "", keys = "", hint = "" } = {}) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.disabled = off;
  if (about) made.setAttribute("aria-label", about);
  if (name) made.className = name;
  if (keys) made.setAttribute("aria-keyshortcuts", keys);
  if (hint) made.title = hint;
  if (key) {
    const written = document.createElement("kbd");
    written.textContent = key;
    written.setAttribute("aria-hidden", "true"); // the shortcuts say it
    made.append(" ", written);
  }
  made.addEventListener("click", (event) => {
    if (event.detail) made.blur(); // pressed by a pointer: the next space bar is the clicker's
    act();
  });
  return made;
};

/** The whole screen is the document's: an element's would end when Streamlit draws that element anew. */
const fill = () => {
  if (!document.fullscreenElement) document.documentElement.requestFullscreen?.().catch(() => {});
};

const offer = (root, { label, to }, emit) => {
  root.classList.add("offer");
  root.replaceChildren(button(label, () => {
    fill();
    emit(to);
  }));
  return undefined;
};

const drawsPicture = (one) => [...one.querySelectorAll("*")].some((node) => node.shadowRoot?.querySelector(".picture"));
const gone = (one) => one.closest('[data-stale="true"], details:not([open])') !== null;

/** What is shown of the page: the class's answers, the picture that a step asks about, its own, or all of it where it has none. */
const presented = (page, { answers, alone, picture, covers }, late) => {
  const wall = answers && page.querySelector(".st-key-class");
  if (wall) return wall;
  if (alone) return null; // words are all that there is
  const of = (place) => [...place?.querySelectorAll(COMPONENT) ?? []].filter((one) => drawsPicture(one) && !gone(one));
  const own = picture ? page.querySelector(`.st-key-${picture}`) : null;
  // A step may ask about a part that is not the page's picture: the first part that it covers and that is drawn.
  const asks = own && covers.some((one) => own.matches(one) || own.querySelector(one)) ? [] : covers;
  const asked = asks.flatMap((one) => [...page.querySelectorAll(one)]).flatMap(of)[0];
  const found = asked ?? of(own)[0] ?? own ?? of(page)[0];
  return found ?? (late ? page.querySelector(".st-key-presented-page") : null);
};

/** Whether the boxes for texts are shown. */
let types = false;
// While a class types, its sentences stand in the boxes.
const TYPING = new CSSStyleSheet();
TYPING.replaceSync(".sentences {display: none !important;}");
/** The styles of the shown picture. */
const sheets = () => (types ? [LARGE, TYPING] : [LARGE]);

/** Gives the shadows in `shown` the style for a class, and takes it from all others. */
const dress = (page, shown) => {
  let changed = false;
  for (const one of page.querySelectorAll(`${COMPONENT} *`)) {
    const shadow = one.shadowRoot, wanted = shown?.contains(one) ? sheets() : [];
    if (!shadow) continue;
    const others = shadow.adoptedStyleSheets.filter((sheet) => sheet !== LARGE && sheet !== TYPING);
    if (shadow.adoptedStyleSheets.length === others.length + wanted.length) continue;
    shadow.adoptedStyleSheets = wanted.length ? [...others, ...wanted] : [];
    changed = true;
  }
  // Pictures watch the document's style, and lay themselves out anew.
  const { style } = document.documentElement, turn = Number(style.getPropertyValue("--picture-turn"));
  if (changed) style.setProperty("--picture-turn", String(turn + 1));
};

/** Tells the pictures how high they may be, and how much larger; as always by "". */
const tell = (most, scale) => {
  const { style } = document.documentElement;
  if (style.getPropertyValue("--picture-most") === most && style.getPropertyValue("--picture-scale") === scale) return;
  style.setProperty("--picture-most", most);
  style.setProperty("--picture-scale", scale);
  document.dispatchEvent(new Event("polysee-room"));
};

/** Whether nothing has the focus. */
const free = () => [null, document.body, document.documentElement].includes(document.activeElement);

/** Whether arrow keys belong to what has the focus: a picture, a box, a list. */
const taken = (root) => {
  const at = document.activeElement;
  if (free() || root.contains(at)) return false;
  return Boolean(at.shadowRoot) || at.isContentEditable
    || at.matches("input, textarea, select, [role=application], [role=slider], [role=tab], [role=radio], [role=option], [role=combobox]");
};

const TRIES = 3;
const AGAIN = 3000; // milliseconds: where a step has not come by then, its event was lost among others

/** Until when the first of them takes the focus: it may not be there yet, and the page may be drawn anew. */
let enters = 0;
const ENTERS = 10_000; // milliseconds, or until the visitor does anything else

const STEPS = { PageDown: "next", PageUp: "previous", ArrowRight: "next", ArrowLeft: "previous", " ": "next" };
const ON = "ArrowRight PageDown Space", BACK = "ArrowLeft PageUp";

const present = (root, data, emit) => {
  const life = new AbortController(), { signal } = life, html = document.documentElement;
  const page = document.querySelector(".stMainBlockContainer") ?? document.body;
  let whole = Boolean(document.fullscreenElement), left = false, frame = 0, leaves = 0;
  const begun = performance.now();
  const leave = () => {
    if (left) return;
    left = true;
    if (document.fullscreenElement) document.exitFullscreen?.().catch(() => {});
    const again = () => {
      emit("leave");
      leaves = setTimeout(again, AGAIN); // until the page is drawn without us: the event may be lost among others
    };
    again();
  };
  // The step that is wanted, counted from the last one that was: two quick presses go two steps on.
  const going = () => Number.isInteger(root.goal); // to 0 as well
  if (root.goal === data.at) root.goal = null;
  let waits = 0;
  const ask = () => {
    clearTimeout(waits);
    if (root.tries === TRIES) root.goal = null; // this app has no such page
    if (!going()) return;
    root.tries += 1;
    emit("step", root.goal);
    waits = setTimeout(ask, AGAIN);
  };
  if (going()) waits = setTimeout(ask, AGAIN);
  const go = (to) => {
    const goal = (root.goal ?? data.at) + (to === "next" ? 1 : -1);
    if (goal > data.last && going()) root.later = true; // the last one still comes: it is revealed then
    if (goal < data.first || goal > data.last) return;
    root.goal = goal;
    root.tries = 0;
    ask();
  };
  // Until the page is drawn with its answer: this event may be lost among others, too.
  let asks = 0;
  const reveal = () => {
    clearTimeout(asks);
    if (!data.reveal || root.reveals > TRIES) return;
    asks = setTimeout(reveal, AGAIN);
    if (root.reveals && document.querySelector(RUNS)) return; // it is on its way
    root.reveals += 1;
    emit("reveal");
  };
  if (root.at !== data.at || !data.reveal) root.reveals = 0;
  root.at = data.at;
  if (root.reveals) asks = setTimeout(reveal, AGAIN);
  if (root.later && !going()) {
    root.later = false;
    reveal();
  }
  const first = () => {
    root.reveals = 0;
    reveal();
  };
  // What goes on reveals first: a clicker has no other key. On the way to another step there is nothing to reveal yet.
  const press = (to) => {
    if (to === "next" && data.reveal && !going()) first();
    else go(to);
  };
  const screen = button(data.words.screen, fill);
  root.classList.remove("offer");
  root.setAttribute("role", "toolbar");
  root.setAttribute("aria-label", data.words.bar);
  const rest = document.createElement("span"), at = document.createElement("span");
  rest.className = "rest";
  at.className = "at";
  at.textContent = data.at < 1 ? data.words.before : data.at > data.of ? data.words.after : `${data.at} / ${data.of}`;
  // A page alone has nothing before it and nothing after it.
  const parts = data.last > 1 ? [
    button("◀", () => go("previous"), { about: data.words.previous, off: data.at <= data.first, key: "←", keys: BACK, hint: data.words.back }),
    at,
    button("▶", () => go("next"), {
      about: data.words.next, off: data.at >= data.last, ...(data.reveal ? {} : { key: "→", keys: ON, hint: data.words.on }),
    }),
    rest,
  ] : [rest];
  if (data.reveal) {
    const written = { key: "→", keys: ON, hint: data.words.on };
    parts.push(button(data.words.reveal, first, { name: "first reveals", ...written }));
  }
  if (data.ask) parts.push(button(data.words.ask, () => emit("ask")));
  if (data.room) {
    parts.push(data.answers ? button(data.words.picture, () => emit("picture")) : button(data.words.answers, () => emit("answers")));
  }
  const boxes = () => [...page.querySelectorAll(BOX)].filter((one) => !gone(one) && !one.closest(ASIDE));
  const type = button(data.words.type, () => {
    types = !types;
    enters = types ? performance.now() + ENTERS : 0;
    lay();
  });
  const leaving = button(data.words.leave, leave, { key: "Esc", keys: "Escape" });
  parts.push(type, screen, leaving);
  const focused = [...root.children].indexOf(document.activeElement);
  root.replaceChildren(...parts);
  if (focused >= 0) root.children[Math.min(focused, root.children.length - 1)]?.focus?.();
  let later = 0;
  const lay = () => {
    frame = 0;
    clearTimeout(later);
    const late = performance.now() > begun + PATIENCE, runs = document.querySelector(RUNS) !== null;
    const shown = presented(page, data, late && !runs);
    if (!shown && !data.alone) later = setTimeout(soon, 500);
    for (const one of page.querySelectorAll(`[${MARK}]`)) if (one !== shown) one.removeAttribute(MARK);
    if (shown && !shown.hasAttribute(MARK)) shown.setAttribute(MARK, "");
    const draws = shown?.matches(COMPONENT) ?? false;
    for (const one of page.querySelectorAll(BOX)) one.toggleAttribute(TYPED, types && draws && !gone(one) && !one.closest(ASIDE));
    if (performance.now() < enters) {
      const focus = document.activeElement;
      if (draws && (!focus || focus === document.body || root.contains(focus))) boxes()[0]?.querySelector("textarea")?.focus();
      later = setTimeout(soon, 200);
    }
    type.hidden = !draws || !boxes().length;
    type.setAttribute("aria-pressed", String(types));
    html.toggleAttribute("data-presented-typing", types && draws);
    dress(page, shown);
    screen.hidden = Boolean(document.fullscreenElement) || !document.fullscreenEnabled;
    const words = page.querySelector(".st-key-presented-words"), main = page.closest('[data-testid="stMain"]');
    const top = shown ? shown.getBoundingClientRect().top : words?.getBoundingClientRect().bottom ?? 0;
    const above = top + (main?.scrollTop ?? 0);
    const room = innerHeight - above - root.getBoundingClientRect().height - GAP;
    const most = Math.round(Math.max(LEAST, SHARE * innerHeight, room)), scale = parseFloat(getComputedStyle(html).fontSize) / 16;
    tell(String(most), scale.toFixed(3));
  };
  const soon = () => {
    frame ||= requestAnimationFrame(lay);
  };
  const changes = new MutationObserver(soon);
  changes.observe(page, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-stale", "open"] });
  const sized = new ResizeObserver(soon);
  sized.observe(page);
  const words = page.querySelector(".st-key-presented-words");
  if (words) sized.observe(words);
  addEventListener("resize", soon, { signal });
  document.addEventListener("polysee-picture", soon, { signal });
  const patience = setTimeout(soon, PATIENCE + 100);
  document.addEventListener("fullscreenchange", () => {
    if (whole && !document.fullscreenElement) leave(); // by Escape, which the browser keeps for itself
    whole = Boolean(document.fullscreenElement);
    soon();
  }, { signal });
  document.addEventListener("pointerdown", () => { enters = 0; }, { signal, capture: true });
  document.addEventListener("keydown", (event) => {
    enters = 0;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = STEPS[event.key];
    if (event.key === "Escape") leave();
    if (!to || (event.key.startsWith("Arrow") && taken(root)) || (event.key === " " && !free())) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) press(to);
  }, { signal, capture: true });
  lay();
  return () => {
    life.abort();
    changes.disconnect();
    sized.disconnect();
    cancelAnimationFrame(frame);
    clearTimeout(patience);
    clearTimeout(later);
    clearTimeout(waits);
    clearTimeout(asks);
    clearTimeout(leaves);
    if (!root.isConnected || root.classList.contains("offer")) {
      tell("", "");
      dress(page, null);
      for (const name of [MARK, TYPED]) {
        for (const one of page.querySelectorAll(`[${name}]`)) one.removeAttribute(name);
      }
      types = false;
      enters = 0;
      html.removeAttribute("data-presented-typing");
    }
  };
};

export default ({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".polysee-presenter");
  const emit = (to, step = 0) => setTriggerValue("go", { to, step });
  parentElement.forget?.();
  parentElement.forget = data.do === "offer" ? offer(root, data, emit) : present(root, data, emit);
  return () => {
    parentElement.forget?.();
    parentElement.forget = undefined;
  };
};
