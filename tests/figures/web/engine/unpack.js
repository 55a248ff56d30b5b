// Numbers that were packed, as float32: `node unpack.js GGUF SAID OUT`. SAID is JSON, the heads of the tensors whose
// rows are permuted, by name; OUT gets the numbers of all tensors, in their order. Python compares them with those of the
// `gguf` package (`tests/web/test_gguf.py`). Of a file that is refused, only the reason is written.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { TensorStream } from "../../../../core/figures/web/src/engine/gguf/stream.js";
import { unpacked, unpermuted } from "../../../../core/figures/web/src/engine/gguf/unpack.js";

const PIECE = 1000; // bytes; tensors begin and end within pieces
const [file, said, out] = argv.slice(2), content = readFileSync(file), heads = JSON.parse(said), numbers = [];
const stream = new TensorStream(content.length);
try {
  for (let at = 0; at < content.length; at += PIECE) {
    for (const { tensor: { name, packing, shape }, bytes } of stream.take(content.subarray(at, at + PIECE))) {
      const own = unpacked(packing, bytes, shape.reduce((product, one) => product * one));
      numbers.push(name in heads ? unpermuted(own, heads[name], shape[1]) : own);
    }
  }
  writeFileSync(out, Buffer.concat(numbers.map(({ buffer }) => Buffer.from(buffer))));
} catch (error) {
  if (error.name !== "Lie") throw error;
  writeFileSync(out, error.message);
}
