"""The steps on the page: the navigation, the formula, the picture, and the controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import step_view, style
from core.localization import _, gettext
from core.walkthroughs.steps.record import Matrix, Step
from pages.step_by_step.code import Code
from pages.step_by_step.state import StepsState
from ui import figure, files, layout, same_in_python
from ui.layout import choose_named, row
from ui.page import terms
from ui.state import LESSON, Choice, Whole, clamp, select

BLOCK_OF = 32  # columns shown at once
NUMBER, WORD, PART = 80, 130, 150  # pixels of a list
_MASKED = ("bias", "uncapped", "scale")  # the input of a mask: the first of these steps that exists


def choose_step(chosen: Choice, titles: dict[str, str]) -> str:
    """Choose a step: back, any, next.

    Args:
        chosen: the field of the step.
        titles: name -> title of all steps, in order.

    Returns:
        The name of the chosen step.
    """
    names = list(titles)
    chosen.set(_there(chosen.get(), names))
    at = names.index(chosen.get())
    alone = LESSON.get() is None  # a lesson and the route have their own Back and Next
    with row():
        if alone:
            st.button(
                _("← Back"),
                disabled=at == 0,
                on_click=chosen.set,
                args=(names[max(0, at - 1)],),
                key=f"back {chosen.key}",
            )
        numbered = {name: f"{i + 1}. {titles[name]}" for i, name in enumerate(names)}
        select(chosen, numbered, _("Step"), by_names=True)
        if alone:
            st.button(
                _("Next step →"),
                type="primary",
                disabled=at == len(names) - 1,
                on_click=chosen.set,
                args=(names[min(len(names) - 1, at + 1)],),
                key=f"next {chosen.key}",
            )
    return names[at]


def _there(name: str, names: Sequence[str]) -> str:
    """For a missing step, such as the mask of an encoder, the nearest one, or its counterpart."""
    if name in names:
        return name
    if (like := name.removeprefix("cross-")) in names:
        return like
    if (like := _OTHER_ORDER.get(name, "")) in names:
        return like
    return {
        "capped": "scale",
        "uncapped": "scale",
        "bias": "scale",
        "embedded": "position",
        "root": "position",
        "mask": next((one for one in _MASKED if one in names), "scale"),
    }.get(name, names[0])


# The step of a decoder alone for one of BERT’s, and the other way round: whichever is there.
_OTHER_ORDER = {
    "embedded": "pre-norm",
    "norm": "pre-norm2",
    "pre-norm2": "norm",
    "norm2": "final-norm",
    "final-norm": "norm2",
    "logits": "norm2",
    "next": "norm2",
    "pre-norm": "embedded",
    "turn-query": "query",
    "turn-key": "key",
    "gate": "inner",
    "up": "inner",
    "inner": "gate",
    "opened": "activation",
    "gated": "activation",
    "activation": "gated",
    "position": "turn-query",
}


def choose_number(chosen: Whole, name: str, count: int) -> int:
    """Choose a layer or a head; returned from 0."""
    return choose_named(chosen, name, {i: str(i) for i in range(1, count + 1)}, NUMBER) - 1


def choose_token(s: StepsState, tokens: Sequence[str]) -> int:
    """Choose the word whose row is followed; returned from 0."""
    names = {i: f"{style.token_name(token)} ({i + 1})" for i, token in enumerate(tokens)}
    return choose_named(s.token, _("Token"), names, WORD)


def choose_block(s: StepsState, steps: Sequence[Step], name: str) -> None:
    """Choose the columns of a wide product; draws nothing if all are shown."""
    counts = {step.name: -(-step.part[1] // BLOCK_OF) for step in steps if step.part}
    clamp(s.block, 0, max(counts.values(), default=1) - 1)  # of the widest, which may come next
    part = next((step.part for step in steps if step.name == name), None)
    if part is None:
        return
    ends = [(BLOCK_OF * i + 1, min(BLOCK_OF * (i + 1), part[1])) for i in range(counts[name])]
    ranges = {i: f"{first}–{last}" for i, (first, last) in enumerate(ends)}
    said = _("{columns} of {count}")
    names = {i: said.format(columns=one, count=part[1]) for i, one in ranges.items()}
    choose_named(s.block, _("Columns"), names, PART)


def show(
    s: StepsState,
    steps: Sequence[Step],
    name: str,
    chosen: Choice,
    *,
    more: str = "",
    python: Code | None = None,
) -> None:
    """Draw a step: its description, its picture, and its Python code.

    Args:
        s: the state of the page.
        steps: all steps.
        name: the name of the step to show.
        chosen: the field of the step, for the bar and the keys.
        more: further captions below it.
        python: returns the code, if a step has any.
    """
    names = tuple(step.name for step in steps)
    at = names.index(name)
    step = steps[at]
    number = f"{at + 1}. " if len(steps) > 1 else ""
    describe(step, number)
    picture = step_view(
        step,
        sentence=in_words(step),
        name=f"step-{step.name}",
        titles=[one.title for one in steps] if len(steps) > 1 else (),
        at=at,
        state={"step": at, "row": s.token.get(), "column": s.column.get()},
    )
    # The session stores arguments as long as the visitor stays: names, no numbers.
    heard = partial(take, s, chosen, names)
    numbers = files.csv(partial(table, step.result, step.kind), f"step-{step.name}")
    figure.show(
        picture,
        f"picture {chosen.key}",
        on_state=heard,
        saved_as=[numbers],
        scale=layout.scale(),
    )
    if more:
        with st.container(key="steps note"):
            terms.caption(more, "step")
    if python is not None:
        same_in_python.show(s.python, partial(python.versions, steps, name), python.model)


def take(s: StepsState, chosen: Choice, names: tuple[str, ...], sent: Mapping[str, int]) -> None:
    """Store what a visitor chose in the picture: a step, a cell. Indices beyond the page are ignored.

    Args:
        s: the state of the page.
        chosen: the field of the step.
        names: the names of all steps.
        sent: "step", "row" and "column", each 0 or more (`ui.events`).
    """
    if sent["step"] < len(names):
        chosen.set(names[sent["step"]])
    for one, value in ((s.token, sent["row"]), (s.column, sent["column"])):
        if value <= one.most:
            one.set(value)


def describe(step: Step, number: str) -> None:
    """A step in a line: its title, its formula, what it is for."""
    with st.container(key="steps words"):
        st.markdown(f"**{number}{step.title}:** $\\displaystyle {step.formula}$ — {step.why}")


def table(one: Matrix, kind: str) -> pd.DataFrame:
    """The numbers of a result, as a file has them."""
    values = one.values
    if kind == "mask" and one.hidden is not None:
        values = np.where(one.hidden, -np.inf, values)
    return pd.DataFrame(values, pd.Index(one.rows, name=one.name), one.columns)


def in_words(step: Step) -> str:
    """The picture in a sentence, for those who do not see it."""
    *given, result = (
        _("{matrix}, {rows} by {columns}").format(
            matrix=gettext(one.name), rows=one.values.shape[0], columns=one.values.shape[1]
        )
        for one in (*step.operands, step.result)
    )
    if not given:
        return _("{title}: {result}.").format(title=step.title, result=result)
    return _("{title}: {result} from {given}.").format(
        title=step.title, result=result, given="; ".join(given)
    )
