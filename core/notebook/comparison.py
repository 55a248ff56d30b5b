"""The picture of a word in two sentences, computed by a model directly; the app uses its caches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import NotSupported
from ..examples import known_ends
from ..figures import Picture
from ..figures.trajectories.trajectory import Adds, FramePoint, Side, trajectory
from ..measures import proposed_ends, shared_words, word_path
from ..measures.contributions.sentence_parts import Part, parts, sums
from ..measures.senses.sense_map import sense_map
from ..pretrained import TextModel
from ..pretrained.token_edits import span_of
from ..records.frozen import Array
from ..records.sense_axis import SenseAxis
from ..records.trace import Trace
from ..records.words import overlaps

MOST_SHOWN = 44  # words of a sentence, as in the app
NO_CONTRIBUTIONS = (
    "This model runs in Hugging Face’s code. Contributions need our own transformer."  # per word
)


@dataclass(frozen=True)
class NamedEnds:
    """The two ends of a word's axis.

    Attributes:
        names: the names of the senses at −1 and +1.
        low: anchor words and sentences of the sense at −1.
        high: those of the sense at +1.
    """

    names: tuple[str, str]
    low: tuple[str, ...]
    high: tuple[str, ...]


def ends_of(
    model: TextModel,
    texts: Sequence[str],
    words: tuple[str, str],
    given: tuple[Sequence[str], Sequence[str]] | None,
) -> NamedEnds:
    """The two senses between which a word is measured.

    Args:
        model: the model; its vectors serve to propose a word of each sentence as an end.
        texts: the sentences.
        words: the word in the first and in the second of them.
        given: the ends that the caller names; None for the known ends of the word.

    Raises:
        NotSupported: an end is empty; or none is given or known, and none can be proposed.
    """
    if given is not None:
        low, high = map(tuple, given)
        if not low or not high:
            raise NotSupported("Each of the two ends needs a word or a sentence.")
        return NamedEnds((low[0], high[0]), low, high)
    if known := known_ends(words[0], texts, model.spelling):
        return NamedEnds(known.names, known.low, known.high)
    if len(texts) == 2:
        a, b = (model.trace(text) for text in texts)
        for shared in shared_words(a, b):
            drawn = proposed_ends(a, b, shared) if shared.a.word == words[0] else None
            if drawn is not None:
                return NamedEnds((drawn.b, drawn.a), (drawn.b,), (drawn.a,))
    raise NotSupported(
        f"No two meanings of “{words[0][:40]}” are known. Name them: "
        'ends=(["a word for one"], ["a word for the other"]).'
    )


def picture(
    model: TextModel,
    texts: Mapping[str, str],
    words: tuple[str, str],
    given: tuple[Sequence[str], Sequence[str]] | None,
) -> Picture:
    """The animated picture of Compare, after the last layer.

    Args:
        model: the model.
        texts: "A" and "B" -> a sentence.
        words: the word in each of them.
        given: see `ends_of`.

    Raises:
        WordNotFound: a sentence does not contain its word.
        NotSupported: see `ends_of` and `SenseAxis`.
    """
    traces = [model.trace(text) for text in texts.values()]
    found = [trace.find(word) for trace, word in zip(traces, words, strict=True)]
    ends = ends_of(model, list(texts.values()), words, given)
    axes = {word: model.sense_axis(word, ends.low, ends.high) for word in dict.fromkeys(words)}
    axis = axes[words[0]]
    contexts = [(c, high) for end, high in _contexts(axis) for c in end]
    in_frames = model.trace_many([c.text for c, _ in contexts], keep="hidden")
    vectors = [_mean(trace, c.start, c.end) for trace, (c, _) in zip(in_frames, contexts, strict=True)]
    own = [
        np.stack(word_path(trace, at).vectors[-axis.n_layers :])
        for trace, at in zip(traces, found, strict=True)
    ]
    seen = sense_map(axis, np.stack([*vectors, *own]))
    sides = []
    for i, (name, trace, at, word) in enumerate(zip(texts, traces, found, words, strict=True)):
        shown, chosen = parts(trace, *span_of(trace, word, spelling=trace.spelling), MOST_SHOWN)
        sides.append(
            Side(
                name,
                shown[chosen].text,
                [part.text for part in shown],
                chosen,
                axes[word].coordinates(trace, at),
                seen.across[len(contexts) + i],
                _added(model, trace, word, axes[word], shown),
                [token for token, special in zip(trace.tokens, trace.special, strict=True) if special],
            )
        )
    points = [
        FramePoint(context.text, high, seen.along[i], seen.across[i])
        for i, (context, high) in enumerate(contexts)
    ]
    why = "" if model.engine == "scratch" else NO_CONTRIBUTIONS
    return trajectory(sides, points, ends=ends.names, depth=axis.n_layers, why=why)


def _contexts(axis: SenseAxis) -> list[tuple[Sequence[Any], bool]]:
    return [(axis.frames.low.contexts, False), (axis.frames.high.contexts, True)]


def _mean(trace: Trace, start: int, end: int) -> Array:
    """(layers, d_model): the mean vector of the tokens between two characters, after each layer."""
    tokens = overlaps(np.array(trace.offsets, np.int64).reshape(-1, 2), start, end)
    assert trace.hidden is not None
    mean: Array = trace.hidden[:, tokens].mean(axis=1)
    return mean


def _added(
    model: TextModel, trace: Trace, word: str, axis: SenseAxis, shown: Sequence[Part]
) -> Adds | None:
    """The contribution of each part of the sentence to the position; None for other engines."""
    if model.engine != "scratch":
        return None
    layers = [
        model.contributions(trace.texts[0], word, axis.direction(layer), layer=layer)
        for layer in range(axis.n_layers)
    ]
    made = sums(trace, shown, axis, layers)
    return Adds(made.parts, made.special, made.bias, made.offset)
