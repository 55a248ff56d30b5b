"""The numbers along the axes of the real pages: round, evenly apart, clear of each other."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.reading import labels

Visit = Callable[..., Page]
ROUND = {by * ten for by in (1, 2, 5) for ten in (1, 10, 100, 1000)}


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_ticks_are_round_and_even(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/positions?pl=190", width=390)
    for name, first, last in (("wave", 0, 189), ("bounded", 0, 189), ("predictable", 0, 31)):
        frame = page.locator(f".st-key-{name} .picture[data-drawn]")
        expect(frame).to_have_count(1)
        found = labels(frame, "tick")
        values = [number(label.text) for label in found]
        assert values[0] == first
        assert values[-1] <= last
        if values[-1] == last:  # the end, where there is room for it
            found, values = found[:-1], values[:-1]
        (apart,) = {b - a for a, b in pairwise(values)}
        assert apart in ROUND
        assert len(values) >= 4
        assert all(one.right < other.left for one, other in pairwise(found))

    table = page.locator(".st-key-sinusoidal .picture[data-drawn]")
    for part in ("row", "column"):
        plain = [number(label.text) for label in labels(table, part) if not label.bold]
        apart = min(b - a for a, b in pairwise(plain))  # beside the marked one there is a gap
        assert apart in ROUND
        assert all(value % apart == 0 for value in plain)
        assert len(plain) >= 8


@pytest.mark.fuzz
def test_steps_of_a_training_are_round_and_even(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/training?rc=reverse")
    frame = page.locator(".st-key-training-accuracy .picture[data-drawn]")
    expect(frame).to_have_count(1)
    values = [number(label.text) for label in labels(frame, "tick")]
    assert values[0] == 0
    assert all(value % 100 == 0 for value in values)
    assert len(values) >= 4
