"""One step of a forward pass: matrices side by side, each number written out: `web/src/steps`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..localization import N_, gettext
from ..walkthroughs.steps.record import Matrix, Step
from . import style
from .labels import label, written
from .picture import Picture

_HEIGHT = 480
_SHARE = 0.99  # share of the numbers of a matrix within its colour scale
_EXACT = 200  # numbers of a matrix; of so many, or fewer, all are
_SIGNS = {
    "product": ("·", "+"),
    "sum": ("+",),
    "times": ("⊙",),
    "rotation": (N_("by"),),
    "join": ("",),
}
# Names of matrices that are words; all others are letters of formulas.
NAMES = (
    *(N_("learned"), N_("position"), N_("segment"), N_("sum"), N_("masked"), N_("scaled")),
    *(N_("capped"), N_("one-hot")),
)
_LEADS = {"product": "=", "sum": "=", "times": "=", "join": "="}


def step_view(
    step: Step,
    *,
    sentence: str,
    name: str,
    titles: Sequence[str] = (),
    at: int = 0,
    state: Mapping[str, Any] | None = None,
    height: int = _HEIGHT,
) -> Picture:
    """The operands and the result of a step, with the selected cell of the result written out.

    It needs no server: all numbers of the step are in the bytes. Arrow keys move through the result.
    Event: "state", in the format of `state`, when another cell or another step is chosen, the latter
    with the bar of steps, or with n and b.

    Args:
        step: the step shown.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        titles: the titles of all steps, for the bar above; empty for no bar.
        at: the index of this step among them, from 0.
        state: the initial "step", "row" and "column"; an index beyond the last becomes the last.
        height: the height in pixels, if the page is wide enough for the matrices to be side by side.

    Raises:
        ValueError: if `at` is not the index of a title.
    """
    if titles and not 0 <= at < len(titles):
        raise ValueError(f"There is no step {at}: there are {len(titles)}.")
    header: dict[str, Any] = {
        **step_header(step),
        **colours(),
        "dtype": "float32",
        "titles": [written(title) for title in titles],
        "at": at,
        "state": chosen_cell(state or {}, at),
        "sentence": sentence,
        "file": f"polysee-{name}",
        "height": height,
    }
    return Picture("steps", header, numbers_of(step))


def step_header(step: Step) -> dict[str, Any]:
    """The description of a step for its picture, without its numbers."""
    matrices = [*step.operands, step.result]
    bounds = [_bound(one) for one in matrices]
    if step.kind == "compare":  # before and after have the same scale
        bounds = [max(bounds) for _ in bounds]
    return {
        "title": step.title,
        "kind": step.kind,
        "matrices": [about(one, step.kind, bound) for one, bound in zip(matrices, bounds, strict=True)],
        "signs": _signs(step),
        "number": step.number,
        "detail": step.detail,
        "notes": [written(note) for note in step.notes],
        "part": step.part,
        "groups": step.groups and step.groups._asdict(),
    }


def colours() -> dict[str, Any]:
    """The colours of weights and of signed numbers."""
    return {
        "hue": style.WEIGHT_HUE,
        "signed": {"light": style.SIGNED_ON_LIGHT, "dark": style.SIGNED_ON_DARK},
    }


def numbers_of(step: Step) -> bytes:
    """The operands and the result, one after the other, little-endian float32."""
    return b"".join(
        np.ascontiguousarray(one.values, "<f4").tobytes() for one in (*step.operands, step.result)
    )


def about(one: Matrix, kind: str, bound: float | None = None) -> dict[str, Any]:
    """The labels of a matrix and the end of its colours; None for the end that fits its numbers."""
    hidden = [] if one.hidden is None else np.argwhere(one.hidden).tolist()
    return {
        "name": written(gettext(one.name)),
        "rows": [label(row) for row in one.rows],
        "columns": [label(column) for column in one.columns],
        "scale": "none" if kind == "pieces" else "weights" if one.weights else "signed",
        "bound": _bound(one) if bound is None else bound,
        "hidden": hidden,
        "whole": one.whole,
    }


def _bound(one: Matrix) -> float:
    """The end of the colour scale of a matrix, on both sides: a number of two digits.

    Masked scores share the bound of the scores before the mask, so each visible score keeps its colour.
    """
    seen = one.values if one.hidden is None else one.values[~one.hidden]
    seen = seen if one.unmasked is None else one.unmasked
    most = float(np.quantile(np.abs(seen), _SHARE if seen.size > _EXACT else 1)) if seen.size else 0.0
    if not most > 0:
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(most)) - 1)
    return float(f"{math.ceil(most / unit - 1e-6) * unit:.6g}")


def _signs(step: Step) -> list[str]:
    """The operators between the matrices."""
    between = _SIGNS.get(step.kind, ("",))
    count = len(step.operands)
    signs = [between[min(i, len(between) - 1)] for i in range(count - 1)]
    signs = [gettext(one) for one in signs]
    lead = _LEADS.get(step.kind, "→")
    if step.kind == "scale":
        lead = f"{'÷' if step.number < 1 else '×'} √{step.detail} ="
    if step.detail == "beside":
        lead = ""
    return [*signs, lead] if count else []


def chosen_cell(state: Mapping[str, Any], at: int) -> dict[str, int]:
    """The step and the cell shown first; whole numbers only, because they may come from a link."""
    defaults = {"step": at, "row": 0, "column": 0}
    return {
        key: int(value) if isinstance(value := state.get(key), int) and value >= 0 else least
        for key, least in defaults.items()
    }
