// The pictures of a long text: each head's map is large, and computed once for a picture; those of one text are kept.
import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { Trace } from "../../../../core/figures/web/src/engine/trace.js";
import { weightsOf } from "../../../../core/figures/web/src/derive/attention.js";
import { layerOf, meanOf } from "../../../../core/figures/web/src/derive/layer.js";
import { overviewOf } from "../../../../core/figures/web/src/derive/overview.js";

const layers = 6, heads = 12, d = 2;
const numbers = (length, seed) => Float32Array.from({ length }, (_, i) => Math.sin(seed + i * 1.7));

class Counting extends Trace {
  asked = new Map();

  matrix(layer, head) {
    const at = layer * heads + head;
    this.asked.set(at, (this.asked.get(at) ?? 0) + 1);
    return super.matrix(layer, head);
  }
}

function traceOf(n) {
  const rows = layers * heads * n;
  return new Counting({
    text: "", ids: new Int32Array(n), tokens: Array(n).fill("a"), starts: new Int32Array(n), ends: new Int32Array(n),
    special: Array.from({ length: n }, (_, i) => i === 0 || i === n - 1), wordIds: new Int32Array(n), words: [], leftOut: null,
    model: "minilm", cased: false, layers, heads, size: 1, headSize: d, scale: d ** -0.5, learned: new Float32Array(n),
    hidden: new Float32Array((layers + 1) * n), q: numbers(rows * d, 1), k: numbers(rows * d, 2), logSums: new Float32Array(rows).fill(6),
  });
}

for (const [name, draw] of [
  ["all heads", (trace) => overviewOf(trace)], ["all heads without special tokens", (trace) => overviewOf(trace, { special: false })],
  ["a layer", (trace) => layerOf(trace, 3)], ["the mean of all heads", (trace) => meanOf(trace)],
]) {
  test(`${name} of a long text: no map is computed twice`, () => {
    const trace = traceOf(350); // all maps would take 35 MB
    draw(trace);
    deepEqual([...trace.asked.values()], Array(layers * heads).fill(1));
  });
}

test("of a short text, the maps serve the next picture; another text's take their place", () => {
  const [trace, other] = [traceOf(7), traceOf(5)];
  overviewOf(trace);
  layerOf(trace, 2);
  equal(Math.max(...trace.asked.values()), 1);
  weightsOf(other)(0, 0);
  const map = weightsOf(trace)(4, 3);
  equal(trace.asked.get(4 * heads + 3), 2);
  ok(map === weightsOf(trace)(4, 3));
});
