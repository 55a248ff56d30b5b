// Files in pieces of ten bytes, from a server of the test's own: each is checked and kept, and a download goes on where
// the last one broke off.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { beforeEach, test } from "node:test";
import { Download, keptFile, missingBytes } from "../../../../core/figures/web/src/engine/download.js";

const content = Uint8Array.from({ length: 25 }, (_, i) => 3 * i), sumOf = (bytes) => createHash("sha256").update(bytes).digest("hex");
const pieces = [0, 10, 20].map((at) => sumOf(content.subarray(at, at + 10)));
const manifest = {
  piece: 10, stored: ["weights", "graph"], kept: [...pieces, sumOf("ab")],
  files: { weights: { bytes: 25, sha256: sumOf(content), pieces }, graph: { bytes: 2, sha256: sumOf("ab") } },
};

/** Where the browser keeps the pieces. @type {Map<string, Uint8Array>} */
let kept;
const storage = {
  has: async (key) => kept.has(key), get: async (key) => kept.get(key) ?? null, put: async (key, data) => void kept.set(key, data),
  forget: async (key) => void kept.delete(key),
  keepOnly: async (keys) => [...kept.keys()].filter((key) => !keys.includes(key)).forEach((key) => kept.delete(key)),
};
/** What the server is asked, and how it answers. */
let asked, server;
beforeEach(() => {
  kept = new Map();
  asked = [];
  server = { ranges: true, ends: Infinity, of: { weights: content, graph: Buffer.from("ab") } };
  globalThis.fetch = async (address, { headers: { Range: range } = {} } = {}) => {
    const name = new URL(address).pathname.slice(1), from = server.ranges && range ? Number(/\d+/.exec(range)[0]) : 0;
    asked.push(from ? `${name} ${from}` : name);
    const bytes = server.of[name].subarray(from), chunks = [];
    for (let at = 0; at < bytes.length && from + at < server.ends; at += 4) chunks.push(bytes.subarray(at, Math.min(at + 4, server.ends - from)));
    return new Response(new ReadableStream({
      pull(controller) {
        if (chunks.length) controller.enqueue(new Uint8Array(chunks.shift()));
        else if (server.ends < Infinity) controller.error(new TypeError("network error"));
        else controller.close();
      },
    }), { status: from ? 206 : 200 });
  };
});

const seen = [];
const begun = async () => {
  seen.length = 0;
  return new Download("http://x/", manifest, storage, (...now) => seen.push(now)).begin();
};

test("all arrives, is checked and kept; the second visit asks for nothing", async () => {
  const download = await begun(), files = await download.files(manifest.stored);
  await download.end();
  assert.deepEqual([...files.weights], [...content]);
  assert.deepEqual(asked, ["weights", "graph"]);
  assert.deepEqual([seen[0], seen.at(-1)], [[0, 27], [27, 27]]);
  assert.ok(seen.every(([bytes], i) => !i || bytes >= seen[i - 1][0]), "progress goes one way");
  assert.equal(await missingBytes(manifest, storage), 0);
  assert.deepEqual([...await keptFile(storage, manifest, "weights")], [...content]);
  const again = await begun();
  assert.deepEqual([...(await again.files(manifest.stored)).weights], [...content]);
  assert.equal(asked.length, 2);
  assert.deepEqual(seen, []);
});

for (const ranges of [true, false]) {
  test(`what breaks off goes on where it was, ${ranges ? "" : "also from a server that begins anew"}`, async () => {
    server.ends = 23;
    await assert.rejects((await begun()).file("weights"), { name: "DownloadBroken" });
    assert.deepEqual([...kept.keys()], pieces.slice(0, 2));
    assert.equal(await missingBytes(manifest, storage), 7);
    Object.assign(server, { ends: Infinity, ranges });
    assert.deepEqual([...await (await begun()).file("weights")], [...content]);
    assert.deepEqual(asked, ["weights", ranges ? "weights 20" : "weights"]);
    assert.deepEqual([seen[0], seen.at(-1)], [[0, 7], [5, 7]]);
  });
}

test("a piece that was lost in the middle is fetched alone", async () => {
  await (await begun()).file("weights");
  kept.delete(pieces[1]);
  assert.deepEqual([...await (await begun()).file("weights")], [...content]);
  assert.deepEqual(asked, ["weights", "weights 10"]);
});

test("what is not what was announced is refused, and not kept", async () => {
  for (const [of, why] of [
    [content.map((one, i) => (i === 12 ? 0 : one)), /not what was announced/], [content.subarray(0, 24), /24 of 25/],
    [Uint8Array.of(...content, 1), /longer than announced/],
  ]) {
    kept.clear();
    server.of = { ...server.of, weights: of };
    await assert.rejects((await begun()).file("weights"), { name: "DownloadBroken", message: why });
    assert.ok(kept.size < 3);
  }
});

test("at the end, the browser forgets what no model has", async () => {
  kept.set("an older piece", content);
  const download = await begun();
  await download.files(manifest.stored);
  await download.end();
  assert.deepEqual([...kept.keys()].sort(), [...manifest.kept].sort());
});
