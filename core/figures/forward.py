"""A whole forward pass as one zoomable picture: `web/src/forward`.

Zoomed out, it is a map: a block for each step, an arrow for each result that another step reads. A
block opens into its matrices (as `step_view` draws them), and a cell into the sum behind it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..records.frozen import Array
from ..walkthroughs.editable import DECIMALS, LEAST, MOST
from ..walkthroughs.steps.flow import flow
from ..walkthroughs.steps.record import Matrix, Step
from . import schema
from .labels import written
from .picture import Picture
from .steps import about, chosen_cell, colours, numbers_of, step_header

_HEIGHT = 480
MOST_COLUMNS = 48  # of a block on the map; wider matrices are cut, and the picture says so


class TinyNumbers(NamedTuple):
    """What the browser needs to compute the tiny model itself (`core.walkthroughs.tiny`).

    Attributes:
        ids: the ids of the words.
        tables: name -> (rows, columns): all numbers of the model, with the visitor's changes.
        head: the head shown, from 0.
        heads: the number of heads.
        causal: whether later tokens are hidden.
        epsilon: ε of the layer norms.
    """

    ids: tuple[int, ...]
    tables: Mapping[str, Array]
    head: int
    heads: int
    causal: bool
    epsilon: float


def forward(
    steps: Sequence[Step],
    at: int,
    *,
    sentence: str,
    name: str,
    state: Mapping[str, Any] | None = None,
    tiny: TinyNumbers | None = None,
    height: int = _HEIGHT,
) -> Picture:
    """All steps of a layer, with one of them in full; for the tiny model, all of them in full.

    The browser computes the tiny model itself, and a visitor can therefore drag its numbers. For any
    other model, the page sends the numbers of another step.

    Events: "state", in the format of `state`, when a step, a cell or a zoom level is chosen. "edit",
    with the table, the row, the column and the value, when a number of the tiny model has been changed.

    Args:
        steps: all steps, in order.
        at: the index of the step in full.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        state: the initial "level" ("layer", "matrix" or "cell"), "step", "row" and "column"; an index
            beyond the last becomes the last.
        tiny: the tiny model, if the steps are its own.
        height: the height in pixels of a step in full, on a wide page.

    Raises:
        ValueError: if `at` is not the index of a step.
    """
    if not 0 <= at < len(steps):
        raise ValueError(f"There is no step {at}: there are {len(steps)}.")
    results = [_first_columns(one.result) for one in steps]
    header: dict[str, Any] = {
        **step_header(steps[at]),
        **colours(),
        "dtype": "float32",
        "titles": [written(one.title) for one in steps],
        "at": at,
        "blocks": [
            {"from": sources, "result": about(result, one.kind), "columns": one.result.values.shape[1]}
            for one, result, sources in zip(steps, results, flow(steps), strict=True)
        ],
        "tiny": None if tiny is None else _tiny_header(tiny, steps),
        "state": _state(state or {}, at),
        "sentence": sentence,
        "file": f"polysee-{name}",
        "height": height,
    }
    others = results if tiny is None else []
    arrays = [one.values for one in others] + ([] if tiny is None else [*tiny.tables.values()])
    payload = numbers_of(steps[at]) + b"".join(
        np.ascontiguousarray(one, "<f4").tobytes() for one in arrays
    )
    return Picture("forward", header, payload)


def _tiny_header(tiny: TinyNumbers, steps: Sequence[Step]) -> dict[str, Any]:
    return {
        "ids": tiny.ids,
        "tables": [[name, *table.shape] for name, table in tiny.tables.items()],
        "head": tiny.head,
        "heads": tiny.heads,
        "causal": tiny.causal,
        "epsilon": tiny.epsilon,
        "names": [one.name for one in steps],
        "steps": [step_header(one) for one in steps],
        "least": LEAST,
        "most": MOST,
        "decimals": DECIMALS,
    }


def _first_columns(one: Matrix) -> Matrix:
    """A result, cut to the columns that its block shows."""
    if one.values.shape[1] <= MOST_COLUMNS:
        return one
    hidden = None if one.hidden is None else one.hidden[:, :MOST_COLUMNS]
    before = None if one.unmasked is None else one.unmasked[:, :MOST_COLUMNS]
    return replace(
        one,
        values=one.values[:, :MOST_COLUMNS],
        columns=one.columns[:MOST_COLUMNS],
        hidden=hidden,
        unmasked=before,
    )


def _state(state: Mapping[str, Any], at: int) -> dict[str, Any]:
    level = state.get("level")
    levels = schema.options("forward", "level")
    return {"level": level if level in levels else levels[0], **chosen_cell(state, at)}
