// The wall of a class: the way into the room, and its tally, asked for three times a second.

const EACH = 300; // milliseconds between two looks: an answer is to show within a second
const HEARD = 3000; // a screen reader is told of new answers no oftener
const SVG = "http://www.w3.org/2000/svg";

const make = (tag, name, words = "") => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = words;
  return made;
};

/** A sentence with what takes the place of each “{name}”, as it stands. */
const filled = (template, values) => template.split("{").map((part, i) => {
  const end = part.indexOf("}");
  return i && end > 0 ? `${values[part.slice(0, end)] ?? ""}${part.slice(end + 1)}` : part;
}).join("");

/** The QR code, dark on light in every theme: cameras want it so. */
const code = ({ path, size, address, words }) => {
  const svg = document.createElementNS(SVG, "svg"), dark = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", filled(words.code, { address }));
  svg.setAttribute("shape-rendering", "crispEdges");
  dark.setAttribute("d", path);
  dark.setAttribute("fill", "#000");
  svg.append(dark);
  return svg;
};

/** A link that leaves the teacher's page where it is. */
const link = (name, to, words = "") => {
  const made = make("a", name, words);
  made.href = to;
  made.target = "_blank";
  made.rel = "noopener noreferrer";
  return made;
};

const way = (data) => {
  const made = make("div", "way"), { words } = data;
  if (data.size) made.append(code(data));
  made.append(make("div", "room", words.room), make("div", "name", data.name));
  const address = link("address", data.join);
  // It is typed from the wall: a line ends behind a slash, not within the name of the room.
  for (const part of (data.address || `${location.host}${data.join}`).replace(/^https?:\/\//, "").split(/(?<=\/)/)) {
    address.append(part, document.createElement("wbr"));
  }
  if (!data.address) made.append(make("div", "here", words.here));
  made.append(address);
  if (data.wall) made.append(link("other", data.wall, words.wall));
  return made;
};

const answered = ({ answers, right }, words) => {
  if (right === null || !answers) return filled(answers === 1 ? words.one : words.many, { count: answers });
  if (answers === 1) return right ? words.oneRight : words.oneWrong;
  return filled(words.right, { count: answers, right });
};

/** How many have answered, and how many gave a reason, which only the teacher reads. */
const counted = (wall, words) => {
  const told = answered(wall, words);
  return wall.reasons ? filled(wall.reasons === 1 ? words.oneReason : words.reasons, { told, count: wall.reasons }) : told;
};

/** Something that was written in the lesson's language, which is not always that of the wall. */
const theirs = (made, { language }) => Object.assign(made, { lang: language });

const percent = (share, words) => (share === 0 ? "0 %" : share < 0.001 ? "<0.1 %" : `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`).replace(".", words.point);

/** A word of the class beside the model's probability of it: two bars on one scale. */
const both = ({ label, times, share }, wall, words) => {
  const row = make("div", "both"), track = make("div", "track"), own = times / Math.max(1, wall.answers);
  track.setAttribute("aria-hidden", "true");
  for (const [name, wide] of [["", own], ["model", share]]) {
    const part = make("i", name);
    part.style.width = `${100 * wide}%`;
    track.append(part);
  }
  row.append(theirs(make("span", "", label), { language: wall.labels }), track, make("b", "", filled(words.both, { times, own: percent(own, words), share: percent(share, words) })));
  return row;
};

/** Of a class and a model, the words that somebody gave, and the model's likeliest. */
const given = (bars) => bars.filter(({ share, times }, i) => share === null || times || !i);

/** Which bar is whose; nothing where there is one alone. */
const keyOf = (bars, words) => {
  const names = bars.some(({ share }) => share !== null) ? ["own", "model"] : bars.some(({ before }) => before !== null) ? ["before", "now"] : [];
  return names.map((name) => {
    const one = make("span"), mark = make("i", name);
    mark.setAttribute("aria-hidden", "true");
    one.append(mark, words[name]);
    return one;
  });
};

/** A choice has its letter, before the reveal and after it: who has no phone raises a hand for it. */
const lettered = (row, words, i, { labels }) => {
  row.classList.add("choice");
  const label = theirs(make("span", "", words), { language: labels });
  label.dataset.letter = String.fromCharCode(65 + i);
  return label;
};

/** The choices while a class answers: without counts, as a class that saw them would follow them. */
const open = (label, i, wall) => {
  const row = make("div"), track = make("div", "track");
  track.setAttribute("aria-hidden", "true");
  row.append(lettered(row, label, i, wall), track);
  return row;
};

/** An answer: its bar is its share of all answers, for the track behind it is the whole class. Where the same was asked before, that share is the paler bar above it. */
const bar = ({ label, times, right, before }, wall, words, i) => {
  const row = make("div", right ? "right" : ""), track = make("div", before === null ? "track" : "track pair");
  const told = right ? `✓ ${label}` : label, all = (of) => Math.max(1, wall.bars.reduce((sum, one) => sum + one[of], 0));
  track.setAttribute("aria-hidden", "true");
  for (const [name, wide] of [...(before === null ? [] : [["before", before / all("before")]]), ["", times / Math.max(1, wall.answers)]]) {
    const part = make("i", name);
    part.style.width = `${100 * wide}%`;
    track.append(part);
  }
  row.append(wall.options.length ? lettered(row, told, i, wall) : theirs(make("span", "", told), { language: wall.labels }), track, make("b", before === null ? "" : "twice", before === null ? String(times) : filled(words.twice, { before, times })));
  return row;
};

/** Says what changes to a screen reader: at once after a pause, else when the pause is over; the last word is always said. */
const speaker = (heard) => {
  let told = -HEARD, timer = 0, last = "";
  const speak = () => {
    timer = 0;
    told = performance.now();
    if (heard.textContent !== last) heard.textContent = last;
  };
  return {
    say: (words, now = false) => {
      last = words;
      if (now) clearTimeout(timer);
      if (now) speak();
      else timer ||= setTimeout(speak, Math.max(0, told + HEARD - performance.now()));
    },
    end: () => clearTimeout(timer),
  };
};

const listen = (root, data, { question, about, count, options, key, bars, told: answer, heard }, drawn) => {
  let shown = "", over = false, timer = 0, asked = null;
  const speech = speaker(heard);
  const draw = (wall) => {
    theirs(question, wall).textContent = wall.question ?? "";
    theirs(about, wall).replaceChildren(...wall.about.map((one) => make("div", "", one)));
    const told = wall.question === null ? data.words.between : counted(wall, data.words);
    count.textContent = told;
    const rows = given(wall.bars);
    const choices = wall.reveal ? [] : wall.options;
    options.replaceChildren(...choices.map((label, i) => open(label, i, wall)));
    options.style.setProperty("--rows", choices.length);
    key.replaceChildren(...keyOf(rows, data.words));
    bars.replaceChildren(...rows.map((one, i) => (one.share === null ? bar : both)(one, wall, data.words, i)));
    bars.style.setProperty("--rows", rows.length);
    answer.replaceChildren(...(wall.reveal ? [wall.reveal.answer && `${wall.reveal.answer} `, theirs(make("span", "", wall.reveal.words), wall)] : []));
    // Until somebody has answered, the way into the room is what a class has to see.
    root.toggleAttribute("data-waits", !wall.answers && !wall.reveal);
    root.toggleAttribute("data-between", wall.question === null);
    speech.say(wall.reveal ? `${told}. ${answer.textContent}` : told, wall.right !== null || wall.round !== asked);
    asked = wall.round;
    drawn();
  };
  const look = async () => {
    try {
      const reply = await fetch(data.tally, { headers: { "X-Room-Key": data.key }, cache: "no-store" });
      if (reply.status === 404) {
        over = true;
        count.textContent = data.words.closed;
        speech.say(count.textContent, true);
        about.replaceChildren();
        answer.replaceChildren();
        options.replaceChildren();
        key.replaceChildren();
        bars.replaceChildren();
      } else if (reply.ok) {
        const text = await reply.text();
        if (text !== shown) draw(JSON.parse(text));
        shown = text;
      }
    } catch {
      shown = "";
      count.textContent = data.words.offline;
      speech.say(count.textContent);
    }
  };
  const go = async () => {
    await look();
    if (!over) timer = setTimeout(go, EACH);
  };
  go();
  return () => {
    over = true;
    clearTimeout(timer);
    speech.end();
  };
};

const show = ({ data, parentElement }) => {
  const root = parentElement.querySelector(".polysee-wall");
  parentElement.forget?.();
  const parts = {
    question: make("div", "question"), about: make("div", "about"), count: make("div", "count"),
    options: make("div", "options"), key: make("div", "key"), bars: make("div", "bars"), told: make("div", "told"), heard: make("div", "heard"),
  };
  parts.heard.setAttribute("role", "status");
  const right = make("div");
  right.append(parts.question, parts.about, parts.count, parts.options, parts.key, parts.bars, parts.told, parts.heard);
  root.toggleAttribute("data-waits", true);
  root.replaceChildren(way(data), right);
  // Once for each question: the button that asks it may stand far below.
  const reach = () => {
    if (!data.reach || parentElement.reached === data.reach) return;
    parentElement.reached = data.reach;
    const { top } = root.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) root.scrollIntoView({ block: "start" });
  };
  parentElement.forget = listen(root, data, parts, reach);
  return parentElement.forget;
};

export default show;
