"""A closed fold is not computed; a link with a choice inside opens it."""

from __future__ import annotations

from functools import partial

from streamlit.testing.v1 import AppTest

from tests import visits
from tests.pages.reading import text_box, text_boxes
from tests.visits import run


def page() -> None:
    import streamlit as st

    from pages.compare import folds
    from ui import state

    class Chosen(state.PageState):
        fold = state.Switch("fx", "fold x")
        other = state.Switch("fy", "fold y")
        inner = state.Field("q", "inner", "", parse=str)

    s = Chosen()
    state.begin(Chosen)
    folds.unfold(s.fold, (s.inner,))
    folds.unfold(s.other, ())

    def count(name: str) -> None:
        st.session_state[name] = st.session_state.get(name, 0) + 1

    def draw() -> None:
        count("drawn")
        state.text(s.inner, "Inside")

    folds.show("Why?", s.fold, draw)
    folds.show("And?", s.other, lambda: count("drawn of the other"))
    state.end(Chosen)


visit = partial(visits.visit, page)


def drawn(app: AppTest, name: str = "drawn") -> int:
    return int(app.session_state[name]) if name in app.session_state else 0


def test_closed_it_computes_nothing() -> None:
    app = visit()
    assert [fold.label for fold in app.expander] == ["Why?", "And?"]
    for _ in range(2):
        assert drawn(app) == drawn(app, "drawn of the other") == 0
        assert not text_boxes(app)
        run(app)
    assert app.query_params == {}


def test_opened_it_computes_what_is_in_it_alone() -> None:
    app = visit()
    app.session_state["fold x"] = True
    run(app)
    assert drawn(app) == 1
    assert drawn(app, "drawn of the other") == 0
    assert app.query_params == {"v": "2", "fx": "1"}
    app.session_state["fold x"] = False
    run(app)
    assert drawn(app) == 1
    assert app.query_params == {}


def test_a_link_opens_it() -> None:
    app = visit(fx="1")
    assert drawn(app) == 1
    assert drawn(app, "drawn of the other") == 0
    assert drawn(visit(fx="maybe")) == 0


def test_a_link_that_chooses_something_inside_opens_it() -> None:
    app = visit(q="asked")
    assert text_box(app, "inner control").value == "asked"
    assert app.query_params == {"v": "2", "q": "asked", "fx": "1"}
    # A visitor who then closes it is obeyed, and the choices inside stay.
    app.session_state["fold x"] = False
    run(app)
    assert not text_boxes(app)
    assert app.query_params == {"v": "2", "q": "asked"}
    app.session_state["fold x"] = True
    assert text_box(run(app), "inner control").value == "asked"
