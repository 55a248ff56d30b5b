"""Every task by its name, in a sensible order for learners."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..training.recipe import TaskName
from .bank import BANK
from .induction import INDUCTION
from .letters import COPY, REVERSE, SORT
from .task import Task
from .to_english import TO_ENGLISH
from .translation import TRANSLATION

_ALL: tuple[Task, ...] = (COPY, REVERSE, SORT, INDUCTION, BANK, TRANSLATION, TO_ENGLISH)
TASKS: Mapping[TaskName, Task] = MappingProxyType({task.name: task for task in _ALL})
