// Unicode's normal forms of any text, in time in proportion to it: `core/untrusted/marks.py`. Browsers sort the marks
// of a letter by insertion, which takes seconds for a "letter" of 30,000 marks; here they are sorted first.
/** @typedef {"NFC" | "NFD" | "NFKC" | "NFKD"} Form */

const MARKS = /[\p{M}\uff9e\uff9f]{32,}/gu; // no language puts so many on a letter
const OTHERS = ["\u0301", "\u0316"]; // two marks of different classes

/**
 * What `text.normalize(form)` returns.
 * @param {Form} form @param {string} text
 */
export function normalized(form, text) {
  return text.replace(MARKS, (marks) => inOrder(marks, form.includes("K") ? "NFKD" : "NFD")).normalize(form);
}

/** Whether two marks in a row change their places. @param {string} a @param {string} b */
const turns = (a, b) => (a + b).normalize("NFD") !== a + b;

/** Marks in the order that every normal form has; those without an order divide the others. @param {string} marks @param {Form} form */
function inOrder(marks, form) {
  const signs = [...marks].flatMap((sign) => [...sign.normalize(form)]);
  // Their classes are no part of the language; but which of two comes first is.
  const ordered = [...new Set(signs)].filter((mark) => OTHERS.some((other) => turns(mark, other) || turns(other, mark)))
    .sort((a, b) => Number(turns(a, b)) - Number(turns(b, a)));
  /** @type {Map<string, number>} */
  const ranks = new Map();
  ordered.forEach((mark, i) => ranks.set(mark, i && !turns(mark, ordered[i - 1]) ? ranks.get(ordered[i - 1]) ?? 0 : i));
  const done = [];
  for (let i = 0; i < signs.length;) {
    const group = [];
    for (; ranks.has(signs[i]); i++) group.push(signs[i]);
    done.push(group.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)).join(""));
    if (i < signs.length) done.push(signs[i++]);
  }
  return done.join("");
}
