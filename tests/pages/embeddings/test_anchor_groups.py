from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.examples import ANCHORS
from pages.embeddings import anchor_groups
from tests.pages.reading import text_box
from ui import text


def page() -> None:
    import streamlit as st

    from pages.embeddings import anchor_groups
    from ui import state

    class Named(state.PageState):
        low = state.Field("lo", "low", "", parse=str)
        high = state.Field("hi", "high", "", parse=str)

    state.begin(Named)
    word, *also = st.text_input("Word", "bank").split()
    groups = anchor_groups.choose((Named.low, Named.high), [word, *also]).get(word)
    st.code(repr(groups and [list(group.words) for group in groups]))
    state.end(Named)


def visit(**url: str) -> AppTest:
    app = AppTest.from_function(page)
    app.query_params.update(url)
    app.run()
    assert not app.exception
    return app


def own(word: str) -> str:
    return repr([list(group.words) for group in ANCHORS[word]])


def test_a_word_brings_its_own_senses_and_another_word_its_own() -> None:
    app = visit()
    assert app.code[0].value == own("bank")
    assert text_box(app, "low control").value == text.typed_group(ANCHORS["bank"].low)
    app.text_input[0].set_value("Crane").run()
    assert app.code[0].value == own("crane")
    assert app.query_params == {}
    app.text_input[0].set_value("table").run()
    assert app.code[0].value == "None"
    assert text_box(app, "low control").value == ""


def test_what_is_typed_stays_whatever_the_word_and_is_in_the_link() -> None:
    app = visit()
    text_box(app, "high control").set_value("water: sea, lake").run()
    assert app.query_params == {"v": "2", "hi": "water: sea, lake"}
    assert "['sea', 'lake']" in app.code[0].value
    app.text_input[0].set_value("table").run()
    assert app.code[0].value == "None"  # one end is not an axis
    text_box(app, "low control").set_value("wood").run()
    assert app.code[0].value == "[['wood'], ['sea', 'lake']]"
    assert visit(**app.query_params, lo2="").code[0].value == "[['wood'], ['sea', 'lake']]"


def test_typing_a_word_s_own_group_again_leaves_the_link_bare() -> None:
    app = visit(lo="wood")
    text_box(app, "low control").set_value(text.typed_group(ANCHORS["bank"].low)).run()
    assert app.query_params == {}


@pytest.mark.parametrize("typed", [" , ", ",", ""])
def test_no_words_are_no_group(typed: str) -> None:
    assert visit(lo=typed).code[0].value == ("None" if typed else own("bank"))


def test_each_word_has_its_own_groups_in_all_its_forms_and_no_other_s() -> None:
    bat = tuple(map(text.typed_group, ANCHORS["bat"]))
    assert anchor_groups.own_groups("bat") == anchor_groups.own_groups("Bats") == bat
    assert anchor_groups.own_groups("table") == ("", "")


def test_words_with_different_groups_leave_the_boxes_empty_and_what_is_named_holds_for_all() -> None:
    app = visit()
    app.text_input[0].set_value("bat bank").run()
    assert app.code[0].value == own("bat")
    assert (text_box(app, "low control").value, text_box(app, "high control").value) == (
        "",
        "",
    )
    app.text_input[0].set_value("table bank").run()  # it is not lent another word's
    assert app.code[0].value == "None"
    text_box(app, "low control").set_value("wood").run()
    text_box(app, "high control").set_value("list").run()
    assert app.code[0].value == "[['wood'], ['list']]"
    app.text_input[0].set_value("banks bank").run()
    assert app.code[0].value == "[['wood'], ['list']]"
