"""How a word moves through the layers without two ends: by cosine, and by principal components."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import NotSupported
from ..measures import Projection, WordPath, cosines, pca, word_path
from ..records.trace import Array
from ..records.unknown import all_unknown
from ..sentences import MOST_OF_WORD, sentence
from .alone import by_itself
from .question import Chosen, Question
from .source import Source


@dataclass(frozen=True, eq=False)
class Moved:
    """How the word moves, without a sense axis.

    Attributes:
        a: its path in sentence A.
        b: its path in sentence B.
        alone: the path of each word alone, see `alone.by_itself`; one path if both are the same word.
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


def moved(question: Question, source: Source) -> Moved:
    """The paths of the word.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`; NotSupported if the model does not know the
            word.
    """
    a, b = path_of(question.a, source), path_of(question.b, source)
    alone_a, alone_b = (_alone(side, source) for side in (question.a, question.b))
    alone = (alone_a,) if question.a.word == question.b.word else (alone_a, alone_b)
    from_alone = cosines(a, alone_a), cosines(b, alone_b)
    return Moved(a, b, alone, cosines(a, b), from_alone, pca([a, b, *alone]))


def _alone(side: Chosen, source: Source) -> WordPath:
    """The path of a word in a text that holds nothing else."""
    own = by_itself(source.trace(side.text), side)
    trace = source.trace(own.text)
    if all_unknown(trace.tokens, trace.find(own.word, own.number)):
        raise NotSupported(sentence("word.unknown", word=side.word[:MOST_OF_WORD]))
    return path_of(own, source)


def path_of(side: Chosen, source: Source) -> WordPath:
    """The path of the word of one sentence. Raises WordNotFound if the sentence does not contain it."""
    trace = source.trace(side.text)
    return word_path(trace, trace.find(side.word, side.number))
