"""The claim, the path and the move of a word: the first screen of Compare."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from core.figures import cosine_paths, sense_paths, style, word_plane, word_projection, word_space
from core.figures.web import Picture
from ui import answers, controls, frame, legends, permalink, say, tables, web
from ui.comparison import Between, Chosen, Moved, Question, between, moved
from ui.senses import Groups

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
    st.markdown(read(asked, found, senses))
    hint = controls.look_for(asked)
    if beneath := [f"Look for: {hint}"] * bool(hint) + [say.OFFER] * (asked.groups is None):
        st.caption(" ".join(beneath))
    left, right = st.columns(2, gap="medium")
    with right, st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**The move**, in the plane", width="content")
        chosen = _choose_view(view, publish, senses is not None)
    shown = senses if chosen == "senses" else None
    with left:
        st.markdown("**The path**, layer by layer")
        web.show(path_picture(found, senses, shown), "path", scale=frame.scale())
        st.caption(path_legend(asked, senses, shown))
        frame.csv(partial(path_table, found, shown), "path")
    with right:
        if chosen == "pca3":
            _space(asked, found)
        else:
            _move(asked, found, shown, back, publish)


def show_one(model: str, name: str, side: Chosen, groups: Groups) -> None:
    """The path of the word in one sentence, where the other has none to compare it with."""
    low, high = groups
    axis = controls.attempt(answers.axis, model, low.words, high.words)
    if axis is None:
        return
    place = axis.place(answers.path(model, *side))
    st.markdown(say.claim_of_one(side.word, name, place, low=low.name, high=high.name))
    with st.columns(2)[0 if name == "A" else 1]:
        picture = sense_paths({name: place}, low=low.name, high=high.name)
        web.show(picture, "path", scale=frame.scale())


def claim(asked: Question, found: Moved, senses: Between | None) -> str:
    """What the two sentences do to the word, in words and numbers (Markdown)."""
    if senses is None:
        return say.start_without_axis(asked.words)
    low, high, known = senses.low.name, senses.high.name, senses.known
    same = None if known is None else float(known.places.gaps.high[-1])
    return say.claim(asked.words, senses.a, senses.b, low=low, high=high, same=same)


def read(asked: Question, found: Moved, senses: Between | None) -> str:
    """The cosine beside what one sense shows (Markdown)."""
    gap, known = (None, None) if senses is None else (senses.gap, senses.known)
    return say.read_cosine(asked.words, found.together, gap, known)


def path_picture(found: Moved, senses: Between | None, shown: Between | None) -> Picture:
    """The path between two senses if they are `shown`, else by cosine."""
    if shown is not None:
        return sense_paths({"A": shown.a, "B": shown.b}, low=shown.low.name, high=shown.high.name)
    known = None if senses is None else senses.known
    same = None if known is None else known.cosines.same
    return cosine_paths(found.together, found.from_alone, same=same)


def path_legend(asked: Question, senses: Between | None, shown: Between | None) -> str:
    """How to read `path_picture` (Markdown)."""
    if shown is not None:
        return legends.of_path(asked.words, shown.low.words, shown.high.words)
    return legends.of_cosine(asked.words, senses is not None and senses.known is not None)


def move_picture(asked: Question, found: Moved, shown: Between | None, depth: int) -> Picture:
    """The move among the anchor words, or in the plane of the first two principal components."""
    if shown is not None:
        low, high = shown.low.name, shown.high.name
        return word_plane(shown.plane, depth=depth, low=low, high=high, share=shown.up.share)
    return word_projection(found.projection, asked.names, depth=depth)


def move_legend(asked: Question, found: Moved, shown: Between | None) -> str:
    """How to read `move_picture` (Markdown)."""
    if shown is not None:
        return legends.of_plane(asked.words, shown.up.share, shown.few)
    return legends.of_projection(asked.words, found.projection.shares[:2])


def path_table(found: Moved, shown: Between | None) -> pd.DataFrame:
    """The numbers of `path_picture`: a row for each depth."""
    if shown is not None:
        columns = {"A": shown.a, "B": shown.b}
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


def _space(asked: Question, found: Moved) -> None:
    frame.picture(word_space(found.projection, asked.names, scale=frame.scale()), "space")
    st.caption(legends.of_projection(asked.words, found.projection.shares))
    frame.table(tables.by_depth(found.projection, asked.names), "space")


def _move(
    asked: Question,
    found: Moved,
    shown: Between | None,
    back: permalink.Parameter,
    publish: Callable[[], None],
) -> None:
    last = found.a.n_layers + 1
    depth = max(0, last - int(st.session_state[back.key]))

    def take(chosen: int) -> None:
        st.session_state[back.key] = min(max(0, last - chosen), last)
        publish()

    picture = move_picture(asked, found, shown, depth)
    web.show(picture, "move", on_depth=take, scale=frame.scale())
    st.caption(move_legend(asked, found, shown))
    if shown is not None:
        frame.csv(partial(tables.plane, shown.plane), "move")
    else:
        frame.csv(partial(tables.projection, found.projection, asked.names), "pca")
