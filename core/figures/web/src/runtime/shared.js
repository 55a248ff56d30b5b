// What the browser pictures share: their bytes, their numbers as text, the page's colours, labels.

/** The header and the numbers of a picture. Streamlit's bytes begin anywhere in their buffer. */
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 4 + view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, end)));
  const own = bytes.slice(end);
  return { header, values: header.dtype === "uint8" ? own : new Float32Array(own.buffer) };
}

/** A number as every screen writes it, with a real minus sign: −0.62. */
export function written(value, { digits, plus }) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? "−" : plus ? "+" : "") + text;
}

export const BUTTONS = 100; // pixels of the two buttons of every picture

const seen = new Map();
let pen = null;

/** Any CSS colour as [red, green, blue]. */
export function colour(text) {
  if (!seen.has(text)) {
    pen ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    seen.set(text, [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }
  return seen.get(text);
}

export const mix = (from, to, share) => from.map((x, i) => Math.round(x + (to[i] - x) * share));
export const rgb = (parts) => `rgb(${parts.join(", ")})`;
export const light = ([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b;

/** The colours and letters of the page around `node`. */
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

/** Calls `changed` when the page may have other colours or another density; ends with `signal`. */
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

const widths = new Map();

/** The width of a text in pixels. */
export function widthOf(text, look, bold = false) {
  const font = `${bold ? 700 : 400} ${look.size}px ${look.font}`;
  const known = `${font}\n${text}`;
  if (!widths.has(known)) {
    if (widths.size > 20000) widths.clear();
    pen ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    pen.font = font;
    widths.set(known, pen.measureText(text).width);
  }
  return widths.get(known);
}

/** A text that is at most `most` pixels wide, cut between whole signs. */
export function fitted(text, most, look, bold = false) {
  if (widthOf(text, look, bold) <= most) return text;
  const signs = [...new Intl.Segmenter().segment(text.slice(0, 200))].map((part) => part.segment);
  while (signs.length > 1 && widthOf(`${signs.join("")}…`, look, bold) > most) signs.pop();
  return `${signs.join("")}…`;
}

/** A text in lines of at most `most` pixels, broken between words; the last of `lines` is cut. */
export function wrapped(text, most, look, lines) {
  const found = [], words = text.split(/\s+/);
  while (words.length && found.length < lines - 1) {
    let line = words.shift();
    while (words.length && widthOf(`${line} ${words[0]}`, look) <= most) line += ` ${words.shift()}`;
    found.push(fitted(line, most, look));
  }
  if (words.length) found.push(fitted(words.join(" "), most, look));
  return found;
}

/** The first of 1, 2, 5, 10, 20, … from `step` on. */
export function rounded(step) {
  const unit = 10 ** Math.floor(Math.log10(step));
  return unit * [1, 2, 5, 10].find((by) => by * unit >= step);
}

/**
 * Which of `count` labels, `pitch` pixels apart, to show where each needs `need` pixels: the marked
 * ones first, then every second, third, … of the others that keeps clear; of counting `names`, round ones.
 */
export function thinned(count, pitch, need, marked, names = []) {
  const least = Math.max(1, Math.ceil(need / pitch - 1e-9)), even = rounded(least);
  const from = +names[0], last = +names.at(-1);
  const [step, start] = last - from === count - 1 && count >= 2 * even ? [even, from] : [least, 0];
  const kept = [];
  for (const i of marked) if (!kept.length || i - kept.at(-1) >= step) kept.push(i);
  const first = new Set(kept), shown = [];
  for (let i = 0, next = 0; i < count; i++) {
    if (first.has(i) || (i >= next && (i + start) % step === 0 && !near(i, step, first))) {
      shown.push(i);
      next = i + step;
    }
  }
  return shown;
}

function near(i, step, marked) {
  for (let j = i + 1; j < i + step; j++) if (marked.has(j)) return true;
  return false;
}

/** The rows and columns of the largest numbers that there are, sign aside, among these rows. */
export function strongest(values, columns, rows, most) {
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

/** An HTML element; its text is text. */
export function element(tag, attributes = {}, text = null) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  return made;
}
