"""The moving picture of a word between its two ends, and the sentences in parts below it."""

from __future__ import annotations

import numpy as np

from ..figures import Picture
from ..figures.trajectories.trajectory import Adds, FramePoint, Side, trajectory
from ..localization import N_, _, gettext
from ..measures.contributions.sentence_parts import Sums
from ..measures.senses.sense_map import sense_map
from ..records.contributions import beginning
from ..records.sense_axis import SenseAxis
from ..records.trace import SINK, Array, Trace
from . import ends as ends_of
from .alone import position_alone
from .close_ends import close_layers
from .judge import Between, is_one_token, limit
from .moves_by_part import shown_parts
from .paths import path_of
from .question import Chosen
from .source import Source

NO_CONTRIBUTIONS = N_(
    "What each word adds can be computed only for a model that runs in our own transformer."
)


def picture(
    comparison: Between,
    source: Source,
    *,
    adds: bool = True,
    names: str = "AB",
    depth: int = 0,
) -> Picture:
    """The animated picture.

    Args:
        comparison: the positions.
        source: the model.
        adds: whether to include what each word adds to the position, where the model says it; otherwise
            the dots are there at once, and the picture asks for the rest.
        names: the sentences to show: "AB", "A" or "B".
        depth: the layer after which the word is shown, 0 for the learned vector.

    Raises:
        PolyseeError: see `Model.trace_many`.
    """
    question, axis = comparison.question, comparison.axes[0]
    assert question.ends is not None
    ends = (axis.frames.low, False), (axis.frames.high, True)
    contexts = [(context, high) for end, high in ends for context in end.contexts]
    own = [_layers(side, axis.n_layers, source) for side in (question.a, question.b)]
    assert axis.vectors is not None  # a model has read the contexts
    seen = sense_map(axis, np.stack([*axis.vectors, *own]))
    sides = [
        _side(
            name,
            question.side(name),
            source,
            comparison.coordinates["AB".index(name)],
            seen.across[len(contexts) + "AB".index(name)],
            comparison.axes["AB".index(name)],
            source.added(question.side(name), question.ends) if adds and source.adds else None,
        )
        for name in names
    ]
    points = [
        FramePoint(context.text, high, seen.along[i], seen.across[i])
        for i, (context, high) in enumerate(contexts)
    ]
    named = ends_of.short(question.ends.names)
    return trajectory(
        sides,
        points,
        ends=(named[0], named[1]),
        depth=depth,
        unclear=_unclear(comparison, source),
        judged=comparison.judged,
        close=close_layers(axis, comparison.judged),
        guessed=question.ends.guessed,
        two=len(names) > 1 and not is_one_token(question, source),
        key=question.id if names == "AB" else f"{question.id} {names}",
        wants=source.adds and not adds,
        why="" if source.adds else gettext(NO_CONTRIBUTIONS),
    )


def _unclear(comparison: Between, source: Source) -> float:
    """How far from the middle a word must be to be given a side; 0 where none is given at all."""
    needed = limit(comparison, source.calibration)
    return 0.0 if needed is None else needed.least


def _side(
    name: str,
    side: Chosen,
    source: Source,
    position: Array,
    across: Array,
    axis: SenseAxis,
    adds: Sums | None,
) -> Side:
    trace = source.trace(side.text)
    shown, at = shown_parts(trace, side)
    row = None if adds is None else Adds(adds.parts, adds.special, adds.bias)
    marks = marks_of(trace)
    texts = [part.text for part in shown]
    alone = position_alone(side, source, axis)
    behind = beginning(causal=trace.causal)
    return Side(name, shown[at].text, texts, at, position, alone, across, row, marks, behind)


def marks_of(trace: Trace) -> list[str]:
    """The names of the tokens that count as none of the words: special ones, or the sink."""
    named = [token for token, of in zip(trace.tokens, trace.special, strict=True) if of]
    if trace.causal and trace.special[0]:
        named[0] = _("{name} (sink)").format(name=named[0])
    return [gettext(SINK), *named] if trace.first_is_sink else named


def _layers(side: Chosen, count: int, source: Source) -> Array:
    """(layers, d_model), the word's vectors after each layer."""
    vectors: Array = np.stack(path_of(side, source).vectors[-count:])
    return vectors
