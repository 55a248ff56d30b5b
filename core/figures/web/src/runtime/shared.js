// What the browser pictures share: their bytes, their numbers as text, the page's colours, labels.

/** @import { Cell, Header, Look, NumberFormat, RGB, Unpacked, ValuesOf } from "../types" */
import { decimal } from "./language.js";

/**
 * The header and the numbers of a picture. Streamlit's bytes may begin anywhere in their buffer.
 * @template {Header} H
 * @param {Uint8Array} bytes
 * @returns {Unpacked<H>}
 */
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 4 + view.getUint32(0, true);
  /** @type {H} */
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, end)));
  const own = bytes.slice(end), values = header.dtype === "uint8" ? own : new Float32Array(own.buffer);
  return { header, values: /** @type {ValuesOf<H>} */ (values) }; // as its `dtype` says
}

/**
 * A number from 0 with so many decimals, half a unit to the even side: Python's rule, by which captions are written.
 * @param {number} size
 * @param {number} digits
 */
export function fixed(size, digits) {
  const pair = 2 / 10 ** digits; // two units
  // A power of two rounds nothing: only an exact half is one here.
  return (size * 2 ** digits % 1 === 0.5 ? Math.round(size / pair) * pair : size).toFixed(digits);
}

/**
 * A number as every screen writes it, with a real minus sign: −0.62.
 * @param {number} value
 * @param {NumberFormat} format
 */
export function written(value, { digits, plus }) {
  const text = fixed(Math.abs(value), digits);
  return decimal(Number(text) === 0 ? text : (value < 0 ? "−" : plus ? "+" : "") + text);
}

/** @type {Readonly<Record<string, string>>} */
const SUPERSCRIPT = {
  "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹",
};

/**
 * A power of ten: 10⁻⁷.
 * @param {number} exponent
 */
export const tenTo = (exponent) => `10${[...String(exponent)].map((digit) => SUPERSCRIPT[digit]).join("")}`;

/**
 * A number that JavaScript writes as 1.9e-6, as every screen writes it: 1.9·10⁻⁶.
 * @param {string} text any other number stays as it is
 */
export function raised(text) {
  const [mantissa, exponent] = text.split("e");
  return exponent === undefined ? text : `${mantissa}·${tenTo(Number(exponent))}`;
}

/**
 * A whole number in groups of three digits: 16,384.
 * @param {number} value
 */
export function grouped(value) {
  return decimal(value.toLocaleString("en", { maximumFractionDigits: 0 }).replace("-", "−"));
}

export const SAVE_ROOM = 100; // pixels that stay free at the end of a picture's last line, for its menu's button

/**
 * @overload
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D}
 */
/**
 * @overload
 * @param {OffscreenCanvas} canvas
 * @param {CanvasRenderingContext2DSettings} settings
 * @returns {OffscreenCanvasRenderingContext2D}
 */
/**
 * The context that draws on a canvas.
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function penOf(canvas, settings) {
  const pen = canvas.getContext("2d", settings);
  if (!pen) throw new Error("This browser cannot draw on a canvas.");
  return pen;
}

/** @type {Map<string, RGB>} */
const colours = new Map();
/** @type {OffscreenCanvasRenderingContext2D | null} */
let trialPen = null;
/** The context that measures colours and widths of texts. */
const trial = () => (trialPen ??= penOf(new OffscreenCanvas(1, 1), { willReadFrequently: true }));

/**
 * Any CSS colour in numbers.
 * @param {string} text
 */
export function colour(text) {
  let found = colours.get(text);
  if (!found) {
    const pen = trial();
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
    colours.set(text, found = [r, g, b]);
  }
  return found;
}

/**
 * A colour between two others.
 * @param {RGB} from
 * @param {RGB} to
 * @param {number} share
 * @returns {RGB}
 */
export const mix = (from, to, share) => {
  const between = (/** @type {0 | 1 | 2} */ i) => Math.round(from[i] + (to[i] - from[i]) * share);
  return [between(0), between(1), between(2)];
};
/** @param {RGB} parts */
export const rgb = (parts) => `rgb(${parts.join(", ")})`;
/** The perceived brightness, 0 to 255. @param {RGB} parts */
export const light = ([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b;

/**
 * The colours and letters of the page around `node`.
 * @param {Element} node
 * @returns {Look}
 */
export function lookOf(node) {
  const style = getComputedStyle(node);
  const paper = colour(style.backgroundColor), ink = colour(style.color);
  return {
    paper, ink,
    muted: mix(paper, ink, 0.72),
    line: mix(paper, ink, 0.09),
    dark: light(paper) < light(ink),
    font: style.fontFamily,
    size: 0.8 * parseFloat(style.fontSize),
  };
}

/**
 * The height that the page has for a picture, in pixels; Infinity where it does not say.
 * @param {Element} node
 */
export const roomIn = (node) => parseFloat(getComputedStyle(node).getPropertyValue("--picture-most")) || Infinity;

/**
 * Calls `changed` when the page may have other colours or another density; ends with `signal`.
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
export function watchLook(changed, signal) {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", changed, { signal });
  const density = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  density.addEventListener("change", changed, { signal });
  const classes = new MutationObserver(changed); // a notebook changes its theme by an attribute
  for (const node of [document.documentElement, document.body]) {
    classes.observe(node, { attributes: true, attributeFilter: ["class", "style", "data-theme",
      "data-jp-theme-light", "data-vscode-theme-kind"] });
  }
  signal.addEventListener("abort", () => classes.disconnect(), { once: true });
}

/** @type {Map<string, number>} */
const widths = new Map();

/** @typedef {Pick<Look, "font" | "size">} Letters */

/**
 * The width of a text in pixels.
 * @param {string} text
 * @param {Letters} look
 * @param {boolean} bold
 */
export function widthOf(text, look, bold = false) {
  const font = `${bold ? 700 : 400} ${look.size}px ${look.font}`;
  const name = `${font}\n${text}`;
  let width = widths.get(name);
  if (!width) {
    if (widths.size > 20000) widths.clear();
    const pen = trial();
    pen.font = font;
    pen.textRendering = "geometricPrecision"; // as pictures draw it: not in whole pixels, letter by letter
    widths.set(name, width = pen.measureText(text).width);
  }
  return width;
}

/**
 * A text that is at most `most` pixels wide, cut between whole signs.
 * @param {string} text
 * @param {number} most
 * @param {Letters} look
 * @param {boolean} bold
 */
export function fitted(text, most, look, bold = false) {
  if (widthOf(text, look, bold) <= most) return text;
  const signs = [...new Intl.Segmenter().segment(text.slice(0, 200))].map((part) => part.segment);
  while (signs.length > 1 && widthOf(`${signs.join("")}…`, look, bold) > most) signs.pop();
  return `${signs.join("")}…`;
}

/**
 * A text in lines of at most `most` pixels, broken between words; the last of `lines` is cut.
 * @param {string} text
 * @param {number} most
 * @param {Letters} look
 * @param {number} lines
 */
export function wrapped(text, most, look, lines) {
  const found = [], words = text.split(/\s+/);
  let next = 0; // the first word that is not in a line yet
  while (next < words.length && found.length < lines - 1) {
    let line = words[next++];
    while (next < words.length && widthOf(`${line} ${words[next]}`, look) <= most) line += ` ${words[next++]}`;
    found.push(fitted(line, most, look));
  }
  if (next < words.length) found.push(fitted(words.slice(next).join(" "), most, look));
  return found;
}

/**
 * The first of 1, 2, 5, 10, 20, … from `step` on.
 * @param {number} step
 */
export function rounded(step) {
  const unit = 10 ** Math.floor(Math.log10(step));
  return unit * ([1, 2, 5].find((by) => by * unit >= step) ?? 10);
}

/**
 * Which of `count` labels to show if they are `pitch` pixels apart and each needs `need` pixels: the marked
 * ones first, then every second, third, … of the others that does not overlap; for numbers, round ones.
 * @param {number} count
 * @param {number} pitch
 * @param {number} need
 * @param {readonly number[]} marked
 * @param {readonly string[]} names
 */
export function thinned(count, pitch, need, marked, names = []) {
  const least = Math.max(1, Math.ceil(need / pitch - 1e-9)), even = rounded(least);
  const from = Number(names[0]), last = Number(names.at(-1));
  const [step, start] = last - from === count - 1 && count >= 2 * even ? [even, from] : [least, 0];
  const first = new Set(), shown = [];
  let latest = -Infinity;
  for (const i of marked) {
    if (i - latest < step) continue;
    first.add(i);
    latest = i;
  }
  for (let i = 0, next = 0; i < count; i++) {
    if (first.has(i) || (i >= next && (i + start) % step === 0 && !near(i, step, first))) {
      shown.push(i);
      next = i + step;
    }
  }
  return shown;
}

/** @param {number} i @param {number} step @param {Set<number>} marked */
function near(i, step, marked) {
  for (let j = i + 1; j < i + step; j++) if (marked.has(j)) return true;
  return false;
}

/**
 * The rows and columns of the numbers with the largest absolute values among these rows.
 * @param {ArrayLike<number>} values
 * @param {number} columns
 * @param {readonly number[]} rows
 * @param {number} most
 */
export function strongest(values, columns, rows, most) {
  /** @type {(Cell & { size: number })[]} */
  const top = [];
  for (const row of rows) {
    for (let column = 0; column < columns; column++) {
      const size = Math.abs(values[row * columns + column]);
      if (Number.isNaN(size)) continue; // it is missing
      if (top.length === most && size <= top[most - 1].size) continue;
      let at = top.length;
      while (at > 0 && top[at - 1].size < size) at--;
      top.splice(at, 0, { row, column, size });
      if (top.length > most) top.pop();
    }
  }
  return top;
}

/**
 * An HTML element; its text is text.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Readonly<Record<string, string>>} attributes
 * @param {string | null} text
 */
export function element(tag, attributes = {}, text = null) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  return made;
}
