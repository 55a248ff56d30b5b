"""Cause beside weight: one click ablates a head and undoes it, and the word moves on its axis."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures import changed_paths, style
from core.localization import _, decimal
from core.records.interventions import Ablate
from core.records.trace import Array
from pages.heads.state import HeadsState
from ui import figure, files, layout
from ui.contributions import computed, expected, what_if
from ui.models.attempt import attempt
from ui.text import plain

Head = tuple[int, int]  # layer and head, from 0


def of(s: HeadsState, grid: Head) -> Head | None:
    """The ablated head, from 0; None if there is none, or if the model has no such head."""
    numbers = s.ablated.get()
    if len(numbers) != 2 or not all(1 <= n <= most for n, most in zip(numbers, grid, strict=True)):
        return None
    return numbers[0] - 1, numbers[1] - 1


def buttons(s: HeadsState, here: Head | None, ablated: Head | None) -> None:
    """Draw the button that ablates the described head, and the one that undoes it."""
    with layout.row():
        if here is not None and here != ablated:
            st.button(
                _("Ablate {head}").format(head=name(here)),
                key="heads ablate",
                on_click=s.ablated.set,
                args=((here[0] + 1, here[1] + 1),),
                help=_("Runs the model again with the output of this head set to 0."),
            )
        if ablated is not None:
            st.button(
                _("Put {head} back").format(head=name(ablated)),
                key="heads undo",
                on_click=s.ablated.set,
                args=((),),
                help=_("Shows the model as it was trained."),
            )


def name(head: Head) -> str:
    """The name of a head on the screen."""
    return _("layer {layer}, head {head}").format(layer=head[0] + 1, head=head[1] + 1)


def show_path(of: computed.ContributionQuery, head: Head, moves: Array | None) -> DeltaGenerator | None:
    """Draw the word's position after each layer, unchanged and without the head.

    Args:
        of: the word and the two ends of its axis.
        head: the ablated head.
        moves: (layers, heads), how far the word moves when each head is ablated; None if the text is
            too long for that.

    Returns:
        The container beside the picture; None if there is no result, and the page has said why.
    """
    paths = attempt(computed.changed, of, (Ablate(*head),))
    if paths is None:
        return None
    low, high = of.ends.names
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with left:
        figure.show(
            changed_paths(paths.before, paths.after, "", low=low, high=high),
            "heads ablated path",
            saved_as=[files.csv(partial(what_if.table, paths), "ablated-head")],
            scale=layout.scale(),
        )
    right.markdown(caption(computed.called(of.side), head, paths, moves))
    return right


def show_expected(of: computed.ContributionQuery, head: Head, masked: tuple[int, ...]) -> None:
    """Draw what the model predicts with and without the head, or say that it predicts nothing."""
    expected.show(of, (Ablate(*head),), masked, "ablated")


def caption(word: str, head: Head, paths: computed.Changed, moves: Array | None) -> str:
    """Where the word stands with and without the head, and how far it moves without any other head."""
    before, after = (round(float(path[-1]), 2) for path in (paths.before, paths.after))
    said = _(
        "**{head}** is ablated: **{word}** stands at **{after}** instead of **{before}**, moved by "
        "**{change}**."
    ).format(
        head=style.head_name(*head),
        word=plain(word),
        after=style.signed(after),
        before=style.signed(before),
        # the difference of the printed numbers, so that a reader can check it
        change=style.signed(after - before, plus=True),
    )
    if moves is None:
        return _(
            "{said} This text is too long to ablate every head; there is no median to compare with."
        ).format(said=said)
    sizes = np.abs(moves)
    rank = 1 + int((sizes > sizes[head]).sum())
    return _(
        "{said} Over all {count} heads, each ablated alone, the median distance is **{median}**; "
        "{farther} of them move the word farther."
    ).format(
        said=said,
        count=decimal(f"{moves.size:,}"),
        median=style.signed(float(np.median(sizes))),
        farther=decimal(f"{rank - 1:,}"),
    )
