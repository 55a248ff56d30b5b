"""Actions of a visitor while a callback runs: messages a few milliseconds apart."""

from __future__ import annotations

import json
import threading
from unittest.mock import patch

import pytest
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest

from tests.pages.reading import text_box
from ui import callbacks, permalink
from ui.models.work_queue import WorkQueue


def page() -> None:
    """Two texts, and a button that sets both and a number."""
    import streamlit as st

    from ui import permalink, state

    class Chosen(state.PageState):
        one = state.Field("a", "one", "", parse=str)
        other = state.Field("b", "other", "", parse=str)
        size = state.Whole("n", "size", 1, 1, 9)

    s = Chosen()
    state.begin(Chosen)
    state.text(s.one, "One")
    state.text(s.other, "Other")
    all_of_it = {"a": "two dogs", "b": "three dogs", "n": "4"}
    st.button("Example", on_click=permalink.go, args=(s.link(), all_of_it))
    st.json([s.one.get(), s.other.get(), s.size.get()])
    state.end(Chosen)


class Meanwhile:
    """Request another run, as a browser does, when the session has been accessed so many times."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.touched = 0
        self.begin = SafeSessionState.on_script_will_rerun
        self.read = SafeSessionState.__getitem__
        self.write = SafeSessionState.__setitem__
        self.calling_back = False

    def touch(self) -> None:
        self.touched += self.calling_back
        if self.calling_back and self.touched == self.at:
            context = get_script_run_ctx()
            assert context is not None
            assert context.script_requests is not None
            context.script_requests.request_rerun(RerunData())

    def run(self, app: AppTest) -> None:
        def begin(session: SafeSessionState, *args: object, **more: object) -> None:
            self.calling_back = True
            try:
                self.begin(session, *args, **more)  # type: ignore[arg-type]
            finally:
                self.calling_back = False

        def read(session: SafeSessionState, key: str) -> object:
            self.touch()
            return self.read(session, key)

        def write(session: SafeSessionState, key: str, value: object) -> None:
            self.touch()
            self.write(session, key, value)

        with (
            patch.object(SafeSessionState, "on_script_will_rerun", begin),
            patch.object(SafeSessionState, "__getitem__", read),
            patch.object(SafeSessionState, "__setitem__", write),
        ):
            app.run()
        assert not app.exception, app.exception


@pytest.mark.parametrize("at", range(1, 9))
def test_a_text_is_taken_though_another_run_is_asked_for(at: int) -> None:
    app = AppTest.from_function(page).run()
    text_box(app, "one control").set_value("a cat")
    text_box(app, "other control").set_value("a mouse")
    meanwhile = Meanwhile(at)
    meanwhile.run(app)
    assert meanwhile.touched >= at  # it was asked for
    assert json.loads(app.json[0].value) == ["a cat", "a mouse", 1]
    assert [text_box(app, f"{name} control").value for name in ("one", "other")] == ["a cat", "a mouse"]
    assert dict(app.query_params) == {**permalink.VERSION, "a": "a cat", "b": "a mouse"}


@pytest.mark.parametrize("at", range(1, 5))
def test_a_button_sets_all_that_it_sets_though_another_run_is_asked_for(at: int) -> None:
    app = AppTest.from_function(page).run()
    app.button[0].click()
    meanwhile = Meanwhile(at)
    meanwhile.run(app)
    assert meanwhile.touched >= at
    assert json.loads(app.json[0].value) == ["two dogs", "three dogs", 4]
    assert dict(app.query_params) == {**permalink.VERSION, "a": "two dogs", "b": "three dogs", "n": "4"}


QUEUE = WorkQueue(1)


def waiting() -> None:
    """A title, a button whose callback waits for its turn, and a button for which the page waits."""
    import streamlit as st

    from tests.ui.test_callbacks import QUEUE
    from ui import callbacks
    from ui.models.work_queue import waiting_room

    def ask() -> None:
        assert callbacks.running()
        with waiting_room(QUEUE, "A long text"):
            pass

    st.title("A page")
    st.button("In a callback", on_click=ask)
    if st.button("On the page"):
        assert not callbacks.running()
        with waiting_room(QUEUE, "A long text"):
            pass


@pytest.mark.parametrize(("button", "drawn"), [(0, 0), (1, 1)])
def test_what_a_callback_waits_for_is_not_drawn_above_the_page(button: int, drawn: int) -> None:
    app = AppTest.from_function(waiting).run()
    before = len(app.main.children)
    at_work, over = threading.Event(), threading.Event()

    def work() -> None:
        with QUEUE.turn(lambda position: None):
            at_work.set()
            over.wait(5)

    threading.Thread(target=work, daemon=True).start()
    assert at_work.wait(5)
    threading.Timer(0.5, over.set).start()
    app.button[button].click()
    app.run()
    assert not app.exception, app.exception
    assert over.is_set()  # it did wait
    assert app.main.children[0].type == "title"
    # The message that the page was waiting has been removed.
    assert len(app.main.children) == before + drawn


def test_it_is_set_up_once() -> None:
    callbacks.keep_whole()
    once = SafeSessionState.on_script_will_rerun
    callbacks.keep_whole()
    assert SafeSessionState.on_script_will_rerun is once
