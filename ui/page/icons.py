"""The icons beside the names of the pages: one set, drawn here, and applied by a stylesheet.

Streamlit loads a page's icon from an outside host, and emoji differ between systems. These icons are
lines of one width on a square of 24 units, in the colour of the text beside them.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

FOLDER = Path(__file__).parent  # of the logo as well
# Address of the page ("" is the home page) -> the icon: lines, and filled dots.
_DRAWN = {
    "": '<path d="M4 12h4c4 0 5-6 9-6M8 12c4 0 5 6 9 6"/>'  # one point becomes two
    '<g class="dot"><circle cx="4.5" cy="12" r="2.2"/><circle cx="18.5" cy="6" r="2.2"/>'
    '<circle cx="18.5" cy="18" r="2.2"/></g>',
    "heads": '<rect x="3.5" y="3.5" width="17" height="17" rx="2"/>'  # a small map of attention
    '<path d="M3.5 9.2h17M3.5 14.8h17M9.2 3.5v17M14.8 3.5v17"/>'
    '<g class="dot"><rect x="9.2" y="3.5" width="5.6" height="5.7"/>'
    '<rect x="14.8" y="9.2" width="5.7" height="5.6"/>'
    '<rect x="3.5" y="14.8" width="5.7" height="5.7"/></g>',
    "embeddings": '<path d="M4 4v16h16M7.5 16.5l9-9M12.2 7.5h4.3v4.3"/>',  # a vector between axes
    "senses": '<g class="dot"><circle cx="6" cy="7" r="1.8"/><circle cx="10.5" cy="5" r="1.8"/>'
    '<circle cx="9.5" cy="9.8" r="1.8"/></g><circle cx="14.5" cy="15" r="1.8"/>'  # two clusters
    '<circle cx="19" cy="13.5" r="1.8"/><circle cx="18" cy="18.8" r="1.8"/>',
    "corpus": '<path d="M3 6h5.5M15.5 6H21M3 12h5.5M15.5 12H21M3 18h5.5M15.5 18H21"/>'  # one word in
    '<g class="dot"><rect x="10" y="4.4" width="4" height="3.2" rx=".8"/>'  # the middle of its lines
    '<rect x="10" y="10.4" width="4" height="3.2" rx=".8"/>'
    '<rect x="10" y="16.4" width="4" height="3.2" rx=".8"/></g>',
    "step-by-step": '<path d="M3.5 20h4.2v-4.2h4.2v-4.2h4.2V7.4h4.4"/>',  # a stair
    "positions": '<path d="M2.5 12c2.4-7 4.8-7 7.1 0s4.8 7 7.1 0 3.1-6 4.8-6"/>',  # a wave
    "encoder-decoder": '<rect x="3" y="7" width="6" height="10" rx="1.5"/>'  # from one to the other
    '<rect x="15" y="7" width="6" height="10" rx="1.5"/><path d="M9.5 12h4.6M12.4 10l2 2-2 2"/>',
    "training": '<path d="M4 4v16h16M7 7c1.5 7 5 9 12 9.3"/>',  # a loss that falls
    "lessons": '<path d="M3 9l9-4.5L21 9l-9 4.5z"/><path d="M7 11.2v4.6c2.6 2.2 7.4 2.2 10 0v-4.6"/>'
    '<path d="M21 9v5.5"/>',  # a graduate's cap
    "glossary": '<path d="M12 6.2C9.6 4.6 6.8 4.3 3.5 4.6v13.6c3.3-.3 6.1 0 8.5 1.6"/>'  # an open book
    '<path d="M12 6.2c2.4-1.6 5.2-1.9 8.5-1.6v13.6c-3.3-.3-6.1 0-8.5 1.6zM12 6.2v13.6"/>',
}
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" '
    'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">'
    "<style>.dot *{{fill:#000}}</style>{}</svg>"
)
_LINK = '[data-testid="stSidebarNavLink"]'


def style() -> str:
    """The stylesheet: a masked icon before each name in the menu; a screen reader skips it."""
    shape = (
        f'{_LINK}::before {{content: ""; flex: none; width: 1.15rem; height: 1.15rem; '
        "margin-right: .5rem; background: currentColor; opacity: .8; "
        "mask: var(--drawn) center / contain no-repeat;}"
    )
    each = (
        f'{_LINK}{_at(page)} {{--drawn: url("data:image/svg+xml,{quote(_SVG.format(drawn))}");}}'
        for page, drawn in _DRAWN.items()
    )
    return f"<style>{shape}\n{chr(10).join(each)}</style>"


def _at(page: str) -> str:
    """The selector of links whose address ends so; the home page is every other one."""
    if page:
        return f'[href$="/{page}"]'
    others = ", ".join(f'[href$="/{other}"]' for other in _DRAWN if other)
    return f":not({others})"
