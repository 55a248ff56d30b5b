"""Links to the encoder–decoder with invalid state: broken links, and those for other models."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.translation_reading import pictures, visit, words
from tests.visits import link, said
from ui import text
from ui.models import session_models


def test_a_stranger_is_led_to_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    led: list[tuple[str, dict[str, str]]] = []

    def noted(page: str, **said: Any) -> None:
        led.append((page, said["query_params"]))

    monkeypatch.setattr("ui.models.trained_links.st.page_link", noted)
    app = visit(tm="yours-0123abcd-1~reverse~n5", t="he sings")
    assert [error.value for error in app.error] == [text.plain(session_models.GONE)]
    assert led == [("pages/training/page.py", {"v": "2", "rc": "reverse~n5"})]
    assert words(app) == ["il", "chante", "[END]"]  # by the one that comes with Polysee
    assert link(app)["tm"] == "yours-0123abcd-1~reverse~n5"  # until another one is chosen


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ({"t": "   "}, "is empty"),
        ({"t": "x" * 100_001}, "larger than"),
        ({"t": "the cat " * 40}, "at most 64"),
        ({"t": "🙂 مرحبا <b>x</b> `$1$`"}, "does not know"),
        ({"tm": "zzz"}, "no translator named “zzz”"),
        ({"t": "the \u202e cat"}, "“right\\-to\\-left override”"),
    ],
)
def test_what_cannot_be_shown_is_said(url: dict[str, str], sentence: str) -> None:
    app = visit(**url)
    assert sentence in said(app)
    # For a missing model, the page also names the one shown instead.
    assert len([*app.error, *app.info]) == 1 + ("tm" in url)


@pytest.mark.parametrize(
    "url",
    [
        {"st": "64", "fw": "2.zèbre,9.chat", "l": "99", "h": "99", "q": "900", "k": "900"},
        {"st": "x", "fw": "~~", "te": "nan", "e": "<b>", "p": "?", "r": "x", "c": "2", "th": "nan"},
        {"e": "decoder", "p": "softmax", "h": "mean", "k": "99", "c": "0", "st": "4"},
        {"e": "encoder", "p": "softmax", "l": "2", "h": "9", "q": "99"},
        {"fw": ",".join(f"{n}.pas" for n in range(1, 25)), "st": "24"},
        {"fw": "1.[END]"},
        {"fw": "1.[PAD],2.ne,3.[PAD]"},
    ],
)
def test_hostile_links_fall_back(url: dict[str, str]) -> None:
    app = visit(**url)
    assert not [*app.error, *app.warning, *app.info]
    assert len(pictures(app)) == 2
    assert "zèbre" not in link(app).get("fw", "")
