"""The axis between two senses of a word, computed anew in each layer from the word's own vectors.

An end of the axis is a set of contexts of the word. A sentence that contains the word is used as it is.
A word that names the sense, an anchor, is placed into three short frames beside the word. The axis
therefore measures how the word itself is used, not how similar it is to other words.

Before the first layer there is no axis: a learned vector is the same in every context.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import NotSupported, WordNotFound
from ..sentences import MOST_OF_TEXT, MOST_OF_WORD, sentence
from ..settings import MOST_ANCHORS
from .finding import occurrence_spans
from .frozen import Array, Record, frozen
from .indices import index
from .inflections import form_of
from .spelling import Spelling
from .trace import Trace
from .unknown import UNKNOWN, all_unknown
from .words import overlaps, split

# Of 39 frames, these three give the most verdicts on our labelled sentences at the same error rate;
# frames chosen without a word do as well on that word (`core.measures.senses.calibrate`).
FRAMES = (
    "The {word} is a kind of {anchor}.",
    "In the sense of {anchor}, a {word}.",
    "This {word} has to do with {anchor}.",
)
# For a model that reads from left to right: at the word, it has read only what precedes it.
ANCHOR_FIRST = (
    "It is a kind of {anchor}, the {word}.",
    "In the sense of {anchor}, a {word}.",
    "It has to do with {anchor}, this {word}.",
)
# Around several anchor words at once, which come first: so it serves every model.
LIST_FRAME, LISTED = "In the sense of {anchor}, a {word}.", ", "
FRAMES_LANGUAGE = "English"
MOST_SENTENCES = 100  # at one end
MOST_ANCHOR_WORDS = 3  # "river bank" is an anchor; a longer text without the word raises WordNotFound
_IDENTICAL = 1e-6  # relative to the vectors' length: closer ends count as identical

TraceMany = Callable[[Sequence[str]], Sequence[Trace]]


@dataclass(frozen=True)
class Context:
    """A text from which the word's vector is taken.

    Attributes:
        text: the text as the model reads it.
        start: where the word begins in it, in characters.
        end: where it ends.
        anchor: the anchor word beside it; None for a sentence.
        frame: the frame around the anchor, see `frames_of`; None for a sentence.
    """

    text: str
    start: int
    end: int
    anchor: str | None = None
    frame: str | None = None


@dataclass(frozen=True)
class End:
    """One end of an axis.

    Attributes:
        words: the anchor words.
        sentences: the sentences that contain the word.
        contexts: the texts that were read, without those that were dropped.
        near: (words,), how related the word and each anchor word are in the model: the cosine of their
            two vectors in a frame after the last layer, −1 to 1, averaged over the frames.
    """

    words: tuple[str, ...]
    sentences: tuple[str, ...]
    contexts: tuple[Context, ...]
    near: tuple[float, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """The items of the end. Each has one vote; an anchor word votes by the mean of its frames."""
        return self.words + self.sentences

    @property
    def nearness(self) -> float | None:
        """The mean of `near`; None without anchor words."""
        return float(np.mean(self.near)) if self.near else None


@dataclass(frozen=True)
class Dropped:
    """A frame or an anchor word that was left out, and the reason in a sentence."""

    what: str
    why: str


@dataclass(frozen=True)
class Frames:
    """The contexts that an axis was computed from.

    Attributes:
        low: the end at −1.
        high: the end at +1.
        dropped: the frames and anchors that were left out.
        unknown: the texts with a piece that the model does not know.
    """

    low: End
    high: End
    dropped: tuple[Dropped, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SenseAxis(Record):
    """Where a word stands between two of its senses, in each layer: −1 and +1 at the two ends.

    Let m be the midpoint of the two ends, and h the vector from m to the high end. A vector x has the
    coordinate (x − m)·h / |h|². Each layer has its own m and h, and thus its own unit: never subtract
    coordinates of two layers. The axis ignores everything in x that is perpendicular to h.

    Attributes:
        word: the word.
        model: the model's name.
        frames: the contexts of the two ends.
        midpoints: (layers, d_model), m.
        halves: (layers, d_model), h.
        vectors: (contexts, layers, d_model), the word in each context, those of the low end first: what
            the ends are the means of. None for an axis made of something else.
        alone: (layers, d_model), the word by itself, read together with the contexts. None if the
            model reads it otherwise, see `core.comparison.alone`.
    """

    word: str
    model: str
    frames: Frames
    midpoints: Array
    halves: Array
    vectors: Array | None = None
    alone: Array | None = None

    def __post_init__(self) -> None:
        self._freeze("midpoints", "halves", "vectors", "alone")
        if self.midpoints.ndim != 2 or self.midpoints.shape != self.halves.shape:
            raise ValueError(f"midpoints {self.midpoints.shape} do not fit halves {self.halves.shape}.")

    @property
    def n_layers(self) -> int:
        """The number of layers of the model."""
        return len(self.halves)

    @property
    def distance(self) -> Array:
        """(layers,) float32: how far apart the two ends lie, in the units of the layer's vectors."""
        return frozen(2 * np.linalg.norm(self.halves.astype(np.float64), axis=1))

    def direction(self, layer: int) -> Array:
        """(d_model,) float32, h / |h|²: its product with a vector is the coordinate, up to `offset`.

        `Model.contributions` along it, with `layer`, returns the summands of a coordinate.

        Args:
            layer: from 0, as `Model.contributions` counts; −1 is the last.

        Raises:
            OutOfRange: there is no such layer.
        """
        half = self.halves[index(layer, len(self.halves), "layer")].astype(np.float64)
        return frozen(half / (half @ half))

    def offset(self, layer: int) -> float:
        """−m·h / |h|², the constant that the axis adds to each coordinate of a layer (from 0)."""
        along = self.direction(layer).astype(np.float64)
        return -float(self.midpoints[layer].astype(np.float64) @ along)

    def coordinate(self, vectors: npt.ArrayLike, layer: int) -> Array:
        """The coordinates of stored vectors of one layer.

        Args:
            vectors: (..., d_model), outputs of the layer.
            layer: from 0, as in `direction`.

        Returns:
            (...,) float32, without unit.

        Raises:
            ValueError: the vectors have another width.
        """
        x = np.asarray(vectors, np.float64)
        if x.shape[-1:] != self.halves.shape[1:]:
            width = self.halves.shape[1]
            raise ValueError(f"Vectors of the shape {x.shape} do not end in d_model = {width}.")
        return frozen(x @ self.direction(layer).astype(np.float64) + self.offset(layer))

    def coordinates(self, trace: Trace, tokens: npt.ArrayLike) -> Array:
        """The coordinate of the word at these tokens, after each layer.

        Args:
            trace: a trace of the same model.
            tokens: the tokens of the word, from `trace.find`; their vectors are averaged.

        Returns:
            (layers,) float32, without unit; entry 0 is layer 1.

        Raises:
            NotSupported: the trace has no hidden states.
            ValueError: there are no tokens, or the trace comes from a model of another shape.
        """
        vectors = _vectors(trace, np.asarray(tokens, np.int64))
        if vectors.shape != self.halves.shape:
            raise ValueError(f"Vectors of the shape {vectors.shape} do not fit {self.halves.shape}.")
        return self._coordinates(vectors)

    @property
    def coordinates_alone(self) -> Array | None:
        """(layers,) float32: where the word stands by itself after each layer; None as `alone`."""
        return None if self.alone is None else self._coordinates(self.alone)

    def _coordinates(self, vectors: Array) -> Array:
        """(layers, d_model), a vector after each layer -> (layers,) float32, its `coordinate` there."""
        along = np.stack([self.direction(i) for i in range(len(self.halves))]).astype(np.float64)
        return frozen(((vectors - self.midpoints.astype(np.float64)) * along).sum(axis=1))

    def fit(self, trace: Trace, tokens: npt.ArrayLike, layer: int = -1) -> float:
        """How well the nearer end describes a word: the cosine of their vectors after a layer.

        A word that stands at its end or beyond it is described by it, whatever else it says: 1.
        `layer` counts as in `direction`; other arguments and errors as in `coordinates`.
        """
        vector = _vectors(trace, np.asarray(tokens, np.int64))[layer]
        middle, half = self.midpoints[layer].astype(np.float64), self.halves[layer].astype(np.float64)
        at = (vector - middle) @ half / (half @ half)
        if abs(at) >= 1:
            return 1.0
        end = middle + half if at > 0 else middle - half
        return float(vector @ end / (np.linalg.norm(vector) * np.linalg.norm(end)))


def sense_axis(
    word: str,
    low: Sequence[str],
    high: Sequence[str],
    trace_many: TraceMany,
    *,
    spelling: Spelling,
    model: str,
    causal: bool = False,
) -> SenseAxis:
    """The axis of a word from its `low` to its `high` contexts. Models call it: `Model.sense_axis`.

    Args:
        word: the word, in the form that the frames should contain.
        low: anchor words and sentences of the end at −1.
        high: those of the end at +1.
        trace_many: runs texts through the model and returns their hidden states.
        spelling: which spellings the model reads alike.
        model: its name, for the record.
        causal: whether it reads from left to right.

    Raises:
        NotSupported: an end is empty or too large; the model does not know the word or an anchor word;
            or it cannot tell the two ends apart.
        WordNotFound: a sentence does not contain the word.
    """
    if not split(word):
        raise NotSupported("A sense axis needs a word.")
    dropped, frames = list[Dropped](), frames_of(causal=causal)
    ends = [_read(word, end, spelling, frames, dropped) for end in (low, high)]
    contexts = [one for end in ends for one in end.contexts]
    # One more text takes little; a pass of its own reads all weights again.
    by_itself = () if causal else (word,)
    every = trace_many([*(one.text for one in contexts), *by_itself])
    traces = every[: len(contexts)]
    taken = dict(zip(contexts, map(partial(_take, word), contexts, traces), strict=True))
    same = _uninformative(taken, ends, frames)
    dropped += [Dropped(frame, why) for frame, why in same.items()]
    read = dict(zip(contexts, traces, strict=True))
    ends = [
        _without_dropped(end, [c for c in end.contexts if c.frame not in same], taken, read)
        for end in ends
    ]
    a, b = (_mean(end, taken) for end in ends)
    if _equal(a, b).any():
        raise NotSupported(sentence("axis.same", model=model, word=word[:MOST_OF_WORD]))
    unknown = [c.text for c, t in zip(contexts, traces, strict=True) if {*t.tokens} & {*UNKNOWN}]
    read_in = Frames(ends[0], ends[1], tuple(dropped), tuple(dict.fromkeys(unknown)))
    vectors = np.stack([taken[one] for end in ends for one in end.contexts])
    alone = next((_alone(word, one) for one in every[len(contexts) :]), None)
    return SenseAxis(word, model, read_in, (a + b) / 2, (b - a) / 2, vectors, alone)


def frames_of(*, causal: bool) -> tuple[str, ...]:
    """The frames in which a model reads an anchor word beside a word."""
    return ANCHOR_FIRST if causal else FRAMES


def framed(word: str, anchor: str, frames: Sequence[str] = FRAMES) -> tuple[Context, ...]:
    """An anchor word beside the word in each of the frames."""
    contexts = []
    for frame in frames:
        before, after = (part.replace("{anchor}", anchor) for part in frame.split("{word}"))
        start = len(before)
        contexts.append(Context(f"{before}{word}{after}", start, start + len(word), anchor, frame))
    return tuple(contexts)


class Beside(NamedTuple):
    """A word beside an anchor word, averaged over the frames.

    Attributes:
        vectors: (layers, d_model) float64, the vectors of the word.
        near: how related the anchor word is to the word, as in `End`.
        anchor: (d_model,) float64, the anchor word itself after the last layer; 0 if it has no token.
    """

    vectors: Array
    near: float
    anchor: Array


def anchor_vectors(
    word: str, anchors: Sequence[str], trace_many: TraceMany, *, causal: bool = False
) -> dict[str, Array]:
    """The word's vector beside each anchor word, (layers, d_model) float64; see `beside`."""
    read = beside(word, anchors, trace_many, causal=causal)
    return {anchor: one.vectors for anchor, one in read.items()}


def beside(
    word: str, anchors: Sequence[str], trace_many: TraceMany, *, causal: bool = False
) -> dict[str, Beside]:
    """A word beside each of some anchor words.

    Args:
        word: the word.
        anchors: the anchor words.
        trace_many: runs texts through the model and returns their hidden states.
        causal: whether it reads from left to right.

    Raises:
        NotSupported: the model does not know the word or an anchor word.
    """
    frames = frames_of(causal=causal)
    contexts = [one for anchor in anchors for one in framed(word, anchor, frames)]
    traces = trace_many([one.text for one in contexts])
    vectors: dict[str, list[Array]] = {}
    near: dict[str, list[float]] = {}
    own: dict[str, list[Array]] = {}
    for context, trace in zip(contexts, traces, strict=True):
        assert context.anchor is not None
        tokens = _anchor_tokens(trace, context)
        taken = _take(word, context, trace)
        vectors.setdefault(context.anchor, []).append(taken)
        near.setdefault(context.anchor, []).append(_near(taken, context, trace))
        last = _vectors(trace, tokens)[-1] if tokens.size else np.zeros_like(taken[-1])
        own.setdefault(context.anchor, []).append(last)
    return {
        a: Beside(np.mean(of, axis=0), float(np.mean(near[a])), np.mean(own[a], axis=0))
        for a, of in vectors.items()
    }


class BesideAll(NamedTuple):
    """A word beside several anchor words in one text, after the last layer, float64.

    Attributes:
        vector: (d_model,), the word.
        anchors: anchor word -> (d_model,), itself; without those that the model does not know.
        near: how related the model finds each of them and the word before it reads anything: the cosine
            of their learned vectors.
    """

    vector: Array
    anchors: Mapping[str, Array]
    near: Mapping[str, float]


def beside_all(
    word: str, lists: Sequence[Sequence[str]], trace_many: TraceMany
) -> tuple[BesideAll | None, ...]:
    """A word beside all anchor words of each list, in a text for each list.

    It takes a third of the tokens that a text for each anchor word takes. A list that holds a word
    which the model does not know is read again without it; None is for one of which it knows none. Of
    one that is too long for the model's window, the first half is read.

    Args:
        word: the word.
        lists: the anchor words of each, at least one.
        trace_many: runs texts through the model and returns their hidden states.

    Raises:
        NotSupported: the model does not know the word.
    """
    contexts = [framed(word, LISTED.join(one), (LIST_FRAME,))[0] for one in lists]
    traces = trace_many([one.text for one in contexts])
    every = [_beside_all(word, *one) for one in zip(lists, contexts, traces, strict=True)]
    again = {
        i: lists[i][: len(lists[i]) // 2] if one is None else [*one.anchors]
        for i, one in enumerate(every)
        if (len(lists[i]) > 1 if one is None else 0 < len(one.anchors) < len(lists[i]))
    }
    if again:
        for i, one in zip(again, beside_all(word, [*again.values()], trace_many), strict=True):
            if one is not None:
                every[i] = one
    return tuple(one if one is not None and one.anchors else None for one in every)


def _beside_all(word: str, anchors: Sequence[str], context: Context, trace: Trace) -> BesideAll | None:
    """One of them; None if the text was cut before the word."""
    at = _tokens(trace, context.start, context.end)
    if not at.size:
        return None
    if _is_unknown(trace, at):
        raise NotSupported(sentence("word.unknown", word=word[:MOST_OF_WORD]))
    own = trace.learned[at].mean(axis=0, dtype=np.float64)
    read, near, start = {}, {}, LIST_FRAME.index("{anchor}")
    for one in anchors:
        tokens = _tokens(trace, start, start + len(one))
        start += len(one) + len(LISTED)
        if tokens.size and not _is_unknown(trace, tokens):
            learned = trace.learned[tokens].mean(axis=0, dtype=np.float64)
            read[one] = _last(trace, tokens)
            near[one] = float(own @ learned / (np.linalg.norm(own) * np.linalg.norm(learned)))
    return BesideAll(_last(trace, at), read, near)


def _last(trace: Trace, tokens: Array) -> Array:
    """(d_model,) float64: the mean of some tokens after the last layer."""
    assert trace.hidden is not None
    mean: Array = trace.hidden[-1][tokens].mean(axis=0, dtype=np.float64)
    return mean


def _without_dropped(
    end: End, contexts: Sequence[Context], taken: Mapping[Context, Array], read: Mapping[Context, Trace]
) -> End:
    """An end without the contexts that were dropped, and how near its anchor words are."""
    near = []
    for word in end.words:
        frames = [_near(taken[c], c, read[c]) for c in contexts if c.anchor == word]
        if frames:
            near.append(float(np.mean(frames)))
    return End(end.words, end.sentences, tuple(contexts), tuple(near))


def _near(taken: Array, context: Context, trace: Trace) -> float:
    """The cosine of the word and its anchor word after the last layer; −1 if that has no token."""
    tokens = _anchor_tokens(trace, context)
    if not tokens.size:
        return -1.0
    a, b = taken[-1], _vectors(trace, tokens)[-1]
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / lengths) if lengths else 0.0


def _read(
    word: str,
    items: Sequence[str],
    spelling: Spelling,
    frames: Sequence[str],
    dropped: list[Dropped],
) -> End:
    """The end that these items define. Items that are the word itself are added to `dropped`."""
    if isinstance(items, str):
        raise NotSupported("An end of a sense axis is a list of words and sentences, not one text.")
    given = tuple(dict.fromkeys(" ".join(item.split()) for item in items if split(item)))
    words, sentences = list[str](), list[str]()
    contexts = list[Context]()
    for item in given:
        at = _span(word, item, spelling)
        if at == (0, len(item)):
            dropped.append(Dropped(item, "It is the word itself, and says nothing about its sense."))
        elif at is not None:
            sentences.append(item)
            contexts.append(Context(item, *at))
        elif len(split(item)) <= MOST_ANCHOR_WORDS:
            words.append(item)
            contexts += framed(word, item, frames)
        else:
            short = item if len(item) <= MOST_OF_TEXT else item[: MOST_OF_TEXT - 1] + "…"
            raise WordNotFound(sentence("axis.not-there", text=short, word=word[:MOST_OF_WORD]))
    if len(words) > MOST_ANCHORS or len(sentences) > MOST_SENTENCES:
        most = {"words": str(MOST_ANCHORS), "sentences": str(MOST_SENTENCES)}
        raise NotSupported(sentence("axis.large", **most))
    if not contexts:
        itself = sentence("axis.itself", word=given[0][:MOST_OF_WORD]) if given else ""
        raise NotSupported(sentence("axis.empty", itself=itself))
    return End(tuple(words), tuple(sentences), tuple(contexts))


def _span(word: str, item: str, spelling: Spelling) -> tuple[int, int] | None:
    """The first occurrence of the word in a text, or of another form of it; None if there is none."""
    exact = occurrence_spans(item, word, spelling=spelling)
    if exact:
        return exact[0]
    other = form_of(item, word, spelling)
    return None if other is None else (other.start, other.end)


def _alone(word: str, trace: Trace) -> Array | None:
    """(layers, d_model) float64: the vectors of the word in a text of itself; None without a token."""
    at = _tokens(trace, 0, len(word))
    return _vectors(trace, at) if at.size else None


def _take(word: str, context: Context, trace: Trace) -> Array:
    """(layers, d_model) float64: the word's vector in a context."""
    tokens = _tokens(trace, context.start, context.end)
    if not tokens.size:
        raise WordNotFound(
            sentence("axis.too-long", text=context.text[:MOST_OF_TEXT], word=word[:MOST_OF_WORD])
        )
    for name, at in ((word, tokens), (context.anchor, _anchor_tokens(trace, context))):
        if name is not None and _is_unknown(trace, at):
            raise NotSupported(sentence("word.unknown", word=name[:MOST_OF_WORD]))
    return _vectors(trace, tokens)


def _is_unknown(trace: Trace, tokens: Array) -> bool:
    """Whether the model reads a word as its token for the unknown, and nothing else."""
    return bool(tokens.size) and all_unknown(trace.tokens, tokens)


def _anchor_tokens(trace: Trace, context: Context) -> Array:
    if context.anchor is None or context.frame is None:
        return np.array([], np.int64)
    before, after = context.frame.split("{word}")
    start = before.find("{anchor}")
    if start < 0:
        start = context.end + after.index("{anchor}")
    return _tokens(trace, start, start + len(context.anchor))


def _tokens(trace: Trace, start: int, end: int) -> Array:
    spans = np.array(trace.offsets, np.int64).reshape(-1, 2)
    return np.flatnonzero(overlaps(spans, start, end))


def _vectors(trace: Trace, tokens: Array) -> Array:
    """(layers, d_model) float64: the mean of some tokens after each layer."""
    if trace.hidden is None:
        raise NotSupported("This trace has no hidden states. Ask for keep='hidden' or keep='all'.")
    if not tokens.size:
        raise ValueError("A word needs at least one token.")
    vectors: Array = trace.hidden[:, tokens].astype(np.float64).mean(axis=1)
    return vectors


def _uninformative(
    taken: dict[Context, Array], ends: Sequence[End], frames: Sequence[str]
) -> dict[str, str]:
    """The frames in which the word has the same vector for both anchors, and why.

    If that is true of all frames, none is named: the cause is then the anchors, not the frames.
    """
    same = dict[str, str]()
    for frame in frames:
        low, high = ([taken[c] for c in end.contexts if c.frame == frame] for end in ends)
        if low and high and _equal(np.mean(low, axis=0), np.mean(high, axis=0)).all():
            same[frame] = "The word has the same vector beside both ends."
    return same if len(same) < len(frames) else {}


def _equal(a: Array, b: Array) -> Array:
    """(layers,) bool: whether two vectors, (layers, d_model) each, are equal up to rounding."""
    apart: Array = np.linalg.norm(b - a, axis=1) <= _IDENTICAL * np.linalg.norm(a, axis=1)
    return apart


def _mean(end: End, taken: dict[Context, Array]) -> Array:
    """(layers, d_model) float64: the mean of an end's items, an anchor word by that of its frames."""
    items = [taken[c] for c in end.contexts if c.anchor is None]
    for word in end.words:
        frames = [taken[c] for c in end.contexts if c.anchor == word]
        if frames:
            items.append(np.mean(frames, axis=0))
    if not items:
        raise NotSupported("A sense axis needs at least one word or sentence at each of its two ends.")
    mean: Array = np.mean(items, axis=0)
    return mean
