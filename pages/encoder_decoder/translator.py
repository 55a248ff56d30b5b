"""The models that translate, by the name that a link has for them, and what they write, kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from threading import Condition
from typing import TYPE_CHECKING, Any, NamedTuple

import cachetools

from core import settings
from core.errors import NotSupported
from core.pretrained import limit_threads
from pages.encoder_decoder.state import SHIPPED, TO_ENGLISH
from ui.models import session_models

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence, TaskName, Trained

_TASKS: Mapping[str, TaskName] = {SHIPPED: "translation", TO_ENGLISH: "to-english"}
MOST_CACHED = 32  # decodings of at most half a megabyte
MOST_WRITTEN = 24  # tokens


def names() -> dict[str, str]:
    """What this visitor can choose: name -> what a screen calls it."""
    return {SHIPPED: "the one that comes with Polysee"} | session_models.own_titles("pair")


def model(name: str) -> Trained:
    """The model of this name. Another name is another model: what they write is kept by it.

    Raises:
        NotSupported: there is none.
        ModelNotFound: it was trained in another visit.
        ModelBroken: as `core.tasks.shipped`.
    """
    if name in _TASKS:
        return _shipped(name)
    if session_models.is_own(name) and (own := session_models.own(name)).source is not None:
        return own
    raise NotSupported(f"There is no translator named “{name}” here.")


@cache
def _shipped(name: str) -> Trained:
    from core.tasks import shipped  # brings torch

    limit_threads(settings.read().threads)
    return shipped(_TASKS[name])


@cache
def _published(name: str) -> Mapping[str, Any]:
    from core.tasks.trained.shipping import published

    return published(_TASKS[name])


def figures(name: str) -> Mapping[str, Any] | None:
    """What a model was measured to do, where that stands beside it: see `core.tasks.Figures`."""
    return _published(name) if name in _TASKS else None


class TranslationQuery(NamedTuple):
    """One question to a translator: strings and numbers alone, so that it can be kept.

    Attributes:
        name: of the model.
        text: what it translates.
        forced: (step, word): words that are written whatever is likeliest; steps from 0, in order.
    """

    name: str
    text: str
    forced: tuple[tuple[int, str], ...] = ()


def decoding(query: TranslationQuery) -> Decoding:
    """What a model makes of a text: see `Trained.decode`.

    Raises:
        PolyseeError: see `model` and `Trained.decode`.
    """
    model(query.name)  # one that has gone says so, though its answers may be kept
    return _decoding(query)


@cachetools.cached(cachetools.LRUCache(MOST_CACHED), condition=Condition())
def _decoding(query: TranslationQuery) -> Decoding:
    return model(query.name).decode(query.text, dict(query.forced), max_tokens=MOST_WRITTEN)


@cachetools.cached(cachetools.LRUCache(MOST_CACHED), condition=Condition())
def references(task: TaskName, words: tuple[str, ...]) -> tuple[Sentence, ...]:
    """What the grammar makes of these words: nothing of letters, or of what is no sentence of its own.

    Args:
        task: of the model.
        words: as its encoder reads them.
    """
    from core.tasks.languages.directions import DIRECTIONS

    direction = DIRECTIONS.get(task)
    return () if direction is None else direction.references(words)
