// Coloured cells: from numbers to colours, and from colours to device pixels or SVG paths.
/** @import { Cells, CellsBox, Look, NumberFormat, Palette, RGB, Scale, ScaleColours, Shape } from "../types" */
/** A box of cells by its size alone. @typedef {Omit<CellsBox, "x" | "y">} CellsSize */
import { decimal } from "../runtime/language.js";
import { SAVE_ROOM, mix, penOf, rgb, widthOf, written } from "../runtime/shared.js";

const MIDDLE = 127; // of a signed scale: the colour of the page
// On a dark page, a hue alone reaches only half the brightness of white, and the many small weights would
// be invisible: the scale reaches the hue early, and continues to a pale tint of it.
const HUE_AT = 0.4, TINT = 0.6;
/** @type {RGB} */
const WHITE = [255, 255, 255];

/**
 * The colour of a share, 0 to 1, on a scale of one hue that grows out of the page's background.
 * @param {RGB} hue
 * @param {number} share
 * @param {Look} look
 */
function hueAt(hue, share, { paper, dark }) {
  if (!dark) return mix(paper, hue, share);
  if (share <= HUE_AT) return mix(paper, hue, share / HUE_AT);
  return mix(hue, mix(hue, WHITE, TINT), (share - HUE_AT) / (1 - HUE_AT));
}

/**
 * The colours of a scale on this page, and a function from a number to its colour.
 * @param {ScaleColours} scale
 * @param {Look} look
 * @returns {Palette}
 */
export function paletteOf(scale, look) {
  if (scale.kind === "weights") {
    return {
      colours: Array.from({ length: 256 }, (_, i) => hueAt(scale.hue, i / 255, look)),
      at(value) { // a missing number has the colour of the page
        const share = Math.min(1, Math.max(0, (value || 0) / (scale.most ?? 1)));
        return Math.round(255 * (scale.root ? Math.sqrt(share) : share));
      },
      strength: (index) => index,
    };
  }
  const [low, high] = scale[look.dark ? "dark" : "light"];
  return {
    colours: Array.from({ length: 255 }, (_, i) =>
      mix(look.paper, i < MIDDLE ? low : high, Math.abs(i - MIDDLE) / MIDDLE)),
    at: (value) =>
      Math.round(MIDDLE + MIDDLE * Math.min(1, Math.max(-1, (value || 0) / scale.bound))),
    strength: (index) => Math.abs(index - MIDDLE),
  };
}

/**
 * The index of the colour for each number.
 * @param {ArrayLike<number>} values
 * @param {Palette} palette
 */
function indexed(values, palette) {
  const index = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) index[i] = palette.at(values[i]);
  return index;
}

/** @param {number} i @param {number} count @param {number} pixels */
const edge = (i, count, pixels) => Math.round((i * pixels) / count);

/**
 * The cells on each of `pixels`: one cell on several pixels, or several on one.
 * @param {number} count
 * @param {number} pixels
 */
export function shares(count, pixels) {
  const from = new Int32Array(pixels), to = new Int32Array(pixels);
  if (pixels < count) {
    for (let p = 0; p < pixels; p++) {
      from[p] = Math.floor((p * count) / pixels);
      to[p] = Math.max(from[p] + 1, Math.floor(((p + 1) * count) / pixels));
    }
  } else {
    for (let i = 0; i < count; i++) {
      from.fill(i, edge(i, count, pixels), edge(i + 1, count, pixels));
      to.fill(i + 1, edge(i, count, pixels), edge(i + 1, count, pixels));
    }
  }
  return { from, to };
}

/**
 * Pixels between two cells: the last `gap` pixels of each cell.
 * @param {number} count
 * @param {number} pixels
 * @param {number} gap
 */
function between(count, pixels, gap) {
  const is = new Uint8Array(pixels);
  if (gap) {
    for (let i = 1; i <= count; i++) is.fill(1, edge(i, count, pixels) - gap, edge(i, count, pixels));
  }
  return is;
}

/**
 * An image of the cells: exact if each has a pixel; otherwise a pixel shows the strongest of its cells.
 * @param {Uint8Array} index the index of each cell's colour
 * @param {Palette} palette
 * @param {Omit<Cells, "values"> & Pick<CellsBox, "gapX" | "gapY" | "gapColour">} grid gaps in pixels
 * @param {number} width
 * @param {number} height
 */
function imageOf(index, palette, grid, width, height) {
  const { rows, columns } = grid;
  const image = new ImageData(width, height), out = new Uint32Array(image.data.buffer);
  const word = (/** @type {RGB} */ [r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r;
  const colours = Uint32Array.from(palette.colours, word), gap = word(grid.gapColour);
  const strength = Uint8Array.from(palette.colours, (_, i) => palette.strength(i));
  const x = shares(columns, width), y = shares(rows, height);
  const inX = between(columns, width, grid.gapX), inY = between(rows, height, grid.gapY);
  const strongest = new Uint8Array(columns); // for each column, if several rows share a pixel
  for (let v = 0, before = -1; v < height; v++) {
    const line = v * width;
    if (inY[v]) {
      out.fill(gap, line, line + width);
      continue;
    }
    if (before >= 0 && y.from[before] === y.from[v] && y.to[before] === y.to[v]) {
      out.copyWithin(line, before * width, (before + 1) * width);
      continue;
    }
    before = v;
    let row = index.subarray(y.from[v] * columns, (y.from[v] + 1) * columns);
    for (let r = y.from[v] + 1; r < y.to[v]; r++) {
      if (row !== strongest) strongest.set(row);
      row = strongest;
      for (let c = 0, at = r * columns; c < columns; c++, at++) {
        if (strength[index[at]] > strength[row[c]]) row[c] = index[at];
      }
    }
    for (let u = 0; u < width; u++) {
      if (inX[u]) {
        out[line + u] = gap;
        continue;
      }
      let best = row[x.from[u]];
      for (let c = x.from[u] + 1; c < x.to[u]; c++) {
        if (strength[row[c]] > strength[best]) best = row[c];
      }
      out[line + u] = colours[best];
    }
  }
  return image;
}

/**
 * The cells of a picture as an image, with `ratio` device pixels per page pixel.
 * @param {Cells} cells
 * @param {CellsSize} plan
 * @param {Palette} palette
 * @param {number} ratio
 */
export function imageOfCells({ values, rows, columns }, plan, palette, ratio) {
  const [width, height] = [plan.width, plan.height].map((side) => Math.max(1, Math.round(side * ratio)));
  const grid = {
    rows, columns, gapColour: plan.gapColour,
    gapX: Math.round(plan.gapX * ratio), gapY: Math.round(plan.gapY * ratio),
  };
  return imageOf(indexed(values, palette), palette, grid, width, height);
}

/** Shows an image on its own canvas. @param {HTMLCanvasElement} canvas @param {ImageData} image */
export function showImage(canvas, image) {
  [canvas.width, canvas.height] = [image.width, image.height];
  penOf(canvas).putImageData(image, 0, 0);
}

/**
 * Paints the cells of a picture on their own canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {Cells} cells
 * @param {CellsSize} plan
 * @param {Palette} palette
 * @param {number} ratio
 */
export function paintCells(canvas, cells, plan, palette, ratio) {
  showImage(canvas, imageOfCells(cells, plan, palette, ratio));
}

/**
 * The cells as SVG paths, one per colour, in units of cells; nothing is pooled.
 * @param {Uint8Array} index
 * @param {Palette} palette
 * @param {Cells} cells
 * @param {number} gapX
 * @param {number} gapY
 */
function pathsOf(index, palette, { rows, columns }, gapX, gapY) {
  const paths = new Map();
  const high = +(1 - gapY).toFixed(3);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; ) {
      const here = index[r * columns + c], start = c++;
      if (!gapX) while (c < columns && index[r * columns + c] === here) c++;
      const wide = +(c - start - gapX).toFixed(3);
      paths.set(here, `${paths.get(here) ?? ""}M${start} ${r}h${wide}v${high}h${-wide}z`);
    }
  }
  return [...paths].map(([i, d]) => `<path fill="${rgb(palette.colours[i])}" d="${d}"/>`).join("");
}

/**
 * All cells of a picture as one SVG group.
 * @param {Cells} cells
 * @param {CellsBox} plan
 * @param {Palette} palette
 */
export function cellsAsSvg(cells, plan, palette) {
  const { rows, columns } = cells, { x, y, gapX, gapY } = plan;
  const wide = plan.width / columns, high = plan.height / rows;
  const gaps = gapX || gapY
    ? `<path fill="rgb(${plan.gapColour})" d="M0 0h${columns}v${rows}h-${columns}z"/>` : "";
  const paths = pathsOf(indexed(cells.values, palette), palette, cells, gapX / wide, gapY / high);
  return `<g transform="translate(${x} ${y}) scale(${wide} ${high})"`
    + ` shape-rendering="crispEdges">${gaps}${paths}</g>`;
}

const BAR = 160; // pixels
export const SPARE = 1.06; // the letters may be wider than those that were there when they were measured

/**
 * The colour scale with its numbers and remarks; `y` is its top.
 * @param {Scale} scale
 * @param {Palette} palette
 * @param {Look} look
 * @param {number} width
 * @param {number} x
 * @param {number} y
 * @param {readonly string[]} notes
 * @param {NumberFormat} number
 */
export function legendOf(scale, palette, look, width, x, y, notes, number) {
  const { size } = look, line = Math.round(1.3 * size);
  /** @type {Shape[]} */
  const shapes = [];
  const said = [scale.title, ...notes];
  const long = Math.max(BAR, 2 * Math.round(4 * size)); // so that its numbers keep apart
  x = Math.max(0, Math.min(x, width - Math.max(long + SAVE_ROOM, ...said.map((t) => SPARE * widthOf(t, look)))));
  said.forEach((text, i) => shapes.push({
    text, x, y: y + (i + 0.5) * line, size, fill: look.muted, part: "note",
  }));
  const bar = Math.round(y + said.length * line + 3), left = Math.round(x), steps = long / 2;
  for (let i = 0; i < steps; i++) {
    const colour = palette.colours[Math.round((i / (steps - 1)) * (palette.colours.length - 1))];
    shapes.push({ rect: [left + 2 * i, bar, 2, 9], fill: colour });
  }
  shapes.push({ rect: [left - 0.5, bar - 0.5, long + 1, 10], stroke: mix(look.paper, look.ink, 0.3) });
  for (const [place, text] of marks(scale, number)) {
    shapes.push({
      text, x: left + place * long, y: bar + 11 + 0.6 * size, size: 0.92 * size, fill: look.muted,
      anchor: place === 0 ? "start" : place === 1 ? "end" : "middle",
    });
  }
  return { shapes, bar, end: left + long + SAVE_ROOM };
}

/**
 * The numbers on the scale, at positions from 0 to 1.
 * @param {Scale} scale
 * @param {NumberFormat} number
 * @returns {[number, string][]}
 */
function marks(scale, number) {
  if (scale.kind === "weights" && scale.most) return [[0, "0"], [1, written(scale.most, { ...number, digits: digitsOf(scale.most, scale.most < 0.1 ? 4 : 2) })]];
  if (scale.kind === "weights") {
    return (scale.root ? [0, 0.1, 0.25, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1])
      .map((value) => [scale.root ? Math.sqrt(value) : value, decimal(String(value))]);
  }
  const bound = (/** @type {number} */ value) => written(value, { ...number, digits: digitsOf(value, Math.min(number.digits, scale.digits)) });
  return [[0, bound(-scale.bound)], [0.5, "0"], [1, bound(scale.bound)]];
}

/** The decimals of the end of a scale: a whole number has none. @param {number} value @param {number} most */
const digitsOf = (value, most) => (Number.isInteger(value) ? 0 : most);

/**
 * The height of `legendOf` with `lines` lines of text.
 * @param {Pick<Look, "size">} look
 * @param {number} lines
 */
export const legendHeight = (look, lines) => Math.round(lines * 1.3 * look.size + 16 + 1.2 * look.size);
