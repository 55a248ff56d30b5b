// What a tab and the server both make of a text: `node twins.js QUERY FOUND`, both JSON files. Python compares
// (`tests/web/test_own_text.py`).
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { packed } from "../../../../core/figures/web/src/derive/packed.js";
import { unpack } from "../../../../core/figures/web/src/runtime/shared.js";
import { copiesSaid, headline, numbers, order, paused, tryNext } from "../../../../core/figures/web/src/owntext/captions.js";
import { copied, repeated } from "../../../../core/figures/web/src/owntext/copies.js";
import { dump, load } from "../../../../core/figures/web/src/owntext/file.js";
import { bitsPerLetter } from "../../../../core/figures/web/src/owntext/ngram.js";
import { curves, writing } from "../../../../core/figures/web/src/owntext/pictures.js";
import { Random } from "../../../../core/figures/web/src/owntext/random.js";
import { code, parted, read, unfit, usual } from "../../../../core/figures/web/src/owntext/recipe.js";
import { learned } from "../../../../core/figures/web/src/owntext/units.js";

const { texts, codes, unfits, seed, written, pauses, planned, gram, text: learns, ends, files } = JSON.parse(readFileSync(argv[2], "utf8"));
const drawn = (made) => {
  const { header, values } = unpack(packed(made));
  return { header, values: Array.from(values, (value) => (Number.isNaN(value) ? null : value)) };
};
const random = new Random(seed);
const refused = (bytes) => {
  try {
    return load(bytes).steps;
  } catch (error) {
    return error.message;
  }
};
writeFileSync(argv[3], JSON.stringify({
  texts: texts.map(([text, pairs]) => {
    const { tokens, merges, reader } = learned(text, { ...usual, kind: pairs ? "pairs" : "letters", pairs });
    const { ids } = reader.encode(text);
    return { tokens: tokens.slice(257), merges, ids: [...ids], back: reader.decode(ids), gram: bitsPerLetter(...parted(text)) };
  }),
  codes: codes.map((one) => code(read(one))), unfits: unfits.map(unfit),
  drawn: { uniform: [...random.uniform(700, 0.3)], normal: [...random.normal(37, 0.2)], below: Array.from({ length: 9 }, () => random.below(1001)) },
  written: written.map(([said, text]) => ({
    copies: copied(said, text).map(({ start, end, source }) => [start, end, source]), said: copiesSaid(said, copied(said, text), text),
    picture: drawn(writing(said, copied(said, text), text, { name: "own-text-writes", prompt: "He said" })),
  })),
  headlines: pauses.map((one) => headline(one, learns)), numbers: pauses.map((_, i) => numbers(pauses.slice(0, i + 1), gram, learns)), orders: pauses.map((_, i) => order(pauses.slice(0, i + 1), learns)),
  ends: ends.map(([end, before]) => repeated(end, before)), memory: numbers(pauses, gram, learns + learns),
  next: pauses.map((_, i) => tryNext(pauses.slice(0, i + 1), learns)), paused: pauses.map((one) => paused(one, learns)), curves: drawn(curves(pauses, planned, gram, 1)),
  files: files.map((one) => {
    const bytes = new Uint8Array(Buffer.from(one, "base64"));
    return refused(bytes);
  }), again: Buffer.from(dump(load(new Uint8Array(Buffer.from(files[0], "base64"))))).toString("base64"),
}));
