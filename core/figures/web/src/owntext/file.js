// A trained model as the file that the server writes and reads: safetensors with the recipe, the tokens and the merges
// as JSON in its metadata (`core/own_text/files.py`). The text is not in it. A file is not trusted: its tensors must have
// exactly the shapes that the recipe and the number of tokens imply.
/** @import { Tensor } from "./decoder.js" */
/** @import { Recipe } from "./recipe.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { shapes } from "./shapes.js";
import { wrong } from "./recipe.js";
import { END } from "./units.js";

const { key: KEY, format: FORMAT, most: MOST } = CONSTANTS.file, MOST_TOKENS = 2300, LONGEST = 200;

/** A file that is no model of a text of one's own. */
export class NoModel extends Error {
  /** @param {string} why */
  constructor(why) {
    super(m("This file is no model of a text of one’s own: {why}.", { why }));
    this.why = why;
  }
}

/** @typedef {{ recipe: Recipe, steps: number, tokens: string[], merges: [string, string][], tensors: Record<string, Tensor> }} Saved */

/** @param {Saved} saved @returns {Uint8Array<ArrayBuffer>} */
export function dump({ recipe, steps, tokens, merges, tensors }) {
  /** @type {Record<string, object>} */
  const header = { __metadata__: { [KEY]: JSON.stringify({ format: FORMAT, recipe, steps, tokens, merges }) } };
  let size = 0;
  for (const [name, { shape, numbers }] of Object.entries(tensors)) {
    header[name] = { dtype: "F32", shape, data_offsets: [size, size + numbers.byteLength] };
    size += numbers.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header)), head = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + head + size).fill(32, 8, 8 + head);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(head), true);
  bytes.set(text, 8);
  let at = 8 + head;
  for (const { numbers } of Object.values(tensors)) {
    bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), at);
    at += numbers.byteLength;
  }
  return bytes;
}

/** @param {unknown} value @param {number} most @returns {value is string[]} */
const areNames = (value, most) => Array.isArray(value) && value.length <= most
  && value.every((one) => typeof one === "string" && one.length > 0 && one.length <= LONGEST);

/** @param {Uint8Array} bytes @returns {Saved} @throws {NoModel} */
export function load(bytes) {
  if (bytes.length > MOST) throw new NoModel(m("it is too large"));
  /** @type {any} */
  let header, about;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), start = bytes.length < 8 ? 0 : 8 + Number(view.getBigUint64(0, true));
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(8, start)));
    about = JSON.parse(header.__metadata__[KEY]);
    if (about.format !== FORMAT) throw new RangeError("another format");
  } catch {
    throw new NoModel(m("it was not saved here"));
  }
  const { recipe, steps, tokens, merges } = about;
  if (typeof recipe !== "object" || !recipe || wrong(recipe)) throw new NoModel(m("it has no recipe that Polysee knows"));
  if (!Number.isInteger(steps) || steps < 0 || steps > recipe.steps) throw new NoModel(m("it made more steps than its recipe has"));
  if (!areNames(tokens, MOST_TOKENS) || tokens[0] !== END || new Set(tokens).size !== tokens.length) throw new NoModel(m("it has no tokens"));
  if (!Array.isArray(merges) || merges.length > MOST_TOKENS || !merges.every((one) => areNames(one, 2) && one.length === 2)) throw new NoModel(m("its merges are no pairs"));
  const wanted = Object.entries(shapes(recipe, tokens.length));
  if (Object.keys(header).length !== wanted.length + 1) throw new NoModel(m("its numbers do not fit its recipe"));
  const tensors = Object.fromEntries(wanted.map(([name, shape]) => {
    const { dtype, shape: own, data_offsets: [from, to] = [0, 0] } = Object.hasOwn(header, name) ? header[name] : {};
    const size = 4 * shape.reduce((all, side) => all * side, 1);
    const fits = dtype === "F32" && String(own) === String(shape) && Number.isInteger(from) && from >= 0 && to - from === size && start + to <= bytes.length;
    if (!fits) throw new NoModel(m("its numbers do not fit its recipe"));
    const numbers = new Float32Array(bytes.slice(start + from, start + to).buffer);
    if (!numbers.every(Number.isFinite)) throw new NoModel(m("a number in it is not finite"));
    return [name, { shape, numbers }];
  }));
  return { recipe, steps, tokens, merges, tensors };
}
