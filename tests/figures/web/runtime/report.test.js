// What a picture tells its page and what it takes from it. The picture is one of the test's own.
import { beforeEach, mock, test } from "node:test";
import { deepEqual, equal, throws } from "node:assert/strict";
import { Report } from "../../../../core/figures/web/src/runtime/report.js";

const REST = 250;

class Picture {
  schema = { depth: {} };
  state = { depth: 0 };
  events = ["state"];
  told = [];
  host = new EventTarget();
  life = new AbortController();
  emit = (name, detail) => this.told.push([name, detail.n, detail.depth]);
  report = new Report(this);

  /** A visitor chooses. */
  choose(depth, rest = REST) {
    this.state = { depth };
    this.report.send(rest);
  }

  /** The page runs: it has heard so much, and wants this. What is sent is kept, as `runtime/picture.js` does. */
  hears(heard, depth, visit = "first") {
    return this.again({ visit, heard, state: { depth } });
  }

  again(message) {
    this.message = message;
    const takes = this.report.takes(message);
    if (takes) this.state = { ...message.state };
    return takes;
  }
}

let page = null, clock = 0;
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.document = new EventTarget();
  globalThis.window = new EventTarget();
  clock = 0;
  performance.now = () => clock;
  page = new Picture();
  equal(page.hears(0, 0), true); // the first that comes is shown
});

const pass = (milliseconds) => {
  clock += milliseconds;
  mock.timers.tick(milliseconds);
};

test("a choice is told once, when it has come to rest", () => {
  for (const depth of [1, 2, 3]) {
    page.choose(depth);
    pass(REST - 1);
  }
  deepEqual(page.told, []);
  pass(1);
  deepEqual(page.told, [["state", 1, 3]]);
  page.choose(5);
  page.choose(3); // as the page knows it already
  pass(REST);
  equal(page.told.length, 1);
});

test("nothing is told where no page hears", () => {
  page.events = ["cell"];
  page.choose(3, 0);
  deepEqual(page.told, []);
});

test("what waits is told at once where something else is done", () => {
  page.choose(3);
  page.report.now();
  deepEqual(page.told, [["state", 1, 3]]);
  page.choose(4);
  page.host.dispatchEvent(new Event("pointerleave"));
  page.choose(5);
  const press = new Event("pointerdown");
  press.composedPath = () => [document];
  document.dispatchEvent(press);
  deepEqual(page.told.slice(1), [["state", 2, 4], ["state", 3, 5]]);
  page.choose(6);
  const own = new Event("focusin");
  own.composedPath = () => [page.host, document];
  document.dispatchEvent(own);
  equal(page.told.length, 3);
});

test("an answer to an earlier choice turns nothing back", () => {
  page.choose(3, 0);
  page.choose(4, 0);
  equal(page.hears(1, 3), false);
  equal(page.state.depth, 4);
  equal(page.hears(2, 4), false);
  equal(page.hears(2, 7), true); // what nobody here has asked for: a link, or Back
  equal(page.state.depth, 7);
});

test("what the page sends before it has heard leaves what a visitor chose", () => {
  page.choose(3, 0);
  equal(page.hears(0, 7), false);
  equal(page.state.depth, 3);
  equal(page.hears(1, 7), true);
});

test("an answer that is put in another way turns back nobody who has gone on", () => {
  page.choose(3, 0);
  page.choose(6);
  equal(page.hears(1, 2), false);
  equal(page.state.depth, 6);
  pass(REST);
  deepEqual(page.told.at(-1), ["state", 2, 6]);
});

test("an answer that is put in another way is taken by who has not gone on", () => {
  page.choose(3, 0);
  equal(page.hears(1, 2), true);
  equal(page.state.depth, 2);
});

test("a choice that was lost on the way is told again, after five seconds", () => {
  page.choose(3, 0);
  pass(4999);
  page.hears(0, 0);
  equal(page.told.length, 1);
  pass(2);
  page.hears(0, 0);
  deepEqual(page.told, [["state", 1, 3], ["state", 2, 3]]);
  equal(page.state.depth, 3);
});

test("a new server is told what the one before was not heard to have heard", () => {
  page.choose(4, 0);
  equal(page.hears(0, 0, "second"), false);
  deepEqual(page.told, [["state", 1, 4], ["state", 1, 4]]);
  equal(page.hears(1, 4, "second"), false);
  equal(page.state.depth, 4);
  equal(page.hears(1, 8, "second"), true); // now it asks
  equal(page.told.length, 2);
});

test("a new server that knows all is told nothing, and counts", () => {
  equal(page.hears(0, 2, "second"), true);
  equal(page.state.depth, 2);
  pass(1000);
  deepEqual(page.told, []);
});

test("Back counts more than what was about to be told", () => {
  page.choose(5);
  window.dispatchEvent(new Event("popstate"));
  pass(1000);
  deepEqual(page.told, []);
  equal(page.hears(0, 2), true);
});

test("a picture that is gone tells nothing", () => {
  page.choose(5);
  page.life.abort();
  pass(1000);
  deepEqual(page.told, []);
});

test("a state that has more or less than its schema has is a fault, and is not told", () => {
  page.state = { depth: 3, lines: 1 };
  throws(() => page.report.send(), /lines/);
  page.state = {};
  throws(() => page.report.send(), /depth/);
  deepEqual(page.told, []);
});

test("what is told beside the state only now and then may be missing, and may be there", () => {
  page.schema = { depth: {}, open: { optional: true } };
  page.choose(3, 0);
  page.report.send(0, { open: null });
  throws(() => page.report.send(0, { away: true }), /away/);
  deepEqual(page.told, [["state", 1, 3], ["state", 2, 3]]);
});

test("an answer to a neighbour turns nothing back in the picture that followed it", () => {
  const other = new Picture();
  other.hears(0, 0);
  page.choose(1, 0);
  other.report.follows(page.report);
  other.state = { depth: 1 };
  page.choose(3, 0);
  other.report.follows(page.report);
  other.state = { depth: 3 };
  equal(other.hears(0, 1), false); // the answer to the first choice
  equal(other.hears(0, 7), false); // a link, which the page has followed since
  equal(other.state.depth, 3);
  equal(page.hears(2, 7), true); // now it has heard both
  pass(300);
  equal(other.state.depth, 7);
});

test("an answer to a neighbour undoes no choice of one's own that is about to be told", () => {
  const other = new Picture();
  other.hears(0, 0);
  page.choose(1, 0);
  other.report.follows(page.report);
  other.choose(2);
  page.hears(1, 1);
  equal(other.hears(0, 1), false);
  pass(REST);
  deepEqual(other.told, [["state", 1, 2]]);
});
