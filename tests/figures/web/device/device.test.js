// When the device computes and when it gives up. The model is one of the test's own.
import { beforeEach, test } from "node:test";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { Device, SLOW, Unfit } from "../../../../core/figures/web/src/device/device.js";

let clock = 0, asked = [], takes = 10, remembered = null;
const engine = {
  closed: 0,
  trace: async (text) => {
    asked.push(text);
    clock += takes;
    return { text, n: 20 };
  },
  close() { this.closed += 1; },
};
const around = (more = {}) => ({
  open: async (told) => {
    told(50, 91);
    return engine;
  },
  isCached: async () => false,
  unfit: () => null,
  memory: { get: () => remembered, set: (value) => { remembered = value; } },
  now: () => clock,
  ...more,
});
const states = (device) => {
  const seen = [];
  device.heard.add((state) => seen.push(state.kind));
  return seen;
};

beforeEach(() => {
  [clock, asked, takes, remembered, engine.closed] = [0, [], 10, null, 0];
});

test("what comes next is asked once, and of a model that says it", async () => {
  const asks = [], speaking = { ...engine, expect: async (text, more) => {
    asks.push([text, more]);
    return { encoded: { ids: [1, 2] } };
  } };
  const device = new Device(around({ open: async () => speaking }));
  await device.begin();
  deepEqual(await device.expect("a", [7]), await device.expect("a", [7]));
  await device.expect("a", []);
  deepEqual(asks, [["a", [7]], ["a", []]]);
  const other = new Device(around());
  await other.begin();
  await rejects(other.expect("a", []), { why: "broken" });
});

test("what each token adds is given up for any other question, and is no sign of a slow device", async () => {
  const asks = [];
  let keep = () => {};
  const explaining = {
    ...engine, trace: async (text) => (asks.push(text), { text, n: 20 }), stop: () => keep(null),
    sources: (text) => new Promise((kept) => {
      asks.push(`why ${text}`);
      clock += 9 * SLOW;
      keep = kept;
    }),
  };
  const device = new Device(around({ open: async () => explaining }));
  await device.begin();
  asks.length = 0;
  for (const text of ["a", "b", "c", "d"]) {
    const sources = device.sources(text, {});
    await turn();
    await device.trace(text);
    equal(await sources, null);
  }
  deepEqual(asks, ["a", "b", "c", "d"].flatMap((text) => [`why ${text}`, text]));
  const last = device.sources("e", {});
  await turn();
  keep("sums");
  deepEqual([await last, device.isOn], ["sums", true]);
});

test("nothing is fetched unasked, but what is here already begins by itself, unless it was switched off", async () => {
  const opened = [];
  const counting = (more) => new Device(around({ open: async () => {
    opened.push(1);
    return engine;
  }, ...more }));
  await counting({}).beginIfCached();
  equal(opened.length, 0);
  remembered = "off";
  await counting({ isCached: async () => true }).beginIfCached();
  await counting({ isCached: async () => true, unfit: () => "small" }).beginIfCached();
  equal(opened.length, 0);
  remembered = "on";
  await counting({}).beginIfCached();
  equal(opened.length, 0, "it was on, but the browser has dropped the model");
  const device = counting({ isCached: async () => true });
  await device.beginIfCached();
  deepEqual([opened.length, device.isOn], [1, true]);
});

test("it is off, loading, on, and off again, and the visitor's choice is remembered", async () => {
  const device = new Device(around()), seen = states(device);
  await device.begin();
  deepEqual(seen, ["loading", "loading", "on"]);
  equal(remembered, "on");
  equal((await device.trace("a")).text, "a");
  device.end();
  deepEqual([device.state.kind, remembered, engine.closed], ["off", "off", 1]);
  await rejects(device.trace("a"), Unfit);
});

test("switched off while it loads, it stays off", async () => {
  let arrive = () => {};
  const device = new Device(around({ open: () => new Promise((keep) => { arrive = () => keep(engine); }) }));
  const begun = device.begin();
  device.end();
  arrive();
  await begun;
  deepEqual([device.state.kind, engine.closed, asked], ["off", 1, []]);
});

test("a device that is too slow for twenty tokens, at first or later, leaves it to the server", async () => {
  takes = SLOW + 1;
  const device = new Device(around());
  await device.begin();
  deepEqual([device.state.kind, device.state.why], ["refused", "slow"]);
  let tries = 0;
  const busy = new Device(around({ open: async () => ({ trace: async (text) => {
    clock += ++tries < 3 ? SLOW + 1 : 10;
    return { text, n: 20 };
  } }) }));
  await busy.begin();
  equal(busy.isOn, true, "the best of several trials counts");
  takes = SLOW - 1;
  await device.begin();
  equal(device.isOn, true);
  takes = SLOW + 1;
  await device.trace("once");
  equal(device.isOn, true, "one delay decides nothing");
  await device.trace("twice");
  equal(device.isOn, true);
  await device.trace("three times");
  deepEqual([device.state.kind, device.state.why], ["refused", "slow"]);
});

test("a long text may take longer", async () => {
  const device = new Device(around({ open: async () => ({ ...engine, trace: async (text) => {
    clock += text.length > 100 ? 5 * SLOW : 10;
    return { text, n: text.length > 100 ? 200 : 20 };
  } }) }));
  await device.begin();
  for (const sign of "abc") await device.trace(sign.repeat(600));
  equal(device.isOn, true);
});

test("why it does not compute: a broken download, no memory, a worker that dies or is silent, an old browser", async () => {
  const fails = (error) => around({ open: async () => { throw error; } });
  for (const [whereby, why] of [
    [fails(new TypeError("Failed to fetch")), "download"],
    [fails(new RangeError("Array buffer allocation failed")), "small"],
    [fails(new Error("std::bad_alloc")), "small"],
    [around({ unfit: () => "old" }), "old"],
    [around({ open: async () => ({ trace: () => new Promise(() => {}) }), patience: 5 }), "broken"],
  ]) {
    const device = new Device(whereby);
    await device.begin();
    deepEqual([device.state.kind, device.state.why], ["refused", why]);
  }
});

test("the same text is computed once, and of many the last ones are remembered", async () => {
  const device = new Device(around());
  await device.begin();
  asked = [];
  await Promise.all([device.trace("a"), device.trace("a")]);
  deepEqual(asked, ["a"]);
  for (const sign of "bcdefghijk") await device.trace(sign);
  await device.trace("k");
  equal(asked.filter((one) => one === "k").length, 1);
  await device.trace("a");
  equal(asked.filter((one) => one === "a").length, 2);
});

test("another engine takes the place of the first when that is free, and no question is lost", async () => {
  const answers = [];
  let free = () => {};
  const first = { ...engine, name: "first", trace: (text) => (text === "held" ? new Promise((keep) => { free = () => keep({ n: 1, by: "first" }); }) : engine.trace(text)) };
  const second = { ...engine, closed: 0, trace: async () => ({ n: 1, by: "second" }) };
  const device = new Device(around({ open: async () => first }));
  await device.begin();
  const held = device.trace("held").then(({ by }) => answers.push(by));
  device.use(second);
  const next = device.trace("next").then(({ by }) => answers.push(by)); // asked of the first, answered by the second
  await turn();
  equal(first.closed, 0);
  free();
  await Promise.all([held, next]);
  deepEqual(answers, ["first", "second"]);
  deepEqual([first.closed, device.state.kind], [1, "on"]);
});

test("where the graphics card fails, WebAssembly computes again, and the server does not", async () => {
  const lost = [];
  const device = new Device(around());
  await device.begin();
  device.graphics = { isOn: true, lost: (error) => lost.push(error.message), leave: () => { device.graphics.isOn = false; } };
  device.refuse(new Error("device lost"));
  deepEqual([lost, device.state.kind], [["device lost"], "on"]);
  await device.again();
  deepEqual([device.graphics.isOn, device.state.kind], [false, "on"]);
});
