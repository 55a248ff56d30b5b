"""Cases of the steps through a layer: their picture, and where each token is from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.figures import forward
from core.figures.steps import _bound
from core.records.frozen import Array
from core.walkthroughs.steps.descriptions import ALONE, STEPS
from core.walkthroughs.steps.flow import flow
from core.walkthroughs.steps.make import matrix
from core.walkthroughs.steps.record import LOWEST, Groups, Matrix, Step
from pages.step_by_step import sentence
from pages.step_by_step.shown_step import in_words
from tests.figures.web.twins.common import TEXTS, Case, Table, plain
from tests.figures.web.twins.pictures import in_short
from tests.figures.web.twins.traces import traced

_TOKENS = ("##ing", "<b>", "\n", "bank", "")


def _numbers(seed: int, rows: int, columns: int, size: float = 1.0) -> Array:
    draw = np.random.default_rng(seed)
    return (draw.normal(0, size, (rows, columns)) ** 3).astype("f4").round(3)


def _steps() -> tuple[Step, ...]:
    """A step of each kind that a tab computes, in an order of which an earlier result is read twice."""

    def of(name: str, kind: Any, operands: Sequence[Matrix], result: Matrix, **more: Any) -> Step:
        words = {**STEPS, **ALONE}[name]
        return Step(name, words.title, "", "", tuple(operands), result, kind, **more)

    def own(name: str, seed: int, columns: int, size: float = 1.0) -> Matrix:
        return matrix(name, _numbers(seed, len(_TOKENS), columns, size), _TOKENS)

    n = len(_TOKENS)
    ids = matrix("id", np.arange(n, dtype="f4")[:, None] * 1000, _TOKENS, ("id",))
    hot = matrix("one-hot", np.eye(n, dtype="f4"), _TOKENS, weights=True, whole=(n, 29))
    x, wide = own("x", 1, 49), own("u", 3, 50)
    gamma, v = matrix("γ", _numbers(2, 1, 49)[0]), own("V", 5, 4)
    raw = matrix("S/√d", _numbers(6, n, n, 9), _TOKENS, _TOKENS)
    hidden = np.triu(np.ones((n, n), bool), 1)
    low = np.where(hidden, np.float32(LOWEST), raw.values).astype("f4")
    masked = matrix("masked", low, _TOKENS, _TOKENS, hidden=hidden, unmasked=raw.values)
    shares = np.where(hidden, 0, 0.25).astype("f4")
    weights = matrix("A", shares, _TOKENS, _TOKENS, weights=True, hidden=hidden)
    part = matrix("u", wide.values[:, :6], _TOKENS, wide.columns[:6], whole=(n, 50))
    w = matrix("W_1", _numbers(8, 49, 6), whole=(49, 50))
    none = matrix("o", np.zeros((n, 49), "f4"), _TOKENS)
    groups = Groups(9, 3, 4)
    notes = tuple(f"the whole word “{token}”" for token in _TOKENS)
    return (
        of("pieces", "pieces", [], ids, notes=notes),
        of("learned", "product", [hot, matrix("E", _numbers(0, n, 49))], x),
        of("pre-norm", "rms", [x, gamma], own("n", 4, 49), number=1e-5),
        of("turn-query", "rotation", [v, own("m·θ", 9, 2)], own("Q′", 10, 4), detail="halves"),
        of(
            "scores",
            "product",
            [own("Q", 11, 4), matrix("K′ᵀ", _numbers(12, 4, n))],
            raw,
            groups=groups,
        ),
        of("scale", "scale", [raw], raw, number=0.5, detail="4"),
        of("mask", "mask", [raw], masked),
        of("weights", "softmax", [masked], weights),
        of("mix", "product", [weights, v], own("Z_1", 13, 4), groups=groups),
        of("gate", "product", [x, w, matrix("b_1", _numbers(14, 1, 6)[0])], part, part=(0, 50)),
        of("opened", "activation", [wide], wide, detail="silu"),
        of("gated", "times", [wide, wide], own("a", 15, 49)),
        of("residual", "sum", [x, none], x),
        of("next", "share", [own("ℓ", 16, 3), own("ln Σ", 17, 1)], own("P", 18, 3), detail="29"),
    )


def _plain(one: Matrix) -> dict[str, Any]:
    hidden = [] if one.hidden is None else np.argwhere(one.hidden).tolist()
    numbers = {"values": one.values.ravel()}
    if one.unmasked is not None:
        numbers["unmasked"] = one.unmasked.ravel()
    told = {"name": one.name, "rows": one.rows, "columns": one.columns, "whole": one.whole}
    return {**told, **numbers, "weights": one.weights, "hidden": hidden}


def _told(step: Step) -> dict[str, Any]:
    own = {"name": step.name, "kind": step.kind, "title": step.title, "notes": step.notes}
    more = {"number": step.number, "detail": step.detail, "part": step.part}
    groups = step.groups and step.groups._asdict()
    operands = [_plain(one) for one in step.operands]
    return {**own, **more, "groups": groups, "operands": operands, "result": _plain(step.result)}


def of_steps() -> Table:
    steps = _steps()
    given = [_told(one) for one in steps]
    states: tuple[dict[str, Any], ...] = (
        {},
        {"level": "cell", "step": 3, "row": 2, "column": 1},
        {"level": "x", "row": -1, "column": 0.5},
    )
    pictures: list[Case] = []
    for at, state in zip((0, 5, 6, 9), (*states, {}), strict=True):
        said = f"{in_words(steps[at])} It is one of {len(steps)} steps through a layer."
        made = forward(steps, at, sentence=said, name=f"step-{steps[at].name}", state=state)
        pictures.append(([given, at, state], in_short(made)))
    bounds = [([_plain(one)], _bound(one)) for step in steps for one in (*step.operands, step.result)]
    notes: list[Case] = []
    for text in TEXTS:
        if not (trace := traced(text)).tokens:
            continue
        words = [-1 if word is None else word for word in trace.word_ids]
        notes.append(([text, words], sentence._notes(trace)))
    assert json.dumps(given, default=plain)
    return {
        "forward/made.js": {
            "forward": pictures,
            "flow": [([given], flow(steps))],
            "boundOf": bounds,
        },
        "forward/told.js": {"notesOf": notes},
    }
