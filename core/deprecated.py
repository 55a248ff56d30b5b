"""Former names of the public API: they still work, and warn with the name to use instead."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def names(module: str, now: Mapping[str, str]) -> Callable[[str], Any]:
    """A module's `__getattr__` that knows its former names.

    Args:
        module: the `__name__` of the module.
        now: former name -> current name in the same module.
    """

    def find(name: str) -> Any:
        if name not in now:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn(f"{module}.{name}", f"{module}.{now[name]}", stacklevel=3)
        return getattr(sys.modules[module], now[name])

    return find


def field(former: str, now: str) -> Any:
    """A property of a record under its former name."""

    def get(record: Any) -> Any:
        warn(f"{type(record).__name__}.{former}", now, stacklevel=3)
        return getattr(record, now)

    return property(get, doc=f"Deprecated: `{now}`.")


def arguments(**now: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function accept keyword arguments under their former names.

    Args:
        now: former name -> current name.
    """

    def taking(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            for former in [name for name in now if name in given]:
                warn(f"{function.__name__}({former}=…)", f"{now[former]}=…", stacklevel=2)
                given[now[former]] = given.pop(former)
            return function(*args, **given)

        return call

    return taking


def warn(former: str, now: str, *, stacklevel: int) -> None:
    """Warn the caller who wrote a former name, with the current one."""
    warnings.warn(f"{former} is deprecated: use {now}", DeprecationWarning, stacklevel=stacklevel + 1)
