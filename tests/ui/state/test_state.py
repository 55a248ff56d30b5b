"""Fields, a page's state, and its messages with a browser: on a small page, with arbitrary links."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest

from tests.fuzz.nasty import NASTY
from tests.pages.reading import text_box
from tests.ui.state.small_pages import form, found, more_of, page, parts, press, taking, turn, visit
from tests.visits import run
from ui import formats, permalink, state
from ui.state import (
    MODEL,
    Choice,
    Field,
    PageState,
    Part,
    Real,
    SessionValue,
    Switch,
    Whole,
)
from ui.text_box import box

TYPED = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=60),
    st.text(st.characters(categories=["Cs", "Cf", "Mn", "Nd", "Zs", "So"]), max_size=20),
    st.integers().map(str),
    st.floats().map(str),
)


def read_pair(typed: str) -> tuple[int, int]:
    one, other = typed.split("-")
    return formats.Whole(0, 99)(one), formats.Whole(0, 99)(other)


def write_pair(pair: tuple[int, int]) -> str:
    return f"{pair[0]}-{pair[1]}"


class Everything(PageState):
    model = MODEL
    view = Choice("p", "view", "one", ("one", "two"))
    size = Whole("n", "size", 5, 1, 40)
    marked = Switch("s", "marked")
    pair = Field("q", "pair", (3, 4), parse=read_pair, write=write_pair)
    heat = Real("te", "heat", 1.0, 0.1, 5.0)
    corners: Mapping[str, Whole] = {
        "left": Whole("x", "left", 1, 0, 9),
        "right": Whole("y", "right", 2, 0, 9),
    }


@given(st.sampled_from(Everything.fields), TYPED)
def test_a_field_reads_any_link_and_what_it_writes(field: Field[object], typed: str) -> None:
    read = permalink._read(field, {field.url: typed})
    assert type(read) is type(field.default)
    assert permalink._read(field, {field.url: field.write(read)}) == read


def test_a_page_state_is_its_fields_in_their_order() -> None:
    assert [one.url for one in Everything.link()] == [
        *("m", "p", "n", "s", "q", "te", "x", "y"),
        *("j", "lesson", "present", "check", "at", "mine", "lang"),
    ]
    assert [one.url for one in Everything.examples()] == ["p", "n", "s", "q", "te", "x", "y"]
    assert permalink._query(Everything.link(), {"marked": True, "pair": (7, 8), "size": 5}) == {
        "s": "1",
        "q": "7-8",
    }


@pytest.mark.parametrize(("url", "key"), [("n", "other"), ("o", "size")])
def test_two_fields_of_one_name_are_refused(url: str, key: str) -> None:
    fields = {"one": Whole("n", "size", 5, 1, 40), "other": Whole(url, key, 5, 1, 40)}
    with pytest.raises(TypeError, match="Twice"):
        type("Twice", (PageState,), fields)


def test_opens_at_its_defaults_with_a_bare_link() -> None:
    app = visit()
    assert found(app) == ["one", 5, 3, "cat"]
    assert app.query_params == {}


def test_a_link_sets_controls_that_are_on_the_page_and_those_that_are_not() -> None:
    app = visit(n="30", i="20", t="dog", s="1", c="c")
    assert found(app) == ["one", 30, 20, "dog"]
    turn(app, "two")
    assert found(app) == ["two", True, "c"]
    assert app.query_params == {
        "v": "2", "p": "two", "n": "30", "i": "20", "t": "dog", "s": "1", "c": "c"
    }  # fmt: skip


def test_a_control_that_comes_back_has_what_was_chosen() -> None:
    app = visit()
    app.number_input(key="size control").set_value(12)
    text_box(app, "name control").set_value("mouse")
    run(app)
    app.slider(key="at control").set_value(7)
    run(app)
    turn(app, "two")
    app.toggle(key="marked control").set_value(True)
    run(app)
    turn(app, "one")
    assert found(app) == ["one", 12, 7, "mouse"]
    assert (app.number_input(key="size control").value, text_box(app, "name control").value) == (
        12,
        "mouse",
    )
    turn(app, "two")
    assert app.toggle(key="marked control").value


def test_a_control_is_told_only_what_it_does_not_show_and_begins_where_it_should() -> None:
    """Setting it more often would undo later actions; an overtaken run sends nothing to a browser."""
    app = visit(n="12")
    turn(app, "two")
    app.segmented_control(key="view control").set_value("one")
    run(app)
    size = app.number_input(key="size control").proto
    assert size.set_value
    assert size.value == size.default == 12
    app.slider(key="at control").set_value(2)
    run(app)
    size = app.number_input(key="size control").proto
    assert not size.set_value
    assert size.default == 12
    app.query_params.clear()
    app.query_params.update(n="13", stop="1")
    with patch("ui.permalink.by_history", lambda: True):  # Back, and another choice at once
        run(app)
    app.query_params.pop("stop")
    run(app)
    size = app.number_input(key="size control").proto
    assert size.set_value
    assert size.value == size.default == 13


def test_a_control_that_the_app_has_set_is_told_until_a_run_has_come_to_its_end() -> None:
    """A run that the next one overtakes may have sent nothing to a browser."""
    app = visit(n="12")
    app.query_params["late"] = "1"
    press_only = next(button for button in app.button if button.label == "set")
    press_only.click()
    app.run()
    assert app.number_input(key="size control").proto.set_value
    del app.query_params["late"]
    run(app)
    size = app.number_input(key="size control").proto
    assert size.set_value
    assert size.value == 17
    run(app)
    assert not app.number_input(key="size control").proto.set_value


@pytest.mark.parametrize("overtaken", [True, False])
def test_a_control_that_is_new_keeps_what_a_visitor_does_while_its_first_run_is_under_way(
    overtaken: bool,
) -> None:
    """A browser that sends its value has received it: setting it again would undo the next key."""
    app = AppTest.from_function(page)
    app.query_params.update({"n": "12"} | ({"late": "1"} if overtaken else {}))
    run(app)
    assert app.number_input(key="size control").proto.set_value
    for typed in (13, 14, 15):
        app.number_input(key="size control").set_value(typed)
        run(app)
        size = app.number_input(key="size control").proto
        assert not size.set_value
        assert size.default == typed


def test_what_a_browser_says_after_it_was_told_is_told_once_more() -> None:
    """It may have sent it before it was updated, and then shows an outdated value."""
    app = visit(n="12")
    press(app, "set")
    assert app.number_input(key="size control").proto.set_value
    app.number_input(key="size control").set_value(5)
    run(app)
    size = app.number_input(key="size control").proto
    assert size.set_value
    assert size.value == 5
    app.number_input(key="size control").set_value(6)
    run(app)
    app.number_input(key="size control").set_value(7)
    run(app)
    assert not app.number_input(key="size control").proto.set_value


def test_what_a_browser_says_before_it_hears_of_a_reset_does_not_undo_it() -> None:
    """Its message has the previous URL, and the values that all controls showed then."""
    app = visit(n="12", i="7", s="1")
    press(app, "reset")
    for _ in range(2):  # two messages may be under way
        app.query_params.update(v="2", n="12", i="7", s="1")
        app.number_input(key="size control").set_value(12)
        app.slider(key="at control").set_value(7)
        run(app)
        assert found(app)[1:3] == [5, 3]
        assert not app.query_params
        assert app.number_input(key="size control").proto.set_value
    app.query_params.update(v="2", n="12", i="7", s="1")
    app.number_input(key="size control").set_value(13)  # which it did not show: a visitor chose it
    app.slider(key="at control").set_value(7)
    run(app)
    assert found(app)[1:3] == [13, 3]
    assert app.query_params == {"v": "2", "n": "13"}
    app.slider(key="at control").set_value(7)  # after it has heard of it all
    run(app)
    assert found(app)[1:3] == [13, 7]


def test_what_is_changed_to_and_fro_faster_than_a_browser_hears_of_it_counts() -> None:
    app = visit(n="12")
    for typed in (13, 12, 13, 12):
        app.query_params.clear()
        app.query_params.update(v="2", n="99")  # as if it had heard of none
        app.number_input(key="size control").set_value(typed)
        run(app)
        assert found(app)[1] == typed


def test_a_control_that_a_reset_takes_away_is_not_heard_again() -> None:
    app = visit(p="two", s="1", c="c")
    press(app, "reset")
    assert found(app)[0] == "one"
    before = app.session_state["controls to be told"].showed
    assert (before["marked control"], before["letter control"]) == (True, "c")
    app.query_params.update(v="2", p="two", s="1", c="c")
    app.segmented_control(key="view control").set_value("two")
    run(app)
    assert found(app)[0] == "one"
    app.segmented_control(key="view control").set_value("two")
    run(app)
    assert found(app)[1:] == [False, "b"]


def test_what_is_set_while_a_control_is_away_is_there_when_it_comes_back() -> None:
    app = visit(n="12")
    turn(app, "two")
    press(app, "set")
    run(app)
    assert app.query_params["n"] == "17"
    turn(app, "one")
    assert found(app)[1] == 17


def test_what_is_told_after_a_choice_comes_with_it() -> None:
    app = form(c="b")
    text_box(app, "typed control").set_value("cat")
    run(app)
    assert found(app)[2:4] == ["cat", "a"]
    assert app.query_params == {"v": "2", "t": "cat"}


def test_what_lasts_for_a_visit_is_in_no_link() -> None:
    app = form()
    app.toggle(key="shown control").set_value(True)
    run(app)
    run(app)
    assert found(app)[4] is True
    assert app.query_params == {}


def test_a_part_is_not_written_with_what_it_is_already() -> None:
    written: list[int] = []
    part = Part("part", lambda: 3, written.append)
    part.set(3)
    assert (part.get(), part.default, part.control, written) == (3, 3, "part control", [])
    part.set(4)
    assert written == [4]
    assert SessionValue("a name", 5).default == 5


def test_what_is_typed_outlives_the_server_in_the_box_of_a_field() -> None:
    """A restarted server ignores everything that an earlier one may have received; the box resends."""
    old = form(t="answered")
    text_box(old, "typed control").set_value("not answered yet")
    boxes = old._tree.get_widget_states()
    new = AppTest.from_function(parts)
    new.query_params.update(t="answered")
    new._run(boxes)
    box = text_box(new, "typed control")
    assert (box.value, found(new)[2]) == ("answered", "answered")
    assert box.data["visit"] != text_box(old, "typed control").data["visit"]
    run(new)
    assert text_box(new, "typed control").data["heard"] == 1
    assert found(new)[2] == text_box(new, "typed control").value == "answered"
    text_box(new, "typed control").set_value("not answered yet")
    run(new)
    assert found(new)[2] == "not answered yet"
    assert new.query_params["t"] == "not answered yet"


def test_what_was_heard_once_is_not_heard_again() -> None:
    """A browser may resend an old value of a box that was removed meanwhile."""
    app = form()
    text_box(app, "typed control").set_value("one", n=7)
    run(app)
    assert text_box(app, "typed control").data["heard"] == 7
    text_box(app, "typed control").set_value("two")
    run(app)
    text_box(app, "typed control").set_value("one", n=7)
    run(app)
    box = text_box(app, "typed control")
    assert (box.value, box.data["heard"], app.query_params["t"]) == ("two", 8, "two")


@pytest.mark.parametrize("before", ["dog", "cat"])
def test_a_button_that_is_pressed_after_a_text_was_typed_wins_though_it_is_heard_before(
    before: str,
) -> None:
    app = visit(t=before)
    text_box(app, "name control").set_value("mouse")
    press(app, "reset")
    box = text_box(app, "name control")
    assert (found(app)[3], box.value, box.data["heard"]) == ("cat", "cat", 1)
    assert box.data["lost"] == 1  # the box knows whether it was typed after the button was pressed
    box.set_value("mouse")
    run(app)
    assert found(app)[3] == "mouse"
    box = text_box(app, "name control")
    assert (box.data["heard"], box.data["lost"]) == (2, 1)
    box.set_value("dog")
    run(app)
    assert (found(app)[3], text_box(app, "name control").data["lost"]) == ("dog", 1)


@pytest.mark.parametrize("at", [" lost", " heard when drawn", "the box"])
def test_that_a_text_was_replaced_is_said_though_the_run_that_would_say_it_is_cut_off(at: str) -> None:
    """Only the box knows whether it was typed after the button was pressed; it must be asked."""
    app = visit(t="dog")
    app.session_state["name control heard"] = 1  # in a run that was cut off before it drew the box
    app.session_state["name"] = "mouse"
    next(button for button in app.button if button.label == "reset").click()
    write = SafeSessionState.__setitem__
    cut: list[str] = []

    def cut_off(session: SafeSessionState, key: str, value: object) -> None:
        if at in key and not cut:
            cut.append(key)
            raise RerunException(RerunData())
        write(session, key, value)

    def cut_off_where_it_is_drawn(*args: object, **more: object) -> object:
        if not cut:
            cut.append("the box")
            raise RerunException(RerunData())
        return draw(*args, **more)

    draw: Any = box._COMPONENT
    with (
        patch.object(SafeSessionState, "__setitem__", cut_off),
        patch.object(box, "_COMPONENT", cut_off_where_it_is_drawn if at == "the box" else draw),
    ):
        run(app)
    assert cut
    told = text_box(app, "name control").data
    assert (told["text"], told["heard"], told["lost"]) == ("cat", 1, 1)


def test_two_texts_that_are_heard_together_both_count() -> None:
    """Even if the first of them makes the page forget the choices in pictures."""
    app = run(AppTest.from_function(two_texts))
    text_box(app, "one control").set_value("a cat")
    text_box(app, "other control").set_value("a dog")
    run(app)
    assert found(app) == ["a cat", "a dog"]
    assert [text_box(app, f"{name} control").data["lost"] for name in ("one", "other")] == [0, 0]


def two_texts() -> None:
    """Two texts, each of which makes the page forget the state of the previous one, as on Heads."""
    import streamlit as st

    from ui import permalink, state

    class Chosen(state.PageState):
        one = state.Field("a", "one", "", parse=str)
        other = state.Field("b", "other", "", parse=str)

    s = Chosen()
    state.begin(Chosen)
    forget = permalink.outrank_pictures
    st.json([state.text(s.one, "One", changed=forget), state.text(s.other, "Other", changed=forget)])
    state.end(Chosen)


@pytest.mark.parametrize("told", ["typed", [], None, {"n": 0, "text": "x"}, {"n": 1, "text": 3}, {}])
def test_what_no_box_tells_changes_nothing(told: object) -> None:
    app = form(t="cat")
    box = text_box(app, "typed control")
    states = app._tree.get_widget_states()
    states.widgets.append(WidgetState(id=box._id, json_value=json.dumps({"typed": told})))
    app._run(states)
    assert not app.exception
    assert (found(app)[2], text_box(app, "typed control").data["heard"]) == ("cat", 0)


@pytest.mark.few(30)
@pytest.mark.check
@pytest.mark.parametrize("typed", NASTY)
def test_any_text_can_be_typed(typed: str) -> None:
    app = form()
    text_box(app, "typed control").set_value(typed)
    run(app)
    assert found(app)[2] == text_box(app, "typed control").value == typed


def test_half_a_sign_becomes_one_that_can_be_sent() -> None:
    app = form()
    text_box(app, "typed control").set_value("a\ud83d cat")
    run(app)
    assert found(app)[2] == app.query_params["t"] == "a\ufffd cat"


def test_a_reset_sets_back_what_is_not_on_the_page_too() -> None:
    app = visit(p="two", n="30", i="20", t="dog", s="1", c="a")
    press(app, "reset")
    assert found(app) == ["one", 5, 3, "cat"]
    assert app.query_params == {}
    turn(app, "two")
    assert found(app) == ["two", False, "b"]


@pytest.mark.check
@pytest.mark.parametrize("view", ["one", "two", "three"])
@pytest.mark.parametrize("wrong", ["", "-1", "nan", "٣", "9" * 5_000, "<script>", "🐈" * 300])
def test_a_link_with_anything_in_it_opens(view: str, wrong: str) -> None:
    app = visit(p=view, n=wrong, i=wrong, s=wrong, c=wrong)
    assert found(app) == (["two", False, "b"] if view == "two" else ["one", 5, 3, "cat"])


def test_every_control_shows_its_field_and_tells_it() -> None:
    app = more_of()
    assert found(app) == [1, ["cat"], "0", "small", ""]
    app.sidebar.radio(key="size control").set_value("large")
    app.select_slider(key="depth control").set_value("1")
    app.selectbox[0].set_value(2)
    app.multiselect[0].set_value(["a", "sat"])
    run(app)
    assert found(app) == [2, ["a", "sat"], "1", "large", ""]
    assert app.query_params == {"v": "2", "q": "2", "l": "1", "s": "large", "w": "a sat"}


def lines() -> None:
    """A list of lines, with or without a label above it, and the values that it sends."""
    import streamlit as st

    from ui import state

    class Chosen(state.PageState):
        lines = state.Field("ln", "lines", "one cat", parse=str)
        named = state.Switch("s", "named")

    s, heard = Chosen(), state.SessionValue[list[str]]("heard", [])
    state.begin(Chosen)
    state.paragraph(
        s.lines,
        "Lines",
        height=99,
        most=7,
        named=s.named.get(),
        changed=lambda: heard.set([*heard.get(), s.lines.get()]),
    )
    state.end(Chosen)
    st.json(heard.get())


def test_a_list_of_lines_tells_who_waits_for_it() -> None:
    app = run(AppTest.from_function(lines))
    box = text_box(app, "lines control")
    assert (box.label, box.value, box.data["kind"]) == ("Lines", "one cat", "lines")
    assert (box.data["most"], box.data["named"], box.data["height"]) == (7, False, 99)
    assert box.data["pause"] is None  # told when all are typed
    box.set_value("two")
    run(app)
    assert found(app) == ["two"]


def test_what_each_box_is_like() -> None:
    app = more_of()
    words, end = (text_box(app, f"{name} control").data for name in ("words", "end"))
    assert (words["kind"], words["named"], words["placeholder"]) == ("paragraph", False, "words")
    assert (end["kind"], end["named"], end["most"]) == ("sentence", True, None)
    assert (words["pause"], end["pause"]) == (700, None)  # emptied, it would be filled again


def test_a_text_grows_into_many_lines_and_back_with_what_stands_in_it() -> None:
    app = more_of(t="two dogs")
    text_box(app, "words control").set_value("a long tale " * 20)
    run(app)
    assert text_box(app, "words control").value == "a long tale " * 20
    text_box(app, "words control").set_value("one cat")
    run(app)
    run(app)
    assert text_box(app, "words control").value == "one cat"
    assert app.query_params["t"] == "one cat"


def test_what_usually_stands_in_a_box_is_not_chosen() -> None:
    app = more_of()
    assert text_box(app, "end control").value == "river"
    text_box(app, "end control").set_value("money")
    run(app)
    assert app.query_params["e"] == "money"
    text_box(app, "end control").set_value("river")
    run(app)
    assert (found(app)[-1], app.query_params) == ("", {})


def two_pages() -> None:
    import streamlit as st

    from ui import state

    class First(state.PageState):
        size = state.Whole("n", "size", 5, 1, 40)

    class Second(state.PageState):
        name = state.Field("t", "name", "cat", parse=str)

    if st.session_state.get("second"):
        state.begin(Second)
        state.text(Second.name, "Name")
        state.end(Second)
        return
    state.begin(First)
    state.number(First.size, "Size")
    state.end(First)


def test_what_is_chosen_in_the_moment_in_which_a_page_is_left_is_there_when_one_comes_back() -> None:
    app = run(AppTest.from_function(two_pages))
    app.number_input(key="size control").set_value(31)
    app.session_state["second"] = True
    app.query_params.clear()
    run(app)
    assert text_box(app, "name control").value == "cat"
    app.session_state["second"] = False
    app.query_params.clear()
    run(app)
    assert app.number_input(key="size control").value == 31
    assert app.query_params == {"v": "2", "n": "31"}


def test_fields_in_tuples_stand_where_their_attribute_does() -> None:
    class Sides(PageState):
        sides = ((Whole("a", "first a", 1, 0, 9), Switch("b", "first b")), (Switch("c", "second"),))
        last = Switch("d", "last")
        neither = ("a name", 5)

    assert [one.url for one in Sides.link()] == [
        "a",
        "b",
        "c",
        "d",
        "j",
        "lesson",
        "present",
        "check",
        "at",
        "mine",
        "lang",
    ]


def test_the_name_of_a_growing_box_can_stand_above_it() -> None:
    app = run(AppTest.from_function(taking))
    assert text_box(app, "text control").data["named"]
    assert not text_box(app, "other control").data["named"]


def test_what_runs_after_the_page_reads_what_was_chosen_last(monkeypatch: pytest.MonkeyPatch) -> None:
    size, last = Whole("n", "size", 5, 1, 40), permalink.Now(page=("size",))
    stored: dict[str, object] = {"permalink now": last}
    monkeypatch.setattr("ui.session.st.session_state", stored)
    last.left[last.page] = {"size": 7}
    read = state.published()
    assert read(size) == 7
    size.set(9)  # and not yet published
    stored.clear()
    assert read(size) == 9
