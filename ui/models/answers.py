"""Computed results, such as traces and sense axes, cached by strings (`core.memory`)."""

from __future__ import annotations

from functools import partial
from itertools import chain

from core import settings
from core.comparison import source
from core.errors import NotSupported
from core.examples import labelled
from core.examples import words as labelled_words
from core.measures import (
    Agreement,
    PatternScores,
    StrikingWeight,
    WordPath,
    agreement,
    blocks,
    mean_patterns,
    patterns,
    striking,
    word_path,
)
from core.measures.senses.meanings import Meaning
from core.measures.senses.meanings import meanings as of_dictionary
from core.memory import cached
from core.records.prediction import Expectation
from core.records.sense_axis import SenseAxis, anchor_vectors
from core.records.seq2seq import Seq2SeqTrace
from core.records.spelling import Spelling
from core.records.trace import Array, Trace
from ui.models import long_texts, model_cache
from ui.query import TextQuery

# The first labelled sentence of each sense of each word.
ONE_OF_EACH_SENSE = tuple(
    next(s.text for s in labelled(word) if s.sense == sense)
    for word in labelled_words()
    for sense in dict.fromkeys(s.sense for s in labelled(word))
)


def trace(model: str, typed: str, *, causal: bool = False) -> Trace:
    """The trace of one text by a model from `model_cache.reader`. Raises the errors of `answer`.

    `causal` as in `TextQuery`.
    """
    traced = answer(TextQuery(model, typed, causal=causal))
    assert isinstance(traced, Trace)  # a target makes two of it
    return traced


def spelling(model: str) -> Spelling:
    """Which spellings a model from `model_cache.reader` reads alike.

    Raises:
        PolyseeError: see `core.load`.
    """
    return model_cache.model(model).spelling


def answer(text_query: TextQuery) -> Trace | Seq2SeqTrace:
    """The result of a model for a query, computed once for all who request it at the same time.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    model_cache.model(text_query.model)  # first, so that its progress is drawn for this visitor
    return _answer(text_query)


def cache_info() -> tuple[int, int, int]:
    """The cache of traces: the number of hits, the number of misses, and its size in bytes."""
    hits, misses, *_ = _answer.cache_info()
    return hits, misses, _answer.cache.currsize


@cached()
def _answer(text_query: TextQuery) -> Trace | Seq2SeqTrace:
    name, read, second, masked, more, causal = text_query
    model = model_cache.model(name)
    traced: Trace | Seq2SeqTrace
    with long_texts.turn(read, second or ""):
        if causal:
            return model.causal_trace(read, second, masked=masked)
        traced = model.trace(read, second, masked=masked, more=more)
    return traced


def path(model: str, typed: str, word: str, number: int) -> WordPath:
    """The path of one occurrence of a word through the model.

    Raises:
        PolyseeError: see `trace`; WordNotFound if the text does not contain it.
    """
    traced = trace(model, typed)
    return word_path(traced, traced.find(word, number))


def axis(model: str, word: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
    """The sense axis of a word between two ends of words and sentences: `Model.sense_axis`.

    Raises:
        PolyseeError: see `core.load` and `Model.sense_axis`.
    """
    model_cache.model(model)
    return _axis(model, word, low, high)


@cached()
def _axis(model: str, word: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
    return model_cache.model(model).sense_axis(word, low, high)


def beside(model: str, word: str, words: tuple[str, ...]) -> dict[str, Array]:
    """Anchor word -> the word's vectors beside it after each layer, (layers, d_model).

    Raises:
        PolyseeError: see `axis`.
    """
    model_cache.model(model)
    return _beside(model, word, words)


@cached()
def _beside(model: str, word: str, words: tuple[str, ...]) -> dict[str, Array]:
    of = model_cache.model(model)
    return anchor_vectors(word, words, of.trace_many, causal=of.kind == "decoder")


def meanings(model: str, word: str) -> tuple[Meaning, ...]:
    """The meanings of a word in a dictionary, as the model reads them: `core.measures.senses.meanings`.

    Raises:
        PolyseeError: see `core.load`; NotSupported if the model does not know the word.
    """
    model_cache.model(model)
    return _meanings(model, word)


@cached()
def _meanings(model: str, word: str) -> tuple[Meaning, ...]:
    return of_dictionary(word, partial(model_cache.model(model).trace_many, keep="hidden"))


def coordinates(model: str, typed: str, word: str, number: int, axis: SenseAxis) -> Array:
    """(layers,), the coordinates of one occurrence of a word. Raises the errors of `path`."""
    traced = trace(model, typed)
    return axis.coordinates(traced, traced.find(word, number))


def special_in(model: str, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The special tokens that any of some texts spells out: `Model.special_in`.

    Raises:
        PolyseeError: see `core.load`.
    """
    model_cache.model(model)
    return _special_in(model, texts)


@cached()
def _special_in(model: str, texts: tuple[str, ...]) -> tuple[str, ...]:
    of_each = map(model_cache.model(model).untraced.special_in, texts)
    return tuple(dict.fromkeys(chain.from_iterable(of_each)))


def paths(model: str, texts_and_words: tuple[tuple[str, str], ...]) -> tuple[WordPath, ...]:
    """The path of a word in each text. Raises the errors of `anchors`."""
    model_cache.model(model)
    return _paths(model, texts_and_words)


def anchors(model: str, words: tuple[str, ...]) -> tuple[WordPath, ...]:
    """The path of each word in the anchor frame.

    Raises:
        PolyseeError: see `core.load`; NotSupported if there are too many words, or the model does not
            know one; WordNotFound if one does not fit.
    """
    if len(words) > settings.MOST_ANCHORS:
        raise NotSupported(
            "An end takes at most {most_anchors} words.",
            most_anchors=settings.MOST_ANCHORS,
        )
    model_cache.model(model)
    return _anchors(model, words)


@cached()
def _paths(model: str, texts_and_words: tuple[tuple[str, str], ...]) -> tuple[WordPath, ...]:
    return source.paths(model_cache.model(model), texts_and_words)


@cached()
def _anchors(model: str, words: tuple[str, ...]) -> tuple[WordPath, ...]:
    return source.paths_alone(model_cache.model(model), words)


def agreed(model: str, typed: str) -> Agreement:
    """The differences between our transformer and Hugging Face's on a text, cached without the traces.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    model_cache.model(model, "huggingface")
    trace(model, typed)
    return _agreed(model, typed)


@cached()
def _agreed(model: str, typed: str) -> Agreement:
    own = trace(model, typed)
    with long_texts.turn(typed):
        return agreement(own, model_cache.model(model, "huggingface").trace(typed))


def expects(text_query: TextQuery) -> tuple[Expectation, ...]:
    """The model's expectations at each mask, or for the next token; they serve all temperatures.

    Raises:
        PolyseeError: see `core.load` and `Model.expects`.
    """
    model_cache.model(text_query.model)
    return _expects(text_query)


@cached()
def _expects(text_query: TextQuery) -> tuple[Expectation, ...]:
    model = model_cache.model(text_query.model)
    with long_texts.turn(text_query.text, text_query.second or ""):
        return model.expects(
            text_query.text, text_query.second, masked=text_query.masked, more=text_query.more
        )


def text_patterns(text_query: TextQuery, block_index: int) -> PatternScores | None:
    """The patterns of each head in this text, in one of the model's `blocks`; None for cross-attention.

    The result is cached: at 512 tokens, it takes longer than the rest of a rerun.

    Raises:
        PolyseeError: see `answer`.
    """
    model_cache.model(text_query.model)
    return _text_patterns(text_query, block_index)


@cached()
def _text_patterns(text_query: TextQuery, block_index: int) -> PatternScores | None:
    trace = [*blocks(answer(text_query)).values()][block_index].trace
    return None if trace is None else patterns(trace)


def striking_weight(text_query: TextQuery, block_index: int) -> StrikingWeight | None:
    """The weight that strikes most in one of the model's `blocks`; None without one: see `striking`.

    The result is cached: it looks at every weight of the text, and a page asks for it in each run.

    Raises:
        PolyseeError: see `answer`; NotSupported if the model has no attention.
    """
    model_cache.model(text_query.model)
    return _striking_weight(text_query, block_index)


@cached()
def _striking_weight(text_query: TextQuery, block_index: int) -> StrikingWeight | None:
    trace = [*blocks(answer(text_query)).values()][block_index].trace
    return None if trace is None else striking(trace)


def typical_patterns(model: str) -> PatternScores:
    """The patterns of each head, averaged over our sentences, one for each sense of each word.

    Raises:
        PolyseeError: see `core.load` and `Model.trace`.
    """
    model_cache.model(model)
    return _typical_patterns(model)


@cached()
def _typical_patterns(model: str) -> PatternScores:
    """The mean over 24 sentences, traced one by one to hold the weights of only one in memory."""
    runner = model_cache.model(model)
    return mean_patterns([patterns(runner.trace(text, keep="attention")) for text in ONE_OF_EACH_SENSE])
