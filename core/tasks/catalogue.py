"""Every task, by its name, in the order in which a person should meet them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.tasks.bank import BANK
from core.tasks.induction import INDUCTION
from core.tasks.letters import COPY, REVERSE, SORT
from core.tasks.recipe import TaskName
from core.tasks.task import Task
from core.tasks.translation import TRANSLATION

_ALL: tuple[Task, ...] = (COPY, REVERSE, SORT, INDUCTION, BANK, TRANSLATION)
TASKS: Mapping[TaskName, Task] = MappingProxyType({task.name: task for task in _ALL})
