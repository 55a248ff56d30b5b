// A file that the page makes. The picture, the network and the pauses are the test's own.
import { afterEach, test } from "node:test";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { fileOf } from "../../../../core/figures/web/src/runtime/files.js";

const { fetch } = globalThis;
afterEach(() => { globalThis.fetch = fetch; });

const NOW = [0, 0, 0];

/** A picture whose page names one address after the other as it runs; `answers` by their addresses. */
function picture(addresses, answers) {
  const asked = [], emitted = [];
  const offers = (address) => ({ files: [{ kind: "CSV", name: "polysee-x.csv", address }] });
  globalThis.fetch = async (address) => {
    asked.push(address);
    const [status, text, type] = answers[address] ?? [];
    if (!status) throw new TypeError("away");
    return new Response(text, { status, headers: { "content-type": type ?? "text/csv" } });
  };
  const made = {
    asked, emitted,
    wanted: offers(addresses[0]),
    report: { isHeard: async () => { made.heard = true; } },
    emit: (name, detail) => {
      emitted.push([name, detail]);
      made.wanted = offers(addresses[Math.min(emitted.length, addresses.length - 1)]);
    },
  };
  return made;
}

test("a file is asked for when the page has heard what was chosen", async () => {
  const one = picture(["/files/a/1"], { "/files/a/1": [200, "a,b\n"] });
  const { blob, name } = await fileOf(one, "CSV", NOW);
  deepEqual([await blob.text(), name, one.heard, one.emitted], ["a,b\n", "polysee-x.csv", true, []]);
});

test("a server that has it no more has the page run again, whose new address is asked then", async () => {
  const one = picture(["/files/a/1", "/files/b/1"], { "/files/a/1": [404, "gone"], "/files/b/1": [200, "new"] });
  const { blob } = await fileOf(one, "CSV", NOW);
  equal(await blob.text(), "new");
  deepEqual(one.asked, ["/files/a/1", "/files/b/1"]);
  deepEqual(one.emitted, [["lost", { file: "/files/a/1" }]]);
});

test("what cannot be fetched is a sentence", async () => {
  const gone = picture(["/files/a/1"], { "/files/a/1": [404, "There is nothing here."] });
  await rejects(fileOf(gone, "CSV", NOW), /no longer there\. Reload the page/);
  equal(gone.asked.length, 3);
  const away = picture(["/files/a/1"], {});
  await rejects(fileOf(away, "CSV", [...NOW, ...NOW]), /server does not answer/);
  equal(away.asked.length, 4); // who waits for a server that loads a model waits longer
  const proxy = picture(["/files/a/1"], { "/files/a/1": [502, "<html>", "text/html"] });
  await rejects(fileOf(proxy, "CSV", NOW), /server does not answer/);
});

test("what the server says itself is said at once", async () => {
  for (const status of [409, 429, 500]) {
    const one = picture(["/files/a/1"], { "/files/a/1": [status, "There is no such head.\n", "text/plain; charset=utf-8"] });
    await rejects(fileOf(one, "CSV", NOW), { message: "There is no such head." });
    equal(one.asked.length, 1);
  }
});

test("what the page offers no more is no longer there", async () => {
  await rejects(fileOf(picture(["/files/a/1"], {}), "NPZ", NOW), /no longer there/);
});
