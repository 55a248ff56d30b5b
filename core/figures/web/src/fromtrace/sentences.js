// The sentences that Python and JavaScript share: one table of templates, `core/sentences`.
import TABLE from "../../../../sentences/table.json" with { type: "json" };

/** @typedef {keyof typeof TABLE} SentenceName */

/**
 * A sentence of the table, filled in (Markdown).
 * @param {SentenceName} name
 * @param {Readonly<Record<string, string>>} [values]
 */
export function sentence(name, values = {}) {
  return TABLE[name].replace(/\{(\w+)\}/g, (_, key) => {
    if (!(key in values)) throw new Error(`The sentence ${name} needs ${key}.`);
    return values[key];
  });
}

/**
 * Words in a row: "A", "A and B", "A, B and C".
 * @param {readonly string[]} words
 */
export function listed(words) {
  const others = words.slice(0, -1), last = words[words.length - 1];
  return others.length ? sentence("list.and", { others: others.join(", "), last }) : last;
}

/**
 * What a visitor typed, as one line that stays text in a sentence: `ui.text.plain`.
 * @param {string} text
 */
export function plain(text) {
  const escaped = text.split(/\s+/).filter(Boolean).join(" ").replace(/[!-/:-@[-`{-~]/g, "\\$&");
  return /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u.test(escaped) ? `\u2068${escaped}\u2069` : escaped;
}
