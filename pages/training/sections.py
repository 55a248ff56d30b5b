"""The pictures of a training on the page: curves, the map of the probe, the words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.figures import Picture
from core.tasks import TASKS
from pages.training import captions, pictures, state
from pages.training.pictures import Seen
from pages.training.state import BLOCK, HEAD, LAYER, NEWEST, STEP, chosen
from ui import figure, layout
from ui.models.session_models import recipe_of
from ui.permalink import Parameter

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from core.tasks import Snapshot

Changed = Callable[[], None]
# A run by its name, or "" and the recipe of a model before its first step.
Question = tuple[str, str]


def show(questions: Sequence[Question], changed: Changed) -> None:
    """Draw a run, or two beside each other; all pictures at one step.

    Args:
        questions: one run, or two of the same task.
        changed: called after a choice.
    """
    runs = [pictures.seen(*one) for one in questions]
    at = runs[0].at(chosen(STEP))
    shown = [at, *(run.at(runs[0].snapshots[at].step) for run in runs[1:])]
    alone = len(runs) == 1
    wide = [5, 6, 6] if alone else [6, 10, 10, 8]
    left, *middle, right = st.columns(wide, gap="medium" if alone else "small")
    with left:
        _curves(questions, runs, shown)
    _maps(questions, runs, shown, middle, changed)
    with right:
        _words(questions[0], runs[0], at, changed)


def _draw(picture: Picture, key: str) -> None:
    figure.show(picture, key, scale=layout.scale())


def _curves(questions: Sequence[Question], runs: Sequence[Seen], shown: Sequence[int]) -> None:
    goals = TASKS[runs[0].recipe.task].goal._asdict()
    for what in pictures.CURVES:
        st.markdown(captions.number(what, runs, shown))
        _draw(pictures.curve(what, runs, shown, goals.get(what)), f"training-{what}")
    layout.csv(partial(_table, tuple(questions)), "training-curves")


def _table(questions: tuple[Question, ...]) -> pd.DataFrame:
    return pictures.table([pictures.seen(*one) for one in questions])


def _maps(
    questions: Sequence[Question],
    runs: Sequence[Seen],
    shown: Sequence[int],
    places: Sequence[DeltaGenerator],
    changed: Changed,
) -> None:
    """What the probe attends to, in each run; and in which head."""
    where = _where(runs[0].snapshots[shown[0]])
    for i, (place, run, at) in enumerate(zip(places, runs, shown, strict=True)):
        with place:
            snapshot = run.snapshots[at]
            st.markdown(captions.map_title(i, len(runs), snapshot))
            _draw(pictures.attention(snapshot, *where, i), f"training-attention-{i}")
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                if i == 0:
                    _choose_head(snapshot, changed)
                layout.csv(
                    partial(_weights, questions[i], snapshot.step, *where),
                    f"training-attention{'-b' * i}",
                )
            st.markdown(captions.writes(TASKS[run.recipe.task], snapshot))
            if i == 0:
                st.caption(f"Look for: {TASKS[run.recipe.task].look_for}")


def _weights(question: Question, step: int, block: str, layer: int, head: int) -> pd.DataFrame:
    seen = pictures.seen(*question)
    return pictures.map_table(seen.snapshots[seen.at(step)], block, layer, head)


def _where(first: Snapshot) -> tuple[str, int, int]:
    """Place, layer and head that are chosen; a link may come from a larger model, or another task."""
    block = _block(first)
    layers, heads = pictures.shape(first, block)
    for parameter, most in ((LAYER, layers - 1), (HEAD, heads)):
        if chosen(parameter) > most:
            st.session_state[parameter.key] = parameter.default
    return block, int(chosen(LAYER)), int(chosen(HEAD))


def _block(first: Snapshot) -> str:
    """The place that is chosen: the one that the task is about where the link says no other."""
    blocks = pictures.blocks(first)
    if chosen(BLOCK) not in blocks[1:]:
        st.session_state[BLOCK.key] = ""
    return str(chosen(BLOCK)) or blocks[0]


def _choose_head(first: Snapshot, changed: Changed) -> None:
    """The controls of the same."""
    blocks = pictures.blocks(first)
    layers, heads = pictures.shape(first, _block(first))
    if len(blocks) > 1:
        st.selectbox(
            "Where",
            ["", *blocks[1:]],
            key=BLOCK.key,
            format_func=lambda name: pictures.BLOCKS[name or blocks[0]],
            on_change=changed,
            width=180,
            help="In the encoder, in the decoder, or across: the decoder attends to the encoder.",
        )
    _choose(LAYER, "Layer", [0, *range(1, layers)], "last", changed)
    _choose(HEAD, "Head", [*range(1, heads + 1), *([0] if heads > 1 else [])], "mean", changed)


def _choose(
    parameter: Parameter, title: str, numbers: Sequence[int], zero: str, changed: Changed
) -> None:
    if len(numbers) > 1:
        st.selectbox(
            title,
            numbers,
            key=parameter.key,
            format_func=lambda number: str(number) if number else zero,
            on_change=changed,
            width=100,
        )


def _words(question: Question, seen: Seen, at: int, changed: Changed) -> None:
    """The words, with the slider through the snapshots."""
    st.markdown(captions.words(seen, at))
    name = question[0]

    def turned(depth: int) -> None:
        steps = [one.step for one in pictures.seen(*question).snapshots]
        newest = depth >= len(steps) - 1
        st.session_state[STEP.key] = NEWEST if newest else steps[max(0, depth)]
        changed()

    figure.show(
        pictures.embedding(seen, at),
        f"training-words-{name.partition('~')[0]}",
        on_depth=turned,
        scale=layout.scale(),
    )
    layout.csv(partial(_places, question, seen.snapshots[at].step), "training-words")


def _places(question: Question, step: int) -> pd.DataFrame:
    seen = pictures.seen(*question)
    return pictures.places(seen, seen.at(step))


def questions(written: str) -> list[Question]:
    """What is shown now: the run and the one beside it; or the untrained model of a recipe."""
    run, other = state.run(), state.beside()
    if run is None:
        return [("", written)]
    found = [(run.name, recipe_of(run.name))]
    if other is not None and other is not run and other.recipe.task == run.recipe.task:
        found.append((other.name, recipe_of(other.name)))
    return found
