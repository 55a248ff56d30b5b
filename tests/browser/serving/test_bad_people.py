"""A program instead of a browser sends invalid messages: no traceback, and the page still works.

A few visits are part of `make check`; `make fuzz` makes many.
"""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import urlencode

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.browser.conftest import Server
from tests.fuzz.nasty import NASTY
from tests.tiers import some
from tools.streamlit_client import Visitor, wait_for
from tools.streamlit_page import Broken
from tools.streamlit_widgets import as_typed, text_box
from ui.serving import routes

PAGES = ("", *routes.PAGES)
# Parameters of links, of all pages.
KEYS = (
    "m", "m2", "a", "b", "w", "w2", "o", "o2", "lo", "hi", "p", "l", "h", "d", "s", "j", "v", "z", "t",
    "t2", "q", "k", "r", "on", "ln", "n", "st", "sp", "tk", "x", "y", "vw", "th", "so", "pin",
    "fs", "fw", "fi", "fa", "fd", "fn", "yi", "yk", "yw", "yr", "yl", "yh",
    "ya",
)  # fmt: skip
EVENTS = ("state", "cell", "head", "depth", "bar", "wanted", "typed", "nonsense")
STEPS = 12
WRONG = ("Traceback", "Error:", "Something went wrong")


def _value(rng: random.Random, deep: int = 0) -> Any:
    """A plain value of any kind."""
    plain = [None, True, -1, 0, 3, 10**18, 1e309, -0.5, float("nan"), rng.choice(NASTY)]
    if deep < 2 and rng.random() < 0.4:
        names = ("row", "column", "layer", "head", "query", "key", "on", "level", "token", "index", "x")
        inner = {rng.choice(names): _value(rng, deep + 1) for _ in range(3)}
        return rng.choice([inner, [*inner.values()]])
    return rng.choice(plain)


def _state(kind: str, widget: Any, rng: random.Random) -> WidgetState | None:
    """A value that a widget accepts: Streamlit itself refuses all others."""
    state = WidgetState(id=widget.id)
    typed = rng.choice(NASTY)
    if kind in ("text_input", "text_area"):
        state.string_value = typed
    elif kind == "checkbox":
        state.bool_value = rng.random() < 0.5
    elif kind == "button":
        state.trigger_value = True
    elif kind == "number_input":
        state.double_value = rng.choice([widget.min, widget.max, widget.default, -5.5, 1e9])
    elif kind == "slider" and widget.options:
        state.string_array_value.data.append(rng.choice(widget.options))
    elif kind == "slider":
        state.double_array_value.data.append(rng.choice([widget.min, widget.max]))
    elif kind == "selectbox" and widget.options:
        near = [option for option in widget.options if not option.endswith(" MB)")]  # not on the hub
        state.string_value = rng.choice(near)
    elif kind == "button_group":
        labels = [option.content for option in widget.options]
        state.string_array_value.data.append(rng.choice(labels))
    else:
        return None
    return state


async def _visit(host: str, page: str, seed: int) -> None:
    """Open a link with random values, then send random values to every kind of widget and picture."""
    rng = random.Random(seed)
    link = {rng.choice(KEYS): rng.choice([*NASTY, "1", "3", "-1", "bank", "minilm"]) for _ in range(4)}
    query = urlencode({key: value.encode("utf-8", "replace") for key, value in link.items()})
    done = [f"/{page}?{query}"[:300]]
    async with Visitor(host, page, query[:6_000]) as visitor:
        try:
            await visitor.open()
            for _ in range(STEPS):
                kind, widget, fragment = rng.choice(visitor.page.widgets())
                if text_box(widget) and rng.random() < 0.7:
                    typed = as_typed(widget, rng.choice(NASTY))
                    if rng.random() < 0.3:
                        typed.json_value = json.dumps(rng.choice([{"typed": _value(rng)}, _value(rng)]))
                    done.append(str(typed)[:200])
                    await visitor.send(typed, fragment)
                elif kind == "bidi_component":
                    event, value = rng.choice(EVENTS), _value(rng)
                    done.append(f"{widget.id}: {event} {value!r}"[:200])
                    await visitor.tell(widget.id, fragment, event, value)
                elif (state := _state(kind, widget, rng)) is not None:
                    done.append(str(state)[:200])
                    await visitor.send(state, fragment)
                said = visitor.page.sentences()
                assert not any(wrong in said for wrong in WRONG), said
        except (Broken, AssertionError) as error:
            raise AssertionError(f"{error}\n" + "\n".join(done)) from error


@pytest.mark.usefixtures("only_here")
@pytest.mark.parametrize("page", some(PAGES, 3))
def test_whatever_is_sent_the_page_goes_on(page: str, server: Server) -> None:
    wait_for(_visit(server.url.removeprefix("http://"), page, seed=7))
    assert "Traceback" not in server.log


@pytest.mark.fuzz
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_sent_the_page_goes_on_many_times(page: str, seed: int, server: Server) -> None:
    wait_for(_visit(server.url.removeprefix("http://"), page, seed=100 + seed))
    assert "Traceback" not in server.log
