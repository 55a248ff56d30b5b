// A stopwatch inside the page. It starts when the browser receives a key, looks at the page once a
// frame, and stops two frames after a goal is met: as a screencast of Chromium shows, the one that it
// was met in is then on the screen.
//
//   stopwatch.arm(key, goals, where, patience)   waits for the key; `goals` are names out of GOALS
//   await stopwatch.times                        {goal: milliseconds, or null where it was not met}
//   stopwatch.unchanged()                        what on the page is still as it was before the key
//   await stopwatch.shapes(selector, patience)   when the first of these was painted, since navigation
//
// `where` holds what must be known of the page; it is written down in stopwatch.py.
globalThis.stopwatch = (() => {
  // Noted as they are made: to look for them through the whole page, once a frame, took as long as a
  // picture, and was in the times.
  const shadows = [];
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function attachNoted(how) {
    const shadow = attachShadow.call(this, how);
    shadows.push(new WeakRef(shadow));
    return shadow;
  };

  /** All elements of a selector, also those in the shadow roots of what stands there. */
  function* deep(root, selector) {
    yield* root.querySelectorAll(selector);
    for (const shadow of shadows.map((weak) => weak.deref())) {
      if (shadow && root.contains(shadow.host)) yield* shadow.querySelectorAll(selector);
    }
  }

  const numbers = new WeakMap();
  let next = 0;
  /** A name for an element that no other has: a picture made anew counts its paintings anew. */
  const nameOf = (node) => numbers.get(node) ?? numbers.set(node, ++next).get(node);

  // Streamlit hides a chart of Plotly's that has its data and is not drawn yet.
  const VISIBLE = { visibilityProperty: true, opacityProperty: true };
  const isSeen = (node) => node !== null && node.checkVisibility(VISIBLE);

  /** What the pictures in a place show: Plotly's data, or which time our own picture is painted. */
  function pictures(place, where) {
    const marks = [];
    for (const root of document.querySelectorAll(place)) {
      for (const plot of root.querySelectorAll(where.plotly)) {
        if (plot.data && isSeen(plot.querySelector("svg"))) marks.push(JSON.stringify(plot.data));
      }
      for (const own of deep(root, where.picture)) {
        if (isSeen(own)) marks.push(`${nameOf(own)} painted ${own.dataset.drawn}`);
      }
    }
    return marks;
  }

  /** The texts of a selector that are not left over from the run before. */
  const texts = (selector, where) => [...deep(document, selector)]
    .filter((node) => isSeen(node) && !node.closest(where.stale))
    .map((node) => node.textContent);

  /** The sentences of the moving picture; with what their words add up to, where that is there. */
  function sentences(where, sums) {
    const words = texts(where.words, where).join(" "), added = sums ? texts(where.sums, where) : [];
    return words && !added.includes("…") ? [[words, ...added].join("; ")] : [];
  }

  /** All that the goals compare, by name. */
  const looks = (where) => ({
    verdict: () => texts(where.verdict, where),
    words: () => sentences(where, false),
    sums: () => sentences(where, true),
    ...Object.fromEntries(Object.entries(where.places).map(
      ([name, place]) => [name, () => pictures(place, where)])),
  });

  /** No script runs for this visitor, and the page says so. */
  const idle = (where) => document.querySelector(where.idle) !== null
    && document.querySelector(where.status) === null && document.querySelector(where.stale) === null;

  // What must be other than before the key, the quickest to look at first; and whether the page must
  // have come to rest.
  const GOALS = {
    first: { changed: ["verdict", "words", "trajectory"], rest: false },
    everything: { changed: ["verdict", "sums", "trajectory"], rest: true },
    heads: { changed: ["headA", "headB"], rest: false },
    // Where the verdict may well read as before: long texts of random words.
    pictures: { changed: ["sums", "trajectory", "headA"], rest: true },
  };

  const frame = () => new Promise(requestAnimationFrame);

  /** When a condition was met and painted, as performance.now(); null where patience ended. */
  async function painted(met, patience) {
    for (const end = performance.now() + patience; performance.now() < end;) {
      await frame();
      if (met()) {
        await frame();
        return frame(); // the time at which it begins
      }
    }
    return null;
  }

  function arm(key, goals, where, patience) {
    const look = looks(where);
    const before = Object.fromEntries(Object.entries(look).map(([name, at]) => [name, at()]));
    const isNew = (name) => look[name]().some((mark) => !before[name].includes(mark));
    stopwatch.unchanged = () => Object.keys(look).filter((name) => !isNew(name));
    const met = ({ changed, rest }) => changed.every(isNew) && (!rest || idle(where));
    stopwatch.times = new Promise((resolve) => {
      const started = async (event) => {
        if (event.key !== key) return;
        removeEventListener("keydown", started, true);
        const start = event.timeStamp; // when the browser had the key, on the clock of performance.now()
        const times = await Promise.all(goals.map((goal) => painted(() => met(GOALS[goal]), patience)));
        resolve(Object.fromEntries(goals.map(
          (goal, i) => [goal, times[i] === null ? null : times[i] - start])));
      };
      addEventListener("keydown", started, true);
    });
  }

  return {
    times: null,
    unchanged: null,
    arm,
    /** Waits until the page has come to rest. */
    rest: (where, patience) => painted(() => idle(where), patience),
    shapes: (selector, patience) => painted(() => document.querySelector(selector) !== null, patience),
    parts: { deep, nameOf, isSeen, painted }, // for heads_watch.js
  };
})();
