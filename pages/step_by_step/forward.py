"""The whole layer as one picture: the map of its steps, the matrices of one, the sum of one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.figures import TinyNumbers, forward
from core.localization import _
from core.walkthroughs import tiny_numbers
from core.walkthroughs.steps.record import Step
from pages.step_by_step import shown_step
from pages.step_by_step.code import Code
from pages.step_by_step.computed import Tiny
from pages.step_by_step.state import StepsState
from ui import figure, files, layout, same_in_python
from ui.page import terms

# On a phone, the purpose of a step stands above its picture, and the choice of head and token below: it
# would push the picture off the first screen.
_PHONE = """<style>
@media (max-width: 640px) {
:has(> .st-key-steps-row), .st-key-steps-row {display: contents;}
.st-key-steps-row > * {flex: none;}
:has(> .st-key-steps-controls) {order: 1;}
:has(> .st-key-steps-editor) {order: 2;}
}
</style>"""


def show(
    s: StepsState,
    steps: Sequence[Step],
    name: str,
    *,
    more: str = "",
    python: Code | None = None,
    tiny: TinyNumbers | None = None,
    of: Sequence[str] = (),
) -> None:
    """Draw all steps, one of them in full, with its description and its Python code.

    Args:
        s: the state of the page.
        steps: all steps.
        name: the name of the step in full.
        more: further captions below it.
        python: returns the code, if a step has any.
        tiny: the numbers of the tiny model, if these are its steps.
        of: the text that they are of, if a visitor's own device may compute them as well.
    """
    names = tuple(step.name for step in steps)
    at = names.index(name)
    step = steps[at]
    st.html(_PHONE)
    shown_step.describe(step, f"{at + 1}. ")
    picture = forward(
        steps,
        at,
        sentence=_("{step} It is one of {count} steps through a layer.").format(
            step=shown_step.in_words(step), count=len(steps)
        ),
        name=f"step-{step.name}",
        state={
            "level": s.zoom.get(),
            "step": at,
            "row": s.token.get(),
            "column": s.column.get(),
        },
        tiny=tiny,
    )
    # The session stores arguments as long as the visitor stays: names, no numbers.
    figure.show(
        picture,
        f"picture {s.step.key}",
        on_state=partial(take, s, names),
        on_edit=None if tiny is None else partial(edit, s),
        saved_as=[files.csv(partial(shown_step.table, step.result, step.kind), f"step-{step.name}")],
        scale=layout.scale(),
        of=of,
    )
    if more:
        with st.container(key="steps note"):
            terms.caption(more, "step")
    if python is not None:
        same_in_python.show(s.python, partial(python.versions, steps, name), python.model)


def tiny_numbers_of(model: Tiny, head: int, *, causal: bool) -> TinyNumbers:
    """The data with which the browser computes the tiny model itself."""
    return TinyNumbers(model.ids, model.numbers, head, tiny_numbers.N_HEADS, causal, tiny_numbers.EPS)


def take(s: StepsState, names: tuple[str, ...], sent: Mapping[str, Any]) -> None:
    """Store what a visitor chose in the picture: a step, a cell, a zoom level."""
    s.zoom.set(sent["level"])
    shown_step.take(s, s.step, names, sent)


def edit(s: StepsState, edited: figure.Edit) -> None:
    """Store a number that a visitor has dragged; one that the tiny model does not have is ignored."""
    tables = tiny_numbers.TABLES
    changes = {**tables.read(s.edits.get()), (edited.table, edited.row, edited.column): edited.value}
    try:
        s.edits.set(tables.written(tables.checked(changes)))
    except ValueError:
        return
    if edited.table in tiny_numbers.NAMES:
        s.matrix.set(edited.table)
