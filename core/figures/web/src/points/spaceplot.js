// Points in three dimensions as Plotly traces, and the point of each mark.
/** @import { GroupHeader, SpaceHeader } from "../headers" */
/** @import { Look } from "../types" */
/** @import { Camera } from "./camera" */
import { mix, rgb } from "../runtime/shared.js";
import { eyeOf, scaleOf } from "./camera.js";

/** The width of a mark in pixels, for up to so many points. @type {readonly (readonly [number, number])[]} */
const SIZES = [[60, 4], [500, 3], [3000, 2]];
const SMALLEST = 1.5;
const LEAST = 0.45; // relative to the longest side, so that each side has room for its title
const MANY = 500; // with more points, marks have no edge in the page's colour
const TITLE = 16; // letters per line of a title

/** Plotly's marks, which include no triangles, and the character for each in a line of text. */
const SIGNS = {
  circle: "●", square: "■", diamond: "◆", cross: "✚", "circle-open": "○", "square-open": "□", "diamond-open": "◇", x: "✖",
};
/**
 * Our marks in Plotly: for few points, and for many. Plotly draws each mark as triangles, and thousands of
 * circles rotate only half as fast as squares and diamonds, which the first two groups then have.
 * @type {Readonly<Record<GroupHeader["mark"], readonly [keyof typeof SIGNS, keyof typeof SIGNS]>>}
 */
const MARKS = {
  circle: ["circle", "square"], square: ["square", "diamond"], diamond: ["diamond", "circle"], up: ["cross", "cross"],
  ring: ["circle-open", "circle-open"], frame: ["square-open", "square-open"], gem: ["diamond-open", "diamond-open"],
  down: ["x", "x"],
};

/** @param {GroupHeader} group @param {number} count of all points */
const markOf = ({ mark }, count) => MARKS[mark][count > MANY ? 1 : 0];
/** @param {GroupHeader} group @param {number} count of all points */
export const signOf = (group, count) => SIGNS[markOf(group, count)];
/** @param {GroupHeader} group @param {Look} look */
export const colourOf = (group, look) => (look.dark ? group.dark : group.light);
/** @param {number} count */
const sizeOf = (count) => SIZES.find(([most]) => count <= most)?.[1] ?? SMALLEST;
/**
 * In 3-D labels, Plotly interprets tags but not entities: after a zero-width space, nothing is a tag.
 * @param {string} text
 */
export const plain = (text) => text.replaceAll("<", "<\u200b");
/** In an annotation, it interprets both. @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A title in lines of a few letters, complete. @param {string} title */
export function inLines(title) {
  const lines = [""];
  for (const word of title.split(/\s+/)) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length >= TITLE) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.map(plain).join("<br>");
}

/**
 * The input of the drawing.
 * @typedef {object} Points
 * @property {SpaceHeader} header
 * @property {Uint8Array} groups the group of each point
 * @property {Float32Array} at the coordinates to draw, (points, 3), NaN for an absent point
 * @property {(depth: number) => Float32Array} placesAt returns their coordinates at a depth
 * @property {{ depth: number, chosen: number | null }} state
 * @property {number | null} lit the point under the keyboard cursor
 */
/**
 * A Plotly trace; the point of each of its marks and, if it is not the current one, the depth.
 * @typedef {{ trace: object, of: number[], depths?: number[] }} Traced
 */

/**
 * One trace per group, and lines through earlier positions.
 * @param {Points} points
 * @param {Look} look
 * @returns {Traced[]}
 */
export function tracesOf(points, look) {
  const { header, groups, at } = points, { trails } = header;
  const size = sizeOf(groups.length);
  const there = (/** @type {number} */ i) => at[3 * i] === at[3 * i];
  const ways = trails.filter(there).flatMap((i) => wayOf(points, i, look));
  const grouped = header.groups.map((group, g) => {
    const of = [...groups.keys()].filter((i) => groups[i] === g && there(i)), colour = colourOf(group, look);
    return traced(at, of, {
      mode: header.names ? "markers+text" : "markers",
      marker: { symbol: markOf(group, groups.length), size, color: colour, line: { color: rgb(look.paper), width: groups.length > MANY ? 0 : 1 } },
      ...(header.names && namesOf(header, of, colour, look)),
    });
  });
  return [...ways, ...grouped];
}

/**
 * @param {SpaceHeader} header
 * @param {readonly number[]} of
 * @param {string} colour
 * @param {Look} look
 */
function namesOf({ names, bold }, of, colour, look) {
  const written = of.map((i) => (bold.includes(i) ? `<b>${plain(names?.[i] ?? "")}</b>` : plain(names?.[i] ?? "")));
  const first = of.some((i) => bold.includes(i)); // Plotly cannot keep labels apart: those of the others are below
  return {
    text: written, textposition: first || !bold.length ? "top center" : "bottom center",
    textfont: { family: look.font, size: look.size, color: first ? colour : rgb(look.muted) },
  };
}

/**
 * The path of a point from its first position to the current one, with a dot at each earlier depth. The
 * line itself shows no tooltip: Plotly would attribute it to one of its ends.
 * @param {Points} points
 * @param {number} i
 * @param {Look} look
 * @returns {Traced[]}
 */
function wayOf(points, i, look) {
  const { header, groups, at, state } = points;
  const all = Array.from({ length: state.depth + 1 }, (_, depth) =>
    (depth < state.depth ? points.placesAt(depth) : at).subarray(3 * i, 3 * i + 3));
  const depths = [...all.keys()].filter((depth) => all[depth][0] === all[depth][0]), way = depths.map((depth) => all[depth]);
  const colour = colourOf(header.groups[groups[i]], look);
  const [x, y, z] = [0, 1, 2].map((axis) => way.map((place) => place[axis]));
  const shared = { type: "scatter3d", x, y, z, showlegend: false };
  return [
    { of: [], trace: { ...shared, mode: "lines", hoverinfo: "skip", line: { color: colour, width: 2.5 } } },
    { of: way.map(() => i), depths, trace: { ...shared, mode: "markers", hoverinfo: "none", marker: { color: colour, size: 2.2 } } },
  ];
}

/**
 * @param {Float32Array} at
 * @param {number[]} of
 * @param {object} more
 * @returns {Traced}
 */
function traced(at, of, more) {
  const [x, y, z] = [0, 1, 2].map((axis) => Float32Array.from(of, (i) => at[3 * i + axis]));
  return { of, trace: { type: "scatter3d", x, y, z, hoverinfo: "none", showlegend: false, ...more } };
}

/**
 * Marks of the chosen point and of the one under the keyboard cursor, in front of all others.
 * @param {Points} points
 * @param {Look} look
 */
export function notesOf({ header, at, state, lit }, look) {
  return [state.chosen, lit].flatMap((i, k) => {
    if (i === null || Number.isNaN(at[3 * i]) || (k && i === state.chosen)) return [];
    const colour = rgb(k ? look.muted : look.ink), text = header.numbered ? String(i + 1) : header.texts[i].join("");
    return [{
      x: at[3 * i], y: at[3 * i + 1], z: at[3 * i + 2], text: k ? escaped(text) : `<b>${escaped(text)}</b>`, ax: 26, ay: -34, showarrow: true,
      arrowcolor: colour, arrowwidth: k ? 1.2 : 2, arrowhead: 2, arrowsize: 0.9, standoff: 3, borderpad: 2,
      bgcolor: rgb(look.paper), bordercolor: colour, font: { family: look.font, size: look.size, color: colour },
    }];
  });
}

/** Half the sides of the bounding box of all points at all depths. @param {SpaceHeader} header */
function reachOf({ halves }) {
  const most = Math.max(...halves);
  return halves.map((half) => 1.05 * Math.max(half, LEAST * most));
}

/**
 * The angle and the size of the box.
 * @param {SpaceHeader} header
 * @param {Camera} camera
 * @param {{ width: number, height: number }} size
 */
export function viewOf(header, camera, size) {
  const [x, y, z] = reachOf(header), by = scaleOf(camera, { x, y, z }, size);
  return { eye: eyeOf(camera), aspectratio: { x: by * x, y: by * y, z: by * z } };
}

/**
 * The box, with the same scale on all three axes.
 * @param {Points} points
 * @param {Look} look
 * @param {Camera} camera
 * @param {{ width: number, height: number }} size
 */
export function layoutOf(points, look, camera, { width, height }) {
  const { header: { titles, middle } } = points, reach = reachOf(points.header), grid = rgb(mix(look.paper, look.ink, 0.16));
  const font = { family: look.font, size: look.size, color: rgb(look.muted) };
  const axes = titles.map((title, i) => ({
    title: { text: inLines(title), font }, range: [middle[i] - reach[i], middle[i] + reach[i]], autorange: false,
    showticklabels: false, showbackground: false, showspikes: false, zeroline: false, gridcolor: grid,
    showline: true, linecolor: rgb(mix(look.paper, look.ink, 0.4)), nticks: 5,
  }));
  const { eye, aspectratio } = viewOf(points.header, camera, { width, height });
  return {
    width, height, margin: { l: 0, r: 0, t: 0, b: 0 }, showlegend: false, autosize: false, hovermode: "closest",
    paper_bgcolor: "rgba(0,0,0,0)", font: { family: look.font },
    scene: {
      xaxis: axes[0], yaxis: axes[1], zaxis: axes[2], aspectmode: "manual", aspectratio,
      annotations: notesOf(points, look), dragmode: "turntable", bgcolor: "rgba(0,0,0,0)",
      camera: { eye, up: { x: 0, y: 0, z: 1 }, center: { x: 0, y: 0, z: 0 }, projection: { type: "orthographic" } },
    },
  };
}
