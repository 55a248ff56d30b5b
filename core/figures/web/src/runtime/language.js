// What a picture says, in the language of the page: English stands in the code, and a page in another language brings
// its catalogue (`core/localization/browser.py`) before it draws anything.
/** @import { Catalogue } from "../types" */

const page = /** @type {{ polyseeLanguage?: Catalogue | null }} */ (/** @type {unknown} */ (globalThis));

/** The language of the page, a code. */
export const current = () => page.polyseeLanguage?.language ?? "en";

/** @typedef {Readonly<Record<string, string | number>>} Values */

/**
 * A message filled in, in the language of the page; English where that has none.
 * @param {string} message as in the code, `{name}` for each value
 * @param {Values} [values]
 */
export function m(message, values = {}) {
  const found = page.polyseeLanguage?.messages[message];
  return filled(typeof found === "string" ? found : message, values);
}

/** Marks a message that is looked up later. @param {string} message */
export const N_ = (message) => message;

/**
 * The form of a message for a count, by the rule of the language.
 * @param {string} one
 * @param {string} many
 * @param {number} count
 * @param {Values} [values]
 */
export function mn(one, many, count, values = {}) {
  const forms = page.polyseeLanguage?.forms ?? "", found = page.polyseeLanguage?.messages[one];
  if (!Array.isArray(found)) return filled(count === 1 ? one : many, values);
  const at = count < forms.length ? count : 100 + (count % 100); // above, the last two digits decide
  return filled(found[Number(forms[at])], values);
}

/** @param {string} template @param {Values} values */
function filled(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, key) => {
    if (!(key in values)) throw new Error(`“${template}” needs ${key}.`);
    return String(values[key]);
  });
}

/** A number as the language writes it: 0,48 and 30 522 in German. @param {string} text as in English */
export function decimal(text) {
  const own = page.polyseeLanguage;
  return own ? text.replace(/[.,]/g, (sign) => (sign === "." ? own.decimal : own.group)) : text;
}
