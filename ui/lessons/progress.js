// Progress in the lessons, in this browser alone: {lesson: [steps that were shown]} under one key.
//
//   do: "note"    a step is on the screen; where it or its answer is new, the card takes the focus
//   do: "show"    how many steps of a lesson were shown
//   do: "forget"  a button that forgets them all

const KEY = "polysee lessons", CHANGED = "polysee-progress";
let last = null; // what the card showed before, in this document

/** What is kept; nothing where the browser keeps nothing for us. */
const kept = () => {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
};

const keep = (all) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch { /* private windows may refuse */ }
  document.dispatchEvent(new Event(CHANGED));
};

const stepsOf = (lesson) => {
  const steps = kept()[lesson];
  return Array.isArray(steps) ? [...new Set(steps.filter(Number.isInteger))] : [];
};

const note = ({ lesson, step, revealed }) => {
  const steps = stepsOf(lesson);
  if (!steps.includes(step)) keep({ ...kept(), [lesson]: [...steps, step].sort((a, b) => a - b) });
  const now = `${lesson}.${step}.${revealed}`;
  if (last !== null && last !== now) {
    const card = document.querySelector(".st-key-lesson");
    if (card) {
      card.tabIndex = -1;
      card.focus({ preventScroll: true });
      document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
    }
  }
  last = now;
};

const show = (root, { lesson, steps }) => {
  const done = Math.min(stepsOf(lesson).length, steps);
  root.replaceChildren();
  if (!done) return;
  const bar = document.createElement("span"), filled = document.createElement("i");
  bar.className = "bar";
  bar.setAttribute("aria-hidden", "true");
  filled.style.width = `${(100 * done) / steps}%`;
  bar.append(filled);
  const words = done === steps ? "all steps seen" : `${done} of ${steps} steps seen`;
  root.append(bar, words);
};

const forget = (root, { lessons }) => {
  root.replaceChildren();
  if (!lessons.some((lesson) => stepsOf(lesson).length)) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Forget my progress";
  button.addEventListener("click", () => keep({}));
  root.append(button);
};

export default ({ data, parentElement }) => {
  const root = parentElement.querySelector(".polysee-progress");
  parentElement.forget?.();
  parentElement.forget = null;
  if (data.do === "note") {
    note(data);
    return undefined;
  }
  const draw = () => (data.do === "show" ? show(root, data) : forget(root, data));
  draw();
  document.addEventListener(CHANGED, draw);
  parentElement.forget = () => document.removeEventListener(CHANGED, draw);
  return parentElement.forget;
};
