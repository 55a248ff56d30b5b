"""What a ladder works out of an answer, kept by its question: at 512 tokens it is dear.

Nothing here holds a trace: those are bounded where they are kept, in `answers`.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Condition

import cachetools

from core.measures import Site, alike, mean_of_all, part, sites, whole_words
from core.records.trace import Array
from ui.models import answers, model_cache
from ui.query import Asked

WORDS_BYTES = 160 * 10**6  # of 12 × 12 heads at 512 tokens, 150 MB
MEANS_BYTES = 32 * 10**6  # of 512 tokens, 2 MB
MOST_ALIKE = 256  # of a few kB each


def words(asked: Asked, place: int) -> Site:
    """The whole words of one of the model's `sites`.

    Raises:
        PolyseeError: as `answers.answer`.
    """
    model_cache.model(asked.model)
    whole = _site(asked, place)
    return whole if whole.within is None else replace(_words(asked, place), within=whole.within)


def mean(asked: Asked, place: int, which: str, *, whole: bool) -> Site:
    """The mean of all heads, see `core.measures.mean_of_all`.

    Args:
        asked: of whom, and of which text.
        place: one of the model's `sites`.
        which: the part of a pair, one of `PARTS`; "" for all.
        whole: whether words are counted, not pieces.

    Raises:
        PolyseeError: as `answers.answer`.
    """
    model_cache.model(asked.model)
    return _mean(asked, place, which, whole)


def _site(asked: Asked, place: int) -> Site:
    return [*sites(answers.answer(asked)).values()][place]


def _bytes_of(site: Site) -> int:
    return site.attention.nbytes + (0 if site.bare is None else site.bare.nbytes)


@cachetools.cached(cachetools.LRUCache(WORDS_BYTES, getsizeof=_bytes_of), condition=Condition())
def _words(asked: Asked, place: int) -> Site:
    return replace(whole_words(_site(asked, place)), within=None)


@cachetools.cached(cachetools.LRUCache(MEANS_BYTES, getsizeof=_bytes_of), condition=Condition())
def _mean(asked: Asked, place: int, which: str, whole: bool) -> Site:
    return mean_of_all(words(asked, place) if whole else part(_site(asked, place), which))


def likeness(asked: Asked, place: int, layer: int) -> Array:
    """How like the heads of a layer all are, see `core.measures.alike`; of what has a text alone.

    Raises:
        PolyseeError: as `answers.answer`.
    """
    model_cache.model(asked.model)
    return _likeness(asked, place, layer)


@cachetools.cached(cachetools.LRUCache(MOST_ALIKE), condition=Condition())
def _likeness(asked: Asked, place: int, layer: int) -> Array:
    within = _site(asked, place).within
    assert within is not None  # the caller shows patterns only where there is a text
    found = alike(within, layer)
    found.setflags(write=False)
    return found
