// One layer from lines down to one product, or the mean of all heads, from a trace: what
// `core/figures/attention/layer_view.py` packs for the page Heads.
/** @import { Trace } from "../engine/trace.js" */
/** @import { InnerHeader, LayerHeader, WeightsHeader } from "../headers" */
/** @import { LayerState } from "../states" */
/** @import { ColourPair } from "../types" */
/** @import { Made } from "./packed.js" */
import CONSTANTS from "./constants.json" with { type: "json" };
import { MeanOfMaps, addedTokens, ownTokens, rescaled, weightsOf } from "./attention.js";
import { label, layerName, runsLeft } from "./labels.js";
import { range } from "./numbers.js";
import { floats } from "./packed.js";
import { about, patternScores } from "./patterns.js";
import { HUE, isRoot } from "./scales.js";
import { sentence } from "./sentences.js";
import { complete } from "./states.js";
import { namesOf } from "./tokennames.js";

const { heights: [LEAST, MOST], heightOf: [AROUND, OF_TOKEN], little: LITTLE, short: SHORT_THRESHOLD, long: LONG_THRESHOLD } = CONSTANTS.layer;
const { signed, heads: colours } = CONSTANTS.style;
const SIGNED = /** @type {{ light: ColourPair, dark: ColourPair }} */ (/** @type {unknown} */ (signed));

/**
 * A layer, from 0: its queries, keys and log-sums, from which the picture computes any weight.
 * @param {Trace} trace
 * @param {number} layer
 * @param {Partial<LayerState>} [chosen] the choices, perhaps of a link: what does not fit takes its default
 * @returns {Made<LayerHeader>}
 */
export function layerOf(trace, layer, chosen = {}) {
  const weights = weightsOf(trace), { q, k, logSums } = trace.layer(layer);
  /** @type {InnerHeader} */
  const header = {
    ...common(trace, trace.heads, chosen),
    kind: "inner",
    d: trace.headSize,
    scale: trace.scale,
    bias: null,
    biases: 0,
    softcap: null,
    empty: emptyRows(trace, layer),
    dtype: "float32",
    layer: layerName(layer),
    whyNoScores: CONSTANTS.layer.noProducts,
    isMean: false,
    sentence: sentence("heads.layer", { layer: layerName(layer) }),
    file: `polysee-layer-${layer + 1}`,
    about: about(trace, patternScores(trace, weights, { only: layer }), layer, weights),
  };
  return { module: "layer", header, payload: floats([q, k, logSums]) };
}

/**
 * The mean of all heads of all layers, as one map, and without special tokens.
 * @param {Trace} trace
 * @param {Partial<LayerState>} [chosen]
 * @returns {Made<LayerHeader>}
 */
export function meanOf(trace, chosen = {}) {
  const weights = weightsOf(trace), { n, layers, heads } = trace, own = ownTokens(trace);
  const bare = own.length > 0 && own.length < n, all = new MeanOfMaps(n), among = new MeanOfMaps(own.length);
  for (let at = 0; at < layers * heads; at++) { // each map once: those of a long text are not kept
    const map = weights(Math.floor(at / heads), at % heads);
    all.add(map);
    if (bare) among.add(rescaled(map, n, own));
  }
  const maps = [all.mean];
  if (bare) {
    const left = among.mean, whole = new Float32Array(n * n);
    own.forEach((query, row) => own.forEach((key, column) => { whole[query * n + key] = left[row * own.length + column]; }));
    maps.push(whole);
  }
  /** @type {WeightsHeader} */
  const header = {
    ...common(trace, 1, chosen),
    kind: "weights",
    bare,
    dtype: "float32",
    layer: sentence("heads.mean-title", { count: String(layers * heads) }),
    whyNoScores: sentence("heads.mean-scores"),
    isMean: true,
    sentence: sentence("heads.mean"),
    file: "polysee-mean",
  };
  return { module: "layer", header, payload: floats(maps) };
}

/**
 * The parts of the header that every picture of a layer has.
 * @param {Trace} trace @param {number} heads @param {Partial<LayerState>} chosen
 */
function common(trace, heads, chosen) {
  const { n } = trace, names = namesOf(trace).map(label), marks = addedTokens(trace), long = isRoot(n), causal = trace.causal && n > 1;
  return {
    heads,
    causal,
    mask: null,
    maskDescription: causal ? CONSTANTS.layer.causal : "",
    missingHeads: [],
    sink: "",
    place: "",
    queries: names,
    keys: names,
    special: /** @type {[number[], number[]]} */ ([marks, marks]),
    rtl: runsLeft(names),
    root: long,
    hue: HUE,
    signed: SIGNED,
    colours,
    thresholds: CONSTANTS.layer.thresholds.slice(long ? 1 : 0),
    height: Math.max(LEAST, Math.min(MOST, AROUND + OF_TOKEN * n)),
    hasOverview: true,
    state: completeLayer(trace.firstIsSink ? { special: false, ...chosen } : chosen, heads, n),
    ...(trace.group > 1 && heads > 1 ? { group: trace.group } : {}),
    ...(trace.firstIsSink ? { leftOut: CONSTANTS.sink } : {}),
  };
}

/**
 * The whole state; what does not fit takes its default: `core/figures/attention/layer_state.py`.
 * @param {Partial<LayerState>} chosen @param {number} heads @param {number} n
 * @returns {LayerState}
 */
export function completeLayer(chosen, heads, n) {
  const there = { heads: range(heads), queries: range(n), keys: range(n) };
  const threshold = isRoot(n) ? LONG_THRESHOLD : SHORT_THRESHOLD;
  const state = /** @type {LayerState} */ (complete("layer", chosen, there, { on: range(heads), head: 0, threshold }));
  if (state.pin && state[state.pin] === null) state.pin = null;
  return state;
}

/** The rows, through all heads, of which nothing remains without special tokens. @param {Trace} trace @param {number} layer */
function emptyRows(trace, layer) {
  const weights = weightsOf(trace), { n } = trace, own = ownTokens(trace), added = addedTokens(trace);
  if (!added.length || !own.length) return [];
  return range(trace.heads).flatMap((head) => {
    const map = weights(layer, head);
    return range(n).filter((query) => {
      const gone = added.reduce((sum, key) => sum + map[query * n + key], 0);
      return 1 - gone < LITTLE && own.every((key) => map[query * n + key] === 0);
    }).map((query) => head * n + query);
  });
}
