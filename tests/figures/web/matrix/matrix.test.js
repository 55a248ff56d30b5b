import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { boxOf, look, meetings, near, partsOf } from "../support.js";
import { paletteOf } from "../../../../core/figures/web/src/draw/cells.js";
import { Mask } from "../../../../core/figures/web/src/matrix/masks.js";
import { matrixPlan } from "../../../../core/figures/web/src/matrix/matrixplan.js";

const matrix = (mask, n, m) => {
  const own = new Mask(mask, n, m);
  return Array.from({ length: n }, (_, i) => Array.from({ length: m }, (__, j) => Number(own.hides(i, j))).join(""));
};

test("a mask says what a query may not see: all later keys, all outside a window, or bit by bit", () => {
  deepEqual(matrix({}, 2, 3), ["000", "000"]);
  deepEqual(matrix({ causal: true, mask: null }, 3, 3), ["011", "001", "000"]);
  deepEqual(matrix({ causal: true, mask: null }, 2, 4), ["0001", "0000"]); // the last query sees all keys
  deepEqual(matrix({ causal: false, mask: { from: [0, 0, 1], to: [2, 3, 3] } }, 3, 3), ["001", "000", "100"]);
  deepEqual(matrix({ causal: false, mask: { bits: btoa("\x85\x00") } }, 3, 3), ["101", "000", "010"]);
});

test("a mask's spans are those of the rows and columns that are shown", () => {
  const mask = new Mask({ causal: true, mask: null }, 4, 4);
  deepEqual(mask.spans([0, 2, 3], [3, 0, 1]), [[[0, 1], [2, 3]], [[0, 1]], []]);
  deepEqual(new Mask({}, 4, 4).spans([0], [0, 1]), [[]]);
});

const HUE = [0, 0, 0];
function planOf({ rows, columns, width = 600, height = 400, scale = {}, marked = {}, values = null, page = look, number = {} }, ratio = 1) {
  const full = { kind: "weights", root: false, hue: HUE, title: "weight", notes: [], bound: 1, digits: 2,
    light: [[100, 0, 100], [0, 100, 0]], ...scale };
  const header = { rows, columns, height, scale: full, marked: { rows: [], columns: [], colour: "red", ...marked }, number: { digits: 4, plus: false, ...number } };
  const picture = { header, values: values ?? new Float32Array(rows.length * columns.length), columns: columns.length, width };
  return matrixPlan(picture, page, paletteOf(full, page), ratio);
}
const names = (count, of = "word") => Array.from({ length: count }, (_, i) => `${of}${i}`);

test("large letters shrink a little before any row goes without its name", () => {
  const page = { ...look, size: 26 }, rows = names(11);
  const of = (height) => partsOf(planOf({ rows, columns: names(11), width: 1300, height, page }).shapes, "row");
  const heights = Array.from({ length: 40 }, (_, i) => 300 + 10 * i), all = heights.map(of);
  ok(all.every((labels) => labels.every(({ size }) => size === 26 || (labels.length === 11 && size >= 0.7 * 26))));
  ok(all.some((labels) => labels.length === 11 && labels[0].size < 26));
  ok(all[0].length < 11); // no letter becomes too small for a class
  all.forEach((labels) => deepEqual(meetings(labels), []));
  ok(partsOf(planOf({ rows: names(40), columns: names(40) }).shapes, "row").every(({ size }) => size === look.size));
});

test("where a row is too low for its name, the scale stands beside the rows, and they have its room", () => {
  const page = { ...look, size: 26 }, rows = names(9), of = (height, width = 1212) => planOf({ rows, columns: rows, width, height, page });
  const low = of(360), high = of(560), narrow = of(360, 700);
  equal(partsOf(low.shapes, "row").length, 9);
  ok(low.foot > 0 && low.foot <= 360 && !high.foot && !narrow.foot);
  ok(!planOf({ rows: names(40), columns: rows, width: 1212, height: 360, page }).foot); // so many rows have no names there either
  const [note] = partsOf(low.shapes, "note");
  ok(note.x > low.x + low.width && note.y < low.y + low.height);
  ok(partsOf(high.shapes, "note")[0].y > high.y + high.height);
  deepEqual(meetings(low.shapes), []);
  ok(low.end <= 1212);
});

test("labels stand at the middle of their rows and columns, flat where they fit and slanted else", () => {
  const plan = planOf({ rows: names(3), columns: names(3, "w") });
  partsOf(plan.shapes, "row").forEach((label, i) => near(label.y, plan.y + ((i + 0.5) * plan.height) / 3));
  const columns = partsOf(plan.shapes, "column");
  columns.forEach((label, i) => near(label.x, plan.x + ((i + 0.5) * plan.width) / 3));
  ok(columns.every(({ turn }) => !turn));
  const slanted = partsOf(planOf({ rows: names(14), columns: names(14, "another") }).shapes, "column");
  ok(slanted.length === 14 && slanted.every(({ turn }) => turn === -60));
});

test("a few long texts have their numbers above, and so each cell has the room to say its own number", () => {
  const rows = ["She withdrew money from the bank.", "He paid the cash into his account.", "They went fishing on the river bank."];
  const values = new Float32Array(9).fill(0.57);
  const plan = planOf({ rows, columns: rows, width: 300, height: 220, values });
  deepEqual(partsOf(plan.shapes, "column").map(({ text }) => text), ["1", "2", "3"]);
  ok(partsOf(plan.shapes, "row").every(({ text }, i) => text.startsWith(`${i + 1} ${rows[i].slice(0, 8)}`)));
  equal(plan.shapes.filter(({ text }) => text === "0.57").length, 9);
  const words = planOf({ rows: names(3), columns: names(3), width: 300 }); // short ones stay what they are
  deepEqual(partsOf(words.shapes, "column").map(({ text }) => text), names(3));
});

for (const count of [1, 14, 64, 128, 512]) {
  for (const width of [390, 1440]) {
    test(`${count} × ${count} labels keep clear of each other and inside ${width} pixels`, () => {
      const marked = count > 11 ? { rows: [3, count - 4], columns: [3, count - 4] } : {};
      const plan = planOf({ rows: names(count), columns: names(count), width, height: 640, marked });
      const rows = partsOf(plan.shapes, "row"), columns = partsOf(plan.shapes, "column");
      ok(rows.length && columns.length);
      rows.slice(1).forEach((label, i) => ok(label.y - rows[i].y >= 0.95 * label.size));
      columns.slice(1).forEach((label, i) => ok(label.turn
        ? (label.x - columns[i].x) * Math.sin(Math.PI / 3) >= 0.95 * label.size : boxOf(label)[0] > boxOf(columns[i])[2]));
      ok(rows.every((label) => boxOf(label)[0] >= -1 && boxOf(label)[2] <= plan.x));
      for (const label of columns.filter(({ turn }) => turn)) {
        const [left, , right] = boxOf(label);
        ok(label.x + (right - left) * Math.cos(Math.PI / 3) <= width + 1);
        ok(label.y - (right - left) * Math.sin(Math.PI / 3) >= -3);
      }
      ok(plan.x + plan.width <= width && plan.y + plan.height <= 640);
      deepEqual(meetings(plan.shapes.filter(({ part }) => part !== "row")), []);
      if (count > 11) deepEqual(rows.filter(({ bold }) => bold).map(({ text }) => text), ["word3", `word${count - 4}`]);
    });
  }
}

test("marked rows are framed as runs, and marked columns only where they are asked for", () => {
  const of = (marked) => planOf({ rows: names(6), columns: names(6), marked });
  const frames = ({ shapes }) => shapes.filter(({ rect, stroke }) => rect && stroke === "red");
  const plan = of({ rows: [1, 2, 4], columns: [2] }), step = plan.height / 6;
  near(frames(plan).map(({ rect: [x, y, wide, high] }) => [x, y, wide, high]), [
    [plan.x - 1, plan.y + step - 1, plan.width + 1.5, 2 * step + 1.5], [plan.x - 1, plan.y + 4 * step - 1, plan.width + 1.5, step + 1.5],
  ]);
  equal(partsOf(of({ rows: [1], columns: [2], framed: true }).shapes, "column frame").length, 1);
});

test("beside thin rows, the name of the only marked one stands on the right and hides no other", () => {
  const many = Array.from({ length: 200 }, (_, i) => String(i));
  const of = (rows) => {
    const plan = planOf({ rows: many, columns: many, marked: { rows } });
    return { plan, labels: partsOf(plan.shapes, "row") };
  };
  const plain = of([]).labels.map(({ text }) => text);
  const { plan, labels } = of([127]), [marked] = labels.filter(({ bold }) => bold);
  deepEqual(labels.filter(({ bold }) => !bold).map(({ text }) => text), plain);
  equal(marked.text, "127");
  ok(marked.x > plan.x + plan.width);
  ok(boxOf(marked)[2] <= 600);
  deepEqual(meetings(plan.shapes), []);
  // Two of them keep their place on the left.
  ok(of([50, 120]).labels.every(({ x }) => x < plan.x));
});

test("each larger number of a signed matrix has its sign", () => {
  const values = new Float32Array(38), scale = { kind: "signed" };
  values.set([1, -1, 0.05]);
  values[20] = -0.5; // the second of its row
  const plan = planOf({ rows: names(2), columns: names(19), scale, values });
  const signs = plan.shapes.filter(({ text }) => text === "+" || text === "−").filter(({ y }) => y < plan.y + plan.height);
  near(signs.map(({ x, y }) => [Math.round(190 * (x - plan.x) / plan.width) / 10, (y - plan.y) / plan.height]), [[0.5, 0.25], [1.5, 0.25], [1.5, 0.75]]);
  deepEqual(signs.map(({ text }) => text), ["+", "−", "−"]);
});

test("of many cells, a marked row has its numbers, and the others of a signed matrix their signs", () => {
  const values = Float32Array.from({ length: 81 }, (_, i) => i / 100);
  const texts = (plan) => plan.shapes.filter(({ text, part }) => part === undefined && /^[−+]?\d\.\d\d$|^[−+]$/.test(text ?? "")).map(({ text }) => text);
  const of = (more) => texts(planOf({ rows: names(9), columns: names(9), values, marked: { rows: [2] }, ...more }));
  const row = Array.from({ length: 9 }, (_, i) => ((18 + i) / 100).toFixed(2));
  const plain = of({}).slice(0, 9);
  deepEqual(plain, row);
  const signed = of({ scale: { kind: "signed" } });
  deepEqual(signed.filter((text) => text.length > 1), row);
  ok(signed.includes("+"));
  ok(!of({ width: 200 }).includes(row[1])); // there is no room
});

test("where the cells are few and have room, each says its number, and a missing one says nothing", () => {
  const values = Float32Array.of(1, -1, 0.05, NaN), rows = names(2);
  const inside = (asked) => {
    const plan = planOf({ rows, columns: rows, values, ...asked });
    return plan.shapes.filter(({ text, x, y }) => text && x > plan.x && y > plan.y && y < plan.y + plan.height).map(({ text }) => text);
  };
  deepEqual(inside({ scale: { kind: "signed" } }), ["1.00", "−1.00", "0.05"]);
  deepEqual(inside({}), ["1.00", "−1.00", "0.05"]);
  deepEqual(inside({ width: 90 }), []); // no room for all: none
});

test("how many cells share a dot is said, and for a file that is exact it is not", () => {
  const asked = { rows: names(512), columns: names(512), width: 390, height: 640 };
  const note = (ratio) => partsOf(planOf(asked, ratio).shapes, "note").map(({ text }) => text).filter((text) => text.startsWith("each dot"));
  deepEqual(note(1), ["each dot is the strongest of 1×2 cells"]);
  deepEqual(note(Infinity), []);
});

test("cells say their numbers from a least one on; where they are too narrow, one for neighbours that are alike", () => {
  const row = [...Array(14).fill(100), 96, 91, 84, 50, 20, 9, ...Array(11).fill(0)], other = row.map((value, i) => (i < 20 ? -6 : 30 + i));
  const of = (width) => planOf({
    rows: ["hot / big", "is"], columns: row.map((_, i) => String(i)), width, height: 140, values: Float32Array.from([...row, ...other]),
    scale: { kind: "signed", bound: 100 }, number: { least: 10 },
  }).shapes;
  const texts = (shapes) => shapes.filter(({ text, part }) => text !== undefined && !part).map(({ text }) => text);
  const wide = texts(of(940)).slice(0, 30);
  deepEqual(wide.slice(0, 19), row.slice(0, 19).map(String));
  ok(!wide.includes("9") && !wide.includes("−6") && !wide.includes("+"));
  const narrow = of(358), said = texts(narrow).slice(0, -3); // less those of the scale
  ok(said.includes("91–100"), said.join());
  ok(!said.includes("100") && said.some((text) => text.startsWith("50–")), said.join());
  ok(partsOf(narrow, "column").every(({ turn }) => !turn), "numbers in a row do not slant");
});
