// Answers the questions of test_payloads.py and test_left_to_right.py: pictures and sentences from traces that Python has written.
// Standard input: {shape, traces: {text: trace}, queries: [...], sums: {number of the query, text and tokens: what each token adds}}, numbers as base64; output: a result for each query.
import { readFileSync } from "node:fs";
import { Trace } from "../../../../core/figures/web/src/engine/trace.js";
import { explained } from "../../../../core/figures/web/src/derive/adds.js";
import { Comparer } from "../../../../core/figures/web/src/derive/compare.js";
import { layerOf, meanOf } from "../../../../core/figures/web/src/derive/layer.js";
import { overviewOf } from "../../../../core/figures/web/src/derive/overview.js";
import { packed } from "../../../../core/figures/web/src/derive/packed.js";

const { shape, traces, queries, sums = {} } = JSON.parse(readFileSync(0, "utf8"));
const floats = (text) => new Float32Array(Uint8Array.from(Buffer.from(text, "base64")).buffer);
/** What each token adds after each layer, and behind those of a layer, what the biases do. */
function added(text) {
  const rows = floats(text), wide = rows.length / LAYERS;
  return { sums: rows.filter((_, i) => i % wide < wide - 1), biases: rows.filter((_, i) => i % wide === wide - 1) };
}
const { layers: LAYERS, heads: HEADS, headSize: WIDE } = shape;

/** The traces of the contexts of an axis come without queries and keys, which no axis reads. */
function traceOf(text) {
  if (!(text in traces)) throw new Error(`Python has not written the trace of “${text}”.`);
  const { q, k, logSums, learned, hidden, ...rest } = traces[text], n = rest.tokens.length;
  const or = (numbers, length) => (numbers ? floats(numbers) : new Float32Array(length));
  return new Trace({
    ...rest, ...shape, text, scale: 1 / Math.sqrt(WIDE),
    learned: floats(learned), hidden: floats(hidden), q: or(q, LAYERS * HEADS * n * WIDE), k: or(k, LAYERS * HEADS * n * WIDE),
    logSums: or(logSums, LAYERS * HEADS * n),
  });
}

const comparer = new Comparer(async (text) => traceOf(text));
const bytes = (made) => made && { module: made.module, bytes: Buffer.from(packed(made)).toString("base64") };
const results = [];
for (const [i, [kind, text, ...more]] of queries.entries()) {
  if (kind === "overview") results.push(bytes(overviewOf(traceOf(text), ...more)));
  if (kind === "layer") results.push(bytes(layerOf(traceOf(text), ...more)));
  if (kind === "mean") results.push(bytes(meanOf(traceOf(text), ...more)));
  if (kind === "compare") {
    const found = await comparer.compare(text, { why: "", explains: true }), { headline, caption, notes, chosen, word, ends, picture } = found;
    const sources = async (of, { tokens }) => added(sums[JSON.stringify([i, of, tokens])]);
    const has = Object.keys(sums).some((key) => JSON.parse(key)[0] === i);
    const adds = has ? await explained(comparer, found, sources) : null;
    results.push({ headline, caption, notes, chosen, word, ends, picture: bytes(picture), adds: bytes(adds) });
  }
}
console.log(JSON.stringify(results));
