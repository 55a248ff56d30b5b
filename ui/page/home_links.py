"""A link to the home page leads there in a new tab too.

Streamlit gives it the address "?…", which a browser resolves against the page on which it stands: a
click is Streamlit's own and finds the way, a new tab does not.
"""

from __future__ import annotations

import streamlit as st

_MENDS = """
let home = null;
const mend = () => {
  for (const one of document.querySelectorAll('a[data-testid="stPageLink-NavLink"][href^="?"]')) {
    one.setAttribute("href", home + one.getAttribute("href"));
  }
};
export default ({ data }) => {
  if (home !== null) return;
  const path = location.pathname.replace(/[/]$/, "");
  home = `${data.page && path.endsWith(data.page) ? path.slice(0, -data.page.length) : path + "/"}`;
  const seen = new MutationObserver(mend);
  seen.observe(document.body, { subtree: true, childList: true, attributeFilter: ["href"] });
  mend();
};
"""
# Registered when this module is imported, once per process: a second registration would replace it for
# every session.
_COMPONENT = st.components.v2.component("polysee_home_links", js=_MENDS, isolate_styles=False)


def mend(here: str) -> None:
    """Let the browser complete them from now on; call it once a page.

    Args:
        here: the path of the page below the base path of the app.
    """
    _COMPONENT(key="home links", data={"page": here}, width="content", height="content")
