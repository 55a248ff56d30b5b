import { test } from "node:test";
import { deepEqual, equal, notDeepEqual, ok } from "node:assert/strict";
import { boxOf, cornersOf, look, meetings, near, night, partsOf } from "../support.js";
import { alonePaths, contributionText, sideCaption, positionText, longestLine, depthCaption, depthNames, sumOf } from "../../../../core/figures/web/src/trajectory/captions.js";
import { heightOf, movedApart, shadeOf, trajectoryPlan } from "../../../../core/figures/web/src/trajectory/plan.js";
import { sentenceShapes, sharesOf, underlineOf } from "../../../../core/figures/web/src/trajectory/sentences.js";
import { Trajectory } from "../../../../core/figures/web/src/trajectory/trajectory.js";

globalThis.innerHeight = 900;
const LAYERS = 4, ALONE = [0, 0.125, -0.125, 0.25];
const adds = (parts, rest = 0) => ({ parts: Array(LAYERS).fill(parts), otherParts: Array(LAYERS).fill(rest), lines: ["first", "the longest line", "third", "fourth"], sums: ["s1", "s2", "s3", "s4"] });
const DATA = {
  id: "", layers: LAYERS, ends: { low: "money", high: "river" }, maxima: [0.5, 0.5, 0.25, 0.5], awaitsContributions: false, why: "", learned: "grey", parts: "rest: constants",
  signed: { light: [[100, 0, 100], [0, 100, 0]], dark: [[200, 0, 200], [0, 200, 0]] },
  sides: [
    { name: "A", word: "bank", colour: "blue", mark: "●", shape: "circle", parts: ["on", " ", "bank"], chosen: 2, position: [0.25, 0.5, 0.5, 1], alone: ALONE, adds: adds([0.5, null, 0.25]) },
    { name: "B", word: "bank", colour: "orange", mark: "■", shape: "square", parts: ["bank", " ", "lends"], chosen: 0, position: [-0.25, -0.25, -0.75, -0.5], alone: ALONE, adds: adds([-0.125, null, -0.5]) },
  ],
  map: {
    sides: [[0.1, 0.2, 0.3, 0.4], [-0.1, -0.2, -0.3, -0.4]],
    points: [{ name: "p", high: true, along: [1, 2, 3, 3], across: [0.5, 0.5, 0.5, 0.25] }, { name: "q", high: false, along: [-1, -2, -3, -3], across: [0, 0, 0, -0.5] }],
  },
};
const planOf = (at, { width = 1000, data = DATA, page = look } = {}) => trajectoryPlan(data, page, { at, width, top: 50 });
const middle = ({ path }) => { // of a mark: a circle begins at its left end
  const [, x, y, r] = path.match(/^M(\S+) (\S+)a(\S+)/)?.map(Number) ?? [];
  if (r) return [x + r, y];
  const corners = cornersOf(path.replace("z", ""));
  return [0, 1].map((axis) => (Math.max(...corners.map((one) => one[axis])) + Math.min(...corners.map((one) => one[axis]))) / 2);
};
/** Where a number stands, by the lines at +1 and 0 (of the path first, of the map then). */
function heightIn(plan, map = false) {
  const [one, zero] = partsOf(plan.shapes, "guide").slice(map ? 3 : 0).map(({ path }) => cornersOf(path)[0][1]);
  return (value) => zero + value * (one - zero);
}

for (const width of [390, 1440]) {
  for (const depth of [1, 2, 4]) {
    test(`after layer ${depth} the words stand where their positions say, in path and map, at ${width} pixels`, () => {
      const plan = planOf(depth, { width }), y = heightIn(plan), marks = partsOf(plan.shapes, "mark");
      deepEqual(marks.map(({ of, fill }) => [of, fill]), [[0, "blue"], [1, "orange"]]);
      near(marks.map((mark) => middle(mark)[1]), DATA.sides.map(({ position }) => y(position[depth - 1])), 0.02);
      near(middle(marks[0])[0], middle(marks[1])[0], 0.02);
      const tick = partsOf(plan.shapes, "tick").find(({ text }) => text === String(depth));
      near(middle(marks[0])[0], tick.x, 0.02);
      deepEqual(partsOf(plan.shapes, "name").map(({ text }) => text), DATA.sides.map(({ name }, i) => `${name} ${positionText(DATA, i, depth)}`));
      const points = partsOf(plan.shapes, "frame"), own = heightIn(plan, true), all = [...partsOf(plan.shapes, "mapmark"), ...points].map(middle);
      near(points.map((point) => middle(point)[1]), DATA.map.points.map(({ along }) => own(along[depth - 1])), 0.3);
      const across = [...DATA.map.sides, ...DATA.map.points.map((point) => point.across)].map((row) => row[depth - 1]);
      const slope = (all[0][0] - all[1][0]) / (across[0] - across[1]);
      ok(slope > 0);
      all.forEach(([x], i) => near(x - all[0][0], slope * (across[i] - across[0]), 0.05));
    });
  }
}

test("the marks and names of ends that a model guessed are fainter, and the picture says so", () => {
  const [own, guessed] = [DATA, { ...DATA, guessed: true }].map((data) => planOf(4, { data }).shapes);
  const fills = (shapes, part) => partsOf(shapes, part).map(({ fill, bold }) => [fill, bold ?? false]);
  notDeepEqual(fills(own, "frame"), fills(guessed, "frame"));
  deepEqual(fills(own, "end"), [[look.ink, true], [look.ink, true]]);
  deepEqual(fills(guessed, "end"), [[look.muted, false], [look.muted, false]]);
  deepEqual([own, guessed].map((shapes) => partsOf(shapes, "mapabout").some(({ text }) => text.includes("guess"))), [false, true]);
});

test("before the first layer there is one hollow point, without a number", () => {
  const plan = planOf(0), [ring] = partsOf(plan.shapes, "learned");
  deepEqual([partsOf(plan.shapes, "mark"), partsOf(plan.shapes, "name"), partsOf(plan.shapes, "line")], [[], [], []]);
  deepEqual([ring.stroke, ring.fill], ["grey", look.paper]);
  const points = partsOf(plan.shapes, "frame").map((point) => middle(point)[0]);
  near(points[0], points[1]); // all are one vector
  const starts = partsOf(planOf(1).shapes, "start").map(({ path }) => cornersOf(path)[0]);
  deepEqual(starts[0], starts[1]); // two lines part from one point
  near(starts[0], middle(ring), 0.02);
});

test("between two layers the words stand between their positions, and the path ends there", () => {
  const plan = planOf(2.5), y = heightIn(plan), marks = partsOf(plan.shapes, "mark").map(middle);
  near(marks.map(([, height]) => height), [y(0.5), y(-0.5)], 0.02);
  const [line] = partsOf(plan.shapes, "line");
  near(cornersOf(line.path).at(-1), marks[0], 0.02);
  deepEqual(plan.marks.filter(({ side }) => side !== undefined).map(({ side, depth }) => [side, depth]), [[0, 1], [0, 2], [1, 1], [1, 2], [0, 0]]);
});

test("the names of words that are close stand apart, in the order of their positions", () => {
  const sides = DATA.sides.map((side, i) => ({ ...side, position: Array(LAYERS).fill(i ? 0.52 : 0.5) }));
  const names = partsOf(planOf(2, { data: { ...DATA, sides } }).shapes, "name");
  near(Math.abs(names[0].y - names[1].y), 12.5, 1e-6);
  ok(names[1].y < names[0].y);
});

for (const width of [320, 390, 700, 1440]) {
  test(`texts keep clear of each other and inside ${width} pixels`, () => {
    const plan = planOf(4, { width }), parts = ["end", "tick", "title", "origin", "maptitle", "mapabout", "across", "keytext"];
    const texts = plan.shapes.filter(({ part }) => parts.includes(part));
    deepEqual(meetings(texts), []);
    const bottom = 50 + heightOf(DATA, look, width);
    for (const shape of texts) {
      const [left, , right, low] = boxOf(shape);
      ok(left >= -1 && right <= width + 1 && low <= bottom + 1, `${shape.text} ${[left, right, low, bottom]}`);
    }
  });
}

for (const width of [390, 1440]) {
  test(`in front of a class, the picture takes all of the room, at ${width} pixels`, () => {
    for (const most of [480, 700]) near(heightOf(DATA, look, width, most), most, 1e-6);
  });

  test(`the limits of what is not clear are printed at the edges of its band, at ${width} pixels`, () => {
    for (const unclear of [0.4, 0.02]) {
      const far = DATA.sides.map((side) => ({ ...side, position: side.position.map((one) => 2.5 * Math.sign(one)), alone: Array(LAYERS).fill(0) }));
      const plan = planOf(4, { width, data: { ...DATA, sides: far, unclear } }), y = heightIn(plan), all = partsOf(plan.shapes, "unclear");
      const band = all.find(({ rect }) => rect), said = all.filter(({ text }) => text && /\d/.test(text));
      near([band.rect[1], band.rect[1] + band.rect[3]], [y(unclear), y(-unclear)], 0.02);
      deepEqual(said.map(({ text }) => text), [`${unclear.toFixed(2)}`, `−${unclear.toFixed(2)}`]);
      if (unclear > 0.1) near(said.map((one) => one.y), [y(unclear), y(-unclear)], 0.02);
      ok(said[1].y - said[0].y >= said[0].size); // a narrow band keeps them apart
    }
    deepEqual(partsOf(planOf(4, { width, data: { ...DATA, unclear: 0 } }).shapes, "unclear"), []);
  });
}

/** How near a path comes to the middle of a text, in pixels, along the text's width. */
function nearest(plan, { text, x, y }) {
  const line = partsOf(plan.shapes, "alone").map(({ path }) => cornersOf(path))[0], wide = 0.55 * look.size * text.length;
  return Math.min(...line.slice(1).flatMap(([x2, y2], i) => {
    const [x1, y1] = line[i];
    return [0, 0.5, 1].map((share) => x - share * wide).filter((at) => at >= x1 && at <= x2)
      .map((at) => Math.abs(y1 + ((y2 - y1) * (at - x1)) / (x2 - x1) - y));
  }));
}

test("no path runs through the numbers of the band, wherever the word stands alone", () => {
  for (const at of [-0.45, -0.4, -0.3, -0.21, 0, 0.35, 0.4, 0.5]) {
    const sides = DATA.sides.map((side) => ({ ...side, position: side.position.map((one) => 1.1 * Math.sign(one)), alone: Array(LAYERS).fill(at) }));
    const plan = planOf(4, { data: { ...DATA, sides, unclear: 0.4 } });
    for (const one of partsOf(plan.shapes, "unclear").filter(({ text }) => /0.40/.test(text ?? ""))) {
      ok(nearest(plan, one) > 0.6 * one.size, `${one.text} at ${at}: ${nearest(plan, one)}`);
    }
  }
});

test("no path runs through the name of the band, wherever the word stands alone", () => {
  for (const unclear of [0.4, 0.65, 0.95]) for (const at of [-0.5, -0.25, -0.05, 0, 0.05, 0.25, 0.5]) {
    const sides = DATA.sides.map((side) => ({ ...side, position: side.position.map((one) => 1.4 * Math.sign(one)), alone: Array(LAYERS).fill(at) }));
    const plan = planOf(4, { data: { ...DATA, sides, unclear } }), names = partsOf(plan.shapes, "unclear").filter(({ text }) => text?.startsWith("not clear"));
    equal(names.length, 1, `${unclear}, alone at ${at}`);
    ok(nearest(plan, names[0]) > 0.6 * names[0].size, `${unclear}, alone at ${at}: ${nearest(plan, names[0])}`);
    deepEqual(meetings(partsOf(plan.shapes, "unclear").filter(({ text }) => text)), []);
  }
});

test("the ends have their numbers beside their names, and the middle its 0, whatever room a name takes", () => {
  for (const width of [320, 390, 1440]) for (const low of ["money", "commemorate, ceremony, observation", "الضفة"]) {
    const plan = planOf(4, { width, data: { ...DATA, ends: { low, high: "river" } } });
    const numbers = partsOf(plan.shapes, "endnumber"), names = partsOf(plan.shapes, "end");
    deepEqual([...new Set(numbers.map(({ text }) => text))], ["+1", "−1"]);
    deepEqual(meetings([...numbers, ...names, ...partsOf(plan.shapes, "middle")]), []);
    equal(partsOf(plan.shapes, "middle")[0].text, "0");
    [...numbers, ...names].forEach((one) => ok(boxOf(one)[0] >= -1, `${one.text} ${boxOf(one)}`));
  }
});

test("in front of a class, where paths leave little room, the band is named beyond one number", () => {
  const position = [1.8, 1.3, 1.2, 1.14], below = position.map((one) => -0.8 * one), alone = [-0.4, -0.3, -0.33, -0.21];
  const sides = DATA.sides.map((side, i) => ({ ...side, position: i ? below : position, alone }));
  const page = { ...look, size: 26 };
  const plan = trajectoryPlan({ ...DATA, sides, unclear: 0.4 }, page, { at: 4, width: 1360, top: 50, most: 420 });
  const said = partsOf(plan.shapes, "unclear").filter(({ text }) => text);
  ok(said.some(({ text }) => text.startsWith("not clear")), JSON.stringify(said));
  ok(said.some(({ text }) => text.includes("0.40")));
  deepEqual(meetings(said), []);
});

test("an underline is as thick as what its word adds, and has the colour of its end", () => {
  const thick = (value, depth = 1) => underlineOf(DATA, value, depth, look)?.thick ?? null;
  near([thick(0.5), thick(-0.25)], [6.25, 3.125]);
  equal(thick(0.02), 1.5); // so thin that it can still be seen
  deepEqual([thick(0.009), thick(0), thick(null)], [null, null, null]);
  near(thick(0.125, 3), 3.125); // of the most of its own layer
  deepEqual(shadeOf(DATA, look, 0.5, 1), [0, 100, 0]);
  deepEqual(shadeOf(DATA, night, -0.5, 1), [200, 0, 200]);
  for (const page of [look, night]) {
    const [red, green] = shadeOf(DATA, page, 0.1, 1);
    ok(green > red);
    const [more, less] = shadeOf(DATA, page, -0.1, 1);
    ok(more > less);
  }
});

test("the key of the underlines names the end of each colour", () => {
  const plan = planOf(1), said = partsOf(plan.shapes, "keytext").map(({ text }) => text), keys = partsOf(plan.shapes, "key");
  deepEqual(said, ["moved towards", "river", "money"]);
  deepEqual(keys.map(({ fill }) => fill), [[0, 100, 0], [100, 0, 100]]);
  deepEqual(partsOf(planOf(1, { width: 320 }).shapes, "keytext").map(({ text }) => text).slice(1), ["river", "money"]);
  const bare = { ...DATA, sides: DATA.sides.map((side) => ({ ...side, adds: null })) };
  deepEqual([partsOf(planOf(0).shapes, "keytext"), partsOf(planOf(2, { data: bare }).shapes, "keytext")], [[], []]);
  const alone = trajectoryPlan(DATA, look, { at: 2, width: 1000, top: 50, underlined: false }); // no sentence, no underlines
  deepEqual([...partsOf(alone.shapes, "keytext"), ...partsOf(alone.shapes, "key")], []);
});

test("the bar below a sentence is what moved the word, in shares on one scale, as long in a file", () => {
  const sides = [{ ...DATA.sides[0], adds: adds([0.5, null, 0.25], -0.25) }, DATA.sides[1]], data = { ...DATA, sides };
  const [a, b] = sides.map((side) => sharesOf(data, side, 2, look)), fills = a.map(({ fill }) => fill);
  near(a.map(({ part }) => part), [0.5, 0.25, 0.25], 1e-6); // of 0.5 + 0.25 + 0.25; A moves more than B
  near(b.map(({ part }) => part), [0.5, 0.125, 0], 1e-6);
  deepEqual(fills[0], fills[1]);
  notDeepEqual(fills[2], fills[0]); // towards the other end
  notDeepEqual(b[0].fill, fills[0]);
  const bare = { ...sides[0], adds: null };
  deepEqual([sharesOf(data, sides[0], 0, look), sharesOf({ ...data, sides: [bare] }, bare, 2, look)], [[], []]);
  const drawn = sentenceShapes(data, look, { depth: 2, width: 1000 }).shapes.filter(({ rect }) => rect?.[3] > look.size);
  near(drawn.map(({ rect }) => rect[2] + 1), [...a, ...b].map(({ part }) => Math.max(1, part * 486)), 1e-6);
});

test("after the layer of the verdict a dotted line says where the word goes, beside names at the edge", () => {
  const data = { ...DATA, judged: 2, close: [1, 2] }, parts = (at, part, of = data) => partsOf(planOf(at, { data: of }).shapes, part);
  deepEqual([parts(1, "later").length, parts(2, "later").length, parts(2, "later", DATA).length], [0, 2, 0]);
  const y = heightIn(planOf(2, { data }));
  near(cornersOf(parts(2, "later")[0].path).map(([, v]) => v), [y(0.5), y(1)], 0.02);
  deepEqual(parts(4, "later"), []);
  equal(cornersOf(parts(4, "start", DATA)[0].path).length, 2);
  const [name] = parts(2, "name"), [last] = parts(4, "name", DATA), [before] = parts(1, "name");
  near([name.x], [last.x], 1e-6); // nothing hides the dotted line
  ok(before.x < name.x);
});

test("where the two ends hardly differ, no path is drawn; after that each has its own colour", () => {
  const data = { ...DATA, close: [1, 2] }, colours = (part, of) => new Set(partsOf(planOf(4, { data: of }).shapes, part).map(({ stroke }) => String(stroke)));
  equal(colours("start", data).size, 0);
  deepEqual([...colours("line", data)], ["blue", "orange"]);
  deepEqual([[...colours("alone", data)], [...colours("start", DATA)]], [["grey"], ["blue", "orange"]]);
  const dots = partsOf(planOf(4, { data }).shapes, "dot").filter(({ of }) => of === 0).map(({ fill }) => String(fill));
  deepEqual(dots, ["blue"]);
  deepEqual([1, 2].flatMap((at) => partsOf(planOf(at, { data }).shapes, "line")), []);
  equal(partsOf(planOf(1, { data }).shapes, "mark").length, 2); // the slider still shows each layer
});

test("the circle at which all paths begin is named below it, unless there are two vectors", () => {
  const [origin] = partsOf(planOf(4).shapes, "origin"), [ring] = partsOf(planOf(4).shapes, "learned");
  ok(origin.text.includes("one learned vector"));
  ok(origin.x < middle(ring)[0] && origin.y > middle(ring)[1]);
  deepEqual(partsOf(planOf(4, { data: { ...DATA, two: true } }).shapes, "origin"), []);
});

test("left and right in the map are named, and a file says what the bars are", () => {
  deepEqual(partsOf(planOf(4).shapes, "across").map(({ text }) => text), ["left–right: whatever else differs"]);
  const said = (depth) => sentenceShapes(DATA, look, { depth, width: 1000 }).shapes.filter(({ part }) => part === "note").map(({ text }) => text);
  deepEqual([said(2), said(0)], [["rest: constants"], []]);
});

test("the word alone has a path of its own, one for one word and two for two", () => {
  deepEqual(alonePaths(DATA), [{ name: "alone", word: "bank", position: ALONE }]);
  const two = { ...DATA, sides: DATA.sides.map((side, i) => ({ ...side, word: ["bank", "banks"][i], alone: ALONE.map((v) => v + i) })) };
  deepEqual(alonePaths(two).map(({ name, word, position }) => [name, word, position[3]]), [["A alone", "bank", 0.25], ["B alone", "banks", 1.25]]);
  deepEqual(alonePaths({ sides: [DATA.sides[1]] }).map(({ name }) => name), ["alone"]);
  const plan = planOf(4), y = heightIn(plan), [path] = partsOf(plan.shapes, "alone");
  deepEqual([path.stroke, Boolean(path.dash)], ["grey", true]);
  near(cornersOf(path.path).slice(1).map(([, at]) => at), ALONE.map(y), 0.02);
  near(middle(partsOf(plan.shapes, "alonemark")[0])[1], y(0.25), 0.02);
  deepEqual(partsOf(plan.shapes, "alonename").map(({ text }) => text), ["alone 0.25"]);
  deepEqual(plan.marks.filter(({ alone }) => alone !== undefined).map(({ alone, depth }) => [alone, depth]), [[0, 1], [0, 2], [0, 3], [0, 4]]);
  deepEqual([partsOf(planOf(0).shapes, "alone"), partsOf(planOf(4, { data: two }).shapes, "alonename").map(({ text }) => text)],
    [[], ["A alone 0.25", "B alone 1.25"]]);
});

test("names that are close move apart in their order, and none leaves its room", () => {
  deepEqual(movedApart([10, 50, 90], 10, [0, 100]), [10, 50, 90]);
  deepEqual(movedApart([50, 51, 49], 10, [0, 100]), [50, 60, 40]);
  deepEqual(movedApart([98, 99, 20], 10, [0, 100]), [90, 100, 20]);
  deepEqual(movedApart([1, 2, 12], 10, [0, 100]), [0, 10, 20]);
  deepEqual(movedApart([5, 5], 10, [0, 100]), [0, 10]); // equal ones in the order of their names
});

test("a layer is read with both positions and the end that each leads to", () => {
  deepEqual(depthNames(DATA), ["learned vector", "layer 1 of 4", "layer 2 of 4", "layer 3 of 4", "layer 4 of 4"]);
  equal(depthCaption(DATA, 2), "After layer 2: bank in A at 0.50, on the side of river; bank in B at −0.25, on the side of money; bank alone at 0.12.");
  ok(/learned vector/.test(depthCaption(DATA, 0)));
  equal(positionText(DATA, 0, 0), "no position yet");
  equal(positionText(DATA, 1, 3, 4), "−0.7500");
});

test("what a word adds is read with its sign and its end", () => {
  equal(contributionText(DATA, -0.25), "adds −0.2500, towards money");
  equal(contributionText(DATA, 0.25), "adds +0.2500, towards river");
  ok(!contributionText(DATA, 0.00001).includes("towards"));
  ok(!contributionText(DATA, null).includes("adds"));
});

test("under a sentence stands its line of the layer; until that has come a sign, or why there is none", () => {
  const [side] = DATA.sides, bare = { ...side, adds: null };
  deepEqual([sideCaption(DATA, side, 2), sumOf(side, 2), sumOf(side, 0)], ["the longest line", "s2", ""]);
  equal(sideCaption({ ...DATA, awaitsContributions: true }, bare, 2), "…");
  equal(sideCaption({ ...DATA, whyNone: "It runs elsewhere." }, bare, 2), "It runs elsewhere.");
  ok(sideCaption(DATA, side, 0).includes("One learned vector"));
  const two = { ...DATA, two: true }; // a word that begins a text is another token to a decoder
  ok(sideCaption(two, side, 0).includes("a learned vector of its own"));
  ok(depthCaption(two, 0).includes("another token than in A"));
  equal(partsOf(trajectoryPlan(two, look, { at: 0, depth: 0, width: 1000, top: 50 }).shapes, "maptitle")[0].text, "no axis yet");
  deepEqual([longestLine(side), longestLine(bare)], ["the longest line", ""]); // none of the picture jumps
});

test("while it moves, map and legend name the layer that the slider names", () => {
  const at = (place, depth) => trajectoryPlan(DATA, look, { at: place, depth, width: 1000, top: 50 });
  for (const [place, depth] of [[0.1, 0], [0.9, 0], [1.2, 1], [1.9, 1], [3.999, 3], [4, 4]]) {
    const plan = at(place, depth), [{ text }] = partsOf(plan.shapes, "maptitle");
    equal(text, depth ? `map of layer ${depth}` : "all one vector");
    equal(partsOf(plan.shapes, "keytext").length > 0, depth > 0);
  }
});

test("a picture that goes says that its layer is gone, and nothing if its numbers never came", () => {
  const gone = (fields) => {
    const heard = [], ended = [], abort = () => ended.push("ended");
    globalThis.document = { dispatchEvent: ({ detail }) => heard.push(detail) };
    Object.assign(Object.create(Trajectory.prototype), {
      told: NaN, motion: { stop: abort }, waiting: { abort }, life: { abort }, sized: { disconnect: abort }, host: { remove: abort }, ...fields,
    }).remove();
    equal(ended.length, 5);
    return heard;
  };
  deepEqual(gone({}), []);
  deepEqual(gone({ header: DATA, told: 2 }), [{ layer: NaN, layers: LAYERS }]);
});

test("the names of the ends keep apart where a path goes far beyond them", () => {
  const sides = DATA.sides.map((side) => ({ ...side, position: side.position.map(() => -60) }));
  const ends = planOf(4, { data: { ...DATA, sides } }).shapes.filter(({ part }) => part === "end");
  const [high, low] = ends.map(({ y }) => y);
  ok(low - high > 2 * look.size);
});
