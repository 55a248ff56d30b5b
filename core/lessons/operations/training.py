"""A model in the course of its training."""

from __future__ import annotations

from collections.abc import Callable

from ..expressions import Operation
from ..model_records import Records
from .arguments import AFTER, TEXT, Given, parameters


def _of_training(what: str) -> Callable[[Records, Given], float]:
    return lambda records, given: float(getattr(records.snapshot(int(given["after"])), what))


OPERATIONS = (
    Operation(
        "loss",
        parameters("after: whole"),
        "The loss after this many steps of training.",
        _of_training("loss"),
    ),
    Operation(
        "accuracy",
        parameters("after: whole"),
        "The accuracy after this many steps of training.",
        _of_training("accuracy"),
    ),
    Operation(
        "found",
        parameters("after: whole"),
        "The share of rows whose attention goes where the task needs it, after this many steps.",
        _of_training("pattern"),
    ),
    Operation(
        "fills",
        parameters(TEXT, AFTER),
        "The ten most probable words at the first [MASK] of a text.",
        lambda r, g: r.fills(g["text"], None if g.get("after") is None else int(g["after"]))[:10],
    ),
)
