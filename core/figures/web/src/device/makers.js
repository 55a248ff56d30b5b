// The pictures of each page that the device can compute, from the page's texts and choices.
/** @import { Trace } from "../engine/trace.js" */
/** @import { Maker, Tracing } from "./follow.js" */
import { m } from "../runtime/language.js";
import CONSTANTS from "../derive/constants.json" with { type: "json" };
import { explained } from "../derive/adds.js";
import { Comparer, readable } from "../derive/compare.js";
import { layerOf, meanOf } from "../derive/layer.js";
import { overviewOf } from "../derive/overview.js";
import { packed } from "../derive/packed.js";
import { sentence } from "../derive/sentences.js";
import { forward } from "../forward/made.js";
import { told as withWords } from "../forward/told.js";
import { expectedBars } from "../nextword/made.js";
import { fetched } from "../runtime/message.js";
import { NotShown } from "./follow.js";
import { shownOf } from "./page.js";
import { asText } from "./plaintext.js";

// The names that the app gives to its pictures on Compare, by their modules.
const ON_COMPARE = /** @type {Readonly<Record<string, string>>} */ ({ trajectory: "trajectory", lines: "path" });
const SOON = "…";
const WHY = () => m("What each word adds comes from the server: press Enter.");
const EMPTY = () => m("Type a text."), TOO_LONG = () => m("This text is longer than this device reads: press Enter, and the server reads its end.");
// Choices of tokens belong to one text.
const NO_TOKENS = { token: null, query: null, key: null, pin: null };

/** The page Compare. @returns {Maker} */
function compare() {
  /** @type {Tracing} */
  let trace = () => Promise.reject(new Error("no device"));
  const comparer = new Comparer((text) => trace(text));
  /** What was compared last. @type {import("../derive/compare.js").Compared | null} */
  let last = null;
  return {
    async make(now, { A, B }, { w, o, w2, o2, lo, hi, by }, told) {
      trace = now;
      // Once for each word and its ends, all their words and sentences are read.
      const onProgress = (/** @type {number} */ done, /** @type {number} */ all) => {
        if (done < all) told(m("This device reads what stands for each meaning: {done} of {all}.", { done, all }));
      };
      last = await comparer.compare({ a: A, b: B, w, o, w2, o2, lo, hi, by, d: 0 }, { why: SOON, onProgress });
      const { picture, headline, notes } = last;
      const name = picture && ON_COMPARE[picture.module];
      told(asText([headline, ...notes])); // the verdict above the picture is the server's, and dimmed
      if (!name || !shownOf(name)) throw new NotShown(asText(notes) || m("This device has no picture of these sentences."));
      return [{ name, bytes: packed(picture), state: null }];
    },
    async explain(sources) {
      const of = last, { picture } = of ?? {};
      if (!of || picture?.module !== "trajectory") return null;
      const made = await explained(comparer, of, sources).catch(() => ({ ...picture, header: { ...picture.header, whyNone: WHY() } }));
      return made && of === last ? [{ name: ON_COMPARE.trajectory, bytes: packed(made), state: null }] : null;
    },
  };
}

/** The page Heads. @returns {Maker} */
function heads() {
  return {
    async make(now, { text }, { picture, layer, special }) {
      const trace = await read(text, now), state = { ...shownOf(picture)?.sent.state, ...NO_TOKENS };
      const chosen = layer === null ? { ...state, special: special ?? undefined } : state;
      const made = layer === null ? overviewOf(trace, chosen) : layer === "mean" ? meanOf(trace, chosen) : layerOf(trace, layer, chosen);
      return [{ name: picture, bytes: packed(made), state: { ...made.header.state } }];
    },
    async difference(now, { text }, { check }) {
      if (!check) return null;
      const bytes = await fetched(check.address, () => {});
      return largest(await read(text, now), check.query, new Float32Array(bytes.slice().buffer));
    },
  };
}

/** The page Next word. @returns {Maker} */
function nextWord() {
  return {
    async make(_, { text }, { picture, typed, written, seed }, told, expect) {
      if (!text.trim()) throw new NotShown(EMPTY());
      const more = text === typed ? written : []; // what was written belongs to the text before
      const next = await expect(text, more).catch((/** @type {Error} */ error) => Promise.reject(error.name === "TextRefused" ? new NotShown(TOO_LONG()) : error));
      if (next.encoded.leftOut) throw new NotShown(TOO_LONG());
      const made = expectedBars(next, { texts: next.top.texts, written: more, seed });
      told(asText([made.said])); // the one above the picture is the server's, and dimmed
      return [{ name: picture, bytes: packed(made.picture), state: null }];
    },
  };
}

/** The page Step by step. @returns {Maker} */
function stepByStep() {
  return {
    async make(_, { text }, { picture, kind, layer, head, block, step, titles }, heard, __, steps) {
      if (!text.trim()) throw new NotShown(EMPTY());
      const found = await steps(text, { layer, head, block }).catch((/** @type {Error} */ error) => Promise.reject(error.name === "TextRefused" ? new NotShown(asText([error.message])) : error));
      heard(found.cut ? sentence("steps.cut", { count: String(CONSTANTS.steps.most) }) : "");
      const made = forward(withWords(found, kind, titles), step, { ...shownOf(picture)?.sent.state });
      return [{ name: picture, bytes: packed(made), state: null }];
    },
  };
}

/** @param {string} text @param {Tracing} now */
async function read(text, now) {
  /** @type {string[]} */
  const notes = [], trace = await readable(text, m("The text"), now, notes);
  if (!trace) throw new NotShown(asText(notes));
  return trace;
}

/**
 * The largest difference between the weights of one query, in all heads of all layers, and the server's.
 * @param {Trace} trace @param {number} query @param {Float32Array} server (layers × heads × keys)
 */
export function largest(trace, query, server) {
  const { layers, heads: count, n } = trace;
  if (server.length !== layers * count * n || query >= n) return NaN;
  let most = 0;
  server.forEach((weight, i) => {
    const row = Math.floor(i / n), own = trace.weight(Math.floor(row / count), row % count, query, i % n);
    most = Math.max(most, Math.abs(own - weight));
  });
  return most;
}

/** The makers of all pages that the device follows. @returns {Readonly<Record<string, Maker>>} */
export const makersOfPages = () => ({ compare: compare(), heads: heads(), "next-word": nextWord(), "step-by-step": stepByStep() });
