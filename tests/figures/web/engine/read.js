// What a language model reads out of a text, without a browser: `node read.js ORT FOLDER ASKED FOUND`. The folder has a
// model as `tools/web` describes it; ASKED is a list of questions. Python compares the answers with its own
// (`tests/web/test_language.py`).
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { LanguageModel } from "../../../../core/figures/web/src/engine/language.js";
import { WASM } from "../../../../core/figures/web/src/engine/runtime.js";

const [runtime, folder, asked, found] = argv.slice(2);
const bytes = (file) => new Uint8Array(readFileSync(file)), json = (file) => JSON.parse(readFileSync(file, "utf8"));
const ort = await import(pathToFileURL(`${runtime}/ort.wasm.min.mjs`)), manifest = json(`${folder}/manifest.json`);
const files = Object.fromEntries(["layers.onnx", "head.onnx", "back.onnx", "changed.onnx"].map((name) => [name, bytes(`${folder}/${name}`)]));

/** The file in pieces, as it arrives. */
async function* pieces(file) {
  for (let at = 0; at < file.length; at += 50_000) yield file.subarray(at, at + 50_000);
}
const model = await LanguageModel.start(ort, manifest, { ...files, [WASM]: bytes(`${runtime}/${WASM}`) }, pieces(bytes(`${folder}/${manifest.weights}`)),
  pathToFileURL(`${runtime}/ort-wasm-simd-threaded.mjs`).href);
let fetched = 0, rows = 0;
const { decoder } = model, logits = decoder.logits.bind(decoder);
decoder.logits = (some) => {
  rows += some.length / manifest.shape.size;
  return logits(some);
};
const fetchLens = async () => {
  fetched++;
  return bytes(`${folder}/${manifest.lens}`);
};

/** What each token adds to a word. */
const added = async (text, { tokens, directions, rows: most }) => {
  const { sums } = await model.sources(text, { tokens, directions: Float32Array.from(directions) }, undefined, most);
  return { sums };
};

const answers = [];
for (const { kind, text, more, ...rest } of json(asked)) {
  rows = 0;
  try {
    answers.push({ rows, ...await (kind === "lens" ? model.lens(text, more, rest, fetchLens) : kind === "why" ? model.why(text, more, rest) : kind === "sources" ? added(text, rest) : kind === "changed" ? model.changed(text, rest) : kind === "patched" ? model.patched(text, rest) : kind === "sink" ? model.sink(text) : model.steps(text, rest)) });
    answers.at(-1).rows = rows;
  } catch (error) {
    answers.push({ name: error.name, message: error.message });
  }
}
const plain = (_, value) => (value instanceof Float32Array || value instanceof Int32Array ? [...value] : value);
writeFileSync(found, JSON.stringify({ fetched, answers }, plain));
