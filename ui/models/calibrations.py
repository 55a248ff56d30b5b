"""How far a model's verdicts can be trusted: shipped with the app, or measured here and cached."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from core.measures.senses.calibrate import calibrate
from core.measures.senses.verdict import Calibration, shipped
from ui.models import model_cache, session_models

_measured: dict[str, Calibration] = {}
_measuring = Lock()


def of(model: str) -> Calibration | None:
    """The calibration of a model; None if it has not been measured, or cannot be."""
    return shipped(model) or _measured.get(model)


def can_measure(model: str) -> bool:
    """Whether it can be measured: a model trained here lacks the words of our sentences."""
    return of(model) is None and not session_models.is_own(model)


def measure(model: str, on_word: Callable[[int, int], None]) -> Calibration:
    """Measure it on our labelled sentences, once for all visitors.

    Args:
        model: the name of the model.
        on_word: called with the number of words done, and the number of all words.

    Raises:
        PolyseeError: see `core.measures.senses.calibrate.calibrate`.
    """
    with _measuring:
        if (known := of(model)) is None:
            runner = model_cache.model(model)
            known = _measured[model] = calibrate(
                lambda texts: list(runner.trace_many(texts, keep="hidden")), model, on_word=on_word
            )
        return known
