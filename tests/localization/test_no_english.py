"""A page in another language says no English sentence: every message is marked, and looked up.

The pages run in a language of the tests' own, in which each message stands in brackets.
"""

from __future__ import annotations

import pytest

from core import localization
from core.localization import gettext, ngettext, pgettext, spoken
from tests import visits
from tests.localization import pseudo, visible

PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("compare", {"a": "the bank by the river", "b": "the man and the bank"}),
    ("heads", {}),
    ("training", {}),
    ("step_by_step", {}),
    ("embeddings", {}),
    ("positions", {}),
    ("encoder_decoder", {}),
    ("next_word", {"p": "chat"}),
    ("lessons", {}),
    ("compare", {"pr": "1"}),  # in front of a class
    ("heads", {"m": "no-such-model"}),
)
# Of what a page shows, words that belong to no language, or to the model: English stays English.
OWN = {
    "compare": ("button_group.content",),  # what a dictionary of English says
    "encoder_decoder": ("button_group.content", "html.body"),
    "embeddings": ("selectbox.options", "multiselect.options"),
    # Titles and aims of lessons, which stand in files of their own: tests/lessons/test_translations.py.
    "lessons": ("markdown.body", "progress/lesson"),
}


@pytest.fixture(autouse=True)
def _as_before() -> None:
    localization.use("en")


@pytest.mark.check
@pytest.mark.parametrize(("page", "link"), PAGES)
def test_a_page_says_nothing_in_english(page: str, link: dict[str, str]) -> None:
    with pseudo.bracketed():
        app = visits.visit(page, lang=pseudo.CODE, **link)
        assert app.title[0].value.startswith(pseudo.OPENED) or link.get("pr")
    found = visible.english(app)
    assert [one for one in found if one[0] not in OWN.get(page, ())] == []


def test_brackets_are_around_messages_alone() -> None:
    with pseudo.bracketed(), spoken(pseudo.CODE):
        assert gettext("Reveal") == "⟦Reveal⟧"
        assert pgettext("of answers", "key") == "⟦key⟧"
        assert ngettext("{count} step", "{count} steps", 2).format(count=2) == "⟦2 steps⟧"
        assert gettext("no message of ours") == "no message of ours"
    assert pseudo.outside("one ⟦two ⟦three⟧ four⟧ five").split() == ["one", "five"]


@pytest.mark.check
def test_an_unmarked_sentence_is_found() -> None:
    def page() -> None:
        import streamlit as st

        from core.localization import _
        from ui.state import language

        language.begin()
        st.button(_("Reveal"), help="Shows the answer")
        st.markdown("**An English sentence** with $x$ and `code` " + _("Explore"))

    with pseudo.bracketed():
        app = visits.visit(page, lang=pseudo.CODE)
    assert visible.english(app) == [
        ("button.help", "Shows the answer"),
        ("markdown.body", "**An English sentence** with $x$ and `code`"),
    ]
