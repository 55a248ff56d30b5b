"""The icons beside the names of the pages, which each page declares: a stylesheet applies them.

Streamlit loads a page's icon from an outside host, and emoji differ between systems. These icons are
lines of one width on a square of 24 units, in the colour of the text beside them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import quote

from ui import navigation

FOLDER = Path(__file__).parent  # of the logo as well
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" '
    'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">'
    "<style>.dot *{{fill:#000}}</style>{}</svg>"
)
_LINK = '[data-testid="stSidebarNavLink"]'


@cache
def style() -> str:
    """The stylesheet: a masked icon before each name in the menu; a screen reader skips it."""
    shape = (
        f'{_LINK}::before {{content: ""; flex: none; width: 1.15rem; height: 1.15rem; '
        "margin-right: .5rem; background: currentColor; opacity: .8; "
        "mask: var(--drawn) center / contain no-repeat;}"
    )
    pages = navigation.pages().values()
    # The home page's link is the one that ends as no other page's does.
    ends = {page.folder: f'[href$="/{page.path}"]' for page in pages if page.path}
    home = f":not({', '.join(ends.values())})"
    each = (
        f"{_LINK}{ends.get(page.folder, home)} {{--drawn: {drawn(page.folder)};}}" for page in pages
    )
    return f"<style>{shape}\n{chr(10).join(each)}</style>"


def drawn(folder: str) -> str:
    """The icon of a page, as a mask in a stylesheet takes it.

    Args:
        folder: that of the page.
    """
    return f'url("data:image/svg+xml,{quote(_SVG.format(navigation.pages()[folder].icon))}")'
