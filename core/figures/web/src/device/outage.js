// While the server is away, Streamlit opens a dialog, which takes the keys from whoever is typing. A device that
// computes does not need the server for that: the dialog is closed, and the keys return to the box.
const BOX = ".polysee-text textarea", DIALOG = "[role='dialog']", TITLE = "Connection error", CLOSE = "button[aria-label='Close']";

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
  new MutationObserver(() => {
    if (!computes()) return;
    const dialog = [...document.querySelectorAll(DIALOG)].find((one) => one.textContent?.trim().startsWith(TITLE));
    const close = dialog?.querySelector(CLOSE);
    if (!(close instanceof HTMLElement)) return;
    const box = typing;
    close.click();
    told();
    setTimeout(() => { if (box?.isConnected) box.focus(); }, 50);
  }).observe(document.body, { childList: true, subtree: true });
}
