"""Figures of records: attention, paths, moves, accuracies, contributions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import figures
from ..figures import Line, StepAxis, ValueAxis, style
from ..figures import copying as figures_of_copying
from ..language import Sampling
from ..language.in_context import InContext
from ..measures import (
    AttentionBlock,
    Copying,
    CopyingHeads,
    HeadMap,
    Projection,
    Sink,
    head_map,
)
from ..records.attention import Attention
from ..records.contributions import Contributions
from ..records.frozen import Array
from ..records.indices import index
from ..records.patching import Patching
from ..records.prediction import Expectation
from ..records.trace import SINK, Trace
from .convert import of

if TYPE_CHECKING:
    import plotly.graph_objects as go


def attention(
    shown: Trace | AttentionBlock | Attention | HeadMap,
    layer: int | None = None,
    head: int | None = None,
    *,
    special: bool = True,
) -> go.Figure:
    """The weights of one head, or the mean of several, as a heatmap: rows are queries, columns keys.

    Args:
        shown: see `core.measures.head_map`; a `HeadMap` is drawn as it is.
        layer: from 0; None for the mean over all layers.
        head: from 0; None for the mean over all heads.
        special: whether special tokens keep their rows and columns.

    Raises:
        NotSupported: see `head_map`.
        IndexError: there is no such layer or head.

    Examples:
        >>> import core
        >>> trace = core.load("minilm").trace("She sat on the bank of the river.")
        >>> figure = core.plot.attention(trace, 2, 5, special=False)
        >>> figure.layout.meta["sentence"]
        'Layer 3, head 6: rows are queries, columns are keys.'
    """
    one = shown if isinstance(shown, HeadMap) else head_map(shown, layer, head, special=special)
    where = "all layers" if layer is None else style.layer_name(layer)
    which = "mean of all heads" if head is None else f"head {head + 1}"
    name = f"{where}-{which}".lower().replace(" ", "-")
    sentence = f"{where}, {which}: rows are queries, columns are keys."
    return of(figures.heatmap(one, sentence=sentence, name=name, root=False))


def path(coordinates: Mapping[str, npt.ArrayLike], *, low: str, high: str) -> go.Figure:
    """The position of a word between two senses after each layer, a curve for each sentence.

    Args:
        coordinates: the name of a sentence -> the coordinates of its word, (layers,), from
            `SenseAxis.coordinates`. "A" is drawn blue and "B" orange; others take the colours of heads.
        low: the name of the sense at −1.
        high: the name of the sense at +1.

    Raises:
        ValueError: there are no coordinates, or they have different numbers of layers.

    Examples:
        >>> import core
        >>> model = core.load("minilm")
        >>> trace = model.trace("She sat on the bank of the river.")
        >>> axis = model.sense_axis("bank", ["money"], ["river"])
        >>> moved = axis.coordinates(trace, trace.find("bank"))  # (6,), one for each layer
        >>> figure = core.plot.path({"A": moved}, low="money", high="river")
    """
    return of(path_picture(coordinates, low=low, high=high))


def path_picture(coordinates: Mapping[str, npt.ArrayLike], *, low: str, high: str) -> figures.Picture:
    """The picture of `path`, which a notebook shows as it is.

    Raises:
        ValueError: see `path`.
    """
    rows = {name: np.asarray(row, np.float32) for name, row in coordinates.items()}
    if not rows:
        raise ValueError("A path needs the coordinates of at least one sentence.")
    count = len(next(iter(rows.values())))
    known = {"A": (style.SENTENCE_A, "circle"), "B": (style.SENTENCE_B, "square")}
    colours = style.HEADS_ON_LIGHT
    every = [float(at) for row in rows.values() for at in row]
    shown = []
    for i, (name, row) in enumerate(rows.items()):
        colour, mark = known.get(name, (colours[i % len(colours)], "circle"))
        shown.append(Line(name, row, colour, mark))  # type: ignore[arg-type]
    return figures.lines(
        shown,
        _after_layers(count),
        ValueAxis(
            [(-1, f"{low} −1"), (0, "halfway 0"), (1, f"{high} +1")],
            bounds=(min(-1.15, *every), max(1.15, *every)),
        ),
        sentence=f"The position of the word between {low} (−1) and {high} (+1) after each layer.",
        name="path",
    )


def plane(projection: Projection, names: Sequence[str], *, depth: int = -1) -> go.Figure:
    """The paths of a word along their first two principal components.

    Args:
        projection: from `core.measures.pca`; its first two paths are the word in A and in B.
        names: the names of the paths.
        depth: up to which depth the paths are drawn, from 0 (the learned vector); −1 is the last.

    Examples:
        >>> import core
        >>> from core.measures import pca, word_path
        >>> a, b = core.load("minilm").trace_many(["on the river bank", "in the savings bank"])
        >>> projection = pca([word_path(a, a.find("bank")), word_path(b, b.find("bank"))])
        >>> figure = core.plot.plane(projection, ["A", "B"])
    """
    return of(figures.word_projection(projection, names, depth=_depth(projection, depth)))


def space(projection: Projection, names: Sequence[str], *, depth: int = -1) -> go.Figure:
    """The paths of a word along their first three principal components; see `plane`.

    Examples:
        >>> import core
        >>> from core.measures import pca, word_path
        >>> a, b = core.load("minilm").trace_many(["on the river bank", "in the savings bank"])
        >>> projection = pca([word_path(a, a.find("bank")), word_path(b, b.find("bank"))])
        >>> figure = core.plot.space(projection, ["A", "B"], depth=3)  # after layer 3
    """
    return of(figures.word_space(projection, names, depth=_depth(projection, depth)))


def accuracy(accuracies: npt.ArrayLike, *, chance: float | None = None) -> go.Figure:
    """The accuracy with which a word's sense is predicted from its vectors, at every depth.

    Args:
        accuracies: (layers + 1,), 0 to 1, the learned vectors first, as
            `core.measures.senses.occurrences.nearest_centroid_accuracy` returns them.
        chance: the accuracy of guessing, drawn as a line; None for no line.

    Examples:
        >>> import core
        >>> figure = core.plot.accuracy([0.5, 0.7, 0.8, 0.9, 1.0, 1.0, 1.0], chance=0.5)
        >>> [len(curve.x) for curve in figure.data]  # the learned vectors, and six layers
        [7]
    """
    values = np.asarray(accuracies, np.float32)
    guides = [(0.0, "0"), (1.0, "all 1")]
    if chance is not None:
        guides.insert(1, (chance, f"guess {style.signed(chance)}"))
    picture = figures.lines(
        [Line("nearest-centroid accuracy", values, style.LEARNED)],
        _after_layers(len(values) - 1, "learned"),
        ValueAxis(guides, bounds=(0.0, 1.0)),
        sentence="How often the nearest centroid gives the right label, at every depth.",
        name="accuracy",
    )
    return of(picture)


def contributions(record: Contributions, *, unit: str = "contribution", bias: bool = True) -> go.Figure:
    """The contribution of each token of a text to a word's vector along a direction, as signed bars.

    Args:
        record: from `Model.contributions`; after `from_alone`, the bars are what the text adds to the
            word alone.
        unit: the name of the numbers, such as "towards river".
        bias: whether the last bar is the contribution of the biases; with it, the bars add up to
            `record.whole`.

    Examples:
        >>> import core
        >>> model = core.load("minilm")
        >>> axis = model.sense_axis("bank", ["money"], ["river"])
        >>> parts = model.contributions("She sat on the river bank.", "bank", axis.direction(5))
        >>> figure = core.plot.contributions(parts, unit="towards river")
    """
    values: Array = record.by_token
    labels = list(record.tokens)
    if record.sink:
        labels[0] = f"{labels[0]}, {SINK}"
    if bias:
        values, labels = np.append(values, record.bias), [*labels, "(bias)"]
    picture = figures.bars(
        values,
        labels,
        kind="signed",
        unit=unit,
        sentence=f"What each token adds; the sum is {style.signed(record.whole)}.",
        name="contributions",
        digits=2,
    )
    return of(picture)


def patching(record: Patching) -> go.Figure:
    """How much of the difference between two prompts each exchanged state brings back, as a heatmap.

    Args:
        record: from `Model.patch`; by position, rows are tokens and columns depths, 0 for the input.

    Examples:
        >>> import core
        >>> model = core.load("smollm2")
        >>> found = model.patch("The capital of France is", "The capital of Italy is")
        >>> figure = core.plot.patching(found)
        >>> figure.data[0].z.shape  # tokens, the input and 30 layers
        (5, 31)
    """
    return of(figures.patching(record))


def copying(record: Copying) -> go.Figure:
    """The surprise at each token of a text that is said twice, with every head and without some.

    Args:
        record: from `core.measures.copies`.

    Examples:
        >>> import core
        >>> found = core.measures.copies(core.load("smollm2"), ablate=0)
        >>> figure = core.plot.copying(found)
        >>> len(figure.data[0].y)  # both halves
        50
    """
    return of(figures_of_copying.copying(record))


def copying_heads(record: CopyingHeads, measure: str = "induction") -> go.Figure:
    """All heads by induction, "previous" token, "duplicate" token or attention to the first ("sink").

    Args:
        record: from `core.measures.copies`, its `heads`, or from `core.measures.copying_heads`.
        measure: which score.

    Examples:
        >>> import core
        >>> found = core.measures.copies(core.load("smollm2"), ablate=0)
        >>> figure = core.plot.copying_heads(found.heads, "previous")
        >>> figure.data[0].z.shape  # layers, heads
        (30, 9)
    """
    return of(figures_of_copying.copying_heads(record, measure))


def in_context(record: InContext) -> go.Figure:
    """The share of right answers after so many examples, with its 95 % interval.

    Args:
        record: the answers.

    Examples:
        >>> import core
        >>> from core.language.in_context import InContext
        >>> figure = core.plot.in_context(InContext((0, 2, 4, 8), [0, 3, 9, 12], 12))
    """
    return of(figures_of_copying.in_context(record))


def sink(record: Sink) -> go.Figure:
    """The first token's share of the attention, and of what the heads write, by layer.

    Args:
        record: from `core.measures.sink`.

    Examples:
        >>> import core
        >>> model = core.load("smollm2")
        >>> found = core.measures.sink(model.trace("The capital of France is"), model.output_gram())
        >>> figure = core.plot.sink(found)
        >>> [curve.name for curve in figure.data]
        ['of the attention', 'of what heads write']
    """
    return of(figures_of_copying.sink_shares(record))


def _after_layers(count: int, *before: str) -> StepAxis:
    """The axis of so many layers, and of what comes before them."""
    names = [style.layer_name(layer) for layer in range(count)]
    ticks = [str(layer + 1) for layer in range(count)]
    return StepAxis([*before, *names], [*before, *ticks], "after layer")


def _depth(projection: Projection, depth: int) -> int:
    return index(depth, projection.coordinates.shape[1], "depth")


def next_word(
    expectation: Expectation,
    sampling: Sampling = Sampling(),  # noqa: B008 - a frozen record
    *,
    ends: Collection[int] = (),
) -> go.Figure:
    """The ten likeliest next tokens and all others, as bars.

    Args:
        expectation: what a model expects, from `Model.expects`.
        sampling: the temperature and the cuts; what is cut has 0, and the rest sums to 1.
        ends: the tokens that end a text, `Model.ends`.

    Examples:
        >>> import core
        >>> model = core.load("smollm2")
        >>> (found,) = model.expects("The capital of France is")
        >>> figure = core.plot.next_word(found, ends=model.ends)
        >>> figure.data[0].customdata[0]
        '␣Paris'
    """
    state = {
        "temperature": float(sampling.temperature),
        "topK": sampling.top_k or 0,
        "topP": 1.0 if sampling.top_p is None else float(sampling.top_p),
        "minP": float(sampling.min_p or 0),
    }
    return of(figures.next_word_of(expectation, ends=ends, state=state))
