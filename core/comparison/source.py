"""Where the records of a comparison come from: a model itself, or whatever keeps its results."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from .. import settings
from ..errors import NotSupported
from ..localization import _
from ..measures import (
    Agreement,
    AttentionBlock,
    Calibration,
    HeadMap,
    WordPath,
    agreement,
    as_block,
    head_map,
    mean_of_all,
    shipped,
    word_path,
)
from ..measures.contributions.sentence_parts import Sums
from ..measures.senses.meanings import Meaning, meanings
from ..records.contributions import Contributions
from ..records.finding import occurrence_spans
from ..records.sense_axis import SenseAxis
from ..records.spelling import Spelling
from ..records.trace import Trace
from ..records.unknown import all_unknown
from ..sentences import sentence
from . import moves_by_part
from .alone import by_itself
from .question import Chosen, Ends

if TYPE_CHECKING:
    from ..pretrained import TextModel

T = TypeVar("T")


class Source(Protocol):
    """What a comparison asks about one model. Each method raises what the model raises."""

    @property
    def model(self) -> str:
        """The name of the model."""
        ...

    @property
    def engine(self) -> str:
        """`scratch` (our own transformer) or `huggingface`."""
        ...

    @property
    def bound(self) -> float:
        """The largest difference allowed between the two engines."""
        ...

    @property
    def spelling(self) -> Spelling:
        """Which spellings of a word the model reads alike."""
        ...

    @property
    def toy(self) -> bool:
        """Whether it was trained on a page of the app, on a toy language: it knows no others’ words."""
        ...

    @property
    def adds(self) -> bool:
        """Whether the contribution of each word can be computed."""
        ...

    @property
    def calibration(self) -> Calibration | None:
        """How far its verdicts can be trusted; None if that was not measured."""
        ...

    def trace(self, text: str) -> Trace:
        """Every step of a text."""
        ...

    def axis(self, word: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
        """The sense axis of a word between two ends."""
        ...

    def paths(self, texts_and_words: tuple[tuple[str, str], ...]) -> tuple[WordPath, ...]:
        """See the function `paths`."""
        ...

    def meanings(self, word: str) -> tuple[Meaning, ...]:
        """What a dictionary says that a word may mean: `core.measures.senses.meanings`."""
        ...

    def added(self, side: Chosen, ends: Ends) -> Sums:
        """How each part of a sentence moves its word from where it is alone: `moves_by_part.added`."""
        ...

    def block(self, text: str) -> AttentionBlock:
        """The attention of a text."""
        ...

    def head_map(self, text: str, layer: int | None, head: int | None, *, special: bool) -> HeadMap:
        """The weights of one head, or the mean of several: `core.measures.head_map`."""
        ...

    def agreement(self, text: str) -> Agreement:
        """The differences between our transformer and Hugging Face's on a text."""
        ...


class Direct:
    """A model itself, asked directly: it runs each text once for one comparison.

    Args:
        model: the model.
        reference: loads the same model in Hugging Face's code.
    """

    toy = False

    def __init__(self, model: TextModel, reference: Callable[[], TextModel] | None = None) -> None:
        self._of, self._reference = model, reference
        self._kept: dict[Hashable, Any] = {}

    def _once(self, make: Callable[..., T], *of: Hashable) -> T:
        key = (make, *of)
        if key not in self._kept:
            self._kept[key] = make(*of)
        return cast("T", self._kept[key])

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._of.name

    @property
    def engine(self) -> str:
        """The engine of the model."""
        return self._of.engine

    @property
    def bound(self) -> float:
        """The largest difference allowed between the two engines."""
        return self._of.bound

    @property
    def spelling(self) -> Spelling:
        """Which spellings of a word the model reads alike."""
        return self._of.spelling

    @property
    def adds(self) -> bool:
        """Whether the contribution of each word can be computed."""
        return self._of.engine == "scratch"

    @property
    def calibration(self) -> Calibration | None:
        """The calibration that comes with Polysee."""
        return shipped(self.model)

    def trace(self, text: str) -> Trace:
        """Every step of a text."""
        return self._once(self._trace, text)

    def _trace(self, text: str) -> Trace:
        traced: Trace = self._of.trace(text)
        return traced

    def axis(self, word: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
        """The sense axis of a word between two ends."""
        return self._once(self._of.sense_axis, word, low, high)

    def paths(self, texts_and_words: tuple[tuple[str, str], ...]) -> tuple[WordPath, ...]:
        """See the function `paths`."""
        return paths(self._of, texts_and_words)

    def meanings(self, word: str) -> tuple[Meaning, ...]:
        """What a dictionary says that a word may mean."""
        return self._once(self._meanings, word)

    def _meanings(self, word: str) -> tuple[Meaning, ...]:
        return meanings(word, partial(self._of.trace_many, keep="hidden"))

    def added(self, side: Chosen, ends: Ends) -> Sums:
        """How each part of a sentence moves its word from where it is alone: `moves_by_part.added`."""
        axis, trace = self.axis(side.word, ends.low, ends.high), self.trace(side.text)
        here, there = (contributions(self._of, one, axis) for one in (side, by_itself(trace, side)))
        return moves_by_part.added(trace, side, axis, here, there)

    def block(self, text: str) -> AttentionBlock:
        """The attention of a text."""
        return as_block(self.trace(text))

    def head_map(self, text: str, layer: int | None, head: int | None, *, special: bool) -> HeadMap:
        """The weights of one head, or the mean of several."""
        every = layer is None and head is None
        of = self._once(self._mean, text) if every else self.block(text)
        return head_map(of, layer, head, special=special)

    def _mean(self, text: str) -> AttentionBlock:
        return mean_of_all(self.block(text))

    def agreement(self, text: str) -> Agreement:
        """The differences between our transformer and Hugging Face's on a text.

        Raises:
            NotSupported: no other program is known for this model.
        """
        if self._reference is None:
            raise NotSupported(
                _("“{model}” has no second program here to compare with.").format(model=self.model)
            )
        return agreement(self.trace(text), self._once(self._reference).trace(text))


def contributions(model: TextModel, side: Chosen, axis: SenseAxis) -> tuple[Contributions, ...]:
    """The terms that sum to the position of a word after each layer.

    Raises:
        NotSupported: the model does not run in our own transformer.
    """
    directions = [axis.direction(layer) for layer in range(axis.n_layers)]
    return model.contributions_by_layer(side.text, side.word, directions, occurrence=side.number)


def paths(model: TextModel, texts_and_words: Sequence[tuple[str, str]]) -> tuple[WordPath, ...]:
    """The path of a word in each text, at its first occurrence.

    Raises:
        PolyseeError: see `Model.trace_many`; NotSupported if the model does not know a word;
            WordNotFound if a text does not contain its word.
    """
    return _paths(model, texts_and_words, "")


def paths_alone(model: TextModel, words: Sequence[str]) -> tuple[WordPath, ...]:
    """The path of each word in the anchor frame. Raises the errors of `paths`."""
    framed = [(settings.ANCHOR_FRAME.format(word=word), word) for word in words]
    return _paths(model, framed, settings.ANCHOR_FRAME.partition("{word}")[0])


def _paths(
    model: TextModel, texts_and_words: Sequence[tuple[str, str]], before: str
) -> tuple[WordPath, ...]:
    traces = model.trace_many([typed for typed, __ in texts_and_words], keep="hidden")
    found = []
    for trace, word in zip(traces, (word for __, word in texts_and_words), strict=True):
        # The frame has a "the" of its own, which is not the anchor word "the".
        own = len(occurrence_spans(before, word, spelling=trace.spelling))
        tokens = trace.find(word, own)
        if all_unknown(trace.tokens, tokens):
            raise NotSupported(sentence("word.unknown", word=word[:40]))
        found.append(word_path(trace, tokens))
    return tuple(found)
