"""After a click on a button of "Try this", the picture that the example changes scrolls into view.

The buttons are at the foot of a page, two or three screens below the picture, and Streamlit cannot
scroll: without this, a visitor who presses one would see nothing happen. The picture of a scene of the
route comes into view in the same way, as soon as the scene is new.
"""

from __future__ import annotations

import streamlit as st

# Scroll at once, and again while the content above is redrawn, until the visitor moves the page. Scroll
# no farther than the picture needs: the controls above it stay in view if there is room.
_BRINGS = """
const BAR = 64, PATIENCE = 6000; // pixels of Streamlit's bar, milliseconds
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];
export default ({ data, parentElement }) => {
  let stop = () => {};
  const bring = () => {
    const page = document.querySelector('[data-testid="stMain"]');
    const found = data.picture && page?.querySelector(`.st-key-${data.picture}`);
    const shown = (one) => one.getClientRects().length;
    const first = [...page?.querySelectorAll('[data-testid="stBidiComponentRegular"]') ?? []]
      .find((one) => shown(one) && one.offsetHeight > 60 && !one.querySelector(".polysee-text"));
    const picture = found && shown(found) ? found : first;
    if (!picture) return;
    const box = picture.getBoundingClientRect(), above = page.getBoundingClientRect().top;
    const top = box.top - above + page.scrollTop, bottom = top + box.height;
    const card = document.querySelector(".st-key-route")?.offsetHeight ?? 0; // stays above the page
    page.scrollTop = Math.max(0, Math.min(bottom + 24 - page.clientHeight, top - BAR - card - 12));
    if (!card) return;
    // What the card would cover in part goes behind it whole, as far as the picture leaves room.
    const route = document.querySelector(".st-key-route"), under = route.getBoundingClientRect().bottom;
    const cut = [...page.querySelectorAll('[data-testid="stElementContainer"]')].filter(shown)
      .filter((one) => !route.contains(one) && !picture.contains(one) && !one.contains(picture))
      .map((one) => one.getBoundingClientRect())
      .filter((one) => one.top < under && one.bottom > under + 1);
    const by = Math.max(0, ...cut.map((one) => one.bottom + 2 - under));
    const room = picture.getBoundingClientRect().top - under - 12;
    page.scrollTop += Math.min(by, Math.max(0, room));
    // The title stands above the card, whole or not at all: half of it would be behind the bar.
    const title = page.querySelector("h1")?.getBoundingClientRect();
    const bar = page.getBoundingClientRect().top + BAR;
    if (title && title.top < bar && title.bottom > bar) page.scrollTop += title.bottom - bar;
  };
  const follow = () => {
    stop();
    const column = document.querySelector('[data-testid="stMainBlockContainer"]');
    const watch = new ResizeObserver(bring);
    watch.observe(column.firstElementChild ?? column);
    const late = setTimeout(() => stop(), PATIENCE);
    stop = () => {
      watch.disconnect();
      clearTimeout(late);
      for (const type of MOVES) document.removeEventListener(type, stop, true);
    };
    for (const type of MOVES) document.addEventListener(type, stop, true);
    bring();
  };
  if (data.scene) {
    if (parentElement.dataset.scene === data.scene) return undefined;
    parentElement.dataset.scene = data.scene;
    parentElement.forget?.();
    parentElement.forget = () => stop();
    follow();
    return parentElement.forget;
  }
  const pressed = ({ target }) => {
    if (target.closest?.('[class*="st-key-try-"] button')) follow();
  };
  parentElement.forget?.();
  document.addEventListener("click", pressed);
  parentElement.dataset.listens = "";
  parentElement.forget = () => document.removeEventListener("click", pressed);
  return parentElement.forget;
};
"""
# Registered when this module is imported, once per process: a second registration would replace it for
# every session.
_COMPONENT = st.components.v2.component("polysee_lesson_view", js=_BRINGS, isolate_styles=False)


def bring(picture: str, scene: str = "") -> None:
    """Listen for the buttons whose keys begin with "try"; or bring the picture of a scene at once.

    Args:
        picture: the key of the picture's container, with "-" for " "; "" for the first picture.
        scene: the scene, whose picture comes into view where it is another one than before.
    """
    key = "scene view" if scene else "lesson view"
    _COMPONENT(key=key, data={"picture": picture, "scene": scene}, width="content")
