"""The comparison of `core.comparison` through the caches of the app."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from core.comparison import Chosen, Ends, Question, judge, moves_by_part, paths
from core.comparison.judge import Between
from core.comparison.paths import Moved
from core.comparison.picture import picture as drawn
from core.figures import Picture
from core.measures import Agreement, AttentionBlock, Calibration, HeadMap, WordPath
from core.measures.contributions.sentence_parts import Part, Sums
from core.measures.senses.how_sure import HowSure
from core.measures.senses.meanings import Meaning
from core.records.sense_axis import SenseAxis
from core.records.spelling import Spelling
from core.records.trace import Trace
from ui.contributions import computed
from ui.models import answers, blocks, calibrations, model_cache, pictures, session_models
from ui.query import TextQuery


@dataclass(frozen=True)
class Cached:
    """A model as a `core.comparison.source.Source`, by its name."""

    model: str

    @property
    def engine(self) -> str:
        """The engine of the model."""
        return model_cache.model(self.model).engine

    @property
    def bound(self) -> float:
        """The largest difference allowed between the two engines."""
        return model_cache.model(self.model).bound

    @property
    def spelling(self) -> Spelling:
        """Which spellings of a word the model reads alike."""
        return answers.spelling(self.model)

    @property
    def toy(self) -> bool:
        """Whether a visitor has trained it here."""
        return session_models.is_own(self.model)

    @property
    def adds(self) -> bool:
        """Whether the contribution of each word can be computed."""
        return not computed.none(self.model)

    @property
    def calibration(self) -> Calibration | None:
        """How far its verdicts can be trusted: shipped, or measured here."""
        return calibrations.of(self.model)

    def trace(self, text: str) -> Trace:
        """Every step of a text."""
        return answers.trace(self.model, text)

    def axis(self, word: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
        """The sense axis of a word between two ends."""
        return answers.axis(self.model, word, low, high)

    def paths(self, texts_and_words: tuple[tuple[str, str], ...]) -> tuple[WordPath, ...]:
        """The path of a word in each text."""
        return answers.paths(self.model, texts_and_words)

    def meanings(self, word: str) -> tuple[Meaning, ...]:
        """What a dictionary says that a word may mean."""
        return answers.meanings(self.model, word)

    def added(self, side: Chosen, ends: Ends) -> Sums:
        """How each part of a sentence moves its word from where it stands alone."""
        model_cache.model(self.model)
        return _added(self.model, side, ends)

    def block(self, text: str) -> AttentionBlock:
        """The attention of a text."""
        return blocks.block(TextQuery(self.model, text))

    def head_map(self, text: str, layer: int | None, head: int | None, *, special: bool) -> HeadMap:
        """The weights of one head, or the mean of several."""
        return blocks.head_map(TextQuery(self.model, text), layer, head, special=special)

    def agreement(self, text: str) -> Agreement:
        """The differences between our transformer and Hugging Face's on a text."""
        return answers.agreed(self.model, text)


@computed.cached
def _added(model: str, side: Chosen, ends: Ends) -> Sums:
    trace, axis = answers.trace(model, side.text), answers.axis(model, side.word, ends.low, ends.high)
    here = computed.layers_of(model, side, side.word, ends)
    there = computed.layers_of(model, computed.by_itself(model, side), side.word, ends)
    return moves_by_part.added(trace, side, axis, here, there)


def is_one_word(question: Question) -> bool:
    """Whether both are the same word to the model. Raises the errors of `answers.spelling`."""
    return question.is_one_word(answers.spelling(question.model))


def moved(question: Question) -> Moved:
    """How the word moves, without ends. Raises the errors of `core.comparison.paths.moved`."""
    return paths.moved(question, Cached(question.model))


def between(question: Question) -> Between | None:
    """Where the word stands between its ends. Raises the errors of `core.comparison.judge.between`."""
    return judge.between(question, Cached(question.model))


def sure(comparison: Between) -> HowSure:
    """The evidence beside the verdict. Raises the errors of `core.comparison.judge.sure`."""
    return judge.sure(comparison, Cached(comparison.question.model))


def shown_parts(model: str, side: Chosen) -> tuple[tuple[Part, ...], int]:
    """A sentence in parts, and the index of the word's part. Raises the errors of `answers.trace`."""
    return moves_by_part.shown_parts(answers.trace(model, side.text), side)


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
        PolyseeError: see `core.comparison.picture.picture`.
    """
    source = Cached(comparison.question.model)
    query = "trajectory", comparison.question, adds, names
    made = pictures.once(query, partial(drawn, comparison, source, adds=adds, names=names))
    return made.choosing({"depth": depth}, autoplay=play)
