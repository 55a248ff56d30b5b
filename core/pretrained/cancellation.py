"""Whether long work is still wanted: before each run of a model, a server may end what nobody awaits.

A program that uses the library asks for nothing, and nothing ends.
"""

from __future__ import annotations

from collections.abc import Callable

_asks: list[Callable[[], None]] = []


def ask_before_each_run(ask: Callable[[], None]) -> None:
    """Call a function before each run of a model, in its thread; an exception of it ends the work."""
    _asks[:] = [ask]


def ask() -> None:
    """Raise what the function raises that a server has named, if it has named one."""
    for one in _asks:
        one()
