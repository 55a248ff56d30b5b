// What each part of a sentence adds to the position of its word, from where the word stands alone, and the sentences that
// say it: `core/measures/contributions`, and the second half of `core/figures/trajectories/trajectory.py`.
/** @import { Trace } from "../engine/trace.js" */
/** @import { SideHeader, TrajectoryHeader } from "../headers" */
/** @import { SourcesAsked, SourcesOf } from "../engine/types" */
/** @import { Chosen } from "./choice.js" */
/** @import { Compared, Comparer } from "./compare.js" */
/** @import { Made } from "./packed.js" */
/** @import { Alone } from "./trajectory.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { SPACES, stripped } from "../engine/words.js";
import { written } from "../runtime/shared.js";
import { inner, range, rounded, seven } from "./numbers.js";
import { sentence } from "./sentences.js";
import { spansOf } from "./trajectory.js";

const { digits: EXACT, mostMarks: MOST_MARKS, hardly: HARDLY, outstanding: OUTSTANDING, ahead: AHEAD } = CONSTANTS.trajectorySum;

const BEHIND = stripped(CONSTANTS.beginning.split("{word}")[0]);

/**
 * What each token of a text adds to a word's position after each layer, and what biases add; null if it was given up.
 * @typedef {(text: string, asked: SourcesAsked) => Promise<SourcesOf | null>} Sources
 */

/**
 * The picture of Compare with what each word adds to the position, from where the word stands alone; null if that was given
 * up, or no position is there.
 * @param {Comparer} comparer @param {Compared} found what it has compared @param {Sources} sources
 * @returns {Promise<Made<TrajectoryHeader> | null>}
 */
export async function explained(comparer, found, sources) {
  const made = comparer.madeOf(found), { picture } = found;
  if (!made || picture?.module !== "trajectory") return null;
  const header = /** @type {TrajectoryHeader} */ (picture.header), sides = /** @type {SideHeader[]} */ ([]);
  for (const side of header.sides) {
    const i = made.sides.findIndex(({ name }) => name === side.name), { trace, chosen } = made.sides[i], [alone, word] = made.byItself[i];
    const directions = directionsOf(made.axes[i]);
    const here = await sources(trace.text, { tokens: chosen.tokens, directions });
    const there = here && await sources(alone.text, { tokens: [...word], directions });
    if (!there) return null;
    sides.push(withAdds(side, trace, partSums(trace, chosen, [alone, word], here, there), trace.causal ? BEHIND : ""));
  }
  return { ...picture, header: { ...header, sides, maxima: maximaOf(sides, header.layers).map(seven), awaitsContributions: false } };
}

/** (layers × size): a vector's coordinate is its product with the direction of its layer, and an offset. @param {import("./axis.js").SenseAxis} axis */
function directionsOf({ halves }) {
  const width = halves[0].length, out = new Float32Array(halves.length * width);
  halves.forEach((half, layer) => {
    const square = inner(half, half);
    half.forEach((x, i) => { out[layer * width + i] = x / square; });
  });
  return out;
}

/**
 * How a sentence moves a word from where it stands alone.
 * @typedef {object} Sums
 * @property {(number | null)[][]} parts (layers × parts); null for a part without a token
 * @property {number[]} special (layers) what the tokens that are none of the words add more than alone
 * @property {number[]} bias (layers) the same of the model's biases
 */

/**
 * @param {Trace} trace @param {Chosen} chosen its word
 * @param {Alone} alone the word in a text that holds nothing else, or only a neutral beginning
 * @param {SourcesOf} here what each token of the sentence adds, along the axis of each layer
 * @param {SourcesOf} there the same of the word alone
 * @returns {Sums}
 */
export function partSums(trace, chosen, [alone, word], here, there) {
  const { parts } = spansOf(trace, chosen), own = chosen.tokens, { n } = trace;
  // The first token of a model that reads from left to right is the sink in both texts; in others, special tokens stand at both ends.
  const place = (/** @type {number} */ i) => (trace.causal ? 0 : i < word[0] ? i : n - alone.n + i);
  const of = range(n).map((token) => partAt(trace, token, parts, own)), special = /** @type {number[]} */ ([]);
  const rows = range(trace.layers).map((layer) => {
    const left = Float64Array.from({ length: n }, (_, i) => here.sums[layer * n + i]), before = range(alone.n).map((i) => there.sums[layer * alone.n + i]);
    const inWord = word.map((i) => before[i]), each = inWord.reduce((sum, x) => sum + x, 0) / own.length;
    before.forEach((x, i) => { if (!word.includes(i)) left[place(i)] -= x; });
    own.forEach((token, i) => { left[token] -= inWord.length === own.length ? inWord[i] : each; });
    const row = /** @type {(number | null)[]} */ (Array(parts.length).fill(null));
    let none = 0;
    of.forEach((part, token) => {
      if (part < 0) none += left[token];
      else row[part] = (row[part] ?? 0) + left[token];
    });
    special.push(Math.fround(none));
    return row.map((x) => (x === null ? null : Math.fround(x)));
  });
  return { parts: rows, special, bias: Array.from(here.biases, (x, layer) => Math.fround(x - there.biases[layer])) };
}

/** The part that holds a token's first visible character; −1 for one that is none of the words. @param {Trace} trace @param {number} token @param {readonly { start: number, end: number }[]} parts @param {readonly number[]} own */
function partAt(trace, token, parts, own) {
  const start = trace.starts[token], end = trace.ends[token], isSink = trace.apart[token] && !(trace.firstIsSink && own.includes(token));
  if (isSink || start === end) return -1;
  const signs = [...trace.slice(start, end)], first = signs.findIndex((sign) => sign.replace(SPACES, ""));
  const at = Math.min(start + (first < 0 ? signs.length : first), end - 1);
  return parts.findIndex((part) => part.start <= at && at < part.end);
}

/** The names of the tokens that count as none of the words: special ones, or the sink. @param {Trace} trace */
function marksOf(trace) {
  const named = trace.tokens.filter((_, i) => trace.special[i]);
  if (trace.causal && trace.special[0]) named[0] = `${named[0]} (sink)`;
  return trace.firstIsSink ? [CONSTANTS.sink, ...named] : named;
}

/**
 * A side of the picture with what its words add.
 * @param {SideHeader} side @param {Trace} trace @param {Sums} sums @param {string} behind what it stands behind alone; "" for nothing
 * @returns {SideHeader}
 */
export function withAdds(side, trace, { parts, special, bias }, behind) {
  const layers = range(parts.length), marks = [...new Set(marksOf(trace))];
  const adds = {
    parts: parts.map((row) => row.map((x) => (x === null ? null : seven(x)))),
    otherParts: layers.map((layer) => seven(Math.fround(special[layer] + bias[layer]))),
    lines: layers.map((layer) => lineOf(side, parts[layer], special[layer] + bias[layer], layer)),
    sums: layers.map((layer) => sumOf(side, parts[layer], special[layer], bias[layer], layer, marks, behind)),
  };
  return { ...side, adds };
}

/** The largest contribution of a part in each layer; 1 where there is none. @param {readonly SideHeader[]} sides @param {number} layers */
export const maximaOf = (sides, layers) => range(layers).map((layer) => {
  const most = Math.max(0, ...sides.flatMap(({ adds }) => (adds?.parts[layer] ?? []).map((x) => Math.abs(x ?? 0))));
  return most > 0 ? most : 1;
});

/** @param {number} x @param {number} [digits] */
const at = (x, digits = 2) => written(x, { digits });
/** @param {number} x @param {number} [digits] */
const added = (x, digits = 2) => written(x, { digits, plus: true });

/** Numbers as they are printed, so that they add up to their total: one of them takes what rounding leaves. @param {readonly number[]} parts @param {number} total @param {number} rest which @param {number} digits */
function addingUp(parts, total, rest, digits) {
  const printed = parts.map((part) => rounded(part, digits));
  printed[rest] = rounded(rounded(total, digits) - printed.reduce((sum, x, i) => (i === rest ? sum : sum + x), 0), digits);
  return printed;
}

/** @param {SideHeader} side @param {number} part */
const quoted = ({ parts }, part) => m("“{word}”", { word: stripped(parts[part]) });

/** @param {SideHeader} side @param {readonly (number | null)[]} adds @param {number} others what belongs to no word @param {number} layer */
function lineOf(side, adds, others, layer) {
  const row = adds.map((x) => x ?? 0), own = row[side.chosen], stands = side.alone[layer], there = side.position[layer];
  row[side.chosen] = 0;
  const words = row.reduce((sum, x) => sum + x, 0);
  // A full stop counts as one of the words, and is not the one that is named.
  const sizes = row.map((x, i) => (/[\p{L}\p{N}]/u.test(side.parts[i]) ? Math.abs(x) : 0)), first = sizes.indexOf(Math.max(...sizes));
  if (added(row[first]) === added(0) && added(there - stands) === added(0)) return sentence("trajectory.none", { alone: at(stands) });
  const [back, itself, rest] = addingUp([words, own, others, stands], there, 2, 2).map((x) => added(x)), printed = { words: back, own: itself, rest, alone: at(stands), at: at(there) };
  const moved = there - stands;
  if (Math.min(Math.abs(words), Math.abs(moved)) > HARDLY && words * moved < 0) return sentence("trajectory.back", printed);
  const most = row[first] * there < 0 || added(row[first]) === added(0) || !standsOut(row, first) ? "" : ` ${sentence("trajectory.most", { word: quoted(side, first), adds: added(row[first]) })}`;
  return sentence("trajectory.whole", { ...printed, words: back + most });
}

/** Whether one of the other words adds so much more than the rest that it can be named alone. @param {readonly number[]} row @param {number} one which */
function standsOut(row, one) {
  const its = Math.abs(row[one]), others = row.filter((_, i) => i !== one).map(Math.abs), next = Math.max(0, ...others);
  return its > AHEAD * next || (its >= next && its >= OUTSTANDING * others.reduce((sum, x) => sum + x, its));
}

/** @param {SideHeader} side @param {readonly (number | null)[]} adds @param {number} special @param {number} bias @param {number} layer @param {readonly string[]} marks @param {string} before */
function sumOf(side, adds, special, bias, layer, marks, before) {
  const row = adds.map((x) => x ?? 0), own = row[side.chosen], alone = side.alone[layer], whole = side.position[layer];
  const names = [sentence("trajectory.words"), sentence("trajectory.own"), marks.length && marks.length <= MOST_MARKS ? marks.join(", ") : sentence("trajectory.special"), sentence("trajectory.biases")];
  const printed = addingUp([row.reduce((sum, x) => sum + x, 0) - own, own, special, bias, alone], whole, 0, EXACT);
  return sentence("trajectory.sum", {
    behind: before ? sentence("trajectory.sum-behind", { word: before }) : "", word: quoted(side, side.chosen), alone: at(alone, EXACT),
    terms: names.map((name, i) => `${name} ${added(printed[i], EXACT)}`).join(", "), at: at(whole, EXACT), layer: String(layer + 1),
  });
}
