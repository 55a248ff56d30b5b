// A picture as a file: SVG from the numbers, exact; PNG at two pixels for one, on the page's background.
/** @import { AnyPicture } from "../types" */
import { m } from "./language.js";
import { SVG, drawShapes, svg, svgShapes } from "../draw/scene.js";
import { penOf } from "./shared.js";

/**
 * @param {AnyPicture} picture
 * @returns {Promise<Blob>}
 */
export async function pngOf(picture) {
  const { width, header: { height }, look, shapes, paint } = { ...picture, ...await picture.still(2) };
  const whole = document.createElement("canvas");
  whole.width = 2 * width;
  whole.height = 2 * height;
  const pen = penOf(whole);
  pen.scale(2, 2);
  drawShapes(pen, [{ rect: [0, 0, width, height], fill: look.paper }], look.font);
  paint?.(pen);
  drawShapes(pen, shapes, look.font);
  return new Promise((resolve, reject) => whole.toBlob(
    (made) => (made ? resolve(made) : reject(new Error(m("The picture is too large for a PNG."))))));
}

/**
 * A whole SVG file: the page's background, the cells' paths, the shapes.
 * @param {AnyPicture} picture
 * @returns {Promise<Blob>}
 */
export async function svgOf(picture) {
  const { width, header: { height, sentence }, look, shapes, asSvg } = { ...picture, ...await picture.still(Infinity) };
  const root = svg("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, "font-family": look.font,
    xmlns: SVG,
  });
  root.removeAttribute("xmlns"); // the serializer writes it
  root.append(svg("title", {}, sentence), ...svgShapes([{ rect: [0, 0, width, height], fill: look.paper }]));
  const mark = svg("g", {});
  root.append(mark, ...svgShapes(shapes, look));
  const text = new XMLSerializer().serializeToString(root);
  const whole = text.replace("<g/>", () => asSvg?.() ?? "");
  return new Blob(['<?xml version="1.0" encoding="UTF-8"?>\n', whole], { type: "image/svg+xml" });
}

/**
 * Downloads a file in the visitor's browser.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
