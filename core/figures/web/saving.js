// A picture as a file: SVG from the numbers, exact; PNG at two pixels for one, on the page's background.
import { lookOf } from "./shared.js";
import { indexed, paintCells, paletteOf, pathsOf } from "./cells.js";
import { SVG, drawShapes, svg, svgShapes } from "./scene.js";

/** The picture planned anew for another density. */
function again(grid, ratio) {
  const look = lookOf(grid.frame), palette = paletteOf(grid.header.scale, look);
  return { look, palette, plan: grid.kind.plan(grid, look, palette, ratio) };
}

export function pngOf(grid) {
  const { look, palette, plan } = again(grid, 2);
  const cells = document.createElement("canvas"), whole = document.createElement("canvas");
  paintCells(cells, grid, plan, palette, 2);
  whole.width = 2 * grid.width;
  whole.height = 2 * grid.header.height;
  const pen = whole.getContext("2d");
  pen.scale(2, 2);
  drawShapes(pen, [{ rect: [0, 0, grid.width, grid.header.height], fill: look.paper }], look.font);
  pen.drawImage(cells, plan.x, plan.y, plan.width, plan.height);
  drawShapes(pen, plan.shapes, look.font);
  return new Promise((resolve) => whole.toBlob(resolve, "image/png"));
}

export function svgOf(grid) {
  const { look, palette, plan } = again(grid, Infinity), { rows, columns, width, header } = grid;
  const wide = plan.width / columns, high = plan.height / rows;
  const under = plan.gapX || plan.gapY
    ? `<path fill="rgb(${plan.gapColour})" d="M0 0h${columns}v${rows}h-${columns}z"/>` : "";
  const paths = pathsOf(indexed(grid.values, palette), palette, grid, plan.gapX / wide, plan.gapY / high);
  const cells = `<g transform="translate(${plan.x} ${plan.y}) scale(${wide} ${high})"`
    + ` shape-rendering="crispEdges">${under}${paths}</g>`;
  return svgFile(width, header.height, look, header.sentence, cells, plan.shapes);
}

/** A whole SVG file: the page's background, the cells' paths, the shapes. */
function svgFile(width, height, look, title, cells, shapes) {
  const root = svg("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, "font-family": look.font,
    xmlns: SVG,
  });
  root.removeAttribute("xmlns"); // the serializer writes it
  root.append(svg("title", {}, title), ...svgShapes([{ rect: [0, 0, width, height], fill: look.paper }]));
  const mark = svg("g", {});
  root.append(mark, ...svgShapes(shapes, look));
  const text = new XMLSerializer().serializeToString(root);
  const whole = text.replace("<g/>", () => cells);
  return new Blob(['<?xml version="1.0" encoding="UTF-8"?>\n', whole], { type: "image/svg+xml" });
}

/** Gives a file to the visitor. */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
