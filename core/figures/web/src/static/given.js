// What the operations of a lesson's key read their arguments with. All counting in arguments starts at 1; here, at 0.
/** @import { Trace } from "../engine/trace.js" */
import { range } from "../derive/numbers.js";
import { occurrenceSpans } from "../engine/finding.js";
import { tokensIn } from "../derive/choice.js";

/** A key that cannot be computed on these texts. */
export class NoAnswer extends Error {}

/** @template T @param {T | undefined | null} found @returns {T} */
export function there(found) {
  if (found === undefined || found === null) throw new NoAnswer("There is no such thing in this text.");
  return found;
}

/** The tokens of a word, of its second occurrence ("bank:2"), or the token of a number from 1. @param {Trace} trace @param {string | number} word */
export function tokensOf(trace, word) {
  if (typeof word === "number") return [there(range(trace.n)[word - 1])];
  const [, name, number] = /^(.+):(\d+)$/s.exec(word) ?? [word, word, "1"];
  const spans = occurrenceSpans(trace.text, name, trace.cased).map(([start, end]) => tokensIn(trace, start, end)).filter((one) => one.length);
  return there(spans[Number(number) - 1]);
}

/** @param {number} count @param {number} number from 1 */
export const fromZero = (count, number) => there(range(count)[number - 1]);

export const sum = (/** @type {number[]} */ of) => of.reduce((all, one) => all + one, 0);

/** [layer, head], from 1, of the largest value; of one layer if it is given. @param {number[][]} values @param {number} [only] */
export function strongest(values, only) {
  let best = /** @type {number[] | null} */ (null), most = -Infinity;
  values.forEach((heads, layer) => heads.forEach((value, head) => {
    if (value > most && (only === undefined || layer === only - 1)) [most, best] = [value, [layer + 1, head + 1]];
  }));
  return there(best);
}
