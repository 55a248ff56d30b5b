"""What stands around what each page shows: its head, its tools, "Try this", its footnotes."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import layout, permalink
from ui.page import menu, prose, terms, try_this_view
from ui.state import PROJECTOR, thread, toggle

_IN_A_ROW = 3  # examples
# Streamlit leaves 6 rem above a page; a laptop shows the first picture only without them. What it fills
# with the accent bears white letters, which dark's light blue would drown. And it takes away the border
# that a choice shares with the chosen one beside it: where choices break into lines, none is beside it.
# On a phone, where they do, each choice is whole by itself: its border, its corners, room around it.
_STYLE = """<style>
.stMainBlockContainer {padding-top: 3.6rem; padding-bottom: 2rem;}
.stMainBlockContainer h1 {padding: 0 0 .2rem 0;}
.st-key-verdict p {font-size: 1.15rem; line-height: 1.35;}
.st-key-verdict [data-testid="stCaptionContainer"] p {font-size: .875rem;}
[data-testid="stBaseButton-primary"]:not(:disabled), .stMultiSelect [data-tag],
.stMultiSelect [data-tag] button {color: light-dark(#fff, #10151c);}
[data-testid="stBaseButton-primary"] kbd {opacity: 1;}
button[data-variant="segmented_control"]:not([data-selected]) {
border-color: color-mix(in srgb, currentColor 20%, transparent) !important;}
@media (max-width: 640px) {  /* in a column, Streamlit lets choices scroll: six and fewer have lines */
.stColumn [role="radiogroup"]:not(:has(> :nth-child(7))) {flex-wrap: wrap;}
:has(> button[data-variant="segmented_control"]) {gap: .25rem;}
button[data-variant="segmented_control"] {border-radius: .5rem; margin: 0;}
}
</style>"""
# Room above a page is taken back where letters are larger, for the first picture to be on the screen.
_PROJECTOR_STYLE = f"""<style>
html {{font-size: {100 * layout.LARGER:.0f}% !important;}}
.stMainBlockContainer {{padding-top: 2.4rem;}}
</style>"""


def head(words: prose.Prose) -> None:
    """The title and the point of the page, on the screen before anything is computed."""
    short_head(words)
    st.markdown(terms.linked(words.point))


def short_head(words: prose.Prose) -> None:
    """The title alone, where a lesson says what the page is for."""
    st.html(_STYLE + terms.STYLE)
    st.title(words.title, anchor=False)


def tools(fields: permalink.Fields) -> None:
    """In the sidebar: large type, and the way back to how the page opens.

    Args:
        fields: those that go back to their defaults.
    """
    with st.sidebar:
        large = toggle(PROJECTOR, "Large type, for a projector")
    if large:
        st.html(_PROJECTOR_STYLE)
    st.sidebar.button(
        "Reset the page",
        key="reset",
        on_click=_reset,
        args=(fields,),
        width="stretch",
        help="Resets this page to how it opens: texts, words, layers and all other choices. Other "
        "pages stay as they are, and nothing of this one goes along to them.",
    )
    with st.sidebar:
        menu.fold_after_a_choice()


def _reset(fields: permalink.Fields) -> None:
    permalink.go(fields, {})
    thread.end()


def try_this(words: prose.Prose, fields: permalink.Fields, picture: str = "") -> None:
    """The buttons that set the page, each with what to look for beneath.

    Args:
        words: of the page.
        fields: those that they set.
        picture: the key of the place whose picture the lessons are about, with "-" for " "; the
            first picture of the page where it is not said. It comes into view after a button.
    """
    title, *columns = st.columns([1, *(3 for _ in words.tries)])
    with title:
        st.markdown("**Try this**")
        try_this_view.bring(picture)
    for i, (column, item) in enumerate(zip(columns, words.tries, strict=True)):
        _example(column, f"try {i}", item, fields)
    if words.more:
        with st.expander("More examples"):
            for first in range(0, len(words.more), _IN_A_ROW):
                row = words.more[first : first + _IN_A_ROW]
                for i, column in enumerate(st.columns(_IN_A_ROW)[: len(row)]):
                    _example(column, f"try more {first + i}", row[i], fields)


def _example(column: DeltaGenerator, key: str, item: prose.Try, fields: permalink.Fields) -> None:
    args = fields, dict(item.state)
    column.button(item.label, key=key, width="stretch", on_click=permalink.go, args=args)
    column.caption(terms.linked(item.look_for))


def footnotes(words: prose.Prose) -> None:
    """How it is computed, folded; and what it does not say."""
    with st.expander("How it is computed"):
        st.markdown(terms.linked(words.computed))
    st.caption(f"**What it does not say.** {terms.linked(words.limitations)}")
