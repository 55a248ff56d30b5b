"""The record of two sums behind a logit: what it holds, refuses, and writes into a table."""

from __future__ import annotations

import numpy as np
import pytest

from core.records.contributions import Contributions
from core.records.logit_parts import LogitParts

HEADS = np.array([[[1.0, 2.0], [0.5, -0.5]], [[0.25, 0.25], [-1.0, 0.0]]], np.float32)


def sources() -> Contributions:
    """A sum of 4.75 over two tokens and the biases."""
    depth = np.array([[3.0, 1.5], [3.0, 1.5], [0.0, 4.5]], np.float32)
    return Contributions(
        ("a", "b"),
        (1,),
        1,
        np.ones(3),
        4.75,
        depth,
        np.full(3, 0.25),
        np.zeros((2, 2, 2)),
        np.zeros((2, 2, 2)),
    )


def parts(**more: object) -> LogitParts:
    rest = {
        "token": " Mary",
        "other": " John",
        "sources": sources(),
        "embedding": 0.5,
        "heads": HEADS,
        "feed_forward": np.array([0.75, 0.5]),
        "biases": np.array([0.125, 0.125]),
        "final_bias": 0.25,
        "logits": (6.0, 1.25),
    }
    return LogitParts(**{**rest, **more})  # type: ignore[arg-type]


def test_both_sums_make_the_number() -> None:
    found = parts()
    assert found.whole == 4.75
    np.testing.assert_allclose(found.by_head, [[3.0, 0.0], [0.5, -1.0]])
    np.testing.assert_allclose(found.by_layer, [3.875, 0.125])
    assert found.constant == 0.5
    assert found.error == 0
    assert parts(embedding=0.75).error == pytest.approx(0.25)


@pytest.mark.parametrize(
    "wrong",
    [
        {"heads": HEADS[:1]},
        {"heads": HEADS[..., :1]},
        {"feed_forward": np.zeros(3)},
        {"biases": np.zeros(1)},
        {"logits": (1.0,)},
        {"other": None},
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"shape|one logit"):
        parts(**wrong)


def test_tables_add_up() -> None:
    found = parts()
    source, part, head = (found.to_frame(by) for by in ("source", "part", "head"))
    assert source["contribution"].sum() == pytest.approx(4.75)
    assert source["token"].tolist() == ["a", "b", "(biases)"]
    assert source["position"].isna().tolist() == [False, False, True]
    assert part["contribution"].sum() == pytest.approx(4.75)
    assert part["part"].value_counts().to_dict() == {
        "head": 4,
        "feed-forward": 2,
        "biases": 2,
        "embedding": 1,
        "final norm": 1,
    }
    assert head["contribution"].sum() == pytest.approx(HEADS.sum())
    assert len(head) == 8
    with pytest.raises(ValueError, match="not by"):
        found.to_frame("layer")  # type: ignore[arg-type]
