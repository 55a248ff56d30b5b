import { test } from "node:test";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { alike, fetched, messageOf } from "../../../../core/figures/web/src/runtime/message.js";

test("a picture is given its bytes alone, or a message with what else a page says", () => {
  const alone = messageOf(Uint8Array.of(1, 2));
  deepEqual([alone.numbers, [...alone.bytes], alone.visit, alone.heard], [null, [1, 2], null, 0]);
  const sent = messageOf({ numbers: null, bytes: btoa("\x01\xff"), state: { depth: 3 }, heard: 7, visit: "v", events: ["state"] });
  deepEqual([[...sent.bytes], sent.state, sent.heard, sent.visit, sent.events, sent.autoplay], [[1, 255], { depth: 3 }, 7, "v", ["state"], false]);
  equal(messageOf({ numbers: "/numbers/a" }).bytes, null);
});

test("two messages have the same numbers by their address, or by their bytes", () => {
  const of = (numbers, ...bytes) => ({ numbers, bytes: bytes.length ? Uint8Array.from(bytes) : null });
  equal(alike(null, of("/a")), false);
  equal(alike(of("/a"), of("/a")), true);
  equal(alike(of("/a"), of("/b")), false);
  equal(alike(of(null, 1, 2), of(null, 1, 2)), true);
  equal(alike(of(null, 1, 2), of(null, 1, 3)), false);
  equal(alike(of(null, 1, 2), of(null, 1)), false);
});

/** What is fetched while every pause is over at once; `answers` in turn, null where the network is away. */
async function fetching(answers, address, lost) {
  const { fetch, setTimeout } = globalThis, waited = [];
  globalThis.fetch = async () => {
    const status = answers.shift() ?? null;
    if (status === null) throw new TypeError("away");
    return new Response(Uint8Array.of(7), { status });
  };
  globalThis.setTimeout = (act, wait) => { waited.push(wait); queueMicrotask(act); };
  try {
    const [one, other] = await Promise.all([fetched(address, lost), fetched(address, lost)]);
    return { bytes: [...one], same: one === other, waited };
  } finally {
    Object.assign(globalThis, { fetch, setTimeout });
  }
}

test("numbers are fetched once for all that wait for them, and again where they did not come", async () => {
  let lost = 0;
  const count = () => { lost += 1; };
  deepEqual(await fetching([200], "/one", count), { bytes: [7], same: true, waited: [] });
  equal(lost, 0);
  deepEqual((await fetching([404, null, 200], "/two", count)).waited, [300, 1200]);
  equal(lost, 1); // only a server that answers has lost them
  await rejects(fetching([404, 404, 404, 404], "/three", count), /three/);
  equal(lost, 5);
});
