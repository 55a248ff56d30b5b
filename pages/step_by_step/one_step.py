"""The steps on the page: where one is, the formula, the picture, what belongs to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import style, working
from core.walkthroughs.steps.record import Matrix, Step
from ui import choices, figure, layout, widgets
from ui.choices import BLOCK, COLUMN, TOKEN, chosen
from ui.lists import choose, row, whole
from ui.permalink import Parameter

Changed = Callable[[], None]
BLOCK_OF = 32  # columns that are shown at once
NUMBER, WORD, PART = 80, 130, 150  # pixels of a list


def _go(parameter: Parameter, name: str, changed: Changed) -> None:
    choices.choose(parameter, name)
    changed()


def choose_step(parameter: Parameter, titles: dict[str, str], changed: Changed) -> str:
    """Back, any step, next.

    Args:
        parameter: of the step.
        titles: name -> title of all steps, in their order.
        changed: called after a choice.

    Returns:
        The name of the step that is chosen.
    """
    names = list(titles)
    widgets.keep(parameter.key, _there(chosen(parameter), names))
    at = names.index(chosen(parameter))
    with row():
        st.button(
            "← Back",
            disabled=at == 0,
            on_click=_go,
            args=(parameter, names[max(0, at - 1)], changed),
            key=f"back {parameter.key}",
        )
        numbered = {name: f"{i + 1}. {titles[name]}" for i, name in enumerate(names)}
        choose(parameter, "Step", numbered, changed)
        st.button(
            "Next step →",
            type="primary",
            disabled=at == len(names) - 1,
            on_click=_go,
            args=(parameter, names[min(len(names) - 1, at + 1)], changed),
            key=f"next {parameter.key}",
        )
    return names[at]


def _there(name: str, names: Sequence[str]) -> str:
    """A step that is not there, such as the mask of an encoder: the one after it."""
    if name in names:
        return name
    return {"embedded": "position", "root": "position", "mask": "weights"}.get(name, names[0])


def choose_number(parameter: Parameter, name: str, count: int, changed: Changed) -> int:
    """A layer or a head, from 0."""
    whole(parameter, 1, count)
    numbers = {i: str(i) for i in range(1, count + 1)}
    return int(choose(parameter, name, numbers, changed, width=NUMBER)) - 1


def choose_token(tokens: Sequence[str], changed: Changed) -> int:
    """The word whose row is followed, from 0."""
    whole(TOKEN, 0, len(tokens) - 1)
    names = {i: f"{style.token_name(token)} ({i + 1})" for i, token in enumerate(tokens)}
    return int(choose(TOKEN, "Token", names, changed, width=WORD))


def choose_block(steps: Sequence[Step], name: str, changed: Changed) -> None:
    """Which columns of a wide product are shown; nothing where all are."""
    counts = {step.name: -(-step.part[1] // BLOCK_OF) for step in steps if step.part}
    whole(BLOCK, 0, max(counts.values(), default=1) - 1)  # of the widest: it may come next
    part = next((step.part for step in steps if step.name == name), None)
    if part is None:
        return
    count = counts[name]
    whole(BLOCK, 0, count - 1)
    ends = [(BLOCK_OF * i + 1, min(BLOCK_OF * (i + 1), part[1])) for i in range(count)]
    names = {i: f"{first}–{last} of {part[1]}" for i, (first, last) in enumerate(ends)}
    choose(BLOCK, "Columns", names, changed, width=PART)


def show(
    steps: Sequence[Step],
    name: str,
    parameter: Parameter,
    changed: Changed,
    *,
    more: str = "",
) -> None:
    """The step's words and its picture.

    Args:
        steps: all of them.
        name: of the one to show.
        parameter: of the step, for the bar and the keys.
        changed: called after a choice in the picture.
        more: what is said below it.
    """
    names = tuple(step.name for step in steps)
    at = names.index(name)
    step = steps[at]
    number = f"{at + 1}. " if len(steps) > 1 else ""
    st.markdown(f"**{number}{step.title}:** $\\displaystyle {step.formula}$ — {step.why}")
    picture = working(
        step,
        sentence=_sentence(step),
        name=f"step-{step.name}",
        titles=[one.title for one in steps] if len(steps) > 1 else (),
        at=at,
        state={"step": at, "row": chosen(TOKEN), "column": chosen(COLUMN)},
    )
    # A page keeps what it calls as long as the visitor stays: names, no numbers.
    heard = partial(_heard, parameter, names, changed)
    figure.show(picture, f"picture {parameter.key}", on_state=heard, scale=layout.scale())
    with st.container(horizontal=True, vertical_alignment="center"):
        layout.csv(partial(_table, step.result, step.kind), f"step-{step.name}")
        if more:
            st.caption(more)


def _heard(
    parameter: Parameter, names: tuple[str, ...], changed: Changed, sent: dict[str, int]
) -> None:
    choices.take(sent, parameter, names)
    changed()


def _table(one: Matrix, kind: str) -> pd.DataFrame:
    values = one.values
    if kind == "mask" and one.hidden is not None:
        values = np.where(one.hidden, -np.inf, values)
    return pd.DataFrame(values, pd.Index(one.rows, name=one.name), one.columns)


def _sentence(step: Step) -> str:
    """For those who do not see it."""
    sizes = [
        f"{one.name}, {one.values.shape[0]} by {one.values.shape[1]}"
        for one in (*step.operands, step.result)
    ]
    given = f" from {'; '.join(sizes[:-1])}" if step.operands else ""
    return f"{step.title}: {sizes[-1]}{given}."
