"""The language of the screen in a link, in the session, and by the browser."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from core import localization
from tests import visits
from ui import permalink
from ui.state import LANGUAGE, language
from ui.state.page_state import PageState


@pytest.fixture(autouse=True)
def _as_before() -> None:
    localization.use("en")


def page() -> None:
    import streamlit as st

    from core.localization import _
    from ui import state
    from ui.state import language

    class Of(state.PageState):
        size = state.Choice("p", "size", "tiny", ("tiny", "large"), default_in_link="large")

    language.begin()
    st.header(_("Explore"))
    state.begin(Of)
    st.button(_("Reveal"), key="reveal")
    st.text(Of.size.get())
    st.button("English", key="en", on_click=language.choose, args=("en",))
    st.button("Deutsch", key="de", on_click=language.choose, args=("de",))
    state.end(Of)


def test_a_link_names_the_language_and_keeps_it() -> None:
    app = visits.visit(page, lang="de")
    assert app.header[0].value == "Erkunden"
    assert app.button(key="reveal").label == "Aufdecken"
    assert visits.link(app)["lang"] == "de"
    assert app.text[0].value == "tiny"  # a language alone says nothing of the page
    visits.press(app, "en")
    assert app.header[0].value == "Explore"
    assert app.button(key="reveal").label == "Reveal"
    assert visits.link(app) == {}


def test_a_link_without_it_is_in_the_language_of_the_browser() -> None:
    assert visits.link(visits.visit(page)) == {}
    with patch.object(language, "of_browser", lambda: "de"):
        app = visits.visit(page)
        assert app.header[0].value == "Erkunden"
        assert visits.link(app)["lang"] == "de"
        visits.press(app, "en")
        assert app.button(key="reveal").label == "Reveal"
        assert visits.link(app)["lang"] == "en"  # or the browser would have it German again


def test_a_link_in_no_language_of_ours_is_read_as_one_without() -> None:
    app = visits.visit(page, lang="xx")
    assert app.button(key="reveal").label == "Reveal"


def test_the_other_choices_of_a_link_mean_the_same_with_it() -> None:
    assert LANGUAGE.url in permalink.ASIDE
    assert LANGUAGE in PageState.link()
    app = visits.visit(page, lang="de", p="large")
    assert app.text[0].value == "large"
    assert visits.link(app) == {"lang": "de", "p": "large"}
    again = visits.visit(page, **visits.link(app))
    assert again.text[0].value == "large"
