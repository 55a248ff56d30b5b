// A decoder in onnxruntime-web, without a browser: `node decode.js ORT FOLDER ASKED FOUND`. The folder has layers.onnx,
// head.onnx, back.onnx, model.gguf and shape.json; ASKED is a list of texts in tokens, read one after the other. FOUND gets of each the
// logits behind it, and how many tokens were run. Python compares them with our decoder's (`tests/web/test_decoder.py`).
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { Decoder } from "../../../../core/figures/web/src/engine/decoder.js";
import { TensorStream } from "../../../../core/figures/web/src/engine/gguf/stream.js";
import { WASM, prepare } from "../../../../core/figures/web/src/engine/runtime.js";
import { logSums } from "../../../../core/figures/web/src/engine/session.js";

const [runtime, folder, asked, found] = argv.slice(2);
const bytes = (file) => new Uint8Array(readFileSync(file)), json = (file) => JSON.parse(readFileSync(file, "utf8"));
const ort = await import(pathToFileURL(`${runtime}/ort.wasm.min.mjs`));
prepare(ort, bytes(`${runtime}/${WASM}`), pathToFileURL(`${runtime}/ort-wasm-simd-threaded.mjs`).href);

const shape = json(`${folder}/shape.json`);
const decoder = new Decoder(ort, shape, { layers: bytes(`${folder}/layers.onnx`), head: bytes(`${folder}/head.onnx`), back: bytes(`${folder}/back.onnx`) });
const file = bytes(`${folder}/model.gguf`), stream = new TensorStream(file.length);
for (let at = 0; at < file.length; at += 5000) {
  for (const { tensor, bytes: some } of stream.take(file.subarray(at, at + 5000))) await decoder.take(tensor, some);
}
let rows = 0; // that the first session was given
const [{ session }] = decoder.groups, run = session.run.bind(session);
session.run = (inputs) => {
  rows += inputs.input.dims[0];
  return run(inputs);
};

const answers = [];
for (const { ids, groups = Infinity } of json(asked)) {
  rows = 0;
  let left = groups; // of layers, before it is given up
  const read = await decoder.read(ids, () => left-- > 0);
  if (!read) {
    answers.push({ rows, kept: decoder.ids.length });
    continue;
  }
  const n = ids.length, learned = decoder.learned(ids), { hidden, q, k, most, at } = decoder.steps(learned), d = shape.headSize;
  answers.push({
    rows, kept: n, logits: [...await decoder.next()], hidden: [...hidden], q: [...q], k: [...k],
    logSums: [...logSums(q, k, most, at, n, d, d ** -0.5)],
  });
}
writeFileSync(found, JSON.stringify({ whole: decoder.whole, answers }));
