"""The results for one word in two sentences, for the Compare page and its saved file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from core.examples import known_word, labelled
from core.figures import Picture
from core.figures.trajectories.trajectory import Adds, FramePoint, Side, trajectory
from core.measures import Projection, WordPath, cosines, pca
from core.measures.contributions.sentence_parts import Part, Sums, parts, sums
from core.measures.senses.how_sure import HowSure, how_sure
from core.measures.senses.sense_map import sense_map
from core.measures.senses.verdict import OneSide, Verdict, one_side, verdict
from core.pretrained.token_edits import span_of
from core.records.elision import is_elided
from core.records.inflections import same_word
from core.records.sense_axis import SenseAxis
from core.records.spelling import Spelling
from core.records.trace import Array
from core.records.words import split
from core.sentences import listed, sentence
from ui.contributions import computed
from ui.models import answers, calibrations, languages, model_cache, pictures, session_models
from ui.selection import Chosen, Ends

MOST_SHOWN = 44  # words of a sentence that the picture shows; of a longer one, those around the word
_ARTICLES = frozenset(("a", "an", "the"))
NO_CONTRIBUTIONS = (
    "What each word adds can be computed only in our own transformer, which cannot run this model."
)


class Question(NamedTuple):
    """All inputs of a comparison: only strings and numbers, and therefore cheap to keep."""

    model: str
    a: Chosen
    b: Chosen
    ends: Ends | None

    def side(self, name: str) -> Chosen:
        """The sentence "A" or "B"."""
        return {"A": self.a, "B": self.b}[name]

    @property
    def words(self) -> tuple[str, str]:
        """The word in A and the word in B."""
        return self.a.word, self.b.word

    @property
    def texts(self) -> tuple[str, str]:
        """Sentence A and sentence B."""
        return self.a.text, self.b.text

    @property
    def id(self) -> str:
        """A short name, equal for equal questions in every process."""
        return sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def one(self) -> bool:
        """Whether both are the same word, perhaps in two forms: "bank" and "banks"."""
        return same_word(*self.words, answers.spelling(self.model))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the paths in a picture: A, B, and each word alone."""
        if self.a.word == self.b.word:
            return "A", "B", "alone"
        return "A", "B", *(f"{word} alone" for word in self.words)


@dataclass(frozen=True, eq=False)
class Moved:
    """How the word moves, without a sense axis.

    Attributes:
        a: its path in sentence A.
        b: its path in sentence B.
        alone: the path of each word alone, in a short frame; one path if both are the same word.
        together: (depths,), the cosine of `a` and `b` at every depth.
        from_alone: (depths,) for `a` and for `b`, the cosine with the word alone.
        projection: the principal components of `a`, `b` and the words alone, in this order.
    """

    a: WordPath
    b: WordPath
    alone: tuple[WordPath, ...]
    together: Array
    from_alone: tuple[Array, Array]
    projection: Projection


@dataclass(frozen=True, eq=False)
class Between:
    """How the word moves between its two ends.

    Attributes:
        question: the question.
        axes: the axes of the word's forms in A and in B; the same axis if the forms are equal.
        coordinates: (layers,) for A and for B, the coordinates of the word.
        verdict: the verdict at the last layer.
        same: if the model reads A and B as the same sentence, the result for its one position.
    """

    question: Question
    axes: tuple[SenseAxis, SenseAxis]
    coordinates: tuple[Array, Array]
    verdict: Verdict
    same: OneSide | None


def moved(question: Question) -> Moved:
    """The paths of the word.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`; NotSupported if the model does not know the
            word.
    """
    a, b = (answers.path(question.model, *chosen) for chosen in (question.a, question.b))
    alone_a, alone_b = (answers.anchors(question.model, (word,))[0] for word in question.words)
    alone = (alone_a,) if question.a.word == question.b.word else (alone_a, alone_b)
    from_alone = cosines(a, alone_a), cosines(b, alone_b)
    return Moved(a, b, alone, cosines(a, b), from_alone, pca([a, b, *alone]))


def between(question: Question) -> Between | None:
    """The positions of the word between the two ends, and the verdict; None without ends.

    Raises:
        PolyseeError: see `answers.axis`.
    """
    ends = question.ends
    if ends is None:
        return None
    sides = question.a, question.b
    first, second = (answers.axis(question.model, s.word, ends.low, ends.high) for s in sides)
    a, b = (
        answers.coordinates(question.model, *side, axis)
        for side, axis in zip(sides, (first, second), strict=True)
    )
    calibration, proposed = calibrations.of(question.model), ends.proposed
    barred, same = _barred(question.model, {"A": question.a, "B": question.b}), None
    if _are_same(question):
        own = _barred(question.model, {sentence("the-sentence"): question.a})
        same = one_side(first, a, calibration, proposed=proposed, barred=own)
        barred += (sentence("reason.twice"),)
    judged = verdict(first, a, b, calibration, proposed=proposed, barred=barred)
    return Between(question, (first, second), (a, b), judged, same)


def _are_same(question: Question) -> bool:
    """Whether the model reads the same tokens in A and in B, with the word at the same positions."""
    a, b = (answers.trace(question.model, side.text) for side in (question.a, question.b))
    at_a, at_b = a.find(*question.a[1:]), b.find(*question.b[1:])
    return a.tokens == b.tokens and np.array_equal(at_a, at_b)


def _barred(model: str, sides: Mapping[str, Chosen]) -> tuple[str, ...]:
    """The reasons in the sentences themselves against a verdict, one sentence each."""
    foreign = [name for name, side in sides.items() if languages.foreign(model, side.text)]
    bare = [name for name, side in sides.items() if _is_bare(side, answers.spelling(model))]
    reasons = list[str]()
    if foreign:
        several = ".several" * (len(foreign) > 1)
        reasons.append(sentence(f"reason.foreign{several}", names=listed(foreign)))
    if bare:
        reasons.append(sentence(f"reason.bare{'.several' * (len(bare) > 1)}", names=listed(bare)))
    return tuple(reasons)


def _is_bare(side: Chosen, spelling: Spelling) -> bool:
    """Whether a sentence consists of only its word, perhaps with an article."""
    own = {spelling.key(word.text).casefold() for word in split(side.word)} | _ARTICLES
    words = [word.text for word in split(side.text) if any(map(str.isalnum, word.text))]
    return all(
        spelling.key(word).casefold() in own or is_elided(word) or same_word(word, side.word, spelling)
        for word in words
    )


def sure(comparison: Between) -> HowSure:
    """The evidence beside the verdict.

    Raises:
        PolyseeError: see `answers.path`.
    """
    question = comparison.question
    a, b = (answers.path(question.model, *chosen) for chosen in (question.a, question.b))
    groups: dict[str, list[WordPath]] = {}
    spelling = answers.spelling(question.model)
    word = known_word(question.a.word, spelling)
    if word is not None and not session_models.is_own(question.model):
        sentences = labelled(word)
        paths = answers.paths(question.model, tuple((s.text, s.word) for s in sentences))
        for sentence, path in zip(sentences, paths, strict=True):
            groups.setdefault(sentence.sense, []).append(path)
    calibration = calibrations.of(question.model)
    return how_sure(comparison.axes[0], a, b, question.texts, calibration, groups or None, spelling)


def shown_parts(model: str, side: Chosen) -> tuple[tuple[Part, ...], int]:
    """A sentence in parts, and the index of the word's part. Raises the errors of `answers.trace`."""
    trace = answers.trace(model, side.text)
    start, end = span_of(trace, side.word, side.number, spelling=trace.spelling)
    return parts(trace, start, end, MOST_SHOWN)


def added(model: str, side: Chosen, ends: Ends) -> Sums:
    """The contributions to the position of a word at every layer.

    Raises:
        NotSupported: the model does not run in our own transformer.
    """
    model_cache.model(model)
    return _added(model, side, ends)


@computed.cached
def _added(model: str, side: Chosen, ends: Ends) -> Sums:
    axis = answers.axis(model, side.word, ends.low, ends.high)
    layers = [computed.sums_at(model, side, axis, layer) for layer in range(axis.n_layers)]
    return sums(answers.trace(model, side.text), shown_parts(model, side)[0], axis, layers)


def picture(
    comparison: Between, *, depth: int, play: bool = False, adds: bool = False, names: str = "AB"
) -> Picture:
    """The animated picture of Compare.

    Args:
        comparison: the positions.
        depth: the layer to show.
        play: whether the animation starts when the picture is first drawn.
        adds: whether to include the contributions; without them, the dots appear at once.
        names: the sentences to show: "AB", "A" or "B".

    Raises:
        PolyseeError: see `added`.
    """
    query = "trajectory", comparison.question, adds, names
    made = pictures.once(query, partial(_picture, comparison, adds, names))
    return made.choosing({"depth": depth}, autoplay=play)


def _picture(comparison: Between, adds: bool, names: str) -> Picture:
    """The picture without a visitor's choices."""
    question = comparison.question
    assert question.ends is not None
    reason = computed.none(question.model) and NO_CONTRIBUTIONS
    contexts = _contexts(comparison)
    vectors = np.stack([*(vector for _, _, vector in contexts), *_vectors(question)])
    seen = sense_map(comparison.axes[0], vectors)
    sides = []
    for name in names:
        i, chosen = "AB".index(name), question.side(name)
        shown, at = shown_parts(question.model, chosen)
        row = None
        trace = answers.trace(question.model, chosen.text)
        marks = [token for token, of in zip(trace.tokens, trace.special, strict=True) if of]
        if adds and not reason:
            made = added(question.model, chosen, question.ends)
            row = Adds(made.parts, made.special, made.bias, made.offset)
        across = seen.across[len(contexts) + i]
        texts = [part.text for part in shown]
        sides.append(
            Side(name, shown[at].text, texts, at, comparison.coordinates[i], across, row, marks)
        )
    points = [
        FramePoint(text, high, seen.along[i], seen.across[i])
        for i, (text, high, _) in enumerate(contexts)
    ]
    return trajectory(
        sides,
        points,
        ends=question.ends.names,
        depth=0,
        key=question.id if names == "AB" else f"{question.id} {names}",
        wants=not adds and not reason,
        why=reason,
    )


def _contexts(comparison: Between) -> list[tuple[str, bool, Array]]:
    """The contexts of both ends: each text, whether it belongs to the high end, the word's vectors."""
    frames, model = comparison.axes[0].frames, comparison.question.model
    ends = (frames.low, False), (frames.high, True)
    contexts = [(c, high) for end, high in ends for c in end.contexts]
    vectors = answers.context_vectors(model, tuple((c.text, c.start, c.end) for c, _ in contexts))
    return [(c.text, high, vector) for (c, high), vector in zip(contexts, vectors, strict=True)]


def _vectors(question: Question) -> list[Array]:
    """The word's vectors in A and in B, (layers, d_model) each."""
    layers = model_cache.model(question.model).shape.n_layers
    vectors = []
    for side in (question.a, question.b):
        path = answers.path(question.model, *side)
        vectors.append(np.stack(path.vectors[-layers:]))
    return vectors
