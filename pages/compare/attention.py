"""Which token attends to which: the controls of a head, and its pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from core.comparison import Chosen, heads
from core.comparison.heads import Look, Seen
from core.errors import NotSupported
from core.localization import _, gettext
from core.records.trace import Array
from pages.compare.state import CompareState
from ui import comparison, figure, files, layout, left_out, page, tables
from ui.models import answers
from ui.models.attempt import attempt
from ui.state import select, toggle
from ui.word_choice import LABELS

MOST_LISTED = 5  # differences, beside the picture of all of them


def show_chosen(
    s: CompareState, model: str, typed: Mapping[str, str], sides: Mapping[str, Chosen]
) -> None:
    """Draw the controls of the head, then `show`.

    Args:
        s: the state of the page.
        model: the name of the model.
        typed: the sentences.
        sides: the word in each of them.
    """
    source = comparison.Cached(model)
    block = source.block(next(iter(typed.values())))
    show(source, typed, sides, _choose_head(s, block.absent, block.first_is_sink))


def _choose_head(s: CompareState, gone: Array, first_is_sink: bool) -> Look:
    """Choose layer and head, or the mean of all, and whether special tokens are shown.

    Args:
        s: the state of the page.
        gone: (layers, heads) bool, the missing heads, which cannot be chosen.
        first_is_sink: whether the model has no special tokens, and its first token is the sink.
    """
    left, middle, right = st.columns([5, 5, 3], vertical_alignment="bottom", gap="medium")
    with left:
        layer = select(
            s.layer, _numbers(np.logical_and.reduce(gone, axis=1)), _("Layer"), style="slider"
        )
    with middle:
        of: Array = gone[layer - 1] if layer else np.logical_and.reduce(gone, axis=0)
        head = select(s.head, _numbers(of), _("Head"), style="slider")
    with right:
        return Look.numbered(layer, head, toggle(s.special, left_out.label(first_is_sink)))


def _numbers(gone: Array) -> dict[int, str]:
    """The numbers of existing heads or layers, from 1, and 0 for the mean of all."""
    return {0: _("mean"), **{i + 1: str(i + 1) for i in np.flatnonzero(~gone).tolist()}}


def show(
    source: comparison.Cached, typed: Mapping[str, str], sides: Mapping[str, Chosen], look: Look
) -> None:
    """Draw the word in every layer, the heads of the sentences side by side, and their difference."""
    if sides:
        st.markdown(
            _("**The word in every layer**, mean over the heads; a frame marks the layer chosen above")
        )
        columns = dict(zip("AB", st.columns(2), strict=True))
        for name, side in sides.items():
            with columns[name]:
                of_layers = attempt(heads.every_layer, side, look, source)
                if of_layers is not None:
                    made = heads.by_layer(name, of_layers, side, look)
                    numbers = files.csv(partial(tables.head, of_layers), f"layers-{name}")
                    figure.show(made, f"layers {name}", saved_as=[numbers], scale=layout.scale())
    drawn: list[Seen] = []
    columns = dict(zip("AB", st.columns(2), strict=True))
    for name, text in typed.items():
        with columns[name]:
            one = attempt(heads.seen, name, text, sides.get(name), look, source)
            if one is None:
                continue
            drawn.append(one)
            st.markdown(f"{gettext(LABELS[name])}, {look.where}")
            numbers = files.csv(partial(tables.head, one.view), f"head-{name}")
            made = heads.picture(one, look)
            left_out.of_map(one.view, _("of the attention in {name}").format(name=name))
            figure.show(made, f"head {name}", saved_as=[numbers], scale=layout.scale())
            st.caption(heads.strongest_attention(one.view, one.rows, one.word))
            if look.layer is not None:
                _show_me(source.model, text, sides.get(name), look)
    if len(drawn) == 2:
        _difference(drawn[0], drawn[1], look)


def _show_me(model: str, text: str, side: Chosen | None, look: Look) -> None:
    """A link to the row of the word in this head, or in all heads of the layer."""
    at: dict[str, object] = {"t": text, "l": (look.layer or 0) + 1}
    if side is not None:
        trace = answers.trace(model, text)
        at["q"] = int(trace.find(side.word, side.number)[0]) + 1
    if look.head is None:
        page.down(_("Show me these heads"), "heads", at)
    else:
        page.down(_("Show me this head"), "heads", {**at, "h": look.head + 1, "r": "head"})


def _difference(a: Seen, b: Seen, look: Look) -> None:
    left, right = st.columns(2)
    with left:
        st.markdown(
            _("**A minus B** for the tokens that both contain, {where}").format(where=look.where)
        )
        try:
            weight_difference = heads.less(a, b)
        except NotSupported as error:
            st.caption(str(error))
            return
        figure.show(
            heads.difference(weight_difference, look),
            "difference",
            saved_as=[files.csv(partial(tables.difference, weight_difference), "head-difference")],
            scale=layout.scale(),
        )
    with right:
        st.markdown(_("**The largest differences**"))
        st.table(tables.largest_differences(weight_difference, MOST_LISTED))
        st.caption(gettext(heads.DIFFERENCE))
