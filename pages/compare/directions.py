"""The word in all directions at once: by cosine similarity, and along principal components."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.comparison import Question, how_to_read
from core.comparison.paths import Moved
from core.figures import cosine_paths, style, word_projection, word_space
from core.localization import _, each
from pages.compare.state import VIEWS
from ui import figure, files, layout, tables
from ui.comparison import moved
from ui.models.attempt import attempt
from ui.page import terms
from ui.state import Choice, Field, Part, Whole, select
from ui.state.side import Side, point_in, take_point, take_side


def show(question: Question, view: Choice, space: tuple[Whole, Field[Side | None], Whole]) -> None:
    """Draw the word's paths by cosine similarity, and along principal components.

    Args:
        question: the word and the sentences.
        view: the number of dimensions.
        space: in 3-D, the layers before the last, the camera angle, the point.
    """
    word_paths = attempt(moved, question)
    if word_paths is None:
        return
    # The first view is the initial one when the fold opens, so a link need not store it.
    first = next(iter(VIEWS))
    if view.get() == first:
        view.set(view.default)
    seen = Part(
        "seen in all directions",
        lambda: first if view.get() == view.default else view.get(),
        lambda taken: view.set(view.default if taken == first else taken),
    )
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(_("**Cosine similarity**, layer by layer"))
        shown = cosine_paths(word_paths.together, word_paths.from_alone, file="cosine")
        numbers = files.csv(partial(cosine_table, word_paths), "cosine")
        figure.show(shown, "cosine", saved_as=[numbers], scale=layout.scale())
        terms.caption(how_to_read.of_cosine(question.words), "cosine")
    with right:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(_("**Principal components**"), width="content")
            chosen = select(seen, each(VIEWS), _("Seen"), style="segments")
        if chosen == "pca3":
            by_depth = tables.by_depth(word_paths.projection, question.names)
            _in_space(word_paths, question, by_depth, *space)
            terms.caption(
                how_to_read.of_projection(question.words, word_paths.projection.shares), "projection"
            )
            layout.table(by_depth)
        else:
            depth = word_paths.a.n_layers + 1
            shown = word_projection(word_paths.projection, question.names, depth=depth)
            make = partial(tables.projection, word_paths.projection, question.names)
            figure.show(shown, "move", saved_as=[files.csv(make, "pca")], scale=layout.scale())
            terms.caption(
                how_to_read.of_projection(question.words, word_paths.projection.shares[:2]),
                "projection",
            )


def _in_space(
    word_paths: Moved,
    question: Question,
    by_depth: pd.DataFrame,
    back: Whole,
    side: Field[Side | None],
    point: Whole,
) -> None:
    """Draw the word's paths in three dimensions; the choices in it are stored in the link."""
    last = word_paths.a.n_layers + 1

    def take(sent: Mapping[str, Any]) -> None:
        back.set(min(max(0, last - int(sent["depth"])), last))
        take_side(side, sent)
        take_point(point, sent)

    picture = word_space(word_paths.projection, question.names, depth=last)
    chosen = {
        "depth": max(0, last - back.get()),
        "view": side.get(),
        "chosen": point_in(point, len(picture.header["texts"])),
    }
    figure.show(
        picture.choosing(chosen),
        "space",
        on_state=take,
        saved_as=[files.csv(lambda: by_depth, "space")],
        scale=layout.scale(),
    )


def cosine_table(word_paths: Moved) -> pd.DataFrame:
    """The numbers of the paths by cosine, one row for each depth."""
    alone_a, alone_b = word_paths.from_alone
    columns = {_("A and B"): word_paths.together, _("A and alone"): alone_a, _("B and alone"): alone_b}
    depths = pd.Index([style.depth_name(d) for d in range(len(word_paths.together))], name=_("after"))
    return pd.DataFrame(columns, index=depths)
