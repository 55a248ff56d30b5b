"""Two models side by side: the weights of one minus those of the other, for matching tokens."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import NotSupported
from core.figures import Picture, signed_heatmap, style
from core.figures.scales import difference_bound
from core.localization import _, gettext, ngettext
from core.measures import HeadDifference, block_difference
from pages.heads.displayed import Panel, called
from pages.heads.fine_tuned import origin
from ui import figure, files, layout, tables, text

Head = tuple[int | None, int | None]  # layer and head, from 0; None for the mean over all of them


def head_of(one: Panel) -> Head:
    """The head of a panel to compare: its open head, or the mean of all heads shown."""
    if one.layer is None or one.averaged:
        return None, None
    return one.layer, None if one.head < 0 else one.head


def where(model: str, block: str, head: Head) -> str:
    """The model and the position of a head in words; `block` is "" if there is only one block."""
    return ", ".join([model, *([block] if block else []), style.head_name(*head)])


def picture(difference: HeadDifference, names: tuple[str, str]) -> Picture:
    """The difference: purple if the second model attends more, green if the first does."""
    return signed_heatmap(
        difference.queries,
        difference.keys,
        difference.values,
        title=_("weight in {one} minus weight in {other}").format(one=names[0], other=names[1]),
        sentence=_("{one} minus {other}, for the tokens that both have.").format(
            one=names[0], other=names[1]
        ),
        name="difference-of-models",
        bound=difference_bound(difference.values),
    )


def table(difference: HeadDifference, names: tuple[str, str]) -> pd.DataFrame:
    """The same as a table for a file."""
    return tables.difference(difference, f"{names[0]} less {names[1]}: row attends to column")


class Less(NamedTuple):
    """One panel minus the other.

    Attributes:
        difference: the difference, if there is one.
        names: the names of the two.
        why_not: the reason, if there is none.
    """

    difference: HeadDifference | None
    names: tuple[str, str]
    why_not: str = ""


def less(one: Panel, other: Panel) -> Less:
    """The first panel minus the second, as shown on the screen."""
    a, b = head_of(one), head_of(other)
    models = called(one.text_query), called(other.text_query)
    if models[0] == models[1]:
        models = (
            _("{model} (first)").format(model=models[0]),
            _("{model} (second)").format(model=models[1]),
        )
    titles = gettext(one.block.title), gettext(other.block.title)
    names = where(models[0], titles[0], a), where(models[1], titles[1], b)
    try:
        return Less(block_difference(one.seen, other.seen, head_a=a, head_b=b), names)
    except NotSupported as error:
        return Less(None, names, str(error))


def show(one: Panel, other: Panel) -> None:
    """Draw the difference with its caption; or why there is none. Arguments as in `less`."""
    difference, names, why_not = less(one, other)
    said = _("**{one}** minus **{other}**, where the tokens agree")
    st.markdown(said.format(one=text.plain(names[0]), other=text.plain(names[1])))
    if difference is None:
        st.caption(gettext(why_not))
        return
    figure.show(
        picture(difference, names),
        "difference of models",
        saved_as=[files.csv(partial(table, difference, names), "difference-of-models")],
        scale=layout.scale(),
    )
    there = difference.values[~np.isnan(difference.values)]
    sentences = (
        [
            _("On average, the weights differ by {mean}.").format(
                mean=style.signed(float(abs(there).mean()), 3)
            )
        ]
        if there.size
        else [_("One of the two models has none of these rows.")]
    )
    if lost := sum(difference.left_out):
        sentences.append(
            ngettext(
                "Left out: {count} token that only one model has; the rows are not rescaled.",
                "Left out: {count} tokens that only one model has; the rows are not rescaled.",
                lost,
            ).format(count=lost)
        )
    if origin(one.text_query.model, other.text_query.model) is None:
        sentences.append(
            _(
                "The order of heads means nothing across models: head 3 of one does not correspond "
                "to head 3 of the other, unless one was trained from the other."
            )
        )
    st.caption(" ".join(sentences))
