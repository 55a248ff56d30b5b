"""Word + position: the text's own 5 × 3 numbers, all editable, and their sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import step_view, style
from core.localization import N_, _, decimal, each, gettext, pgettext
from core.records.frozen import Array
from core.walkthroughs import word_and_position as numbers
from core.walkthroughs.steps.record import Step
from pages.positions import python
from pages.positions.state import TABLES, PositionsState
from ui import figure, files, layout, number_tables, same_in_python
from ui.state import toggle

_ARTICLE = N_("“LLMs from Scratch”, part 3")  # as page.md and docs/published.md name it
HEIGHT = 330  # pixels for five rows


def tables(s: PositionsState) -> dict[str, Array]:
    """The text's numbers with the visitor's changes."""
    return numbers.TABLES.changed(numbers.TABLES.read(s.edits.get()))


def show(s: PositionsState) -> None:
    """Draw the sum, its comparison with the text's, and the editable tables."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_("**Word + position**: five word vectors of three numbers, and their positions"))
        round_first = toggle(
            s.round_first,
            _("Round the positions first"),
            about=_(
                "The code of “LLMs from Scratch” (part 3) rounds the positions to two decimals before "
                "it adds them."
            ),
        )
    current = tables(s)
    step = numbers.sum_step(current, round_first=round_first)
    picture = step_view(
        step,
        sentence=_("Five word vectors plus the vectors of their positions, 5 by 3 each."),
        name="word-and-position",
        state={"step": 0, "row": s.row.get(), "column": s.column.get()},
        height=HEIGHT,
    )
    figure.show(
        picture,
        "word and position",
        on_state=partial(take, s),
        saved_as=[files.csv(partial(_table, s.edits.get(), round_first), "word-and-position")],
        scale=layout.scale(),
    )
    at = min(s.row.get(), numbers.N_WORDS - 1), min(s.column.get(), numbers.D_MODEL - 1)
    st.markdown(cell(step, at))
    st.caption(beside_the_text(current, edited=bool(s.edits.get())))
    edit(s, ("E", "P"), numbers.N_WORDS)
    same_in_python.show(s.python, partial(python.lines, s))


def edit(s: PositionsState, names: Sequence[str], length: int) -> None:
    """The editable tables of the text's numbers.

    Args:
        s: the state of the page.
        names: the names of the tables.
        length: the number of positions.
    """
    titles = {name: title for name, title in each(TABLES).items() if name in names}

    def rows(name: str) -> Sequence[str]:
        of = {"E": numbers.word_names(), "PAD": (numbers.PAD,)}
        return of.get(name, [f"p = {i}" for i in range(numbers.LONGEST)])

    number_tables.edit(numbers.TABLES, s.edits, s.matrix, titles, rows, most={"P": length}, first=0)


def take(s: PositionsState, sent: Mapping[str, int]) -> None:
    """Store the cell that a visitor chose in the picture."""
    for one, value in ((s.row, sent["row"]), (s.column, sent["column"])):
        if value <= one.most:
            one.set(value)


def cell(step: Step, at: tuple[int, int]) -> str:
    """The chosen sum, as the text prints it and to seven decimals (Markdown)."""
    word, position = (float(of.values.astype(float)[at]) for of in step.operands)
    exact = float(f"{word:.7g}") + float(f"{position:.7g}")
    near = float(numbers.rounded(np.array([exact]))[0])
    return _(
        "**Word {word}, dimension {dimension}**: {sum} = **{near}** with two decimals; to seven, "
        "{exact}."
    ).format(
        word=at[0] + 1,
        dimension=at[1],
        sum=f"{_two(word)} + {_bracketed(position)}",
        near=_two(near),
        exact=_exact(exact),
    )


def beside_the_text(current: Mapping[str, Array], *, edited: bool) -> str:
    """Whether the text's sums are right, and the effect of rounding first."""
    exact, first = (np.add(*numbers.shares(current, round_first=early)) for early in (False, True))
    differ = int((np.abs(numbers.rounded(exact) - numbers.PRINTED) > 1e-6).sum())
    other = int((np.abs(numbers.rounded(exact) - numbers.rounded(first)) > 1e-9).sum())
    count = numbers.PRINTED.size
    if not differ:
        said = _("With two decimals, all {count} sums are those printed in {article}.")
    elif edited:
        said = _("After your changes, {differ} of {count} sums differ from those printed in {article}.")
    else:
        said = _("{differ} of {count} sums printed in {article} are wrong.")
    said = said.format(count=count, differ=differ, article=gettext(_ARTICLE))
    moved = float(np.abs(exact - first).max())
    return _(
        "{said} Rounding the positions first changes a sum by at most {moved}, and it changes {other} "
        "of the {count} rounded sums."
    ).format(
        said=said,
        moved=decimal(f"{moved:.4f}"),
        other=other or pgettext("of sums", "none"),
        count=count,
    )


def _table(edits: str, round_first: bool) -> pd.DataFrame:
    current = numbers.TABLES.changed(numbers.TABLES.read(edits))
    words, positions = numbers.shares(current, round_first=round_first)
    cells = [
        (name, row, *values)
        for name, of in (("E", words), ("P", positions), ("X", words + positions))
        for row, values in zip(numbers.WORDS, of.tolist(), strict=True)
    ]
    columns = ["matrix", "row", *(str(i) for i in range(numbers.D_MODEL))]
    return pd.DataFrame(cells, columns=columns).set_index("matrix")


def _two(value: float) -> str:
    return style.signed(round(value, numbers.DIGITS) + 0.0)


def _bracketed(value: float) -> str:
    return f"({_two(value)})" if round(value, numbers.DIGITS) < 0 else _two(value)


def _exact(value: float) -> str:
    text = f"{value:.7f}".rstrip("0").rstrip(".")
    return decimal(("0" if text == "-0" else text).replace("-", "−"))
