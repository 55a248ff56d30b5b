// What each layer would say, as pictures and in sentences: `core/figures/lens.py`, `pages/next_word/layers/captions.py`
// and `pages/next_word/layers/view.py`.
/** @import { LensHeader, LinesHeader } from "../headers" */
/** @import { AboutLens, LensGrid } from "../engine/lens.js" */
/** @import { Made } from "./packed.js" */
import { decimal } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { trimmed } from "../engine/words.js";
import { fixed, grouped } from "../runtime/shared.js";
import { aloud, label, spelled, written } from "./labels.js";
import { range } from "./numbers.js";
import { floats } from "./packed.js";
import { percent, plain, sentence } from "./sentences.js";

const { named: NAMED, row: ROW, around: AROUND, mostRows: MOST_ROWS, grid: GRID, ranks: RANKS } = CONSTANTS.lens;

/** How many layers a grid has. @param {LensGrid} grid */
const layersOf = ({ likeliest }) => likeliest.length - 1;

/** The name of a state. @param {number} depth */
export const depthName = (depth) => (depth ? sentence("lens.depth", { layer: String(depth) }) : sentence("lens.input"));

/** @param {string} said */
const capitalized = (said) => said[0].toUpperCase() + said.slice(1);

/**
 * The grid tokens × layers, the last layer above.
 * @param {LensGrid} grid @param {[number, number] | null} chosen depth and column @returns {Made<LensHeader>}
 */
export function lensGrid(grid, chosen) {
  const depths = range(layersOf(grid) + 1).reverse(), columns = range(grid.positions.length), last = depths[0];
  const every = (/** @type {(depth: number, column: number) => any} */ of) => depths.flatMap((depth) => columns.map((column) => of(depth, column)));
  const first = (/** @type {number} */ depth, /** @type {number} */ column) => grid.likeliest[depth][column][0];
  const header = {
    ...GRID,
    rows: depths.map((depth) => (depth ? String(depth) : GRID.rows[1])), rowNames: depths.map(depthName), columns: columns.map((column) => tokenOf(grid, column)),
    labels: every((depth, column) => spelled(grid.names[first(depth, column)])), notes: every((depth, column) => note(grid, depth, column)),
    firm: every((depth, column) => (first(depth, column) === first(last, column) ? "1" : "0")).join(""),
    chosen: chosen && (last - chosen[0]) * columns.length + chosen[1], height: ROW * Math.min(depths.length, MOST_ROWS) + AROUND,
    sentence: sentence("lens.grid", { count: String(columns.length), layers: String(last), lens: grid.lens }), file: `polysee-layers-${grid.lens}`,
  };
  return { module: "lens", header: /** @type {any} */ (header), payload: floats([Float32Array.from(every((depth, column) => grid.probabilities[depth][column][0]))]) };
}

/** Depth and column of a cell of the picture. @param {LensGrid} grid @param {number} index @returns {[number, number]} */
export const cellOf = (grid, index) => [layersOf(grid) - Math.floor(index / grid.positions.length), index % grid.positions.length];

/** @param {LensGrid} grid @param {number} depth @param {number} column */
function note({ likeliest, probabilities, names, word, wordRanks, wordProbabilities }, depth, column) {
  const some = likeliest[depth][column].slice(1).map((id, i) => `${spelled(names[id])} ${share(probabilities[depth][column][i + 1])}`);
  const then = some.length ? [sentence("lens.then", { words: some.join(", ") })] : [];
  if (word === null || !wordRanks || !wordProbabilities) return then.join("");
  const place = grouped(wordRanks[depth][column] + 1);
  return [...then, sentence("lens.place", { word: spelled(names[word]), place, share: share(wordProbabilities[depth][column]) })].join("; ");
}

/** @param {number} p */
const share = (p) => (p > 0 && p < 0.00005 ? decimal("< 0.0001") : decimal(fixed(p, 4)));

/** A token that was read, as it stands in the text. @param {LensGrid} grid @param {number} column */
export function tokenOf({ encoded: { starts, ends, tokens, text }, positions }, column) {
  const at = positions[column], start = starts[at], end = ends[at], before = at ? ends[at - 1] : 0;
  if (end <= start) return end ? tokens[at] : label(written(tokens[at]));
  return spelled([...text].slice(Math.min(before, start), end).join(""));
}

/** The depth from which on the likeliest token of a column is the one of the end. @param {LensGrid} grid @param {number} column */
function since({ likeliest }, column) {
  const own = likeliest.map((row) => row[column][0]);
  return own.findLastIndex((id) => id !== own[own.length - 1]) + 1;
}

/** @param {number} depth @param {number} layers */
function saidSince(depth, layers) {
  const name = depth === layers ? (layers > 1 ? "lens.since.last" : "lens.since.only") : depth ? "lens.since.layer" : "lens.since.input";
  return sentence(name, { layer: String(depth), layers: String(layers) });
}

/** From which layer on each lens reads the word of the end. @param {LensGrid} own read plainly @param {LensGrid} fitted both of one column */
export function lensHeadline(own, fitted) {
  const layers = layersOf(own), word = `*${named(own, own.likeliest[layers][0][0])}*`, depth = since(own, 0), first = since(fitted, 0);
  const [one, other] = [depth, first].map((at) => saidSince(at, layers));
  if (first === depth) return sentence("lens.both", { word, since: one });
  return depth < first ? sentence("lens.plain-first", { word, since: one, other }) : sentence("lens.fitted-first", { word, since: other, other: one });
}

/** When the word that was asked for comes to place 1, and whether it keeps it. @param {LensGrid} grid of one column */
export function askedFor(grid) {
  const { word, wordRanks, wordProbabilities, lens } = grid;
  if (word === null || !wordRanks || !wordProbabilities) return "";
  const ranks = wordRanks.map(([rank]) => rank), shares = wordProbabilities.map(([p]) => p), layers = layersOf(grid), end = percent(shares[layers]);
  const said = { by: sentence(lens === "fitted" ? "lens.by.fitted" : "lens.by.plain"), word: named(grid, word), end };
  // Of equal places, the one with more probability.
  const best = ranks.reduce((at, rank, i) => (rank < ranks[at] || (rank === ranks[at] && shares[i] > shares[at]) ? i : at), 0);
  if (ranks[best]) return sentence("lens.asked", { ...said, where: saidWhere(best), place: grouped(ranks[best] + 1), share: percent(shares[best]) });
  const first = ranks.indexOf(0), kept = ranks.findLastIndex(Boolean) + 1;
  if (first === layers) return sentence("lens.asked.last", said);
  const more = { ...said, where: saidWhere(first), share: percent(shares[first]) };
  if (kept > layers) return sentence("lens.asked.lost", { ...more, place: grouped(ranks[layers] + 1) });
  if (kept === first) return sentence("lens.asked.keeps", more);
  return kept === layers ? sentence("lens.asked.again.last", more) : sentence("lens.asked.again", { ...more, layer: String(kept) });
}

/** @param {number} depth */
const saidWhere = (depth) => (depth ? depthName(depth) : sentence("lens.at.input"));

/** @param {LensGrid} grid of one column @param {number} depth */
function cell(grid, depth) {
  const { likeliest, probabilities, word, wordRanks, wordProbabilities } = grid, shares = probabilities[depth][0];
  const said = likeliest[depth][0].slice(0, NAMED).map((id, i) => sentence("next-word.one", { word: named(grid, id), share: percent(shares[i]) })).join(", ");
  if (word === null || !wordRanks?.[depth][0] || !wordProbabilities) return said; // the first has been named
  return sentence("lens.cell", { said, word: named(grid, word), place: grouped(wordRanks[depth][0] + 1), share: percent(wordProbabilities[depth][0]) });
}

/**
 * The chosen state in words.
 * @param {LensGrid} shown @param {LensGrid} own its token, read plainly @param {LensGrid} fitted by the fitted lens @param {number} depth
 * @param {number} column
 */
export function chosenState(shown, own, fitted, depth, column) {
  const position = shown.positions[column], isLast = depth === layersOf(shown);
  const said = isLast ? sentence("lens.chosen.model", { said: cell(own, depth) }) : sentence("lens.chosen.both", { fitted: cell(fitted, depth), plain: cell(own, depth) });
  return sentence("lens.chosen", {
    depth: capitalized(depthName(depth)), token: plain(tokenOf(shown, column)), position: String(position + 1), count: String(shown.encoded.ids.length),
    said: position ? said : `${said} ${sentence("lens.chosen.sink")}`,
  });
}

/** How far a fitted lens is from the model's own prediction. @param {AboutLens} about @param {number} depth */
export function howGood({ fittedOn, tokens, testedOn, fitted, fittedSame, plain: bits, plainSame }, depth) {
  const at = Math.min(depth, fitted.length - 1);
  return sentence("lens.good", {
    tokens: grouped(tokens), text: plain(fittedOn), tested: grouped(testedOn), depth: depthName(at), same: percent(fittedSame[at]), bits: decimal(fixed(fitted[at], 2)),
    plain_same: percent(plainSame[at]), plain: decimal(fixed(bits[at], 1)),
  });
}

/** A token in a sentence, without the space before it. @param {LensGrid} grid @param {number} id */
function named({ names }, id) {
  const text = names[id], name = spelled(trimmed(text, " ") || text), shown = plain(aloud(name));
  return aloud(name) !== name || /[\p{L}\p{N}]/u.test(text) ? shown : sentence("next-word.quoted", { word: shown });
}

/** The place of the word after each layer, by both lenses. @param {LensGrid} own @param {LensGrid} fitted of one column @returns {Made<LinesHeader>} */
export function ranksOf(own, fitted) {
  const word = spelled(own.names[own.word ?? -1]), both = [own, fitted].map(({ wordRanks }) => (wordRanks ?? []).map(([rank]) => Math.log10(rank + 1)));
  const values = Float32Array.from(both.flat()), most = Math.max(...values), powers = range(6).filter((power) => power <= most + 1);
  const header = {
    ...RANKS, steps: both[0].map((_, depth) => capitalized(depthName(depth))), ticks: both[0].map((_, depth) => (depth ? String(depth) : GRID.rows[1])),
    guides: powers.map((power) => [power, grouped(10 ** power)]), bounds: [0, Math.max(most, ...powers)],
    unit: written(sentence("lens.ranks.unit", { word })), sentence: sentence("lens.ranks", { word }),
  };
  return { module: "lines", header: /** @type {any} */ (header), payload: floats([values]) };
}
