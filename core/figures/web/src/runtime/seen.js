// Waits until a picture is seen: what moves by itself before that moves for nobody.
const SHARE = 0.6; // of the picture, or of the window if that is smaller
const REST = 300; // milliseconds without scrolling: a page that passes by is not looked at yet

/**
 * Whether so much of a picture is in the window that it can be followed.
 * @param {{ height: number }} shown its part in the window
 * @param {{ height: number }} whole
 * @param {number} most the height of the window
 */
export const isInView = (shown, whole, most) => shown.height > 0 && shown.height >= SHARE * Math.min(whole.height, most);

/** The part of a node between the edges of the window. @param {DOMRect} box */
const inWindow = ({ top, bottom }) => ({ height: Math.min(bottom, innerHeight) - Math.max(top, 0) });

/**
 * Calls `act` once, as soon as the node is in view, the tab visible and the page at rest. If it is so already, that is
 * at once, and nothing is drawn before.
 * @param {Element} node
 * @param {AbortSignal} signal ends the waiting
 * @param {() => void} act
 */
export function whenSeen(node, signal, act) {
  const isShown = () => document.visibilityState === "visible", box = node.getBoundingClientRect();
  if (isShown() && isInView(inWindow(box), box, innerHeight)) return act();
  let timer = 0, inView = false;
  const life = new AbortController(), stop = () => life.abort();
  const again = () => {
    clearTimeout(timer);
    if (!inView || !isShown()) return;
    timer = Number(setTimeout(() => {
      stop();
      act();
    }, REST));
  };
  const watch = new IntersectionObserver((entries) => {
    const { intersectionRect, boundingClientRect } = entries[entries.length - 1];
    inView = isInView(intersectionRect, boundingClientRect, innerHeight);
    again();
  }, { threshold: Array.from({ length: 21 }, (_, i) => i / 20) });
  watch.observe(node);
  for (const type of ["scroll", "wheel", "touchmove", "visibilitychange"]) {
    document.addEventListener(type, again, { capture: true, passive: true, signal: life.signal });
  }
  life.signal.addEventListener("abort", () => {
    clearTimeout(timer);
    watch.disconnect();
  });
  signal.addEventListener("abort", stop, { signal: life.signal });
}
