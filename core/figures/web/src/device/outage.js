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
  let until = 0;
  /** @type {HTMLTextAreaElement | null} */
  let returning = null;
  /** @type {Element | null} */
  let closing = null;
  // While it closes, the dialog takes the focus again and again, also between a key and its sign: the sign is written
  // here. Other keys do by themselves what they do, where the focus is after their listeners.
  document.addEventListener("keydown", (event) => {
    const box = returning, there = closing?.isConnected ?? false;
    if (!box?.isConnected || (!there && performance.now() > until) || event.key === "Tab" || event.isComposing) return;
    if (!there && event.target === box) return;
    event.stopImmediatePropagation();
    box.focus();
    if ([...event.key].length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    document.execCommand("insertText", false, event.key);
  }, { capture: true });
  document.addEventListener("pointerdown", () => { returning = null; }, { capture: true });
  new MutationObserver(() => {
    if (!computes()) return;
    const dialog = [...document.querySelectorAll(DIALOG)].find((one) => one.textContent?.trim().startsWith(TITLE));
    const close = dialog?.querySelector(CLOSE);
    if (!(close instanceof HTMLElement)) return;
    const box = returning = typing;
    closing = dialog ?? null;
    until = performance.now() + CLOSING;
    close.click();
    told();
    setTimeout(() => { if (box?.isConnected && box === returning) box.focus(); }, 50);
  }).observe(document.body, { childList: true, subtree: true });
}
