"""The comparison through the caches of the app."""

from __future__ import annotations

from typing import Any

import pytest

import core
from core.comparison import picture as pictures
from core.figures import Picture
from core.figures.trajectories.trajectory import trajectory
from tests.comparison.asking import ask, known
from ui.comparison import between, picture


def test_the_dots_come_before_what_each_word_adds(
    minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = between(
        ask("A heron on the bank", "A cheque from the bank", ("bank", "bank"), known("bank"))
    )
    assert found is not None
    asked: list[object] = []
    monkeypatch.setattr(core.Model, "contributions", lambda *of, **_: asked.append(of))
    shown = picture(found, depth=3, play=True)
    assert not asked
    assert shown.header["awaitsContributions"] is True
    assert [side["adds"] for side in shown.header["sides"]] == [None, None]
    assert (shown.state, shown.header["autoplay"]) == ({"depth": 3}, True)


def test_another_depth_is_no_other_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = "She sat on the bank.", "She went to the bank."
    found = between(ask(*texts, ("bank", "bank"), known("bank", *texts)))
    assert found is not None
    made = []

    def count(*args: Any, **more: Any) -> Picture:
        made.append(args)
        return trajectory(*args, **more)

    monkeypatch.setattr(pictures, "trajectory", count)
    shown = [picture(found, depth=depth, play=depth == 2) for depth in (2, 5)]
    assert [(one.state["depth"], one.header["autoplay"]) for one in shown] == [(2, True), (5, False)]
    assert shown[0].numbers() is shown[1].numbers()
    assert len(made) == 1
    picture(found, depth=2, adds=True)
    picture(found, depth=2, names="A")
    assert len(made) == 3
