"""The data for `steps.js`: all matrices of a step, their scales, their operators, a bounded state."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from core.figures import Picture
from core.figures.web import MODULES
from core.walkthroughs.steps.record import LOWEST
from tests.browser.pictures.steps import steps_pictures as made


def sent(picture: Picture) -> tuple[dict[str, Any], np.ndarray]:
    data = picture.to_bytes()
    (size,) = struct.unpack_from("<I", data)
    return json.loads(data[4 : 4 + size]), np.frombuffer(data[4 + size :], "<f4")


@pytest.mark.parametrize("kind", made.KINDS)
def test_all_numbers_of_a_step_are_sent(kind: str) -> None:
    step = made.of_kind(kind)
    header, payload = sent(made.picture(step))
    matrices = [*step.operands, step.result]
    expected = np.concatenate([one.values.ravel() for one in matrices])
    np.testing.assert_array_equal(payload, expected)
    assert [(len(m["rows"]), len(m["columns"])) for m in header["matrices"]] == [
        one.values.shape for one in matrices
    ]
    assert len(header["signs"]) == len(step.operands)


def test_signs_stand_as_in_the_formula() -> None:
    signs = {kind: sent(made.picture(made.of_kind(kind)))[0]["signs"] for kind in made.KINDS}
    assert signs["product"] == ["·", "+", "="]
    assert signs["sum"] == ["+", "="]
    assert signs["scale"] == ["÷ √4 ="]
    assert signs["pieces"] == []
    assert signs["softmax"] == ["→"]


def test_colours_end_at_each_matrix_own_number() -> None:
    header, _ = sent(made.picture(made.product()))
    for one, matrix in zip(header["matrices"], made.product().operands, strict=False):
        assert one["scale"] == "signed"
        assert one["bound"] == pytest.approx(np.abs(matrix.values).max(), rel=0.1)
    header, _ = sent(made.picture(made.of_kind("softmax")))
    masked, weights = header["matrices"]
    assert masked["bound"] < 100  # what is hidden counts for nothing
    assert weights["scale"] == "weights"
    assert masked["hidden"] == [[r, c] for r in range(5) for c in range(5) if c > r]


def test_before_and_after_have_one_scale() -> None:
    step = made.of_kind("compare")
    big = made.step(
        "compare", [made.named("a", np.full((2, 2), 8.0))], made.named("b", np.full((2, 2), 0.1))
    )
    assert len({m["bound"] for m in sent(made.picture(big))[0]["matrices"]}) == 1
    assert [m["scale"] for m in sent(made.picture(step))[0]["matrices"]] == ["weights", "weights"]


def test_scores_before_and_after_a_mask_have_one_scale() -> None:
    scores = np.array([[0.5, 8.0], [-2.0, 1.0]])  # the largest one is hidden
    hidden = np.array([[False, True], [False, False]])
    masked = np.where(hidden, LOWEST, scores)
    before = made.named("S", scores)
    after = made.named("masked", masked, hidden=hidden, unmasked=scores)
    weights = made.named("A", np.eye(2), hidden=hidden, weights=True)
    for step in (made.step("mask", [before], after), made.step("softmax", [after], weights)):
        bounds = [one["bound"] for one in sent(made.picture(step))[0]["matrices"]]
        assert bounds[0] == 8
        assert step.kind == "softmax" or bounds[1] == 8


def test_all_zeros_have_a_scale_too() -> None:
    step = made.step("sum", [made.named("a", np.zeros((2, 3)))], made.named("b", np.zeros((2, 3))))
    assert [m["bound"] for m in sent(made.picture(step))[0]["matrices"]] == [1, 1]


@pytest.mark.parametrize(
    ("state", "read"),
    [
        (None, {"step": 1, "row": 0, "column": 0}),
        ({"step": 2, "row": 4, "column": 9}, {"step": 2, "row": 4, "column": 9}),
        ({"row": -1, "column": "x", "step": None}, {"step": 1, "row": 0, "column": 0}),
    ],
)
def test_a_state_that_makes_no_sense_is_as_usual(state: Any, read: dict[str, int]) -> None:
    picture = made.picture(made.product(), titles=("a", "b", "c"), at=1, state=state)
    assert sent(picture)[0]["state"] == read


def test_a_step_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no step 3"):
        made.picture(made.product(), titles=("a", "b", "c"), at=3)


def test_the_module_is_one_of_ours() -> None:
    assert "steps" in MODULES
