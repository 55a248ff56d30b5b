// A training on repeated letters in Node, as in a tab: `node learn.js QUERY FOUND`, both JSON files. Python compares the result
// with torch's (`tests/web/test_copying.py`).
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { Learning } from "../../../../core/figures/web/src/copying/learning.js";
import { batchOf, drawn, heldOut, isHeldOut } from "../../../../core/figures/web/src/copying/letters.js";
import { put, taken } from "../../../../core/figures/web/src/copying/net.js";
import { start } from "../../../../core/figures/web/src/owntext/decoder.js";
import { Random } from "../../../../core/figures/web/src/owntext/random.js";

const { recipe, tensors, batches, words } = JSON.parse(readFileSync(argv[2], "utf8"));
const asJson = (of) => Object.fromEntries(Object.entries(of).map(([name, { shape, numbers }]) => [name, { shape, numbers: [...numbers] }]));
const kept = (weights) => taken(Object.fromEntries(Object.entries(weights).map(([name, one]) => [name, one.ref])));
const looked = ({ attention, ...look }) => ({ ...look, attention: attention.map((one) => [...one]) });

await start();
const learning = new Learning(recipe), first = asJson(await kept(learning.weights)), looks = [looked(await learning.look())], losses = [];
const given = put(Object.fromEntries(Object.entries(tensors).map(([name, { shape, numbers }]) => [name, { shape, numbers: Float32Array.from(numbers) }])));
const { loss, gradient } = learning.net.gradient(given, batchOf(batches[0]));
const found = { first, loss: (await loss.data())[0], gradient: asJson(await taken(gradient)), heldOut: words.map(isHeldOut), held: [...heldOut().reads] };
for (const batch of batches) losses.push(await learning.learn(batchOf(batch)));
looks.push(looked(await learning.look()));
const after = asJson(await kept(learning.weights)), random = new Random(3), letters = Array.from({ length: 200 }, () => drawn(random));
writeFileSync(argv[3], JSON.stringify({ ...found, losses, looks, after, letters }));
