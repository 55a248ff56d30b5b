import { test } from "node:test";
import { deepEqual, equal, ok } from "node:assert/strict";
import { boxOf, look, meetings, near, night, partsOf } from "../support.js";
import { probabilities, shaped } from "../../../../core/figures/web/src/derive/sampling.js";
import { heightOf, nextWordPlan, percent, rowsOf } from "../../../../core/figures/web/src/nextword/plan.js";
import { SLIDES } from "../../../../core/figures/web/src/nextword/controls.js";

const OWN = [0.6, 0.2, 0.1, 0.06, 0.03, 0.01], LOGITS = OWN.map(Math.log);
const ALL = { temperature: 1, topK: 0, topP: 1, minP: 0 };

function viewOf({ way = ALL, number = null, width = 700, shown = 4, drawn = null, logits = LOGITS } = {}) {
  const header = { labels: logits.map((_, i) => `word${i}`), shown, hue: [55, 105, 155], number };
  return { header, own: probabilities(logits, 1), shape: shaped(logits, { ...ALL, ...way }), drawn, width };
}
const planOf = (more = {}, page = look) => nextWordPlan(viewOf(more), page, 40);

for (const [width, page] of [[390, night], [1440, look]]) {
  test(`bars are as long as their probabilities, and the last row has all others, at ${width} pixels`, () => {
    const plan = planOf({ width, number: 0.7, drawn: 1 }, page), bars = partsOf(plan.shapes, "bar");
    const wanted = [0.6, 0.2, 0.1, 0.06, 0.04], one = bars[0].rect[2] / 0.6;
    near(bars.map(({ rect }) => rect[2] / one), wanted, 1e-9);
    deepEqual(partsOf(plan.shapes, "number").map(({ text }) => text), ["60.0 %", "20.0 %", "10.0 %", "6.0 %", "4.0 %"]);
    equal(partsOf(plan.shapes, "label")[4].text, "2 others");
    deepEqual(meetings(plan.shapes), []);
    for (const shape of plan.shapes.filter(({ text }) => text)) ok(boxOf(shape)[0] >= -1 && boxOf(shape)[2] <= width, shape.text);
  });
}

test("what is cut is hatched, keeps its length, and what is left sums to 1", () => {
  const next = viewOf({ way: { topK: 2 } }), rows = rowsOf(next), plan = nextWordPlan(next, look, 40);
  near(rows.map(({ left }) => left), [0.75, 0.25, 0, 0, 0], 1e-12);
  near(rows.map(({ cut }) => cut), [0, 0, 0.1, 0.06, 0.04], 1e-12);
  near(rows.reduce((sum, { left }) => sum + left, 0), 1, 1e-12);
  deepEqual(partsOf(plan.shapes, "cut").map(({ of }) => of), [2, 3, 4]);
  deepEqual(partsOf(plan.shapes, "number").map(({ text }) => text), ["75.0 %", "25.0 %", "cut", "cut", "cut"]);
  ok(partsOf(plan.shapes, "title").some(({ text }) => text.startsWith("2 of 6 tokens can be drawn")));
});

test("the last row may be cut in part", () => {
  const [, , , , others] = rowsOf(viewOf({ way: { topK: 5 } }));
  near([others.left, others.cut], [0.03 / 0.99, 0.01], 1e-12);
});

test("the number stands where it fell, and names the token whose share it is", () => {
  const plan = planOf({ number: 0.7, drawn: 1 }), [stretch] = partsOf(plan.shapes, "stretch"), [x, , wide] = stretch.rect;
  const [tip] = partsOf(plan.shapes, "dice");
  near(Number(/^M([\d.]+) /.exec(tip.path)[1]), x + 0.7 * wide, 0.01);
  const shares = partsOf(plan.shapes, "share");
  near(shares[1].rect[0], x + 0.6 * wide, 1e-6);
  near(shares.reduce((sum, { rect }) => sum + rect[2], 0), wide, 0.6);
  equal(partsOf(plan.shapes, "drawn")[0].text, "0.7000 → word1");
  deepEqual(partsOf(plan.shapes, "label").filter(({ bold }) => bold).map(({ text }) => text), ["word1"]);
  deepEqual(partsOf(planOf({ number: 0.7, drawn: null }).shapes, "stretch"), []);
});

test("a token without a bar that is drawn marks the row of all others", () => {
  const plan = planOf({ number: 0.995, drawn: 5 });
  deepEqual(partsOf(plan.shapes, "label").filter(({ bold }) => bold).map(({ text }) => text), ["2 others"]);
});

test("small bars have a scale of their own size, and every scale begins at 0", () => {
  const logits = Array(500).fill(0), plan = planOf({ logits, shown: 10 });
  near(plan.end01, 1);
  const few = planOf({ logits: [0, ...Array(20).fill(-0.1)], shown: 20 });
  ok(few.end01 < 0.2, String(few.end01));
  equal(partsOf(few.shapes, "tick")[0].text, "0");
});

test("a row is found under the pointer", () => {
  const plan = planOf(), [, top] = plan.box(2);
  equal(plan.under(top - plan.area[1] + 3), 2);
  equal(plan.under(-1), null);
  equal(plan.under(1e4), null);
});

test("a percentage never reads as nothing or as all where it is not", () => {
  deepEqual([0, 1e-6, 0.0005, 0.9234, 0.99999, 1].map(percent), ["0.0 %", "<0.1 %", "0.1 %", "92.3 %", ">99.9 %", "100.0 %"]);
});

test("each slider keeps a value that it offers", () => {
  for (const { value, step, max, of } of SLIDES) {
    for (let i = of === "topP" ? 1 : 0; i <= max; i++) equal(step(value(i)), i, `${of} ${i}`);
  }
  deepEqual(SLIDES.map(({ said, of }) => said({ temperature: 0, topK: 0, topP: 1, minP: 0 }[of])), ["0: the likeliest", "all", "all", "all"]);
});

test("where the room is bounded, rows stand closer, and then fewer words have a bar", () => {
  const logits = Array.from({ length: 500 }, (_, i) => -i / 9), next = viewOf({ logits, shown: 10, number: 0.3, drawn: 7, width: 1246 });
  const large = { ...look, size: 2 * look.size }, wide = nextWordPlan(next, large, 75);
  equal(wide.rows.length, 11);
  const heights = new Set();
  for (let room = heightOf(wide, large.size); room >= 360; room -= 20) {
    const plan = nextWordPlan(next, large, 75, room), labels = partsOf(plan.shapes, "label");
    ok(heightOf(plan, large.size) <= room, `${heightOf(plan, large.size)} of ${room}`);
    deepEqual(meetings(plan.shapes), [], String(room));
    near(plan.rows.reduce((sum, { left }) => sum + left, 0), 1, 1e-9); // what has no bar is among the others
    equal(labels[plan.rows.length - 1].text, `${501 - plan.rows.length} others`);
    equal(labels.findIndex(({ bold }) => bold), Math.min(7, plan.rows.length - 1));
    heights.add(plan.rows.length);
  }
  ok(heights.has(11) && Math.min(...heights) < 7, [...heights].join());
  ok(nextWordPlan(next, large, 75, 10).rows.length >= 4); // the likeliest are never lost
});

test("on a phone the bars come first, and the controls stand between them and the dice", () => {
  const next = viewOf({ width: 358, number: 0.7, drawn: 1 }), above = nextWordPlan(next, look, 80), below = nextWordPlan(next, look, 0, Infinity, 80);
  near(partsOf(above.shapes, "bar").map(({ rect }) => rect[1] - 80), partsOf(below.shapes, "bar").map(({ rect }) => rect[1]), 1e-9);
  near([heightOf(below, look.size)], [heightOf(above, look.size)], 1e-9);
  const [stretch] = partsOf(below.shapes, "stretch"), lowest = Math.max(...partsOf(below.shapes, "tick").filter(({ text }) => text.endsWith("%")).map((one) => boxOf(one)[3]));
  ok(below.below >= lowest && below.below + 80 <= stretch.rect[1], `${lowest} ${below.below} ${stretch.rect[1]}`);
});
