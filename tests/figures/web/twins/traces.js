// Traces whose vectors follow from a formula, the one of traces.py: small, and of any text.
import { crc32 } from "node:zlib";

const LAYERS = 6, HEADS = 12, SIZE = 4, WIDE = 2, SHARE = 3;
const range = (count) => [...Array(count).keys()];

/** Makes the traces of texts that the table has. */
export const tracing = (Trace, traces) => (text) => {
  if (!Object.hasOwn(traces, text)) throw new Error(`The table has no trace of “${text}”.`);
  const { tokens, ...rest } = traces[text], n = tokens.length, codes = tokens.map((token) => crc32(token));
  const hidden = range(LAYERS + 1).flatMap((layer) => {
    const own = codes.map((code) => range(SIZE).map((d) => (code * (7 * layer + 3 * d + 1)) % 2003));
    const sums = range(SIZE).map((d) => own.reduce((sum, row) => sum + row[d], 0) % 2003);
    return own.flatMap((row) => row.map((x, d) => (3 * x + sums[d]) / 2003 - 2));
  });
  const learned = codes.flatMap((code) => range(SIZE).map((d) => ((code * (5 * d + 2)) % 1009) / 500 - 1));
  const part = (first, of = (at) => at) => Float32Array.from(range(LAYERS * HEADS).flatMap((at) => codes.flatMap((code, place) =>
    range(WIDE).map((d) => ((code * (11 * of(at) + first + d + 1) + 97 * place) % 1009) / 500 - 1))));
  const { causal = false, wordIds } = rest, group = causal ? SHARE : 1;
  const q = part(0), k = part(WIDE, (at) => at - at % group), scale = 1 / Math.sqrt(WIDE);
  const logSums = range(LAYERS * HEADS * n).map((row) => {
    const from = row - (row % n), scores = range(causal ? (row % n) + 1 : n).map((key) =>
      scale * range(WIDE).reduce((sum, d) => sum + q[row * WIDE + d] * k[(from + key) * WIDE + d], 0));
    return Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
  });
  return new Trace({
    ...rest, text, tokens, group, ids: new Int32Array(n), wordIds: Int32Array.from(wordIds ?? [...tokens].fill(0), (id) => id ?? -1), model: "minilm", cased: false,
    layers: LAYERS, heads: HEADS, size: SIZE, headSize: WIDE, scale,
    learned: Float32Array.from(learned), hidden: Float32Array.from(hidden), q, k, logSums: Float32Array.from(logSums),
  });
};
