"""Of a text that is too long for a view, the end is read; and the page says so in a visitor's words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pages.next_word import ending
from pages.next_word.state import NextWordState
from tests import visits
from tests.visits import said
from ui.models import model_cache

Made = Callable[..., Path]
LONG = "the old river bank " * 200 + "a kid saw the bank"


@pytest.fixture
def name(made: Made, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


def room(name: str) -> int:
    return model_cache.model(name).max_tokens


def test_a_text_that_fits_is_read_whole(name: str) -> None:
    assert ending.of(name, "a kid saw the bank") == "a kid saw the bank"
    assert ending.of(name, "") == ""


@pytest.mark.parametrize("written", [0, 5])
@pytest.mark.parametrize("text", [LONG, "😀" * 300, "שלום " * 300, "x" * 5_000])
def test_a_long_one_keeps_its_end_and_as_much_as_there_is_room_for(
    name: str, text: str, written: int
) -> None:
    read = ending.of(name, text, written)
    assert text.endswith(read)
    count = len(model_cache.model(name).untraced.read(read))
    assert room(name) - written - 8 <= count <= room(name) - written


@pytest.mark.parametrize("view", ["layers", "why"])
def test_the_headline_is_of_the_end_and_the_page_says_what_was_read(name: str, view: str) -> None:
    app = visits.visit("next_word", p=view, m=name, t=LONG)
    assert not app.exception, app.exception
    shown = said(app)
    assert "tokens are read" in shown
    assert "POLYSEE" not in shown
    assert "It was cut after" not in shown
    (expected,) = model_cache.model(name).expects(ending.of(name, LONG))
    word = expected.texts[0].strip()
    headlines = [str(one.value) for one in app.markdown if str(one.value).startswith("####")]
    assert any(word in one for one in headlines), (word, headlines)


def test_what_comes_next_follows_the_end_of_a_text_beyond_the_window(name: str) -> None:
    loaded = model_cache.model(name).untraced
    long = "the old river bank " * loaded.max_tokens + "a kid saw the bank"
    app = visits.visit("next_word", m=name, t=long)
    assert not app.exception, app.exception
    shown = said(app)
    assert "tokens are read" in shown
    assert "It was cut after" not in shown
    own = NextWordState()
    own.text.set(long)
    read = ending.read_of(own, name)
    assert long.endswith(read)
    assert len(loaded.read(read)) <= loaded.max_tokens // 2
    own.text.set(f"{long} and")
    assert ending.read_of(own, name) == f"{read} and"  # what was read is not read again
    headlines = [str(one.value) for one in app.markdown if str(one.value).startswith("####")]
    word = loaded.next_token(read).top(1).texts[0].strip()
    assert any(word in one for one in headlines), (word, headlines)
