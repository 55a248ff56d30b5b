"""The frame around every page, and a part of a page that runs alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from ui import page, permalink, state
from ui.page import frame, prose
from ui.permalink import Fields, Now
from ui.state import Whole

STEP = Whole("st", "step", 3, 1, 9)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {STEP.key: 3}
    last = Now(fields=(STEP,), page=(STEP.key,), published={STEP.key: 3})
    monkeypatch.setattr("ui.permalink.st.session_state", kept)
    monkeypatch.setattr(permalink, "now", lambda: last)
    return kept


def test_a_part_that_runs_alone_publishes_what_was_chosen_in_it(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[int] = []

    def publish(fields: Fields) -> None:
        assert fields == (STEP,)
        published.append(session[STEP.key])
        permalink.now().published = {STEP.key: session[STEP.key]}

    parts: list[tuple[Callable[[], None], float | None]] = []

    def fragment(body: Callable[[], None], *, run_every: float | None) -> Callable[[], None]:
        parts.append((body, run_every))
        return body

    monkeypatch.setattr(permalink, "publish", publish)
    monkeypatch.setattr("ui.page.script.st.fragment", fragment)
    drawn: list[str] = []
    session[STEP.key] = 4
    page.part(drawn.append, 0.7, "one")
    assert (drawn, published) == (["one"], [])  # the page publishes at its end
    ((alone, every),) = parts
    assert every == 0.7
    alone()
    assert (drawn, published) == (["one", "one"], [4])
    alone()  # by itself, with nothing chosen: what Back is about to change stays
    assert published == [4]
    session[STEP.key] = 5
    alone()
    assert published == [4, 5]


def test_a_part_whose_page_was_overtaken_publishes_as_well(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[Fields] = []
    parts: list[Callable[[], None]] = []
    overtaken = [True]

    def body() -> None:
        if overtaken.pop():
            raise RuntimeError

    monkeypatch.setattr(permalink, "publish", published.append)

    def fragment(drawn: Callable[[], None], **_: object) -> Callable[[], None]:
        parts.append(drawn)
        return drawn

    monkeypatch.setattr("ui.page.script.st.fragment", fragment)
    with pytest.raises(RuntimeError):
        page.part(body)
    overtaken.append(False)
    session[STEP.key] = 4
    parts[0]()
    assert published == [(STEP,)]


def test_the_page_says_at_its_end_when_a_text_typed_in_a_part_no_longer_fits_its_link(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[Callable[[], None]] = []
    whole: list[bool] = []

    def publish(fields: Fields) -> None:
        permalink.now().published = {**session}
        permalink.now().fits = session[STEP.key] < 5

    def fragment(body: Callable[[], None], **_: object) -> Callable[[], None]:
        parts.append(body)
        return body

    monkeypatch.setattr(permalink, "publish", publish)
    monkeypatch.setattr("ui.page.script.st.fragment", fragment)
    monkeypatch.setattr("ui.page.script.st.rerun", lambda: whole.append(True))
    page.part(lambda: None)
    for chosen, runs in ((4, 0), (5, 1), (6, 1), (2, 2)):
        session[STEP.key] = chosen
        parts[0]()
        assert len(whole) == runs


@pytest.mark.parametrize(
    ("itself", "order"),
    [
        ("", ["body", "tools", "try", "computed", "notes"]),
        ("tools", ["body", "try", "computed", "notes"]),
        ("computed", ["body", "tools", "try", "notes"]),
    ],
)
def test_a_page_draws_itself_what_it_says_that_it_does(
    monkeypatch: pytest.MonkeyPatch, itself: str, order: list[str]
) -> None:
    drawn: list[str] = []
    names = {"head": "", "tools": "tools", "try_this": "try"}
    names |= {"computed": "computed", "limitations": "notes"}
    for name, said in names.items():
        monkeypatch.setattr(frame, name, lambda *_, said=said: drawn.append(said) if said else 0)
    for name in ("begin", "end"):
        monkeypatch.setattr(state, name, lambda _: True)
    words = prose.Prose("", "", (), (), "", "")
    monkeypatch.setattr(prose, "read", lambda *_: words)
    page.run(
        "pages/a/page.py",
        state.PageState,
        lambda _: drawn.append("body"),
        tools=itself != "tools",
        computed=itself != "computed",
    )
    assert drawn == order


def test_streamlit_offers_no_csv_of_its_own_beside_ours() -> None:
    """Its file would hold formulas that somebody typed; the names are those of Streamlit's scripts."""
    scripts = Path(st.__file__).parent / "static" / "static" / "js"
    table, bar = (
        "".join(one.read_text("utf-8") for one in scripts.glob(f"{name}*.js"))
        for name in ("DataFrame", "Toolbar")
    )
    assert "label:`Download as CSV`" in table
    assert '"data-testid":`stElementToolbarButton`' in bar
    assert '[data-testid="stElementToolbarButton"]:has([aria-label^="Download as CSV"])' in frame._STYLE
