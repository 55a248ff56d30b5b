// The two ends of a word's axis, as a link holds them and as a visitor types them: `core/comparison/ends.py`.
/** @import { Ends } from "./labelled.js" */
import CONSTANTS from "./constants.json" with { type: "json" };
import { SPACES, split, stripped } from "../engine/words.js";
import { occurrenceSpans } from "../engine/finding.js";
import { isContent } from "./foreign.js";
import { formOf } from "./inflections.js";

const { mostName: MOST_NAME, mostNamed: MOST_NAMED, mostWrittenOut: MOST_WRITTEN_OUT } = CONSTANTS, LINES = new RegExp(`\\r\\n|[${CONSTANTS.text.lineEnds}]`);
/** A text without spaces at its end. @param {string} text */
const withoutEnd = (text) => stripped(`x${text}`).slice(1);

/**
 * A typed end: its name and its contexts, each a word or a sentence with the compared word.
 * @param {string} typed @param {string} word @param {boolean} cased whether its model distinguishes upper and lower case
 * @returns {{ name: string, items: string[] }}
 */
export function endOf(typed, word, cased) {
  let name = "";
  /** @type {string[]} */
  const items = [];
  for (const line of typed.split(LINES)) {
    const parts = line.split(",").map((part) => stripped(part)).filter(Boolean);
    const listed = parts.length > 1 && parts.every((part) => split(afterColon(part) || part).length < 3);
    if (holds(line, word, cased) && !listed) {
      items.push(line.split(SPACES).filter(Boolean).join(" "));
      continue;
    }
    const padded = `${withoutEnd(line)} `, colon = padded.indexOf(": ");
    if (colon >= 0 && !name) name = stripped(padded.slice(0, colon));
    const inList = colon >= 0 ? padded.slice(colon + 2) : line;
    items.push(...inList.split(",").map((item) => stripped(item)).filter(Boolean));
  }
  const words = items.filter((item) => !holds(item, word, cased));
  const called = name || words[0] || (items.length ? beginning(items[0]) : "");
  return { name: called, items: [...new Set(items)] };
}

/** @param {string} part */
const afterColon = (part) => (part.includes(":") ? part.slice(part.indexOf(":") + 1) : "");

/** Whether an item is a sentence that contains the word. @param {string} item @param {string} word @param {boolean} cased */
const holds = (item, word, cased) => word.length <= 2 * MOST_WRITTEN_OUT * item.length // counted sign by sign only where that is little
  && [...word].length <= MOST_WRITTEN_OUT * [...item].length && split(item).length > 1
  && (occurrenceSpans(item, word, cased).length > 0 || formOf(item, word, cased) !== undefined);

/** The first words of a sentence, which name its end. @param {string} sentence */
function beginning(sentence) {
  const signs = [...sentence];
  if (signs.length <= MOST_NAME) return sentence;
  const start = signs.slice(0, MOST_NAME + 1).join(""), whole = start.slice(0, Math.max(0, start.lastIndexOf(" ")));
  return `${whole.replace(/[ ,;:]+$/, "") || signs.slice(0, MOST_NAME).join("")}…`;
}

/**
 * The text that `endOf` parses as this end.
 * @param {string} name @param {readonly string[]} items @param {string} word @param {boolean} cased
 */
export function typedEnd(name, items, word, cased) {
  const sentences = items.filter((item) => holds(item, word, cased)), others = new Set(sentences);
  const words = items.filter((item) => !others.has(item));
  const list = words.join(", "), own = words[0] ?? (sentences.length ? beginning(sentences[0]) : "");
  const first = name === own ? list : withoutEnd(`${name}: ${list}`);
  return [...(first ? [first] : []), ...sentences].join("\n");
}

/**
 * The typed ends; for one that is not typed, its counterpart in `own`; null if an end is missing.
 * @param {readonly [string, string]} typed @param {string} word @param {Ends | null} own @param {boolean} cased
 * @returns {Ends | null}
 */
export function between(typed, word, own, cased) {
  if (!typed.some(Boolean)) return own;
  /** @type {{ name: string, items: readonly string[] }[]} */
  const sides = [];
  for (const [i, text] of typed.entries()) {
    if (text) sides.push(endOf(text, word, cased));
    else if (own) sides.push({ name: own.names[i], items: i ? own.high : own.low });
    else return null;
  }
  const [low, high] = sides;
  if (!low.items.length || !high.items.length) return null;
  const proposed = own !== null && own.proposed && !typed.every(Boolean);
  return { names: [low.name, high.name], low: low.items, high: high.items, proposed, guessed: false, unsure: false };
}

/**
 * Names of ends as a picture has room for them, each still another one: a definition is called by its first words.
 * @param {readonly string[]} names
 */
export function short(names) {
  const found = names.map(shortened);
  return names.map((name, i) => (found.filter((one) => one === found[i]).length > 1 ? name : found[i]));
}

/** @param {string} name */
function shortened(name) {
  const words = name.split(SPACES).filter(Boolean);
  if ([...name].length <= MOST_NAME || words.length <= MOST_NAMED) return name;
  const first = words.slice(0, MOST_NAMED);
  while (first.length > 1 && ([...first.join(" ")].length > MOST_NAME || !isContent(first[first.length - 1]))) first.pop();
  return `${first.join(" ")} …`;
}

/** The text in a box that names no meaning, for example a lone comma. @param {readonly string[]} typed */
export const unnamed = (typed) => [...new Set(typed)].filter((text) => text && !endOf(text, "", false).items.length);

/**
 * The contents of the two small boxes: the names of the ends.
 * @param {readonly [string, string]} typed @param {string} word @param {Ends | null} own @param {boolean} cased
 */
export const namesShown = (typed, word, own, cased) => typed.map((text, i) => {
  if (!text) return own?.names[i] ?? "";
  const { name, items } = endOf(text, word, cased);
  return items.length ? name : text;
});

/**
 * All contexts of one end, as a visitor would type them.
 * @param {string} typed @param {number} end @param {string} word @param {Ends | null} own @param {boolean} cased
 */
export function contextsShown(typed, end, word, own, cased) {
  if (!typed) return own ? typedEnd(own.names[end], end ? own.high : own.low, word, cased) : "";
  const { name, items } = endOf(typed, word, cased);
  return items.length ? typedEnd(name, items, word, cased) : typed;
}
