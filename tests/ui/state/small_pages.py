"""Small pages with fields and controls, and how a test visits them."""

from __future__ import annotations

import importlib
import json
import pkgutil
from functools import partial
from unittest.mock import MagicMock

import pytest
from streamlit.testing.v1 import AppTest

from tests import visits
from tests.visits import run
from ui import session
from ui.state import control_sync, controls

_KINDS = [one.name for one in pkgutil.iter_modules(controls.__path__, f"{controls.__name__}.")]
# The modules of controls that draw with Streamlit.
DRAWING = [module for module in map(importlib.import_module, _KINDS) if hasattr(module, "st")]


def by(streamlit: MagicMock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw controls with this instead of Streamlit."""
    for module in (session, control_sync, *DRAWING):
        monkeypatch.setattr(module, "st", streamlit)


def page() -> None:
    """Two views, each with a size, one of which bounds the other; the drawn values are listed below."""
    import streamlit as st

    from ui import permalink, state

    class Chosen(state.PageState):
        view = state.Choice("p", "view", "one", ("one", "two"))
        size = state.Whole("n", "size", 5, 1, 40)
        at = state.Whole("i", "at", 3, 0, 999)
        name = state.Field("t", "name", "cat", parse=str)
        marked = state.Switch("s", "marked")
        letter = state.Choice("c", "letter", "b", "abc")

    s = Chosen()
    state.begin(Chosen)
    if "stop" in st.query_params:  # as a run ends that the next one overtakes
        st.stop()
    view = state.select(s.view, {"one": "First", "two": "Second"}, "View", style="segments")
    found: list[object] = [view]
    if view == "one":
        sizes = {"small": {s.size: 2, s.at: 1}, "large": {s.size: 40, s.at: 30}}
        state.presets("Sizes", sizes, resets=[s.name])
        size = state.number(s.size, "Size")
        found += [size, state.slider(s.at, "At", most=size - 1), state.text(s.name, "Name", most=9)]
    else:
        letters = {"a": "A", "c": "C"} if s.marked.get() else {"b": "B", "a": "A"}
        found += [state.toggle(s.marked, "Marked"), state.select(s.letter, letters, "Letter")]
    if "late" in st.query_params:
        st.stop()
    st.button("reset", on_click=permalink.go, args=(s.link(), {}))
    st.button("set", on_click=s.size.set, args=(17,))
    state.end(Chosen)
    st.json(found)


visit = partial(visits.visit, page)


def found(app: AppTest) -> list[object]:
    return list(json.loads(app.json[0].value))


def turn(app: AppTest, view: str) -> None:
    app.segmented_control(key="view control").set_value(view)
    run(app)
    run(app)  # Streamlit forgets what is not on the page in the second run without it


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click()
    run(app)


def parts() -> None:
    """A form of two boxes that make up one field, letters to choose, and a switch outside the link."""
    import streamlit as st

    from ui import state

    class Chosen(state.PageState):
        form = state.Field("f", "form", "2x0.5", parse=str)
        typed = state.Field("t", "typed", "", parse=str)
        letter = state.Choice("c", "letter", "a", "abc")

    s = Chosen()
    told = state.SessionValue("told", "")
    state.begin(Chosen)

    def split() -> tuple[int, float]:
        number, _, share = s.form.get().partition("x")
        return int(number), float(share)

    def number(value: int) -> None:
        if value > 9:
            told.set(f"{value} is too many")
        else:
            s.form.set(f"{value}x{split()[1]}")

    shown = state.SessionValue("shown", default=False)
    found: list[object] = [
        state.entry(state.Part("count", lambda: split()[0], number), "Count", step=1),
        state.entry(
            state.Part("share", lambda: split()[1], lambda x: s.form.set(f"{split()[0]}x{x}")),
            "Share",
            step=0.1,
        ),
        state.text(s.typed, "Typed", changed=lambda: s.letter.set("a")),
        state.select(s.letter, dict(zip("abc", "ABC", strict=True)), "Letter", width=100),
    ]
    state.offer("letters", "xyz", "Letters", lambda one: s.typed.set(s.typed.get() + one))
    found += [state.toggle(shown, "Shown"), told.take()]
    state.end(Chosen)
    st.json(found)


def form(**url: str) -> AppTest:
    app = AppTest.from_function(parts)
    app.query_params.update(url)
    return run(app)


def more() -> None:
    """The other controls: a part that runs alone, lists of items on the page, texts, a table."""
    import pandas as pd
    import streamlit as st

    from ui import page, state

    class Chosen(state.PageState):
        words = state.Field("t", "words", "a cat sat", parse=str)
        end = state.Field("e", "end", "", parse=str)
        at = state.Whole("q", "at", 1, 0, 999)
        depth = state.Choice("l", "depth", "0", ("0", "1", "2"))
        size = state.Choice("s", "size", "small", ("small", "large"))
        some = state.Field("w", "some", "cat", parse=str)
        cells = state.Field("c", "cells", "", parse=str)

    def changed(cells: str, more: list[tuple[int, str, object]]) -> str:
        return cells + "".join(f"{row}{column}={typed};" for row, column, typed in more)

    def alone(s: Chosen) -> None:
        said = s.words.get().split()
        names = {i: f"{word} ({i + 1})" for i, word in enumerate(said)}
        at = state.select(s.at, names, "Word", by_names=True)
        now = [word for word in s.some.get().split() if word in said]
        state.several(s.some, said, now, "Some", take=" ".join, most=2, placeholder="words")
        depth = state.select(s.depth, {"0": "none", "1": "one", "2": "two"}, "Depth", style="slider")
        state.table(s.cells, "A", lambda _: pd.DataFrame({"x": [1]}), take=changed, columns={})
        st.json([at, now, depth, s.size.get(), s.end.get()])

    s = Chosen()
    state.begin(Chosen)
    with st.sidebar:
        state.select(s.size, {"small": "Small", "large": "Large"}, "Size", style="radio")
    state.paragraph(s.words, "Words", placeholder="words", named=False)
    state.text(s.end, "End", default="river")
    page.part(alone, None, s)
    state.end(Chosen)


def more_of(**url: str) -> AppTest:
    app = AppTest.from_function(more)
    app.query_params.update(url)
    return run(app)


def taking() -> None:
    """A choice of items on the page, a switch with a callback, a box with a label and one without."""
    import streamlit as st

    from ui import state

    class Chosen(state.PageState):
        long = state.Switch("u", "long")
        hidden: state.Field[tuple[int, ...]] = state.Field(
            "mk",
            "hidden",
            (),
            parse=lambda typed: tuple(map(int, typed.split("."))),
            write=lambda numbers: ".".join(map(str, numbers)),
        )
        other = state.Field("m2", "other", "", parse=str)
        text = state.Field("t", "text", "", parse=str)

    s = Chosen()
    state.begin(Chosen)
    state.toggle(s.long, "Long", changed=lambda: s.hidden.set(()))
    words = ["a", "cat", "sat", "down"][: 4 if s.long.get() else 3]
    names = {i: f"{word} ({i})" for i, word in enumerate(words, start=1)}
    taken = state.some(s.hidden, names, "Hidden", placeholder="none")
    state.paragraph(s.text, "Named")
    state.paragraph(s.other, "Not named", named=False)
    state.end(Chosen)
    st.json([taken])
