// While the server is away, Streamlit opens a dialog, which takes the keys from whoever is typing. A device that
// computes does not need the server for that: the dialog is closed, and the keys return to the box, also those that
// are pressed while it closes.
const BOX = ".polysee-text textarea", DIALOG = "[role='dialog']", TITLE = "Connection error", CLOSE = "button[aria-label='Close']";
const CLOSING = 1000; // milliseconds in which the dialog may still take the focus

/**
 * @param {() => boolean} computes whether the device does
 * @param {() => void} told the server is away
 */
export function goOn(computes, told) {
  /** @type {HTMLTextAreaElement | null} */
  let typing = null;
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element) || target.closest(DIALOG)) return;
    typing = target instanceof HTMLTextAreaElement && target.matches(BOX) ? target : null;
  });
  // The default of a key is done where the focus is after its listeners: the sign arrives in the box.
  let until = 0;
  /** @type {HTMLTextAreaElement | null} */
  let returning = null;
  document.addEventListener("keydown", (event) => {
    if (performance.now() > until || !returning?.isConnected || event.target === returning || event.key === "Tab") return;
    event.stopImmediatePropagation();
    returning.focus();
  }, { capture: true });
  document.addEventListener("pointerdown", () => { until = 0; }, { capture: true });
  new MutationObserver(() => {
    if (!computes()) return;
    const dialog = [...document.querySelectorAll(DIALOG)].find((one) => one.textContent?.trim().startsWith(TITLE));
    const close = dialog?.querySelector(CLOSE);
    if (!(close instanceof HTMLElement)) return;
    const box = returning = typing;
    if (box) until = performance.now() + CLOSING;
    close.click();
    told();
    setTimeout(() => { if (box?.isConnected && performance.now() < until) box.focus(); }, 50);
  }).observe(document.body, { childList: true, subtree: true });
}
