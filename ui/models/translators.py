"""The translators that come with Polysee, each loaded once for all visitors."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from core import settings
from core.pretrained import limit_threads

if TYPE_CHECKING:
    from core.tasks import TaskName, Trained


@cache
def shipped(task: TaskName) -> Trained:
    """The translator of a direction: see `core.tasks.shipped`. Raises as it does."""
    from core.tasks import shipped as of  # brings torch

    limit_threads(settings.read().threads)
    return of(task)
