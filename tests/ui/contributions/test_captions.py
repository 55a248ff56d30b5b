"""The captions of a word's trajectory through the layers, on numbers set by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ui.contributions import captions
from ui.models import calibrations

ENDS = ("money", "<b>")


@pytest.mark.parametrize(
    ("places", "holds", "lacks"),
    [
        # The longest step leads into layer 2, but does not decide: the word stays on its side from
        # layer 4 on.
        (
            [-0.1, 0.9, -0.2, 0.125, 0.3],
            [
                "sides with *\\<b\\>* from layer 4 on",
                "**0.12** after layer 4",
                "**0.30** after layer 5",
                "on the side of *money*, at **−0.20** after layer 3",
            ],
            ["layer 1", "layer 2", "0.9"],
        ),
        (
            [-1.65, -0.4, -0.86],
            [
                "sides with *money* after every layer",
                "**−1.65** after layer 1",
                "**−0.86** after layer 3",
            ],
            ["layer 2", "earlier", "<b"],
        ),
        (
            [0.5, 0.25, -0.75],
            [
                "sides with *money* only after the last layer",
                "**−0.75** after layer 3",
                "on the side of *\\<b\\>*, at **0.25** after layer 2",
            ],
            ["layer 1", "0.50"],
        ),
        # A position printed as 0 is on neither side.
        (
            [0.5, -0.004, 0.75],
            ["only after the last layer", "in the middle, at **0.00** after layer 2"],
            ["money", "−"],
        ),
        (
            [0.9, -0.004],
            ["in the middle, on neither side", "**0.00** after layer 2"],
            ["sides", "money"],
        ),
        (
            [0.9],
            ["sides with *\\<b\\>* after its one layer", "**0.90** after layer 1"],
            ["every", "earlier"],
        ),
        ([0.0], ["on neither side", "**0.00** after layer 1"], ["sides with"]),
    ],
)
def test_sides_are_compared_and_never_lengths(
    places: list[float], holds: list[str], lacks: list[str]
) -> None:
    said = captions.path("bank", np.array(places, np.float32), ENDS)
    assert said.startswith("**bank** ")
    for part in holds:
        assert part in said, said
    for part in lacks:
        assert part not in said, said
    assert "step" not in said


@pytest.mark.parametrize(
    ("layer", "at", "name", "where"),
    [
        (None, None, "A", "In A"),
        (None, None, "", "Here"),
        (14, None, "A", "In A, after layer 30, the last"),
        (14, None, "", "After layer 30, the last"),
        (14, 14, "A", "In A, after layer 15"),
        (14, 14, "", "After layer 15"),
    ],
)
def test_sums_say_their_layer_where_the_verdict_is_not_of_the_last(
    layer: int | None, at: int | None, name: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrations, "of", lambda model: SimpleNamespace(layer=layer))
    of = SimpleNamespace(model="smollm2", layer=at, axis=SimpleNamespace(n_layers=30))
    assert captions._where(name, of) == where  # type: ignore[arg-type]
