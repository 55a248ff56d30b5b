// The layout of a tree of continuations: tokens in rows, and below each a line as wide as its probability.
/** @import { Box, Colour, Look, Shape } from "../types" */
/** @import { BranchesHeader } from "../headers" */
/** @import { PartPlan, View } from "../runtime/scrolling" */
import { m } from "../runtime/language.js";
import { SAVE_ROOM, fitted, mix, rgb, widthOf, wrapped } from "../runtime/shared.js";
import { hundredths } from "../draw/polylines.js";
import { SCROLLBAR } from "../draw/written.js";

export const MOST_ROWS = 14; // in view; more scroll
const LEAST_ROWS = 2; // also where a page has hardly any room
const LETTERS = 1.1; // the size of the letters, in multiples of the page's small ones
export const THICK = 0.95; // the width of a line of probability 1, in multiples of the letters
const THIN = 0.75; // pixels: the width of a line of probability 0
const PAD = 3, SEAM = 2, FORK = 34; // pixels around a token, between two tokens, in a fork
const APART = 20; // pixels at least between two parts of a tree in one row
const LEAST = 18, LONGEST = 13; // of a token: pixels, and in multiples of the letters
const TOP = 4, EDGE = 3, FOOT = 12; // pixels
const WIDTH = () => m("the wider a line, the more probable its token"), CHOSEN = () => m("bold: the chosen path");
const SAMPLES = [0.1, 0.5, 1], SAMPLE = 30; // probabilities in the legend; pixels of a line there

/**
 * The input of the layout; values are (nodes), probabilities.
 * @typedef {{ header: BranchesHeader, values: Float32Array, width: number }} Branches
 */
/**
 * @typedef {object} Nodes
 * @property {number} pitch pixels from row to row
 * @property {number} rows how many there are
 * @property {readonly number[]} row of each node
 * @property {number} first the first row in view
 * @property {number} shown how many rows are in view
 * @property {(i: number) => Box | null} box around a node; null where it is out of view
 * @property {(x: number, y: number) => number | null} at the node at a place of the picture
 */
/** @typedef {PartPlan & Nodes} BranchesPlan */

/**
 * A tree of nodes that come after their parents.
 * @typedef {object} Tree
 * @property {readonly number[]} parents
 * @property {readonly (readonly number[])[]} children of each node, the one on the chosen path first
 * @property {readonly number[]} roots
 */

/**
 * @param {readonly number[]} parents @param {number | null} chosen
 * @returns {Tree}
 */
export function treeOf(parents, chosen) {
  /** @type {number[][]} */
  const children = parents.map(() => []);
  /** @type {number[]} */
  const roots = [];
  parents.forEach((parent, i) => (parent < 0 ? roots : children[parent]).push(i));
  for (const i of pathTo(parents, chosen)) {
    const all = parents[i] < 0 ? roots : children[parents[i]];
    all.unshift(...all.splice(all.indexOf(i), 1));
  }
  return { parents, children, roots };
}

/** From where to where each row of a part of a tree is taken, in pixels. @typedef {[number, number][]} Taken */

/**
 * The row of each node. The first continuation of a token stays in its row: the chosen path is the first row, as
 * running text. Each other one has the first row below where nothing is in the way of it, or of the line that leads
 * to it. So a tree is no higher than its text needs.
 * @param {Tree} tree @param {readonly number[]} x where each node begins, in pixels @param {readonly number[]} wide
 */
export function rowsOf({ parents, children, roots }, x, wide) {
  /** @type {Taken[]} From each node on, by rows from its own. */
  const taken = [];
  /** @type {number[]} */
  const below = Array(parents.length).fill(0), row = Array(parents.length).fill(0); // rows below the parent's
  for (let i = parents.length - 1; i >= 0; i--) {
    const own = taken[i] = joined(children[i], taken, below, x[i] + wide[i]);
    own[0] = [x[i], own[0]?.[1] ?? x[i] + wide[i]];
  }
  const rows = Math.max(1, joined(roots, taken, below, 0).length);
  parents.forEach((parent, i) => { row[i] = below[i] + (parent < 0 ? 0 : row[parent]); });
  return { row, rows };
}

/**
 * Puts each of some continuations below those before it; they fork at `fork`.
 * @param {readonly number[]} all @param {Taken[]} taken @param {number[]} below @param {number} fork
 */
function joined([first, ...others], taken, below, fork) {
  const whole = first === undefined ? [] : taken[first];
  let row = 0;
  for (const i of others) {
    const own = taken[i];
    do row++; while (own.some(([, end], k) => whole[row + k] && end + APART > whole[row + k][0]));
    for (let k = 1; k < row; k++) whole[k] = [fork, whole[k]?.[1] ?? fork];
    own.forEach(([start, end], k) => {
      whole[row + k] = [k ? Math.min(start, whole[row + k]?.[0] ?? start) : fork, Math.max(end, whole[row + k]?.[1] ?? end)];
    });
    below[i] = row;
  }
  return whole;
}

/** A node and all before it, the first one first. @param {readonly number[]} parents @param {number | null} end */
export function pathTo(parents, end) {
  /** @type {number[]} */
  const path = [];
  for (let i = end ?? -1; i >= 0; i = parents[i]) path.push(i);
  return path.toReversed();
}

/** The nodes that share a node's parent, itself among them. @param {Tree} tree @param {number} i */
const siblings = ({ parents, children, roots }, i) => (parents[i] < 0 ? roots : children[parents[i]]);

/**
 * The node that a key leads to; null for a key that leads nowhere.
 * @param {Tree} tree @param {number | null} chosen @param {number} here
 * @param {{ key: string, ctrlKey?: boolean }} event @param {boolean} left whether the tree grows to the left
 */
export function nextNode(tree, chosen, here, { key, ctrlKey = false }, left) {
  if (ctrlKey) return null;
  const { parents, children } = tree;
  const on = left ? "ArrowLeft" : "ArrowRight", back = left ? "ArrowRight" : "ArrowLeft";
  if (key === on) return children[here][0] ?? here;
  if (key === back) return parents[here] < 0 ? here : parents[here];
  if (key === "Home") return pathTo(parents, here)[0];
  if (key === "End") return chosen ?? lastOf(tree, here);
  const by = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (by === undefined) return null;
  for (let i = here; i >= 0; i = parents[i]) { // of its own parent, or of the nearest fork before it
    const all = siblings(tree, i), there = all[all.indexOf(i) + by];
    if (there !== undefined) return there;
  }
  return here;
}

/** The end of a node's own row. @param {Tree} tree @param {number} i */
function lastOf({ children }, i) {
  while (children[i].length) [i] = children[i];
  return i;
}

/**
 * The pixels of a line's width. @param {number} probability @param {number} size of the letters
 */
export const thickness = (probability, size) => Math.max(THIN, probability * THICK * size);

/**
 * The width of each node, and where it begins, in pixels from the start of the tree.
 * @param {Branches} branches @param {Tree} tree @param {Set<number>} path @param {{ font: string, size: number }} letters
 */
function across({ header }, tree, path, letters) {
  const { labels, parents } = header, most = LONGEST * letters.size;
  const texts = labels.map((text, i) => (parents[i] < 0 ? fittedEnd : fitted)(text, most, letters, path.has(i)));
  const wide = texts.map((text, i) => Math.max(LEAST, widthOf(text, letters, path.has(i)) + 2 * PAD));
  /** @type {number[]} */
  const x = [];
  parents.forEach((parent, i) => {
    x[i] = parent < 0 ? EDGE : x[parent] + wide[parent] + (tree.children[parent].length > 1 ? FORK : SEAM);
  });
  return { texts, wide, x, end: EDGE + x.reduce((farthest, from, i) => Math.max(farthest, from + wide[i]), 0) };
}

/**
 * The end of a text that is at most `most` pixels wide: a tree begins with the end of what stands before it.
 * @param {string} text @param {number} most @param {{ font: string, size: number }} letters @param {boolean} bold
 */
function fittedEnd(text, most, letters, bold) {
  if (widthOf(text, letters, bold) <= most) return text;
  const signs = [...new Intl.Segmenter().segment(text.slice(-200))].map(({ segment }) => segment);
  while (signs.length > 1 && widthOf(`…${signs.join("")}`, letters, bold) > most) signs.shift();
  return `…${signs.join("")}`;
}

/**
 * The complete layout.
 * @param {Branches} branches @param {Tree} tree @param {Look} look @param {View} view
 * @param {number} room pixels of height that the page has for it
 * @param {boolean} whole whether it is for a file, which holds the whole tree
 * @returns {BranchesPlan}
 */
export function branchesPlan(branches, tree, look, view, room = Infinity, whole = false) {
  const { header: { left, chosen }, values, width } = branches, size = LETTERS * look.size;
  const letters = { font: look.font, size }, path = new Set(pathTo(tree.parents, chosen));
  const columns = across(branches, tree, path, letters), { x, wide, texts } = columns, { row, rows } = rowsOf(tree, x, wide);
  const pitch = Math.round((1.5 + THICK + 0.55) * size), legend = legendOf(look, chosen !== null, Math.max(width, whole ? columns.end : 0));
  const foot = FOOT + legend.high, more = whole ? 0 : SCROLLBAR;
  const most = whole ? Infinity : Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor((room - TOP - more - foot) / pitch)));
  const shown = Math.min(rows, most), sight = whole ? Math.max(width, columns.end) : width - (rows > shown ? SCROLLBAR : 0);
  const content = Math.max(columns.end, sight), window = shown * pitch, high = window + (columns.end > sight ? SCROLLBAR : 0);
  const bottom = TOP + high;
  const edge = (/** @type {number} */ i) => (left ? content - x[i] - wide[i] : x[i]);
  const [from, top] = scrolledTo(view, (i) => [edge(i), row[i] * pitch, wide[i], pitch], [sight, window], [content, rows * pitch]);
  const first = Math.round(top / pitch), y = (/** @type {number} */ at) => TOP + (at - first) * pitch;
  const seen = (/** @type {number} */ i) => row[i] >= first && row[i] < first + shown;
  const inSight = (/** @type {number} */ i) => seen(i) && edge(i) + wide[i] > from && edge(i) < from + sight;
  /** @param {number} i @returns {Box} */
  const boxOf = (i) => [edge(i) - from, y(row[i]), wide[i], pitch - 3];
  const grey = mix(look.paper, look.ink, 0.5), hue = rgb(branches.header.hue);
  const colour = (/** @type {number} */ i) => (path.has(i) ? hue : grey);
  const middle = (/** @type {number} */ at) => y(at) + (1.5 + THICK / 2) * size;
  const thick = (/** @type {number} */ i) => thickness(values[i], size);
  const mirror = (/** @type {number} */ at) => (left ? content - at : at) - from;
  /** @type {Shape[]} */
  const shapes = [];
  const inOrder = [...tree.parents.keys()].sort((a, b) => Number(path.has(a)) - Number(path.has(b)) || a - b);
  for (const i of inOrder) {
    const parent = tree.parents[i], forks = parent >= 0 && tree.children[parent].length > 1;
    if (!forks || Math.max(row[i], row[parent]) < first || Math.min(row[i], row[parent]) >= first + shown) continue;
    const ends = [x[parent] + wide[parent], x[i]].map(mirror);
    if (Math.max(...ends) < 0 || Math.min(...ends) > sight) continue;
    shapes.push({ path: forkOf(ends, [middle(row[parent]), middle(row[i])], thick(i)), fill: colour(i), part: "fork", of: i });
  }
  for (const i of inOrder.filter(inSight)) {
    const [at, above, long] = boxOf(i), bold = path.has(i);
    shapes.push(
      { path: bandOf(at, middle(row[i]) - thick(i) / 2, long, thick(i)), fill: colour(i), part: "line", of: i },
      { text: texts[i], x: at + long / 2, y: above + 0.8 * size, size, anchor: "middle", bold, fill: look.ink, part: "node", of: i },
    );
  }
  if (chosen !== null && inSight(chosen)) {
    const [at, above, long, tall] = boxOf(chosen);
    shapes.push({ rect: [at - 0.5, above, long + 1, tall], stroke: look.ink, wide: 1.5, part: "chosen", of: chosen });
  }
  // Lines that lead to rows out of view end at the edge of those in view.
  shapes.push({ rect: [0, bottom, Math.max(width, sight), foot], fill: look.paper, part: "edge" });
  const { bar, end, shapes: signs } = legend.at(bottom + FOOT);
  return {
    shapes: [...shapes, ...signs], bar, end, area: [0, TOP, whole ? sight : width, high],
    content: [columns.end > sight ? columns.end : 0, rows * pitch > window ? rows * pitch + high - window : 0],
    offset: [from, top], high: Math.ceil(bottom + foot), pitch, rows, row, first, shown,
    box: (i) => (inSight(i) ? boxOf(i) : null),
    at: (px, py) => {
      const under = first + Math.floor((py - TOP) / pitch), place = px + from;
      if (under < first || under >= first + shown) return null;
      const found = row.findIndex((own, i) => own === under && place >= edge(i) - SEAM && place < edge(i) + wide[i]);
      return found < 0 ? null : found;
    },
  };
}

/**
 * What is scrolled out of view; a node that is to be in view is.
 * @param {View} view @param {(i: number) => Box} boxOf in the whole @param {readonly [number, number]} sight
 * @param {readonly [number, number]} content
 * @returns {[number, number]}
 */
function scrolledTo({ left, top, reveal }, boxOf, sight, content) {
  const offset = [left, top];
  const [x, y, wide, high] = reveal === null ? [0, 0, 0, 0] : boxOf(reveal);
  if (reveal !== null) {
    [[x - EDGE, wide + 2 * EDGE], [y, high]].forEach(([from, long], axis) => {
      offset[axis] = Math.min(from, Math.max(from + long - sight[axis], offset[axis]));
    });
  }
  const kept = (/** @type {0 | 1} */ axis) => Math.max(0, Math.min(offset[axis], content[axis] - sight[axis]));
  return [kept(0), kept(1)];
}

/** @param {number} x @param {number} y @param {number} wide @param {number} high */
const bandOf = (x, y, wide, high) => `M${hundredths(x)} ${hundredths(y)}h${hundredths(wide)}v${hundredths(high)}h${hundredths(-wide)}z`;

/**
 * A band from the end of a node to the start of one in another row, as wide all along.
 * @param {readonly number[]} x @param {readonly number[]} y @param {number} thick
 */
function forkOf([x0, x1], [y0, y1], thick) {
  const half = thick / 2, middle = (x0 + x1) / 2;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => `${hundredths(x)} ${hundredths(y)}`;
  return `M${at(x0, y0 - half)}C${at(middle, y0 - half)} ${at(middle, y1 - half)} ${at(x1, y1 - half)}`
    + `L${at(x1, y1 + half)}C${at(middle, y1 + half)} ${at(middle, y0 + half)} ${at(x0, y0 + half)}z`;
}

/**
 * What the lines mean, and how high it is.
 * @param {Look} look @param {boolean} chosen whether there is a chosen path @param {number} width
 */
function legendOf(look, chosen, width) {
  const { size } = look, line = 1.35 * size, texts = wrapped(chosen ? `${WIDTH()}; ${CHOSEN()}` : WIDTH(), width - 4, look, 3);
  const high = Math.ceil(texts.length * line + 24 + 4);
  const at = (/** @type {number} */ top) => {
    /** @type {Shape[]} */
    const shapes = texts.map((text, i) => ({ text, x: 2, y: top + (i + 0.5) * line, size, fill: look.muted, part: "note" }));
    const y = top + texts.length * line + 14, grey = /** @type {Colour} */ (mix(look.paper, look.ink, 0.5));
    let x = 2;
    for (const probability of SAMPLES) {
      const thick = thickness(probability, LETTERS * size), text = String(probability);
      shapes.push({ path: bandOf(x, y - thick / 2, SAMPLE, thick), fill: grey, part: "sample" });
      shapes.push({ text, x: x + SAMPLE + 5, y, size, fill: look.muted, part: "probability" });
      x += SAMPLE + 5 + widthOf(text, look) + 16;
    }
    return { shapes, bar: y - 9, end: Math.min(width, x + SAVE_ROOM) };
  };
  return { high, at };
}
