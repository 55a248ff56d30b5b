"""The view "Why this word": its sentences, pictures and changes, on a small random decoder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import core
from tests import visits
from tests.pages.reading import drawn, text_box
from tests.visits import said

Made = Callable[..., Path]
TEXT = "On the river bank"


@pytest.fixture
def name(made: Made, monkeypatch: pytest.MonkeyPatch) -> str:
    """A decoder that the app offers."""
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    return folder.name


@pytest.fixture
def model(made: Made) -> core.Model:
    loaded: core.Model = core.load(str(made("llama")))
    return loaded


def visit(**url: str) -> AppTest:
    app = visits.visit("next_word", p="why", **url)
    assert not app.exception, app.exception
    return app


def numbers(app: AppTest, file: str) -> tuple[dict[str, Any], np.ndarray]:
    (found,) = (one for one in drawn(app) if one[0]["file"] == f"polysee-{file}")
    return found[0], np.frombuffer(found[1], "<f4")


def both(model: core.Model) -> tuple[int, int]:
    """The tokens with which " bank" and " river" begin."""
    return model.first_token(" bank")[0], model.first_token(" river")[0]


def test_the_lists_belong_to_their_text(name: str) -> None:
    # A browser keeps a list's name of an option: in the list of another text it would count as typed.
    def lists(text: str) -> dict[str, str | None]:
        return {one.label: one.key for one in visit(m=name, t=text).selectbox}

    one, other = lists(TEXT), lists("Tomorrow we swim")
    assert one["Why"] != other["Why"]
    assert one["rather than"] != other["rather than"]


def test_the_bars_are_the_sum_behind_the_difference(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT, wy=" bank", wo=" river")
    parts = model.why(TEXT, *both(model))
    _, words = numbers(app, "why-words")
    assert words.sum() == pytest.approx(parts.whole, abs=1e-4)
    _, shades = numbers(app, "why-text")
    np.testing.assert_allclose(shades, parts.sources.by_token, atol=1e-5)
    grid, cells = numbers(app, "why-parts")
    cells = cells.reshape(len(grid["rows"]), -1)
    np.testing.assert_allclose(cells[:, :-2], parts.by_head, atol=1e-5)
    np.testing.assert_allclose(cells[:, -2], parts.feed_forward, atol=1e-5)
    where = "higher" if parts.whole >= 0 else "lower"
    assert f"**{abs(parts.whole):.2f}** {where} than *" in said(app)


def test_one_logit_alone(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT, wy=" bank", wo="-")
    _, words = numbers(app, "why-words")
    assert words.sum() == pytest.approx(model.why(TEXT, " bank").whole, abs=1e-4)
    assert "has a score of" in said(app)


def test_a_token_in_the_text(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT, wy=" bank", wo=" river", at="2")
    cut = TEXT[: model.read(TEXT).offsets[1][1]]
    _, shades = numbers(app, "why-text")
    assert len(shades) == 2
    assert shades.sum() == pytest.approx(model.why(cut, *both(model)).sources.by_token.sum(), abs=1e-4)


def test_changes_are_run(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT, wy=" bank", wo=" river", wc="1", wh="2.3")
    last = len(model.read(TEXT).ids) - 1
    now = model.expects_changed(TEXT, core.Cut(last, 0), core.Ablate(1, 2))
    gap = float(now.logits[both(model)[0]] - now.logits[both(model)[1]])
    assert f"is **{gap:.2f}**".replace("-", "−") in said(app)
    header, shown = numbers(app, "why-after")
    assert len(shown) == 2 * len(header["labels"])


def test_a_word_is_replaced(name: str, model: core.Model) -> None:
    app = visit(m=name, t=TEXT, wy=" bank", wo=" river", wr="3", wn="old old", wc="4")
    (after,) = model.expects("On the old old bank")
    assert "With the change" in said(app)
    assert after.position == len(model.read("On the old old bank").ids) - 1


@pytest.mark.parametrize(
    "link",
    [
        {"wy": ""},
        {"wy": "riverbankbank", "wo": "🎣"},
        {"wy": " ", "wo": " bank"},
        {"wy": " bank", "wo": " bank"},
        {"wh": "99.99", "wc": "99.1", "wr": "88", "wn": "<b>x</b>"},
        {"wh": "x", "wc": "-1", "at": "77"},
        {"wr": "1", "wn": "   "},
    ],
)
def test_no_link_is_an_error(name: str, link: dict[str, str]) -> None:
    visit(m=name, t=TEXT, **link)


def test_a_word_of_several_tokens_says_so(name: str) -> None:
    assert "no single token" in said(visit(m=name, t=TEXT, wy="riverbankbank"))


def test_another_text_forgets_the_changes(name: str) -> None:
    app = visit(m=name, t=TEXT, wh="1.1")
    assert "With the change" in said(app)
    text_box(app, "next word text control").set_value("The old river").run()
    assert not app.exception
    assert "With the change" not in said(app)


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ({"wr": "77"}, "asks for word 77, and there are 4: no word is replaced"),
        ({"wc": "99"}, "asks for token 99"),
        ({"wh": "99.1"}, "asks for head 1 of layer 99"),
        ({"at": "77"}, "asks for token 77"),
    ],
)
def test_what_a_link_asks_for_and_is_not_there_is_said(
    name: str, link: dict[str, str], says: str
) -> None:
    assert says in said(visit(m=name, t=TEXT, wy=" bank", wo=" river", **link))
    here = visit(m=name, t=TEXT, wy=" bank", wo=" river", wr="4", wc="2", wh="1.1")
    assert "The link asks for" not in said(here)
