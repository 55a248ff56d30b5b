// Labels, frames and legends as a list of shapes, drawn as SVG or on a canvas.
//   {text, x, y, size, fill, anchor = "start", bold, turn, halo}   y is the middle of the letters
//   {rect: [x, y, width, height], fill} or {rect, stroke, wide = 1}
//   {path, fill, stroke, wide = 1, dash}   a path as SVG writes it, see draw/paths.js
// `part` and `of` say what a shape is, for whoever reads the picture.
import { rgb, widthOf } from "../runtime/shared.js";

export const SVG = "http://www.w3.org/2000/svg";
const DOWN = 0.35; // from the middle of a small letter's line to its base, in sizes
const HALO = 3; // pixels of paper around letters that stand on lines
const paint = (colour) => (typeof colour === "string" ? colour : rgb(colour));

/** An SVG element; its text is text. */
export function svg(tag, attributes, text = null) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  return made;
}

/** The shapes as SVG elements; with a `look`, texts keep their width where its letters are missing. */
export function svgShapes(shapes, look = null) {
  return shapes.map((shape) => {
    if (shape.rect) {
      const [x, y, width, height] = shape.rect;
      const how = shape.stroke
        ? { fill: "none", stroke: paint(shape.stroke), "stroke-width": shape.wide ?? 1 }
        : { fill: paint(shape.fill), "shape-rendering": "crispEdges" };
      return svg("rect", { x, y, width, height, ...how, ...known(shape) });
    }
    if (shape.path !== undefined) return svgPath(shape);
    const { x, y, size, turn = 0 } = shape;
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

function svgPath(shape) {
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

function known({ part, of }) {
  return { ...(part && { "data-part": part }), ...(of !== undefined && { "data-of": of }) };
}

/** The shapes on a canvas. */
export function drawShapes(pen, shapes, font) {
  for (const shape of shapes) {
    if (shape.rect) {
      pen.fillStyle = pen.strokeStyle = paint(shape.stroke ?? shape.fill);
      pen.lineWidth = shape.wide ?? 1;
      shape.stroke ? pen.strokeRect(...shape.rect) : pen.fillRect(...shape.rect);
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
    pen.textAlign = { start: "left", middle: "center", end: "right" }[shape.anchor ?? "start"];
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
