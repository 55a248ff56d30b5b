"""The pictures of a training: its curves, the attention of its probe, and the vectors of its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from core.figures import Axis, Line, Picture, Point, StepAxis, ValueAxis, heatmap, lines, scatter, style
from core.localization import N_, _, decimal, gettext, pgettext
from core.measures import HeadMap, as_block, head_map
from core.memory import cached
from core.records.attention import Attention
from core.sentences import listed
from core.tasks import TASKS, Recipe
from core.tasks.languages import readable
from core.tasks.training.recipe import TaskName
from pages.training import captions
from ui.models import session_models

if TYPE_CHECKING:
    from core.tasks import Snapshot
    from core.tasks.training.plane import Plane
    from core.tasks.training.run import Run
    from pages.training.recorded import Recorded

BLOCKS = {"cross": N_("Across"), "encoder": N_("Encoder"), "decoder": N_("Decoder")}
CURVES = ("accuracy", "pattern", "loss")
_SENTENCES = {
    "accuracy": N_("The accuracy at each snapshot: {now} now."),
    "pattern": N_("The pattern at each snapshot: {now} now."),
    "loss": N_("The loss at each snapshot: {now} now."),
}
_COLOURS = (style.SENTENCE_A, style.SENTENCE_B)
_MARKS: tuple[Literal["circle", "square"], ...] = ("circle", "square")
_HIGH, _ALONE = 136, 420  # pixels, the height of a curve with its axis: of three, and of one


@dataclass(frozen=True, eq=False)
class Seen:
    """A training as far as it is visible: a run, or a model before its first step."""

    recipe: Recipe
    snapshots: tuple[Snapshot, ...]
    planes: tuple[Plane, ...]
    every: int

    @property
    def planned(self) -> tuple[int, ...]:
        """The steps at which there is a snapshot, or will be."""
        return (*range(0, self.recipe.steps, self.every), self.recipe.steps)

    def at(self, step: int) -> int:
        """The index of the last snapshot that is not later than a step; step −1 means the last."""
        steps = [one.step for one in self.snapshots]
        return len(steps) - 1 if step < 0 else int(np.searchsorted(steps, step, side="right")) - 1


def seen(run: str, written: str) -> Seen:
    """The current state of a run; without one, or before its first snapshot, its untrained model."""
    current = session_models.find(run)
    return of_run(current) if current is not None and current.snapshots else untrained(written)


def of_run(run: Run) -> Seen:
    """The current state of a run."""
    snapshots = run.snapshots
    return Seen(run.recipe, snapshots, run.planes[: len(snapshots)], run.every)


@cached()
def untrained(written: str) -> Seen:
    """The model of a recipe, in `core.tasks.training.recipe_code`, before its first step.

    Raises:
        SettingError: if it is not a recipe.
    """
    from core.tasks import train
    from core.tasks.training import recipe_code
    from core.tasks.training.plane import plane
    from core.tasks.training.run import every
    from core.tasks.training.threads import one_thread_here

    one_thread_here()
    recipe = recipe_code.read(written)
    first = train(recipe).advance(0)
    return Seen(
        recipe, (first,), (plane(readable.table(TASKS[recipe.task], first)),), every(recipe.steps)
    )


def curve(
    what: str,
    runs: Sequence[Seen],
    shown: Sequence[int],
    goal: float | None,
    *,
    other_settings: bool = False,
    alone: bool = False,
    before: Recorded | None = None,
) -> Picture:
    """One of `CURVES` for one run or two: the first blue, the second orange.

    Args:
        what: which curve.
        runs: one or two. For two, the picture shows the steps at which both have snapshots, or will
            have.
        shown: for each run, the snapshot that the other pictures show, which is marked.
        goal: the threshold at which the task counts as learned.
        other_settings: whether the first was trained with other settings than the form shows: it is
            grey.
        alone: whether it is the only picture on the screen.
        before: a recorded training of the same recipe, which is drawn in grey.
    """
    colours = _colours(other_settings=other_settings)
    apart = max(run.every for run in runs)
    steps = [*range(0, max(run.recipe.steps for run in runs) + 1, apart)]
    if len(runs) == 1:
        # A stopped run has one last snapshot at whatever step it had reached.
        steps = sorted({*runs[0].planned, runs[0].snapshots[-1].step})
    drawn, highest = [], 1.0
    for i, (run, at) in enumerate(zip(runs, shown, strict=True)):
        values = dict(points(run, what))
        name, here = "AB"[i] if len(runs) > 1 else gettext(captions.NAMES[what]), run.snapshots[at].step
        row = [values.get(step, np.nan) for step in steps]
        dot = [values[step] if step == here else np.nan for step in steps]
        highest = max(values.values()) if what == "loss" else 1.0
        drawn += [
            Line(name, row, colours[i], mark="none", label="" if len(runs) == 1 else name),
            Line(_("shown here"), dot, colours[i], mark=_MARKS[i], label=""),
        ]
    if what == "loss" and len(runs) == 1 and has_random(runs[0]):
        chance = dict(points(runs[0], "random_loss"))
        highest = max(highest, *chance.values())
        row = [chance.get(step, np.nan) for step in steps]
        drawn[0] = replace(drawn[0], name=_("second half"), label=_("2nd half"))
        drawn.insert(0, Line(_("first half"), row, style.LEARNED, mark="none", label=_("1st half")))
    if before is not None:
        values = dict(zip(before.steps, before.curves[what], strict=True))
        highest = max(highest, *values.values())
        row = [values.get(step, np.nan) for step in steps]
        drawn.insert(0, Line(_("recorded"), row, style.LEARNED, mark="none", label=""))
    ticks = [decimal(f"{step:,}") for step in steps]
    guides = [
        (0.0, "0"),
        *([] if goal is None else [(goal, _("goal {value}").format(value=style.signed(goal)))]),
    ]
    return lines(
        drawn,
        StepAxis([_("step {step}").format(step=tick) for tick in ticks], ticks, ""),
        ValueAxis(guides, bounds=(0.0, highest)),
        sentence=_said(what, runs, other_settings=other_settings, before=before),
        name=f"training-{what}",
        height=_ALONE if alone else _HIGH,
    )


def _colours(*, other_settings: bool) -> tuple[str, str]:
    return (style.LEARNED if other_settings else _COLOURS[0], _COLOURS[1])


def has_random(run: Seen) -> bool:
    """Whether a part of the text is random, so that nobody can know it."""
    return bool(np.isfinite(run.snapshots[0].random_loss))


def points(run: Seen, what: str) -> list[tuple[int, float]]:
    """(step, value) of each snapshot."""
    return [(one.step, float(getattr(one, what))) for one in run.snapshots]


def _said(what: str, runs: Sequence[Seen], *, other_settings: bool, before: Recorded | None) -> str:
    now = listed([decimal(f"{getattr(run.snapshots[-1], what):.2f}") for run in runs])
    said = gettext(_SENTENCES[what]).format(now=now)
    if before is not None:
        last = decimal(f"{before.curves[what][-1]:.2f}")
        return " ".join((said, _("In grey, a recorded training: {last} at its end.").format(last=last)))
    if not other_settings:
        return said
    return " ".join((said, _("Trained with other settings than those above.")))


def table(runs: Sequence[Seen]) -> pd.DataFrame:
    """The curves of these runs as a table for a file."""
    frames = [
        pd.DataFrame(
            {
                "step": [one.step for one in run.snapshots],
                **{what: [value for _, value in points(run, what)] for what in CURVES},
                **(
                    {"random_loss": [x for _, x in points(run, "random_loss")]}
                    if has_random(run)
                    else {}
                ),
                "learning_rate": [one.learning_rate for one in run.snapshots],
                "seconds": [one.seconds for one in run.snapshots],
            }
        ).assign(run="AB"[i])
        for i, run in enumerate(runs)
    ]
    return pd.concat(frames).set_index(["run", "step"])


def blocks(snapshot: Snapshot) -> list[str]:
    """The attention blocks of the model, beginning with the one that the task is about."""
    return [name for name in BLOCKS if getattr(snapshot, name) is not None]


def shape(snapshot: Snapshot, block: str) -> tuple[int, int]:
    """The numbers of layers and heads in this block."""
    layers, heads = _attention(snapshot, block).weights.shape[:2]
    return layers, heads


def one_map(snapshot: Snapshot, block: str, layer: int, head: int) -> HeadMap:
    """The weights of one head, from 1, or of the mean, 0; layer 0 is the last."""
    of = _attention(snapshot, block)
    layers, heads = of.weights.shape[:2]
    at = min(layer, layers) - 1 if layer else layers - 1
    shown = as_block(of, causal=block == "decoder")
    return head_map(shown, at, min(head, heads) - 1 if head else None, special=True)


def attention(snapshot: Snapshot, block: str, layer: int, head: int, side: int = 0) -> Picture:
    """The attention map of the probe; `side` is 0 for the run, 1 for the one compared with it."""
    return heatmap(
        one_map(snapshot, block, layer, head),
        sentence=_("What the probe attends to after step {step}: one row for each query token.").format(
            step=decimal(f"{snapshot.step:,}")
        ),
        name="training-attention" + "-b" * side,
        colour=_COLOURS[side],
        root=False,
    )


def attention_after(before: Recorded) -> Picture:
    """The map of a recorded training after its last step."""
    return heatmap(
        head_map(as_block(before.after, causal=before.block == "decoder"), 0, None, special=True),
        sentence=_("What the probe attends to at the end of a recorded training."),
        name="training-attention-recorded",
        root=False,
    )


def map_table(snapshot: Snapshot, block: str, layer: int, head: int) -> pd.DataFrame:
    """The numbers of a map as a table for a file."""
    head_map = one_map(snapshot, block, layer, head)
    return pd.DataFrame(head_map.weights, index=list(head_map.queries), columns=list(head_map.keys))


def _attention(snapshot: Snapshot, block: str) -> Attention:
    attention: Attention = getattr(snapshot, block)
    return attention


def embedding(run: Seen, at: int, *, other_settings: bool = False) -> Picture:
    """The words at every snapshot, each in the plane in which they then differ most.

    With `other_settings`, all of them are grey: see `curve`.
    """
    words = _words(run.recipe.task)
    coordinates = np.stack([plane.coordinates for plane in run.planes], axis=1)  # (words, snapshots, 2)
    steps = [_("step {step}").format(step=decimal(f"{one.step:,}")) for one in run.snapshots]
    colours = {True: _colours(other_settings=other_settings)[0], False: style.LEARNED}
    return scatter(
        [
            Point(name, there, colours[probe], bold=probe)
            for name, probe, there in zip(words.names, words.of_probe, coordinates, strict=True)
        ],
        steps=steps,
        depth=at,
        x=Axis(_("projected: first component")),
        y=Axis(_("second component")),
        sentence=_("The learned vectors of {count} words at each snapshot, projected.").format(
            count=len(words.names)
        ),
        name="training-embedding",
        slider=pgettext("of a step", "After"),
        moments=[_("after {step}").format(step=step) for step in steps],
        words=(_("on the first component"), _("on the second")),
        height=474,
    )


def coordinates(run: Seen, at: int) -> pd.DataFrame:
    """The coordinates in the same picture at one snapshot, as a table for a file."""
    return pd.DataFrame(
        run.planes[at].coordinates, index=_words(run.recipe.task).names, columns=["first", "second"]
    )


@cached()
def _words(task: TaskName) -> readable.Words:
    return readable.words(TASKS[task])
