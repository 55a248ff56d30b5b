"""The steps of a pass, computed when they are asked for and kept: a few at a time."""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING, NamedTuple

import cachetools
import numpy as np

from core.errors import NotSupported
from core.records.frozen import Array
from core.records.trace import Trace
from core.walkthroughs import tiny_numbers
from core.walkthroughs.steps.record import Step
from pages.step_by_step.sentence import Sentence as Sentence
from pages.step_by_step.sentence import sentence as sentence
from ui.models import answers, model_cache

if TYPE_CHECKING:
    from core.transformer import Encoder
    from core.walkthroughs.steps.ablations import Order, WhatIf
    from core.walkthroughs.steps.own_share import OwnShare

MOST_CACHED = 12  # chains of one to two megabytes


class Pass(NamedTuple):
    """All steps, and how far the last of them is from what the model itself returns."""

    steps: tuple[Step, ...]
    apart: float


def encoder(name: str) -> Encoder:
    """The model as our own transformer.

    Raises:
        PolyseeError: as `core.load`; NotSupported: it does not run in our own.
    """
    model = model_cache.model(name)
    transformer = model.scratch_encoder
    if transformer is None:
        raise NotSupported(
            f"“{name}” does not run in our own transformer, and only that shows every step. "
            "Choose MiniLM, another BERT or DistilBERT, or the tiny model. “Without "
            "weights” and the paper’s size work with any model."
        )
    return transformer


def shape(name: str, read: Sentence) -> tuple[int, int]:
    """How many layers it goes through, and how many heads each has."""
    if read.paper:
        from core.walkthroughs.paper import CONFIG

        return CONFIG.n_encoder_layers, CONFIG.n_heads
    own = model_cache.model(name).shape
    return own.n_layers, own.n_heads


def of_model(
    name: str, read: Sentence, layer: int, head: int, block: int, causal: bool = False
) -> Pass:
    """The steps of a text of at most 16 pieces through one layer; all indices from 0.

    Only the paper's size can be `causal`: a trained encoder never had a mask.

    Raises:
        PolyseeError: as `encoder` and `Model.trace`.
    """
    if read.paper:
        return _of_paper(name, read.text, layer, head, block, causal)
    encoder(name)  # first, so that its progress is drawn for this visitor
    return _of_model(name, read.text, layer, head, block)


def _received(trace: Trace, layer: int) -> Array:
    """What a layer receives."""
    assert trace.hidden is not None
    vectors: Array = trace.hidden[layer - 1] if layer else trace.embedded
    return vectors


@cachetools.cached(cachetools.LRUCache(MOST_CACHED), condition=Condition())
def _of_model(name: str, text: str, layer: int, head: int, block: int) -> Pass:
    from core.walkthroughs.steps.queries import pass_of

    read, trace = sentence(name, text), answers.trace(name, text)
    assert trace.hidden is not None
    pieces = (read.ids, read.tokens, read.types, read.notes)
    steps = pass_of(encoder(name), pieces, _received(trace, layer), layer, head, block)
    return Pass(steps, float(np.abs(steps[-1].result.values - trace.hidden[layer]).max()))


@cachetools.cached(cachetools.LRUCache(MOST_CACHED), condition=Condition())
def _of_paper(name: str, text: str, layer: int, head: int, block: int, causal: bool) -> Pass:
    from core.walkthroughs.steps.queries import paper_pass

    read, known = sentence(name, text), model_cache.model(name).n_vocabulary
    pieces = read.ids, read.tokens, read.notes
    steps, returned = paper_pass(pieces, known, layer, head, block, causal)
    return Pass(steps, float(np.abs(steps[-1].result.values - returned).max()))


class Tiny(NamedTuple):
    """The tiny model as it is asked for: its words as ids, its numbers."""

    ids: tuple[int, ...]
    numbers: dict[str, Array]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words."""
        return tiny_numbers.names_of(self.ids)


def tiny(typed: str, edits: str) -> Tiny:
    """The tiny model with some of its numbers changed.

    Raises:
        NotSupported: it does not know a word.
    """
    ids = tiny_numbers.read_words(typed)
    return Tiny(ids, tiny_numbers.changed(tiny_numbers.read_edits(edits)))


def left_out(typed: str) -> str:
    """What the tiny model does not read of a text, for it has four positions; "" where it reads all."""
    rest = " ".join(tiny_numbers.words_of(typed)[tiny_numbers.LONGEST :])
    verb = "are" if " " in rest else "is"
    return f"The model has four positions: “{rest[:60]}” {verb} left out." if rest else ""


def of_tiny(tiny_model: Tiny, head: int, causal: bool) -> Pass:
    """The steps of the tiny model."""
    from core.walkthroughs.steps.queries import tiny_pass

    return Pass(tiny_pass(tiny_model.ids, tiny_model.numbers, head, causal), 0.0)


class Vectors(NamedTuple):
    """(tokens, d_model) with the tokens' names."""

    values: Array
    tokens: tuple[str, ...]


def vectors(name: str, read: Sentence, which: str) -> Vectors:
    """What attention without weights begins with: "learned" rows, or what layer 1 receives."""
    if read.paper:
        from core.walkthroughs.steps.queries import paper_vectors

        return Vectors(paper_vectors(read.ids, positions=which != "learned"), read.tokens)
    trace = answers.trace(name, read.text)
    return Vectors(trace.learned if which == "learned" else trace.embedded, read.tokens)


def tiny_vectors(tiny_model: Tiny, which: str) -> Vectors:
    """The same of the tiny model."""
    from core.walkthroughs.steps.queries import tiny_vectors as of

    return Vectors(
        of(tiny_model.ids, tiny_model.numbers, positions=which != "learned"), tiny_model.tokens
    )


def plain(vectors: Vectors, token: int) -> tuple[Step, ...]:
    """The steps of attention without weights for one token."""
    from core.walkthroughs.steps.unweighted import plain_steps

    return plain_steps(vectors.values, vectors.tokens, token)


def own_share(vectors: Vectors, token: int) -> OwnShare:
    """What one token keeps for itself there, and why."""
    from core.walkthroughs.steps.own_share import own_share as of

    return of(vectors.values, token)


def what_if(what: str, name: str, read: Sentence, layer: int, head: int) -> WhatIf:
    """A layer of a model without its scale, or with one head."""
    from core.walkthroughs.steps import queries

    if read.paper:
        return queries.paper_what_if(what, read.ids, read.tokens, layer, head)
    x = _received(answers.trace(name, read.text), layer)
    return queries.what_if(what, encoder(name), x, read.tokens, layer, head)


def tiny_what_if(what: str, tiny_model: Tiny, head: int) -> WhatIf:
    """The tiny model without its scale, or with one head."""
    from core.walkthroughs.steps.queries import tiny_what_if as of

    return of(what, tiny_model.ids, tiny_model.numbers, head)


def orders(name: str, first: Sentence, second: tuple[int, ...], layer: int) -> Order:
    """The same pieces in two orders, with and without positions."""
    from core.walkthroughs.steps.queries import in_two_orders, paper_in_two_orders

    if first.paper:
        return paper_in_two_orders(first.ids, second, first.tokens, layer)
    return in_two_orders(encoder(name), first.ids, second, first.tokens, layer)


def tiny_orders(tiny_model: Tiny) -> Order:
    """The tiny model's words, and the same from back to front."""
    from core.walkthroughs.steps.queries import tiny_in_two_orders

    return tiny_in_two_orders(tiny_model.ids, tiny_model.numbers)
