"""The pictures of a training on the page: curves, the map of the probe, the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from core.figures import Picture
from core.localization import _, gettext
from core.tasks import TASKS
from core.tasks.training import recipe_code
from pages.training import captions, pictures, python, recorded
from pages.training.pictures import Seen
from pages.training.state import NEWEST, TrainingState
from ui import figure, files, layout, same_in_python, state, text
from ui.lessons import reveal
from ui.models.session_models import recipe_of
from ui.page import leads, terms

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from core.tasks import Snapshot
    from pages.training.recorded import Recorded

# On a phone the map comes first: it is what one watches, and the curves start at 0.
_STYLE = """<style>
@media (max-width: 640px) {
  [data-testid="stColumn"]:has(.st-key-training-curves) {order: 1;}
  [data-testid="stColumn"]:has(.st-key-training-words) {order: 2;}
}
</style>"""
# The name of a run; or "", and the recipe of a model before its first step.
Question = tuple[str, str]


def show(s: TrainingState, questions: Sequence[Question]) -> None:
    """Draw one run, or two side by side; all pictures are at the same step.

    Args:
        s: the state of the page.
        questions: one run, or two of the same task.
    """
    runs = [pictures.seen(*one) for one in questions]
    at = runs[0].at(s.step.get())
    shown = [at, *(run.at(runs[0].snapshots[at].step) for run in runs[1:])]
    alone = len(runs) == 1
    wide = [5, 6, 6] if alone else [6, 10, 10, 8]
    run = s.shown_run()
    other = "" if run is None else captions.other_settings(run.recipe, recipe_code.values(s.written()))
    with st.container():  # always present, so that elements below keep their identity
        if other:
            st.markdown(other)
    before = recorded.of(questions[0][1]) if run is None else None
    left, *middle, right = st.columns(wide, gap="medium" if alone else "small")
    # A lesson's answer is about the trained model: its map then comes first.
    after_first = before is not None and reveal.answered()
    if after_first:
        middle, right = [right], middle[0]
    st.html(_STYLE)
    with left, st.container(key="training curves"):
        _curves(s, questions, runs, shown, other_settings=bool(other), before=before)
    _maps(s, questions, runs, shown, middle)
    with right, st.container(key="training after" if after_first else "training words"):
        if before is None:
            _words(s, questions[0], runs[0], at, other_settings=bool(other))
        else:
            _after(before)
    step = runs[0].snapshots[at].step
    changed = run is not None and bool(run.changes)
    same_in_python.show(s.python, partial(python.lines, questions[0][1], step, changed=changed))


def _draw(picture: Picture, key: str, numbers: files.File) -> None:
    figure.show(picture, key, saved_as=[numbers], scale=layout.scale())


def _curves(
    s: TrainingState,
    questions: Sequence[Question],
    runs: Sequence[Seen],
    shown: Sequence[int],
    *,
    other_settings: bool,
    before: Recorded | None,
) -> None:
    goals = TASKS[runs[0].recipe.task].goal._asdict()
    numbers = files.csv(partial(_table, tuple(questions)), "training-curves")  # of all curves
    if before is not None:
        st.caption(captions.recorded(before.seed, before.steps[-1]))
    for what in pictures.CURVES:
        with st.container(key=f"training curve {what}"):
            st.markdown(captions.number(what, runs, shown))
            picture = pictures.curve(
                what,
                runs,
                shown,
                goals.get(what),
                other_settings=other_settings,
                alone=state.PRESENT.get(),
                before=before,
            )
            _draw(picture, f"training-{what}", numbers)
    for i, run in enumerate((s.shown_run(), s.run_beside())[: len(questions)]):
        if run is not None:
            side = ("",) if len(questions) == 1 else (":blue[●] ", ":orange[■] ")
            st.caption(f"{side[i]}{text.plain(captions.recipe(run.recipe, run.changes))}")


def _table(questions: tuple[Question, ...]) -> pd.DataFrame:
    return pictures.table([pictures.seen(*one) for one in questions])


def _maps(
    s: TrainingState,
    questions: Sequence[Question],
    runs: Sequence[Seen],
    shown: Sequence[int],
    columns: Sequence[DeltaGenerator],
) -> None:
    """Draw the attention of the probe in each run, and the choice of the head."""
    where = _where(s, runs[0].snapshots[shown[0]])
    for i, (column, run, at) in enumerate(zip(columns, runs, shown, strict=True)):
        with column:
            snapshot = run.snapshots[at]
            st.markdown(captions.map_title(i, len(runs), snapshot))
            weights = partial(_weights, questions[i], snapshot.step, *where)
            numbers = files.csv(weights, f"training-attention{'-b' * i}")
            st.markdown(captions.writes(TASKS[run.recipe.task], snapshot))
            picture = pictures.attention(snapshot, *where, i)
            _draw(picture, f"training-attention-{i}", numbers)
            if i == 0:
                with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                    _choose_head(s, snapshot)
            if i == 0:
                task = TASKS[run.recipe.task]
                shown_map = pictures.one_map(snapshot, *where)
                alike = captions.rows_alike(task, shown_map.queries, shown_map.weights)
                if not reveal.waits():  # it would say what a lesson asks about the training
                    terms.caption(captions.look_for(task, alike), "look for")
                if task.name == "induction":
                    leads.down(
                        gettext(captions.IT_COPIES), "next_word", {"p": "copying", "m": "smollm2"}
                    )


def _weights(question: Question, step: int, block: str, layer: int, head: int) -> pd.DataFrame:
    seen = pictures.seen(*question)
    return pictures.map_table(seen.snapshots[seen.at(step)], block, layer, head)


def _where(s: TrainingState, first: Snapshot) -> tuple[str, int, int]:
    """The chosen attention block, layer and head; a link may come from a larger model."""
    block = _block(s, first)
    layers, heads = pictures.shape(first, block)
    for one, most in ((s.layer, layers - 1), (s.head, heads)):
        if one.get() > most:
            one.set(one.default)
    return block, s.layer.get(), s.head.get()


def _block(s: TrainingState, first: Snapshot) -> str:
    """The chosen attention block; by default, the one that the task is about."""
    blocks = pictures.blocks(first)
    if s.block.get() not in blocks[1:]:
        s.block.set("")
    return s.block.get() or blocks[0]


def _choose_head(s: TrainingState, first: Snapshot) -> None:
    """The controls for them."""
    blocks = pictures.blocks(first)
    layers, heads = pictures.shape(first, _block(s, first))
    if len(blocks) > 1:
        state.select(
            s.block,
            {name: gettext(pictures.BLOCKS[name or blocks[0]]) for name in ("", *blocks[1:])},
            _("Where"),
            width=180,
            about=_("The map shows attention within the encoder, within the decoder, or across."),
        )
    _choose(s.layer, _("Layer"), [0, *range(1, layers)], _("last"))
    _choose(s.head, _("Head"), [*range(1, heads + 1), *([0] if heads > 1 else [])], _("mean"))


def _choose(one: state.Whole, title: str, numbers: Sequence[int], zero: str) -> None:
    if len(numbers) > 1:
        named = {number: str(number) if number else zero for number in numbers}
        state.select(one, named, title, width=100)


def _words(s: TrainingState, question: Question, seen: Seen, at: int, *, other_settings: bool) -> None:
    """Draw the words, with the slider through the snapshots."""
    st.markdown(captions.words(seen, at))
    name = question[0]

    def turned(chosen: Mapping[str, Any]) -> None:
        steps = [one.step for one in pictures.seen(*question).snapshots]
        depth = int(chosen["depth"])
        s.step.set(NEWEST if depth >= len(steps) - 1 else steps[depth])

    figure.show(
        pictures.embedding(seen, at, other_settings=other_settings),
        f"training-words-{name.partition('~')[0]}",
        on_state=turned,
        saved_as=[
            files.csv(partial(_coordinates, question, seen.snapshots[at].step), "training-words")
        ],
        scale=layout.scale(),
    )


def _after(before: Recorded) -> None:
    """What the map beside it becomes: the plane of words that nothing has moved yet waits."""
    st.markdown(captions.map_after(before.steps[-1]))
    figure.show(pictures.attention_after(before), "training-attention-recorded", scale=layout.scale())


def _coordinates(question: Question, step: int) -> pd.DataFrame:
    seen = pictures.seen(*question)
    return pictures.coordinates(seen, seen.at(step))


def questions(s: TrainingState, written: str) -> list[Question]:
    """What is shown now: the run, and one to compare with it; or the untrained model of a recipe."""
    run, other = s.shown_run(), s.run_beside()
    if run is None:
        return [("", written)]
    shown = [(run.name, recipe_of(run.name))]
    if other is not None and other is not run and other.recipe.task == run.recipe.task:
        shown.append((other.name, recipe_of(other.name)))
    return shown
