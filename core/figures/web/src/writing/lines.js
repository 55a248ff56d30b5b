// A running text in lines: where its pieces stand, in which order a reader meets them.
/** @import { Letters } from "../runtime/shared" */
import { widthOf } from "../runtime/shared.js";

/** Where a piece runs: from right to left, from left to right, as a number, or either. @typedef {"r" | "l" | "d" | "n"} Side */
/**
 * A part of a piece on one line.
 * @typedef {object} Item
 * @property {number} of the index of its piece
 * @property {"text" | "space" | "break"} kind
 * @property {string} text
 * @property {Side} side
 * @property {number} wide in pixels
 * @property {number} x its left edge
 * @property {number} line
 */
/** @typedef {Pick<Item, "of" | "kind" | "text" | "side">} Atom */

export const PAD = 2; // pixels of a word's background before its first letter and after its last
const BREAK = "↵", SPACE = "␣";
// Scripts that write without spaces: a line may end between any two pieces.
const UNSPACED = [[0x0e00, 0x0eff], [0x1000, 0x109f], [0x1780, 0x17ff], [0x2e80, 0xd7ff], [0xf900, 0xfaff], [0xff00, 0xffef], [0x20000, 0x3ffff]];
const NEVER_FIRST = "、。，．・：；？！）」』】〉》〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ";
const JOINED = [[0x0620, 0x064a], [0x066e, 0x06d3], [0x0710, 0x077f], [0x07ca, 0x07ea]]; // letters that join the next
const JOINER = "\u200d";
const MARK = "\u200f"; // on both sides of a text, it and its full stop run from right to left in any picture

/** @param {string} sign @param {readonly (readonly number[])[]} ranges */
const among = (sign, ranges) => {
  const code = sign.codePointAt(0) ?? 0;
  return ranges.some(([from, to]) => from <= code && code <= to);
};
/** The last sign of a text. @param {string} text */
const lastOf = (text) => [...text.slice(-2)].at(-1) ?? "";

/**
 * The words, the spaces and the line breaks of a piece. Of a piece that has nothing else, spaces are drawn.
 * @param {string} piece
 * @param {number} of
 * @param {Side} side
 */
export function atomsOf(piece, of, side) {
  /** @type {Atom[]} */
  const atoms = [];
  const blank = !piece.trim();
  for (const sign of piece) {
    /** @type {Item["kind"]} */
    const kind = sign === "\n" ? "break" : sign.trim() || blank ? "text" : "space";
    const text = kind === "break" ? BREAK : blank ? SPACE : sign, before = atoms.at(-1);
    if (before?.kind === kind && kind !== "break") before.text += text;
    else atoms.push({ of, kind, text, side });
  }
  return atoms;
}

/** Whether a line may end between two texts that touch. @param {string} before @param {string} after */
function parts(before, after) {
  const first = String.fromCodePoint(after.codePointAt(0) ?? 0);
  return !NEVER_FIRST.includes(first) && (before.endsWith(SPACE) || after.startsWith(SPACE)
    || among(lastOf(before), UNSPACED) || among(first, UNSPACED));
}

/**
 * A text in lines of at most `most` pixels, which end between words; a word that is longer ends between its pieces,
 * and a piece that is longer between its signs.
 * @param {readonly string[]} pieces
 * @param {string} sides of the pieces
 * @param {boolean} left whether the text runs from right to left
 * @param {number} most
 * @param {Letters} letters
 * @returns {Item[][]} the items of each line, from left to right
 */
export function linesOf(pieces, sides, left, most, letters) {
  const atoms = pieces.flatMap((piece, i) => atomsOf(piece, i, /** @type {Side} */ (sides[i])));
  const items = atoms.map((atom, i) => measured(atom, atoms[i - 1], atoms[i + 1], letters));
  /** @type {Item[][]} */
  const lines = [[]];
  let used = 0;
  const end = () => {
    lines.push([]);
    used = 0;
  };
  const put = (/** @type {Item} */ item) => {
    lines[lines.length - 1].push({ ...item, x: used, line: lines.length - 1 });
    used += item.wide;
  };
  for (let i = 0; i < items.length;) {
    const item = items[i];
    if (item.kind === "space") { // at the end of a line it takes what is left
      put({ ...item, wide: Math.max(0, Math.min(item.wide, most - used)) });
      i++;
      continue;
    }
    if (item.kind === "break") {
      if (used + item.wide > most && used > 0) end();
      put(item);
      if (i < items.length - 1) end();
      i++;
      continue;
    }
    let next = i + 1; // after this word
    while (items[next]?.kind === "text" && !parts(items[next - 1].text, items[next].text)) next++;
    const word = items.slice(i, next), wide = word.reduce((sum, one) => sum + one.wide, 0);
    const written = lines[lines.length - 1].some(({ kind }) => kind !== "space");
    if (used + wide > most && (written || (used > 0 && wide <= most))) end();
    if (used + wide <= most) word.forEach(put);
    else {
      for (const one of word.flatMap((part) => cut(part, most, letters))) {
        if (used + one.wide > most && used > 0) end();
        put(one);
      }
    }
    i = next;
  }
  return lines.map((line) => placed(line, left, most));
}

/**
 * An atom with its width; letters that join across two pieces are drawn joined.
 * @param {Atom} atom @param {Atom | undefined} before @param {Atom | undefined} after
 * @param {Letters} letters
 * @returns {Item}
 */
function measured(atom, before, after, letters) {
  const touches = (/** @type {Atom | undefined} */ other) => atom.kind === "text" && other?.kind === "text";
  let { text } = atom;
  if (before && touches(before) && joins(before.text, atom.text)) text = JOINER + text;
  if (after && touches(after) && joins(atom.text, after.text)) text += JOINER;
  const pads = atom.kind === "text" ? PAD * (Number(!touches(before)) + Number(!touches(after))) : 0;
  return { ...atom, text, wide: widthOf(text, letters) + pads, x: 0, line: 0 };
}

/** @param {string} before @param {string} after */
const joins = (before, after) => among(lastOf(before), JOINED) && among(after, JOINED);

/**
 * An item in parts of at most `most` pixels.
 * @param {Item} item @param {number} most @param {Letters} letters
 */
function cut(item, most, letters) {
  if (item.wide <= most) return [item];
  /** @type {Item[]} */
  const found = [];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(item.text)) {
    // Signs together are wider or narrower than each alone: what is drawn is measured.
    const last = found.at(-1), text = (last?.text ?? "") + segment, wide = widthOf(text, letters);
    if (last && wide <= most) Object.assign(last, { text, wide });
    else found.push({ ...item, text: segment, wide: widthOf(segment, letters) });
  }
  return found;
}

/**
 * The items of a line from left to right, as two directions of writing share it, by Unicode's rules: what has no
 * direction goes with its neighbours, and a number in a run from right to left still runs from left to right.
 * @param {Item[]} line @param {boolean} left @param {number} most
 */
function placed(line, left, most) {
  const order = levelsOf(line, left).map((level, i) => ({ level, item: line[i] }));
  for (let level = 2; level > 0; level--) {
    for (let i = 0; i < order.length; i++) {
      let next = i;
      while (next < order.length && order[next].level >= level) next++;
      if (next > i) order.splice(i, next - i, ...order.slice(i, next).reverse());
      i = next;
    }
  }
  const whole = line.reduce((sum, { wide }) => sum + wide, 0);
  let x = left ? most - whole : 0;
  return order.map(({ item, level }) => {
    const text = level === 1 && item.kind === "text" ? MARK + item.text + MARK : item.text, there = { ...item, text, x };
    x += item.wide;
    return there;
  });
}

/**
 * How deep each item is among the two directions: runs of odd levels run from right to left.
 * @param {readonly Item[]} line @param {boolean} left
 */
function levelsOf(line, left) {
  const own = left ? "r" : "l", sides = line.map(({ side, kind }) => (kind === "text" ? side : "n"));
  let strong = own; // the last one with letters
  sides.forEach((side, i) => {
    if (side === "d" && strong === "l") sides[i] = "l";
    if (side === "l" || side === "r") strong = side;
  });
  const asLetters = (/** @type {Side | undefined} */ side) => (side === "d" ? "r" : side ?? own);
  for (let i = 0; i < sides.length; i++) {
    let next = i;
    while (sides[next] === "n") next++;
    const before = asLetters(sides[i - 1]), after = asLetters(sides[next]);
    sides.fill(before === after ? before : own, i, next);
    i = next;
  }
  return sides.map((side) => (side === "r" ? 1 : side === "d" || left ? 2 : 0));
}
