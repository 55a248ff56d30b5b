"""What a picture may tell the page, field by field: all that a browser sends is checked here, once.

A program in place of a browser may send anything under the name of an event. What does not fit the
schema that both languages read (`core.figures.schema`) is turned away before any of our own code sees
it; what passes is plain, of the types that the pictures send, and no larger than they can be.
"""

from __future__ import annotations

from core.figures.schema import EVENTS
from core.figures.schema import STATES as STATES
from core.figures.schema import Fields as Schema
from core.figures.schema import Misfit as NotAPicture
from core.figures.schema import read as read

__all__ = ["STATES", "WANTED", "NotAPicture", "Schema", "bar", "cell", "head", "read", "state"]

# The moving picture has drawn its dots, and asks for what each word adds.
WANTED: Schema = EVENTS["wanted"]


def cell(rows: int, columns: int) -> Schema:
    """A cell of a matrix of this size."""
    return _within("cell", row=rows, column=columns)


def head(layers: int, heads: int) -> Schema:
    """A head of so many layers with so many heads each."""
    return _within("head", layer=layers, head=heads)


def bar(count: int) -> Schema:
    """One of so many bars."""
    return _within("bar", index=count)


def state(module: str) -> Schema:
    """The state of a picture, with the number of the choice that it tells."""
    return {**EVENTS["state"], **STATES[module]}


def _within(event: str, **counts: int) -> Schema:
    """An event of a picture of which it is known how many of each there are."""
    return {name: {**field, "maximum": counts[name] - 1} for name, field in EVENTS[event].items()}
