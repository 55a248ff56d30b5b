// The file that has the model inside, as text: what stands in it, and that nothing typed can become code.
import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { gunzipSync, gzipSync } from "node:zlib";
import { savedFile, PREFIX } from "../../../../core/figures/web/src/saved/file.js";

const page = '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n</head>\n<body>\n<p>&lt;script&gt;</p>\n'
  + '<script>\ndraw();</script>\n<script type="text/plain" id="plotly">x</script>\n</body>\n</html>\n';

/** A safetensors file with one small matrix. */
function weights() {
  const header = new TextEncoder().encode('{"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}');
  const bytes = new Uint8Array(8 + header.length + 8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(header, 8);
  return bytes;
}

const made = async (query) => (await savedFile({
  page, code: "const end = '</script>';", manifest: "{}", query,
  files: { "model.safetensors": weights(), "a.wasm": new Uint8Array(20_000).fill(7) },
}, async (bytes) => new Uint8Array(gzipSync(bytes)), "0123")).join("");

const elements = (html) => [...html.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)].map(([, attributes, text]) => ({ attributes, text }));

test("all scripts are ours, and all data are inside", async () => {
  const html = await made(JSON.stringify({ a: "</script><script>alert(1)</script>", b: "<!--" }));
  const found = elements(html), run = found.filter(({ attributes }) => !/type="(text\/plain|application\/json)"/.test(attributes));
  equal(run.length, 2);
  ok(run.every(({ attributes }) => attributes.includes('nonce="0123"')));
  ok(html.includes("&lt;script&gt;"));
  const query = found.find(({ attributes }) => attributes.includes(`${PREFIX}query`));
  deepEqual(JSON.parse(query.text), { a: "</script><script>alert(1)</script>", b: "<!--" });
  const wasm = found.filter(({ attributes }) => attributes.includes('data-name="a.wasm"'));
  deepEqual(new Uint8Array(gunzipSync(Buffer.from(wasm.map(({ text }) => text).join(""), "base64"))), new Uint8Array(20_000).fill(7));
  ok(found.some(({ attributes }) => attributes.includes(`${PREFIX}layout`)));
  ok(html.endsWith("</body>\n</html>\n"));
});

test("its policy lets nothing in and nothing out", async () => {
  const [, policy] = (await made("{}")).match(/Content-Security-Policy" content="([^"]+)"/);
  const rules = Object.fromEntries(policy.split("; ").map((rule) => [rule.split(" ")[0], rule]));
  equal(rules["default-src"], "default-src 'none'");
  ok(!/'unsafe-(eval|inline)'/.test(rules["script-src"]));
  ok(!/https?:|\*|'self'/.test(policy));
});

test("weights that are packed already lie in it byte for byte, in pieces", async () => {
  const blocks = Uint8Array.from({ length: 4_194_300 + 5 }, (_, i) => i % 251);
  const html = (await savedFile({ page, code: "", manifest: "{}", query: "{}", files: { "a.gguf": blocks } }, () => {
    throw new Error("they are not compressed");
  }, "0123")).join("");
  const found = elements(html).filter(({ attributes }) => attributes.includes('data-name="a.gguf"'));
  equal(found.length, 2);
  ok(Buffer.concat(found.map(({ text }) => Buffer.from(text, "base64"))).equals(blocks));
});
