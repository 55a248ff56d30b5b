// One word in many sentences: where its vectors lie at each depth, and whether they tell the labels apart
// (`core/measures/senses/occurrences.py`, `core/measures/senses/same_sense_baseline.py`, `core/measures/senses/shares.py`).
/** @import { CloudHeader, LinesHeader } from "../headers" */
/** @import { Trace } from "../engine/trace.js" */
/** @import { Made } from "./packed.js" */
import { findAll } from "../engine/finding.js";
import CONSTANTS from "./constants.json" with { type: "json" };
import { layerName, short, written } from "./labels.js";
import { cosine, inner, lengthOf, mean, range } from "./numbers.js";
import { m, mn } from "../runtime/language.js";
import { written as inDigits } from "../runtime/shared.js";
import { sentence } from "./sentences.js";

const { style: STYLE, senses: SENSES } = CONSTANTS;
const SAME = 1e-6, TIE = 1e-9;
/** @param {number} x */
const signed = (x) => inDigits(x, { digits: 2 });

/** A vector, at one depth. @typedef {ArrayLike<number>} Vector */
/** A typed line. @typedef {{ label: string, text: string }} Line */
/** An occurrence: its line, the three parts of its sentence, and its vectors, the learned one first. @typedef {{ line: Line, parts: [string, string, string], vectors: Vector[] }} Occurrence */

/**
 * Lines as a visitor types them, "label | sentence"; each once.
 * @param {string} typed @returns {Line[]}
 */
export function linesOf(typed) {
  const seen = new Set(), lines = [];
  for (const line of typed.split("\n")) {
    const at = line.indexOf("|"), label = at < 0 ? "" : line.slice(0, at).trim(), text = line.slice(at + 1).trim(), key = JSON.stringify([label, text]);
    if (!text || seen.has(key)) continue;
    seen.add(key);
    lines.push({ label, text });
  }
  return lines;
}

/** The occurrences of a word in a line that was read. @param {Line} line @param {Trace} trace @param {string} word @returns {Occurrence[]} */
export function occurrencesIn(line, trace, word) {
  const characters = [...trace.text];
  return findAll({ ...trace, length: characters.length }, word, trace.cased).map(({ start, end, tokens }) => ({
    line, parts: [characters.slice(0, start).join(""), characters.slice(start, end).join(""), characters.slice(end).join("")],
    vectors: [mean(tokens.map((token) => trace.learnedOf(token))), ...range(trace.layers).map((layer) => mean(tokens.map((token) => trace.hiddenOf(layer + 1, token))))],
  }));
}

/**
 * The two largest eigenvalues of a symmetric matrix, and their vectors: Jacobi's rotations.
 * @param {Float64Array[]} matrix is changed
 */
function largest(matrix) {
  const n = matrix.length, vectors = range(n).map((i) => Float64Array.from({ length: n }, (_, j) => Number(i === j)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0, all = 0;
    for (let p = 0; p < n; p++) for (let q = 0; q < n; q++) {
      all += matrix[p][q] ** 2;
      if (p !== q) off += matrix[p][q] ** 2;
    }
    if (off <= 1e-24 * all) break;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (!matrix[p][q]) continue;
        const angle = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]), t = (angle < 0 ? -1 : 1) / (Math.abs(angle) + Math.hypot(angle, 1)), c = 1 / Math.hypot(t, 1), s = t * c;
        for (let k = 0; k < n; k++) [matrix[k][p], matrix[k][q]] = [c * matrix[k][p] - s * matrix[k][q], s * matrix[k][p] + c * matrix[k][q]];
        for (let k = 0; k < n; k++) [matrix[p][k], matrix[q][k]] = [c * matrix[p][k] - s * matrix[q][k], s * matrix[p][k] + c * matrix[q][k]];
        for (let k = 0; k < n; k++) [vectors[k][p], vectors[k][q]] = [c * vectors[k][p] - s * vectors[k][q], s * vectors[k][p] + c * vectors[k][q]];
      }
    }
  }
  const order = range(n).sort((a, b) => matrix[b][b] - matrix[a][a]).slice(0, 2);
  return order.map((i) => ({ size: Math.sqrt(Math.max(0, matrix[i][i])), vector: vectors.map((row) => row[i]) }));
}

/**
 * Projects each depth onto the two directions in which its own vectors differ most, turned or mirrored so that its points
 * are as near as possible to those of the depth before.
 * @param {readonly (readonly Vector[])[]} depths (depths × occurrences), at least two occurrences
 * @returns {{ coordinates: [number, number][][], shares: number[] }} by depth; the share of the variance that they hold
 */
export function maps(depths) {
  const shares = /** @type {number[]} */ ([]);
  /** @type {[number, number][] | null} */
  let before = null;
  const coordinates = depths.map((vectors) => {
    const middle = mean(vectors), centred = vectors.map((vector) => Float64Array.from(vector, (x, i) => x - middle[i])), n = vectors.length;
    const gram = range(n).map((i) => Float64Array.from({ length: n }, (_, j) => inner(centred[i], centred[j])));
    const variance = gram.reduce((sum, row, i) => sum + row[i], 0), [one, two = { size: 0, vector: new Array(n).fill(0) }] = largest(gram);
    const most = vectors.reduce((so, vector) => Math.max(so, ...Array.from(vector, Math.abs)), 1);
    if (one.size < SAME * most) {
      shares.push(0);
      return centred.map(() => /** @type {[number, number]} */ ([0, 0]));
    }
    let at = range(n).map((i) => /** @type {[number, number]} */ ([one.vector[i] * one.size, two.vector[i] * two.size]));
    if (before) at = turnedTo(at, before);
    before = at;
    shares.push((one.size ** 2 + two.size ** 2) / variance);
    return at;
  });
  return { coordinates, shares };
}

/**
 * Points turned, or mirrored, as near as possible to others: orthogonal Procrustes in the plane.
 * @param {[number, number][]} at @param {[number, number][]} before @returns {[number, number][]}
 */
function turnedTo(at, before) {
  const sum = (/** @type {number} */ i, /** @type {number} */ j) => at.reduce((so, point, k) => so + point[i] * before[k][j], 0);
  const [a, b, c, d] = [sum(0, 0), sum(0, 1), sum(1, 0), sum(1, 1)], mirrors = a * d - b * c < 0;
  const [x, y] = mirrors ? [a - d, b + c] : [a + d, b - c], size = Math.hypot(x, y) || 1, cos = size ? x / size : 1, sin = y / size;
  const turn = mirrors ? [[cos, sin], [sin, -cos]] : [[cos, sin], [-sin, cos]];
  return at.map(([p, q]) => [p * turn[0][0] + q * turn[1][0], p * turn[0][1] + q * turn[1][1]]);
}

/**
 * The nearest-centroid accuracy of labels at each depth, each vector left out in turn; a tie of k counts 1/k.
 * @param {readonly (readonly Vector[])[]} depths @param {readonly string[]} labels each at least twice, and at least two
 */
export function centroidAccuracies(depths, labels) {
  const names = [...new Set(labels)].sort(), of = labels.map((label) => names.indexOf(label));
  return depths.map((vectors) => {
    const width = vectors[0].length, sums = names.map(() => new Float64Array(width));
    vectors.forEach((vector, i) => {
      for (let k = 0; k < width; k++) sums[of[i]][k] += vector[k];
    });
    const right = vectors.map((vector, i) => {
      const near = sums.map((sum, name) => {
        const centroid = name === of[i] ? sum.map((x, k) => x - vector[k]) : sum, both = lengthOf(vector) * lengthOf(centroid);
        return both > 0 ? inner(vector, centroid) / both : 0;
      });
      const best = Math.max(...near) - TIE, tied = near.filter((one) => one >= best).length;
      return near[of[i]] >= best ? 1 / tied : 0;
    });
    return right.reduce((a, b) => a + b, 0) / right.length;
  });
}

/** Wilson's 95 % interval of a share. @param {number} successes @param {number} trials @returns {[number, number]} */
export function wilson(successes, trials) {
  const share = successes / trials, z2 = SENSES.z ** 2, middle = share + z2 / (2 * trials);
  const room = SENSES.z * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials ** 2)), all = 1 + z2 / trials;
  return [successes ? (middle - room) / all : 0, successes === trials ? 1 : (middle + room) / all];
}

/**
 * The labels that count, and how well they are told apart; null without two labels of two occurrences each.
 * @param {readonly (readonly Vector[])[]} depths @param {readonly string[]} labels "" for none
 */
export function labelAccuracy(depths, labels) {
  const count = (/** @type {string} */ label) => labels.filter((one) => one === label).length;
  const which = labels.map((label) => Boolean(label) && count(label) > 1), used = labels.filter((_, i) => which[i]), names = [...new Set(used)];
  if (names.length < 2 || names.length > SENSES.mostLabels) return null;
  const right = centroidAccuracies(depths.map((vectors) => vectors.filter((_, i) => which[i])), used), trials = used.length;
  const most = Math.max(...names.map(count));
  return { right, trials, chance: 1 / names.length, commonest: most / trials, alone: labels.length - trials, bounds: right.map((one) => wilson(one * trials, trials)) };
}

/** @param {number} layers */
const depthNames = (layers) => [m("learned"), ...range(layers).map(layerName)];

/**
 * A point for each occurrence, moved by a slider through the depths.
 * @param {readonly Occurrence[]} some @param {[number, number][][]} coordinates by depth @param {number} depth shown first @param {number | null} chosen
 * @returns {Made<CloudHeader>}
 */
export function cloudOf(some, coordinates, depth, chosen) {
  const labels = some.map(({ line }) => line.label), names = [...new Set(labels)], n = some.length, depths = coordinates.length;
  const commonest = names.slice().sort((a, b) => labels.filter((one) => one === b).length - labels.filter((one) => one === a).length).slice(0, SENSES.marks.length);
  const first = names.filter((name) => commonest.includes(name)), left = names.length - first.length;
  const groups = first.map((name, i) => ({
    name: written(name || (names.length > 1 ? SENSES.noLabel : "")), light: STYLE.heads.light[i], dark: STYLE.heads.dark[i], mark: SENSES.marks[i],
  }));
  if (left) groups.push({ name: mn("{count} other label", "{count} other labels", left, { count: left }), light: STYLE.learned, dark: STYLE.learned, mark: SENSES.marks[0] });
  const places = new Float32Array(depths * n * 2), of = Uint8Array.from(labels, (label) => (first.includes(label) ? first.indexOf(label) : first.length));
  coordinates.forEach((points, at) => points.forEach((point, i) => places.set(point, (at * n + i) * 2)));
  const axis = (/** @type {string} */ title, /** @type {number} */ which) => {
    const every = places.filter((_, i) => i % 2 === which), low = every.reduce((a, b) => Math.min(a, b)), high = every.reduce((a, b) => Math.max(a, b));
    const room = Math.max(0, 1e-6 * Math.max(1, Math.abs(low)) - (high - low));
    return { title, marks: [], guides: [], bounds: /** @type {[number, number]} */ ([low - room, high + room]) };
  };
  const steps = depthNames(depths - 1), whole = some.map(({ parts }) => parts.join(""));
  const header = {
    groups, texts: some.map(({ parts }) => parts.map(written)), names: n > SENSES.mostNamed ? null : whole.map((text, i) => written(short(`${i + 1}. ${text}`, SENSES.short))),
    steps, moments: steps.map((step) => (/^\p{Lu}/u.test(step) ? m("after {step}", { step }) : step)), state: { depth, chosen }, slider: m("After layer"),
    x: axis(m("first component, fitted to each layer"), 0), y: axis(m("second"), 1), words: [m("on the first component"), m("on the second")],
    number: { digits: SENSES.digits, plus: true }, height: SENSES.height, dtype: "uint8", sentence: sentence("senses.map", { count: String(n) }), file: "polysee-senses-map",
  };
  const payload = new Uint8Array(places.byteLength + of.length);
  payload.set(new Uint8Array(places.buffer));
  payload.set(of, places.byteLength);
  return { module: "cloud", header: /** @type {CloudHeader} */ (/** @type {unknown} */ (header)), payload };
}

/**
 * How often the nearest centroid gives the right label, at every depth.
 * @param {NonNullable<ReturnType<typeof labelAccuracy>>} accuracy
 * @returns {Made<LinesHeader>}
 */
export function accuracyLines({ right, chance, commonest, bounds }) {
  const steps = depthNames(right.length - 1), values = Float32Array.from([...right, ...bounds.map(([low]) => low), ...bounds.map(([, high]) => high)]);
  /** @type {[number, string][]} */
  const guides = [[0, "0"], [chance, `guess ${signed(chance)}`], ...(commonest > chance + 0.02 ? [/** @type {[number, string]} */ ([commonest, `commonest ${signed(commonest)}`])] : []), [1, "all 1"]];
  const header = {
    lines: [{ name: "nearest-centroid accuracy", label: signed(right[right.length - 1]), colour: STYLE.learned, mark: "circle" }], steps, ticks: ["◆", ...range(right.length - 1).map((i) => String(i + 1))],
    axis: "after layer", guides, bounds: [0, 1], start: null, startColour: STYLE.learned, band: "95 % interval", number: { digits: 3, plus: false }, log: false, unit: "", height: SENSES.accuracyHeight,
    dtype: "float32", sentence: sentence("senses.accuracy"), file: "polysee-senses-accuracy",
  };
  return { module: "lines", header: /** @type {LinesHeader} */ (/** @type {unknown} */ (header)), payload: new Uint8Array(values.buffer) };
}

/**
 * The other occurrences with their cosine to one of them, the nearest first.
 * @param {readonly Occurrence[]} some @param {number} of @param {number} depth
 */
export function nearestTo(some, of, depth) {
  const own = some[of].vectors[depth], near = some.map(({ vectors }) => Math.max(-1, Math.min(1, cosine(vectors[depth], own))));
  return range(some.length).filter((i) => i !== of).sort((a, b) => Math.round(near[b] * 1e6) - Math.round(near[a] * 1e6) || a - b).map((i) => ({ i, cosine: near[i] }));
}
