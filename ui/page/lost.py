"""A page that came to nothing is opened again.

Where a visitor goes to another page by a script (`st.switch_page`), a choice in a part of the old page
can reach the server before the new page has reached the browser. Streamlit then runs that part, which
is no longer there, as the whole of the old page: the browser shows nothing, and no run follows.
"""

from __future__ import annotations

import streamlit as st

EVERY = 1000  # milliseconds between two looks; only a page that is empty twice in a row is lost
ONCE = 60_000  # milliseconds: one that is empty again so soon stays, and can be read by whoever looks
_OPENS_AGAIN = f"""
const NAME = "polysee-opened-again";
const BLOCK = '[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"]';
const RESTS = '.stApp[data-test-script-state="notRunning"][data-test-connection-state="CONNECTED"]';
const isLost = () => Boolean(document.querySelector(`${{RESTS}} ${{BLOCK}}:empty`));
const look = (before) => {{
  const lost = isLost(), last = Number(sessionStorage.getItem(NAME) ?? 0);
  if (lost && before && Date.now() - last > {ONCE}) {{
    sessionStorage.setItem(NAME, String(Date.now()));
    location.reload();
  }} else setTimeout(look, {EVERY}, lost);
}};
// It outlives what Streamlit draws: what is lost takes this part with it.
export default () => {{
  globalThis.polyseeLooks ??= setTimeout(look, {EVERY}, false);
}};
"""
# Registered when this module is imported, once per process: a second registration would replace it for
# every session.
_COMPONENT = st.components.v2.component("polysee_lost", js=_OPENS_AGAIN, isolate_styles=False)


def open_again() -> None:
    """Look from now on whether the page is empty; call it in the sidebar."""
    _COMPONENT(key="lost", width="content", height="content")
