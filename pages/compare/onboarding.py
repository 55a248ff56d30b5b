"""An introduction for first-time visitors, beside the home page, with three things to try."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from core.lessons import readable
from core.localization import _
from pages.compare.state import CompareState
from ui import navigation, permalink
from ui.lessons import route, step_links
from ui.state import Place


def there() -> tuple[tuple[str, str, dict[str, str], str], ...]:
    """Page, text of the link, state of the page, what to look for."""
    return (
        (
            "pages/heads/page.py",
            _("Which token attends to which"),
            {"t": "The cat sat on the mat because it was tired.", "l": "4", "r": "lines"},
            _("What does *it* attend to?"),
        ),
        (
            "pages/training/page.py",
            _("How attention is learned"),
            {"rc": "reverse"},
            _("Press *Start*: a small model learns to write words backwards."),
        ),
    )


# The button is shown only where the sidebar is folded, which depends on the width as in Streamlit; what
# is beside the page is as low as links are, for all of it to be on the first screen.
_STYLE = """<style>
.st-key-beginnings button {min-height: 1.5rem; padding-block: 0;}
@media (min-width: 768px) {:has(> .st-key-onboarding) {display: none;}}
</style>"""


def offer() -> None:
    """Offer the route beside the headline."""
    route.start("route offer", CompareState.link(), navigation.HOME)


def invite(s: CompareState) -> None:
    """After the route, until a sentence is another one: what to do in the two boxes."""
    if route.led_here() and all(one.get() == one.default for one in s.texts.values()):
        st.markdown(
            _(
                "**Your turn.** Type two sentences that share a word with two meanings, such as "
                "*spring*, *match* or *crane*, and press Enter."
            )
        )


def show(s: CompareState) -> None:
    """Draw it in the sidebar; all of it fits a laptop without scrolling."""
    route.caret(s.a.control)
    with st.sidebar, st.container(gap="xxsmall", key="beginnings"):
        route.start("route beside", CompareState.link(), navigation.HOME, beside=True)
        _first_lesson("sidebar")
        _things(beside=True)


def on_phone() -> None:
    """The same behind a button on the page, where the sidebar is folded."""
    st.html(_STYLE)
    with (
        st.container(key="onboarding"),
        st.popover(_("New here? Three things to try"), width="stretch"),
    ):
        _first_lesson("phone")
        _things(beside=False)


def _first_lesson(where: str) -> None:
    """The way into the lessons, in their order.

    Args:
        where: it stands, which is part of its name.
    """
    for first in readable()[0][:1]:
        place, label = Place(first.name, 1), _("**New here?** Start with lesson {number}")
        label = label.format(number=first.number)
        if navigation.folder(place.its_step.page) != navigation.HOME:
            step_links.link(place, label)
            continue
        # Streamlit does not follow a link to the page that it shows.
        st.button(
            label,
            key=f"first lesson {where}",
            type="tertiary",
            on_click=permalink.go,
            args=(CompareState.link(), step_links.query(place)),
        )


def _things(*, beside: bool) -> None:
    """Links to try; beside the page there is room for no more than their names."""
    if not beside:
        st.caption(_("**Right here:** type two sentences."))
    for page, label, state, look_for in there():
        # A page that runs alone, without the app around it, knows no other pages.
        with suppress(StreamlitPageNotFoundError):
            query, about = {**permalink.VERSION, **state}, look_for if beside else None
            st.page_link(page, label=label, query_params=query, help=about)
            if not beside:
                st.caption(look_for)
