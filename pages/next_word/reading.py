"""How the model reads the text so far: what surprised it, and what it expects next."""

from __future__ import annotations

from contextlib import suppress

from core.memory import cached
from core.pretrained import Model
from core.records.next_token import NextToken
from core.records.score import Score
from ui.models import model_cache
from ui.models.long_texts import turn


def read(model: str, typed: str, written: tuple[int, ...]) -> NextToken:
    """What comes next after a text and its continuation.

    Raises:
        PolyseeError: see `core.load` and `Model.next_token`.
    """
    model_cache.model(model)  # first, so that its progress is drawn for this visitor
    return _read(model, typed, written)


def scored(model: str, typed: str, written: tuple[int, ...]) -> Score | None:
    """The surprise at each token; None for a model that scores no text. Raises the errors of `read`."""
    return read(model, typed, written).score


def keep(model: str, typed: str, written: tuple[int, ...], found: NextToken) -> None:
    """Keep what `generate` gave on its way, for `read`: nothing is run again."""
    with suppress(ValueError):  # larger than the budget
        _read.cache[_read_key(model, typed, written)] = found


def kept(model: str, typed: str, written: tuple[int, ...]) -> NextToken | None:
    """What `read` would return without a run; None if it would take one."""
    return _read.cache.peek(_read_key(model, typed, written))


def _read_key(model: str, typed: str, written: tuple[int, ...]) -> tuple[str, str, tuple[int, ...]]:
    return model, typed, written


@cached(key=_read_key)
def _read(model: str, typed: str, written: tuple[int, ...]) -> NextToken:
    with turn(typed):
        return model_cache.model(model).untraced.next_token(typed, more=written)


def known_behind_a_sink(model: str) -> int:
    """How many tokens a published model knows: its first token is an attention sink; else 0."""
    loaded = model_cache.model(model)
    return loaded.n_vocabulary if isinstance(loaded.untraced, Model) else 0
