// Checksums equal those of Node's library, however the content is cut into pieces.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Sha256 } from "../../../../core/figures/web/src/engine/sha256.js";

const expected = (data) => createHash("sha256").update(data).digest("hex");

for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
  test(`of ${length} bytes`, () => {
    const data = Uint8Array.from({ length }, (_, i) => (i * 7919 + 13) % 256);
    for (const piece of [1, 7, 64, 100, 1000]) {
      const sum = new Sha256();
      for (let at = 0; at < length; at += piece) sum.update(data.subarray(at, at + piece));
      assert.equal(sum.digest(), expected(data));
    }
  });
}
