"""The vectors that the Embeddings page compares, and their similarities, computed once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.errors import NotSupported
from core.localization import _
from core.measures.attention.token_names import names
from core.measures.similarity import Similarity, pairwise_similarity, sentence_vector
from core.memory import cached
from core.records.trace import Array, Trace
from pages.embeddings.state import LEARNED
from ui.models import answers, model_cache, session_models

if TYPE_CHECKING:
    from core.pretrained.tokenizer.vocabulary import Measure, Neighbour

MOST_SENTENCES = 30
NEAREST = 8  # words of the vocabulary


class Compared(NamedTuple):
    """Some vectors with names.

    Attributes:
        names: a token or a sentence each.
        positions: the position of each in the whole text, or among the sentences.
        similarity: their similarities.
        width: the dimension of the vectors.
    """

    names: tuple[str, ...]
    positions: tuple[int, ...]
    similarity: Similarity
    width: int

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return self.similarity.nbytes


@cached()
def words(model: str, typed: str, depth: str, special: bool) -> Compared:
    """The tokens of a text, by their vectors at one depth.

    Args:
        model: the name of the model.
        typed: the text.
        depth: "learned", or the number of layers that they have gone through.
        special: whether special tokens are compared too, or a first token that is the sink.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    trace = answers.trace(model, typed)
    shown = [i for i, apart in enumerate(trace.apart) if special or not apart]
    vectors = of_depth(trace, depth)[shown]
    called = names(trace)
    tokens = tuple(called[i] for i in shown)
    return Compared(tokens, tuple(shown), pairwise_similarity(vectors), vectors.shape[1])


@cached()
def sentences(model: str, lines: tuple[str, ...]) -> Compared:
    """Whole sentences, by the mean of the vectors of all their tokens.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`; NotSupported: if there are too many.
    """
    if len(lines) > MOST_SENTENCES:
        raise NotSupported(
            _("This page compares at most {count} sentences. Leave some out.").format(
                count=MOST_SENTENCES
            )
        )
    vectors = np.stack([sentence_vector(answers.trace(model, line)) for line in lines])
    return Compared(lines, tuple(range(len(lines))), pairwise_similarity(vectors), vectors.shape[1])


def neighbours(model: str, typed: str, depth: str, position: int, by: Measure) -> tuple[Neighbour, ...]:
    """The words of the vocabulary that are nearest to the vector of one token.

    Raises:
        PolyseeError: see `Model.nearest_words`; NotSupported: if the model was trained here.
    """
    if session_models.is_own(model):
        raise NotSupported(
            _("This model was trained here: its vocabulary is too small for a list of nearest tokens.")
        )
    model_cache.model(model)
    return _neighbours(model, typed, depth, position, by)


@cached()
def _neighbours(
    model: str, typed: str, depth: str, position: int, by: Measure
) -> tuple[Neighbour, ...]:
    vector = of_depth(answers.trace(model, typed), depth)[position]
    return model_cache.model(model).nearest_words(vector, by=by, k=NEAREST)


def of_depth(trace: Trace, depth: str) -> Array:
    """(tokens, d): the vectors of a text after so many layers, before any final norm, as on Compare.

    Raises:
        NotSupported: if the trace has no hidden states.
    """
    if depth == LEARNED:
        return trace.learned
    if trace.hidden is None:
        raise NotSupported(_("This model gives no vectors between its layers."))
    layers = min(int(depth), len(trace.hidden))
    vectors: Array = trace.hidden[layers - 1] if layers else trace.embedded
    return vectors
