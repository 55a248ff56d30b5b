"""The patched runs of two prompts, computed once for all visitors, in the queue for long work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from core.errors import TooLarge
from core.localization import _
from core.memory import Cache, cached
from core.records.patching import By, Patching
from core.records.prediction import Expectation
from ui.models import long_texts, model_cache

# Layers run for one token each, of the width of SmolLM2 (10,000 take about a second of one core).
QUICK, MOST = 8_000, 400_000
_WIDTH = 576


class Query(NamedTuple):
    """What is patched; an empty answer stands for the likeliest token."""

    model: str
    a: str
    b: str
    answers: tuple[str, str]
    by: By
    at: int | None


# What a visitor has computed before another choice interrupted it.
_begun: Cache[Query, Patching] = Cache()


def patching(
    query: Query,
    on_part: Callable[[Patching], None] = lambda part: None,
    on_wait: Callable[[int], None] = lambda position: None,
) -> Patching:
    """The patched runs, computed once for all who ask, in the queue for long work.

    Args:
        query: what is asked.
        on_part: called with what there is after each row, if it is computed now; what it raises ends
            the work, whose rows are kept for the next who asks.
        on_wait: called with the position in the queue, from 1, while others compute; may raise as well.

    Raises:
        PolyseeError: see `core.load` and `Model.patch`; TooLarge if it would take a minute; TooMany if
            too many wait.
    """
    model_cache.model(query.model)  # first, so that its progress is drawn for this visitor
    return _patching(query, on_part, on_wait)


@cached(key=lambda query, on_part, on_wait: query)
def _patching(
    query: Query, on_part: Callable[[Patching], None], on_wait: Callable[[int], None]
) -> Patching:
    def keep(part: Patching) -> None:
        with suppress(ValueError):  # larger than the budget
            _begun[query] = part
        on_part(part)

    model = model_cache.model(query.model)
    with _turn(work(query), on_wait):
        found = model.patch(
            query.a,
            query.b,
            answers=(written(query.answers[0]), written(query.answers[1])),
            by=query.by,
            at=query.at,
            begun=_begun.get(query),
            on_part=keep,
        )
    _begun.pop(query, None)
    return found


def known(query: Query) -> Patching | None:
    """The patched runs, if they have been computed."""
    found: Patching | None = _patching.cache.get(query)
    return found


def begun(query: Query) -> Patching | None:
    """What has been computed of them so far, by whomever."""
    return _begun.peek(query)


def first_row(found: Patching) -> int:
    """The first token that differs: those before it have the same states in both runs, and no row."""
    return found.differ[0] if found.by == "position" else 0


def patched(query: Query, depth: int, position: int) -> Expectation:
    """What the model expects with one state exchanged. Raises the errors of `patching`."""
    model_cache.model(query.model)
    return _patched(query.model, query.a, query.b, depth, position)


@cached()
def _patched(model: str, a: str, b: str, depth: int, position: int) -> Expectation:
    return model_cache.model(model).patched(a, b, depth, [position])


def written(answer: str) -> str | None:
    """An answer as it stands in a text: a word with the space before it; None for the likeliest."""
    named = answer.replace("␣", " ").replace("↵", "\n")
    if not named:
        return None
    return f" {named}" if named[0].isalnum() else named


def work(query: Query) -> int:
    """How much there is to run, see `QUICK`; 0 if nothing can be run, which `Model.patch` explains.

    Raises:
        TooLarge: it is more than `MOST`.
    """
    model = model_cache.model(query.model)
    a, b = (model.read(text).ids for text in (query.a, query.b))
    if model.predicts != "next" or len(a) != len(b) or a == b:
        return 0
    first = next(i for i, (one, other) in enumerate(zip(a, b, strict=True)) if one != other)
    tokens, shape = len(a) - first, model.shape
    layers = shape.n_layers * (shape.n_layers + 1) // 2
    wide = (shape.d_model / _WIDTH) ** 2

    def of(tokens: int) -> int:
        if query.by == "position":
            return round(wide * layers * tokens * (tokens + 1) / 2)
        behind = tokens if query.at is None else min(tokens, len(a) - query.at)
        return round(wide * layers * shape.n_heads * max(1, behind))

    if (total := of(tokens)) > MOST:
        most = max(count for count in range(tokens) if of(count) <= MOST or not count)
        raise TooLarge(
            _(
                "From the first token that differs to the last there are {tokens}. Above {most}, to "
                "run the model again for each cell would take about a minute. Change a later word, "
                "or shorten the prompts."
            ).format(tokens=tokens, most=most)
        )
    return total


@contextmanager
def _turn(total: int, on_wait: Callable[[int], None]) -> Iterator[None]:
    if total <= QUICK:
        yield
        return
    with long_texts.queue().turn(on_wait):
        yield
