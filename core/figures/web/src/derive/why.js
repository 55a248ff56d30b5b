// Why a token comes next, as pictures and in sentences: `core/figures/logit_parts.py`, `pages/next_word/why/captions.py`.
/** @import { BarsHeader, HeatmapHeader, ShadedHeader } from "../headers" */
/** @import { Parted } from "../engine/why.js" */
/** @import { Made } from "./packed.js" */
import { decimal } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { trimmed } from "../engine/words.js";
import { fixed, written as number } from "../runtime/shared.js";
import { quoted } from "./expecting.js";
import { label, spelled, visibleEnds, written } from "./labels.js";
import { shadedText } from "./nextword.js";
import { range } from "./numbers.js";
import { floats } from "./packed.js";
import { signedScale } from "./scales.js";
import { listed, percent, sentence } from "./sentences.js";

const {
  little: LITTLE, strongest: STRONGEST, named: NAMED, near: NEAR, words: WORDS, parts: PARTS, text: TEXT, bar: BAR, mostBars: MOST_BARS, row: ROW, most: MOST,
} = CONSTANTS.why;
const PLAIN = { digits: 2, plus: false }, SIGNED = { digits: 2, plus: true };
const AROUND = { bars: WORDS.height - BAR, parts: PARTS.height - ROW };

/** A token without the space before it. @param {string} token */
export const bare = (token) => spelled(trimmed(token, " ") || token);

/** @param {string} token */
const name = (token) => quoted(bare(token));

/** What the comparison of two words asks; "" for one alone. @param {Parted} of */
export const asks = ({ token, other }) => (other === null ? "" : sentence("why.asks", { word: name(token), other: name(other) }));

/** What the numbers are. @param {Parted} of */
function unit({ token, other }) {
  const one = sentence("why.unit", { word: bare(token) });
  return other === null ? one : sentence("why.unit.both", { one, other: sentence("why.unit", { word: bare(other) }) });
}

/** @param {ArrayLike<number>} some */
const sum = (some) => Array.from(some).reduce((all, one) => all + one, 0);

/** Places, the largest number first. @param {readonly number[]} of @param {readonly number[]} places */
const strongest = (of, places) => places.toSorted((a, b) => Math.abs(of[b]) - Math.abs(of[a]));

/** The text, each token shaded by what it adds; the first one does not set the end of the shades. @param {Parted} of @param {readonly string[]} pieces @returns {Made<ShadedHeader>} */
export function whyText(of, pieces) {
  const values = Float32Array.from(of.parts.sources), more = { unit: TEXT.unit, most: Infinity, notes: [], firstWritten: null };
  const made = shadedText(pieces, values, { ...more, sentence: TEXT.sentence, name: "why-text" }), rest = values.subarray(1);
  return { ...made, header: { ...made.header, scale: signedScale(values, written(unit(of)), rest.some(Boolean) ? rest : values), number: TEXT.number } };
}

/** The strongest words, all others as one bar, and the first token: they add up. @param {Parted} of @param {readonly string[]} words @returns {Made<BarsHeader>} */
export function whyWords(of, words) {
  const { sources, whole } = of.parts, rest = range(sources.length).slice(sources.length > 1 ? 1 : 0);
  const some = strongest(sources, rest).slice(0, STRONGEST).sort((a, b) => a - b), left = rest.filter((i) => !some.includes(i));
  const rows = some.map((i) => /** @type {[string, number]} */ ([apart(words, i), sources[i]]));
  if (left.length) rows.push([sentence(left.length > 1 ? "why.others" : "why.other", { count: String(left.length) }), sum(left.map((i) => sources[i]))]);
  if (sources.length > 1) rows.push([sentence("why.sink", { word: words[0] }), sources[0]]);
  const header = {
    ...WORDS, labels: rows.map(([one]) => visibleEnds(label(one))), unit: written(unit(of)), height: AROUND.bars + BAR * Math.min(rows.length, MOST_BARS),
    sentence: sentence("why.words", { whole: number(whole, PLAIN) }),
  };
  return { module: "bars", header: /** @type {any} */ (header), payload: floats([Float32Array.from(rows, ([, value]) => value)]) };
}

/** A word; of several that are alike, with its number. @param {readonly string[]} words @param {number} i */
function apart(words, i) {
  const alike = range(words.length).filter((k) => words[k] === words[i]);
  return alike.length === 1 ? words[i] : `${words[i]} (${alike.indexOf(i) + 1})`;
}

/** Layers downwards; each head, the network, and the whole layer. @param {Parted} of @returns {Made<HeatmapHeader>} */
export function whyParts(of) {
  const { heads, networks } = of.parts, title = unit(of), [, network, layer] = PARTS.columns;
  const values = Float32Array.from(heads.flatMap((row, i) => [...row, networks[i], sum(row) + networks[i]]));
  const header = {
    ...PARTS, rows: heads.map((_, i) => sentence("why.layer", { layer: String(i + 1) })), columns: [...heads[0].map((_, head) => String(head + 1)), network, layer],
    scale: { ...signedScale(values, title), between: PARTS.scale.between }, names: [...PARTS.names.slice(0, 2), title],
    height: AROUND.parts + Math.min(ROW * heads.length, MOST),
  };
  return { module: "heatmap", header: /** @type {any} */ (header), payload: floats([values]) };
}

/** How far a word stands above the other, and which words put it there. @param {Parted} of @param {readonly string[]} words @param {number} share */
export function whyHeadline(of, words, share) {
  const { token, other, parts: { whole, sources } } = of, places = range(sources.length).filter((i) => Math.abs(sources[i]) >= LITTLE);
  const most = strongest(sources, places).slice(0, NAMED), found = most.map((i) => `${called(words, i)} ${number(sources[i], SIGNED)}`);
  const word = sentence("why.word", { word: name(token), share: percent(share) });
  const above = other === null ? sentence("why.logit", { word, logit: number(whole, PLAIN) })
    : sentence(whole >= 0 ? "why.above" : "why.below", { word, difference: decimal(fixed(Math.abs(whole), 2)), other: name(other) });
  const said = other !== null && Math.abs(whole) < NEAR ? sentence("why.near", { said: above, times: decimal(fixed(Math.exp(Math.abs(whole)), 2)) }) : above;
  const rest = whole - sum(most.map((i) => sources[i]));
  return !found.length ? `${said}.` : Math.abs(rest) < LITTLE ? sentence("why.named", { said, words: listed(found) }) : sentence("why.named.rest", { said, words: listed(found), rest: number(rest, SIGNED) });
}

/** @param {readonly string[]} words @param {number} i */
function called(words, i) {
  const word = quoted(words[i]), last = words.length - 1, same = range(words.length).filter((k) => words[k] === words[i]), at = same.indexOf(i);
  if (!i && last) return sentence("why.first-token", { word });
  if (i === last) return sentence("why.last-token", { word });
  if (at) return sentence("why.again", { word, number: at === 1 ? sentence("why.ordinal.2") : at === 2 ? sentence("why.ordinal.3") : sentence("why.ordinal", { number: String(at + 1) }) });
  return same.length > 1 ? sentence("why.first", { word }) : `*${word}*`;
}

/** Which head and which network add most. @param {Parted} of */
export function partsSaid({ parts: { heads, networks, embedding, whole } }) {
  const every = heads.flat(), [most] = strongest(every, range(every.length)), [network] = strongest(networks, range(networks.length)), wide = heads[0].length;
  return sentence("why.parts", {
    heads: number(sum(every), SIGNED), head: sentence("why.head", { layer: String(Math.floor(most / wide) + 1), head: String(most % wide + 1) }), most_head: number(every[most], SIGNED),
    networks: number(sum(networks), SIGNED), layer: String(network + 1), most_network: number(networks[network], SIGNED),
    embedding: number(embedding, SIGNED), rest: "", whole: number(whole, PLAIN),
  });
}
