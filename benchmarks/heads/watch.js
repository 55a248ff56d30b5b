// What the Heads page needs on top of stopwatch.js: pictures that open, what changes inside one, and
// what passes between page and server meanwhile. All times are on the clock of performance.now().
//
//   headsWatch.opening(type, kind, words, patience)   waits for an event of this type; then until a new
//                                                     picture of this kind ("": of any), with these
//                                                     words in its name
//   headsWatch.acting(type, repainted, patience)      waits for an event; then until the picture shows it
//   await headsWatch.done                             {start, ms, frames}, or null where nothing came
//   headsWatch.passed(start)                          {received, fetched, sent} since then: bytes through the
//                                                     sockets and bytes of fetched files; when, after start
globalThis.headsWatch = (() => {
  const { deep, nameOf, isSeen, painted } = stopwatch.parts;

  performance.setResourceTimingBufferSize(100_000);

  // The page's own sockets, with a list of what passes through them.
  const received = [], sent = [];
  const sizeOf = (data) => data.byteLength ?? data.size ?? new Blob([data]).size;
  globalThis.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      this.addEventListener("message", ({ data }) => received.push([performance.now(), sizeOf(data)]));
    }

    send(data) {
      sent.push(performance.now());
      super.send(data);
    }
  };

  const pictures = () => [...deep(document, ".picture[data-drawn]")].filter(isSeen);
  const mark = (picture) => `${nameOf(picture)} ${picture.dataset.drawn}`;
  const named = (picture, name) => picture.querySelector(".area").getAttribute(name) ?? "";

  /** What a visitor sees of a picture: how often it was painted, and its tooltip. */
  function lookOf(picture) {
    const tip = picture.querySelector(".tip");
    return `${picture.dataset.drawn} ${tip.style.visibility} ${tip.textContent}`;
  }

  /** The end of the next frame: when what it shows has been painted. */
  const framed = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now());
    port2.postMessage(null);
  }));

  function after(type, act) {
    headsWatch.done = new Promise((resolve) => {
      addEventListener(type, (event) => resolve(act(event.timeStamp)), { capture: true, once: true });
    });
  }

  /** As for the Compare page: to the second frame after the picture was there. */
  function opening(type, kind, words, patience) {
    const before = new Set(pictures().map(mark));
    const met = () => pictures().some((picture) => !before.has(mark(picture))
      && (!kind || named(picture, "aria-roledescription") === kind)
      && named(picture, "aria-label").includes(words));
    after(type, async (start) => {
      const end = await painted(met, patience);
      return end && { start, ms: end - start, frames: null };
    });
  }

  /** To the end of the first frame that shows it; `repainted`: a tooltip is not enough. */
  function acting(type, repainted, patience) {
    const [picture] = pictures();
    const look = () => (repainted ? picture.dataset.drawn : lookOf(picture)), before = look();
    after(type, async (start) => {
      for (let frames = 1; performance.now() < start + patience; frames++) {
        const end = await framed();
        if (look() !== before) return { start, ms: end - start, frames };
      }
      return null;
    });
  }

  const passed = (start) => ({
    received: received.reduce((sum, [when, bytes]) => sum + (when >= start ? bytes : 0), 0),
    fetched: performance.getEntriesByType("resource")
      .reduce((sum, { startTime, transferSize }) => sum + (startTime >= start ? transferSize : 0), 0),
    sent: sent.filter((when) => when >= start).map((when) => when - start),
  });

  return { done: null, opening, acting, passed };
})();
