"""What the model keeps while it writes: the sentence, the drawing, the clock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.figures import style
from core.records.cache_cost import CacheCost
from pages.next_word.continuing import keeps
from tests.pages.next_word.test_page import TEXT, press, shown, visit
from tests.visits import said

Made = Callable[..., Path]
SMOLLM2 = CacheCost(30, 9, 3, 64, 576, 1536, True, 49_152)


def test_the_sentence_has_the_counts() -> None:
    found = keeps.said(SMOLLM2, 14)
    assert "30 layers × 3 key–value heads × 2 × 64 = **11,520 numbers**" in found
    assert "of these 14 tokens 161,280, or 645.1 kB" in found  # 4 bytes each
    # 106,168,320 + 28,311,552 + 30 · 2 · 576 · 15; without: 15 · 106,168,320 + … · (1 + 2 + … + 15)
    assert "**135.00 million multiply–adds**" in found
    assert "in place of 1.62 billion: 12.0 times fewer" in found


def test_a_column_for_each_token_and_the_text_is_no_html() -> None:
    found = keeps.drawing(["<b>", " cat"], SMOLLM2)
    assert found.count("title=") == 3
    assert "<b>" not in found
    assert "11,520 numbers, computed now, then kept" in found
    assert found.count(style.SENTENCE_B) == 2
    long = keeps.drawing([" x"] * 600, SMOLLM2)
    assert long.count("title=") == keeps.MOST_COLUMNS + 1
    assert f"{600 - keeps.MOST_COLUMNS:,} more tokens before" in long


def test_the_page_counts_draws_and_times(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    model = core.load(str(folder))
    app = visit(m=folder.name, t=TEXT, kp="1")
    cost, count = model.cache_cost(), len(model.trace(TEXT).tokens)
    assert keeps.said(cost, count) in said(app)
    _, sent = shown(app, "cache-cost")
    found = np.frombuffer(sent, "<f4").reshape(2, -1)
    frame = cost.to_frame(range(count + 1, count + 1 + keeps.MORE))
    for row, column in zip(found, ("without", "with"), strict=True):
        want = frame[f"multiply_adds_{column}_cache"] / 1e6
        np.testing.assert_allclose(row, want, rtol=1e-5)
    app = press(app, "Time 8 tokens, with and without")
    assert "Measured on this server just now: 8 tokens behind" in said(app)
    assert "The tokens are the same." in said(app)


def test_times_in_words() -> None:
    now = keeps.Timed((), 14, 8, 0.5, 2.0, True)
    assert "**0.50 s**" in keeps.spent(now)
    assert "4.0 times as long" in keeps.spent(now)
    assert "nothing timed" in keeps.spent(now._replace(tokens=0))
