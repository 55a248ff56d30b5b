"""The claim, the path and the move of a word: the first screen of Compare."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from core.figures import cosine_paths, sense_paths, style, word_plane, word_projection, word_space
from core.figures.web import Picture
from ui import controls, frame, permalink, say, tables, web
from ui.comparison import Between, Moved, Question, between, moved

VIEWS = {"senses": "Two senses", "pca": "PCA", "pca3": "PCA in 3-D"}


def show(
    asked: Question, view: permalink.Parameter, back: permalink.Parameter, publish: Callable[[], None]
) -> None:
    """The claim and, below it, the path and the move.

    Args:
        asked: which word in which sentences, and between which senses.
        view: the parameter that says which of `VIEWS`.
        back: how many layers before the last one the move is shown at.
        publish: puts the state into the link, after a visitor has changed one of the two.
    """
    found = controls.attempt(moved, asked)
    if found is None:
        return
    senses = controls.attempt(between, asked, found)
    st.markdown(claim(asked, found, senses))
    hint = controls.look_for((asked.a.text, asked.b.text), asked.words)
    if beneath := [f"Look for: {hint}"] * bool(hint) + [say.OFFER] * (senses is None):
        st.caption(" ".join(beneath))
    left, right = st.columns(2, gap="medium")
    with right, st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**The move**, in the plane", width="content")
        chosen = _choose_view(view, publish, senses is not None)
    with left:
        st.markdown("**The path**, layer by layer")
        _path(asked, found, senses if chosen == "senses" else None)
    with right:
        if chosen == "pca3":
            frame.picture(word_space(found.projection, names(asked)), "space")
            st.caption(say.projection_legend(found.projection.shares))
            frame.csv(partial(tables.projection, found.projection, names(asked)), "space")
        else:
            _move(asked, found, senses if chosen == "senses" else None, back, publish)
    if senses is not None:
        st.markdown(say.read_cosine(asked.words, found.together, senses.gap, senses.known))


def claim(asked: Question, found: Moved, senses: Between | None) -> str:
    """What the two sentences do to the word, in words and numbers (Markdown)."""
    if senses is None:
        read = say.read_cosine(asked.words, found.together, None, None)
        return f"{say.start_without_axis(asked.words)} {read}"
    low, high = senses.low.name, senses.high.name
    return say.claim(asked.words, senses.a, senses.b, low=low, high=high)


def names(asked: Question) -> tuple[str, ...]:
    """What the points of `Moved.projection` are called."""
    one = asked.a.word == asked.b.word
    return ("A", "B", "alone") if one else ("A", "B", *(f"{word} alone" for word in asked.words))


def path_picture(asked: Question, found: Moved, senses: Between | None) -> Picture:
    """The path on the sense axis, or by cosine where there is none."""
    if senses is not None:
        return sense_paths(senses.a, senses.b, low=senses.low.name, high=senses.high.name)
    return cosine_paths(found.together, found.from_alone)


def move_picture(asked: Question, found: Moved, senses: Between | None, depth: int) -> Picture:
    """The move among the anchor words, or in the plane of the first two principal components."""
    if senses is not None:
        low, high = senses.low.name, senses.high.name
        return word_plane(senses.plane, depth=depth, low=low, high=high, share=senses.up.share)
    return word_projection(found.projection, names(asked), depth=depth)


def path_table(found: Moved, senses: Between | None) -> pd.DataFrame:
    """The numbers of `path_picture`: a row for each depth."""
    if senses is not None:
        columns = {"A": senses.a, "B": senses.b}
    else:
        alone_a, alone_b = found.from_alone
        columns = {"A and B": found.together, "A and alone": alone_a, "B and alone": alone_b}
    depths = pd.Index([style.depth_name(d) for d in range(len(found.together))], name="after")
    return pd.DataFrame(columns, index=depths)


def _choose_view(view: permalink.Parameter, publish: Callable[[], None], senses: bool) -> str:
    """Which of `VIEWS`; without two senses there is no choice of them."""
    offered = [name for name in VIEWS if senses or name != "senses"]
    wanted = st.session_state[view.key]
    key = f"{view.key} box"
    controls.keep(key, wanted if wanted in offered else offered[0])

    def take() -> None:
        st.session_state[view.key] = st.session_state[key]
        publish()

    chosen = st.segmented_control(
        "Seen as",
        offered,
        key=key,
        format_func=VIEWS.__getitem__,
        required=True,
        on_change=take,
        label_visibility="collapsed",
    )
    return str(chosen)


def _path(asked: Question, found: Moved, senses: Between | None) -> None:
    web.show(path_picture(asked, found, senses), "path", scale=frame.scale())
    if senses is not None:
        st.caption(say.path_legend(senses.low.words, senses.high.words))
    else:
        st.caption(say.cosine_legend(asked.words))
    frame.csv(partial(path_table, found, senses), "path")


def _move(
    asked: Question,
    found: Moved,
    senses: Between | None,
    back: permalink.Parameter,
    publish: Callable[[], None],
) -> None:
    last = found.a.n_layers + 1
    depth = max(0, last - int(st.session_state[back.key]))

    def take(chosen: int) -> None:
        st.session_state[back.key] = min(max(0, last - chosen), last)
        publish()

    picture = move_picture(asked, found, senses, depth)
    web.show(picture, "move", on_depth=take, scale=frame.scale())
    if senses is not None:
        st.caption(say.plane_legend(asked.words, senses.up.share))
        frame.csv(partial(tables.plane, senses.plane), "move")
    else:
        st.caption(say.projection_legend(found.projection.shares[:2]))
        frame.csv(partial(tables.projection, found.projection, names(asked)), "pca")
