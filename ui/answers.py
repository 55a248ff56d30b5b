"""What has been computed, kept: traces and sense axes, keyed by strings, bounded in bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Condition, Lock
from typing import TYPE_CHECKING, Any

import cachetools

from core import settings
from core.errors import NotSupported
from core.measures import SenseAxis, sense_axis, word_path
from core.trace import Trace
from ui import shelf

if TYPE_CHECKING:
    from core.pretrained import EngineName

MOST_AXES = 64  # of about 50 kB each
_making = Lock()


def trace(model: str, text: str, *, engine: EngineName | None = None) -> Trace:
    """The trace of one text, computed once for all visitors who ask for it at the same time.

    Raises:
        PolyseeError: as `core.load` and `Model.trace`.
    """
    shelf.model(model, engine)  # first, so that its progress is drawn for this visitor
    with _making:  # or the first two visitors at once would have a cache each
        compute = _traces()
    return compute(model, engine, text)


@cache
def _traces() -> Callable[[str, EngineName | None, str], Trace]:
    most = settings.read().cache_bytes
    kept: cachetools.LRUCache[Any, Trace]
    kept = cachetools.LRUCache(most, getsizeof=lambda answer: answer.nbytes)

    @cachetools.cached(kept, condition=Condition())
    def compute(model: str, engine: EngineName | None, text: str) -> Trace:
        return shelf.model(model, engine).trace(text)

    return compute


def axis(model: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
    """The sense axis from the `low` words to the `high` words, each in the anchor frame.

    Raises:
        PolyseeError: as `core.load`; NotSupported: an empty group, a large one, or two equal ones.
    """
    if max(len(low), len(high)) > settings.MOST_ANCHORS:
        raise NotSupported(f"A group of anchor words takes at most {settings.MOST_ANCHORS} words.")
    shelf.model(model)
    return _axis(model, low, high)


@cachetools.cached(cachetools.LRUCache(MOST_AXES), condition=Condition())
def _axis(model: str, low: tuple[str, ...], high: tuple[str, ...]) -> SenseAxis:
    words = [*low, *high]
    texts = [settings.ANCHOR_FRAME.format(word=word) for word in words]
    traces = shelf.model(model).trace_many(texts, keep="hidden")
    paths = [word_path(t, t.find(word)) for t, word in zip(traces, words, strict=True)]
    return sense_axis(paths[: len(low)], paths[len(low) :])
