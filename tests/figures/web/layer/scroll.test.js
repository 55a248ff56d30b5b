import { test } from "node:test";
import { equal } from "node:assert/strict";
import { ScrolledList } from "../../../../core/figures/web/src/layer/scroll.js";

globalThis.document ??= { createElement: () => ({ style: {}, setAttribute() {} }) };

/** A window that is scrolled as a browser does it. */
function windowed() {
  const area = Object.assign(new EventTarget(), { style: {}, scrollTop: 0, append() {} }), scrolled = [];
  const list = new ScrolledList(area, new AbortController().signal, () => scrolled.push(list.top));
  return { area, list, scrolled };
}

test("a row that was chosen is brought into sight, one nearby with its neighbour and one far away in the middle", () => {
  const { list } = windowed();
  const top = (row, reveals = true) => {
    list.reveals = reveals;
    return list.within(100, 1000, 10, row);
  };
  equal(top(50, false), 0);
  equal(top(50), 455); // 500 to 510 in the middle of 100
  equal(top(50), 455);
  equal(top(56), 480); // 57 too
  equal(top(47), 460); // 46 too
  equal(top(99), 900);
  equal(top(0, false), 900);
  equal(list.within(100, 300, 10, -1), 200); // a shorter list
  list.anew();
  equal(list.within(100, 1000, 10, 3), 0);
});

test("what a visitor has scrolled counts, and not what was drawn", () => {
  const { area, list, scrolled } = windowed();
  list.reveals = true;
  list.within(100, 1000, 10, 50);
  list.drawn({ content: 1000, area: [0, 0, 50, 100] });
  equal(area.scrollTop, 455);
  equal(area.style.overflowY, "auto");
  area.dispatchEvent(new Event("scroll"));
  equal(scrolled.length, 0);
  area.scrollTop = 300;
  area.dispatchEvent(new Event("scroll"));
  equal(scrolled.join(), "300");
  equal(list.within(100, 1000, 10, 50), 300);
  list.drawn({ area: [0, 0, 50, 100] });
  equal(area.style.overflowY, "hidden");
});
