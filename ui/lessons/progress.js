// Progress in the lessons, in this browser alone: {lesson: [steps that were shown]} under one key, and what was
// answered under another.
//
//   do: "note"    a step is on the screen; where it or its answer is new, its title or its answer takes the focus
//   do: "keep"    a prediction with its answer
//   do: "why"     a box for the reason of a prediction
//   do: "check"   the question before a lesson, and after it with what changed
//   do: "show"    how many steps of a lesson were shown
//   do: "forget"  buttons that save what was answered, and forget it all

const KEY = "polysee lessons", ANSWERS = "polysee lesson answers", CHANGED = "polysee-progress";
let last = null; // what the card showed before, in this document

/** What is kept under a key; nothing where the browser keeps nothing for us. */
const kept = (key = KEY) => {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
};

const keep = (all, key = KEY) => {
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch { /* private windows may refuse */ }
  document.dispatchEvent(new Event(CHANGED));
};

const record = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
const answerOf = (of) => record(kept(ANSWERS)[of]);
const add = (of, more) => keep({ ...kept(ANSWERS), [of]: { ...answerOf(of), ...more } }, ANSWERS);
const checkOf = (lesson) => `${lesson} check`;

const stepsOf = (lesson) => {
  const steps = kept()[lesson];
  return Array.isArray(steps) ? [...new Set(steps.filter(Number.isInteger))] : [];
};

const make = (tag, words = "", set = {}) => Object.assign(document.createElement(tag), { textContent: words }, set);

/** Gives the focus to what is to be read next; where it is not there yet, to the card. */
const take = (one) => {
  one.tabIndex = -1;
  one.focus({ preventScroll: true });
};

const note = ({ lesson, step, revealed }) => {
  const steps = stepsOf(lesson);
  if (!steps.includes(step)) keep({ ...kept(), [lesson]: [...steps, step].sort((a, b) => a - b) });
  const now = `${lesson}.${step}.${revealed}`;
  const card = document.querySelector(".st-key-lesson");
  if (card && last !== null && last !== now) {
    take(card.querySelector(revealed ? ".st-key-lesson-answer p" : "h5") ?? card);
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  }
  last = now;
};

/** Where a lesson is left, its card is gone with the focus: the page's title takes it. */
const leave = () => {
  setTimeout(() => {
    const title = document.querySelector('[data-testid="stMain"] h1');
    if (title && !document.querySelector(".st-key-lesson") && document.activeElement === document.body) take(title);
  }, 800);
};

/** A sentence with what takes the place of each “{name}”, as it stands. */
const filled = (template, values) => template.split("{").map((part, i) => {
  const end = part.indexOf("}");
  return i && end > 0 ? `${values[part.slice(0, end)] ?? ""}${part.slice(end + 1)}` : part;
}).join("");

/** One line of plain text: no control characters, no marks that turn the direction of what follows. */
const plain = (typed, most) => [...typed.replace( // eslint-disable-next-line no-control-regex -- they are what it removes
  /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]+/g, " ")]
  .slice(0, most).join("");

const why = (root, { of, most, words }) => {
  const before = root.querySelector("input");
  if (before && before.dataset.of === of) return; // somebody may be typing in it
  const label = make("label", `${words.why} `), box = make("input", "", { type: "text", maxLength: most, autocomplete: "off" });
  box.dataset.of = of;
  box.placeholder = words.own;
  const told = answerOf(of).why;
  box.value = typeof told === "string" ? plain(told, most) : "";
  box.addEventListener("input", () => add(of, { why: plain(box.value, most) }));
  label.append(box);
  root.replaceChildren(label);
};

/** A box for the words beside the answer of the question before or after; what is typed in it is kept at once. */
const reason = (lesson, moment, question, most, words) => {
  const label = make("label", `${words.why} `, { className: "reason" }), told = answerOf(checkOf(lesson))[`${moment} why`];
  const box = make("input", "", { type: "text", maxLength: most, autocomplete: "off", placeholder: words.own });
  box.setAttribute("aria-label", `${words.why} ${question}`); // the step has such a box of its own
  box.value = typeof told === "string" ? plain(told, most) : "";
  box.addEventListener("input", () => add(checkOf(lesson), { [`${moment} why`]: plain(box.value, most) }));
  label.append(box);
  return label;
};

const check = (root, { lesson, moment, folded, question, answers, right, because, instead, most, words }) => {
  const own = answerOf(checkOf(lesson)), chosen = own[moment];
  const said = (i) => (Number.isInteger(i) && i in answers ? answers[i] : null);
  const now = JSON.stringify([lesson, moment, folded, chosen ?? null, own.before ?? null, question]);
  if (root.drawn === now && root.contains(document.activeElement) && document.activeElement !== root) return; // somebody types, or chooses
  root.drawn = now;
  const heading = moment === "before" ? words.before : words.again;
  if (moment === "before" && said(chosen) !== null) { // two lines: the room is the picture's
    const line = filled(words.answered, { answer: said(chosen) });
    root.replaceChildren(make("p", line, { tabIndex: -1, className: "answered" }), ...(folded ? [] : [reason(lesson, moment, question, most, words)]));
    return;
  }
  const box = make("details", "", { className: `check ${moment}` });
  if (root.folded !== folded) root.querySelector("details")?.remove(); // revealed now: it folds once
  root.folded = folded;
  // A phone has no room for it above a step: it stands there alone (progress.css) until it is answered, or skipped.
  const begins = !stepsOf(lesson).some((step) => step > 1);
  box.open = root.querySelector("details")?.open ?? (moment === "after" || (!folded && (begins || innerWidth > 640)));
  box.append(make("summary", heading));
  if (said(chosen) === null) {
    const group = make("div");
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-label", question);
    box.append(make("p", question), group);
    const answer = (i) => {
      root.chosen = null;
      add(checkOf(lesson), { [moment]: i, asked: question, answers, right });
      root.querySelector("p")?.focus();
    };
    // After the lesson the verdict waits: whoever has read it would copy it as a reason.
    const compare = make("button", words.compare, { type: "button", className: "compare", disabled: !((root.chosen ?? null) in answers) });
    compare.addEventListener("click", () => answer(root.chosen));
    const answered = moment === "before" ? answer : (i) => {
      root.chosen = i;
      compare.disabled = false;
    };
    // The arrow keys walk along the answers, and each that they reach is chosen: it counts only when it is confirmed
    // by Space or Enter, or when the focus goes on.
    let arrow = false, reached = null;
    const confirmed = () => {
      const i = reached;
      reached = null;
      if (i !== null) answered(i);
    };
    group.addEventListener("keydown", (event) => {
      arrow = event.key.startsWith("Arrow");
      if (event.key !== " " && event.key !== "Enter") return;
      if (reached !== null) event.preventDefault(); // or Space would turn a page that has a new line there
      confirmed();
    });
    group.addEventListener("keyup", () => { arrow = false; });
    group.addEventListener("focusout", ({ relatedTarget: to }) => {
      if (to && !group.contains(to)) setTimeout(confirmed);
    });
    answers.forEach((one, i) => {
      const label = make("label"), radio = make("input", "", { type: "radio", name: `${lesson} ${moment}`, value: String(i), checked: root.chosen === i });
      radio.addEventListener("change", () => {
        if (arrow) reached = i;
        else answered(i);
      });
      label.append(radio, ` ${one}`);
      group.append(label);
    });
    box.append(reason(lesson, moment, question, most, words));
    if (moment === "before") {
      const skip = make("button", words.skip, { type: "button", className: "skip" });
      skip.addEventListener("click", () => {
        box.open = false;
        box.querySelector("summary").focus();
      });
      box.append(skip);
    } else box.append(compare);
  } else {
    const first = said(own.before), final = said(chosen), mark = (i) => (i === right ? words.right : words.wrong);
    const which = first === null ? words.once : own.before === chosen ? words.same : words.changed;
    const line = filled(which, { first, last: final, was: mark(own.before), right: mark(chosen) });
    const told = chosen === right ? line : `${line} ${filled(words.instead, { answer: answers[right] })}`;
    box.append(make("p", told, { tabIndex: -1 }), make("p", because));
    // An idea that many have, of the answer that was wrong last.
    const wrong = [chosen, own.before].find((i) => said(i) !== null && i !== right);
    if (wrong !== undefined && instead[wrong]) box.append(make("p", instead[wrong]));
    const before = own["before why"];
    if (typeof before === "string" && before.trim()) box.append(make("p", filled(words.wrote, { words: plain(before, most) })));
    const after = own["after why"];
    if (typeof after === "string" && after.trim()) box.append(make("p", filled(words.writes, { words: plain(after, most) })));
    const again = make("button", words.answerAgain, { type: "button" });
    again.addEventListener("click", () => {
      add(checkOf(lesson), { after: null });
      root.querySelector("input")?.focus();
    });
    box.append(again);
  }
  root.replaceChildren(box);
};

const show = (root, { lesson, steps, words }) => {
  const done = Math.min(stepsOf(lesson).length, steps);
  root.replaceChildren();
  if (!done) return;
  const bar = make("span", "", { className: "bar" }), part = make("i");
  bar.setAttribute("aria-hidden", "true");
  part.style.width = `${(100 * done) / steps}%`;
  bar.append(part);
  root.append(bar, done === steps ? words.all : filled(words.some, { done, steps }));
};

/** What makes a cell one that a spreadsheet does not take for a formula, by the rules of `core/spreadsheet.py`. */
export const inertBy = ({ formula, blank, cuts, number }) => {
  const isNumber = new RegExp(`^(?:${number})$`), formulas = new RegExp(formula, "g"), isBlank = new RegExp(blank);
  const begins = (cell, at) => {
    for (; at && isBlank.test(cell[at - 1]); at -= 1) if (cuts.includes(cell[at - 1])) return true;
    return at === 0 || cuts.includes(cell[at - 1]);
  };
  return (cell) => (isNumber.test(cell) ? cell
    : (/^[\t\r\n]/.test(cell) ? "'" : "") + cell.replace(formulas, (sign, at) => (begins(cell, at) ? `'${sign}` : sign)));
};

/** What was answered as CSV: a row for each step, and one for each question before and after. */
export const table = (answers, lessons, rules) => {
  const inert = inertBy(rules);
  const cell = (value) => `"${inert(plain(String(value ?? ""), 1000)).replaceAll('"', '""')}"`;
  const rows = [["lesson", "step", "question", "prediction", "answer", "holds", "why"]];
  const yes = (right) => (right === true ? "yes" : right === false ? "no" : "");
  for (const [lesson, steps] of Object.entries(lessons)) {
    const asked = record(answers[checkOf(lesson)]), choices = Array.isArray(asked.answers) ? asked.answers : [];
    const told = (moment) => {
      if (!(asked[moment] in choices)) return;
      rows.push([lesson, moment, asked.asked, choices[asked[moment]], choices[asked.right], yes(asked[moment] === asked.right), asked[`${moment} why`]]);
    };
    told("before");
    for (let step = 1; step <= steps; step += 1) {
      for (const of of [`${lesson}.${step}`, `${lesson}.${step}.second`]) {
        const one = record(answers[of]);
        if (one.asked || one.why) rows.push([lesson, of.slice(lesson.length + 1), one.asked, one.predicted, one.model, yes(one.right), one.why]);
      }
    }
    told("after");
  }
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
};

const save = (lessons, rules) => {
  const url = URL.createObjectURL(new Blob(["\ufeff", table(kept(ANSWERS), lessons, rules)], { type: "text/csv" }));
  make("a", "", { href: url, download: "polysee-lessons.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

const forget = (root, { lessons, rules, words }) => {
  root.replaceChildren();
  const answered = Object.keys(kept(ANSWERS)).length > 0;
  if (answered) {
    const button = make("button", words.save, { type: "button" });
    button.addEventListener("click", () => save(lessons, rules));
    root.append(button, " ");
  }
  if (!answered && !Object.keys(lessons).some((lesson) => stepsOf(lesson).length)) return;
  const button = make("button", words.forget, { type: "button" });
  button.addEventListener("click", () => {
    keep({}, ANSWERS);
    keep({});
  });
  root.append(button);
};

const DRAWN = { why, check, show, forget };

export default ({ data, parentElement }) => {
  const root = parentElement.querySelector(".polysee-progress");
  parentElement.forget?.();
  parentElement.forget = null;
  if (data.do === "note") note(data);
  // A lesson that comes after the list of lessons was asked for there.
  if (data.do === "show" && !document.querySelector(".st-key-lesson")) last = "";
  if (data.do === "keep") {
    const before = answerOf(data.of);
    if (Object.entries(data.said).some(([key, value]) => before[key] !== value)) add(data.of, data.said);
  }
  if (!(data.do in DRAWN)) return data.do === "note" ? leave : undefined;
  const draw = () => DRAWN[data.do](root, data);
  draw();
  document.addEventListener(CHANGED, draw);
  parentElement.forget = () => document.removeEventListener(CHANGED, draw);
  return parentElement.forget;
};
