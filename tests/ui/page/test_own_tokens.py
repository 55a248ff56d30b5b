"""The tokens that examples choose, where a model puts no token of its own before a text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import core
from ui.models import model_cache
from ui.page import own_tokens, prose

PAGES = Path(__file__).resolve().parents[3] / "pages"


def chosen(words: prose.Prose) -> list[tuple[str, ...]]:
    of = ({"q": "", "k": "", "ti": "", **dict(one.state)} for one in (*words.tries, *words.more))
    return [(one["ti"], one["q"], one["k"]) for one in of]


def test_a_word_stands_one_place_earlier_where_nothing_stands_in_front(
    minilm: core.Model, made: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = prose.read(str(PAGES / "embeddings" / "page.py"), "words")
    steps = prose.read(str(PAGES / "step_by_step" / "page.py"))
    # GPT-2 has no token in front, MiniLM has [CLS]; a model that is not loaded yet is asked nothing.
    for model, places in ((core.load(str(made("gpt2"))), "5 11"), (minilm, "6 12"), (None, "6 12")):
        monkeypatch.setattr(model_cache, "if_loaded", lambda name, found=model: found)
        assert chosen(own_tokens.counted(words))[0] == ("", *places.split())
        before, after = chosen(steps), chosen(own_tokens.counted(steps))
        tiny = [i for i, (ti, *_) in enumerate(before) if ti == "1"]
        assert tiny
        assert [after[i] for i in tiny] == [before[i] for i in tiny]
        assert (before == after) == (places == "6 12")
