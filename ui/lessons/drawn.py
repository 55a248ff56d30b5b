"""A prediction drawn on the answer: on a line of numbers, among the choices, or in a grid of heads.

Where everything stands is computed in the browser (`drawn.js`), as in the folder for any web space.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.lessons import Answer, Choice, Click, Number, Step, Value
from core.lessons.expressions import counted, filled
from core.localization import _

SCRIPT = Path(__file__).parent / "drawn.js"
STYLE = Path(__file__).parent / "drawn.css"
_HEADS = ("l", "h")
_COMPONENT = st.components.v2.component(
    "polysee_drawn",
    html='<div class="polysee-drawn"></div>',
    css=STYLE.read_text("utf-8"),
    js=SCRIPT.read_text("utf-8"),
    isolate_styles=False,
)


def words() -> dict[str, str]:
    """What the browser says beside the picture; "{…}" is filled in there."""
    return {
        "you": _("you"),
        "model": _("the model"),
        "predicted": _("You predicted {own}; the model’s answer is {key}."),
        "where": _("{who}: layer {layer}, head {head}"),
        "rows": _("a row a layer"),
    }


def show(facts: Mapping[str, Any] | None) -> None:
    """Draw a prediction on the answer; nothing for None, as `facts_of` has what cannot be drawn."""
    if facts is not None:
        _COMPONENT(key="lesson drawn", data={**facts, "words": words()}, height="content")


def facts_of(
    step: Step,
    made: Answer,
    predicted: Value,
    texts: Mapping[str, str],
    grid: tuple[int, int] | None = None,
) -> dict[str, Any] | None:
    """What is drawn of a prediction and the answer; None if they cannot be drawn.

    Args:
        step: the step.
        made: the answer.
        predicted: of a choice, its words; a number; or the clicked values as in a link.
        texts: the texts of the lesson.
        grid: how many layers the model has, and heads in each; None if that is not known.
    """
    kind, right = step.prediction, made.key
    if isinstance(kind, Choice):
        return {
            "kind": "choice",
            **{"options": made.options, "predicted": predicted, "right": str(right)},
        }
    if isinstance(kind, Number) and isinstance(right, float) and isinstance(predicted, float):
        return {
            **{"kind": "number", "predicted": predicted, "right": right},
            **{"own": counted(predicted), "key": counted(right)},
            **{"tolerance": kind.tolerance, "positive": kind.positive},
            "marks": marks(step, texts),
        }
    if isinstance(kind, Click) and kind.keys == _HEADS:
        return {"kind": "heads", "predicted": predicted, "right": right, "heads": grid}
    return None


def marks(step: Step, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The marks on the line of a number: where each is, and its name with its number."""
    return [
        {"at": one.at, "name": f"{counted(one.at)} {filled(one.name, texts)}"} for one in step.scale
    ]
