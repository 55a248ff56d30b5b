from __future__ import annotations

from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from ui import compressed_state, formats, permalink
from ui.state import Choice


def page() -> None:
    import streamlit as st

    from ui import permalink
    from ui.state import Field, Switch, Whole

    state = (
        Field("a", "typed", "hello", parse=str),
        Whole("l", "layer", 2, 1, 5),
        Switch("s", "special"),
        Field("x", "only sometimes", "x", parse=str),
    )
    permalink.restore(state)
    if "stop" in st.query_params:  # as a run ends that the next one overtakes
        st.stop()
    st.text_input("Text", key="typed")
    st.select_slider("Layer", range(1, 6), key="layer")
    st.toggle("Special", key="special")
    if st.session_state["layer"] < 5:
        st.text_input("Extra", key="only sometimes")
    st.button("go", on_click=permalink.go, args=(state, {"a": "there", "l": "3"}))
    if not permalink.publish(state):
        st.caption("too long for a link")
    st.code(permalink.link("http://here/?old=1", permalink.now()))


def test_a_page_may_open_with_another_value_than_links_mean_that_leave_it_out() -> None:
    size = Choice("p", "size", "tiny", ("tiny", "large"), default_in_link="large")
    other = Choice("a", "other", "x", ("x", "y"))
    fields = (size, other)
    for url, meant in (
        ({}, "tiny"),
        ({"v": "2"}, "tiny"),
        ({"v": "2", "a": "y"}, "large"),
        ({"a": "x"}, "large"),
        ({"v": "1", "a": "y"}, "large"),
        ({"p": "nonsense"}, "large"),
        ({"p": "tiny"}, "tiny"),
    ):
        assert permalink._read(size, url) == meant
    for first in ("tiny", "large"):
        for second in ("x", "y"):
            values = {"size": first, "other": second}
            url = permalink._query(fields, values)
            assert {one.key: permalink._read(one, url) for one in fields} == values, url
    assert permalink._query(fields, {"size": "tiny", "other": "x"}) == {}


def visit(**url: str) -> AppTest:
    app = AppTest.from_function(page)
    follow(app, **url)
    return app


def follow(app: AppTest, **url: str) -> None:
    """Do what a link, Back and Forward do: change the URL, and run the script."""
    app.query_params.clear()
    app.query_params.update(url)
    with patch("ui.permalink.by_history", lambda: True):
        app.run()
    assert not app.exception


def shown(app: AppTest) -> tuple[str, int, bool]:
    return (
        str(app.text_input(key="typed").value),
        int(str(app.select_slider(key="layer").value)),
        bool(app.toggle(key="special").value),
    )


def url(app: AppTest) -> dict[str, str]:
    return {key: str(value) for key, value in app.query_params.items()}


def test_a_page_at_its_defaults_has_a_bare_url() -> None:
    app = visit()
    assert shown(app) == ("hello", 2, False)
    assert url(app) == {}


def test_a_link_sets_the_page_and_stays_in_the_url() -> None:
    link = {"v": "2", "a": "a & b? ü", "l": "4", "s": "1"}
    app = visit(**link)
    assert shown(app) == ("a & b? ü", 4, True)
    assert url(app) == link


def test_what_a_visitor_changes_goes_into_the_url_and_back_again() -> None:
    app = visit()
    app.text_input(key="typed").set_value("x=1&y").run()
    app.select_slider(key="layer").set_value(5).run()
    app.toggle(key="special").set_value(True).run()
    assert url(app) == {"v": "2", "a": "x=1&y", "l": "5", "s": "1"}
    assert shown(visit(**url(app))) == ("x=1&y", 5, True)
    app.toggle(key="special").set_value(False).run()
    app.text_input(key="typed").set_value("hello").run()
    app.select_slider(key="layer").set_value(2).run()
    assert url(app) == {}


def test_an_emptied_text_is_not_the_default() -> None:
    app = visit()
    app.text_input(key="typed").set_value("").run()
    assert url(app) == {"v": "2", "a": ""}
    assert shown(visit(**url(app)))[0] == ""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("l", "0"),
        ("l", "6"),
        ("l", "-1"),
        ("l", "x"),
        ("l", ""),
        ("l", "2.5"),
        ("l", "1e0"),
        ("l", "²"),
        ("l", "9" * 5000),
        ("s", "2"),
        ("s", "true"),
        ("s", ""),
    ],
)
def test_a_value_that_cannot_be_read_falls_back_to_the_default(key: str, value: str) -> None:
    app = visit(a="kept", **{key: value})
    assert shown(app) == ("kept", 2, False)
    assert url(app) == {"v": "2", "a": "kept"}


def test_what_could_not_be_read_is_known_until_the_page_changes() -> None:
    app = visit(a="kept", l="x", s="2")
    assert now_of(app).unread == ("l=x", "s=2")
    app.toggle(key="special").set_value(True).run()
    assert unread_of(app) == ()
    follow(app, a="other")
    assert now_of(app).unread == unread_of(app) == ()


def now_of(app: AppTest) -> permalink.Now:
    found: permalink.Now = app.session_state["permalink now"]
    return found


def unread_of(app: AppTest) -> tuple[str, ...]:
    with (
        patch("ui.permalink.now", lambda: now_of(app)),
        patch("ui.permalink._values", lambda fields: now_of(app).values),
    ):
        return permalink.unread()


def test_an_unknown_parameter_is_dropped() -> None:
    app = visit(zzz="1", utm="x")
    assert shown(app) == ("hello", 2, False)
    assert url(app) == {}


def test_a_parameter_given_twice_does_not_break_the_page() -> None:
    app = AppTest.from_function(page)
    app.query_params["l"] = ["3", "4"]
    app.run()
    assert not app.exception
    assert shown(app)[1] in (3, 4)


def test_back_and_forward() -> None:
    app = visit()
    app.text_input(key="typed").set_value("one").run()
    first = url(app)
    app.text_input(key="typed").set_value("two").run()
    app.toggle(key="special").set_value(True).run()
    last = url(app)
    follow(app, **first)
    assert shown(app) == ("one", 2, False)
    assert url(app) == first
    follow(app)
    assert shown(app) == ("hello", 2, False)
    assert url(app) == {}
    follow(app, **last)
    assert shown(app) == ("two", 2, True)
    assert url(app) == last


def test_a_visitor_may_go_on_after_back() -> None:
    app = visit(v="1", a="one", l="4")
    follow(app, v="1", a="zero")
    app.toggle(key="special").set_value(True).run()
    assert shown(app) == ("zero", 2, True)
    assert url(app) == {"v": "2", "a": "zero", "s": "1"}


def test_a_button_sets_the_page_as_a_link_would() -> None:
    app = visit(v="1", a="one", l="5", s="1")
    app.button[0].click().run()
    assert shown(app) == ("there", 3, False)
    assert url(app) == {"v": "2", "a": "there", "l": "3"}


def test_a_control_that_is_away_for_a_while_keeps_its_value() -> None:
    app = visit()
    app.text_input(key="only sometimes").set_value("mine").run()
    app.select_slider(key="layer").set_value(5).run()
    assert len(app.text_input) == 1
    app.text_input(key="typed").set_value("meanwhile").run()
    app.select_slider(key="layer").set_value(1).run()
    assert app.text_input(key="only sometimes").value == "mine"
    assert url(app)["x"] == "mine"


def test_readers_of_values() -> None:
    assert formats.Whole(1, 5)("5") == 5
    assert [formats.Switch()(t) for t in "01"] == [False, True]


def test_a_long_state_is_packed_and_comes_back() -> None:
    arabic = " ".join(f"ضفة النهر الجميلة رقم {i} " for i in range(300))
    assert len(arabic.encode()) > 10_000
    app = visit()
    app.text_input(key="typed").set_value(arabic).run()
    app.select_slider(key="layer").set_value(4).run()
    link = url(app)
    assert set(link) == {"v", "z"}
    assert len(link["z"]) < permalink.MOST
    assert shown(visit(**link)) == (arabic, 4, False)


def test_what_a_picture_wrote_beside_a_packed_state_is_newer() -> None:
    word = compressed_state.pack({"a": "from afar", "l": "4", "s": "1"})
    assert shown(visit(v="1", z=word, l="3", s="")) == ("from afar", 3, False)
    app = visit(v="1", z=word, l="3")
    assert url(app) == {"v": "2", "a": "from afar", "l": "3", "s": "1"}


def test_a_state_too_long_for_any_link_is_told_and_kept_on_the_page() -> None:
    noise = "".join(chr(0x4E00 + (i * 7919 + i * i * 31) % 20000) for i in range(6000))
    app = visit()
    app.text_input(key="typed").set_value(noise).run()
    assert url(app) == {}
    assert "too long for a link" in app.caption[0].value
    assert shown(app)[0] == noise
    app.select_slider(key="layer").set_value(3).run()
    assert shown(app) == (noise, 3, False)


@pytest.mark.parametrize(
    "word", ["", "!", "AAAA", "x" * 9999, compressed_state.pack({"l": "9", "s": "?"})]
)
def test_a_packed_link_that_cannot_be_read_opens_the_page_as_it_is(word: str) -> None:
    assert shown(visit(v="1", z=word)) == ("hello", 2, False)


def test_a_control_moved_before_the_last_url_arrived_is_not_undone() -> None:
    """The browser then sends the query string of the run before the last with the new value."""
    app = visit()
    app.select_slider(key="layer").set_value(3).run()
    app.query_params.clear()  # what the browser still has: the bare URL
    app.select_slider(key="layer").set_value(4).run()
    assert shown(app) == ("hello", 4, False)
    assert url(app) == {"v": "2", "l": "4"}
    app.query_params.clear()
    app.query_params.update({"v": "2", "l": "3"})
    app.toggle(key="special").set_value(True).run()
    assert shown(app) == ("hello", 4, True)
    app.button[0].click()  # pressed while the browser still has an older URL
    app.query_params.clear()
    app.run()
    assert shown(app) == ("there", 3, False)
    follow(app, v="1", l="2")  # a link, Back or Forward
    assert shown(app) == ("hello", 2, False)


def test_what_was_published_last_is_there_for_what_runs_later() -> None:
    app = visit(a="é & x")
    assert app.code[0].value == "http://here/?v=2&a=%C3%A9+%26+x"
    app.select_slider(key="layer").set_value(3).run()
    assert app.code[0].value.endswith("&l=3")
    assert visit().code[0].value == "http://here/?old=1"


@pytest.mark.parametrize(("read", "value"), [("b", "b"), ("a", "a")])
def test_one_of_reads_its_words_and_no_other(read: str, value: str) -> None:
    assert formats.Words(("a", "b"))(read) == value
    with pytest.raises(ValueError, match="c"):
        formats.Words(("a", "b"))("c")


def test_back_pressed_again_before_the_page_has_run_leads_to_the_last_url() -> None:
    app = visit()
    for layer in (3, 4, 5):
        app.select_slider(key="layer").set_value(layer).run()
    follow(app, v="1", l="4", stop="1")
    follow(app, v="1", l="3", stop="1")
    follow(app)
    assert shown(app) == ("hello", 2, False)
    assert url(app) == {}


def two_pages() -> None:
    import streamlit as st

    from ui import permalink
    from ui.state import Field

    along = Field("m", "along", "first", parse=str, scope="app")
    text = Field("t", f"text {st.session_state['page']}", "hello", parse=str)
    permalink.restore((along, text))
    st.text_input("Along", key=along.key)
    st.text_input("Text", key=text.key)
    permalink.publish((along, text))


def go_to(app: AppTest, page: int, **url: str) -> list[str]:
    """Do what the app's menu does: open another page, with a bare URL."""
    app.session_state["page"] = page
    app.query_params.clear()
    app.query_params.update(url)
    app.run()
    assert not app.exception
    return [str(box.value) for box in app.text_input]


def test_a_page_is_found_as_it_was_left_and_a_model_goes_along() -> None:
    app = AppTest.from_function(two_pages)
    assert go_to(app, 1) == ["first", "hello"]
    app.text_input[1].set_value("mine").run()
    assert go_to(app, 2) == ["first", "hello"]
    app.text_input[0].set_value("second").run()
    assert go_to(app, 1) == ["second", "mine"]
    assert url(app) == {"v": "2", "m": "second", "t": "mine"}
    assert go_to(app, 2, t="a link's") == ["first", "a link's"]  # which says all
    with patch("ui.permalink.by_history", lambda: True):
        assert go_to(app, 1) == ["first", "hello"]
