// Names for the screen, with invisible characters made visible: `core/figures/labels.py`.

import CONSTANTS from "./constants.json" with { type: "json" };
import { stripped, trimmed } from "../engine/words.js";
import { RIGHT_TO_LEFT, sentence } from "./sentences.js";

const { mostShort: MOST_SHORT } = CONSTANTS.names;
/** @type {Readonly<Record<string, string>>} */
const JOINERS = CONSTANTS.names.joiners;
const ALL = Object.keys(JOINERS).join("");

/**
 * The label of a token or a word: a piece that continues a word begins with a thin mark.
 * @param {string} token
 */
export function label(token) {
  const name = token.startsWith("##") && token.length > 2 ? `·${token.slice(2)}` : token;
  const shown = namedEdges(written(name));
  if (stripped(shown)) return shown;
  return shown.length < 2 ? sentence(shown ? "label.space" : "label.empty") : sentence("label.spaces", { count: String([...shown].length) });
}

/** A text with names for the invisible signs at its ends. @param {string} text */
export function namedEdges(text) {
  const inner = trimmed(text, ALL), start = inner ? text.indexOf(inner) : text.length;
  const named = (/** @type {string} */ signs) => [...signs].map((sign) => `⟨${JOINERS[sign]}⟩`).join("");
  return named(text.slice(0, start)) + inner + named(text.slice(start + inner.length));
}

/**
 * A text with its control characters, and halves of characters, made visible.
 * @param {string} text
 */
export const written = (text) => text.replace(/\p{Cc}|\p{Cs}/gu, (sign) => {
  const code = /** @type {number} */ (sign.codePointAt(0));
  if (code < 32) return String.fromCodePoint(0x2400 + code);
  return code === 127 ? "␡" : "\ufffd";
});

/**
 * A piece of a running text as a name: "␣" for spaces at the ends of its lines, "↵" where one ends. Unlike `label`, it
 * keeps "##" as it is.
 * @param {string} text
 */
export function spelled(text) {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => visibleEnds(namedEdges(written(line)))).join("↵") || sentence("label.empty");
}

/**
 * A name by `spelled` for a sentence: a sign that stands for a space or a line break is read as one.
 * @param {string} shown
 */
export function aloud(shown) {
  for (const [sign, one, more] of /** @type {const} */ ([["␣", "label.space", "label.spaces"], ["↵", "label.break", "label.breaks"]])) {
    if (shown && !trimmed(shown, sign)) return [...shown].length === 1 ? sentence(one) : sentence(more, { count: String([...shown].length) });
  }
  return shown;
}

/** A name with visible spaces at both ends, which in many tokenizers mark the start of a word. @param {string} shown */
export function visibleEnds(shown) {
  const inner = stripped(shown), before = inner ? shown.indexOf(inner) : shown.length;
  return "␣".repeat(before) + inner + "␣".repeat(shown.length - before - inner.length);
}

/**
 * Whether most letters belong to a script that runs from right to left.
 * @param {readonly string[]} tokens
 */
export function runsLeft(tokens) {
  let left = 0, right = 0;
  for (const sign of tokens.join("")) {
    if (!/\p{L}/u.test(sign)) continue;
    if (RIGHT_TO_LEFT.test(sign)) left++;
    else right++;
  }
  return left > right;
}

/**
 * A name short enough to leave room for the picture.
 * @param {string} name
 */
export const short = (name, most = MOST_SHORT) => ([...name].length <= most ? name : `${[...name].slice(0, most - 1).join("")}…`);

/** The name of a layer, from 0. @param {number} layer */
export const layerName = (layer) => sentence("layer.name", { number: String(layer + 1) });
