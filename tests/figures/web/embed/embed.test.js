// An embedded page: its address, the picture that it carries, and the frame that is given.
import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { packed } from "../../../../core/figures/web/src/derive/packed.js";
import { embedded, isEmbedded, outside } from "../../../../core/figures/web/src/embed/address.js";
import { arrived, carried } from "../../../../core/figures/web/src/embed/carried.js";
import { likeliestBars } from "../../../../core/figures/web/src/embed/likeliest.js";
import { snippets } from "../../../../core/figures/web/src/embed/snippet.js";

const AS_IT_IS = { temperature: 1, topK: 0, topP: 1, minP: 0 };
const LOGITS = Float32Array.from([Math.log(0.5), Math.log(0.25), Math.log(0.125), Math.log(0.125)]);
const made = (sampling = AS_IT_IS) => likeliestBars(LOGITS, [" a", " b"], sampling, 'Say "so" & <b>');

test("an address is embedded, and leads outside again", () => {
  for (const page of ["https://x.y/z/next-word/", "https://x.y/z/next-word/?v=2&t=a+b"]) {
    const inside = embedded(`${page}#old`, "bars.abc");
    ok(isEmbedded(new URL(inside).search));
    ok(!isEmbedded(new URL(page).search));
    equal(new URL(inside).hash, "#bars.abc");
    equal(outside(inside), page);
  }
  equal(outside("https://x.y/?embed=1&t=embed"), "https://x.y/?t=embed");
});

test("the bars are those of the likeliest as they would be drawn, and the others are one", () => {
  const numbers = ({ payload }) => [...new Float32Array(payload.buffer)].map((one) => Math.round(1000 * one) / 1000);
  deepEqual(numbers(made()), [0.5, 0.25, 0.25]);
  deepEqual(numbers(made({ ...AS_IT_IS, topK: 2 })), [0.667, 0.333, 0]);
  deepEqual(numbers(made({ ...AS_IT_IS, temperature: 0 })), [1, 0, 0]);
  equal(made().header.labels.length, 3);
});

test("a picture arrives as it was carried", async () => {
  const picture = made(), word = await carried(picture);
  ok(word.length < 1000 && /^bars\.[\w-]+$/.test(word), word);
  const { module, bytes } = await arrived(word);
  equal(module, "bars");
  deepEqual(bytes, packed(picture));
});

test("a picture that is too large has its numbers as they are shown", async () => {
  const numbers = Array.from({ length: 4000 }, (_, i) => Math.sin(i * i)), word = await carried({ module: "trajectory", header: { numbers }, payload: new Uint8Array() });
  const { bytes } = await arrived(word), end = 4 + new DataView(bytes.buffer).getUint32(0, true);
  deepEqual(JSON.parse(new TextDecoder().decode(bytes.slice(4, end))).numbers, numbers.map((x) => Number(x.toFixed(4))));
});

test("what is too large, of another kind, or no picture is none", async () => {
  const large = { module: "bars", header: {}, payload: crypto.getRandomValues(new Uint8Array(30_000)) };
  equal(await carried(large), "");
  equal(await carried({ ...made(), module: "layer" }), "");
  const bomb = await carried({ module: "bars", header: {}, payload: new Uint8Array(5_000_000) });
  for (const word of ["", "bars", "bars.", "bars.%%", "layer.abc", "bars.abc", "../x.abc", "constructor.abc", bomb]) {
    equal(await arrived(word), null, word.slice(0, 20));
  }
});

test("the frame is HTML in which nothing typed is markup", async () => {
  const { frame: html, script } = await snippets("https://x.y/?t=%22a", 'A "<title>" & more', made(), "https://x.y/");
  ok(script.startsWith('<script src="https://x.y/show.js" data-address="https://x.y/?t=%22a&amp;embed#bars.') && script.endsWith("></script>"), script);
  const found = /^<iframe ([^<>]*)><\/iframe>$/.exec(html);
  ok(found, html);
  ok(found[1].includes('title="A &quot;&lt;title&gt;&quot; &amp; more"'), html);
  ok(/src="https:\/\/x\.y\/\?t=%22a&amp;embed#bars\.[\w-]+"/.test(html));
  ok(/height="\d+"/.test(html));
});
