// A number as somebody types it: .5, 0,5, 50 %, −2, 34,560; as in `core/untrusted/numbers.py`.

/** @typedef {"number" | "whole" | "share"} Kind "whole": a count; "share": from 0 to 1 (or from −1), for which a percentage may stand */

const MOST_TYPED = 24; // characters
const TYPED = /^([+−–-]?) ?([1-9][0-9]{0,2}(?:[, ][0-9]{3}){1,3}|[0-9]{0,12})(?:[.,]([0-9]{0,12}))? ?(%?)$/;

/** The number that was typed; null if it is none of this kind. @param {string} typed @param {Kind} kind */
export function number(typed, kind) {
  const found = typed.length <= MOST_TYPED ? TYPED.exec(typed.trim().replace(/\s+/g, " ")) : null;
  if (!found || !(found[2] || found[3])) return null;
  const [, sign, whole, decimals, percent] = found;
  const value = Number(`${whole.replace(/[, ]/g, "") || "0"}.${decimals || 0}`) / (percent ? 100 : 1);
  const fits = { number: !percent, whole: !percent && Number.isInteger(value), share: value <= 1 };
  if (!fits[kind]) return null;
  return "−–-".includes(sign) && sign && value ? -value : value;
}
