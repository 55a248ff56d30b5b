// What a speaker makes of a model's logits: `node speak.js SETTINGS ASKED FOUND`, all of them JSON files. Python runs
// the model, and compares the result with its own (`tests/web/test_speaker.py`).
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { BytePairs } from "../../../../core/figures/web/src/engine/bytepairs.js";
import { Speaker } from "../../../../core/figures/web/src/engine/speaker.js";

const [{ settings, most, logits }, asked] = argv.slice(2, 4).map((file) => JSON.parse(readFileSync(file, "utf8")));

/** A decoder whose rows are the places of tokens, and whose logits are those that Python has computed behind them. */
class Recorded {
  shape = { layers: 3, size: 1 };
  ids = [];

  async read(ids) {
    this.ids = ids;
    return true;
  }

  hiddenOf(layer, token) {
    return Float32Array.of(layer === 2 ? token : NaN);
  }

  normed(rows) {
    return rows;
  }

  async logits(rows) {
    return Float32Array.from([...rows].flatMap((place) => logits[this.ids.slice(0, place + 1).join(" ")]));
  }
}

const speaker = new Speaker(new BytePairs(new Map(Object.entries(settings)), most), new Recorded());
const found = [];
for (const { text, more, count, how } of asked) {
  const written = [];
  for await (const one of speaker.write(text, more, count, how)) written.push(one);
  const behind = [...more, ...written.map(({ id }) => id)], { encoded, top, logits: sorted, ends, spelled } = await speaker.next(text, behind);
  const { text: whole, starts, ends: stops, bits, ranks, likeliest, probabilities } = await speaker.score(text, behind);
  found.push({
    written, top, ends, spelled, logits: [...sorted], ids: [...encoded.ids],
    score: { text: whole, spans: [...starts].map((start, i) => [start, stops[i]]), bits: [...bits].slice(1), ranks, likeliest, probabilities },
  });
}
writeFileSync(argv[4], JSON.stringify(found));
