"""The previous and the next head are painted in idle time, with the same result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import Shown
from tests.browser.reading import frames, settle
from tests.tiers import some

Visit = Callable[..., Page]
N = 40  # more than stand beside their scores
PIXELS = """(frame) => [...frame.querySelectorAll("canvas")].filter((canvas) => canvas.offsetWidth)
  .map((canvas) => canvas.toDataURL())"""
# Idle work runs in order: by then, all earlier work is done.
IDLE = "() => new Promise((done) => requestIdleCallback(done))"


def opened(heads: Shown, visit: Visit, state: Mapping[str, Any], query: str, **how: Any) -> Locator:
    asked = quote(json.dumps({"level": "head", **state}))
    (frame,) = frames(visit(f"{heads.url}/?{query}&state={asked}", **how))
    return frame


def shown(frame: Locator) -> list[str]:
    settle(frame.page)
    found: list[str] = frame.evaluate(PIXELS)
    return found


def head(frame: Locator, number: int) -> None:
    frame.page.evaluate(IDLE)
    frame.get_by_role("radio", name=f"Head {number}", exact=True).click()


@pytest.mark.parametrize(
    ("query", "state"),
    some([(f"n={N}", {}), (f"n={N}", {"view": "scores"}), ("n=9", {}), (f"kind=causal&n={N}", {})], 1),
)
def test_a_head_that_was_ready_looks_as_one_that_was_opened(
    heads: Shown, visit: Visit, query: str, state: Mapping[str, Any]
) -> None:
    wanted = [shown(opened(heads, visit, {**state, "head": i}, query)) for i in range(3)]
    assert len({tuple(one) for one in wanted}) == 3
    frame = opened(heads, visit, {**state, "head": 1}, query)
    for number in (2, 3, 2, 1, 3):
        head(frame, number)
        assert shown(frame) == wanted[number - 1]


def test_other_tokens_and_other_colours_are_not_those_that_were_ready(
    heads: Shown, visit: Visit
) -> None:
    bare = shown(opened(heads, visit, {"head": 5, "special": False}, f"n={N}"))
    dark = shown(opened(heads, visit, {"head": 5, "special": False}, f"n={N}", scheme="dark"))
    frame = opened(heads, visit, {"head": 4}, f"n={N}")
    frame.page.evaluate(IDLE)
    frame.get_by_role("checkbox", name="special tokens").click()
    frame.get_by_role("radio", name="Head 6", exact=True).click()
    assert shown(frame) == bare
    head(frame, 5)
    frame.page.emulate_media(color_scheme="dark")
    head(frame, 6)
    assert shown(frame) == dark
