// Labels, frames and legends as a list of shapes, drawn as SVG or on a canvas.
/** @import { Colour, PathShape, Pen, Shape } from "../types" */
/** @import { Letters } from "../runtime/shared" */
import { rgb, widthOf } from "../runtime/shared.js";

export const SVG = "http://www.w3.org/2000/svg";
const DOWN = 0.35; // from the middle of a line to its baseline, in multiples of the letter size
const ALIGNED = /** @type {const} */ ({ start: "left", middle: "center", end: "right" });
const HALO = 3; // pixels of the page's colour around letters that cross lines
/** A colour in CSS. */
export const paint = (/** @type {Colour} */ colour) => (typeof colour === "string" ? colour : rgb(colour));

/**
 * An SVG element; its text is inserted as text, not markup.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {string | null} text
 */
export function svg(tag, attributes, text = null) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== null) made.textContent = text;
  return made;
}

/**
 * The shapes as SVG elements; with a `look`, texts keep their width if the font is missing.
 * @param {readonly Shape[]} shapes
 * @param {Letters | null} look
 * @returns {SVGElement[]}
 */
export function svgShapes(shapes, look = null) {
  return shapes.map((shape) => {
    if (shape.rect) {
      const [x, y, width, height] = shape.rect;
      /** @type {Record<string, string | number>} */
      const how = shape.stroke !== undefined
        ? { fill: "none", stroke: paint(shape.stroke), "stroke-width": shape.wide ?? 1 }
        : { fill: paint(shape.fill), "shape-rendering": "crispEdges" };
      return svg("rect", { x, y, width, height, ...how, ...known(shape) });
    }
    if (shape.path !== undefined) return svgPath(shape);
    const { x, y, size, turn = 0 } = shape;
    /** @type {Record<string, string | number>} */
    const about = {
      transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${turn})`,
      y: (DOWN * size).toFixed(2), "font-size": size.toFixed(2), fill: paint(shape.fill),
      "text-anchor": shape.anchor ?? "start", "font-weight": shape.bold ? 700 : 400,
    };
    if (shape.halo) {
      Object.assign(about, {
        stroke: paint(shape.halo), "stroke-width": HALO, "stroke-linejoin": "round", "paint-order": "stroke",
      });
    }
    if (look) {
      about.textLength = ((widthOf(shape.text, look, shape.bold) * size) / look.size).toFixed(2);
      about.lengthAdjust = "spacingAndGlyphs";
    }
    return svg("text", { ...about, ...known(shape) }, shape.text);
  });
}

/** @param {PathShape} shape */
function svgPath(shape) {
  /** @type {Record<string, string | number>} */
  const about = { d: shape.path, fill: shape.fill ? paint(shape.fill) : "none", ...known(shape) };
  if (shape.stroke) {
    Object.assign(about, {
      stroke: paint(shape.stroke), "stroke-width": shape.wide ?? 1,
      "stroke-linejoin": "round", "stroke-linecap": "round",
    });
  }
  if (shape.dash) about["stroke-dasharray"] = shape.dash.join(" ");
  return svg("path", about);
}

/** @param {Shape} shape @returns {Record<string, string | number>} */
function known({ part, of }) {
  return { ...(part && { "data-part": part }), ...(of !== undefined && { "data-of": of }) };
}

/**
 * Draws the shapes on a canvas.
 * @param {Pen} pen
 * @param {readonly Shape[]} shapes
 * @param {string} font
 */
export function drawShapes(pen, shapes, font) {
  for (const shape of shapes) {
    if (shape.rect) {
      if (shape.stroke !== undefined) {
        pen.strokeStyle = paint(shape.stroke);
        pen.lineWidth = shape.wide ?? 1;
        pen.strokeRect(...shape.rect);
      } else {
        pen.fillStyle = paint(shape.fill);
        pen.fillRect(...shape.rect);
      }
      continue;
    }
    pen.save();
    pen.lineJoin = pen.lineCap = "round";
    if (shape.path !== undefined) {
      drawPath(pen, shape);
      pen.restore();
      continue;
    }
    pen.translate(shape.x, shape.y);
    pen.rotate(((shape.turn ?? 0) * Math.PI) / 180);
    pen.font = `${shape.bold ? 700 : 400} ${shape.size}px ${font}`;
    pen.direction = "ltr";
    pen.textAlign = ALIGNED[shape.anchor ?? "start"];
    if (shape.halo) {
      pen.strokeStyle = paint(shape.halo);
      pen.lineWidth = HALO;
      pen.strokeText(shape.text, 0, DOWN * shape.size);
    }
    pen.fillStyle = paint(shape.fill);
    pen.fillText(shape.text, 0, DOWN * shape.size);
    pen.restore();
  }
}

/** @param {Pen} pen @param {PathShape} shape */
function drawPath(pen, { path, fill, stroke, wide = 1, dash = [] }) {
  const whole = new Path2D(path);
  if (fill) {
    pen.fillStyle = paint(fill);
    pen.fill(whole);
  }
  if (stroke) {
    pen.strokeStyle = paint(stroke);
    pen.lineWidth = wide;
    pen.setLineDash(dash);
    pen.stroke(whole);
  }
}
