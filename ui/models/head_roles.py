"""The roles of a model's heads: shipped with the app, or measured here once for everybody."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from core.localization import _
from core.measures import RoleScores, measure_roles, shipped_roles
from core.memory import Cache
from ui.models import long_texts, model_cache, session_models
from ui.models.work_queue import waiting_room

_measured: Cache[str, RoleScores] = Cache()
_measuring = Lock()


def of(model: str) -> RoleScores | None:
    """The scores of a model; None if they have not been measured."""
    return shipped_roles(model) or _measured.get(model)


def why_none(model: str) -> str:
    """Why the heads of a model cannot be scored, in a sentence; "" if they can."""
    if session_models.is_own(model):
        return _(
            "This model was trained here, on a small language without the words of our sentences. Its "
            "heads have no scores."
        )
    if model_cache.model(model).kind == "encoder-decoder":
        return _(
            "Roles are scored in models that read one text alone. An encoder–decoder reads two, and "
            "our sentences have no translations."
        )
    return ""


def measure(model: str, on_sentence: Callable[[int, int], None]) -> RoleScores:
    """Measure a model on our sentences, once for all visitors, in the queue for long work.

    Args:
        model: the name of the model.
        on_sentence: called with the number of sentences done, and the number of all.

    Raises:
        PolyseeError: see `core.measures.measure_roles`; TooMany if the queue is full.
    """
    runner = model_cache.model(model)
    with waiting_room(long_texts.queue(), _("Scoring every head")), _measuring:
        if (known := of(model)) is None:
            known = _measured[model] = measure_roles(
                lambda texts: list(runner.trace_many(texts, keep="attention")),
                model,
                on_sentence=on_sentence,
            )
        return known
