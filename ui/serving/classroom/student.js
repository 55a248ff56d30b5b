"use strict";
// A student's page: shows the question of the room, sends an answer, which may change, and waits for the reveal.
(() => {
  const WAIT = 1500; // milliseconds between two looks at the room
  const PAUSE = 1000; // without a letter, after which a reason is sent
  const at = (name) => document.getElementById(name);
  const WORDS = JSON.parse(document.querySelector("main").dataset.words);
  const here = location.pathname.replace(/\/$/, "");
  let shown = null; // what is on the screen, as text
  let asked = -1; // the round on the screen
  let over = false;

  const make = (tag, words, set = {}) => {
    const made = document.createElement(tag);
    made.textContent = words;
    return Object.assign(made, set);
  };

  /** A sentence with what takes the place of each “{name}”, as it stands. */
  const filled = (template, values) => template.split("{").map((part, i) => {
    const end = part.indexOf("}");
    return i && end > 0 ? `${values[part.slice(0, end)] ?? ""}${part.slice(end + 1)}` : part;
  }).join("");

  const say = (words) => {
    if (at("state").textContent !== words) at("state").textContent = words;
  };

  /** Something that was written in the lesson's language, which is not always this page's. */
  const theirs = (made, { language }) => Object.assign(made, { lang: language });

  const reason = at("why").querySelector("input");
  let now = null; // the room on the screen
  let reasoned = false; // whether a reason was typed since this page was opened: a reload must not erase the last one
  let late = false; // whether a reason was ready while its answer was still on its way, and has to follow it
  let unsent = false; // whether the box has what the server does not
  let pause = 0;
  let going = null; // the answer that is on its way
  const saved = at("saved");
  /** A reason that comes after its answer goes with it once more. */
  const follow = (wait) => {
    clearTimeout(pause);
    if (!unsent) return;
    if (going === null && now && now.given !== null && now.reveal === null) {
      pause = setTimeout(() => send(now, now.given, null), wait);
    } else late = true;
  };
  /** Empties the box of the reason. */
  const emptied = () => {
    reason.value = saved.textContent = "";
    reasoned = true;
    unsent = false;
  };
  reason.addEventListener("input", () => {
    reasoned = unsent = true;
    saved.textContent = "";
    follow(PAUSE);
  });
  // A click on another answer is under way where it made the box lose the focus: its button stays.
  reason.addEventListener("change", () => follow(300));
  addEventListener("pagehide", () => {
    const answer = going ?? now?.given ?? null;
    if (unsent && answer !== null && now.reveal === null) post(now, answer, true).catch(() => {});
  });

  const post = (room, answer, keepalive = false) => fetch(`${here}/vote`, {
    method: "POST",
    keepalive,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ round: room.round, answer, ...(reasoned ? { why: reason.value } : {}) }),
  });

  /** Sends an answer; `place` is that of its button, which keeps the focus when the answers are drawn anew. */
  const send = async (room, answer, place = 0) => {
    if (place === null && (now !== null && now.given !== answer)) return; // changed since
    if (place !== null) for (const one of at("answers").querySelectorAll("button, input")) one.disabled = true;
    if (place !== null) say(WORDS.sending);
    late = false; // what is in the box goes along
    clearTimeout(pause);
    going = answer;
    try {
      const sent = reason.value, reply = await post(room, answer);
      const { why } = await reply.json();
      if (reply.status === 422 && room.wanted) { // what was typed stays, to be mended
        for (const one of at("answers").querySelectorAll("input, button")) one.disabled = false;
        say(room.wanted);
        return;
      }
      if (reply.ok && room.round === asked && reason.value === sent) {
        unsent = false;
        saved.textContent = sent ? WORDS.saved : "";
      }
      await look(place !== null);
      going = null;
      if (place !== null) at("answers").querySelectorAll("button")[place]?.focus({ preventScroll: true });
      if (why) say(why);
      if (late && now !== null && now.given !== null && now.reveal === null) send(now, now.given, null);
    } catch {
      if (!over) draw(room);
      say(WORDS.lost);
    } finally {
      going = null;
    }
  };

  const choices = (room) => room.options.map((words, i) => {
    const made = theirs(make("button", words, { type: "button" }), room);
    made.setAttribute("aria-pressed", String(room.given === i));
    made.disabled = room.reveal !== null;
    made.dataset.letter = String.fromCharCode(65 + i); // as on the wall
    if (room.reveal?.option === i) {
      made.classList.add("right");
      made.prepend("✓ ");
    }
    if (room.bars[i]) made.append(make("b", String(room.bars[i].times), { className: "times" }));
    made.addEventListener("click", () => {
      if (room.given === i) return;
      if (room.given !== null) emptied(); // a reason for one answer is none for another
      send(room, i, i);
    });
    return made;
  });

  /** What the class answered, once all may see it: a row for each number. */
  const numbers = ({ bars }) => bars.map(({ label, times, right }) => {
    const row = make("p", right ? `✓ ${label}` : label, { className: right ? "row right" : "row" });
    row.append(make("b", String(times), { className: "times" }));
    return row;
  });

  const percent = (share) => (share === 0 ? "0 %" : share < 0.001 ? "<0.1 %" : `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`).replace(".", WORDS.point);

  /** What the class wrote beside what the model expects: a row for each word that was given, and for the model's likeliest. */
  const words = ({ bars }) => bars.filter(({ times }, i) => times || !i).map(({ label, times, share }) => {
    const row = make("p", label, { className: "row" });
    row.append(make("b", filled(WORDS.both, { times, share: percent(share) }), { className: "times" }));
    return row;
  });

  const word = (room) => {
    const told = room.given === null ? [] : [make("p", filled(WORDS.word, { answer: room.given }))];
    if (room.reveal) return [...told, ...words(room)];
    const form = make("form", ""), box = make("input", "", { autocomplete: "off", maxLength: 30, autocapitalize: "off" });
    box.setAttribute("aria-labelledby", "question");
    box.placeholder = WORDS.one;
    form.append(box, make("button", room.given === null ? WORDS.answer : WORDS.change));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = box.value.trim();
      if (/^\S+$/u.test(typed) && /[\p{L}\p{N}]/u.test(typed)) send(room, typed);
      else say(room.wanted);
    });
    return [...told, form];
  };

  const number = (room) => {
    const told = room.given === null ? [] : [make("p", filled(WORDS.number, { answer: room.answered }))];
    if (room.reveal) return [...told, ...numbers(room)];
    const form = make("form", ""), box = make("input", "", { inputMode: "text", autocomplete: "off" });
    box.setAttribute("aria-labelledby", "question");
    box.placeholder = WORDS.digits;
    box.maxLength = 24;
    form.append(box, make("button", room.given === null ? WORDS.answer : WORDS.change));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(room, box.value); // the server reads .5, 0,5 and 50 %
    });
    return [...told, form];
  };

  const counted = (n) => filled(n === 1 ? WORDS.gaveOne : WORDS.gave, { count: n });

  /** What the lesson says before it asks: open where question and answers leave room for it, until it is answered. */
  const intro = at("intro");
  let touched = false; // whether somebody has opened or folded it
  intro.querySelector("summary").addEventListener("click", () => { touched = true; });
  const introduce = (room, fresh) => {
    intro.hidden = !room.intro;
    theirs(intro.querySelector("p"), room).textContent = room.intro;
    if (fresh) touched = false;
    if (touched) return;
    intro.open = room.given === null && room.reveal === null;
    if (intro.open && at("answers").getBoundingClientRect().bottom + scrollY > innerHeight) intro.open = false;
  };

  const draw = (room) => {
    const fresh = room.round !== asked;
    asked = room.round;
    now = room;
    if (fresh) {
      reason.value = saved.textContent = "";
      late = unsent = false;
    }
    at("why").hidden = room.question === null || room.reveal !== null || room.word;
    at("question").textContent = room.question ?? (room.round ? WORDS.next : WORDS.first);
    at("question").lang = room.question === null ? document.documentElement.lang : room.language;
    at("about").replaceChildren(...room.about.map((one) => theirs(make("p", one), room)));
    at("answers").replaceChildren(...(room.question === null ? []
      : room.options.length ? choices(room) : room.word ? word(room) : number(room)));
    const all = room.bars.reduce((sum, { times }) => sum + times, 0);
    at("reveal").replaceChildren(...(room.reveal
      ? [...(room.reveal.answer ? [make("p", room.reveal.answer)] : []), theirs(make("p", room.reveal.words), room), ...(room.before === null ? [] : [make("p", filled(WORDS.before, { answer: room.before }))]), make("p", counted(all), { className: "soft" })] : []));
    if (room.question === null) say("");
    else if (room.reveal) {
      say(room.given === null || room.word ? WORDS.here
        : room.twice ? (room.reveal.right ? WORDS.right : WORDS.wrong) // of what is the case, no prediction
          : room.reveal.right ? WORDS.holds : WORDS.otherwise);
    } else say(room.given === null ? "" : WORDS.answered);
    introduce(room, fresh);
    if (fresh && room.question !== null) at("question").focus({ preventScroll: true });
  };

  const gone = () => {
    over = true;
    at("why").hidden = at("kept").hidden = intro.hidden = true;
    for (const name of ["about", "answers", "reveal"]) at(name).replaceChildren();
    at("question").textContent = WORDS.closed;
    say(WORDS.gone);
  };

  let looks = 0;
  const look = async (anew = false) => {
    const own = ++looks;
    const reply = await fetch(`${here}/state`, { cache: "no-store" });
    if (own !== looks) return undefined; // a later look knows more
    if (reply.status === 404) return gone();
    if (!reply.ok) throw new Error(String(reply.status));
    const text = await reply.text();
    if (own !== looks) return undefined;
    if (text !== shown || anew) draw(JSON.parse(text));
    shown = text;
    return undefined;
  };

  let lost = false;
  const go = async () => {
    try {
      if (!document.hidden) await look(lost);
      lost = false;
    } catch {
      lost = true;
      say(WORDS.offline);
    }
    // Spread the requests of the phones over time.
    if (!over) setTimeout(go, WAIT * (0.75 + Math.random() / 2));
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !over) look().catch(() => {});
  });
  go();
})();
