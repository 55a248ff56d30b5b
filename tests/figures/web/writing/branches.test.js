import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { look, meetings, near, night, partsOf } from "../support.js";
import { MOST_ROWS, THICK, branchesPlan, nextNode, rowsOf, thickness, treeOf } from "../../../../core/figures/web/src/writing/branchesplan.js";

//  0 ─ 1 ─ 2 ─ 3      row 0, if nothing is chosen
//    │   └ 6 ─ 7      row 1
//    ├ 4 ─ 5          row 2: in row 1 it would meet 6
//    └ 8              row 3
const PARENTS = [-1, 0, 1, 2, 0, 4, 1, 6, 0], CHANCES = [1, 0.9, 0.5, 0.25, 0.05, 0.3, 0.2, 0.7, 0];
const VIEW = { left: 0, top: 0, reveal: null };

function planOf({ parents = PARENTS, values = CHANCES, width = 600, page = look, view = VIEW, room = Infinity, whole = false, chosen = null, left = false, labels } = {}) {
  const header = { labels: labels ?? parents.map((_, i) => `␣t${i}`), parents, left, hue: [222, 46, 130], chosen, height: 200 };
  return branchesPlan({ header, values: Float32Array.from(values), width }, treeOf(parents, chosen), page, view, room, whole);
}
const extent = (path) => {
  const [x, y, wide, high] = path.match(/^M(\S+) (\S+)h(\S+)v(\S+)h/).slice(1).map(Number);
  return { x, y, wide, high };
};

test("tokens without a fork between them share a row, and each other continuation has its own", () => {
  const plan = planOf();
  deepEqual([plan.row, plan.rows], [[0, 0, 0, 0, 2, 2, 1, 1, 3], 4]);
  deepEqual(planOf({ parents: [-1, -1, 0], values: [1, 1, 1] }).row, [0, 1, 0]);
});

test("the chosen path is the first row", () => {
  deepEqual(planOf({ chosen: 7 }).row, [0, 0, 1, 1, 2, 2, 0, 0, 3]);
  deepEqual(planOf({ parents: [-1, -1, 0], values: [1, 1, 1], chosen: 1 }).row, [1, 0, 1]);
});

test("a row has room for several continuations, and no line leads through a token", () => {
  const chain = Array.from({ length: 20 }, (_, i) => i - 1), parents = [...chain, 0, 0, 5, 5, 10, 15];
  const plan = planOf({ parents, values: parents.map(() => 0.5), whole: true, width: 900 });
  equal(plan.rows, 3);
  deepEqual(plan.row.slice(0, 20), Array(20).fill(0));
  for (const seed of [3, 7, 11, 23]) {
    const wild = Array.from({ length: 150 }, (_, i) => (i ? Math.max(0, i - 1 - ((i * i * seed) % 9)) : -1));
    const drawn = planOf({ parents: wild, values: wild.map(() => 0.5), whole: true, width: 900, chosen: 149 });
    deepEqual(meetings(drawn.shapes), []);
    const boxes = wild.map((_, i) => drawn.box(i)), ends = new Set(wild.filter((parent, i) => wild.indexOf(parent) !== i));
    for (const i of wild.keys()) {
      if (!ends.has(wild[i]) || wild[i] < 0) continue;
      const [px, , long] = boxes[wild[i]], left = px + long, right = boxes[i][0];
      const between = boxes.filter((_, k) => drawn.row[k] > drawn.row[wild[i]] && drawn.row[k] < drawn.row[i]);
      ok(between.every(([x, , wide]) => x + wide <= left + 0.01 || x >= right - 0.01), `${seed} ${i}`);
    }
  }
});

for (const [width, page] of [[390, night], [900, look]]) {
  test(`a line is as wide as its token's probability, at ${width} pixels`, () => {
    const plan = planOf({ width, page, chosen: 3, whole: true }), lines = new Map(partsOf(plan.shapes, "line").map((shape) => [shape.of, extent(shape.path)]));
    equal(lines.size, 9);
    const size = 1.1 * page.size;
    for (const [i, { x, wide, high }] of lines) {
      near(high, Math.max(0.75, CHANCES[i] * THICK * size), 0.01);
      near([x, wide], [plan.box(i)[0], plan.box(i)[2]], 0.01);
    }
    near(thickness(0.5, size) / thickness(1, size), 0.5);
    for (const [i, parent] of PARENTS.entries()) if (parent >= 0) ok(lines.get(i).x >= lines.get(parent).x + lines.get(parent).wide);
    deepEqual(partsOf(plan.shapes, "fork").map(({ of }) => of).sort((a, b) => a - b), [1, 2, 4, 6, 8]);
    for (const { of, path } of partsOf(plan.shapes, "fork")) {
      const [, x0, y0] = path.match(/^M(\S+) (\S+)C/).map(Number), parent = lines.get(PARENTS[of]), end = path.match(/C\S+ \S+ \S+ \S+ (\S+) (\S+?)L/).slice(1).map(Number);
      near([x0, y0 + lines.get(of).high / 2], [parent.x + parent.wide, parent.y + parent.high / 2], 0.02);
      near([end[0], end[1]], [lines.get(of).x, lines.get(of).y], 0.02);
    }
    deepEqual(meetings(plan.shapes), []);
  });
}

test("the chosen path is bold, its end is framed, and the legend says so", () => {
  const plan = planOf({ chosen: 7 }), bold = partsOf(plan.shapes, "node").filter((one) => one.bold).map(({ of }) => of);
  deepEqual(bold.sort((a, b) => a - b), [0, 1, 6, 7]);
  deepEqual(partsOf(plan.shapes, "chosen").map(({ of }) => of), [7]);
  const said = (of) => partsOf(of.shapes, "note").map(({ text }) => text).join(" ");
  ok(said(plan).includes("bold") && !said(planOf()).includes("bold"));
  ok(partsOf(planOf().shapes, "node").every((one) => !one.bold));
});

test("a tree from right to left is the mirror image", () => {
  const one = planOf({ chosen: 7 }), other = planOf({ chosen: 7, left: true });
  for (const i of PARENTS.keys()) near(other.box(i)[0], 600 - one.box(i)[0] - one.box(i)[2]);
});

test("keys go on, back, and to the other continuations of a fork", () => {
  const walk = (chosen, left, from, ...keys) => keys.reduce((here, key) => nextNode(treeOf(PARENTS, chosen), chosen, here, { key: `Arrow${key}` }, left), from);
  equal(walk(null, false, 0, "Right", "Right", "Right"), 3);
  equal(walk(7, false, 0, "Right", "Right", "Right"), 7); // along the chosen path
  equal(walk(null, false, 3, "Down"), 6); // the fork before it
  equal(walk(null, false, 1, "Down", "Down"), 8);
  equal(walk(null, false, 8, "Up", "Up", "Left"), 0);
  deepEqual([walk(null, false, 0, "Left"), walk(null, false, 3, "Right"), walk(null, false, 8, "Down"), walk(null, false, 0, "Up")], [0, 3, 8, 0]);
  equal(walk(null, true, 0, "Left", "Left", "Right"), 1);
  const tree = treeOf(PARENTS, 7), to = (key, here, chosen = 7) => nextNode(tree, chosen, here, { key }, false);
  deepEqual([to("Home", 5), to("End", 5), to("End", 4, null), to("x", 1), to("Tab", 1)], [0, 7, 5, null, null]);
  equal(nextNode(tree, 7, 1, { key: "ArrowRight", ctrlKey: true }, false), null);
});

test("every node is found at its place", () => {
  for (const left of [false, true]) {
    const plan = planOf({ left });
    for (const i of PARENTS.keys()) {
      const [x, y, wide, high] = plan.box(i);
      equal(plan.at(x + wide / 2, y + high / 2), i);
    }
    equal(plan.at(left ? 5 : 595, 10), null);
    equal(plan.at(300, 5000), null);
  }
});

test("a chain of sixty tokens scrolls sideways, and what is to be seen is seen", () => {
  const parents = Array.from({ length: 60 }, (_, i) => i - 1), values = parents.map(() => 0.5), deep = (more) => planOf({ parents, values, width: 390, ...more });
  const start = deep(), end = deep({ view: { ...VIEW, reveal: 59 } });
  equal(start.rows, 1);
  ok(start.content[0] > 1000 && start.offset[0] === 0 && start.box(0) && !start.box(59));
  const [x, , wide] = end.box(59);
  ok(x >= 0 && x + wide <= 390 && !end.box(0));
  deepEqual(deep({ view: { ...VIEW, left: 1e9 } }).offset[0], end.offset[0]);
  const left = deep({ left: true, view: { ...VIEW, reveal: 0 } });
  ok(left.box(0) && left.offset[0] > 1000);
  equal(partsOf(deep({ whole: true }).shapes, "node").length, 60);
});

test("a tree of three hundred tokens scrolls by whole rows, and nothing is drawn below it", () => {
  const parents = Array.from({ length: 300 }, (_, i) => (i ? Math.floor((i - 1) / 3) : -1)), values = parents.map(() => 0.3);
  const plan = planOf({ parents, values, width: 700 }), later = planOf({ parents, values, width: 700, view: { ...VIEW, top: 20.3 * plan.pitch } });
  equal(plan.shown, MOST_ROWS);
  equal(later.first, 20);
  for (const { shapes, area: [, top, , high] } of [plan, later]) {
    ok(partsOf(shapes, "node").every(({ y }) => y > top && y < top + high));
    const edge = shapes.findIndex(({ part }) => part === "edge");
    ok(edge > shapes.findLastIndex(({ part }) => part === "fork"));
    near(shapes[edge].rect[1], top + high);
    ok(shapes.slice(edge).every(({ part }) => ["edge", "note", "sample", "probability"].includes(part)));
  }
  ok(planOf({ parents, values, room: 200 }).high <= 200);
  ok(planOf({ parents, values, whole: true }).high > 200 * 20);
  equal(planOf({ parents, values, view: { ...VIEW, reveal: 299 } }).box(299) === null, false);
});

test("a long token is cut, and of the text before the tree, the end stays", () => {
  const plan = planOf({ labels: ["a text that is long, and ends here", ...PARENTS.slice(1).map(() => "pneumonoultramicroscopicsilico")] });
  const texts = new Map(partsOf(plan.shapes, "node").map(({ of, text }) => [of, text]));
  ok(texts.get(0).startsWith("…") && texts.get(0).endsWith("ends here"));
  ok(texts.get(1).startsWith("pneumono") && texts.get(1).endsWith("…"));
});

test("a path of a hundred thousand tokens has one row", () => {
  const parents = Array.from({ length: 100_000 }, (_, i) => i - 1);
  equal(rowsOf(treeOf(parents, 99_999), parents.map((_, i) => 20 * i), parents.map(() => 18)).rows, 1);
});
