// A training in Node, as in a tab: `node train.js QUERY FOUND`, both JSON files. Python compares the result with torch's
// (`tests/web/test_own_text.py`).
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { put, start, taken } from "../../../../core/figures/web/src/owntext/decoder.js";
import { Training } from "../../../../core/figures/web/src/owntext/training.js";

const { text, recipe, tensors, windows, batch, steps } = JSON.parse(readFileSync(argv[2], "utf8"));
const asJson = (all) => Object.fromEntries(Object.entries(all).map(([name, { shape, numbers }]) => [name, { shape, numbers: [...numbers] }]));

await start();
const training = new Training(text, recipe), first = asJson(await training.tensors());
const given = put(Object.fromEntries(Object.entries(tensors).map(([name, { shape, numbers }]) => [name, { shape, numbers: Float32Array.from(numbers) }])), recipe.layers);
const { loss, gradient } = training.decoder.gradient(given, Int32Array.from(windows), batch);
const found = { first, loss: (await loss.data())[0], gradient: asJson(await taken(gradient)), losses: [] };
for (let i = 0; i < steps; i++) found.losses.push(await training.learn());
const pause = await training.look();
writeFileSync(argv[3], JSON.stringify({
  ...found, tokens: training.units.tokens, merges: training.units.merges, gram: training.gram,
  pause: { ...pause, attention: [...pause.attention] }, after: asJson(await training.tensors()), goesOn: await training.write("In the ", 90, { seed: 4 }),
}));
