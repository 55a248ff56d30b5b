// What a page shows while a visitor types. Device, boxes and pictures are the test's own.
import { beforeEach, mock, test } from "node:test";
import { deepEqual, equal } from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { Follower, NotShown } from "../../../../core/figures/web/src/device/follow.js";

/** A picture as `core.figures.Picture.to_bytes` packs it. */
function packed(header, numbers) {
  const text = new TextEncoder().encode(JSON.stringify(header)), values = new Uint8Array(Float32Array.from(numbers).buffer);
  const bytes = new Uint8Array(4 + text.length + values.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(values, 4 + text.length);
  return bytes;
}

class Device {
  isOn = true;
  heard = new Set();
  asked = [];
  refused = null;
  waiting = [];
  slowly = false;

  async trace(text) {
    this.asked.push(text);
    if (this.slowly) await new Promise((keep) => this.waiting.push(keep));
    return { text };
  }

  refuse(error) {
    this.refused = error.message;
    this.turn(false);
  }

  turn(isOn) {
    this.isOn = isOn;
    for (const hear of this.heard) hear();
  }
}

/** A box that has told the server nothing yet. */
class Box {
  told = [];
  area = { isConnected: true };

  constructor(text) {
    this.text = this.known = text;
  }

  get isHeard() { return this.text === this.known; }

  show(text) {
    this.text = this.known = text;
  }

  tell() {
    if (this.text !== this.known) this.told.push(this.text);
  }
}

// The picture of a text has one number: its length, which the server finds a little longer.
const ERROR = 2 ** -20;
const picture = (text, more = 0) => packed({ dtype: "float32", name: text, of: text.length }, [text.length + more]);
const makers = {
  compare: {
    make: async (trace, texts, { word }) => {
      const { text } = await trace(texts.A);
      if (!text.includes(word)) throw new NotShown(`There is no ${word}.`);
      return [{ name: "trajectory", bytes: picture(text), state: null }];
    },
  },
};

let page, device, follower, box, shown, drawn;
const number = () => {
  const bytes = shown.instead?.bytes ?? shown.sent.bytes;
  return new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4).getFloat32(0, true);
};
const context = (text, more = {}) => ({
  page: "compare", texts: { A: { box: "a control", key: "a", text } }, about: ["A"], behind: [], why: "",
  inputs: { word: "bank" }, ...more,
});
const type = async (text) => {
  box.text = text;
  const typed = new CustomEvent("polysee-typed", { cancelable: true, detail: { name: "a control" } });
  const follows = !page.dispatchEvent(typed);
  await turn();
  return follows;
};
/** The server has run the page with this text, and sends first the box, then the line, then the picture. */
const runs = async (text) => {
  box.known = text;
  page.dispatchEvent(new CustomEvent("polysee-box", { detail: { name: "a control" } }));
  follower.attend(context(text));
  shown.sent = { bytes: picture(text, ERROR), of: [text] };
  page.dispatchEvent(new CustomEvent("polysee-sent", { detail: { name: "trajectory" } }));
  shown.draw();
  await turn();
};

beforeEach(async () => {
  page = new EventTarget();
  device = new Device();
  follower = new Follower(device, makers, page);
  box = new Box("a bank");
  drawn = [];
  shown = { sent: { bytes: picture("a bank", ERROR), of: ["a bank"] }, instead: null, draw: () => drawn.push(number()) };
  globalThis.polyseeBoxes = new Map([["a control", box]]);
  globalThis.polyseeShown = new Map([["trajectory", shown]]);
  globalThis.location = { search: "", pathname: "/" };
  follower.attend(context("a bank"));
  await turn();
});

test("the picture follows each key, and the server hears nothing until it is told", async () => {
  equal(await type("the bank"), true);
  deepEqual([number(), follower.status.by, follower.status.isAhead, box.told], [8, "device", true, []]);
  await type("the bank of");
  equal(number(), 11);
  await runs("the bank of");
  equal(shown.instead, null);
  deepEqual([follower.status.by, follower.status.isAhead], ["server", false]);
  equal(follower.status.difference, ERROR);
});

test("the first sentence is compared as well, once the device is on", () => {
  equal(follower.status.difference, ERROR);
});

test("what takes longer is put into the picture behind it, but not into that of a later text, and not if the server has it", async () => {
  const waiting = [];
  const explaining = { compare: { ...makers.compare, explain: () => new Promise((keep) => {
    const told = number();
    waiting.push(() => keep([{ name: "trajectory", bytes: picture("", told + 0.5), state: null }]));
  }) } };
  follower = new Follower(device, explaining, page);
  await runs("a bank");
  equal(waiting.length, 0, "the server shows it");
  await type("the bank");
  await type("the bank of");
  waiting[0]();
  await turn();
  equal(number(), 11);
  waiting[1]();
  await turn();
  deepEqual([number(), waiting.length, follower.status.by], [11.5, 2, "device"]);
  await type("the bank");
  await runs("the bank");
  waiting[2]();
  await turn();
  equal(shown.instead, null);
});

test("of many keys only the newest text is computed", async () => {
  device.slowly = true;
  device.asked = [];
  await type("bank 1");
  await type("bank 12");
  await type("bank 123");
  deepEqual(device.asked, ["bank 1"]);
  device.slowly = false;
  device.waiting.forEach((keep) => keep());
  await turn();
  deepEqual(device.asked, ["bank 1", "bank 123"]);
  equal(number(), 8);
  equal(drawn.includes(6), false, "an outdated picture is not painted");
});

test("a run of the page about an earlier text does not bring that back", async () => {
  await type("the bank of England");
  shown.sent = { bytes: picture("a bank", ERROR), of: ["a bank"] };
  page.dispatchEvent(new CustomEvent("polysee-sent", { detail: { name: "trajectory" } }));
  follower.attend(context("a bank"));
  await turn();
  equal(number(), 19);
});

test("an example that replaces the text is shown as the server sends it", async () => {
  await type("the bank");
  box.text = "another bank";
  await runs("another bank");
  deepEqual([shown.instead, number(), follower.status.isAhead], [null, Math.fround(12 + ERROR), false]);
});

test("typed back to what the server knows, the server's picture returns", async () => {
  await type("a banks");
  await type("a bank");
  deepEqual([shown.instead, follower.status.by, follower.status.isAhead], [null, "server", false]);
});

test("a text without the word leaves the picture, and says why", async () => {
  await type("the bank");
  await type("the ban");
  deepEqual([number(), follower.status.note, follower.status.isAhead], [8, "There is no bank.", true]);
  await type("the bank");
  equal(follower.status.note, "");
});

test("a device that breaks gives the page back to the server, and tells it what was typed", async () => {
  await type("the bank");
  device.trace = async () => { throw new Error("worker gone"); };
  await type("the bank of");
  deepEqual([device.refused, shown.instead, box.told], ["worker gone", null, ["the bank of"]]);
  equal(await type("the bank of E"), false);
});

test("what a page cannot show on the device, its server shows", async () => {
  follower.attend(context("a bank", { why: "Only one text." }));
  equal(await type("the bank"), false);
  equal(shown.instead, null);
});

test("the address has what is typed, as one step of Back, and Back returns to what the server has", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const steps = [];
  const visit = (how) => (_state, _title, address) => {
    steps.push([how, address]);
    globalThis.location.search = address.slice(address.indexOf("?"));
  };
  globalThis.history = { pushState: visit("push"), replaceState: visit("replace") };
  for (const text of ["the bank", "the bank of", "a bank"]) {
    await type(text);
    mock.timers.tick(500);
  }
  mock.timers.reset();
  deepEqual(steps, [["push", "/?v=2&a=the+bank"], ["replace", "/?v=2&a=the+bank+of"], ["replace", "/?v=2&a=a+bank"]]);
  equal(follower.entered, false);
  follower.entered = true;
  await type("the bank");
  page.dispatchEvent(new CustomEvent("polysee-back"));
  await turn();
  deepEqual([box.text, shown.instead, follower.status.isAhead], ["a bank", null, false]);
});
